//! The kept gradients as iterations read them.

use super::component::Component;
use crate::neighbors::{Blocks, ListRows};
use crate::simd::{Indices, Lanes, Vec3Lanes, WIDTH};
use glam::{Vec3, Vec4};

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
    pub(super) lists: ListRows<'a>,
    pub(super) gradients: &'a [Vec<T>; 3],
    pub(super) unit: f32,
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

    /// `Σ_j (k_i + k_j) V∇W` with k_i = `own`; and 0.
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
