//! The hash table: hash functions, and the way from a cell to its bucket without a division.

use super::stencil::{self, CellBox};
use crate::parameters::HashFunction;
use crate::simd::{Available, with_simd};
use glam::IVec3;

/// A hash table of `size` ≥ 1 buckets, and its hash function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub size: u32,
    hash: HashFunction,
    /// (2⁶⁴ − 1) / size, rounded down.
    reciprocal: u64,
}

impl Table {
    /// A table of `size` ≥ 1 buckets.
    pub fn new(size: u32, hash: HashFunction) -> Self {
        Self { size, hash, reciprocal: u64::MAX / u64::from(size) }
    }

    /// The bucket of `cell`.
    #[inline(always)]
    pub fn bucket(self, cell: IVec3) -> u32 {
        self.remainder(self.hash.of(cell))
    }

    /// `hash` modulo the table size, exact for every hash and every size.
    ///
    /// With m = size and r = (2⁶⁴ − 1)/m rounded down, 2⁶⁴/m − r ≤ 1; so hash/m exceeds hash · r / 2⁶⁴ by less than 1, and its
    /// integral part is the true quotient or one less.
    #[inline(always)]
    fn remainder(self, hash: u64) -> u32 {
        let quotient = (u128::from(hash) * u128::from(self.reciprocal)) >> 64;
        let rest = hash - quotient as u64 * u64::from(self.size);
        // Wraps to a large number unless the quotient is one too small.
        rest.min(rest.wrapping_sub(u64::from(self.size))) as u32
    }

    /// Replaces `buckets` by the bucket of each of `cells`, in their order; for boxes that are not [vast](stencil::is_vast).
    pub fn buckets_of_each(self, cells: CellBox, buckets: &mut Vec<u32>) {
        buckets.clear();
        buckets.reserve(stencil::count(cells).max(0) as usize);
        let table = self;
        // The function is chosen once a box: its terms of y and z are then computed once a row.
        with_simd!(Available::best(), (table: Table, cells: CellBox, buckets: &mut Vec<u32>), [], match table.hash {
            HashFunction::Muller => table.put(cells, buckets, muller),
            HashFunction::Teschner => table.put(cells, buckets, teschner),
            HashFunction::Morton => table.put(cells, buckets, morton),
            HashFunction::Mix => table.put(cells, buckets, mix),
        });
    }

    #[inline(always)]
    fn put(self, (low, high): CellBox, buckets: &mut Vec<u32>, hash: impl Fn(IVec3) -> u64) {
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                buckets.extend((low.x..=high.x).map(|x| self.remainder(hash(IVec3::new(x, y, z)))));
            }
        }
    }

    /// Replaces `buckets` by the buckets of `cells` for which `keep` holds, each once although cells may share it.
    pub fn buckets(self, cells: CellBox, buckets: &mut Vec<u32>, keep: impl Fn(u32) -> bool) {
        /// Number of buckets up to which comparing all of them is faster than sorting.
        const FEW: usize = 64;
        // Hashing a vast box would take too long; all buckets of the table include those of its cells.
        if stencil::is_vast(cells) {
            buckets.clear();
            buckets.extend((0..self.size).filter(|&bucket| keep(bucket)));
            return;
        }
        self.buckets_of_each(cells, buckets);
        buckets.retain(|&bucket| keep(bucket));
        if buckets.len() > FEW {
            buckets.sort_unstable();
            buckets.dedup();
            return;
        }
        let mut kept = 0;
        for index in 0..buckets.len() {
            let bucket = buckets[index];
            if !buckets[..kept].contains(&bucket) {
                buckets[kept] = bucket;
                kept += 1;
            }
        }
        buckets.truncate(kept);
    }
}

// Hash functions, from cell coordinates to numbers whose remainders are buckets.

impl HashFunction {
    /// Bucket of `cell` in a table of `table_size` ≥ 1 buckets; below `table_size`.
    #[inline]
    pub fn bucket(self, cell: IVec3, table_size: u32) -> u32 {
        (self.of(cell) % u64::from(table_size)) as u32
    }

    /// Hash of `cell`; at most 63 bits.
    #[inline(always)]
    fn of(self, cell: IVec3) -> u64 {
        match self {
            Self::Muller => muller(cell),
            Self::Teschner => teschner(cell),
            Self::Morton => morton(cell),
            Self::Mix => mix(cell),
        }
    }
}

/// The exclusive or of the coordinates times three factors.
#[inline(always)]
fn multiplied(cell: IVec3, [a, b, c]: [i32; 3]) -> i32 {
    cell.x.wrapping_mul(a) ^ cell.y.wrapping_mul(b) ^ cell.z.wrapping_mul(c)
}

#[inline(always)]
fn muller(cell: IVec3) -> u64 {
    // `unsigned_abs` because `i32::MIN.abs()` overflows.
    u64::from(multiplied(cell, [92_837_111, 689_287_499, 283_923_481]).unsigned_abs())
}

#[inline(always)]
fn teschner(cell: IVec3) -> u64 {
    u64::from(multiplied(cell, [73_856_093, 19_349_663, 83_492_791]).cast_unsigned())
}

#[inline(always)]
fn morton(cell: IVec3) -> u64 {
    let [x, y, z] = cell.to_array().map(spread);
    x | y << 1 | z << 2
}

#[inline(always)]
fn mix(cell: IVec3) -> u64 {
    let [x, y, z] = cell.to_array().map(|c| u64::from(c.cast_unsigned()));
    finalize(finalize(x | y << 32).wrapping_add(z)) >> 32
}

/// The lowest 21 bits of a coordinate, spread with two zeros between successive bits. Negative coordinates follow positive
/// ones.
#[inline(always)]
fn spread(coordinate: i32) -> u64 {
    let mut bits = u64::from(coordinate.cast_unsigned()) & 0x1f_ffff;
    for (shift, mask) in [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

/// Finalizer of SplitMix64: each input bit flips each output bit with probability one half.
#[inline(always)]
fn finalize(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_published_formula() {
        // Computed by hand in 64 bits and truncated to 32.
        assert_eq!(HashFunction::Muller.bucket(IVec3::new(1, 0, 0), 1000), 111);
        assert_eq!(HashFunction::Muller.bucket(IVec3::new(1, 1, 1), u32::MAX), 92_837_111 ^ 689_287_499 ^ 283_923_481);
        assert_eq!(HashFunction::Teschner.bucket(IVec3::new(2, 0, 1), u32::MAX), 147_712_186 ^ 83_492_791);
    }

    #[test]
    fn morton_interleaves() {
        assert_eq!(HashFunction::Morton.bucket(IVec3::new(0b101, 0b011, 0b110), u32::MAX), 0b101_110_011);
        assert_eq!(spread(-1), 0x1249_2492_4924_9249);
    }

    #[test]
    fn stays_inside_every_table() {
        let extremes = [i32::MIN, -1, 0, 1, i32::MAX];
        for hash in HashFunction::ALL {
            for table_size in [1, 2, 97, u32::MAX] {
                for x in extremes {
                    for y in extremes {
                        for z in extremes {
                            let (cell, table) = (IVec3::new(x, y, z), Table::new(table_size, hash));
                            assert!(hash.bucket(cell, table_size) < table_size);
                            assert_eq!(table.bucket(cell), hash.bucket(cell, table_size), "{hash:?}, {table_size}, {cell}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn remainders_are_exact() {
        let sizes = [1, 2, 3, 7, 97, 1 << 16, (1 << 24) - 1, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, u32::MAX - 1, u32::MAX];
        let mut random = 1u64;
        for size in sizes {
            let table = Table::new(size, HashFunction::Mix);
            let divisor = u64::from(size);
            let multiples = [0, 1, 2, 3, u64::MAX / divisor - 1, u64::MAX / divisor].map(|factor| factor.wrapping_mul(divisor));
            let near = multiples.into_iter().flat_map(|hash| [hash.wrapping_sub(1), hash, hash.wrapping_add(1)]);
            let powers = (0..64).flat_map(|bit| [1u64 << bit, (1u64 << bit).wrapping_sub(1)]);
            let any: Vec<u64> = (0..2000)
                .map(|k| {
                    random = finalize(random.wrapping_add(k));
                    random >> (k % 40)
                })
                .collect();
            for hash in near.chain(powers).chain(any).chain([u64::MAX]) {
                assert_eq!(u64::from(table.remainder(hash)), hash % divisor, "{hash} modulo {size}");
            }
        }
    }

    #[test]
    fn the_buckets_of_a_box_are_those_of_its_cells() {
        let boxes = [
            (IVec3::new(-2, 3, -7), IVec3::new(0, 4, -5)),
            (IVec3::splat(i32::MAX - 1), IVec3::MAX),
            (IVec3::MIN, IVec3::MIN + IVec3::new(9, 0, 1)),
            stencil::EMPTY,
        ];
        for (hash, size) in HashFunction::ALL.into_iter().flat_map(|hash| [1, 5, 1000, 1 << 24].map(|size| (hash, size))) {
            let (table, mut found) = (Table::new(size, hash), Vec::new());
            for cells in boxes {
                table.buckets_of_each(cells, &mut found);
                assert!(stencil::each(cells).map(|cell| hash.bucket(cell, size)).eq(found.iter().copied()), "{cells:?}");
                let all: std::collections::BTreeSet<u32> = found.iter().copied().filter(|bucket| bucket % 3 < 2).collect();
                table.buckets(cells, &mut found, |bucket| bucket % 3 < 2);
                assert!(found.len() == all.len() && found.iter().all(|bucket| all.contains(bucket)));
            }
        }
    }
}
