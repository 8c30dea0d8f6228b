//! Scenes that include files: what comes of them is one scene, and errors are where they were written.

use sph_core::{Engine, Simulation};
use sph_io::{Checkpoint, LinesSoFar, Override, Scene, SceneError, load};
use std::fs;
use tempfile::TempDir;

const SCENE: &str = "format = 1\ninclude = [\"parts/water.toml\"]\ndimensions = 2\n[particles]\nspacing = 0.1\n\
    [[fluid.blocks]]\nmin = [0, 0]\nmax = [1, 1]\n";
const WATER: &str = "[fluid]\nkinematic_viscosity = 1e-6\n[[fluid.blocks]]\nmin = [1, 0]\nmax = [2, 1]\n[run]\nduration = 7\n";

/// A folder with the scene and what it includes.
fn folder(scene: &str, water: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("parts")).unwrap();
    fs::write(folder.path().join("scene.toml"), scene).unwrap();
    fs::write(folder.path().join("parts/water.toml"), water).unwrap();
    folder
}

fn open(folder: &TempDir, overrides: &[&str]) -> Result<Scene, SceneError> {
    let overrides: Vec<Override> = overrides.iter().map(|change| change.parse().unwrap()).collect();
    load(&folder.path().join("scene.toml"), &overrides)
}

/// The one-line error, without the folder.
fn error(scene: &str, water: &str) -> String {
    let folder = folder(scene, water);
    let name = format!("{}/", folder.path().display());
    open(&folder, &[]).unwrap_err().summary().replace(&name, "")
}

#[test]
fn tables_are_merged_and_arrays_of_tables_appended() {
    let joined = folder(SCENE, WATER);
    let scene = open(&joined, &["fluid.blocks.1.velocity=[3, 0]"]).unwrap();
    // The same in one file.
    let one = SCENE
        .replace("include = [\"parts/water.toml\"]\n", "")
        .replace("[[fluid", "[fluid]\nkinematic_viscosity = 1e-6\n[[fluid");
    let one = format!("{one}[[fluid.blocks]]\nmin = [1, 0]\nmax = [2, 1]\nvelocity = [3, 0]\n[run]\nduration = 7\n");
    let whole = sph_io::parse(&one, "scene", &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scene.setup, whole.setup);
    assert_eq!(scene.duration, 7.0);
    // No output replaces it.
    assert!(scene.files.paths().any(|path| path.ends_with("parts/water.toml")));
}

#[test]
fn a_checkpoint_holds_the_included_files() {
    let joined = folder(SCENE, WATER);
    let scene = open(&joined, &[]).unwrap();
    let setup = scene.setup.clone();
    let state = Simulation::new(&setup).unwrap().snapshot();
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("run.checkpoint");
    Checkpoint { scene, state, averages: Vec::new(), stats: LinesSoFar::default(), probes: LinesSoFar::default() }
        .save(&path)
        .unwrap();
    drop(joined);
    assert_eq!(Checkpoint::load(&path).unwrap().scene.setup, setup);
}

#[test]
fn a_key_given_twice_is_an_error_that_names_both_files() {
    let scene = SCENE.replace("[particles]", "[run]\nduration = 3\n[particles]");
    let expected = "parts/water.toml:7:1: `run.duration` is given twice, in scene.toml and in parts/water.toml";
    assert!(error(&scene, WATER).starts_with(expected), "{}", error(&scene, WATER));
}

#[test]
fn errors_are_in_the_file_that_they_were_written_in() {
    let unknown = error(SCENE, &WATER.replace("kinematic_viscosity", "kinematic_viscosty"));
    assert!(unknown.starts_with("parts/water.toml:2:1: unknown key `kinematic_viscosty`"), "{unknown}");
    let range = error(SCENE, &WATER.replace("duration = 7", "duration = -7"));
    assert!(range.starts_with("parts/water.toml:7:12: `run.duration` must be"), "{range}");
    // Of values that do not fit together.
    let overlap = error(SCENE, &WATER.replace("min = [1, 0]", "min = [0.5, 0]"));
    assert!(overlap.starts_with("parts/water.toml:3:"), "{overlap}");
    let syntax = error(SCENE, "[fluid\n");
    assert!(syntax.starts_with("parts/water.toml:1:7: not valid TOML"), "{syntax}");
    // And of the scene itself, though files are included.
    let own = error(&SCENE.replace("spacing = 0.1", "spacing = -1"), WATER);
    assert!(own.starts_with("scene.toml:5:11: "), "{own}");
}

#[test]
fn files_are_within_the_folder_and_included_once() {
    let of = |list: &str| error(&SCENE.replace("[\"parts/water.toml\"]", list), WATER);
    assert!(of("[\"../water.toml\"]").starts_with("scene.toml:2:12: `../water.toml` is not within the scene's folder"));
    assert!(of("[\"/etc/passwd\"]").contains("is not within the scene's folder"));
    assert!(of("[\"parts/waters.toml\"]").contains("there is no such file"), "{}", of("[\"parts/waters.toml\"]"));
    assert!(of("[\"parts/water.toml\", \"parts/water.toml\"]").contains("included already"));
    assert!(of("\"parts/water.toml\"").contains("`include` must be an array"));
    let cycle = error(SCENE, &format!("include = [\"parts/water.toml\"]\n{WATER}"));
    assert!(cycle.starts_with("parts/water.toml:1:12: `parts/water.toml` is included already"), "{cycle}");
    let own = error(SCENE, &format!("include = [\"scene.toml\"]\n{WATER}"));
    assert!(own.starts_with("parts/water.toml:1:12: `scene.toml` is included already"), "{own}");
    let text = sph_io::parse(SCENE, "text", &[]).unwrap_err().summary();
    assert!(text.starts_with("text:2:12: a scene that is not a file includes none"), "{text}");
    let replaced = open(&folder(SCENE, WATER), &["include=[]"]).unwrap_err().summary();
    assert!(replaced.contains("--set include"), "{replaced}");
}
