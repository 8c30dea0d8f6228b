//! What the pairs have to do with each other, computed once a step and read in every iteration of the pressure.
//!
//! Of every pair V∇W is kept, so that an iteration gathers of a neighbour no more than what it multiplies by. In pairs of the fluid a component
//! is a whole number of 16 bits: half as much memory, which is what sweeps wait for. Its unit is the same everywhere, so that the two
//! gradients of a pair are opposite to the last bit, and 1/32,000 of the largest gradient there can be (docs/adr/0013). Walls are few and
//! their volumes differ: their gradients are floats.

use crate::boundary::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::lanes::{self, Indices, Lanes, Vec3Lanes, WIDTH, Work};
use crate::memory::held;
use crate::neighbors::{self, Blocks, QUERIES_PER_CHUNK};
use crate::records::Records;
use crate::surroundings::Surroundings;
use glam::{Vec3, Vec4};
use rayon::prelude::*;

/// The largest gradient there can be, in units: a little less than 16 bits hold.
const LARGEST: f32 = 32_000.0;

/// Distances at which a kernel is looked at for its steepest slope.
const SAMPLES: u16 = 200;

/// 1.5 × 2²³: the bits of this plus a number end in the nearest whole number, the even one of two.
const WHOLE: f32 = 12_582_912.0;

/// V∇W of every particle's pairs with fluid and with walls, row by row like the neighbour lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradients {
    /// In which pairs with fluid are kept, 1/m.
    unit: f32,
    chunks: Vec<Chunk>,
}

/// The rows of as many particles as a chunk of the neighbour lists has, and room for one block behind them.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// Units.
    fluid: [Vec<i16>; 3],
    /// 1/m.
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
    /// Computes the rows of every particle at `positions` (m), and `out[i]` with them. `records` is workspace.
    pub fn fill<K: SmoothingKernel, F: Fill>(
        &mut self,
        (kernel, around): (K, &Surroundings<'_>),
        positions: &[Vec3],
        walls: &BoundaryParticles,
        records: &mut Records,
        (out, pass): (&mut Vec<F::Value>, &F),
    ) {
        let count = positions.len();
        self.unit = around.rest_volume() * steepest(kernel, around.discretization.support_radius) / LARGEST;
        records.fill((positions, |_| 0.0), (around.remainders, |_| 0.0));
        let of_fluid = OfFluid { around, records };
        let of_walls = OfWalls { fluid: of_fluid, walls: &walls.positions };
        let Self { unit, chunks } = self;
        out.resize(count, F::Value::default());
        chunks.resize_with(count.div_ceil(QUERIES_PER_CHUNK), Chunk::default);
        chunks.par_iter_mut().zip(out.par_chunks_mut(QUERIES_PER_CHUNK)).enumerate().for_each(|(number, (chunk, out))| {
            chunk.fluid.iter_mut().for_each(|component| fit(component, around.fluid.entries_of_chunk(number)));
            chunk.walls.iter_mut().for_each(|component| fit(component, around.walls.entries_of_chunk(number)));
            lanes::widest(Portion { pass, of_walls, unit: *unit, first: number * QUERIES_PER_CHUNK, chunk, out });
        });
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let of = |Chunk { fluid, walls }: &Chunk| fluid.iter().map(held).sum::<usize>() + walls.iter().map(held).sum::<usize>();
        held(&self.chunks) + self.chunks.iter().map(of).sum::<usize>()
    }

    /// The rows of particle i and of the others of its chunk.
    #[inline(always)]
    pub fn rows<'a>(&'a self, around: &'a Surroundings<'a>, i: usize) -> BothRows<'a> {
        let Chunk { fluid, walls } = &self.chunks[i / QUERIES_PER_CHUNK];
        BothRows {
            fluid: Rows { lists: around.fluid.rows(i), gradients: fluid, unit: self.unit },
            walls: Rows { lists: around.walls.rows(i), gradients: walls, unit: 1.0 },
        }
    }
}

/// The largest |W′| of a kernel of this support radius (m), but for what lies between the distances that are looked at.
fn steepest<K: SmoothingKernel>(kernel: K, radius: f32) -> f32 {
    let distances = (1..=SAMPLES).map(|n| radius * f32::from(n) / f32::from(SAMPLES));
    distances.map(|r| r * kernel.dw_over_r(r).abs()).fold(0.0, f32::max)
}

/// Makes room for so many pairs, and a little more, so that steps that have a little more need no memory.
fn fit<T: Copy + Default>(values: &mut Vec<T>, entries: usize) {
    if values.len() < entries + WIDTH {
        let length = entries + entries / 16 + WIDTH;
        values.reserve_exact(length - values.len());
        values.resize(length, T::default());
    }
}

/// The rows of a chunk.
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
        let Surroundings { fluid, walls, .. } = of_walls.fluid.around;
        let (fluid_lists, wall_lists) = (fluid.rows(first), walls.rows(first));
        for (k, out) in out.iter_mut().enumerate() {
            let i = first + k;
            let fluid = RowMut::new(i, of_walls.fluid, fluid_lists, &mut chunk.fluid, unit);
            let walls = RowMut::new(i, of_walls, wall_lists, &mut chunk.walls, 1.0);
            *out = pass.value::<L>(i, fluid, walls);
        }
    }
}

/// A component of a gradient as it is kept.
pub(crate) trait Component: Copy {
    /// A block of them.
    fn load<L: Lanes>(block: &[Self; WIDTH]) -> L;

    /// Keeps a block, and returns it as [`Component::load`] will.
    fn store<L: Lanes>(lanes: L, block: &mut [Self; WIDTH]) -> L;
}

impl Component for f32 {
    #[inline(always)]
    fn load<L: Lanes>(block: &[f32; WIDTH]) -> L {
        L::from_array(*block)
    }

    #[inline(always)]
    fn store<L: Lanes>(lanes: L, block: &mut [f32; WIDTH]) -> L {
        *block = lanes.to_array();
        lanes
    }
}

impl Component for i16 {
    #[inline(always)]
    fn load<L: Lanes>(block: &[i16; WIDTH]) -> L {
        // Not `map`, which is a function of its own that is compiled for no vectors.
        let mut found = [0.0; WIDTH];
        for (found, &value) in found.iter_mut().zip(block) {
            *found = f32::from(value);
        }
        L::from_array(found)
    }

    #[inline(always)]
    fn store<L: Lanes>(lanes: L, block: &mut [i16; WIDTH]) -> L {
        let whole = lanes + WHOLE;
        for (value, whole) in block.iter_mut().zip(whole.to_array()) {
            *value = whole.to_bits() as i16;
        }
        whole - WHOLE
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

impl Vectors for &[Vec4] {
    #[inline(always)]
    fn at<L: Lanes>(self, neighbors: Indices<'_>) -> Vec3Lanes<L> {
        let [x, y, z, _] = L::gather(self, neighbors);
        Vec3Lanes { x, y, z }
    }
}

impl Vectors for Vec3 {
    #[inline(always)]
    fn at<L: Lanes>(self, _: Indices<'_>) -> Vec3Lanes<L> {
        Vec3Lanes::splat(self)
    }
}

/// The rows of the particles of one chunk, of both kinds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BothRows<'a> {
    pub fluid: Rows<'a, i16>,
    pub walls: Rows<'a, f32>,
}

/// The rows of the particles of one chunk, of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a, T> {
    lists: neighbors::Rows<'a>,
    gradients: &'a [Vec<T>; 3],
    unit: f32,
}

impl<'a, T: Component> Rows<'a, T> {
    /// That of particle i, which is of this chunk.
    #[inline(always)]
    pub fn of(self, i: usize) -> Row<'a, T> {
        let Self { lists, gradients: [x, y, z], unit } = self;
        let (place, blocks) = (lists.place(i), lists.blocks(i));
        let end = place + blocks.len() * WIDTH;
        let gradients = [x[place..end].as_chunks().0, y[place..end].as_chunks().0, z[place..end].as_chunks().0];
        Row { blocks, gradients, unit }
    }
}

/// What a particle has to do with its neighbours of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a, T> {
    blocks: Blocks<'a>,
    gradients: [&'a [[T; WIDTH]]; 3],
    /// 1/m.
    unit: f32,
}

impl<T: Component> Row<'_, T> {
    /// Whether it has none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.blocks.len() == 0
    }

    /// `Σ_j (k_i + k_j) V∇W` with k_i = `own`; and nothing.
    #[inline(always)]
    pub fn weighted<L: Lanes>(self, own: f32, k: impl Numbers) -> Vec4 {
        let mut sum = Vec3Lanes::<L>::zero();
        for n in 0..self.blocks.len() {
            let (block, left) = self.blocks.at(n);
            sum = sum + self.gradient(n, left) * (k.at::<L>(block) + own);
        }
        self.unit * sum.sums()
    }

    /// `Σ_j (f_i − f_j)·V∇W` with f_i = `own`.
    #[inline(always)]
    pub fn difference<L: Lanes>(self, own: Vec3, field: impl Vectors) -> f32 {
        let (own, mut sum) = (Vec3Lanes::<L>::splat(own), L::splat(0.0));
        for n in 0..self.blocks.len() {
            let (block, left) = self.blocks.at(n);
            sum = sum + (own - field.at(block)).dot(self.gradient(n, left));
        }
        self.unit * sum.sum()
    }

    /// V∇W of the n-th block, units; zero behind the last of the `left` pairs that are left.
    #[inline(always)]
    fn gradient<L: Lanes>(&self, n: usize, left: usize) -> Vec3Lanes<L> {
        let [x, y, z] = self.gradients;
        let gradient = Vec3Lanes { x: T::load(&x[n]), y: T::load(&y[n]), z: T::load(&z[n]) };
        if left < WIDTH { gradient.keep(left) } else { gradient }
    }
}

/// A row to be computed: where particle i's neighbours of one kind are, and where to keep what is found.
pub(crate) struct RowMut<'a, O, T> {
    i: usize,
    others: O,
    blocks: Blocks<'a>,
    gradients: [&'a mut [[T; WIDTH]]; 3],
    /// 1/m.
    unit: f32,
}

/// Of pairs with fluid.
pub(crate) type FluidRowMut<'a> = RowMut<'a, OfFluid<'a>, i16>;

/// Of pairs with walls.
pub(crate) type WallRowMut<'a> = RowMut<'a, OfWalls<'a>, f32>;

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

/// Fluid: its positions, and what rounding took from them, which is as much as a density difference of 1e-5 far from the origin.
#[derive(Clone, Copy)]
pub(crate) struct OfFluid<'a> {
    around: &'a Surroundings<'a>,
    records: &'a Records,
}

impl Others for OfFluid<'_> {
    #[inline(always)]
    fn difference<L: Lanes>(self, i: usize, neighbors: Indices<'_>) -> Vec3Lanes<L> {
        let Self { around, records: Records { places, vectors: remainders } } = self;
        let [x, y, z, _] = L::gather(places, neighbors);
        let rounded = around.between_lanes(places[i].truncate(), Vec3Lanes { x, y, z });
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
        let OfFluid { around, records: Records { places, vectors: remainders } } = self.fluid;
        let walls = Vec3Lanes::gather(self.walls, neighbors);
        around.between_lanes(places[i].truncate(), walls) + Vec3Lanes::splat(remainders[i].truncate())
    }
}

impl<'a, O: Others, T: Component> RowMut<'a, O, T> {
    #[inline(always)]
    fn new(i: usize, others: O, lists: neighbors::Rows<'a>, [x, y, z]: &'a mut [Vec<T>; 3], unit: f32) -> Self {
        let (place, blocks) = (lists.place(i), lists.blocks(i));
        let gradients = [x, y, z].map(|component| component[place..][..blocks.len() * WIDTH].as_chunks_mut().0);
        Self { i, others, blocks, gradients, unit }
    }

    /// Computes the row.
    #[inline(always)]
    pub fn weigh<L: Lanes, K: SmoothingKernel>(self, kernel: K, volumes: impl Numbers) -> Weights {
        let Self { i, others, blocks, gradients: [x, y, z], unit } = self;
        let units = unit.recip();
        let (mut density, mut squares, mut sum) = (L::splat(0.0), L::splat(0.0), Vec3Lanes::zero());
        for (n, (block, left)) in blocks.enumerate() {
            let difference = others.difference::<L>(i, block);
            let (r, volume) = (difference.length_squared().sqrt(), volumes.at::<L>(block));
            let exact = difference * (volume * kernel.dw_over_r(r) * units);
            // What is written behind the last pair belongs to the next row, which is computed later.
            let gradient =
                Vec3Lanes { x: T::store(exact.x, &mut x[n]), y: T::store(exact.y, &mut y[n]), z: T::store(exact.z, &mut z[n]) };
            density = density + (volume * kernel.w(r)).keep(left);
            squares = squares + gradient.length_squared().keep(left);
            sum = sum + gradient.keep(left);
        }
        Weights { density: density.sum(), gradient: unit * sum.sum(), squares: unit * unit * squares.sum() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Kernel, KernelKind};
    use crate::parameters::Dimensions;
    use crate::simd::Simd;

    /// Blocks of numbers, kept and loaded again: the worst rounding, and whether the opposite numbers become the opposite.
    struct Kept;

    impl Work for Kept {
        type Output = (f32, bool);

        #[inline(always)]
        fn run<L: Lanes>(self) -> (f32, bool) {
            let (mut worst, mut opposite) = (0.0f32, true);
            for n in 0..5000u16 {
                let exact = (L::numbers() + 16.0 * f32::from(n)) * 0.4 - LARGEST;
                let (mut block, mut other) = ([0i16; WIDTH], [0i16; WIDTH]);
                let kept = i16::store(exact, &mut block);
                i16::store(L::splat(0.0) - exact, &mut other);
                assert_eq!(kept.to_array(), i16::load::<L>(&block).to_array());
                worst = worst.max((kept - exact).abs().largest());
                opposite &= block.iter().zip(other).all(|(&one, other)| one == -other);
            }
            (worst, opposite)
        }
    }

    #[test]
    fn whole_numbers_are_the_nearest_and_opposite_for_opposite_gradients() {
        for simd in Simd::ALL.into_iter().filter(|simd| simd.is_available()) {
            let (worst, opposite) = lanes::on(simd, Kept);
            assert!(worst <= 0.5 && worst > 0.4 && opposite, "{simd:?}: {worst}, {opposite}");
        }
    }

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
