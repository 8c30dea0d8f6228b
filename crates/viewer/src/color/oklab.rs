//! Conversion from OKLab to sRGB (Björn Ottosson, "A perceptual color space for image processing", 2020; the conversion is in the
//! public domain).

/// OKLab from lightness and chroma, 0 to 1, and hue, degrees.
pub(super) fn oklab(lightness: f32, chroma: f32, hue: f32) -> [f32; 3] {
    let (sin, cos) = hue.to_radians().sin_cos();
    [lightness, chroma * cos, chroma * sin]
}

/// OKLab to 8-bit sRGB, clipped to its gamut.
pub(super) fn srgb([lightness, a, b]: [f32; 3]) -> [u8; 3] {
    let long = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let medium = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let short = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let linear = [
        4.076_741_7 * long - 3.307_711_6 * medium + 0.230_969_94 * short,
        -1.268_438 * long + 2.609_757_4 * medium - 0.341_319_38 * short,
        -0.004_196_086_3 * long - 0.703_418_6 * medium + 1.707_614_7 * short,
    ];
    linear.map(|value| {
        let value = value.clamp(0.0, 1.0);
        let encoded = if value <= 0.003_130_8 { 12.92 * value } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
        (255.0 * encoded).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oklab_of_known_colors() {
        assert_eq!(srgb([1.0, 0.0, 0.0]), [255, 255, 255]);
        assert_eq!(srgb([0.0, 0.0, 0.0]), [0, 0, 0]);
        // Pure red is (0.6280, 0.2249, 0.1258).
        assert_eq!(srgb([0.627_96, 0.224_86, 0.125_85]), [255, 0, 0]);
    }
}
