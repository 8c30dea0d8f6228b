//! Fluid within a solid region of space.

use crate::passes::sum_particles;
use crate::simulation::View;
use crate::space::geometry::Solid;

/// Mass (kg; kg/m in two dimensions) of the particles in `region`, and their mean pressure (Pa), density (kg/m³) and velocity (m/s), weighted by
/// mass; means are `None` without particles.
pub(super) fn region_readings(fluid: &View<'_>, region: &Solid) -> Vec<Option<f64>> {
    let particles = fluid.particles;
    let [mass, pressure, density, x, y, z] = sum_particles(particles.len(), |i| {
        if !region.contains(particles.positions[i]) {
            return [0.0; 6];
        }
        let mass = fluid.mass_of(i);
        let velocity = particles.velocities[i].as_dvec3();
        let [pressure, density] = [particles.pressures[i], particles.densities[i]].map(f64::from);
        [mass, mass * pressure, mass * density, mass * velocity.x, mass * velocity.y, mass * velocity.z]
    });
    let axes = fluid.discretization.dimensions.count();
    let means = [pressure, density, x, y, z].into_iter().take(2 + axes).map(|sum| (mass > 0.0).then(|| sum / mass));
    [Some(mass)].into_iter().chain(means).collect()
}
