//! Pouring: a disc of particles that comes out at a point.

use super::HandError;
use crate::boundary::{Aperture, Emitter, Inlet, Rate, Schedule};
use crate::parameters::Discretization;
use glam::Vec3;

/// Pour: a disc of particles across a velocity, one spacing apart, of which those are added that find room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pour {
    /// Centre of the disc, m.
    pub center: Vec3,
    /// Radius of the disc, m.
    pub radius: f32,
    /// Velocity of the fluid, m/s: the next disc has room once the last has moved on by a spacing.
    pub velocity: Vec3,
    /// Index of the fluid in [`Setup::fluids`](crate::Setup::fluids); 0 if there is one.
    pub fluid: usize,
}

impl Pour {
    /// Checks the numbers.
    pub(super) fn validate(&self, discretization: &Discretization) -> Result<(), HandError> {
        let Self { center, velocity, .. } = *self;
        let place = center.abs().max_element() <= 1e6 && center.is_finite();
        HandError::unless(place, "pour.center", "coordinates of at most 1e6 m")?;
        let speed = velocity.length() <= 1e4 && velocity != Vec3::ZERO;
        HandError::unless(speed, "pour.velocity", "a speed above 0, of at most 1e4 m/s")?;
        let is_valid = self.emitter().is_some_and(|emitter| emitter.validate(discretization).is_ok());
        HandError::unless(
            is_valid,
            "pour.radius",
            "a radius above 0 for at most 1000000 particles, in the plane in two dimensions",
        )
    }

    /// Places of the disc's particles, m, without regard to what is there; in a fixed order.
    pub(crate) fn places(&self, discretization: &Discretization) -> Vec<Vec3> {
        let inlet = self.emitter().map(|emitter| Inlet::new(&emitter, discretization));
        inlet.map_or_else(Vec::new, |inlet| inlet.sheet.into_iter().map(|offset| self.center + offset).collect())
    }

    /// An emitter with the same opening.
    fn emitter(&self) -> Option<Emitter> {
        let rate = Rate::Speed(Schedule::constant(0.0).ok()?);
        let Self { center, radius, velocity: direction, fluid } = *self;
        Some(Emitter { center, direction, aperture: Aperture::Round { radius }, rate, fluid })
    }
}
