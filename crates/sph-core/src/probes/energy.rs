//! The energy of the fluid.

use super::fluid::Fluid;
use crate::passes::sweep;

/// `Σ ½ m v²`, J (J/m in two dimensions).
pub fn kinetic_energy(fluid: &Fluid<'_>) -> f64 {
    let velocities = &fluid.particles.velocities;
    sweep::sum(velocities.len(), |i| 0.5 * f64::from(fluid.mass) * f64::from(velocities[i].length_squared()))
}

/// In gravity and the other forces from outside, `−Σ m g·x` where they are the same everywhere, J (J/m in two dimensions): zero for
/// fluid at the origin. Along a periodic axis nothing has a height.
pub fn potential_energy(fluid: &Fluid<'_>) -> f64 {
    let positions = &fluid.particles.positions;
    sweep::sum(positions.len(), |i| f64::from(fluid.mass) * fluid.external.potential(positions[i]))
}
