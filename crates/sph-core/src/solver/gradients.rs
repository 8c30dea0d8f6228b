//! V∇W of every pair, computed once a step and read in every iteration of the pressure.
//!
//! An iteration then loads three floats a pair in order, and gathers one number or one vector of the neighbour: neither positions nor
//! kernel.

use crate::kernel::SmoothingKernel;
use crate::lanes::{self, Lanes, Vec3Lanes, WIDTH, Work};
use crate::memory::held;
use crate::neighbors::{Blocks, NeighborLists, QUERIES_PER_CHUNK};
use glam::{Vec3, Vec4};
use rayon::prelude::*;

/// V∇W of every particle's pairs with fluid and with walls, 1/m, row by row like the neighbour lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradients {
    chunks: Vec<Chunk>,
}

/// The rows of as many particles as a chunk of the neighbour lists has, and room for one block behind them.
#[derive(Clone, Debug, Default)]
struct Chunk {
    fluid: [Vec<f32>; 3],
    walls: [Vec<f32>; 3],
}

/// A pass that computes the rows of every particle, and something else with them.
pub(crate) trait Fill: Sync {
    /// What else is computed.
    type Value: Copy + Default + Send;

    /// Particle i's rows and value. `#[inline(always)]`, as all that works with lanes ([`Work`]).
    fn value<L: Lanes>(&self, i: usize, fluid: RowMut<'_>, walls: RowMut<'_>) -> Self::Value;
}

impl Gradients {
    /// Computes the rows of every particle, and `out[i]` with them.
    pub fn fill<F: Fill>(&mut self, (fluid, walls): (&NeighborLists, &NeighborLists), out: &mut Vec<F::Value>, pass: &F) {
        out.resize(fluid.len(), F::Value::default());
        self.chunks.resize_with(fluid.len().div_ceil(QUERIES_PER_CHUNK), Chunk::default);
        self.chunks.par_iter_mut().zip(out.par_chunks_mut(QUERIES_PER_CHUNK)).enumerate().for_each(|(number, (chunk, out))| {
            fit(&mut chunk.fluid, fluid.entries_of_chunk(number));
            fit(&mut chunk.walls, walls.entries_of_chunk(number));
            lanes::widest(Portion { pass, fluid, walls, first: number * QUERIES_PER_CHUNK, chunk, out });
        });
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let of = |Chunk { fluid, walls }: &Chunk| fluid.iter().chain(walls).map(held).sum::<usize>();
        held(&self.chunks) + self.chunks.iter().map(of).sum::<usize>()
    }

    /// Particle i's pairs with the fluid.
    #[inline(always)]
    pub fn fluid<'a>(&'a self, lists: &'a NeighborLists, i: usize) -> Row<'a> {
        Row::of(lists, i, &self.chunks[i / QUERIES_PER_CHUNK].fluid)
    }

    /// Particle i's pairs with the walls.
    #[inline(always)]
    pub fn walls<'a>(&'a self, lists: &'a NeighborLists, i: usize) -> Row<'a> {
        Row::of(lists, i, &self.chunks[i / QUERIES_PER_CHUNK].walls)
    }
}

/// Makes room for so many pairs, and a little more, so that steps that have a little more need no memory.
fn fit(gradients: &mut [Vec<f32>; 3], entries: usize) {
    for component in gradients {
        if component.len() < entries + WIDTH {
            let length = entries + entries / 16 + WIDTH;
            component.reserve_exact(length - component.len());
            component.resize(length, 0.0);
        }
    }
}

/// The rows of a chunk.
struct Portion<'a, F: Fill> {
    pass: &'a F,
    fluid: &'a NeighborLists,
    walls: &'a NeighborLists,
    first: usize,
    chunk: &'a mut Chunk,
    out: &'a mut [F::Value],
}

impl<F: Fill> Work for Portion<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { pass, fluid, walls, first, chunk, out } = self;
        for (k, out) in out.iter_mut().enumerate() {
            let i = first + k;
            let (fluid, walls) = (RowMut::of(fluid, i, &mut chunk.fluid), RowMut::of(walls, i, &mut chunk.walls));
            *out = pass.value::<L>(i, fluid, walls);
        }
    }
}

/// A number of each neighbour: of all of them, or the same of each.
pub(crate) trait Numbers: Copy {
    /// Of these neighbours.
    fn at<L: Lanes>(self, neighbors: &[u32; WIDTH]) -> L;
}

impl Numbers for &[f32] {
    #[inline(always)]
    fn at<L: Lanes>(self, neighbors: &[u32; WIDTH]) -> L {
        L::gather_numbers(self, neighbors)
    }
}

impl Numbers for f32 {
    #[inline(always)]
    fn at<L: Lanes>(self, _: &[u32; WIDTH]) -> L {
        L::splat(self)
    }
}

/// A vector of each neighbour: of all of them, or the same of each.
pub(crate) trait Vectors: Copy {
    /// Of these neighbours.
    fn at<L: Lanes>(self, neighbors: &[u32; WIDTH]) -> Vec3Lanes<L>;
}

impl Vectors for &[Vec4] {
    #[inline(always)]
    fn at<L: Lanes>(self, neighbors: &[u32; WIDTH]) -> Vec3Lanes<L> {
        let [x, y, z, _] = L::gather(self, neighbors);
        Vec3Lanes { x, y, z }
    }
}

impl Vectors for &[Vec3] {
    #[inline(always)]
    fn at<L: Lanes>(self, neighbors: &[u32; WIDTH]) -> Vec3Lanes<L> {
        Vec3Lanes::gather(self, neighbors)
    }
}

impl Vectors for Vec3 {
    #[inline(always)]
    fn at<L: Lanes>(self, _: &[u32; WIDTH]) -> Vec3Lanes<L> {
        Vec3Lanes::splat(self)
    }
}

/// What a particle has to do with its neighbours of one kind: their indices, and V∇W of each, from the first of them on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    blocks: Blocks<'a>,
    gradients: [&'a [f32]; 3],
}

impl<'a> Row<'a> {
    #[inline(always)]
    fn of(lists: &'a NeighborLists, i: usize, [x, y, z]: &'a [Vec<f32>; 3]) -> Self {
        let blocks = lists.blocks(i);
        let first = blocks.place();
        Self { blocks, gradients: [&x[first..], &y[first..], &z[first..]] }
    }

    /// `Σ_j (k_i + k_j) V∇W` with k_i = `own`.
    #[inline(always)]
    pub fn weighted<L: Lanes>(self, own: f32, k: impl Numbers) -> Vec3 {
        let mut sum = Vec3Lanes::<L>::zero();
        for (n, (block, left)) in self.blocks.enumerate() {
            sum = sum + self.gradient(n, left) * (k.at::<L>(&block) + own);
        }
        sum.sum()
    }

    /// `Σ_j (f_i − f_j)·V∇W` with f_i = `own`.
    #[inline(always)]
    pub fn difference<L: Lanes>(self, own: Vec3, field: impl Vectors) -> f32 {
        let (own, mut sum) = (Vec3Lanes::<L>::splat(own), L::splat(0.0));
        for (n, (block, left)) in self.blocks.enumerate() {
            sum = sum + (own - field.at(&block)).dot(self.gradient(n, left));
        }
        sum.sum()
    }

    /// V∇W of the n-th block; zero behind the last of the `left` pairs that are left.
    #[inline(always)]
    fn gradient<L: Lanes>(&self, n: usize, left: usize) -> Vec3Lanes<L> {
        let [x, y, z] = self.gradients;
        let gradient = Vec3Lanes { x: load(x, n), y: load(y, n), z: load(z, n) };
        if left < WIDTH { gradient.keep(left) } else { gradient }
    }
}

/// The n-th block of `values`; there is room for one behind the last pair.
#[inline(always)]
fn load<L: Lanes>(values: &[f32], n: usize) -> L {
    L::from_array(*values[n * WIDTH..].first_chunk().expect("room for a block"))
}

/// A row to be computed.
pub(crate) struct RowMut<'a> {
    blocks: Blocks<'a>,
    gradients: [&'a mut [f32]; 3],
}

/// What a particle's neighbours of one kind add up to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// Σ V W.
    pub density: f32,
    /// Σ V∇W, 1/m.
    pub gradient: Vec3,
    /// Σ |V∇W|², 1/m².
    pub squares: f32,
}

/// Where a particle's neighbours of one kind are.
pub(crate) trait Others: Copy {
    /// `x_i − x_j`, m.
    fn difference<L: Lanes>(self, i: usize, neighbors: &[u32; WIDTH]) -> Vec3Lanes<L>;
}

impl<'a> RowMut<'a> {
    #[inline(always)]
    fn of(lists: &'a NeighborLists, i: usize, [x, y, z]: &'a mut [Vec<f32>; 3]) -> Self {
        let blocks = lists.blocks(i);
        let first = blocks.place();
        Self { blocks, gradients: [&mut x[first..], &mut y[first..], &mut z[first..]] }
    }

    /// Computes particle i's row.
    #[inline(always)]
    pub fn weigh<L: Lanes, K: SmoothingKernel>(
        self,
        kernel: K,
        i: usize,
        others: impl Others,
        volumes: impl Numbers,
    ) -> Weights {
        let [x, y, z] = self.gradients;
        let (mut density, mut squares, mut sum) = (L::splat(0.0), L::splat(0.0), Vec3Lanes::zero());
        for (n, (block, left)) in self.blocks.enumerate() {
            let difference = others.difference::<L>(i, &block);
            let (r, volume) = (difference.length_squared().sqrt(), volumes.at::<L>(&block));
            let gradient = difference * (volume * kernel.dw_over_r(r));
            // What is written behind the last pair belongs to the next row, which is computed later.
            store(gradient.x, x, n);
            store(gradient.y, y, n);
            store(gradient.z, z, n);
            density = density + (volume * kernel.w(r)).keep(left);
            squares = squares + gradient.length_squared().keep(left);
            sum = sum + gradient.keep(left);
        }
        Weights { density: density.sum(), gradient: sum.sum(), squares: squares.sum() }
    }
}

/// The opposite of [`load`].
#[inline(always)]
fn store<L: Lanes>(lanes: L, values: &mut [f32], n: usize) {
    *values[n * WIDTH..].first_chunk_mut().expect("room for a block") = lanes.to_array();
}
