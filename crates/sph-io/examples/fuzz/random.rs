//! Random numbers of a seed: splitmix64 (Steele2014).

/// Generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Generator whose numbers `seed` determines.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number of 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.next().checked_rem(end as u64).unwrap_or(0) as usize
    }

    /// One of `items`, which are not empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// True once in `count` times.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// A range within `length`, mostly short.
    pub fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let longest = if self.once_in(4) { length } else { 16 };
        start..(start + self.below(longest + 1)).min(length)
    }
}
