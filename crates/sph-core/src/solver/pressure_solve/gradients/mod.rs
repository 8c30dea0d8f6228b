//! Cached V∇W of each pair, computed once a step and read in every iteration of the pressure.
//!
//! With V∇W cached, an iteration gathers from a neighbour only the value that it multiplies. For pairs of fluid particles a
//! component is a whole number of 16 bits, half the size of a float. All share one unit, 1/32,000 of the largest possible
//! gradient, so that the two gradients of a pair are opposite to the last bit (docs/adr/0013). Pairs with walls are few and the
//! walls' volumes differ: their gradients are floats.

mod component;
mod row_mut;
mod rows;
mod solids;

pub(crate) use row_mut::{FluidRowMut, WallRowMut};
pub(crate) use solids::BothRows;

use crate::boundary::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::passes::{GatherBuffers, QUERIES_PER_CHUNK, Source, StepContext};
use crate::report::held;
use crate::simd::{self, Lanes, WIDTH, Work};
use glam::Vec3;
use rayon::prelude::*;
use row_mut::{OfFluid, OfWalls, RowMut};
use rows::Rows;
use solids::SolidRows;

/// Largest possible gradient, in units: a little below the range of 16 bits.
const LARGEST: f32 = 32_000.0;

/// Number of distances at which the slope of a kernel is sampled for its maximum.
const SAMPLES: u16 = 200;

/// V∇W of all pairs of fluid with fluid and with walls, in rows per particle like the neighbour lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradients {
    /// Unit of the gradients between fluid particles, 1/m.
    unit: f32,
    chunks: Vec<Chunk>,
}

/// Rows of the particles of one chunk of the neighbour lists, and room for one block behind them.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// Components of the gradients between fluid particles, in units.
    fluid: [Vec<i16>; 3],
    /// Components of the gradients with walls, 1/m.
    walls: [Vec<f32>; 3],
}

/// Pass that fills the rows of every particle, and computes a value per particle on the way.
pub(crate) trait Fill: Sync {
    /// Value per particle.
    type Value: Copy + Default + Send;

    /// Fills the rows of particle i and returns its value. `#[inline(always)]`, like all code on lanes ([`Work`]).
    fn value<L: Lanes>(&self, i: usize, fluid: FluidRowMut<'_>, walls: WallRowMut<'_>) -> Self::Value;
}

impl Gradients {
    /// Fills the rows of every particle at `positions` (m), and `out[i]` with the values of `pass`. `buffers` is workspace.
    pub fn fill<K: SmoothingKernel, F: Fill>(
        &mut self,
        (kernel, ctx): (K, &StepContext<'_>),
        positions: &[Vec3],
        walls: &BoundaryParticles,
        buffers: &mut GatherBuffers,
        (out, pass): (&mut Vec<F::Value>, &F),
    ) {
        let count = positions.len();
        self.unit = ctx.rest_volume() * steepest(kernel, ctx.discretization.support_radius) / LARGEST;
        buffers.fill((positions, |_| 0.0), (ctx.rounding_errors, |_| 0.0));
        let of_fluid = OfFluid { ctx, buffers };
        let of_walls = OfWalls { fluid: of_fluid, walls: &walls.positions };
        let Self { unit, chunks } = self;
        out.resize(count, F::Value::default());
        chunks.resize_with(count.div_ceil(QUERIES_PER_CHUNK), Chunk::default);
        chunks.par_iter_mut().zip(out.par_chunks_mut(QUERIES_PER_CHUNK)).enumerate().for_each(|(number, (chunk, out))| {
            chunk.fluid.iter_mut().for_each(|component| fit(component, ctx.fluid.entries_of_chunk(number)));
            chunk.walls.iter_mut().for_each(|component| fit(component, ctx.walls.entries_of_chunk(number)));
            simd::widest(Portion { pass, of_walls, unit: *unit, first: number * QUERIES_PER_CHUNK, chunk, out });
        });
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let of = |Chunk { fluid, walls }: &Chunk| fluid.iter().map(held).sum::<usize>() + walls.iter().map(held).sum::<usize>();
        held(&self.chunks) + self.chunks.iter().map(of).sum::<usize>()
    }
}

/// Cached gradients with the neighbour lists that index them.
#[derive(Clone, Copy)]
pub(crate) struct Pairs<'p> {
    pub ctx: &'p StepContext<'p>,
    pub gradients: &'p Gradients,
}

impl Source for Pairs<'_> {
    type Rows<'a>
        = BothRows<'a>
    where
        Self: 'a;

    #[inline(always)]
    fn rows(&self, first: usize) -> BothRows<'_> {
        let Self { ctx, gradients: Gradients { unit, chunks } } = *self;
        let Chunk { fluid, walls } = &chunks[first / QUERIES_PER_CHUNK];
        BothRows {
            fluid: Rows { lists: ctx.fluid.rows(first), gradients: fluid, unit: *unit },
            solids: SolidRows {
                walls: Rows { lists: ctx.walls.rows(first), gradients: walls, unit: 1.0 },
                planes: ctx.wall_integrals,
            },
        }
    }
}

/// Largest |W′| of a kernel of support radius `radius` (m), over the sampled distances.
fn steepest<K: SmoothingKernel>(kernel: K, radius: f32) -> f32 {
    let distances = (1..=SAMPLES).map(|n| radius * f32::from(n) / f32::from(SAMPLES));
    distances.map(|r| r * kernel.dw_over_r(r).abs()).fold(0.0, f32::max)
}

/// Resizes `values` for `entries` pairs, with 1/16 to spare, so that a step with a few more pairs does not allocate.
fn fit<T: Copy + Default>(values: &mut Vec<T>, entries: usize) {
    if values.len() < entries + WIDTH {
        let length = entries + entries / 16 + WIDTH;
        values.reserve_exact(length - values.len());
        values.resize(length, T::default());
    }
}

/// Task that fills the rows of one chunk.
struct Portion<'a, F: Fill> {
    pass: &'a F,
    of_walls: OfWalls<'a>,
    unit: f32,
    first: usize,
    chunk: &'a mut Chunk,
    out: &'a mut [F::Value],
}

impl<F: Fill> Work for Portion<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { pass, of_walls, unit, first, chunk, out } = self;
        let StepContext { fluid, walls, .. } = of_walls.fluid.ctx;
        let (fluid_lists, wall_lists) = (fluid.rows(first), walls.rows(first));
        for (k, out) in out.iter_mut().enumerate() {
            let i = first + k;
            let fluid = RowMut::new(i, of_walls.fluid, fluid_lists, &mut chunk.fluid, unit);
            let walls = RowMut::new(i, of_walls, wall_lists, &mut chunk.walls, 1.0);
            *out = pass.value::<L>(i, fluid, walls);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Kernel;
    use crate::parameters::{Dimensions, KernelKind};

    #[test]
    fn the_largest_gradient_fits_with_every_kernel() {
        let most = f32::from(i16::MAX) / LARGEST;
        for kind in KernelKind::ALL {
            for dimensions in [Dimensions::Two, Dimensions::Three] {
                let kernel = Kernel::new(kind, dimensions, 0.3);
                let steepest = steepest(kernel, 0.3);
                let largest =
                    (0..100_000u32).map(|n| n as f32 * 3e-6).map(|r| r * kernel.dw_over_r(r).abs()).fold(0.0, f32::max);
                assert!(
                    largest < most * steepest && largest > 0.99 * steepest,
                    "{kind:?} {dimensions:?}: {largest}, {steepest}"
                );
            }
        }
    }
}
