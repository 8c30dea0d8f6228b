//! Places kept more exactly than one f32 can: what rounding took from a sum is kept beside it, and added to the next.
//!
//! At 100 support radii from the origin an f32 is exact to 1e-5 of a particle spacing. That is what a density difference of 1e-5 comes
//! from, and more than slow fluid moves in a step.

use glam::Vec3;

/// The rounded sum of `place` and `step`, and what rounding took from it: together exactly `place + step` (Knuth1997, 4.2.2).
pub(crate) fn two_sum(place: Vec3, step: Vec3) -> (Vec3, Vec3) {
    let sum = place + step;
    let part = sum - place;
    (sum, (place - (sum - part)) + (step - part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        for (place, step) in [(260.0f32, 1e-7f32), (-3.7, 4.1e-9), (1e-3, 2.5), (0.1, -0.1), (0.0, 1e-30)] {
            let (sum, rest) = two_sum(Vec3::splat(place), Vec3::splat(step));
            assert_eq!(f64::from(sum.x) + f64::from(rest.x), f64::from(place) + f64::from(step), "{place} + {step}");
        }
    }
}
