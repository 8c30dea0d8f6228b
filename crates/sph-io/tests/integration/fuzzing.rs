//! Inputs that fuzzing has found, and one of each format to begin with: none causes a panic, or takes seconds.
//!
//! `cargo xtask fuzz READER` finds more; those that were wrong are kept in `tests/fuzzing/`.

#[path = "../../examples/fuzz/readers.rs"]
mod readers;

use readers::Reader;
use std::path::Path;
use std::time::{Duration, Instant};

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
