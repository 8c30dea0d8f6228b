//! Lattice of initial particle positions: its points around a particle, its kernel sum, its cells in a box.

use crate::kernel::{Kernel, SmoothingKernel};
use crate::parameters::{Dimensions, Discretization};
use glam::Vec3;

/// Points of the discretisation's lattice in a cube around the origin that contains the kernel's support, m; the origin is one
/// of them.
pub(crate) fn lattice_points(discretization: &Discretization) -> impl Iterator<Item = Vec3> + use<> {
    let Discretization { dimensions, particle_spacing, support_radius, .. } = *discretization;
    let reach = (support_radius / particle_spacing).ceil() as i32;
    let layers = match dimensions {
        Dimensions::Two => 0..=0,
        Dimensions::Three => -reach..=reach,
    };
    layers.flat_map(move |z| {
        (-reach..=reach)
            .flat_map(move |y| (-reach..=reach).map(move |x| particle_spacing * glam::IVec3::new(x, y, z).as_vec3()))
    })
}

/// Number of neighbours of a particle inside the lattice, strictly within the support radius.
pub(crate) fn lattice_neighbors(discretization: &Discretization) -> usize {
    let near = |point: &Vec3| point.length() < discretization.support_radius;
    lattice_points(discretization).filter(near).count() - 1
}

/// Kernel sum Σ W dx^d over the discretisation's infinite lattice, the particle itself included. It is near 1: the ratio of the
/// summed density to rest density for particles of mass ρ₀ dx^d.
pub fn lattice_sum(discretization: &Discretization) -> f32 {
    let Discretization { dimensions, kernel, support_radius, .. } = *discretization;
    let kernel = Kernel::new(kernel, dimensions, support_radius);
    let mut sum = 0.0f64;
    for point in lattice_points(discretization) {
        sum += f64::from(kernel.w(point.length()));
    }
    (sum * f64::from(discretization.particle_volume())) as f32
}

/// Cells along each axis of a lattice of about `spacing` (m) that fills a box; at least one, and one along z in two dimensions.
pub(crate) fn lattice_counts(min: Vec3, max: Vec3, spacing: f32, dimensions: Dimensions) -> [u64; 3] {
    // Rust's conversion saturates: NaN and negative extents give 0, huge ones u64::MAX.
    let [x, y, z] = ((max - min) / spacing).to_array().map(|cells| (cells.round() as u64).max(1));
    match dimensions {
        Dimensions::Two => [x, y, 1],
        Dimensions::Three => [x, y, z],
    }
}

/// Saturating product.
pub(crate) fn product(counts: [u64; 3]) -> u64 {
    counts.into_iter().fold(1, u64::saturating_mul)
}
