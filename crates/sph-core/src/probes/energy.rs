//! Energy of the fluid.

use crate::passes::sum_particles;
use crate::simulation::View;
use glam::DVec3;

/// Kinetic energy of the fluid, `Σ ½ m v²`, J (J/m in two dimensions).
pub fn kinetic_energy(fluid: &View<'_>) -> f64 {
    let velocities = &fluid.particles.velocities;
    let [energy] = sum_particles(velocities.len(), |i| [0.5 * fluid.mass_of(i) * f64::from(velocities[i].length_squared())]);
    energy
}

/// Potential energy of the fluid in gravity and the other external forces, J (J/m in two dimensions): `−Σ m g·x` for uniform
/// ones, zero at the origin. Components along periodic axes do not count.
pub fn potential_energy(fluid: &View<'_>) -> f64 {
    let positions = &fluid.particles.positions;
    let [energy] = sum_particles(positions.len(), |i| [fluid.mass_of(i) * fluid.external.potential(positions[i])]);
    energy
}

/// Momentum of the fluid, `Σ m v`, kg m/s (kg/s in two dimensions).
pub fn momentum(fluid: &View<'_>) -> DVec3 {
    let velocities = &fluid.particles.velocities;
    let sum = sum_particles(velocities.len(), |i| (fluid.mass_of(i) * velocities[i].as_dvec3()).to_array());
    DVec3::from_array(sum)
}
