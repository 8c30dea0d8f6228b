//! From cell coordinates to a bucket.

use glam::IVec3;

/// A function that scatters cells over a table. All arithmetic wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HashFunction {
    /// `|x·92837111 ⊕ y·689287499 ⊕ z·283923481|` (Muller2022).
    Muller,
    /// `x·73856093 ⊕ y·19349663 ⊕ z·83492791` (Teschner2003).
    Teschner,
}

impl HashFunction {
    /// Every hash function.
    pub const ALL: [Self; 2] = [Self::Muller, Self::Teschner];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Muller => "muller",
            Self::Teschner => "teschner",
        }
    }

    /// Bucket of `cell` in a table of `table_size` ≥ 1 buckets: a number below `table_size`.
    #[inline]
    pub fn bucket(self, cell: IVec3, table_size: u32) -> u32 {
        let mix = |[a, b, c]: [i32; 3]| cell.x.wrapping_mul(a) ^ cell.y.wrapping_mul(b) ^ cell.z.wrapping_mul(c);
        let hash = match self {
            // `unsigned_abs` because `i32::MIN.abs()` does not exist.
            Self::Muller => mix([92_837_111, 689_287_499, 283_923_481]).unsigned_abs(),
            Self::Teschner => mix([73_856_093, 19_349_663, 83_492_791]).cast_unsigned(),
        };
        hash % table_size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_published_formula() {
        // Computed by hand in 64 bits and reduced to 32.
        assert_eq!(HashFunction::Muller.bucket(IVec3::new(1, 0, 0), 1000), 111);
        assert_eq!(HashFunction::Muller.bucket(IVec3::new(1, 1, 1), u32::MAX), 92_837_111 ^ 689_287_499 ^ 283_923_481);
        assert_eq!(HashFunction::Teschner.bucket(IVec3::new(2, 0, 1), u32::MAX), 147_712_186 ^ 83_492_791);
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
