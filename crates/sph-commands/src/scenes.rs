//! Finding a scene: the named file, or else the dam break, from a file or built in.

use sph_io::{Override, Scene, SceneError};
use std::path::{Path, PathBuf};

/// Path of the default scene below the working directory or a folder above the program.
const DEFAULT_PATH: &str = "scenes/dam_break.toml";

/// Name of the default scene.
pub const DEFAULT_NAME: &str = "dam_break";

/// The default scene at build time, for a program that was copied without its scenes.
pub const DEFAULT_TEXT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/dam_break.toml"));

/// Loads the scene at `path`, or the default scene.
///
/// # Errors
/// If the scene or an override cannot be used.
pub fn open(path: Option<&Path>, overrides: &[Override]) -> Result<Scene, SceneError> {
    match path.map(Path::to_owned).or_else(default_path) {
        Some(path) => sph_io::load(&path, overrides),
        None => sph_io::parse(DEFAULT_TEXT, DEFAULT_NAME, overrides),
    }
}

/// The default scene's file: below the working directory, else below a folder that contains the program, such as the checkout
/// around `target/release/sph`.
pub fn default_path() -> Option<PathBuf> {
    let program = std::env::current_exe().ok();
    let above = program.iter().flat_map(|program| program.ancestors().skip(1));
    std::iter::once(Path::new("")).chain(above).map(|folder| folder.join(DEFAULT_PATH)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_scene_is_valid() {
        let scene = sph_io::parse(DEFAULT_TEXT, DEFAULT_NAME, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scene.name, DEFAULT_NAME);
    }
}
