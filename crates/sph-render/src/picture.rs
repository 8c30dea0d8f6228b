//! Pictures in memory: their PNG files, and transparency from two opaque ones.

use std::io::{self, Write};
use std::path::Path;

/// Largest width and height of a picture, pixels. A driver may draw less.
pub const MOST_PIXELS: u32 = 16_384;

/// RGBA picture: 8-bit sRGB with straight alpha, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Four bytes per pixel.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// Colour of the pixel at `x` from the left and `y` from the top; transparent black outside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let inside = x < self.width && y < self.height;
        let start = 4 * (y as usize * self.width as usize + x as usize);
        let bytes = if inside { self.rgba.get(start..start + 4) } else { None };
        bytes.map_or([0; 4], |bytes| [bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    /// Writes the picture as PNG, atomically: a failure leaves no partial file at `path`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save_png(&self, path: &Path) -> io::Result<()> {
        sph_io::write_atomically(path, |file| self.write_png(file))
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// Those of `file`.
    pub fn write_png(&self, file: &mut dyn Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgba)?;
        writer.finish()?;
        Ok(())
    }
}

// Transparency of a picture from two opaque ones: over black and over white (Smith and Blinn, "Blue screen matting", 1996). It holds for
// whatever is drawn without light from the room, and no pass needs to know of it; the look of water is drawn as spheres instead.

/// The picture whose composition over black gives `on_black`, and over white `on_white`; both have the same size.
pub fn matte(on_black: &Picture, on_white: &Picture) -> Picture {
    let pixel = |black: &[u8], white: &[u8]| {
        let (black, white) = ([black[0], black[1], black[2]].map(i32::from), [white[0], white[1], white[2]].map(i32::from));
        // 1 − α is what shows of the background in each channel; the clearest channel counts, so that no colour becomes negative.
        let shown = (0..3).map(|channel| white[channel] - black[channel]).max().unwrap_or(0).clamp(0, 255);
        let alpha = 255 - shown;
        let color = black.map(|channel| if alpha == 0 { 0 } else { ((255 * channel + alpha / 2) / alpha).min(255) as u8 });
        [color[0], color[1], color[2], alpha as u8]
    };
    let rgba = on_black.rgba.chunks_exact(4).zip(on_white.rgba.chunks_exact(4)).flat_map(|(black, white)| pixel(black, white));
    Picture { width: on_black.width, height: on_black.height, rgba: rgba.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compositions_over_black_and_white_give_the_picture_back() {
        let picture = [[200, 100, 50, 255], [10, 250, 130, 128], [90, 90, 90, 3], [0, 0, 0, 0], [255, 0, 255, 64]];
        let over = |level: f32| {
            let pixel = |[red, green, blue, alpha]: [u8; 4]| {
                let part = f32::from(alpha) / 255.0;
                let mix = |channel: u8| (f32::from(channel) * part + level * (1.0 - part)).round() as u8;
                [mix(red), mix(green), mix(blue), 255]
            };
            Picture { width: 5, height: 1, rgba: picture.into_iter().flat_map(pixel).collect() }
        };
        let found = matte(&over(0.0), &over(255.0));
        for (found, expected) in found.rgba.chunks_exact(4).zip(picture) {
            assert!(found[3].abs_diff(expected[3]) <= 1, "{found:?} for {expected:?}");
            // Colours of faint pixels are rounded more coarsely.
            let tolerance = 255u8.checked_div(expected[3]).map_or(255, |steps| steps.saturating_add(1));
            for channel in 0..3 {
                assert!(found[channel].abs_diff(expected[channel]) <= tolerance, "{found:?} for {expected:?}");
            }
        }
    }
}
