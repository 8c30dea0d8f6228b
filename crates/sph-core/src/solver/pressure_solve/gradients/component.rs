//! How a component of a gradient is kept.

use crate::simd::{Lanes, WIDTH, each};

/// 1.5 × 2²³: the bits of this plus a number end in the nearest whole number, the even one of two.
const WHOLE: f32 = 12_582_912.0;

/// A component of a gradient as it is kept.
pub(crate) trait Component: Copy {
    /// A block of them.
    fn load<L: Lanes>(block: &[Self; WIDTH]) -> L;

    /// Keeps a block, and returns it as [`Component::load`] will, but for NaN: whole numbers have none and keep 0. Whose place is NaN is
    /// refused by its place, whatever its neighbours are told.
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
        let whole = lanes + WHOLE;
        for (value, whole) in block.iter_mut().zip(whole.to_array()) {
            *value = whole.to_bits() as i16;
        }
        whole - WHOLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Available, Work, on};

    /// Blocks of numbers, kept and loaded again: the worst rounding, and whether the opposite numbers become the opposite.
    struct Kept;

    impl Work for Kept {
        type Output = (f32, bool);

        #[inline(always)]
        fn run<L: Lanes>(self) -> (f32, bool) {
            let (mut worst, mut opposite) = (0.0f32, true);
            for n in 0..5000u16 {
                let exact = (L::numbers() + 16.0 * f32::from(n)) * 0.4 - 32_000.0;
                let (mut block, mut other) = ([0i16; WIDTH], [0i16; WIDTH]);
                let kept = i16::store(exact, &mut block);
                i16::store(L::splat(0.0) - exact, &mut other);
                assert_eq!(kept.to_array(), i16::load::<L>(&block).to_array());
                worst = worst.max((kept - exact).abs().largest());
                opposite &= block.iter().zip(other).all(|(&one, other)| one == -other);
            }
            (worst, opposite)
        }
    }

    #[test]
    fn whole_numbers_are_the_nearest_and_opposite_for_opposite_gradients() {
        for simd in Available::all() {
            let (worst, opposite) = on(simd, Kept);
            assert!(worst <= 0.5 && worst > 0.4 && opposite, "{simd:?}: {worst}, {opposite}");
        }
    }
}
