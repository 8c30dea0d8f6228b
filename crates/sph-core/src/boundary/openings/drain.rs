//! Drains: regions in which fluid goes out.

use super::OpeningError;
use crate::parameters::{Dimensions, Discretization};
use crate::space::geometry::Solid;
use glam::Vec3;

/// A box or a solid that removes the fluid that enters it. With a velocity the fluid moves through it with that, and is removed at the
/// far end: so a channel runs out as fast as it should, and the fluid before the drain feels no fall.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drain {
    /// Lowest corner, m.
    pub min: Vec3,
    /// Highest corner, m.
    pub max: Vec3,
    /// Solid within these corners; `None`: the whole box.
    pub region: Option<Solid>,
    /// Velocity of the fluid in the drain, m/s; `None`: it is removed as it enters.
    pub velocity: Option<Vec3>,
}

impl Drain {
    /// Checks the numbers of the drain.
    pub(crate) fn validate(&self, discretization: &Discretization) -> Result<(), OpeningError> {
        let planar = discretization.dimensions == Dimensions::Two;
        let extents = (self.max - self.min).to_array();
        if !extents.iter().take(discretization.dimensions.count()).all(|extent| *extent > 0.0 && extent.is_finite()) {
            return Err(OpeningError::Box);
        }
        let is_velocity = |velocity: Vec3| velocity.length() > 0.0 && velocity.is_finite() && !(planar && velocity.z != 0.0);
        if self.velocity.is_some_and(|velocity| !is_velocity(velocity)) { Err(OpeningError::Velocity) } else { Ok(()) }
    }

    /// True if a particle at `position` (m) is removed. With a velocity, in the last spacing of its way through.
    pub(crate) fn removes(&self, position: Vec3, discretization: &Discretization) -> bool {
        let Discretization { dimensions, particle_spacing, .. } = *discretization;
        self.contains(position, dimensions)
            && self
                .velocity
                .is_none_or(|velocity| !self.contains(position + particle_spacing * velocity.normalize_or_zero(), dimensions))
    }

    /// Velocity of a particle at `position` (m), if the drain guides it.
    pub(crate) fn guided(&self, position: Vec3, discretization: &Discretization) -> Option<Vec3> {
        self.velocity.filter(|_| self.contains(position, discretization.dimensions))
    }

    fn contains(&self, position: Vec3, dimensions: Dimensions) -> bool {
        let inside = position.cmpge(self.min) & position.cmplt(self.max);
        let in_box = inside.x && inside.y && (inside.z || dimensions == Dimensions::Two);
        in_box && self.region.as_ref().is_none_or(|solid| solid.contains(position))
    }
}
