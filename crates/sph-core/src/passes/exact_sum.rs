//! Exact sums of floats, which do not depend on the order of the terms (Neal2015), and sums over particles by cells.
//!
//! A float is a whole number of 53 bits times a power of two. The accumulator is one long whole number that covers every power
//! of two of an `f64`; addition to it is exact. So the sum over all particles is the same however they are divided among arrays,
//! chunks and threads.

use std::ops::{AddAssign, Range};

/// Bits per limb, of the 64 that hold it: the others take up carries of 2³¹ terms.
const LIMB_BITS: u32 = 32;

/// Limbs: 2046 exponents and the 53 bits of the significand, in steps of 32 bits.
const LIMBS: usize = 67;

/// Exact sum of `f64`s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactSum {
    /// Limb n counts in units of 2^(32 n − 1075).
    limbs: [i64; LIMBS],
    /// True if a term is infinite or NaN: the sum is then NaN.
    not_finite: bool,
}

impl ExactSum {
    /// No terms.
    pub const ZERO: Self = Self { limbs: [0; LIMBS], not_finite: false };

    /// Adds all terms of `other`.
    fn merge(&mut self, other: &Self) {
        self.limbs.iter_mut().zip(other.limbs).for_each(|(limb, other)| *limb += other);
        self.not_finite |= other.not_finite;
    }

    /// Value of the sum, rounded to within one unit in the last place. NaN if a term is not finite.
    pub fn value(&self) -> f64 {
        if self.not_finite {
            return f64::NAN;
        }
        // Carries: a representation of the sum that does not depend on the terms, with every limb but the highest in 0..2³².
        let mut limbs = self.limbs;
        for n in 0..LIMBS - 1 {
            let carry = limbs[n] >> LIMB_BITS;
            limbs[n] -= carry << LIMB_BITS;
            limbs[n + 1] += carry;
        }
        if limbs[LIMBS - 1] < 0 {
            // Of a negative sum, the value is minus that of its magnitude.
            let mut negated = *self;
            negated.limbs.iter_mut().for_each(|limb| *limb = -*limb);
            return -negated.value();
        }
        let highest = limbs.iter().rposition(|&limb| limb != 0).unwrap_or(0);
        let lowest = highest.saturating_sub(3);
        limbs[lowest..=highest].iter().zip(lowest..).map(|(&limb, n)| scaled(limb, n)).sum()
    }
}

/// Value of limb n, `limb · 2^(32 n − 1075)`. The power of two is applied in two factors, as it may be too small for an `f64`.
fn scaled(limb: i64, n: usize) -> f64 {
    let exponent = (LIMB_BITS as usize * n) as i32 - 1075;
    limb as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

impl AddAssign<f64> for ExactSum {
    #[inline]
    fn add_assign(&mut self, term: f64) {
        let bits = term.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as u32;
        if exponent == 0x7ff {
            self.not_finite = true;
            return;
        }
        let fraction = bits & ((1 << 52) - 1);
        // Subnormal numbers have no hidden bit and the exponent of the smallest normal ones.
        let (significand, exponent) = if exponent == 0 { (fraction, 1) } else { (fraction | 1 << 52, exponent) };
        let (limb, shift) = ((exponent / LIMB_BITS) as usize, exponent % LIMB_BITS);
        let wide = u128::from(significand) << shift;
        let parts = [wide as u32, (wide >> 32) as u32, (wide >> 64) as u32];
        let sign = if bits >> 63 == 0 { 1 } else { -1 };
        for (limb, part) in self.limbs[limb..limb + 3].iter_mut().zip(parts) {
            *limb += sign * i64::from(part);
        }
    }
}

/// Particles or cells in one task.
const GRAIN: usize = 512;

/// Sums of value(i) over all particles, without dependence on their order. For sums outside of a step: exact for each particle.
pub(crate) fn sum_particles<const N: usize>(count: usize, value: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
    reduce(0..count, &|particles, sums| particles.for_each(|i| add(sums, value(i)))).map(|sum| sum.value())
}

/// Sums of value(i) over all particles. `cells` are the indices of the first particle of each cell and the number of particles.
/// Within a cell the sum is rounded, in the order of the particles; the sum over the cells is exact.
pub(crate) fn sum_cells<const N: usize>(cells: &[u32], value: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
    let count = cells.len().saturating_sub(1);
    let sums = reduce(0..count, &|range, sums| {
        for cell in cells[range.start..=range.end].array_windows() {
            let [start, end] = cell.map(|index| index as usize);
            let mut sum = [0.0; N];
            for i in start..end {
                let terms = value(i);
                (0..N).for_each(|n| sum[n] += terms[n]);
            }
            add(sums, sum);
        }
    });
    sums.map(|sum| sum.value())
}

#[inline]
fn add<const N: usize>(sums: &mut [ExactSum; N], terms: [f64; N]) {
    (0..N).for_each(|n| sums[n] += terms[n]);
}

/// Sums of the parts of `range`, in parallel; `part` adds the terms of a part.
fn reduce<const N: usize>(range: Range<usize>, part: &(dyn Fn(Range<usize>, &mut [ExactSum; N]) + Sync)) -> [ExactSum; N] {
    if range.len() <= GRAIN {
        let mut sums = [ExactSum::ZERO; N];
        if !range.is_empty() {
            part(range, &mut sums);
        }
        return sums;
    }
    let middle = range.start + range.len() / 2;
    let (mut low, high) = rayon::join(|| reduce(range.start..middle, part), || reduce(middle..range.end, part));
    low.iter_mut().zip(&high).for_each(|(low, high)| low.merge(high));
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(terms: impl IntoIterator<Item = f64>) -> f64 {
        let mut sum = ExactSum::ZERO;
        terms.into_iter().for_each(|term| sum += term);
        sum.value()
    }

    #[test]
    fn sums_are_exact() {
        let cases = [
            (vec![], 0.0),
            (vec![1.0, 1e100, 1.0, -1e100], 2.0),
            (vec![1e308, 1e308, -1e308, -1e308, 3e-320], 3e-320),
            (vec![-0.1, -0.2], -0.300_000_000_000_000_04),
            (vec![f64::MIN_POSITIVE, -f64::MIN_POSITIVE, -5e-324], -5e-324),
            ((0..1000).map(|n| f64::from(n) * 0.5).collect(), 249_750.0),
        ];
        for (terms, expected) in cases {
            assert_eq!(sum(terms.iter().copied()), expected, "{terms:?}");
            assert_eq!(sum(terms.iter().rev().map(|term| -term)), -expected, "{terms:?}, negated");
        }
        assert!(sum([1.0, f64::NAN]).is_nan() && sum([f64::INFINITY]).is_nan());
    }

    /// Against sums of whole numbers, in any order.
    #[test]
    fn sums_of_any_order_are_the_same() {
        let term = |i: usize| ((i * 7919 % 10_007) as f64 * 0.37).sin() * 2f64.powi((i % 60) as i32 - 30);
        let exact: i128 = (0..5000).map(|i| (term(i) * 2f64.powi(90)) as i128).sum();
        let [forwards] = sum_particles(5000, |i| [term(i)]);
        let [backwards] = sum_particles(5000, |i| [term(4999 - i)]);
        assert_eq!(forwards.to_bits(), backwards.to_bits());
        assert!((forwards * 2f64.powi(90) - exact as f64).abs() <= 2.0 * f64::EPSILON * exact.abs() as f64, "{forwards}");
    }

    #[test]
    fn every_particle_is_in_one_cell() {
        let cells = [0, 3, 4, 1000, 5000];
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            assert_eq!(pool.install(|| sum_cells(&cells, |i| [i as f64, 1.0])), [12_497_500.0, 5000.0]);
        }
        assert_eq!((sum_cells(&[], |_| [1.0]), sum_cells(&[0], |_| [1.0])), ([0.0], [0.0]));
    }
}
