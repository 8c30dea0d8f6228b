//! Storage formats of a gradient component: `f32`, and whole numbers of 16 bits.

use crate::simd::{Lanes, WIDTH, each};

/// 1.5 × 2²³: added to a float, it leaves the nearest whole number in the low bits, ties to even.
const ROUNDING_SHIFT: f32 = 12_582_912.0;

/// Stored type of a gradient component.
pub(crate) trait Component: Copy {
    /// Loads a block.
    fn load<L: Lanes>(block: &[Self; WIDTH]) -> L;

    /// Stores a block, and returns it as [`Component::load`] will, except NaN: whole numbers store 0 for it. A particle whose
    /// position is NaN is refused by its position, whatever its neighbours read.
    fn store<L: Lanes>(lanes: L, block: &mut [Self; WIDTH]) -> L;
}

impl Component for f32 {
    #[inline(always)]
    fn load<L: Lanes>(block: &[f32; WIDTH]) -> L {
        L::from_array(*block)
    }

    #[inline(always)]
    fn store<L: Lanes>(lanes: L, block: &mut [f32; WIDTH]) -> L {
        *block = lanes.to_array();
        lanes
    }
}

impl Component for i16 {
    #[inline(always)]
    fn load<L: Lanes>(block: &[i16; WIDTH]) -> L {
        L::from_array(each(|k| f32::from(block[k])))
    }

    #[inline(always)]
    fn store<L: Lanes>(lanes: L, block: &mut [i16; WIDTH]) -> L {
        debug_assert!(lanes.to_array().iter().all(|value| value.is_nan() || value.abs() < 32_767.5), "{:?}", lanes.to_array());
        let whole = lanes + ROUNDING_SHIFT;
        for (value, whole) in block.iter_mut().zip(whole.to_array()) {
            *value = whole.to_bits() as i16;
        }
        whole - ROUNDING_SHIFT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Available, Work, on};

    /// Blocks stored and loaded again: the largest rounding error, and true if opposite numbers stay opposite.
    struct RoundTrip;

    impl Work for RoundTrip {
        type Output = (f32, bool);

        #[inline(always)]
        fn run<L: Lanes>(self) -> (f32, bool) {
            let (mut worst, mut opposite) = (0.0f32, true);
            for n in 0..5000u16 {
                let exact = (L::numbers() + 16.0 * f32::from(n)) * 0.4 - 32_000.0;
                let (mut block, mut other) = ([0i16; WIDTH], [0i16; WIDTH]);
                let stored = i16::store(exact, &mut block);
                i16::store(L::splat(0.0) - exact, &mut other);
                assert_eq!(stored.to_array(), i16::load::<L>(&block).to_array());
                worst = worst.max((stored - exact).abs().largest());
                opposite &= block.iter().zip(other).all(|(&one, other)| one == -other);
            }
            (worst, opposite)
        }
    }

    #[test]
    fn whole_numbers_are_the_nearest_and_opposite_for_opposite_gradients() {
        for simd in Available::all() {
            let (worst, opposite) = on(simd, RoundTrip);
            assert!(worst <= 0.5 && worst > 0.4 && opposite, "{simd:?}: {worst}, {opposite}");
        }
    }
}
