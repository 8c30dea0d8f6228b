//! `sph tune` of the searches of cloth and balls, by the program without a window.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Many balls over a sheet, without fluid. Brute force is as bad a search of the balls as there is.
const POINTS: &str = "format = 1\nparticles.spacing = 0.1\ntime_step.max_dt = 0.005\n[[containers]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
    [[cloths]]\nname = \"sheet\"\ncorner = [0.2, 0.3, 0.2]\nalong = [0.5, 0, 0]\nacross = [0, 0, 0.5]\nspacing = 0.1\n\
    [[balls]]\nname = \"gravel\"\ncount = 3000\nradius_range = [0.005, 0.03]\nmin = [0.1, 0.4, 0.1]\nmax = [0.9, 0.9, 0.9]\n\
    [ball.grid] # slow\nstructure = \"brute_force\"\n";

/// A file of this test with this text.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("a file");
    path
}

/// Tunes a few structures on `scene` with more `arguments`.
fn tune(scene: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sph-cli"));
    command.arg("tune").arg(scene).args(["--steps", "3", "--threads", "1", "--structures", "uniform_grid,spatial_hash"]);
    command.args(arguments).output().expect("the program runs")
}

#[track_caller]
fn check(output: &Output, code: i32, parts: &[&str]) {
    let text = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).join("\n");
    assert_eq!(output.status.code(), Some(code), "{text}");
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[test]
fn without_fluid_the_search_of_the_first_set_is_tuned() {
    let path = file("first.toml", POINTS);
    let parts = ["each structure for sheet, 36 points", "cell spacing in search radii", "tested per pair found"];
    check(&tune(&path, &[]), 0, &parts);
}

#[test]
fn the_search_of_balls_is_tuned_and_saved() {
    let path = file("balls.toml", POINTS);
    let advice = "To use it, set under [ball.grid] in the scene: structure = ";
    let output = tune(&path, &["--search-of", "gravel", "--save"]);
    check(&output, 0, &["each structure for gravel, 3,000 points", advice, "saved the best grid to"]);
    let saved = fs::read_to_string(&path).expect("the scene");
    assert!(saved.starts_with(POINTS.split("structure").next().expect("a part")), "{saved}");
    assert!(saved.contains("[ball.grid] # slow") && !saved.contains("brute_force") && !saved.contains("\n[grid]"), "{saved}");
}

#[test]
fn a_search_without_points_is_refused() {
    let path = file("unknown.toml", POINTS);
    check(&tune(&path, &["--search-of", "sand"]), 2, &["`sand`", "fluid, sheet, gravel"]);
    check(&tune(&path, &["--search-of", "fluid"]), 2, &["there is nothing of `fluid` to search"]);
}
