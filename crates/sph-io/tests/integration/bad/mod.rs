//! A good scene to spoil, and the error that comes of it.

pub mod check;

use sph_io::{Override, SceneError};

/// A scene that loads.
pub const GOOD: &str = r#"format = 1
dimensions = 2
[particles]
spacing = 0.02
[fluid]
rest_density = 1000.0
[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.5, 0.4]
[[fluid.blocks]]
min = [0.6, 0.0]
max = [0.8, 0.4]
[[containers]]
min = [0.0, 0.0]
max = [1.0, 1.0]
[grid]
hash = "muller"
"#;

/// Error of a scene with overrides.
///
/// # Panics
/// If the scene loads.
pub fn error(text: &str, sets: &[&str]) -> SceneError {
    let overrides: Vec<Override> = sets.iter().map(|set| set.parse().unwrap()).collect();
    match sph_io::parse(text, "a.toml", &overrides) {
        Ok(_) => panic!("accepted:\n{text}\n{sets:?}"),
        Err(error) => error,
    }
}
