//! Mirrored velocities of no-slip walls (Adami2012, eq. 23).

use super::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::passes::{StepContext, sweep};
use glam::Vec3;

/// Computes the mirrored velocities of boundary particles, m/s: `v_b = 2 v_wall − Σ_f v_f W_bf / Σ_f W_bf`, the fluid's
/// velocity extrapolated linearly through v_wall at the face. Free-slip walls have v_b = v_wall. Without fluid in reach the old
/// value stays; it is not used.
pub(crate) fn mirror<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    (positions, velocities): (&[Vec3], &[Vec3]),
    walls: &mut BoundaryParticles,
) {
    let mut mirrored = std::mem::take(&mut walls.mirrored);
    if mirrored.len() != walls.len() {
        sweep::map(walls.len(), &mut mirrored, |b| walls.velocity(b));
    }
    ctx.wall_neighbors.update(&mut mirrored, |row, mirrored| {
        let (b, near) = ctx.wall_neighbors.row(row);
        let own = walls.velocity(b);
        if !walls.no_slip[b] {
            *mirrored = own;
            return;
        }
        let (mut weighted, mut weight) = (Vec3::ZERO, 0.0);
        for &f in near {
            let f = f as usize;
            let w = kernel.w(ctx.minimum_image(walls.positions[b], positions[f]).length());
            weighted += velocities[f] * w;
            weight += w;
        }
        *mirrored = if weight > 0.0 { 2.0 * own - weighted / weight } else { own };
    });
    walls.mirrored = mirrored;
}
