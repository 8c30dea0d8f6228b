//! Names of neighbour-search structures on the command line and in reports.

use sph_core::neighbors::Structure;
use std::sync::Arc;

/// Parses a list of structures: `all`, or names separated by commas; a name stands for all its options.
///
/// # Errors
/// If a name is unknown.
pub fn select(list: &str) -> Result<Arc<[Structure]>, String> {
    let all = Structure::all();
    if list == "all" {
        return Ok(all.into());
    }
    let mut selected = Vec::new();
    for name in list.split(',').map(str::trim) {
        let found: Vec<_> = all.iter().copied().filter(|structure| structure.name() == name).collect();
        if found.is_empty() {
            let names = Structure::USUAL.map(Structure::name).join(", ");
            return Err(format!("there is no structure `{name}`: expected `all`, or some of {names}"));
        }
        // A structure that is named twice is measured once.
        if !selected.contains(&found[0]) {
            selected.extend(found);
        }
    }
    Ok(selected.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_selected_by_name() {
        assert_eq!(*select("all").unwrap(), *Structure::all());
        assert_eq!(select("spatial_hash, cell_hash").unwrap().len(), 3);
        assert_eq!(select("uniform_grid,uniform_grid").unwrap().len(), 1);
        let error = select("spatial_hahs").unwrap_err();
        assert!(error.contains("`spatial_hahs`") && error.contains("block_map"), "{error}");
    }
}
