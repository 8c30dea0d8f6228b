//! The pressure of the walls, extrapolated from the fluid (Adami2012, eq. 27).

use super::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::neighbors::NeighborLists;
use crate::sweep;
use glam::Vec3;

/// `p_b = max(0, Σ_f p(f, x_b − x_f) W_bf / Σ_f W_bf)`, for walls at rest; 0 without fluid in reach.
///
/// `fluid_of` lists the fluid neighbours of every boundary particle. `pressure` is what particle f has, in any unit, continued over a
/// distance (m): with `ρ g·(x_b − x_f)` added the hydrostatic gradient goes on into the wall; without it the lowest row of fluid
/// feels too little support.
pub(crate) fn extrapolate<K: SmoothingKernel>(
    kernel: K,
    fluid: &[Vec3],
    fluid_of: &NeighborLists,
    walls: &mut BoundaryParticles,
    pressure: impl Fn(usize, Vec3) -> f32 + Sync + Send,
) {
    let positions = &walls.positions;
    sweep::map(positions.len(), &mut walls.pressures, |b| {
        let (mut weighted, mut weight) = (0.0, 0.0);
        for &f in fluid_of.of(b) {
            let f = f as usize;
            let x_bf = positions[b] - fluid[f];
            let w = kernel.w(x_bf.length());
            weighted += pressure(f, x_bf) * w;
            weight += w;
        }
        if weight > 0.0 { (weighted / weight).max(0.0) } else { 0.0 }
    });
}
