//! Gather passes: loops over particles that read several neighbours at a time with SIMD, and the buffers that they read from.

use super::sweep::{self, fill};
use crate::report::held;
use crate::simd::{self, Lanes, Work};
use glam::{Vec3, Vec4};

/// Storage of neighbour data in rows, one row for each particle: neighbour lists, or values for each pair. Kept in chunks of
/// [`QUERIES_PER_CHUNK`](super::QUERIES_PER_CHUNK) rows.
pub(crate) trait Source {
    /// View of the rows of one chunk, looked up once and shared by the particles of the chunk.
    type Rows<'a>: Copy
    where
        Self: 'a;

    /// Rows of the chunk that contains particle `first`.
    fn rows(&self, first: usize) -> Self::Rows<'_>;
}

/// A pass over all particles that reads several neighbours at a time.
pub(crate) trait Gather: Sync {
    /// Result for one particle.
    type Value: Copy + Default + Send;

    /// Storage that the rows come from.
    type Source: Source;

    /// Returns the storage that the rows come from.
    fn source(&self) -> &Self::Source;

    /// Computes the value of particle i from the rows of its chunk. Implementations need `#[inline(always)]`, as all code with
    /// lanes does (see [`Work`]).
    fn value<L: Lanes>(&self, rows: <Self::Source as Source>::Rows<'_>, i: usize) -> Self::Value;
}

/// Writes `out[i] = pass.value(i)` for `count` particles, with the widest instruction set of the processor.
pub(crate) fn gather<G: Gather>(count: usize, out: &mut Vec<G::Value>, pass: &G) {
    out.resize(count, G::Value::default());
    // Without particles there are no rows to look up.
    if count > 0 {
        fill(0, out, &|first, values: &mut [G::Value]| simd::widest(Portion { pass, first, values }));
    }
}

/// One task of a pass: up to 128 successive particles, all in one chunk, and the slice of the output for their values.
struct Portion<'a, G: Gather> {
    pass: &'a G,
    first: usize,
    values: &'a mut [G::Value],
}

impl<G: Gather> Work for Portion<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let rows = self.pass.source().rows(self.first);
        for (k, value) in self.values.iter_mut().enumerate() {
            *value = self.pass.value::<L>(rows, self.first + k);
        }
    }
}

// Particle data in the layout that passes gather: two arrays of `Vec4`, 16 bytes a particle, so that a cache line holds four
// particles.

/// One entry a particle in both arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct GatherBuffers {
    /// Position, m, in x, y, z; w is 0, or a scalar of the pass.
    pub positions: Vec<Vec4>,
    /// Velocity, m/s, or another vector of the pass in x, y, z; w is a scalar of the pass.
    pub vectors: Vec<Vec4>,
}

impl GatherBuffers {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        held(&self.positions) + held(&self.vectors)
    }

    /// Copies positions (m) and vectors, which get their w from `scalar`.
    pub fn fill(&mut self, positions: &[Vec3], vectors: &[Vec3], scalar: impl Fn(usize) -> f32 + Sync + Send) {
        sweep::map(positions.len(), &mut self.positions, |i| positions[i].extend(0.0));
        sweep::map(positions.len(), &mut self.vectors, |i| vectors[i].extend(scalar(i)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::QUERIES_PER_CHUNK;

    /// Rows that hold nothing but the number of their chunk.
    struct Chunks;

    impl Source for Chunks {
        type Rows<'a> = usize;

        fn rows(&self, first: usize) -> usize {
            first / QUERIES_PER_CHUNK
        }
    }

    impl Gather for Chunks {
        type Value = usize;
        type Source = Self;

        fn source(&self) -> &Self {
            self
        }

        #[inline(always)]
        fn value<L: Lanes>(&self, rows: usize, i: usize) -> usize {
            assert_eq!(rows, i / QUERIES_PER_CHUNK, "rows of particle {i}");
            i
        }
    }

    #[test]
    fn portions_lie_in_one_chunk() {
        for count in [0, 1, 127, 128, 129, 255, 256, 257, 1000, 4097] {
            let mut out = Vec::new();
            gather(count, &mut out, &Chunks);
            assert!(out.into_iter().eq(0..count));
        }
    }
}
