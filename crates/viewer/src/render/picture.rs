//! Picture in memory, and its PNG file.

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
