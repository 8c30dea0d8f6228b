//! Hash functions, from cell coordinates to buckets.

use crate::parameters::HashFunction;
use glam::IVec3;

impl HashFunction {
    /// Bucket of `cell` in a table of `table_size` ≥ 1 buckets; below `table_size`.
    #[inline]
    pub fn bucket(self, cell: IVec3, table_size: u32) -> u32 {
        let mix = |[a, b, c]: [i32; 3]| cell.x.wrapping_mul(a) ^ cell.y.wrapping_mul(b) ^ cell.z.wrapping_mul(c);
        let hash: u32 = match self {
            // `unsigned_abs` because `i32::MIN.abs()` overflows.
            Self::Muller => mix([92_837_111, 689_287_499, 283_923_481]).unsigned_abs(),
            Self::Teschner => mix([73_856_093, 19_349_663, 83_492_791]).cast_unsigned(),
            Self::Morton => {
                let [x, y, z] = cell.to_array().map(spread);
                return ((x | y << 1 | z << 2) % u64::from(table_size)) as u32;
            }
            Self::Mix => {
                let [x, y, z] = cell.to_array().map(|c| u64::from(c.cast_unsigned()));
                (finalize(finalize(x | y << 32).wrapping_add(z)) >> 32) as u32
            }
        };
        hash % table_size
    }
}

/// The lowest 21 bits of a coordinate, spread with two zeros between successive bits. Negative coordinates follow positive
/// ones.
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
                            assert!(hash.bucket(IVec3::new(x, y, z), table_size) < table_size);
                        }
                    }
                }
            }
        }
    }
}
