//! Grabbing: a body that moves by forces follows the hand.

use super::HandError;
use crate::boundary::BodyState;
use crate::parameters::Dimensions;
use glam::{DVec3, Vec3};

/// Grab: a body that moves by forces is drawn towards a point with the velocity `(p − x)/τ`, at most the top speed, and its rotation is damped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grab {
    /// Index of the body in [`Setup::bodies`](crate::Setup::bodies).
    pub body: usize,
    /// Point p for its centre of mass, m.
    pub point: Vec3,
    /// Time τ in which the distance falls to 1/e, s.
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

    /// State of the body after the hand has held it for `dt`, s: `v ← (v + dt/τ v_hand)/(1 + dt/τ)`, stable for any step.
    pub(crate) fn held(&self, state: BodyState, dt: f32) -> BodyState {
        let share = f64::from(dt) / f64::from(self.time);
        let wanted = (self.point.as_dvec3() - state.position) / f64::from(self.time);
        let hand: DVec3 = wanted.clamp_length_max(f64::from(self.top_speed));
        BodyState {
            velocity: (state.velocity + share * hand) / (1.0 + share),
            angular_velocity: state.angular_velocity / (1.0 + share),
            ..state
        }
    }
}
