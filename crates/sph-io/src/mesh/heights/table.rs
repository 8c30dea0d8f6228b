//! CSV tables: heights above the bottom of the box, m, separated by commas. Empty lines, and those that begin with `#`, are left out.

use super::limit::{MAX_HEIGHTS, too_many};
use sph_core::Heightfield;

/// Excess over the height of the box that counts as none, relative to it: decimal fractions are rounded.
const ROUND: f64 = 1e-6;

pub(super) fn parse(bytes: &[u8], extent: f64) -> Result<Heightfield, String> {
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
                return Err(format!("has a height of {height} m {}, not 0 to {extent} m as its box", place()));
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
