//! Arguments shared by several commands, and the parsers of their values.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use sph_core::neighbors::Structure;
use sph_io::Override;

/// Scene and overrides.
#[derive(Clone, Debug, Args)]
pub struct SceneArgs {
    /// Scene file [default: the dam break]
    pub scene: Option<PathBuf>,
    #[command(flatten)]
    pub overrides: OverrideArgs,
}

/// Overrides of a scene file's values.
#[derive(Clone, Debug, Args)]
pub struct OverrideArgs {
    /// Replace a value of the scene, such as grid.table_size=4096; can be repeated
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<Override>,
}

/// Number of threads of the simulation.
#[derive(Clone, Copy, Debug, Args)]
pub struct ThreadArgs {
    /// Threads of the simulation [default: one per core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub threads: Option<u16>,
}

/// Parses a positive, finite number.
///
/// # Errors
/// If `text` is not one.
pub fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value: &f64| value.is_finite() && *value > 0.0)
        .ok_or_else(|| "expected a positive number".to_owned())
}

/// Parses a number of steps, at least one.
///
/// # Errors
/// If `text` is not one.
pub fn steps(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|&steps| steps > 0).ok_or_else(|| "expected a whole number, at least 1".to_owned())
}

/// Parses a number of threads.
///
/// # Errors
/// If `text` is not one.
pub fn threads(text: &str) -> Result<u16, String> {
    text.parse()
        .ok()
        .filter(|threads| (1..=1024).contains(threads))
        .ok_or_else(|| "expected a whole number from 1 to 1024".to_owned())
}

// Names of neighbour-search structures on the command line and in reports.

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
            return Err(format!("there is no structure `{name}`: expected `all`, or names separated by commas out of {names}"));
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
