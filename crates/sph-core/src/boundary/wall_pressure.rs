//! The pressure of the walls, extrapolated from the fluid (Adami2012, eq. 27).

use super::BoundaryParticles;
use crate::forces::Outside;
use crate::kernel::SmoothingKernel;
use crate::surroundings::Surroundings;
use crate::sweep;
use glam::Vec3;

/// `p_b = max(floor, Σ_f [p_f + ρ_f (g − a_b)·(x_b − x_f)] W_bf / Σ_f W_bf)`; 0 without fluid in reach.
///
/// `state` is pressure and density of particle f, in Pa and kg/m³ or any other units that go together. `outside` has g, m/s², taken half
/// way between the two: with it the gradient that holds fluid at the wall goes on into the wall; without it the lowest row of fluid feels
/// too little support. `None` for pressures that hold nothing, continued as they are. No pressure is below `floor`.
pub(crate) fn extrapolate<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    fluid: &[Vec3],
    walls: &mut BoundaryParticles,
    outside: Option<Outside<'_>>,
    floor: f32,
    state: impl Fn(usize) -> (f32, f32) + Sync + Send,
) {
    let BoundaryParticles { positions, accelerations, pressures, .. } = walls;
    sweep::map(positions.len(), pressures, |b| {
        let (mut weighted, mut weight) = (0.0, 0.0);
        let rise =
            |f: usize, x_bf: Vec3| outside.map_or(0.0, |outside| outside.along(fluid[f], x_bf) - accelerations[b].dot(x_bf));
        for &f in around.fluid_of_walls.of(b) {
            let f = f as usize;
            let x_bf = around.between(positions[b], fluid[f]);
            let w = kernel.w(x_bf.length());
            let (pressure, density) = state(f);
            weighted += (pressure + density * rise(f, x_bf)) * w;
            weight += w;
        }
        if weight > 0.0 { (weighted / weight).max(floor) } else { 0.0 }
    });
}
