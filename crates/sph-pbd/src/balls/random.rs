//! Numbers that look random and depend on a seed and on what they are for, not on what was drawn before.

use glam::Vec3;

/// A stream of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The stream of a seed for one ball, or one attempt.
    pub fn new(seed: u64, ball: u64, attempt: u64) -> Self {
        let mut random = Self(seed);
        for number in [ball, attempt] {
            random.0 = random.next() ^ number;
        }
        random
    }

    /// SplitMix64 (Steele2014).
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Number from 0 to 1, uniformly.
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    /// Point of the box from `min` to `max`, uniformly.
    pub fn point(&mut self, min: Vec3, max: Vec3) -> Vec3 {
        let part = Vec3::new(self.unit(), self.unit(), self.unit());
        (min + part * (max - min)).min(max)
    }
}
