//! Names of structures and grids in the panels.

use super::format;
use sph_core::neighbors::{GridParameters, Structure};

/// Name of a structure with its options.
pub fn full_name(structure: Structure) -> String {
    let options = structure.option_names();
    let name = structure.label();
    if options.is_empty() { name.to_owned() } else { format!("{name} ({})", options.join(", ")) }
}

/// Description of a configuration: `Cell hash (rebuilt), 8,192 buckets, 0.0800 m`.
pub fn describe(grid: &GridParameters) -> String {
    let mut text = full_name(grid.structure);
    if grid.structure.has_table() {
        text += &format!(", {} buckets", format::count(grid.table_size.into()));
    }
    if grid.structure != Structure::BruteForce {
        text += &format!(", {} m", format::length(grid.cell_size.into()));
    }
    text
}
