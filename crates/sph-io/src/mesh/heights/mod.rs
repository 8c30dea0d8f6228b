//! Heights over a grid, from images and tables.

mod image;
mod limit;
mod table;

use super::file::bytes_of;
use crate::SourceFiles;
use sph_core::Heightfield;
use std::path::Path;

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
        Some("png") => image::parse(&bytes),
        Some("csv") => table::parse(&bytes, extent),
        _ => Err("is of no known format: .png and .csv are".to_owned()),
    };
    let field = field.map_err(fail)?;
    if field.columns < 2 { Err(fail("has one column: at least 2 make a surface".to_owned())) } else { Ok(field) }
}

#[cfg(test)]
mod tests;
