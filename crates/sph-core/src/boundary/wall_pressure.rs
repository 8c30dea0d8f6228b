//! The pressure of the walls, extrapolated from the fluid (Adami2012, eq. 27).

use super::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::neighbors::NeighborLists;
use crate::particles::Particles;
use crate::sweep;
use glam::Vec3;

/// `p_b = max(0, [Σ_f p_f W_bf + Σ_f ρ_f g·(x_b − x_f) W_bf] / Σ_f W_bf)`, Pa, for walls at rest; 0 without fluid in reach.
///
/// `fluid_of` lists the fluid neighbours of every boundary particle. The gravity term continues the hydrostatic gradient into the
/// wall; without it the lowest row of fluid feels too little support.
pub(crate) fn extrapolate_pressure<K: SmoothingKernel>(
    kernel: K,
    fluid: &Particles,
    gravity: Vec3,
    fluid_of: &NeighborLists,
    walls: &mut BoundaryParticles,
) {
    let positions = &walls.positions;
    sweep::map(positions.len(), &mut walls.pressures, |b| {
        let (mut weighted, mut weight) = (0.0, 0.0);
        for &f in fluid_of.of(b) {
            let f = f as usize;
            let x_bf = positions[b] - fluid.positions[f];
            let w = kernel.w(x_bf.length());
            weighted += (fluid.pressures[f] + fluid.densities[f] * gravity.dot(x_bf)) * w;
            weight += w;
        }
        if weight > 0.0 { (weighted / weight).max(0.0) } else { 0.0 }
    });
}
