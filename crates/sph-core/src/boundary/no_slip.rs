//! The velocity with which a wall drags (Adami2012, eq. 23).

use super::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::surroundings::Surroundings;
use crate::sweep;
use glam::Vec3;

/// `v_b = 2 v_wall − Σ_f v_f W_bf / Σ_f W_bf`, m/s: what the fluid's velocity would be behind the face if it went on so as to be the
/// wall's at the face. The wall's own velocity where it does not drag, or no fluid is near.
pub(crate) fn mirror<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    (positions, velocities): (&[Vec3], &[Vec3]),
    walls: &mut BoundaryParticles,
) {
    let BoundaryParticles { positions: places, velocities: own, no_slip, mirrored, .. } = walls;
    sweep::map(places.len(), mirrored, |b| {
        if !no_slip[b] {
            return own[b];
        }
        let (mut weighted, mut weight) = (Vec3::ZERO, 0.0);
        for &f in around.fluid_of_walls.of(b) {
            let f = f as usize;
            let w = kernel.w(around.between(places[b], positions[f]).length());
            weighted += velocities[f] * w;
            weight += w;
        }
        if weight > 0.0 { 2.0 * own[b] - weighted / weight } else { own[b] }
    });
}
