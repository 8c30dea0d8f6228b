//! V∇W of every pair, computed once a step and read in every iteration of the pressure.
//!
//! An iteration then loads three floats a pair in order, and gathers one number or one vector of the neighbour: neither positions nor
//! kernel. Sums are taken in eight lanes that are added in a fixed order, so they are the same to the bit whatever instructions the
//! processor has.

use crate::kernel::SmoothingKernel;
use crate::neighbors::{NeighborLists, QUERIES_PER_CHUNK};
use glam::Vec3;
use rayon::prelude::*;

/// Partial sums of one row.
const LANES: usize = 8;

/// One number a lane.
type Lanes = [f32; LANES];

/// V∇W of every particle's pairs with fluid and with walls, 1/m, row by row like the neighbour lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradients {
    chunks: Vec<Chunk>,
}

/// The rows of as many particles as a chunk of the neighbour lists has.
#[derive(Clone, Debug, Default)]
struct Chunk {
    fluid: [Vec<f32>; 3],
    walls: [Vec<f32>; 3],
}

/// What a particle has to do with its neighbours of one kind: their indices, and V∇W of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    pub neighbors: &'a [u32],
    pub gradients: [&'a [f32]; 3],
}

/// The same, to be computed.
pub(crate) struct RowMut<'a> {
    pub neighbors: &'a [u32],
    pub gradients: [&'a mut [f32]; 3],
}

impl Gradients {
    /// Computes the rows of every particle, and `out[i]` with them: `compute(i, fluid, walls)`.
    pub fn fill<T: Copy + Default + Send>(
        &mut self,
        (fluid, walls): (&NeighborLists, &NeighborLists),
        out: &mut Vec<T>,
        compute: impl Fn(usize, RowMut<'_>, RowMut<'_>) -> T + Sync,
    ) {
        out.resize(fluid.len(), T::default());
        self.chunks.resize_with(fluid.len().div_ceil(QUERIES_PER_CHUNK), Chunk::default);
        self.chunks.par_iter_mut().zip(out.par_chunks_mut(QUERIES_PER_CHUNK)).enumerate().for_each(|(number, (chunk, out))| {
            fit(&mut chunk.fluid, fluid.entries_of_chunk(number));
            fit(&mut chunk.walls, walls.entries_of_chunk(number));
            for (k, out) in out.iter_mut().enumerate() {
                let i = number * QUERIES_PER_CHUNK + k;
                let fluid = RowMut::of(fluid, i, &mut chunk.fluid);
                let walls = RowMut::of(walls, i, &mut chunk.walls);
                *out = compute(i, fluid, walls);
            }
        });
    }

    /// Particle i's pairs with the fluid.
    #[inline]
    pub fn fluid<'a>(&'a self, lists: &'a NeighborLists, i: usize) -> Row<'a> {
        Row::of(lists, i, &self.chunks[i / QUERIES_PER_CHUNK].fluid)
    }

    /// Particle i's pairs with the walls.
    #[inline]
    pub fn walls<'a>(&'a self, lists: &'a NeighborLists, i: usize) -> Row<'a> {
        Row::of(lists, i, &self.chunks[i / QUERIES_PER_CHUNK].walls)
    }
}

/// Makes room for so many pairs, and a little more, so that steps that have a little more need no memory.
fn fit(gradients: &mut [Vec<f32>; 3], entries: usize) {
    for component in gradients {
        if component.len() < entries {
            let length = entries + entries / 16;
            component.reserve_exact(length - component.len());
            component.resize(length, 0.0);
        }
    }
}

impl<'a> Row<'a> {
    #[inline]
    fn of(lists: &'a NeighborLists, i: usize, [x, y, z]: &'a [Vec<f32>; 3]) -> Self {
        let (neighbors, range) = lists.row(i);
        Self { neighbors, gradients: [&x[range.clone()], &y[range.clone()], &z[range]] }
    }

    /// `Σ_j (k_i + k_j) V∇W` with k_i = `own`.
    #[inline(always)]
    pub fn weighted(self, own: f32, k: impl Fn(usize) -> f32) -> Vec3 {
        let mut sums = [[0.0; LANES]; 3];
        self.for_each_block(|neighbors, gradients| {
            let both = neighbors.map(|j| own + k(j as usize));
            for (sums, gradients) in sums.iter_mut().zip(gradients) {
                for lane in 0..LANES {
                    sums[lane] += both[lane] * gradients[lane];
                }
            }
        });
        Vec3::from_array(sums.map(add))
    }

    /// `Σ_j (f_i − f_j)·V∇W` with f_i = `own`.
    #[inline(always)]
    pub fn difference(self, own: Vec3, field: impl Fn(usize) -> Vec3) -> f32 {
        let mut sums = [0.0; LANES];
        self.for_each_block(|neighbors, [x, y, z]| {
            let differences = neighbors.map(|j| own - field(j as usize));
            for lane in 0..LANES {
                let difference = differences[lane];
                sums[lane] += difference.x * x[lane] + difference.y * y[lane] + difference.z * z[lane];
            }
        });
        add(sums)
    }

    /// Calls `block` with eight neighbours at a time; the last eight are filled up with the first neighbour and gradients of zero.
    #[inline(always)]
    fn for_each_block(self, mut block: impl FnMut([u32; LANES], [&Lanes; 3])) {
        let Self { neighbors, gradients: [x, y, z] } = self;
        let (blocks, rest) = neighbors.as_chunks::<LANES>();
        let ((xs, x_rest), (ys, y_rest), (zs, z_rest)) = (x.as_chunks(), y.as_chunks(), z.as_chunks());
        for (((neighbors, x), y), z) in blocks.iter().zip(xs).zip(ys).zip(zs) {
            block(*neighbors, [x, y, z]);
        }
        if let Some(&first) = rest.first() {
            let mut neighbors = [first; LANES];
            neighbors[..rest.len()].copy_from_slice(rest);
            let filled = |rest: &[f32]| {
                let mut lanes = [0.0; LANES];
                lanes[..rest.len()].copy_from_slice(rest);
                lanes
            };
            block(neighbors, [&filled(x_rest), &filled(y_rest), &filled(z_rest)]);
        }
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

/// Pairs whose kernels are computed in one loop: a multiple of the lanes.
const STRIP: usize = 8 * LANES;

impl<'a> RowMut<'a> {
    fn of(lists: &'a NeighborLists, i: usize, [x, y, z]: &'a mut [Vec<f32>; 3]) -> Self {
        let (neighbors, range) = lists.row(i);
        Self { neighbors, gradients: [&mut x[range.clone()], &mut y[range.clone()], &mut z[range]] }
    }

    /// Puts `x_i − x_j`, m, where the gradients will be.
    pub fn put(&mut self, difference: impl Fn(usize) -> Vec3) {
        let [x, y, z] = &mut self.gradients;
        for ((&j, (x, y)), z) in self.neighbors.iter().zip(x.iter_mut().zip(y.iter_mut())).zip(z.iter_mut()) {
            (*x, *y, *z) = difference(j as usize).into();
        }
    }

    /// Turns the differences into gradients, with V = `volume(j)`.
    #[inline(always)]
    pub fn weigh<K: SmoothingKernel>(self, kernel: K, volume: impl Fn(usize) -> f32) -> Weights {
        let [x, y, z] = self.gradients;
        let (mut density, mut squares, mut gradient) = ([0.0; LANES], [0.0; LANES], [[0.0; LANES]; 3]);
        let strips = x.chunks_mut(STRIP).zip(y.chunks_mut(STRIP)).zip(z.chunks_mut(STRIP));
        for (((x, y), z), neighbors) in strips.zip(self.neighbors.chunks(STRIP)) {
            let (mut weights, mut lengths) = ([0.0; STRIP], [0.0; STRIP]);
            let pairs = x.iter_mut().zip(y.iter_mut()).zip(z.iter_mut()).zip(neighbors);
            for ((((x, y), z), &j), (weight, squared)) in pairs.zip(weights.iter_mut().zip(&mut lengths)) {
                let r = (*x * *x + *y * *y + *z * *z).sqrt();
                let volume = volume(j as usize);
                let scale = volume * kernel.dw_over_r(r);
                (*x, *y, *z) = (scale * *x, scale * *y, scale * *z);
                *weight = volume * kernel.w(r);
                *squared = *x * *x + *y * *y + *z * *z;
            }
            accumulate(&mut density, &weights[..x.len()]);
            accumulate(&mut squares, &lengths[..x.len()]);
            for (sums, values) in gradient.iter_mut().zip([&*x, &*y, &*z]) {
                accumulate(sums, values);
            }
        }
        Weights { density: add(density), gradient: Vec3::from_array(gradient.map(add)), squares: add(squares) }
    }
}

/// Adds each value to its lane.
#[inline(always)]
fn accumulate(sums: &mut Lanes, values: &[f32]) {
    let (blocks, rest) = values.as_chunks::<LANES>();
    for block in blocks {
        for lane in 0..LANES {
            sums[lane] += block[lane];
        }
    }
    for (sum, value) in sums.iter_mut().zip(rest) {
        *sum += value;
    }
}

/// The sum of the lanes, always in the same order.
#[inline(always)]
fn add(lanes: Lanes) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
