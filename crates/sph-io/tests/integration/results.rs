//! Results: written and read again, made scenes of, compared; faults have their place.

use sph_core::Simulation;
use sph_core::parameters::Parameters;
use sph_io::{BenchResult, Machine, Measured, ResultError, Scene, Source};
use std::path::Path;

const SCENE: &str = "format = 1
title = \"A drop\" # with a comment
dimensions = 2
[particles]
spacing = 0.1
[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.3, 0.3]
";

fn result_of(scene: &Scene, parameters: &Parameters, steps: usize) -> BenchResult {
    let mut simulation = Simulation::new(&scene.setup).expect("the scene can be simulated");
    simulation.set_parameters(*parameters).expect("the parameters are valid");
    let stats: Vec<_> = (0..steps).map(|_| simulation.step()).collect();
    let measured = Measured::of(Source::Window, stats.iter(), 0, &simulation.memory()).expect("there are steps");
    BenchResult::new(scene, parameters, &[], Machine::present(1), measured)
}

/// A scene and the result of a few of its steps with another grid.
fn example() -> (Scene, Parameters, BenchResult) {
    let scene = sph_io::parse(SCENE, "drop", &["grid.table_size=77".parse().unwrap()]).unwrap();
    let mut parameters = scene.setup.parameters;
    (parameters.grid.table_size, parameters.fluid.kinematic_viscosity) = (55, 0.25);
    parameters.time_step.fixed_dt = Some(1e-4);
    let result = result_of(&scene, &parameters, 4);
    (scene, parameters, result)
}

#[test]
fn a_result_is_read_as_it_was_written() {
    let (_, _, result) = example();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    result.save(&path).unwrap();
    assert_eq!(BenchResult::load(&path).unwrap(), result);
    assert_eq!((result.measured.steps, result.measured.last_step, result.measured.particles), (4, 4, 9));
    assert_eq!((result.measured.search.table_size, result.machine.threads), (55, 1));
    let median = result.measured.step.median_ms;
    assert!(result.measured.step.fastest_ms <= median && median <= result.measured.step.p90_ms);
    assert!(result.measured.phases.values().all(|phase| phase.median_ms <= result.measured.step.p90_ms));
}

#[test]
fn the_scene_of_a_result_is_the_one_that_was_measured() {
    let (scene, parameters, result) = example();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    result.save(&path).unwrap();
    let again = sph_io::load(&path, &[]).unwrap();
    assert_eq!(again.setup.parameters, parameters);
    assert_eq!((again.name.as_str(), again.title.as_str(), again.path.as_deref()), ("drop", "A drop", Some(path.as_path())));
    assert!(again.text.contains("# with a comment") && again.overrides.is_empty(), "{}", again.text);
    // Options of the command line come last.
    let changed = sph_io::load(&path, &["grid.table_size=33".parse().unwrap()]).unwrap();
    assert_eq!(changed.setup.parameters.grid.table_size, 33);
    // A result of what was opened repeats the settings, and a scene file can be made of it.
    let second = result_of(&again, &again.setup.parameters, 1);
    assert_eq!(second.settings, result.settings);
    let imported = sph_io::import(&path, None).unwrap();
    assert_eq!(sph_io::parse(&imported.text, "drop", &[]).unwrap().setup.parameters, parameters);
    let error = sph_io::save_parameters(&path, &scene.setup.parameters, &[], &again).unwrap_err();
    assert!(error.to_string().contains("cannot be saved to"), "{error}");
}

#[test]
fn files_of_a_scene_go_with_it_or_lie_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let body = "[[bodies]]\nmin = [1.0, 1.0]\nmax = [1.2, 1.2]\nmotion_file = 'path.csv'\n";
    std::fs::write(at("scene.toml"), format!("{SCENE}{body}")).unwrap();
    let velocities = "time,x,y\n0,0.0,0.0\n1,1.2,0.1\n";
    std::fs::write(at("path.csv"), velocities).unwrap();
    let scene = sph_io::load(&at("scene.toml"), &[]).unwrap();
    let mut result = result_of(&scene, &scene.setup.parameters, 1);
    let named = &result.scene.files[0];
    assert_eq!(
        (named.path.as_str(), named.text.as_deref(), named.bytes),
        ("path.csv", Some(velocities), velocities.len() as u64)
    );

    let other = tempfile::tempdir().unwrap();
    let path = other.path().join("shared.json");
    let load = |path: &Path| sph_io::load(path, &[]);
    result.save(&path).unwrap();
    assert_eq!(load(&path).unwrap().setup, scene.setup, "from the result");
    std::fs::write(other.path().join("path.csv"), velocities).unwrap();
    assert_eq!(load(&path).unwrap().remarks, scene.remarks, "the same file beside it");
    std::fs::write(other.path().join("path.csv"), velocities.replace("1.2", "1.3")).unwrap();
    let remarks = load(&path).unwrap().remarks;
    assert!(remarks.iter().any(|remark| remark.contains("path.csv is not the file that was measured")), "{remarks:?}");
    std::fs::remove_file(other.path().join("path.csv")).unwrap();
    result.scene.files[0].text = None;
    result.save(&path).unwrap();
    let error = load(&path).unwrap_err().report(false);
    assert!(error.contains("it needs the file path.csv") && error.contains("beside the result"), "{error}");
}

#[test]
fn a_cut_file_says_so_wherever_it_is_cut() {
    let text = example().2.text();
    let end = text.trim_end().len();
    for length in (17..end).step_by(97).chain([end - 1]) {
        match BenchResult::parse(&text[..length]).unwrap_err() {
            ResultError::CutOff { line } => assert_eq!(line, text[..length].matches('\n').count() + 1, "{length}"),
            error => panic!("{length}: {error}"),
        }
    }
    BenchResult::parse(&text[..end]).unwrap();
}

#[test]
fn faults_have_their_place() {
    let text = example().2.text();
    let fault = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        BenchResult::parse(&text.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert!(
        fault("\"sph_result\": 1", "\"sph_result\": 2").starts_with("it has version 2 of the format, but this program reads")
    );
    // Another version may hold anything else.
    assert!(BenchResult::parse("{\"sph_result\": 7, \"new\": []}").unwrap_err().to_string().contains("version 7"));
    let error = fault("\"steps\": 4", "\"steps\": \"four\"");
    let line = text.lines().position(|line| line.contains("\"steps\"")).unwrap() + 1;
    assert!(error.starts_with(&format!("line {line}: measured.steps: invalid type: string")), "{error}");
    assert!(fault("\"steps\": 4", "\"steps\": 0").contains("measured.steps: expected at least 1"));
    assert!(fault("\"steps\": 4", "\"stops\": 4").contains("unknown field `stops`"));
    assert!(
        fault("\"grid.table_size\": 55", "\"grid.table_size\": -5")
            .contains("settings.grid.table_size: -5 is not a valid value")
    );
    assert!(fault("\"grid.table_size\"", "\"grid.table\"").contains("settings.grid.table: it is not a parameter"));
    assert!(fault("\"dimensions\": 2", "\"dimensions\": 4").contains("settings.dimensions"));
    assert!(fault("\"load_factor\": ", "\"load_factor\": -").contains("measured.search.load_factor"));
    assert!(fault("\"sort\": {", "\"sorting\": {").contains("measured.phases.sorting: there is no such phase"));
    for other in ["", "{}", "[1]", "format = 1", "{\"sph_recording\": 1}", "{\"Configuration\": {}}"] {
        assert!(matches!(BenchResult::parse(other), Err(ResultError::NoResult)), "{other}");
    }
    assert!(matches!(BenchResult::load(Path::new(env!("CARGO_MANIFEST_DIR"))), Err(ResultError::Io(_))));
}

#[test]
fn what_differs_is_found_and_nothing_else() {
    let (_, parameters, first) = example();
    let mut second = first.clone();
    second.settings.insert("grid.table_size".to_owned(), 1000.into());
    second.machine.threads = 7;
    second.measured.step.median_ms = 2.0 * first.measured.step.median_ms;
    let settings = first.settings_beside(&second);
    let differing: Vec<_> = settings.iter().filter(|row| row.differs()).map(|row| (row.section, &*row.label)).collect();
    assert_eq!(differing, [("Grid", "Hash table size"), ("Machine", "Threads")]);
    let figures = first.figures_beside(&second);
    assert_eq!(figures[0].label, "step");
    assert!((figures[0].ratio().unwrap() - 2.0).abs() < 1e-9);
    let others = figures.iter().filter(|row| !matches!(&*row.label, "step" | "per particle"));
    assert!(others.clone().count() > 10 && others.clone().all(|row| row.values[0] == row.values[1]));
    let grid = second.with_grid(parameters).grid;
    assert_eq!((grid.table_size, grid.cell_size), (1000, parameters.grid.cell_size));
}

/// Whatever a byte becomes, the file is read or refused, as a result and as a scene.
#[test]
fn damaged_bytes_are_read_or_refused() {
    const BYTES: &[u8] = b"0-9\"{}[],:.eE\\ a\xff\n";
    let text = example().2.text();
    let mut state = 7_u64;
    let mut next = |bound: usize| {
        // An LCG of Knuth's.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    let mut refused = 0;
    for number in 0..2000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=next(3) {
            let place = next(bytes.len());
            bytes[place] = BYTES[next(BYTES.len())];
        }
        if let Ok(text) = std::str::from_utf8(&bytes) {
            refused += usize::from(BenchResult::parse(text).is_err());
        }
        if number % 40 == 0 {
            std::fs::write(&path, &bytes).unwrap();
            let _ = (BenchResult::load(&path), sph_io::load(&path, &[]));
        }
    }
    assert!(refused > 500, "{refused}");
}
