//! What the pairs have to do with each other, computed once a step and read in every iteration of the pressure.
//!
//! An iteration loads one float a pair in order, V W′/r, and gathers the neighbour's place beside its pressure: the gradient V∇W is the
//! one times the difference of places. Three floats a pair would save the places of the second sweep, but are three times the memory, and
//! memory is what sweeps wait for (docs/performance.md). Walls are few: their gradients are kept.

use crate::boundary::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::lanes::{self, Indices, Lanes, Vec3Lanes, WIDTH, Work};
use crate::memory::held;
use crate::neighbors::{Blocks, QUERIES_PER_CHUNK};
use crate::surroundings::Surroundings;
use crate::sweep;
use glam::{Vec3, Vec4};
use rayon::prelude::*;

/// V∇W of every particle's pairs with fluid and with walls, 1/m, row by row like the neighbour lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradients {
    /// Places, m, from the one in the middle of the list, so that none is rounded to more than the extent of the fluid makes it; and k.
    places: Vec<Vec4>,
    /// Positions, m, and what rounding took from them, m, as they are gathered.
    positions: Vec<Vec4>,
    remainders: Vec<Vec4>,
    chunks: Vec<Chunk>,
}

/// The rows of as many particles as a chunk of the neighbour lists has, and room for one block behind them.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// V W′/r, 1/m².
    fluid: Vec<f32>,
    /// V∇W, 1/m.
    walls: [Vec<f32>; 3],
}

/// A pass that computes the rows of every particle, and something else with them.
pub(crate) trait Fill: Sync {
    /// What else is computed.
    type Value: Copy + Default + Send;

    /// Particle i's rows and value. `#[inline(always)]`, as all that works with lanes ([`Work`]).
    fn value<L: Lanes>(&self, i: usize, fluid: FluidRowMut<'_>, walls: WallRowMut<'_>) -> Self::Value;
}

impl Gradients {
    /// Computes the rows of every particle at `positions` (m), and `out[i]` with them.
    pub fn fill<F: Fill>(
        &mut self,
        around: &Surroundings<'_>,
        positions: &[Vec3],
        walls: &BoundaryParticles,
        out: &mut Vec<F::Value>,
        pass: &F,
    ) {
        let count = positions.len();
        let middle = positions.get(count / 2).copied().unwrap_or_default();
        sweep::map(count, &mut self.places, |i| (positions[i] - middle + around.remainders[i]).extend(0.0));
        sweep::map(count, &mut self.positions, |i| positions[i].extend(0.0));
        sweep::map(count, &mut self.remainders, |i| around.remainders[i].extend(0.0));
        let Self { positions, remainders, chunks, .. } = self;
        let of_fluid = OfFluid { around, positions, remainders };
        let of_walls = OfWalls { fluid: of_fluid, walls: &walls.positions };
        out.resize(count, F::Value::default());
        chunks.resize_with(count.div_ceil(QUERIES_PER_CHUNK), Chunk::default);
        chunks.par_iter_mut().zip(out.par_chunks_mut(QUERIES_PER_CHUNK)).enumerate().for_each(|(number, (chunk, out))| {
            fit(&mut chunk.fluid, around.fluid.entries_of_chunk(number));
            chunk.walls.iter_mut().for_each(|component| fit(component, around.walls.entries_of_chunk(number)));
            lanes::widest(Portion { pass, of_walls, first: number * QUERIES_PER_CHUNK, chunk, out });
        });
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let of = |Chunk { fluid, walls }: &Chunk| held(fluid) + walls.iter().map(held).sum::<usize>();
        held(&self.places)
            + held(&self.positions)
            + held(&self.remainders)
            + held(&self.chunks)
            + self.chunks.iter().map(of).sum::<usize>()
    }

    /// Takes the k of all particles, m²/s², for [`FluidRow::weighted`].
    pub fn set_pressures(&mut self, k: &[f32]) {
        sweep::update(&mut self.places, |i, place| place.w = k[i]);
    }

    /// Particle i's pairs with the fluid.
    #[inline(always)]
    pub fn fluid<'a>(&'a self, around: &'a Surroundings<'a>, i: usize) -> FluidRow<'a> {
        let blocks = around.fluid.blocks(i);
        let slopes = &self.chunks[i / QUERIES_PER_CHUNK].fluid[blocks.place()..];
        FluidRow { around, places: &self.places, own: self.places[i], blocks, slopes }
    }

    /// Particle i's pairs with the walls; `None` without any, as most have it.
    #[inline(always)]
    pub fn walls<'a>(&'a self, around: &'a Surroundings<'a>, i: usize) -> Option<WallRow<'a>> {
        let blocks = around.walls.blocks(i);
        if blocks.is_empty() {
            return None;
        }
        let [x, y, z] = &self.chunks[i / QUERIES_PER_CHUNK].walls;
        let first = blocks.place();
        Some(WallRow { blocks, gradients: [&x[first..], &y[first..], &z[first..]] })
    }
}

/// Makes room for so many pairs, and a little more, so that steps that have a little more need no memory.
fn fit(values: &mut Vec<f32>, entries: usize) {
    if values.len() < entries + WIDTH {
        let length = entries + entries / 16 + WIDTH;
        values.reserve_exact(length - values.len());
        values.resize(length, 0.0);
    }
}

/// The rows of a chunk.
struct Portion<'a, F: Fill> {
    pass: &'a F,
    of_walls: OfWalls<'a>,
    first: usize,
    chunk: &'a mut Chunk,
    out: &'a mut [F::Value],
}

impl<F: Fill> Work for Portion<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { pass, of_walls, first, chunk: Chunk { fluid: slopes, walls: [x, y, z] }, out } = self;
        let around = of_walls.fluid.around;
        for (k, out) in out.iter_mut().enumerate() {
            let i = first + k;
            let (fluid, walls) = (around.fluid.blocks(i), around.walls.blocks(i));
            let (slopes, first) = (&mut slopes[fluid.place()..], walls.place());
            let gradients = [&mut x[first..], &mut y[first..], &mut z[first..]];
            let fluid = RowMut { i, blocks: fluid, others: of_walls.fluid, kept: slopes };
            *out = pass.value::<L>(i, fluid, RowMut { i, blocks: walls, others: of_walls, kept: gradients });
        }
    }
}

/// A number of each neighbour: of all of them, or the same of each.
pub(crate) trait Numbers: Copy {
    /// Of these neighbours.
    fn at<L: Lanes>(self, neighbors: Indices<'_>) -> L;
}

impl Numbers for &[f32] {
    #[inline(always)]
    fn at<L: Lanes>(self, neighbors: Indices<'_>) -> L {
        L::gather_numbers(self, neighbors)
    }
}

impl Numbers for f32 {
    #[inline(always)]
    fn at<L: Lanes>(self, _: Indices<'_>) -> L {
        L::splat(self)
    }
}

/// A vector of each neighbour: of all of them, or the same of each.
pub(crate) trait Vectors: Copy {
    /// Of these neighbours.
    fn at<L: Lanes>(self, neighbors: Indices<'_>) -> Vec3Lanes<L>;
}

impl Vectors for &[Vec3] {
    #[inline(always)]
    fn at<L: Lanes>(self, neighbors: Indices<'_>) -> Vec3Lanes<L> {
        Vec3Lanes::gather(self, neighbors)
    }
}

impl Vectors for Vec3 {
    #[inline(always)]
    fn at<L: Lanes>(self, _: Indices<'_>) -> Vec3Lanes<L> {
        Vec3Lanes::splat(self)
    }
}

/// What a particle has to do with its fluid neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FluidRow<'a> {
    around: &'a Surroundings<'a>,
    places: &'a [Vec4],
    own: Vec4,
    blocks: Blocks<'a>,
    slopes: &'a [f32],
}

impl FluidRow<'_> {
    /// `Σ_j (k_i + k_j) V∇W`, m/s².
    #[inline(always)]
    pub fn weighted<L: Lanes>(self) -> Vec3 {
        let Self { around, places, own, blocks, slopes } = self;
        let mut sum = Vec3Lanes::<L>::zero();
        for (n, (block, left)) in blocks.enumerate() {
            let [x, y, z, k] = L::gather(places, block);
            let x_ij = around.between_lanes(own.truncate(), Vec3Lanes { x, y, z });
            sum = sum + x_ij * (slope::<L>(slopes, n, left) * (k + own.w));
        }
        sum.sum()
    }

    /// `Σ_j (f_i − f_j)·V∇W` with f_i = `of`.
    #[inline(always)]
    pub fn difference<L: Lanes>(self, of: Vec3, field: &[Vec4]) -> f32 {
        let Self { around, places, own, blocks, slopes } = self;
        let (of, mut sum) = (Vec3Lanes::<L>::splat(of), L::splat(0.0));
        for (n, (block, left)) in blocks.enumerate() {
            let [x, y, z, _] = L::gather(places, block);
            let x_ij = around.between_lanes(own.truncate(), Vec3Lanes { x, y, z });
            let [x, y, z, _] = L::gather(field, block);
            sum = sum + (of - Vec3Lanes { x, y, z }).dot(x_ij) * slope::<L>(slopes, n, left);
        }
        sum.sum()
    }
}

/// V W′/r of the n-th block; 0 behind the last of the `left` pairs that are left.
#[inline(always)]
fn slope<L: Lanes>(slopes: &[f32], n: usize, left: usize) -> L {
    let slope: L = load(slopes, n);
    if left < WIDTH { slope.keep(left) } else { slope }
}

/// What a particle has to do with its boundary neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallRow<'a> {
    blocks: Blocks<'a>,
    gradients: [&'a [f32]; 3],
}

impl WallRow<'_> {
    /// `Σ_j (k_i + k_j) V∇W` with k_i = `own`.
    #[inline(always)]
    pub fn weighted<L: Lanes>(self, own: f32, k: impl Numbers) -> Vec3 {
        let mut sum = Vec3Lanes::<L>::zero();
        for (n, (block, left)) in self.blocks.enumerate() {
            sum = sum + self.gradient(n, left) * (k.at::<L>(block) + own);
        }
        sum.sum()
    }

    /// `Σ_j (f_i − f_j)·V∇W` with f_i = `own`.
    #[inline(always)]
    pub fn difference<L: Lanes>(self, own: Vec3, field: impl Vectors) -> f32 {
        let (own, mut sum) = (Vec3Lanes::<L>::splat(own), L::splat(0.0));
        for (n, (block, left)) in self.blocks.enumerate() {
            sum = sum + (own - field.at(block)).dot(self.gradient(n, left));
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

/// A row to be computed: where particle i's neighbours of one kind are, and where to keep what is found.
pub(crate) struct RowMut<'a, O, K> {
    i: usize,
    blocks: Blocks<'a>,
    others: O,
    kept: K,
}

/// Of pairs with fluid, whose slopes are kept.
pub(crate) type FluidRowMut<'a> = RowMut<'a, OfFluid<'a>, &'a mut [f32]>;

/// Of pairs with walls, whose gradients are kept.
pub(crate) type WallRowMut<'a> = RowMut<'a, OfWalls<'a>, [&'a mut [f32]; 3]>;

/// What is kept of pairs.
pub(crate) trait Kept {
    /// Takes the n-th block of `x_i − x_j`, m, and V W′/r, 1/m².
    fn put<L: Lanes>(&mut self, n: usize, slope: L, difference: Vec3Lanes<L>);
}

impl Kept for &mut [f32] {
    #[inline(always)]
    fn put<L: Lanes>(&mut self, n: usize, slope: L, _: Vec3Lanes<L>) {
        store(slope, self, n);
    }
}

impl Kept for [&mut [f32]; 3] {
    #[inline(always)]
    fn put<L: Lanes>(&mut self, n: usize, slope: L, difference: Vec3Lanes<L>) {
        let [x, y, z] = self;
        store(difference.x * slope, x, n);
        store(difference.y * slope, y, n);
        store(difference.z * slope, z, n);
    }
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

/// Where neighbours of one kind are.
pub(crate) trait Others: Copy {
    /// `x_i − x_j`, m.
    fn difference<L: Lanes>(self, i: usize, neighbors: Indices<'_>) -> Vec3Lanes<L>;
}

/// Fluid. What rounding took from the positions is as much as a density difference of 1e-5 far from the origin.
#[derive(Clone, Copy)]
pub(crate) struct OfFluid<'a> {
    around: &'a Surroundings<'a>,
    positions: &'a [Vec4],
    remainders: &'a [Vec4],
}

impl Others for OfFluid<'_> {
    #[inline(always)]
    fn difference<L: Lanes>(self, i: usize, neighbors: Indices<'_>) -> Vec3Lanes<L> {
        let Self { around, positions, remainders } = self;
        let [x, y, z, _] = L::gather(positions, neighbors);
        let rounded = around.between_lanes(positions[i].truncate(), Vec3Lanes { x, y, z });
        let [x, y, z, _] = L::gather(remainders, neighbors);
        rounded + (Vec3Lanes::splat(remainders[i].truncate()) - Vec3Lanes { x, y, z })
    }
}

/// Walls, whose positions are exact.
#[derive(Clone, Copy)]
pub(crate) struct OfWalls<'a> {
    fluid: OfFluid<'a>,
    walls: &'a [Vec3],
}

impl Others for OfWalls<'_> {
    #[inline(always)]
    fn difference<L: Lanes>(self, i: usize, neighbors: Indices<'_>) -> Vec3Lanes<L> {
        let OfFluid { around, positions, remainders } = self.fluid;
        let places = Vec3Lanes::gather(self.walls, neighbors);
        around.between_lanes(positions[i].truncate(), places) + Vec3Lanes::splat(remainders[i].truncate())
    }
}

impl<O: Others, T: Kept> RowMut<'_, O, T> {
    /// Computes the row.
    #[inline(always)]
    pub fn weigh<L: Lanes, K: SmoothingKernel>(mut self, kernel: K, volumes: impl Numbers) -> Weights {
        let (mut density, mut squares, mut sum) = (L::splat(0.0), L::splat(0.0), Vec3Lanes::zero());
        for (n, (block, left)) in self.blocks.enumerate() {
            let difference = self.others.difference::<L>(self.i, block);
            let (r, volume) = (difference.length_squared().sqrt(), volumes.at::<L>(block));
            let slope = volume * kernel.dw_over_r(r);
            let gradient = difference * slope;
            // What is written behind the last pair belongs to the next row, which is computed later.
            self.kept.put(n, slope, difference);
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
