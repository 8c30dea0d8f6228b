//! Random numbers as hashes of who draws them, when, and for what.

/// Sequence of random numbers of one fluid particle in one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// Sequence of the fluid particle with this id in this step.
    pub fn new(id: u32, step: u64) -> Self {
        Self(mix(u64::from(id) ^ mix(step)))
    }

    /// Number of this index in the sequence, uniform in [0, 1).
    pub fn uniform(self, index: u32) -> f32 {
        // 24 bits: as many as an f32 below 1 holds.
        (mix(self.0 ^ u64::from(index)) >> 40) as f32 / (1 << 24) as f32
    }
}

/// The output function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_uniform_over_ids_steps_and_indices() {
        let numbers = |draw: &dyn Fn(u32) -> f32| (0..10_000).map(draw).map(f64::from).collect::<Vec<_>>();
        let sequences = [
            numbers(&|n| Random::new(n, 7).uniform(0)),
            numbers(&|n| Random::new(7, n.into()).uniform(0)),
            numbers(&|n| Random::new(7, 7).uniform(n)),
        ];
        for numbers in sequences {
            assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
            // Mean 1/2 ± 1/√(12 n), mean square 1/3 ± √(4/45 n): four standard deviations.
            let count = numbers.len() as f64;
            let mean = numbers.iter().sum::<f64>() / count;
            let square = numbers.iter().map(|number| number * number).sum::<f64>() / count;
            assert!((mean - 0.5).abs() < 4.0 / (12.0 * count).sqrt(), "{mean}");
            assert!((square - 1.0 / 3.0).abs() < 4.0 * (4.0 / (45.0 * count)).sqrt(), "{square}");
        }
    }
}
