//! Heights over a grid, from images and tables.

use std::io::Cursor;
use std::path::Path;

use super::bytes_of;
use crate::SourceFiles;
use png::{BitDepth, ColorType, Decoder, Limits};
use sph_core::Heightfield;

/// The heights of a file, a greyscale PNG or a CSV table, whose format its extension tells. `extent` is the height of the box, m, of
/// which those of a table are a part. The file is added to `files`.
///
/// # Errors
/// The file and its fault: it cannot be read, is too large, or is damaged, or its heights are not within the box.
pub(crate) fn read_heights(path: &Path, extent: f64, files: &mut SourceFiles) -> Result<Heightfield, String> {
    let fail = |fault: String| format!("{} {fault}", path.display());
    let bytes = bytes_of(path, files).map_err(fail)?;
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    let field = match extension.to_str() {
        Some("png") => parse_image(&bytes),
        Some("csv") => parse_table(&bytes, extent),
        _ => Err("has an unknown format: expected .png or .csv".to_owned()),
    };
    let field = field.map_err(fail)?;
    if field.columns < 2 { Err(fail("has one column: a surface needs at least 2".to_owned())) } else { Ok(field) }
}

/// Maximum number of heights: 1000 by 1000.
const MAX_HEIGHTS: usize = 1_000_000;

/// The fault of a grid with too many heights.
fn too_many() -> String {
    format!("has more than {MAX_HEIGHTS} heights")
}

// Greyscale PNG: black is the bottom of the box, white the top.

/// Most memory for the reader, bytes, beside the heights themselves.
const MAX_BYTES: usize = 16 << 20;

fn parse_image(bytes: &[u8]) -> Result<Heightfield, String> {
    let fail = |error: png::DecodingError| format!("is not a PNG file: {error}");
    let decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX_BYTES });
    let mut reader = decoder.read_info().map_err(fail)?;
    let info = reader.info();
    let (columns, rows) = (info.width as usize, info.height as usize);
    let depth = match (info.color_type, info.bit_depth) {
        (ColorType::Grayscale, depth @ (BitDepth::Eight | BitDepth::Sixteen)) => depth as usize,
        (ColorType::Grayscale, depth) => return Err(format!("has {} bits per pixel, not 8 or 16", depth as u8)),
        (color, _) => return Err(format!("is not greyscale: its pixels are {color:?}")),
    };
    if columns.saturating_mul(rows) > MAX_HEIGHTS {
        return Err(too_many());
    }
    let mut pixels = vec![0; columns * rows * (depth / 8)];
    reader.next_frame(&mut pixels).map_err(fail)?;
    let heights = match depth {
        8 => pixels.iter().map(|&grey| f64::from(grey) / 255.0).collect(),
        _ => pixels.chunks_exact(2).map(|grey| f64::from(u16::from_be_bytes([grey[0], grey[1]])) / 65_535.0).collect(),
    };
    Ok(Heightfield { columns, heights })
}

// CSV tables: heights above the bottom of the box, m, separated by commas. Empty lines, and those that begin with `#`, are left out.

/// Excess over the height of the box that counts as none, relative to it: decimal fractions are rounded.
const ROUND: f64 = 1e-6;

fn parse_table(bytes: &[u8], extent: f64) -> Result<Heightfield, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is not text".to_owned())?;
    let (mut columns, mut heights) = (0, Vec::new());
    for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let before = heights.len();
        for (index, cell) in line.split(',').enumerate() {
            let place = || format!("in column {} of line {number}", index + 1);
            let height: f64 = cell.trim().parse().map_err(|_| format!("has no number {}", place()))?;
            if !(0.0..=extent * (1.0 + ROUND)).contains(&height) {
                return Err(format!("has a height of {height} m {}, outside its box of 0 to {extent} m", place()));
            }
            if heights.len() == MAX_HEIGHTS {
                return Err(too_many());
            }
            heights.push((height / extent).min(1.0));
        }
        let count = heights.len() - before;
        if before == 0 {
            columns = count;
        } else if count != columns {
            return Err(format!("has {count} heights on line {number}, but {columns} in the row before"));
        }
    }
    if heights.is_empty() { Err("has no heights".to_owned()) } else { Ok(Heightfield { columns, heights }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // Readers of heights: one ramp in every format; what is no grid of heights is an error with its place.

    fn png(columns: u32, rows: u32, color: png::ColorType, depth: png::BitDepth, pixels: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, columns, rows);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.write_header().expect("a header").write_image_data(pixels).expect("an image");
        bytes
    }

    /// Heights of 0, 1/5, 3/5 in the first row, and 1, 4/5, 2/5 in the second.
    const RAMP: [f64; 6] = [0.0, 0.2, 0.6, 1.0, 0.8, 0.4];

    #[test]
    fn the_ramp_is_the_same_from_every_format() {
        let grey = |white: f64| RAMP.map(|height| (height * white).round() as u16);
        let eight: Vec<u8> = grey(255.0).iter().map(|&grey| grey as u8).collect();
        let sixteen: Vec<u8> = grey(65_535.0).iter().flat_map(|grey| grey.to_be_bytes()).collect();
        let color = png::ColorType::Grayscale;
        let found = [
            parse_image(&png(3, 2, color, png::BitDepth::Eight, &eight)),
            parse_image(&png(3, 2, color, png::BitDepth::Sixteen, &sixteen)),
            parse_table(b"# in metres\n0, 0.1, 0.3\n\n0.5,0.4, 0.2\n", 0.5),
        ];
        for (format, field) in found.into_iter().enumerate() {
            let field = field.expect("a sound file");
            assert_eq!((field.columns, field.heights.len()), (3, 6));
            assert!(field.heights.iter().zip(RAMP).all(|(a, b)| (a - b).abs() < 1e-12), "format {format}: {:?}", field.heights);
        }
    }

    #[test]
    fn what_is_no_grid_of_heights_is_refused_with_its_place() {
        let table = |text: &str| parse_table(text.as_bytes(), 0.5).expect_err("a fault");
        assert_eq!(table("0, 0.1\n0, x"), "has no number in column 2 of line 2");
        assert_eq!(table("0, NaN"), "has a height of NaN m in column 2 of line 1, outside its box of 0 to 0.5 m");
        assert_eq!(table("0, 0.1\n0, 0.6"), "has a height of 0.6 m in column 2 of line 2, outside its box of 0 to 0.5 m");
        assert_eq!(table("0, 0.1\n0"), "has 1 heights on line 2, but 2 in the row before");
        assert_eq!(table("# nothing"), "has no heights");
        let image = |columns, rows, color, depth, pixels: &[u8]| {
            parse_image(&png(columns, rows, color, depth, pixels)).expect_err("a fault")
        };
        let rgb = image(1, 1, png::ColorType::Rgb, png::BitDepth::Eight, &[0; 3]);
        assert_eq!(rgb, "is not greyscale: its pixels are Rgb");
        assert_eq!(image(2, 1, png::ColorType::Grayscale, png::BitDepth::One, &[0]), "has 1 bits per pixel, not 8 or 16");
        let large = image(1001, 1000, png::ColorType::Grayscale, png::BitDepth::Eight, &vec![0; 1_001_000]);
        assert_eq!(large, "has more than 1000000 heights");
        assert!(parse_image(b"P5 2 2 255").expect_err("a fault").starts_with("is not a PNG file: "));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        /// Bytes replaced and cut off.
        #[test]
        fn damaged_images_do_not_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8), cut in 0usize..20) {
            let mut bytes = png(3, 2, png::ColorType::Grayscale, png::BitDepth::Eight, &[0, 50, 100, 150, 200, 250]);
            for (at, byte) in edits {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            bytes.truncate(bytes.len() - cut);
            let _ = parse_image(&bytes);
        }
    }
}
