//! Density gradients for the density diffusion of Antuono2010.

use crate::kernel::SmoothingKernel;
use crate::passes::{StepContext, sweep};
use glam::{Mat3, Vec3, Vec4};

/// Smallest determinant of L_i⁻¹, 1 inside the fluid: below it a particle has too few neighbours for a gradient.
const LEAST_DETERMINANT: f32 = 0.05;

/// Computes the density gradient of every particle, kg/m⁴: `G_i = L_i Σ_j V_j (ρ_j − ρ_i) ∇W` with
/// `L_i = [Σ_j V_j (x_j − x_i) ⊗ ∇W]⁻¹` (Antuono2010). Zero with too few neighbours.
pub(crate) fn gradients<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    (positions, densities, volumes): (&[Vec3], &[f32], &[f32]),
    out: &mut Vec<Vec4>,
) {
    let planar = ctx.discretization.dimensions.count() == 2;
    sweep::map(positions.len(), out, |i| {
        let (mut matrix, mut sum) = (Mat3::ZERO, Vec3::ZERO);
        for &j in ctx.fluid.of(i) {
            let j = j as usize;
            let x_ij = ctx.minimum_image(positions[i], positions[j]);
            let gradient = volumes[j] * kernel.grad_w(x_ij);
            sum += (ctx.lightness(j) * densities[j] - ctx.lightness(i) * densities[i]) * gradient;
            // Columns of (x_j − x_i) ⊗ ∇W; the matrix is symmetric.
            matrix -= Mat3::from_cols(x_ij * gradient.x, x_ij * gradient.y, x_ij * gradient.z);
        }
        if planar {
            matrix.z_axis.z = 1.0;
        }
        // NaN fails the comparison: no gradient.
        let gradient = if matrix.determinant() > LEAST_DETERMINANT { matrix.inverse() * sum } else { Vec3::ZERO };
        gradient.extend(0.0)
    });
}
