//! Output, plots and saved scenes of `sph tune`.

use super::support::{COLUMN, Sandbox};
use serde_json::Value;

const QUICK: [&str; 8] = ["tune", "column.toml", "--steps", "3", "--threads", "1", "--structures", "uniform_grid,spatial_hash"];

#[test]
fn tune_compares_the_best_with_the_scenes_own() {
    let run = Sandbox::new().sph(&QUICK).expect(0).says(&["Small column: 100 fluid", "done: 3 steps"]);
    for part in [
        " configurations tried in ",
        " trials at step 3, ",
        "the best of each structure",
        "the scene's grid and the best, measured again in turns",
    ] {
        assert!(run.stdout.contains(part), "no {part:?} in:\n{}", run.stdout);
    }
    let rows = |name| run.stdout.lines().filter(|line| line.starts_with(name)).count();
    assert!(rows("uniform_grid") >= 1 && rows("spatial_hash") >= 1 && rows("sorted_cells") >= 1, "{}", run.stdout);
    let advice = run.stdout.lines().last().expect("lines");
    assert!(advice.contains("In the scene, under [grid]: structure = ") || advice.contains("nothing to change"), "{advice}");
}

#[test]
fn tune_prints_json_and_plots() {
    let sandbox = Sandbox::new();
    let arguments = [&QUICK[..], &["--json", "--plot", "new/folder/map.svg", "--curves", "curves.svg"]].concat();
    let run = sandbox.sph(&arguments).expect(0).says(&["map.svg", "wrote curves.svg"]);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((&report["scene"], &report["particles"], &report["step"]), (&"column".into(), &100.into(), &3.into()));
    assert_eq!(report["complete"], true);
    let trials = report["trials"].as_array().expect("an array");
    let hashed = trials.iter().filter(|trial| trial["structure"] == "spatial_hash").count();
    assert!(trials.len() > hashed && hashed.is_multiple_of(trials.len() - hashed), "{hashed} of {}", trials.len());
    let totals = |trials: &Value| -> Vec<f64> {
        trials.as_array().expect("an array").iter().filter_map(|trial| trial["total_ms"].as_f64()).collect()
    };
    let least = totals(&report["finals"]).into_iter().reduce(f64::min).expect("finals");
    assert_eq!(report["best"]["total_ms"].as_f64(), Some(least));
    assert!(trials.iter().all(|trial| trial["neighbors"].as_u64().is_none_or(|neighbors| neighbors > 500)), "{report}");
    for name in ["new/folder/map.svg", "curves.svg"] {
        let svg = sandbox.read(name);
        assert!(
            svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("Small column: 100 particles, 1 thread\n"),
            "{svg}"
        );
    }
}

/// A bad grid is replaced by a better one, and nothing else in the file changes.
#[test]
fn tune_saves_the_best_grid() {
    let sandbox = Sandbox::new();
    // Enough particles for a single bucket to cost several times as much as any other grid, whatever else the machine does.
    let fine = COLUMN.replace("spacing = 0.05", "spacing = 0.02");
    let scene = format!(
        "{fine}\n[grid] # as bad as it gets\nstructure = \"spatial_hash\"\ntable_size = 1 # a single bucket\ncell_size = 0.12\n"
    );
    sandbox.write("column.toml", &scene);
    let arguments = [&QUICK[..], &["--save", "--json"]].concat();
    let run = sandbox.sph(&arguments).expect(0);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    run.says(&["the best grid will be saved in column.toml", "saved the best grid in column.toml"]);
    let saved = sandbox.read("column.toml");
    if report["best"]["structure"] == "uniform_grid" {
        assert!(saved.contains("table_size = 1 # a single bucket") && !saved.contains("hash ="), "{saved}");
    }
    assert!(saved.starts_with(&fine) && saved.contains("# as bad as it gets"), "{saved}");
    let check = sandbox.sph(&["bench", "column.toml", "--steps", "1", "--json"]).expect(0);
    let bench: Value = serde_json::from_str(&check.stdout).expect("JSON");
    assert_eq!(bench["search"]["structure"], report["best"]["structure"]);
    let difference = bench["search"]["cell_size"].as_f64().unwrap() - report["best"]["cell_size"].as_f64().unwrap();
    assert!(difference.abs() < 1e-6, "{saved}");
}

#[test]
fn tune_refuses_invalid_input() {
    let sandbox = Sandbox::new();
    sandbox.sph(&["tune", "column.toml", "--structures", "spatial_hahs"]).expect(2).says(&["spatial_hahs", "spatial_hash"]);
    sandbox.sph(&["tune", "column.toml", "--steps", "0"]).expect(2).says(&["at least 1"]);
    sandbox.sph(&["tune", "missing.toml"]).expect(2).says(&["missing.toml"]);
    sandbox.write("bad.toml", COLUMN.replace("spacing", "spaceing"));
    sandbox.sph(&["tune", "bad.toml"]).expect(2).says(&["bad.toml:7", "spaceing"]);
    // Reported before anything is measured.
    let run =
        sandbox.sph(&[&QUICK[..], &["--plot", "column.toml/map.svg"]].concat()).expect(1).says(&["cannot write the plot"]);
    assert!(run.stdout.is_empty() && !run.stderr.contains("done:"), "{}", run.stderr);
    let arguments = ["tune", "column.toml", "--structures", "brute_force", "--plot", "map.svg"];
    sandbox.sph(&arguments).expect(2).says(&["brute force has neither"]);
}

/// Ctrl-C in the middle: the results so far are printed, and nothing is saved.
#[cfg(unix)]
#[test]
fn tune_ends_cleanly_when_interrupted() {
    use std::io::{BufRead as _, BufReader, Read as _};
    let sandbox = Sandbox::new();
    sandbox.write("column.toml", COLUMN.replace("spacing = 0.05", "spacing = 0.01"));
    let before = sandbox.read("column.toml");
    let mut child = sandbox.start(&["tune", "column.toml", "--steps", "3", "--structures", "all", "--save"]);
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    while !line.starts_with("done: 3 steps") {
        line.clear();
        assert!(stderr.read_line(&mut line).expect("UTF-8") > 0, "the program ended early");
    }
    // Told every two seconds: some trials have been made, of over a thousand.
    while !line.contains(" trials: ") {
        line.clear();
        assert!(stderr.read_line(&mut line).expect("UTF-8") > 0, "the program ended early");
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    let output = child.wait_with_output().expect("the program ends");
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{rest}");
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(stdout.starts_with("interrupted after ") && rest.contains("nothing saved"), "{stdout}\n{rest}");
    assert_eq!(sandbox.read("column.toml"), before);
}
