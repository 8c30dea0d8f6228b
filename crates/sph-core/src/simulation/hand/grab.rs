//! Grabbing: a body follows the hand.

use super::HandError;
use crate::boundary::{BodyState, MovedBody};
use crate::parameters::Dimensions;
use glam::{DVec3, Vec3};

/// Grab: a body is drawn towards a point, at most with the top speed. One that moves by forces goes on as they let
/// it, its rotation damped; any other keeps its prescribed motion, from a place that moves with the hand and comes to rest when it is let go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grab {
    /// Index of the body: those of [`Setup::bodies`](crate::Setup::bodies), then those that have been dropped.
    pub body: usize,
    /// Point p for its centre of mass, or for the centre of its box if it does not move by forces, m.
    pub point: Vec3,
    /// Time τ of the hand, s: the velocity is drawn to (p − x)/τ, or to half of it if the body does not move by forces.
    pub time: f32,
    /// Top speed, m/s.
    pub top_speed: f32,
}

impl Grab {
    /// Checks the numbers.
    pub(super) fn validate(&self, dimensions: Dimensions) -> Result<(), HandError> {
        let Self { point, time, top_speed, .. } = *self;
        let planar = dimensions == Dimensions::Three || point.z == 0.0;
        let place = point.abs().max_element() <= 1e6 && point.is_finite() && planar;
        HandError::unless(place, "grab.point", "coordinates of at most 1e6 m, in the plane in two dimensions")?;
        HandError::unless((1e-4..=1e3).contains(&time), "grab.time", "1e-4 to 1e3 s")?;
        HandError::unless((0.0..=1e4).contains(&top_speed), "grab.top_speed", "0 to 1e4 m/s")
    }

    /// State of the body after the hand has held it for `dt` (s): `v ← (v + dt/τ v_hand)/(1 + dt/τ)`, stable for any step.
    pub(crate) fn held(&self, state: BodyState, dt: f32) -> BodyState {
        let share = f64::from(dt) / f64::from(self.time);
        let to_point = self.point.as_dvec3() - state.position;
        BodyState {
            velocity: (state.velocity + share * self.velocity(to_point, self.time)) / (1.0 + share),
            angular_velocity: state.angular_velocity / (1.0 + share),
            ..state
        }
    }

    /// A body that does not move by forces after the hand has held it for `dt` (s), `to_point` (m) away from where it may come.
    pub(crate) fn moved(&self, moved: MovedBody, to_point: DVec3, dt: f32) -> MovedBody {
        let share = f64::from(dt) / f64::from(self.time);
        // Against the brake, so that the body has the velocity of the hand in the end.
        let gain = share * (2.0 + share) / (1.0 + share);
        let hand = self.velocity(to_point, (2.0 * self.time).max(dt));
        MovedBody { velocity: (moved.velocity + gain * hand) / (1.0 + share), ..moved }
    }

    /// Velocity that leads to the point within `time` (s), m/s, at most the top speed.
    fn velocity(&self, to_point: DVec3, time: f32) -> DVec3 {
        (to_point / f64::from(time)).clamp_length_max(f64::from(self.top_speed))
    }
}
