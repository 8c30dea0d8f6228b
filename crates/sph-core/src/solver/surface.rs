//! Which particles are at a free surface: those that have not enough others around them.

use crate::boundary::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::lanes::{Lanes, Vec3Lanes};
use crate::neighbors::{ListRows, NeighborLists};
use crate::parameters::Dimensions;
use crate::surroundings::Surroundings;
use crate::sweep::{self, Gather};
use glam::{Vec3, Vec4};

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

/// The filling of every particle's neighbourhood, with the volumes that particles have at rest; `places` are positions, m, and whatever else.
pub(crate) fn fillings<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    places: &[Vec4],
    walls: &BoundaryParticles,
    out: &mut Vec<Filling>,
) {
    sweep::gather(places.len(), out, &Fillings { kernel, around, places, walls });
}

/// The pass of [`fillings`].
struct Fillings<'a, K> {
    kernel: K,
    around: &'a Surroundings<'a>,
    places: &'a [Vec4],
    walls: &'a BoundaryParticles,
}

impl<K: SmoothingKernel> Gather for Fillings<'_, K> {
    type Value = Filling;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.around.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Filling {
        let Self { kernel, around, places, walls } = *self;
        let place = places[i].truncate();
        let (mut divergence, mut gradient) = (L::splat(0.0), Vec3Lanes::<L>::zero());
        for (block, left) in rows.blocks(i) {
            let [x, y, z, _] = L::gather(places, block);
            let x_ij = around.between_lanes(place, Vec3Lanes { x, y, z });
            let r_squared = x_ij.length_squared();
            let dw = kernel.dw_over_r(r_squared.sqrt()).keep(left);
            divergence = divergence + dw * r_squared;
            gradient = gradient + x_ij * dw;
        }
        let volume = around.rest_volume();
        let mut filling = Filling { divergence: -volume * divergence.sum(), gradient: volume * gradient.sum() };
        for &b in around.walls.of(i) {
            let b = b as usize;
            let x_ib = around.between(place, walls.positions[b]);
            let dw = walls.volumes[b] * kernel.dw_over_r(x_ib.length());
            filling.divergence -= dw * x_ib.length_squared();
            filling.gradient += dw * x_ib;
        }
        let touch = around.touch(place);
        filling.divergence += touch.filling;
        filling.gradient += touch.gradient;
        filling
    }
}
