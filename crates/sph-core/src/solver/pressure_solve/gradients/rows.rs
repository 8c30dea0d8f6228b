//! Cached gradients as the iterations read them.

use super::component::Component;
use crate::neighbors::{Blocks, ListRows};
use crate::simd::{Indices, Lanes, Vec3Lanes, WIDTH};
use glam::{Vec3, Vec4};

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

/// Rows of the particles of one chunk, with neighbours of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a, T> {
    pub(super) lists: ListRows<'a>,
    pub(super) gradients: &'a [Vec<T>; 3],
    pub(super) unit: f32,
}

impl<'a, T: Component> Rows<'a, T> {
    /// Row of particle i, which must be in this chunk.
    #[inline(always)]
    pub fn of(self, i: usize) -> Row<'a, T> {
        let Self { lists, gradients: [x, y, z], unit } = self;
        let (place, blocks) = (lists.place(i), lists.blocks(i));
        let end = place + blocks.len() * WIDTH;
        let gradients = [x[place..end].as_chunks().0, y[place..end].as_chunks().0, z[place..end].as_chunks().0];
        Row { blocks, gradients, unit }
    }
}

/// Neighbours of a particle of one kind and their gradients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a, T> {
    blocks: Blocks<'a>,
    gradients: [&'a [[T; WIDTH]]; 3],
    /// Unit of the gradients, 1/m.
    unit: f32,
}

impl<T: Component> Row<'_, T> {
    /// True without neighbours.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.blocks.len() == 0
    }

    /// Returns `Σ_j (k_i + k_j) V∇W` with k_i = `own`; w is 0.
    #[inline(always)]
    pub fn weighted<L: Lanes>(self, own: f32, k: impl Numbers) -> Vec4 {
        let mut sum = Vec3Lanes::<L>::zero();
        for n in 0..self.blocks.len() {
            let (block, left) = self.blocks.at(n);
            sum = sum + self.gradient(n, left) * (k.at::<L>(block) + own);
        }
        self.unit * sum.sums()
    }

    /// Returns `Σ_j (f_i − f_j)·V∇W` with f_i = `own`.
    #[inline(always)]
    pub fn difference<L: Lanes>(self, own: Vec3, field: impl Vectors) -> f32 {
        let (own, mut sum) = (Vec3Lanes::<L>::splat(own), L::splat(0.0));
        for n in 0..self.blocks.len() {
            let (block, left) = self.blocks.at(n);
            sum = sum + (own - field.at(block)).dot(self.gradient(n, left));
        }
        self.unit * sum.sum()
    }

    /// V∇W of the n-th block, in units; zero in the lanes behind the `left` remaining pairs.
    #[inline(always)]
    fn gradient<L: Lanes>(&self, n: usize, left: usize) -> Vec3Lanes<L> {
        let [x, y, z] = self.gradients;
        let gradient = Vec3Lanes { x: T::load(&x[n]), y: T::load(&y[n]), z: T::load(&z[n]) };
        if left < WIDTH { gradient.keep(left) } else { gradient }
    }
}
