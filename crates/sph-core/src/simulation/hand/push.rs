//! Push and pull: a force field around a point, and a drag towards the velocity of the hand.

use super::HandError;
use crate::parameters::Dimensions;
use glam::Vec3;

/// Push or pull: the acceleration `w(r) (s ê + k (u − v))` of fluid at the distance r from a centre, with ê the direction to the centre and
/// the weight w falling linearly from 1 at the centre to 0 at the radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// Centre, m.
    pub center: Vec3,
    /// Radius R beyond which nothing is felt, m: `w = 1 − r/R`.
    pub radius: f32,
    /// Strength s, m/s²: positive pulls towards the centre, negative pushes away.
    pub strength: f32,
    /// Drag k, 1/s.
    pub drag: f32,
    /// Velocity u of the hand, m/s.
    pub velocity: Vec3,
}

impl Push {
    /// Checks the numbers.
    pub(super) fn validate(&self, dimensions: Dimensions) -> Result<(), HandError> {
        let Self { center, radius, strength, drag, velocity } = *self;
        let planar = |vector: Vec3| dimensions == Dimensions::Three || vector.z == 0.0;
        let place = center.abs().max_element() <= 1e6 && center.is_finite() && planar(center);
        HandError::unless(place, "push.center", "coordinates of at most 1e6 m, in the plane in two dimensions")?;
        HandError::unless(radius > 0.0 && radius <= 1e6, "push.radius", "a radius above 0, of at most 1e6 m")?;
        HandError::unless(strength.abs() <= 1e5, "push.strength", "an acceleration of -1e5 to 1e5 m/s²")?;
        HandError::unless((0.0..=1e6).contains(&drag), "push.drag", "0 to 1e6 1/s")?;
        let speed = velocity.length() <= 1e4 && planar(velocity);
        HandError::unless(speed, "push.velocity", "at most 1e4 m/s, in the plane in two dimensions")
    }

    /// Velocity (m/s) after `dt` (s) of a particle at `to_center` (m) from the centre that had `velocity`: the drag is implicit, so that it is
    /// stable for any step.
    pub(crate) fn accelerated(&self, to_center: Vec3, velocity: Vec3, dt: f32) -> Vec3 {
        let weight = 1.0 - to_center.length() / self.radius;
        // NaN leaves the velocity alone too.
        if weight > 0.0 {
            let (force, drag) = (weight * dt * self.strength, weight * dt * self.drag);
            (velocity + force * to_center.normalize_or_zero() + drag * self.velocity) / (1.0 + drag)
        } else {
            velocity
        }
    }
}
