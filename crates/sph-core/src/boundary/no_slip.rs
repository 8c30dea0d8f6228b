//! The velocity with which a wall drags (Adami2012, eq. 23).

use super::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::neighbors::NeighborLists;
use crate::sweep;
use glam::Vec3;

/// `v_b = 2 v_wall − Σ_f v_f W_bf / Σ_f W_bf`, m/s: what the fluid's velocity would be behind the face if it went on so as to be the
/// wall's at the face. The wall's own velocity where it does not drag, or no fluid is near.
///
/// `fluid_of` lists the fluid neighbours of every boundary particle.
pub(crate) fn mirror<K: SmoothingKernel>(
    kernel: K,
    (positions, velocities): (&[Vec3], &[Vec3]),
    fluid_of: &NeighborLists,
    walls: &mut BoundaryParticles,
) {
    let BoundaryParticles { positions: places, velocities: own, no_slip, mirrored, .. } = walls;
    sweep::map(places.len(), mirrored, |b| {
        if !no_slip[b] {
            return own[b];
        }
        let (mut weighted, mut weight) = (Vec3::ZERO, 0.0);
        for &f in fluid_of.of(b) {
            let f = f as usize;
            let w = kernel.w((places[b] - positions[f]).length());
            weighted += velocities[f] * w;
            weight += w;
        }
        if weight > 0.0 { 2.0 * own[b] - weighted / weight } else { own[b] }
    });
}
