//! Space: periodic domains, their images and minimum-image differences, compensated positions, the initial lattice, principal axes; solid
//! geometry in a folder of its own.

mod domain;
pub(crate) mod geometry;

pub use domain::{Domain, DomainError, Images};

pub(crate) use domain::Wrap;

use crate::kernel::{Kernel, SmoothingKernel};
use crate::parameters::{Dimensions, Discretization};
use glam::{Mat3, Vec3};

// Lattice of initial particle positions: its points around a particle, its kernel sum, its cells in a box.

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

// Compensated summation of positions: the rounding error of a sum is kept and added to the next.
//
// At 100 support radii from the origin, rounding to f32 is 1e-5 of a particle spacing: as much as a density difference of 1e-5
// comes from, and more than slow fluid moves in a step.

/// Rounded sum of `position` and `step`, and its rounding error: together exactly `position + step` (Knuth1997, 4.2.2).
pub(crate) fn two_sum(position: Vec3, step: Vec3) -> (Vec3, Vec3) {
    let sum = position + step;
    let part = sum - position;
    (sum, (position - (sum - part)) + (step - part))
}

// Principal axes of symmetric matrices.

/// Sweeps of rotations: Jacobi's method converges quadratically, and single precision is reached in four or five.
const SWEEPS: usize = 6;

/// Eigenvalues of the symmetric `matrix`, the largest first, and its orthonormal eigenvectors as columns, by Jacobi's method.
///
/// Only arithmetic and square roots, which every processor rounds alike. If squares of the entries overflow, the diagonal is returned.
pub(crate) fn principal_axes(matrix: Mat3) -> (Vec3, Mat3) {
    let mut diagonal = [matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z];
    // Entry k is the one in the row and the column other than k.
    let mut others = [matrix.y_axis.z, matrix.x_axis.z, matrix.x_axis.y];
    let mut axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let negligible = f32::EPSILON * f32::EPSILON * diagonal.iter().map(|value| value * value).sum::<f32>();
    for _ in 0..SWEEPS {
        if others.iter().map(|value| value * value).sum::<f32>() <= negligible {
            break;
        }
        for [p, q, r] in [[0, 1, 2], [0, 2, 1], [1, 2, 0]] {
            let entry = others[r];
            if entry == 0.0 {
                continue;
            }
            // Rotation in the plane of p and q that makes their entry zero, by the smaller of the two angles.
            let slope = (diagonal[q] - diagonal[p]) / (2.0 * entry);
            let tangent = 1f32.copysign(slope) / (slope.abs() + (slope * slope + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            diagonal[p] -= tangent * entry;
            diagonal[q] += tangent * entry;
            others[r] = 0.0;
            // Entries (p, r) and (q, r).
            (others[q], others[p]) = (cosine * others[q] - sine * others[p], sine * others[q] + cosine * others[p]);
            (axes[p], axes[q]) = (cosine * axes[p] - sine * axes[q], sine * axes[p] + cosine * axes[q]);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| diagonal[b].total_cmp(&diagonal[a]));
    let [first, second, third] = order;
    (Vec3::new(diagonal[first], diagonal[second], diagonal[third]), Mat3::from_cols(axes[first], axes[second], axes[third]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn sum_and_error_are_exact() {
        for (position, step) in [(260.0f32, 1e-7f32), (-3.7, 4.1e-9), (1e-3, 2.5), (0.1, -0.1), (0.0, 1e-30)] {
            let (sum, rest) = two_sum(Vec3::splat(position), Vec3::splat(step));
            assert_eq!(f64::from(sum.x) + f64::from(rest.x), f64::from(position) + f64::from(step), "{position} + {step}");
        }
    }

    #[test]
    fn axes_and_eigenvalues_are_those_that_the_matrix_was_made_of() {
        let spectra =
            [[3.0, 2.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [4.0, 0.0, 0.0], [1.0, 1e-3, 1e-6], [2.0, -1.0, -3.0]];
        for values in spectra.map(Vec3::from_array) {
            for turn in 0..50 {
                let angles = Vec3::new(0.7, 1.3, 2.1) * turn as f32;
                let rotation = Mat3::from_quat(Quat::from_euler(glam::EulerRot::XYZ, angles.x, angles.y, angles.z));
                let matrix = rotation * Mat3::from_diagonal(values) * rotation.transpose();
                let (found, axes) = principal_axes(matrix);
                assert!(found.abs_diff_eq(values, 3e-6 * values.abs().max_element()), "{found} of {values}");
                assert!((axes * axes.transpose()).abs_diff_eq(Mat3::IDENTITY, 2e-6), "{axes}");
                let again = axes * Mat3::from_diagonal(found) * axes.transpose();
                assert!(again.abs_diff_eq(matrix, 4e-6 * values.abs().max_element()), "{again} of {matrix}");
            }
        }
    }

    #[test]
    fn an_overflow_leaves_the_axes_and_nan_stays() {
        for value in [f32::INFINITY, f32::MAX] {
            let matrix = Mat3::from_cols_array(&[value; 9]);
            assert_eq!(principal_axes(matrix), (Vec3::splat(value), Mat3::IDENTITY));
        }
        let (found, _) = principal_axes(Mat3::NAN);
        assert!(found.is_nan_mask().all(), "{found}");
    }
}
