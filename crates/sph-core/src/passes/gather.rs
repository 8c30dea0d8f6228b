//! Passes that gather from neighbours several at a time.

use super::sweep::fill;
use crate::simd::{self, Lanes, Work};

/// What a pass reads of particles and their neighbours, kept chunk by chunk of the neighbour lists ([`QUERIES_PER_CHUNK`](super::QUERIES_PER_CHUNK)).
pub(crate) trait Source {
    /// What it has of the particles of one chunk, looked up once for many of them.
    type Rows<'a>: Copy
    where
        Self: 'a;

    /// The rows of particle `first` and of the others of its chunk.
    fn rows(&self, first: usize) -> Self::Rows<'_>;
}

/// A pass that gathers from neighbours several at a time.
pub(crate) trait Gather: Sync {
    /// What is computed for each particle.
    type Value: Copy + Default + Send;

    /// Where its rows are from.
    type Source: Source;

    /// That of this pass.
    fn source(&self) -> &Self::Source;

    /// Particle i's value, from the rows of its chunk. `#[inline(always)]`, as all that works with lanes ([`Work`]).
    fn value<L: Lanes>(&self, rows: <Self::Source as Source>::Rows<'_>, i: usize) -> Self::Value;
}

/// `out[i] = pass.value(i)` for `count` particles, with the widest vectors that the machine has.
pub(crate) fn gather<G: Gather>(count: usize, out: &mut Vec<G::Value>, pass: &G) {
    out.resize(count, G::Value::default());
    // No particles have no rows.
    if count > 0 {
        fill(0, out, &|first, values: &mut [G::Value]| simd::widest(Portion { pass, first, values }));
    }
}

/// Some successive particles of a pass, all of one chunk.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::QUERIES_PER_CHUNK;

    /// Knows of every particle which chunk its rows were of.
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
    fn parts_lie_in_one_chunk() {
        for count in [0, 1, 127, 128, 129, 255, 256, 257, 1000, 4097] {
            let mut out = Vec::new();
            gather(count, &mut out, &Chunks);
            assert!(out.into_iter().eq(0..count));
        }
    }
}
