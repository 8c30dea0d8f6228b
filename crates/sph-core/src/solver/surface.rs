//! Which particles are at a free surface: those that have not enough others around them.

use crate::boundary::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::parameters::Dimensions;
use crate::surroundings::Surroundings;
use crate::sweep;
use glam::Vec3;

/// How the neighbourhood of a particle is filled, walls included.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Filling {
    /// `D = −Σ_j V_j r_ij·∇W`: the number of dimensions inside the fluid, about half of it in a flat surface (Lee2008).
    pub divergence: f32,
    /// `∇C = Σ_j V_j ∇W`, 1/m: where there is more fluid than elsewhere; zero inside an even lattice.
    pub gradient: Vec3,
}

/// D of a particle in a surface is less than this (Lind2012, Skillen2013).
pub(crate) fn threshold(dimensions: Dimensions) -> f32 {
    match dimensions {
        Dimensions::Two => 1.5,
        Dimensions::Three => 2.75,
    }
}

/// The filling of every particle's neighbourhood, with the volumes that particles have at rest.
pub(crate) fn fillings<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    positions: &[Vec3],
    walls: &BoundaryParticles,
    out: &mut Vec<Filling>,
) {
    let volume = around.rest_volume();
    sweep::map(positions.len(), out, |i| {
        let mut filling = Filling { divergence: 0.0, gradient: Vec3::ZERO };
        let mut add = |volume: f32, r: Vec3| {
            let dw = volume * kernel.dw_over_r(r.length());
            filling.divergence -= dw * r.length_squared();
            filling.gradient += dw * r;
        };
        for &j in around.fluid.of(i) {
            add(volume, around.between(positions[i], positions[j as usize]));
        }
        for &b in around.walls.of(i) {
            add(walls.volumes[b as usize], around.between(positions[i], walls.positions[b as usize]));
        }
        let touch = around.touch(positions[i]);
        filling.divergence += touch.filling;
        filling.gradient += touch.gradient;
        filling
    });
}
