//! Principal axes of symmetric matrices.

use glam::{Mat3, Vec3};

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
