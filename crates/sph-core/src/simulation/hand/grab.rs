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
    /// Time τ in which its velocity comes to that of the hand, s.
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

    /// State of a body that moves by forces after the hand has held it for `dt` (s): `v ← (v + dt/τ v_hand)/(1 + dt/τ)` with
    /// `v_hand = (p − x)/τ`, stable for any step.
    pub(crate) fn held(&self, state: BodyState, dt: f32) -> BodyState {
        let share = f64::from(dt) / f64::from(self.time);
        let hand = self.limited((self.point.as_dvec3() - state.position) / f64::from(self.time));
        BodyState {
            velocity: (state.velocity + share * hand) / (1.0 + share),
            angular_velocity: state.angular_velocity / (1.0 + share),
            ..state
        }
    }

    /// Any other body after the hand has held it for `dt` (s), for the displacement `to_point` (m) to the nearest place that it may have. With
    /// the brake, its velocity is drawn to that of the hand, `v_hand = (p − x)(1/τ + 1/τ_b)/4` with the braking time τ_b: critically damped.
    pub(crate) fn moved(&self, moved: MovedBody, to_point: DVec3, dt: f32) -> MovedBody {
        let (time, dt) = (f64::from(self.time), f64::from(dt));
        let (share, brake) = (dt / time, dt / MovedBody::BRAKING_TIME);
        let rate = 0.25 * (1.0 / time + 1.0 / MovedBody::BRAKING_TIME);
        // In long steps no farther than half of the way.
        let hand = self.limited(rate.min(0.5 / dt) * to_point);
        // The velocity that the brake leaves of the hand's comes back to it.
        let gain = 1.0 + share - 1.0 / (1.0 + brake);
        MovedBody { velocity: (moved.velocity + gain * hand) / (1.0 + share), ..moved }
    }

    fn limited(&self, velocity: DVec3) -> DVec3 {
        velocity.clamp_length_max(f64::from(self.top_speed))
    }
}
