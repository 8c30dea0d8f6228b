//! Loading of arbitrary text ends in a scene or in an error that can be shown; inputs that fuzzing has found, and one of each format to
//! begin with, cause no panic and take no seconds.
//!
//! `cargo xtask fuzz READER` finds more; those that were wrong are kept in `tests/fuzzing/`.

#[path = "../../examples/fuzz/readers.rs"]
mod readers;

use proptest::prelude::*;
use readers::Reader;
use sph_io::Override;
use std::path::Path;
use std::time::{Duration, Instant};

const SCENES: [&str; 3] = [
    include_str!("../../../../scenes/dam_break.toml"),
    include_str!("../../../../scenes/falling_block_2d.toml"),
    "format = 1\nparticles = { spacing = 0.1 }\nfluid.blocks = [{ min = [0, 0, 0], max = [1, 1, 1] }]\n",
];

fn shown(text: &str, overrides: &[Override]) {
    match sph_io::parse(text, "scene", overrides) {
        Ok(scene) => assert!(scene.setup.validate().is_ok()),
        Err(error) => {
            assert!(!error.summary().is_empty() && !error.summary().contains('\n'));
            assert!(error.report(false).starts_with("error: "));
        }
    }
}

/// Values and characters that are invalid at most places.
const ODD: &[&str] = &[
    "nan",
    "-inf",
    "1e999",
    "-1",
    "0",
    "1e-40",
    "9223372036854775807",
    "true",
    "[[",
    "]]",
    "{",
    "}",
    "\"",
    "'''",
    "=",
    "\n",
    "\r",
    "\0",
    "é",
    "🌊",
    "\u{feff}",
    "[1, 2]",
    "{ a = 1 }",
    "a.b.c",
    "1979-05-27",
];

/// Invalid values, and arbitrary text.
fn snippet() -> impl Strategy<Value = String> {
    prop_oneof![proptest::sample::select(ODD).prop_map(str::to_owned), any::<String>()]
}

/// A scene with some ranges of characters replaced.
fn mutated() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), 0..12usize, snippet());
    (proptest::sample::select(&SCENES[..]), prop::collection::vec(change, 1..4)).prop_map(|(scene, changes)| {
        let mut letters: Vec<char> = scene.chars().collect();
        for (place, length, text) in changes {
            let start = place.index(letters.len() + 1);
            let end = (start + length).min(letters.len());
            letters.splice(start..end, text.chars());
        }
        letters.into_iter().collect()
    })
}

/// A scene with the values of its last lines replaced.
fn revalued() -> impl Strategy<Value = String> {
    (proptest::sample::select(&SCENES[..]), any::<prop::sample::Index>(), snippet()).prop_map(|(scene, line, value)| {
        let chosen = line.index(scene.lines().count());
        let line = |(index, line): (usize, &str)| match line.split_once('=') {
            Some((key, _)) if index >= chosen => format!("{key}= {value}\n"),
            _ => format!("{line}\n"),
        };
        scene.lines().enumerate().map(line).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        shown(&text, &[]);
    }

    #[test]
    fn a_damaged_scene(text in mutated()) {
        shown(&text, &[]);
    }

    #[test]
    fn a_scene_with_odd_values(text in revalued()) {
        shown(&text, &[]);
    }

    #[test]
    fn odd_overrides(path in prop_oneof![any::<String>(), "(grid|fluid|particles|view|run|time_step)\\.[a-z_]{1,8}", "fluid\\.blocks\\.[0-9]{1,20}(\\.(min|max))?(\\.[0-9])?", "containers\\.0\\.(open|min|max)"], value in snippet()) {
        for scene in SCENES {
            shown(scene, &[Override { path: path.clone(), value: value.clone() }]);
        }
    }
}

/// Time for one input: a hundred times what any takes in an optimised build.
const MOST_TIME: Duration = Duration::from_secs(30);

#[test]
fn inputs_that_were_found_are_read_to_an_end() {
    for reader in Reader::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzzing").join(reader.name());
        // Of a reader that nothing was found in there is no folder.
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let start = Instant::now();
            let outcome = reader.read(&path);
            println!("{}: {outcome}", path.display());
            assert!(start.elapsed() < MOST_TIME, "{}: {:?}", path.display(), start.elapsed());
        }
    }
}

#[test]
fn every_format_of_particles_has_a_sound_file_to_begin_with() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzzing/particles");
    for name in ["partio.bgeo", "compressed.bgeo", "ascii.ply", "binary_little_endian.ply"] {
        let outcome = Reader::Particles.read(&folder.join(name));
        assert!(outcome.starts_with("Three Dfsph") || outcome.starts_with("Three Wcsph"), "{name}: {outcome}");
    }
}

#[test]
fn every_format_of_meshes_has_a_sound_file_to_begin_with() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzzing/mesh");
    let sound = [
        "tetrahedron.obj",
        "text.stl",
        "binary.stl",
        "ascii.ply",
        "binary_big_endian.ply",
        "tetrahedron.gltf",
        "tetrahedron.glb",
    ];
    for name in sound {
        let outcome = Reader::Mesh.read(&folder.join(name));
        assert!(outcome.starts_with("Three Dfsph") || outcome.starts_with("Three Wcsph"), "{name}: {outcome}");
    }
}
