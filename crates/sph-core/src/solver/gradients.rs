//! Cached V∇W of each pair, computed once a step and read in every iteration of the pressure, or every acoustic step of WCSPH.
//!
//! With V∇W cached, an iteration gathers from a neighbour only the value that it multiplies. For pairs of fluid particles a
//! component is a whole number of 16 bits, half the size of a float. All share one unit, 1/32,000 of the largest possible
//! gradient, so that the two gradients of a pair are opposite to the last bit (docs/adr/0013). The lanes hold four pairs at a time,
//! side by side: what is gathered need not be transposed, and few lanes of a row stay empty (docs/adr/0040). The fourth lane of a
//! pair holds the weight of its density diffusion, for WCSPH. Pairs with walls are few and the walls' volumes differ: their gradients
//! are floats, in blocks of sixteen pairs.

use crate::boundary::{BoundaryParticles, PlanePressures, WallIntegral};
use crate::kernel::SmoothingKernel;
use crate::neighbors::{Blocks, ListRows};
use crate::passes::{QUERIES_PER_CHUNK, Source, StepContext};
use crate::report::held;
use crate::simd::{self, Indices, Lanes, Prefetch, RECORDS, Vec3Lanes, WIDTH, Work};
use glam::{Vec3, Vec4};
use rayon::prelude::*;

/// Largest possible gradient, in units: a little below the range of 16 bits.
const LARGEST: f32 = 32_000.0;

/// Number of blocks of four pairs by which memory is fetched ahead: about a dozen particles.
const BLOCKS_AHEAD: usize = 96;

/// Number of distances at which the slope of a kernel is sampled for its maximum.
const SAMPLES: u16 = 200;

/// V∇W of all pairs of fluid with fluid and with walls, in rows per particle like the neighbour lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradients {
    /// Units of the pairs of fluid particles.
    units: Units,
    chunks: Vec<Chunk>,
}

/// Rows of the particles of one chunk of the neighbour lists, and room for one block behind them.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// Pairs of fluid particles, in units: x, y and z of the gradient and the weight of one pair after the other.
    fluid: Vec<i16>,
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
    /// Fills the rows of every particle, and `out[i]` with the values of `pass`. `positions` are positions (m), w is unused;
    /// `rounding_errors` as many of their rounding errors, or none.
    pub fn fill<K: SmoothingKernel, F: Fill>(
        &mut self,
        (kernel, ctx): (K, &StepContext<'_>),
        (positions, rounding_errors): (&[Vec4], &[Vec4]),
        walls: &BoundaryParticles,
        (out, pass): (&mut Vec<F::Value>, &F),
    ) {
        let count = positions.len();
        self.units = Units::of(kernel, ctx);
        let of_fluid = OfFluid { ctx, positions, rounding_errors };
        let of_walls = OfWalls { fluid: of_fluid, walls: &walls.positions };
        let Self { units, chunks } = self;
        out.resize(count, F::Value::default());
        chunks.resize_with(count.div_ceil(QUERIES_PER_CHUNK), Chunk::default);
        chunks.par_iter_mut().zip(out.par_chunks_mut(QUERIES_PER_CHUNK)).enumerate().for_each(|(number, (chunk, out))| {
            fit(&mut chunk.fluid, 4, ctx.fluid.entries_of_chunk(number));
            chunk.walls.iter_mut().for_each(|component| fit(component, 1, ctx.walls.entries_of_chunk(number)));
            simd::widest(Portion { pass, of_walls, units: *units, first: number * QUERIES_PER_CHUNK, chunk, out });
        });
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let of = |Chunk { fluid, walls }: &Chunk| held(fluid) + walls.iter().map(held).sum::<usize>();
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
        let Self { ctx, gradients: Gradients { units, chunks } } = *self;
        let Chunk { fluid, walls } = &chunks[first / QUERIES_PER_CHUNK];
        BothRows {
            fluid: FluidRows {
                lists: ctx.fluid.rows(first),
                pairs: fluid,
                units: *units,
                prefetch: Prefetch::best_for_one_use(),
            },
            solids: SolidRows {
                walls: WallRows { lists: ctx.walls.rows(first), gradients: walls },
                planes: ctx.wall_integrals,
            },
        }
    }
}

/// Units of the whole numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Units {
    /// Unit of the gradients V∇W, 1/m.
    pub gradient: f32,
    /// Unit of the weights −V W′/r r²/(r² + η²), 1/m².
    pub weight: f32,
}

impl Units {
    fn of<K: SmoothingKernel>(kernel: K, ctx: &StepContext<'_>) -> Self {
        let (radius, volume) = (ctx.discretization.support_radius, ctx.rest_volume());
        let [steepest, heaviest] = largest_of_a_pair(kernel, radius, ctx.eta_squared());
        Self { gradient: volume * steepest / LARGEST, weight: volume * heaviest / LARGEST }
    }
}

/// Largest |W′| and |W′|/r r²/(r² + η²) of a kernel of support radius `radius` (m), over the sampled distances.
fn largest_of_a_pair<K: SmoothingKernel>(kernel: K, radius: f32, eta_squared: f32) -> [f32; 2] {
    let distances = (1..=SAMPLES).map(|n| radius * f32::from(n) / f32::from(SAMPLES));
    distances.fold([0.0, 0.0], |[steepest, heaviest]: [f32; 2], r| {
        let dw = kernel.dw_over_r(r).abs();
        [steepest.max(r * dw), heaviest.max(dw * r * r / (r * r + eta_squared))]
    })
}

/// Resizes `values` for `entries` pairs of `each` values, with 1/16 to spare, so that a step with a few more pairs does not
/// allocate.
fn fit<T: Copy + Default>(values: &mut Vec<T>, each: usize, entries: usize) {
    if values.len() < each * (entries + WIDTH) {
        let length = each * (entries + entries / 16 + WIDTH);
        values.reserve_exact(length - values.len());
        values.resize(length, T::default());
    }
}

/// Task that fills the rows of one chunk.
struct Portion<'a, F: Fill> {
    pass: &'a F,
    of_walls: OfWalls<'a>,
    units: Units,
    first: usize,
    chunk: &'a mut Chunk,
    out: &'a mut [F::Value],
}

impl<F: Fill> Work for Portion<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { pass, of_walls, units, first, chunk, out } = self;
        let StepContext { fluid, walls, .. } = of_walls.fluid.ctx;
        let (fluid_lists, wall_lists) = (fluid.rows(first), walls.rows(first));
        for (k, out) in out.iter_mut().enumerate() {
            let i = first + k;
            let Chunk { fluid, walls: [x, y, z] } = &mut *chunk;
            let (place, blocks) = (fluid_lists.place(i), fluid_lists.blocks(i));
            let storage = fluid[4 * place..][..4 * WIDTH * blocks.len()].as_chunks_mut().0;
            let fluid = RowMut { i, others: of_walls.fluid, blocks, storage, units };
            let (place, blocks) = (wall_lists.place(i), wall_lists.blocks(i));
            let end = place + WIDTH * blocks.len();
            let [x, y, z] = [&mut x[place..end], &mut y[place..end], &mut z[place..end]];
            let storage = [x.as_chunks_mut().0, y.as_chunks_mut().0, z.as_chunks_mut().0];
            let walls = RowMut { i, others: of_walls, blocks, storage, units: Units { gradient: 1.0, weight: 1.0 } };
            *out = pass.value::<L>(i, fluid, walls);
        }
    }
}

// Whole numbers of 16 bits.

/// 1.5 × 2²³: added to a float, it leaves the nearest whole number in the low bits, ties to even.
const ROUNDING_SHIFT: f32 = 12_582_912.0;

/// Stores gradients and weights, in units, and returns them as [`Lanes::from_whole`] will, except NaN: whole numbers store 0 for it.
/// A particle whose position is NaN is refused by its position, whatever its neighbours read.
#[inline(always)]
fn store<L: Lanes>(gradients: Vec3Lanes<L>, weights: L, records: &mut [i16; 4 * WIDTH]) -> (Vec3Lanes<L>, L) {
    let (x, y, z) = (gradients.x + ROUNDING_SHIFT, gradients.y + ROUNDING_SHIFT, gradients.z + ROUNDING_SHIFT);
    let w = weights + ROUNDING_SHIFT;
    let (of_x, of_y, of_z, of_w) = (x.to_array(), y.to_array(), z.to_array(), w.to_array());
    let fits = |whole: f32| whole.is_nan() || (whole - ROUNDING_SHIFT).abs() <= f32::from(i16::MAX);
    debug_assert!(of_x.into_iter().chain(of_y).chain(of_z).chain(of_w).all(fits), "{:?}", (of_x, of_y, of_z, of_w));
    // Records as numbers of 64 bits first: the compiler has vector instructions for these.
    let mut packed = [0u64; WIDTH];
    let low = |whole: f32| u64::from(whole.to_bits() as u16);
    for (k, packed) in packed.iter_mut().enumerate() {
        *packed = low(of_x[k]) | low(of_y[k]) << 16 | low(of_z[k]) << 32 | low(of_w[k]) << 48;
    }
    for (record, packed) in records.as_chunks_mut().0.iter_mut().zip(packed) {
        *record = [0, 16, 32, 48].map(|shift| (packed >> shift) as i16);
    }
    (Vec3Lanes { x: x - ROUNDING_SHIFT, y: y - ROUNDING_SHIFT, z: z - ROUNDING_SHIFT }, w - ROUNDING_SHIFT)
}

// Cached gradients as the iterations read them.

/// Number per neighbour: a slice, or one constant.
pub(crate) trait Numbers: Copy {
    /// Values of these neighbours.
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

/// Vector per neighbour: a slice, or one constant.
pub(crate) trait Vectors: Copy {
    /// Values of these neighbours.
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

/// Rows of the particles of one chunk, with fluid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FluidRows<'a> {
    lists: ListRows<'a>,
    pairs: &'a [i16],
    units: Units,
    prefetch: Prefetch,
}

impl<'a> FluidRows<'a> {
    /// Row of particle i, which must be in this chunk.
    #[inline(always)]
    pub fn of(self, i: usize) -> FluidRow<'a> {
        let Self { lists, pairs, units, prefetch } = self;
        let (place, blocks) = (lists.place(i), lists.blocks(i));
        FluidRow { blocks, pairs: pairs[4 * place..][..WIDTH * blocks.len()].as_chunks().0, units, prefetch }
    }
}

/// Fluid neighbours of a particle with their gradients and weights, in blocks of four.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FluidRow<'a> {
    blocks: Blocks<'a, RECORDS>,
    pairs: &'a [[i16; WIDTH]],
    units: Units,
    prefetch: Prefetch,
}

impl FluidRow<'_> {
    /// Returns `Σ_j (k_i + k_j) V∇W` with k_i = `own`; w is unused.
    #[inline(always)]
    pub fn weighted<L: Lanes>(self, own: f32, k: &[f32]) -> Vec4 {
        let mut sum = L::splat(0.0);
        for n in 0..self.blocks.len() {
            self.prefetch(n);
            let (block, left) = self.blocks.at(n);
            sum = sum + self.pairs::<L>(n, left) * (L::gather_repeated(k, block) + own);
        }
        self.units.gradient * sum.sum_records()
    }

    /// Returns `Σ_j (f_i − f_j)·V∇W` with f_i = `own`, for rows without weights; w is unused, but must be finite.
    #[inline(always)]
    pub fn difference<L: Lanes>(self, own: Vec4, field: &[Vec4]) -> f32 {
        self.units.gradient * self.differences::<L>(own, field).sum()
    }

    /// Returns `Σ_j (f_i − f_j)·V∇W` with the vectors f of the records of `field`, of which `own` is that of i, and `Σ_j (w_i − w_j) ω`
    /// with their w and the weights ω.
    #[inline(always)]
    pub fn difference_and_diffusion<L: Lanes>(self, own: Vec4, field: &[Vec4]) -> (f32, f32) {
        let sum = self.differences::<L>(own, field).sum_records();
        (self.units.gradient * (sum.x + sum.y + sum.z), self.units.weight * sum.w)
    }

    /// Differences between the record `own` and those of the neighbours, times gradients and weights, in units.
    #[inline(always)]
    fn differences<L: Lanes>(self, own: Vec4, field: &[Vec4]) -> L {
        let (own, mut sum) = (L::repeated(own), L::splat(0.0));
        for n in 0..self.blocks.len() {
            self.prefetch(n);
            let (block, left) = self.blocks.at(n);
            sum = sum + (own - L::gather_records(field, block)) * self.pairs::<L>(n, left);
        }
        sum
    }

    /// Asks the processor for what comes a dozen particles after the n-th block.
    #[inline(always)]
    fn prefetch(&self, n: usize) {
        self.blocks.prefetch(self.prefetch, n, BLOCKS_AHEAD);
        self.prefetch.fetch(&self.pairs[n], BLOCKS_AHEAD * size_of::<[i16; WIDTH]>());
    }

    /// V∇W and weights of the n-th block, in units; zero in the lanes behind the `left` remaining pairs.
    #[inline(always)]
    fn pairs<L: Lanes>(&self, n: usize, left: usize) -> L {
        let pairs = L::from_whole(&self.pairs[n]);
        if left < RECORDS { pairs.keep(4 * left) } else { pairs }
    }
}

/// Rows of the particles of one chunk, with walls.
#[derive(Clone, Copy, Debug)]
struct WallRows<'a> {
    lists: ListRows<'a>,
    gradients: &'a [Vec<f32>; 3],
}

impl<'a> WallRows<'a> {
    /// Row of particle i, which must be in this chunk.
    #[inline(always)]
    fn of(self, i: usize) -> WallRow<'a> {
        let Self { lists, gradients: [x, y, z] } = self;
        let (place, blocks) = (lists.place(i), lists.blocks(i));
        let end = place + blocks.len() * WIDTH;
        let gradients = [x[place..end].as_chunks().0, y[place..end].as_chunks().0, z[place..end].as_chunks().0];
        WallRow { blocks, gradients }
    }
}

/// Walls near a particle and their gradients, 1/m.
#[derive(Clone, Copy, Debug)]
struct WallRow<'a> {
    blocks: Blocks<'a>,
    gradients: [&'a [[f32; WIDTH]]; 3],
}

impl WallRow<'_> {
    /// True without walls.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.blocks.len() == 0
    }

    /// Returns `Σ_b (k_i + k_b) V_b∇W` with k_i = `own`; w is 0.
    #[inline(always)]
    fn weighted<L: Lanes>(self, own: f32, k: &[f32]) -> Vec4 {
        let mut sum = Vec3Lanes::<L>::zero();
        for n in 0..self.blocks.len() {
            let (block, left) = self.blocks.at(n);
            sum = sum + self.gradient(n, left) * (L::gather_numbers(k, block) + own);
        }
        sum.sums()
    }

    /// Returns `Σ_b (f_i − f_b)·V_b∇W` with f_i = `own`.
    #[inline(always)]
    fn difference<L: Lanes>(self, own: Vec3, field: impl Vectors) -> f32 {
        let (own, mut sum) = (Vec3Lanes::<L>::splat(own), L::splat(0.0));
        for n in 0..self.blocks.len() {
            let (block, left) = self.blocks.at(n);
            sum = sum + (own - field.at(block)).dot(self.gradient(n, left));
        }
        sum.sum()
    }

    /// V∇W of the n-th block; zero in the lanes behind the `left` remaining pairs.
    #[inline(always)]
    fn gradient<L: Lanes>(&self, n: usize, left: usize) -> Vec3Lanes<L> {
        let [x, y, z] = self.gradients;
        let gradient = Vec3Lanes { x: L::from_array(x[n]), y: L::from_array(y[n]), z: L::from_array(z[n]) };
        if left < WIDTH { gradient.keep(left) } else { gradient }
    }
}

// Rows of cached gradients while they are filled, with the sums that are taken on the way.

/// Row to be filled: the neighbours of particle i of one kind, and the storage of their gradients.
pub(crate) struct RowMut<'a, O, S> {
    i: usize,
    others: O,
    blocks: Blocks<'a>,
    storage: S,
    units: Units,
}

/// Row of pairs with fluid.
pub(crate) type FluidRowMut<'a> = RowMut<'a, OfFluid<'a>, &'a mut [[i16; 4 * WIDTH]]>;

/// Row of pairs with walls.
pub(crate) type WallRowMut<'a> = RowMut<'a, OfWalls<'a>, [&'a mut [[f32; WIDTH]]; 3]>;

/// Storage of the gradients of one row, in blocks of [`WIDTH`] pairs.
pub(crate) trait Storage {
    /// Stores the gradients of the n-th block, in units, and returns them as the iterations will read them.
    fn store<L: Lanes>(&mut self, n: usize, gradients: Vec3Lanes<L>) -> Vec3Lanes<L>;
}

impl Storage for &mut [[i16; 4 * WIDTH]] {
    #[inline(always)]
    fn store<L: Lanes>(&mut self, n: usize, gradients: Vec3Lanes<L>) -> Vec3Lanes<L> {
        store(gradients, L::splat(0.0), &mut self[n]).0
    }
}

impl Storage for [&mut [[f32; WIDTH]]; 3] {
    #[inline(always)]
    fn store<L: Lanes>(&mut self, n: usize, gradients: Vec3Lanes<L>) -> Vec3Lanes<L> {
        let [x, y, z] = self;
        (x[n], y[n], z[n]) = (gradients.x.to_array(), gradients.y.to_array(), gradients.z.to_array());
        gradients
    }
}

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
    ctx: &'a StepContext<'a>,
    positions: &'a [Vec4],
    /// Empty where densities are not sums over the neighbours.
    rounding_errors: &'a [Vec4],
}

impl Others for OfFluid<'_> {
    #[inline(always)]
    fn difference<L: Lanes>(self, i: usize, neighbors: Indices<'_>) -> Vec3Lanes<L> {
        let Self { ctx, positions, rounding_errors } = self;
        let [x, y, z, _] = L::gather(positions, neighbors);
        let rounded = ctx.minimum_image_lanes(positions[i].truncate(), Vec3Lanes { x, y, z });
        if rounding_errors.is_empty() {
            return rounded;
        }
        let [x, y, z, _] = L::gather(rounding_errors, neighbors);
        rounded + (Vec3Lanes::splat(rounding_errors[i].truncate()) - Vec3Lanes { x, y, z })
    }
}

/// Wall positions, which have no rounding errors.
#[derive(Clone, Copy)]
pub(crate) struct OfWalls<'a> {
    fluid: OfFluid<'a>,
    walls: &'a [Vec3],
}

impl Others for OfWalls<'_> {
    #[inline(always)]
    fn difference<L: Lanes>(self, i: usize, neighbors: Indices<'_>) -> Vec3Lanes<L> {
        let OfFluid { ctx, positions, .. } = self.fluid;
        let walls = Vec3Lanes::gather(self.walls, neighbors);
        ctx.minimum_image_lanes(positions[i].truncate(), walls) + Vec3Lanes::splat(ctx.rounding_errors[i])
    }
}

impl<O: Others, S: Storage> RowMut<'_, O, S> {
    /// Fills the row and returns its sums.
    #[inline(always)]
    pub fn weigh<L: Lanes, K: SmoothingKernel>(self, kernel: K, volumes: impl Numbers, lightness: impl Numbers) -> Weights {
        let Self { i, others, blocks, mut storage, units: Units { gradient: unit, .. } } = self;
        let units = unit.recip();
        let (mut density, mut squares, mut sum) = (L::splat(0.0), L::splat(0.0), Vec3Lanes::zero());
        for (n, (block, left)) in blocks.enumerate() {
            let difference = others.difference::<L>(i, block);
            let (r, volume) = (difference.length_squared().sqrt(), volumes.at::<L>(block));
            let exact = difference * (volume * kernel.dw_over_r(r) * units);
            // Entries written behind the last pair are overwritten by the next row.
            let gradient = storage.store(n, exact);
            density = density + (volume * kernel.w(r)).keep(left);
            squares = squares + (gradient.length_squared() * lightness.at::<L>(block)).keep(left);
            sum = sum + gradient.keep(left);
        }
        Weights { density: density.sum(), gradient: unit * sum.sum(), squares: unit * unit * squares.sum() }
    }
}

impl<'a> FluidRowMut<'a> {
    /// Neighbours, in blocks, with the number of those that remain.
    #[inline(always)]
    pub fn blocks(&self) -> Blocks<'a> {
        self.blocks
    }

    /// Position of the particle, m.
    #[inline(always)]
    pub fn position(&self) -> Vec3 {
        self.others.positions[self.i].truncate()
    }

    /// Returns `x_i − x_j` of a block, m.
    #[inline(always)]
    pub fn difference<L: Lanes>(&self, block: Indices<'_>) -> Vec3Lanes<L> {
        self.others.difference(self.i, block)
    }

    /// Stores the n-th block of gradients V∇W (1/m) with the weights of the diffusion (1/m²), and returns the weights as they
    /// will be read, 1/m². Entries written behind the last pair are overwritten by the next row.
    #[inline(always)]
    pub fn store<L: Lanes>(&mut self, n: usize, gradients: Vec3Lanes<L>, weights: L) -> L {
        let Units { gradient, weight } = self.units;
        let (_, stored) = store(gradients * L::splat(gradient.recip()), weights * weight.recip(), &mut self.storage[n]);
        stored * weight
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

// Cached gradients of everything solid: pairs with boundary particles, and the integrals over planes.

/// Rows of the particles of one chunk, with fluid and with solids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BothRows<'a> {
    pub fluid: FluidRows<'a>,
    pub solids: SolidRows<'a>,
}

/// Rows of the particles of one chunk, with solids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolidRows<'a> {
    walls: WallRows<'a>,
    /// Integrals over planes, one entry for each fluid particle; empty without planes.
    planes: &'a [WallIntegral],
}

impl SolidRows<'_> {
    /// Returns `−(sum + Σ_b V_b (k_i + k_b) ∇W)` with k_i = `own` and k_b = `walls`, plus the push of the planes: the
    /// acceleration by pressure, if `sum` is `Σ_j V (k_i + k_j) ∇W`; w is unused.
    #[inline(always)]
    pub fn acceleration<L: Lanes>(
        self,
        i: usize,
        mut sum: Vec4,
        own: f32,
        (walls, planes): (&[f32], PlanePressures<'_>),
    ) -> Vec4 {
        let row = self.walls.of(i);
        // The case of most particles is an empty row.
        if !row.is_empty() {
            sum += row.weighted::<L>(own, walls);
        }
        if self.planes.is_empty() { -sum } else { -sum + planes.push(i, own).extend(0.0) }
    }

    /// Adds to `sum` the compression of particle i against the solids, `Σ_b V_b (f_i − f_b)·∇W + f_i·∇λ`, with f_i = `own` and
    /// f_b = `wall`, or 0 without.
    #[inline(always)]
    pub fn add_compression<L: Lanes>(self, i: usize, sum: f32, own: Vec3, wall: Option<&[Vec3]>) -> f32 {
        let row = self.walls.of(i);
        let solid = match wall {
            // The case of most particles.
            _ if row.is_empty() => 0.0,
            Some(wall) => row.difference::<L>(own, wall),
            None => row.difference::<L>(own, Vec3::ZERO),
        };
        // Planes move along themselves only: their v_b·∇λ is 0.
        sum + solid + self.planes.get(i).map_or(0.0, |integral| own.dot(integral.gradient))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Kernel;
    use crate::parameters::{Dimensions, KernelKind};
    use crate::simd::{Available, Work, on};
    use std::array::from_fn;

    #[test]
    fn the_largest_gradient_and_weight_fit_with_every_kernel() {
        let most = f32::from(i16::MAX) / LARGEST;
        for kind in KernelKind::ALL {
            for dimensions in [Dimensions::Two, Dimensions::Three] {
                let kernel = Kernel::new(kind, dimensions, 0.3);
                let eta_squared = 0.01 * 0.15 * 0.15;
                let sampled = largest_of_a_pair(kernel, 0.3, eta_squared);
                let distances = || (0..100_000u32).map(|n| n as f32 * 3e-6);
                let steepest = distances().map(|r| r * kernel.dw_over_r(r).abs()).fold(0.0, f32::max);
                let heaviest =
                    distances().map(|r| kernel.dw_over_r(r).abs() * r * r / (r * r + eta_squared)).fold(0.0, f32::max);
                for (largest, sampled) in [steepest, heaviest].into_iter().zip(sampled) {
                    assert!(
                        largest < most * sampled && largest > 0.99 * sampled,
                        "{kind:?} {dimensions:?}: {largest}, {sampled}"
                    );
                }
            }
        }
    }

    /// Blocks stored and loaded again: the largest rounding error, and true if opposite numbers stay opposite.
    struct RoundTrip;

    impl Work for RoundTrip {
        type Output = (f32, bool);

        #[inline(always)]
        fn run<L: Lanes>(self) -> (f32, bool) {
            let (mut worst, mut opposite) = (0.0f32, true);
            for n in 0..5000u16 {
                let exact = (L::numbers() + 16.0 * f32::from(n)) * 0.4 - 32_000.0;
                let (zero, mut records, mut others) = (L::splat(0.0), [0; 4 * WIDTH], [0; 4 * WIDTH]);
                let weights = exact * -0.25;
                let (stored, stored_weights) =
                    store(Vec3Lanes { x: exact, y: zero - exact, z: exact * 0.5 }, weights, &mut records);
                store(Vec3Lanes { x: zero - exact, y: exact, z: exact * -0.5 }, zero - weights, &mut others);
                let components = [stored.x, stored.y, stored.z, stored_weights].map(L::to_array);
                for (block, whole) in records.as_chunks().0.iter().enumerate() {
                    let read = L::from_whole(whole).to_array();
                    assert_eq!(read, from_fn(|k| components[k % 4][RECORDS * block + k / 4]));
                }
                worst = worst.max((stored.x - exact).abs().largest());
                opposite &= records.iter().zip(others).all(|(&one, other)| one == -other);
            }
            (worst, opposite)
        }
    }

    #[test]
    fn whole_numbers_are_the_nearest_and_opposite_for_opposite_gradients() {
        for simd in Available::all() {
            let (worst, opposite) = on(simd, RoundTrip);
            assert!(worst <= 0.5 && worst > 0.4 && opposite, "{simd:?}: {worst}, {opposite}");
        }
    }
}
