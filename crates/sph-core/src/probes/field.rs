//! Fields of the fluid at a point.

use super::fluid::Fluid;
use crate::kernel::SmoothingKernel;
use crate::parameters::Dimensions;
use glam::{DMat4, DVec3, DVec4, Vec3};

/// Least spread of the particles around a point, as a mean over the axes, in support radii squared, from which a gradient can be told. A
/// wall's half of a neighbourhood has 0.01 to 0.05; particles in a row have 0.
const LEAST_SPREAD: f64 = 0.002;

/// Pressure at `place` (m), Pa: `[Σ_f p_f W + Σ_f ρ_f g·(x − x_f) W] / Σ_f W` over fluid particles, as the pressure of the walls is
/// extrapolated (Adami2012, eq. 27), so that it is right at a wall, where the fluid is on one side only. Wall particles are left out:
/// their pressures are clamped. `None` without fluid in reach.
pub fn pressure_at(fluid: &Fluid<'_>, place: Vec3) -> Option<f64> {
    let particles = fluid.particles;
    let (mut weighted, mut weight) = (0.0, 0.0);
    for (f, x, w) in neighbors(fluid, place) {
        let hydrostatic = f64::from(particles.densities[f] * fluid.external.along(particles.positions[f], x.as_vec3()));
        weighted += (f64::from(particles.pressures[f]) + hydrostatic) * w;
        weight += w;
    }
    (weight > 0.0).then(|| weighted / weight)
}

/// Velocity at `place` (m), m/s: the value there of the linear field that fits the fluid around best, by least squares weighted with W,
/// so that a linear field is met exactly, on a wall as well. Where too few particles are in reach for that, the mean weighted with W
/// (Shepard); `None` without fluid in reach.
pub fn velocity_at(fluid: &Fluid<'_>, place: Vec3) -> Option<DVec3> {
    let scale = 1.0 / f64::from(fluid.discretization.support_radius);
    let planar = fluid.discretization.dimensions == Dimensions::Two;
    let mut moments = DMat4::ZERO;
    // Columns: the moments of each component of the velocity.
    let mut right = [DVec4::ZERO; 3];
    for (f, x, w) in neighbors(fluid, place) {
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
        // A fluid without thickness says nothing about z: any value there leaves the rest alone.
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

/// Fluid particles in reach of `place`: index, `place − x_f` (m), and W.
fn neighbors<'a>(fluid: &Fluid<'a>, place: Vec3) -> impl Iterator<Item = (usize, DVec3, f64)> + 'a {
    let (kernel, radius, place) = (fluid.kernel(), fluid.discretization.support_radius, fluid.flat(place));
    let wrap = fluid.wrap();
    fluid.particles.positions.iter().enumerate().filter_map(move |(f, &position)| {
        let x = wrap.minimum_image(place, position);
        let distance = x.length();
        (distance < radius).then(|| (f, x.as_dvec3(), f64::from(kernel.w(distance))))
    })
}
