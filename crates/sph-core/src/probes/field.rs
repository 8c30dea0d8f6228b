//! Interpolation of pressure and velocity at a point.

use crate::kernel::SmoothingKernel;
use crate::parameters::Dimensions;
use crate::simulation::View;
use glam::{DMat4, DVec3, DVec4, Vec3};

/// Least variance of the particle positions around a point, as a geometric mean over the axes, in support radii squared, for
/// which a linear fit is made. Beside a wall, with half of the neighbourhood filled, it is 0.01 to 0.05; for particles in a
/// row, 0.
const LEAST_SPREAD: f64 = 0.002;

/// Pressure at `point` (m), Pa: `[Σ_f p_f W + Σ_f ρ_f g·(x − x_f) W] / Σ_f W` over fluid particles, as for wall pressure
/// (Adami2012, eq. 27), so that it is also accurate at a wall, with fluid on one side only. Boundary particles are left out,
/// because their pressures are clamped. `None` without fluid in reach.
pub fn pressure_at(fluid: &View<'_>, point: Vec3) -> Option<f64> {
    let particles = fluid.particles;
    let (mut weighted, mut weight) = (0.0, 0.0);
    for (f, x, w) in neighbors(fluid, point) {
        let hydrostatic = f64::from(particles.densities[f] * fluid.external.along(particles.positions[f], x.as_vec3()));
        weighted += (f64::from(particles.pressures[f]) + hydrostatic) * w;
        weight += w;
    }
    (weight > 0.0).then(|| weighted / weight)
}

/// Density at `point` (m), kg/m³: `Σ_f ρ_f W / Σ_f W` over fluid particles. `None` without fluid in reach.
pub fn density_at(fluid: &View<'_>, point: Vec3) -> Option<f64> {
    let (mut weighted, mut weight) = (0.0, 0.0);
    for (f, _, w) in neighbors(fluid, point) {
        weighted += f64::from(fluid.particles.densities[f]) * w;
        weight += w;
    }
    (weight > 0.0).then(|| weighted / weight)
}

/// Velocity at `point` (m), m/s, by moving least squares: a linear fit weighted with W, which reproduces linear fields exactly,
/// also at a wall. With too few particles in reach for a fit, the Shepard mean; `None` without fluid in reach.
pub fn velocity_at(fluid: &View<'_>, point: Vec3) -> Option<DVec3> {
    let scale = 1.0 / f64::from(fluid.discretization.support_radius);
    let planar = fluid.discretization.dimensions == Dimensions::Two;
    let mut moments = DMat4::ZERO;
    // Right sides of the normal equations, one for each component of the velocity.
    let mut right = [DVec4::ZERO; 3];
    for (f, x, w) in neighbors(fluid, point) {
        let offset = (-scale * x).extend(1.0);
        moments += DMat4::from_cols(offset.x * offset, offset.y * offset, offset.z * offset, offset) * w;
        let velocity = fluid.particles.velocities[f].as_dvec3();
        for (axis, right) in right.iter_mut().enumerate() {
            *right += w * velocity[axis] * offset;
        }
    }
    let weight = moments.w_axis.w;
    if weight <= 0.0 {
        return None;
    }
    if planar {
        // In two dimensions all offsets along z are 0; any positive moment makes the matrix invertible.
        moments.z_axis.z = weight;
    }
    let fitted = moments * (1.0 / weight);
    if fitted.determinant() < LEAST_SPREAD.powi(fluid.discretization.dimensions.count() as i32) {
        return Some(DVec3::from_array(right.map(|right| right.w / weight)));
    }
    let inverse = fitted.inverse() * (1.0 / weight);
    let value = |right: DVec4| inverse.w_axis.dot(right);
    Some(DVec3::from_array(right.map(value)))
}

/// Fluid particles in reach of `point`: index f, `point − x_f` (m), and W.
fn neighbors<'a>(fluid: &View<'a>, point: Vec3) -> impl Iterator<Item = (usize, DVec3, f64)> + 'a {
    let (kernel, radius, point) = (fluid.kernel(), fluid.discretization.support_radius, fluid.flat(point));
    let wrap = fluid.wrap();
    fluid.particles.positions.iter().enumerate().filter_map(move |(f, &position)| {
        let x = wrap.minimum_image(point, position);
        let distance = x.length();
        (distance < radius).then(|| (f, x.as_dvec3(), f64::from(kernel.w(distance))))
    })
}
