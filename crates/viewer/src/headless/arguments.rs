//! Arguments shared by several commands, and the parsers of their values.

use crate::render::MOST_PIXELS;
use clap::Args;
use sph_io::Override;
use std::path::PathBuf;

/// Scene and overrides.
#[derive(Clone, Debug, Args)]
pub struct SceneArgs {
    /// Scene file; without one, the dam break
    pub scene: Option<PathBuf>,
    #[command(flatten)]
    pub overrides: OverrideArgs,
}

/// Overrides of a scene file's values.
#[derive(Clone, Debug, Args)]
pub struct OverrideArgs {
    /// Replace a value of the scene, such as grid.table_size=4096; may be given more than once
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
    text.parse().ok().filter(|&steps| steps > 0).ok_or_else(|| "expected a whole number of at least 1".to_owned())
}

/// Parses a number of threads.
///
/// # Errors
/// If `text` is not one.
pub fn threads(text: &str) -> Result<u16, String> {
    text.parse().ok().filter(|threads| (1..=1024).contains(threads)).ok_or_else(|| "expected 1 to 1024".to_owned())
}

/// Parses the size of a picture, `1280x720`.
///
/// # Errors
/// If `text` is not one.
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=MOST_PIXELS).contains(side));
    let sides = text.split_once(['x', 'X', '×']).and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.ok_or_else(|| format!("expected WIDTHxHEIGHT, each 1 to {MOST_PIXELS} pixels, such as 1280x720"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("1280x720"), Ok([1280, 720]));
        for bad in ["1280", "x", "0x10", "10x-1", "1e3x10", "99999x1", "16385x1"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        // The guide names the largest.
        let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/pictures.md"));
        let most = format!("any up to {},{:03} pixels", MOST_PIXELS / 1000, MOST_PIXELS % 1000);
        assert!(size(&format!("{MOST_PIXELS}x1")).is_ok() && guide.expect("a page").contains(&most), "{most}");
    }
}
