//! Compensated summation of positions: the rounding error of a sum is kept and added to the next.
//!
//! At 100 support radii from the origin, rounding to f32 is 1e-5 of a particle spacing: as much as a density difference of 1e-5
//! comes from, and more than slow fluid moves in a step.

use glam::Vec3;

/// Rounded sum of `position` and `step`, and its rounding error: together exactly `position + step` (Knuth1997, 4.2.2).
pub(crate) fn two_sum(position: Vec3, step: Vec3) -> (Vec3, Vec3) {
    let sum = position + step;
    let part = sum - position;
    (sum, (position - (sum - part)) + (step - part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_and_error_are_exact() {
        for (position, step) in [(260.0f32, 1e-7f32), (-3.7, 4.1e-9), (1e-3, 2.5), (0.1, -0.1), (0.0, 1e-30)] {
            let (sum, rest) = two_sum(Vec3::splat(position), Vec3::splat(step));
            assert_eq!(f64::from(sum.x) + f64::from(rest.x), f64::from(position) + f64::from(step), "{position} + {step}");
        }
    }
}
