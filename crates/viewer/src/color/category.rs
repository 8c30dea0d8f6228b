//! Colours of categories: numbers without an order.

use super::oklab::{oklab, srgb};

/// Hue difference of successive numbers, degrees: the golden angle, so that the hues of a few successive numbers are all far
/// apart.
const GOLDEN_ANGLE: f32 = 137.507_77;
/// Lightness and chroma, alternating.
const TONES: [(f32, f32); 3] = [(0.72, 0.15), (0.82, 0.12), (0.62, 0.16)];

/// Number of categories in a colour map of 256 entries, three for each: later numbers have the colours of the first again.
pub const CATEGORIES: u32 = 86;

/// The colour of `number` as sRGB. Successive numbers differ clearly.
pub fn category(number: u32) -> [u8; 3] {
    // Colours repeat after 144 numbers, in which the hue has turned 55 times. The remainder keeps the angle exact.
    let number = number % 144;
    let (lightness, chroma) = TONES[number as usize % TONES.len()];
    srgb(oklab(lightness, chroma, (number as f32 * GOLDEN_ANGLE) % 360.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_numbers_differ_clearly() {
        let distance = |a: [u8; 3], b: [u8; 3]| (0..3).map(|i| (f32::from(a[i]) - f32::from(b[i])).powi(2)).sum::<f32>().sqrt();
        for number in (0..300).chain([u32::MAX - 5]) {
            for step in 1..=4 {
                let apart = distance(category(number), category(number + step));
                assert!(apart > 40.0, "{number} and {}: {apart}", number + step);
            }
        }
    }
}
