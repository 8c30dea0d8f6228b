//! Greyscale PNG: black is the bottom of the box, white the top.

use super::limit::{MAX_HEIGHTS, too_many};
use png::{BitDepth, ColorType, Decoder, Limits};
use sph_core::Heightfield;
use std::io::Cursor;

/// Most memory for the reader, bytes, beside the heights themselves.
const MAX_BYTES: usize = 16 << 20;

pub(super) fn parse(bytes: &[u8]) -> Result<Heightfield, String> {
    let fail = |error: png::DecodingError| format!("is no PNG file: {error}");
    let decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX_BYTES });
    let mut reader = decoder.read_info().map_err(fail)?;
    let info = reader.info();
    let (columns, rows) = (info.width as usize, info.height as usize);
    let depth = match (info.color_type, info.bit_depth) {
        (ColorType::Grayscale, depth @ (BitDepth::Eight | BitDepth::Sixteen)) => depth as usize,
        (ColorType::Grayscale, depth) => return Err(format!("has {} bits a pixel, not 8 or 16", depth as u8)),
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
