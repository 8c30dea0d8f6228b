//! What is put together into a scene: overrides and included files. Good ones, and bad ones with the place of each error.

use crate::bad_scenes::{GOOD, error};
use sph_core::{Engine, Method, Preset, Simulation};
use sph_io::{Checkpoint, LinesSoFar, Override, Scene, SceneError, load};
use std::fs;
use tempfile::TempDir;

/// Checks the summary of the good scene with an override, which it begins with.
#[track_caller]
fn check_set(set: &str, summary: &str) {
    assert_eq!(error(GOOD, &[set]).summary(), format!("--set {set}: {summary}"));
}

#[test]
fn overrides() {
    check_set("grid.tabel_size=3", "unknown key `grid.tabel_size`: did you mean `grid.table_size`?");
    check_set("gird.table_size=3", "unknown key `gird.table_size`: did you mean `grid`?");
    check_set("table_size=3", "unknown key `table_size`: did you mean `grid.table_size`?");
    check_set("a.b.c=3", "unknown key `a.b.c`: no scene has this key");
    check_set(
        "solver.name=wcsph",
        "unknown key `solver.name`: expected `coarse_correction`, `dfsph`, `iisph`, `method`, `pbf`, `pcisph`, `shifting`, `walls`, `warm_start` or `wcsph`",
    );
    check_set("grid..hash=3", "unknown key `grid..hash`: did you mean `grid.hash`?");
    check_set("grid.hash.x=3", "unknown key `grid.hash.x`: did you mean `grid.hash`?");
    check_set("grid.table_size=0", "`grid.table_size` must be a whole number from 1 to 16777216, but is 0");
    check_set(
        "grid.table_size=ten",
        "`grid.table_size` must be a whole number, but is a string: expected a whole number from 1 to 16777216",
    );
    check_set(
        "grid.hash=teschnr",
        "`grid.hash` must be `muller`, `teschner`, `morton` or `mix`, but is `teschnr`: did you mean `teschner`?",
    );
    check_set("particles.spacing=-1", "`particles.spacing` must be a number above 0, but is -1");
    let many = error(GOOD, &["particles.spacing=1e-9"]).summary();
    assert!(many.contains("particles are too many: at most 20,000,000 are possible: needs more than 16 EiB"), "{many}");
    check_set("gravity=[0, -9", "not valid TOML: unclosed array, expected `]`");
    check_set("fluid.blocks.2.max=[1, 1]", "there is no item 2: the array has 2, counted from 0: the scene has no such value");
    check_set("fluid.blocks.max=[1, 1]", "`fluid.blocks` is an array: expected the number of an item, from 0");
    check_set("fluid.blocks.1.max.1=2.5", "fluid block 1 is not inside any container: the container ends at y = 1 m");
    check_set("grid={ hsh = 3 }", "unknown key `hsh` in `grid`: did you mean `hash`?");
    let report = error(GOOD, &["grid.hash=teschner", "grid.tabel_size=3"]).report(false);
    let expected = "\
error: unknown key `grid.tabel_size`
 --> command line:1:12
  |
1 | --set grid.tabel_size=3
  |            ^^^^^^^^^^ did you mean `grid.table_size`?";
    assert_eq!(report, expected);
    // An override may cause an error at another place.
    let elsewhere = error(GOOD, &["containers.0.max=[0.7, 0.9]", "grid.hash=teschner"]);
    let note = "= note: with --set containers.0.max=[0.7, 0.9] --set grid.hash=teschner";
    assert!(elsewhere.line_and_column().is_some() && elsewhere.report(false).contains(note), "{elsewhere}");
    assert!(!error(GOOD, &["fluid.blocks.1.max.1=2.5"]).report(false).contains("note"));
    // Arrays and tables on the path of an override must be there and have the right type.
    let no_containers = GOOD.replace("[[containers]]", "[run]").replace("min = [0.0, 0.0]\nmax = [1.0, 1.0]", "");
    let missing = error(&no_containers, &["containers.0.max=[2, 2]"]).summary();
    assert_eq!(missing, "--set containers.0.max=[2, 2]: there is no item 0 to change: the scene has no such value");
    let not_a_table = GOOD.replace("[grid]\nhash = \"muller\"\n", "").replace("format = 1", "format = 1\ngrid = 3");
    assert!(error(&not_a_table, &["grid.hash=teschner"]).summary().contains("neither a table nor an array"));
}

#[test]
fn valid_overrides() {
    let overrides = [
        "grid.hash=teschner",
        "grid.table_size=97",
        "run.duration=0.5",
        "view.color=pressure",
        "title=A drop",
        "fluid.blocks.1.max.1=0.3",
        "gravity=[0, -1.62]",
    ];
    let overrides = overrides.map(|text| text.parse().unwrap());
    let scene = sph_io::parse(GOOD, "a", &overrides).unwrap();
    assert_eq!(scene.setup.parameters.grid.hash.name(), "teschner");
    assert_eq!(scene.setup.parameters.grid.table_size, 97);
    assert_eq!((scene.duration, scene.view.color), (0.5, sph_io::ColorField::Pressure));
    assert_eq!(scene.title, "A drop");
    assert_eq!(scene.setup.blocks[1].max.y, 0.3);
    assert_eq!(scene.setup.parameters.gravity.y, -1.62);
    // The last override counts, and an override can replace a wrong or missing value.
    let twice = ["run.duration=1", "run.duration=3"].map(|text| text.parse().unwrap());
    assert_eq!(sph_io::parse(GOOD, "a", &twice).unwrap().duration, 3.0);
    let mended = ["particles.spacing=0.04".parse().unwrap()];
    assert!(sph_io::parse(&GOOD.replace("spacing = 0.02", ""), "a", &mended).is_ok());
}

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
fn error_of(scene: &str, water: &str) -> String {
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
    assert!(error_of(&scene, WATER).starts_with(expected), "{}", error_of(&scene, WATER));
}

#[test]
fn errors_are_in_the_file_that_they_were_written_in() {
    let unknown = error_of(SCENE, &WATER.replace("kinematic_viscosity", "kinematic_viscosty"));
    assert!(unknown.starts_with("parts/water.toml:2:1: unknown key `kinematic_viscosty`"), "{unknown}");
    let range = error_of(SCENE, &WATER.replace("duration = 7", "duration = -7"));
    assert!(range.starts_with("parts/water.toml:7:12: `run.duration` must be"), "{range}");
    // Of values that do not fit together.
    let overlap = error_of(SCENE, &WATER.replace("min = [1, 0]", "min = [0.5, 0]"));
    assert!(overlap.starts_with("parts/water.toml:3:"), "{overlap}");
    let syntax = error_of(SCENE, "[fluid\n");
    assert!(syntax.starts_with("parts/water.toml:1:7: not valid TOML"), "{syntax}");
    // And of the scene itself, though files are included.
    let own = error_of(&SCENE.replace("spacing = 0.1", "spacing = -1"), WATER);
    assert!(own.starts_with("scene.toml:5:11: "), "{own}");
}

#[test]
fn files_are_within_the_folder_and_included_once() {
    let of = |list: &str| error_of(&SCENE.replace("[\"parts/water.toml\"]", list), WATER);
    assert!(of("[\"../water.toml\"]").starts_with("scene.toml:2:12: `../water.toml` is not within the scene's folder"));
    assert!(of("[\"/etc/passwd\"]").contains("is not within the scene's folder"));
    assert!(of("[\"parts/waters.toml\"]").contains("there is no such file"), "{}", of("[\"parts/waters.toml\"]"));
    assert!(of("[\"parts/water.toml\", \"parts/water.toml\"]").contains("included already"));
    assert!(of("\"parts/water.toml\"").contains("`include` must be an array"));
    let cycle = error_of(SCENE, &format!("include = [\"parts/water.toml\"]\n{WATER}"));
    assert!(cycle.starts_with("parts/water.toml:1:12: `parts/water.toml` is included already"), "{cycle}");
    let own = error_of(SCENE, &format!("include = [\"scene.toml\"]\n{WATER}"));
    assert!(own.starts_with("parts/water.toml:1:12: `scene.toml` is included already"), "{own}");
    let text = sph_io::parse(SCENE, "text", &[]).unwrap_err().summary();
    assert!(text.starts_with("text:2:12: only a scene file can include files"), "{text}");
    let replaced = open(&folder(SCENE, WATER), &["include=[]"]).unwrap_err().summary();
    assert!(replaced.contains("--set include"), "{replaced}");
}

#[test]
fn a_scene_that_only_emitters_fill_has_a_table_for_what_they_may_add() {
    let text = "format = 1\ndimensions = 3\nparticles.spacing = 0.1\n[[containers]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n[[emitters]]\n\
        center = [0.5, 0.9, 0.5]\ndirection = [0, -1, 0]\nradius = 0.2\nspeed = 1\n";
    let size = |text: &str| sph_io::parse(text, "jet", &[]).expect("a scene").setup.parameters.grid.table_size;
    assert_eq!(size(text), 20_000);
    assert_eq!(size(&text.replace("particles.spacing", "particles.limit = 300\nparticles.spacing")), 600);
}

#[test]
fn a_preset_gives_defaults_that_the_scene_and_overrides_replace() {
    let preset = |sets: &[&str]| {
        let sets: Vec<Override> = sets.iter().map(|set| set.parse().expect("an override")).collect();
        sph_io::parse(GOOD, "good", &sets).expect("a scene").setup.parameters
    };
    assert_eq!(Preset::of(&preset(&["preset=live"])), Some(Preset::Live));
    assert_eq!(Preset::of(&preset(&["preset=accurate"])), Some(Preset::Accurate));
    let own = preset(&["preset=live", "solver.method=dfsph", "time_step.max_dt=0.002"]);
    assert_eq!((own.solver.method, own.time_step.max_dt), (Method::Dfsph, 0.002));
    assert_eq!((own.solver.dfsph.tolerance, own.time_step.cfl_factor), (3e-3, 1.4));
    check_set("preset=lively", "`preset` must be `live` or `accurate`, but is `lively`: did you mean `live`?");
}
