//! Rows of cached gradients while they are filled, with the sums that are taken on the way.

use super::component::Component;
use super::rows::Numbers;
use crate::kernel::SmoothingKernel;
use crate::neighbors::{Blocks, ListRows};
use crate::passes::{GatherBuffers, StepContext};
use crate::simd::{Indices, Lanes, Vec3Lanes, WIDTH};
use glam::Vec3;

/// Row to be filled: the neighbours of particle i of one kind, and the storage of their gradients.
pub(crate) struct RowMut<'a, O, T> {
    i: usize,
    others: O,
    blocks: Blocks<'a>,
    gradients: [&'a mut [[T; WIDTH]]; 3],
    /// Unit of the gradients, 1/m.
    unit: f32,
}

/// Row of pairs with fluid.
pub(crate) type FluidRowMut<'a> = RowMut<'a, OfFluid<'a>, i16>;

/// Row of pairs with walls.
pub(crate) type WallRowMut<'a> = RowMut<'a, OfWalls<'a>, f32>;

/// Sums over a particle's neighbours of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// Σ V W.
    pub density: f32,
    /// Σ V∇W, 1/m.
    pub gradient: Vec3,
    /// Σ b |V∇W|², 1/m², with the lightness b.
    pub squares: f32,
}

/// Positions of neighbours of one kind.
pub(crate) trait Others: Copy {
    /// Returns `x_i − x_j`, m.
    fn difference<L: Lanes>(self, i: usize, neighbors: Indices<'_>) -> Vec3Lanes<L>;
}

/// Fluid positions and their rounding errors, which matter as much as a density difference of 1e-5 far from the origin.
#[derive(Clone, Copy)]
pub(crate) struct OfFluid<'a> {
    pub(super) ctx: &'a StepContext<'a>,
    pub(super) buffers: &'a GatherBuffers,
}

impl Others for OfFluid<'_> {
    #[inline(always)]
    fn difference<L: Lanes>(self, i: usize, neighbors: Indices<'_>) -> Vec3Lanes<L> {
        let Self { ctx, buffers: GatherBuffers { positions, vectors: rounding_errors } } = self;
        let [x, y, z, _] = L::gather(positions, neighbors);
        let rounded = ctx.minimum_image_lanes(positions[i].truncate(), Vec3Lanes { x, y, z });
        let [x, y, z, _] = L::gather(rounding_errors, neighbors);
        rounded + (Vec3Lanes::splat(rounding_errors[i].truncate()) - Vec3Lanes { x, y, z })
    }
}

/// Wall positions, which have no rounding errors.
#[derive(Clone, Copy)]
pub(crate) struct OfWalls<'a> {
    pub(super) fluid: OfFluid<'a>,
    pub(super) walls: &'a [Vec3],
}

impl Others for OfWalls<'_> {
    #[inline(always)]
    fn difference<L: Lanes>(self, i: usize, neighbors: Indices<'_>) -> Vec3Lanes<L> {
        let OfFluid { ctx, buffers: GatherBuffers { positions, vectors: rounding_errors } } = self.fluid;
        let walls = Vec3Lanes::gather(self.walls, neighbors);
        ctx.minimum_image_lanes(positions[i].truncate(), walls) + Vec3Lanes::splat(rounding_errors[i].truncate())
    }
}

impl<'a, O: Others, T: Component> RowMut<'a, O, T> {
    #[inline(always)]
    pub(super) fn new(i: usize, others: O, lists: ListRows<'a>, [x, y, z]: &'a mut [Vec<T>; 3], unit: f32) -> Self {
        let (place, blocks) = (lists.place(i), lists.blocks(i));
        let gradients = [x, y, z].map(|component| component[place..][..blocks.len() * WIDTH].as_chunks_mut().0);
        Self { i, others, blocks, gradients, unit }
    }

    /// Fills the row and returns its sums.
    #[inline(always)]
    pub fn weigh<L: Lanes, K: SmoothingKernel>(self, kernel: K, volumes: impl Numbers, lightness: impl Numbers) -> Weights {
        let Self { i, others, blocks, gradients: [x, y, z], unit } = self;
        let units = unit.recip();
        let (mut density, mut squares, mut sum) = (L::splat(0.0), L::splat(0.0), Vec3Lanes::zero());
        for (n, (block, left)) in blocks.enumerate() {
            let difference = others.difference::<L>(i, block);
            let (r, volume) = (difference.length_squared().sqrt(), volumes.at::<L>(block));
            let exact = difference * (volume * kernel.dw_over_r(r) * units);
            // Entries written behind the last pair are overwritten by the next row.
            let gradient =
                Vec3Lanes { x: T::store(exact.x, &mut x[n]), y: T::store(exact.y, &mut y[n]), z: T::store(exact.z, &mut z[n]) };
            density = density + (volume * kernel.w(r)).keep(left);
            squares = squares + (gradient.length_squared() * lightness.at::<L>(block)).keep(left);
            sum = sum + gradient.keep(left);
        }
        Weights { density: density.sum(), gradient: unit * sum.sum(), squares: unit * unit * squares.sum() }
    }
}

impl WallRowMut<'_> {
    /// Fills the row of a particle at `position` (m), and adds to a relative density and to a Σ V∇W (1/m) the parts of the
    /// solids: `Σ_b V_b W + λ` and `Σ_b V_b ∇W + ∇λ`.
    #[inline(always)]
    pub fn add_weights<L: Lanes, K: SmoothingKernel>(
        self,
        kernel: K,
        volumes: impl Numbers,
        position: Vec3,
        (density, gradient): (f32, Vec3),
    ) -> (f32, Vec3) {
        let (i, ctx) = (self.i, self.others.fluid.ctx);
        let walls = self.weigh::<L, K>(kernel, volumes, 1.0);
        let planes = ctx.wall_integral(position);
        let of_planes = planes.density + planes.gradient.dot(ctx.rounding_errors[i]);
        (density + walls.density + of_planes, gradient + walls.gradient + planes.gradient)
    }
}
