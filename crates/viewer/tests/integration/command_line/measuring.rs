//! Measurements: outputs of `sph bench`; output, plots and saved scenes of `sph tune`.

use super::{COLUMN, Sandbox};
use serde_json::Value;

#[test]
fn tabulates_every_phase() {
    let run = Sandbox::new().sph(&["bench", "column.toml", "--steps", "5", "--warm-up", "2", "--threads", "2"]).expect(0);
    for row in ["sort", "build", "query", "density", "walls", "forces", "pressure", "integrate", "statistics", "step"] {
        assert!(run.stdout.lines().any(|line| line.starts_with(row)), "no {row} in:\n{}", run.stdout);
    }
    assert!(run.stdout.starts_with("5 measured steps after 2 of warm-up\n\nphase "), "{}", run.stdout);
}

#[test]
fn prints_the_conditions_of_the_measurement() {
    let sandbox = Sandbox::new();
    let bench = |structure: &str| {
        let structure = format!("grid.structure={structure}");
        sandbox.sph(&["bench", "column.toml", "--steps", "3", "--threads", "1", "--set", &structure]).expect(0).stdout
    };
    let hashed = bench("spatial_hash");
    for part in
        ["grid: spatial_hash, ", "table: 200 buckets, muller hash", "tip: sorted_cells", "bytes per particle (particles "]
    {
        assert!(hashed.contains(part), "no {part:?} in:\n{hashed}");
    }
    let vectors = format!("machine: {}, 1 thread; ", sph_core::Simd::best().name());
    assert!(hashed.contains(&vectors) && hashed.contains("GFLOP/s") && hashed.contains("GB/s"), "{hashed}");
    let fast = bench("sorted_cells");
    assert!(!fast.contains("hash") && !fast.contains("tip"), "{fast}");
}

#[test]
fn several_numbers_of_threads_are_compared() {
    let sandbox = Sandbox::new();
    let arguments = ["bench", "column.toml", "--steps", "7", "--warm-up", "4", "--threads", "1,2"];
    let run = sandbox.sph(&arguments).expect(0);
    let head = run.stdout.lines().find(|line| line.starts_with("ns/particle")).expect("a table");
    assert_eq!(head.split_whitespace().collect::<Vec<_>>(), ["ns/particle", "1", "thread", "2", "threads", "speed-up"]);
    let step = run.stdout.lines().find(|line| line.starts_with("step ")).expect("whole steps");
    let numbers: Vec<f64> = step.split_whitespace().skip(1).map(|cell| cell.parse().expect("a number")).collect();
    assert!(numbers.len() == 3 && (numbers[0] / numbers[1] - numbers[2]).abs() < 0.01 + 0.01 * numbers[2], "{step}");
    assert!(run.stdout.contains(", 1 thread; ") && run.stdout.contains(", 2 threads; "), "{}", run.stdout);
    let run = sandbox.sph(&[&arguments[..], &["--json"]].concat()).expect(0);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let runs = report["runs"].as_array().expect("a run per number of threads");
    assert_eq!(runs.iter().map(|run| run["threads"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert!(runs.iter().all(|run| run["steps"] == 7));
    let with = |more: &'static str| sandbox.sph(&["bench", "column.toml", "--threads", "1,2", more]).expect(2);
    with("--movers").says(&["a single number of threads"]);
}

#[test]
fn prints_json() {
    let run = Sandbox::new().sph(&["bench", "column.toml", "--steps", "5", "--threads", "2", "--json"]).expect(0);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(report["scene"], "column");
    assert_eq!(report["particles"], 100);
    assert_eq!(report["threads"], 2);
    assert_eq!(report["steps"], 5);
    assert_eq!(report["vector_instructions"], sph_core::Simd::best().name());
    assert!(
        report["ceilings"]["gflops"].as_f64() > Some(0.0) && report["ceilings"]["gigabytes_per_second"].as_f64() > Some(0.0)
    );
    let parts = report["memory"]["parts"].as_object().expect("parts").values().map(|part| part.as_u64().expect("bytes"));
    assert_eq!(Some(parts.sum::<u64>()), report["memory"]["bytes"].as_u64());
    let phases = report["phases"].as_object().unwrap();
    assert_eq!(phases.len(), sph_core::Phase::ALL.len());
    let total: f64 = phases.values().map(|phase| phase["fastest_ms"].as_f64().unwrap()).sum();
    assert!(total <= report["step"]["median_ms"].as_f64().unwrap(), "the fastest phases together exceed a step: {report}");
}

#[test]
fn compares_incremental_updates_with_rebuilding() {
    let sandbox = Sandbox::new();
    let arguments = ["bench", "column.toml", "--steps", "3", "--threads", "1", "--movers"];
    let run = sandbox.sph(&arguments).expect(0);
    for part in [
        "of the particles change cells",
        "cell_hash",
        "bucket_hash fixed once",
        "rebuild/incremental",
        "incremental updates are faster",
    ] {
        assert!(run.stdout.contains(part), "no {part:?} in:\n{}", run.stdout);
    }
    let run = sandbox.sph(&[&arguments[..], &["--json", "--plot", "movers.svg"]].concat()).expect(0);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let structures = report["structures"].as_array().expect("an array");
    assert_eq!(structures.len(), 5);
    assert!(structures.iter().all(|structure| structure["shares"].as_array().is_some_and(|shares| shares.len() >= 8)));
    assert!((0.0..=1.0).contains(&report["movers_in_the_scene"].as_f64().expect("a share")), "{report}");
    assert!(sandbox.read("movers.svg").starts_with("<svg "));
    sandbox.sph(&["bench", "column.toml", "--plot", "x.svg"]).expect(2).says(&["--structures", "--movers"]);
}

/// Balls over a sheet.
const POINTS: &str = "format = 1\nparticles.spacing = 0.1\ntime_step.max_dt = 0.005\n[[containers]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
    [[cloths]]\nname = \"sheet\"\ncorner = [0.2, 0.3, 0.2]\nalong = [0.5, 0, 0]\nacross = [0, 0, 0.5]\nspacing = 0.1\n\
    [[balls]]\nname = \"gravel\"\ncount = 60\nradius_range = [0.01, 0.08]\nmin = [0.2, 0.4, 0.2]\nmax = [0.8, 0.9, 0.8]\n";

#[test]
fn the_searches_of_cloth_and_balls_are_measured() {
    let sandbox = Sandbox::new();
    sandbox.write("points.toml", POINTS);
    let measure = ["bench", "points.toml", "--steps", "8", "--warm-up", "0", "--threads", "1"];
    let run = sandbox.sph(&measure).expect(0);
    for part in [
        "search of sheet: 36 points, spatial_hash",
        "search of sheet among balls: ",
        "search of gravel: 60 points, block_map",
        "candidates per pair",
    ] {
        assert!(run.stdout.contains(part), "no {part:?} in:\n{}", run.stdout);
    }
    assert!(!run.stdout.contains("grid: "), "there is no fluid to search for:\n{}", run.stdout);
    let compare = |name: &str| {
        let run = sandbox.sph(&[&measure[..], &["--structures", "all", "--search-of", name, "--json"]].concat()).expect(0);
        serde_json::from_str::<Value>(&run.stdout).expect("JSON")
    };
    for (name, points) in [("sheet", 36), ("gravel", 60)] {
        let report = compare(name);
        assert_eq!((&report["search_of"], &report["particles"]), (&name.into(), &points.into()));
        let rows = report["structures"].as_array().expect("an array");
        assert!(rows.len() > 10 && rows.iter().all(|row| row["candidates_per_pair"].as_f64().is_some()), "{report}");
    }
    let run = sandbox.sph(&[&measure[..], &["--structures", "sorted_cells,block_map"]].concat()).expect(0);
    assert!(
        run.stdout.contains("search of sheet: 36 points") && run.stdout.contains("tested per pair found"),
        "{}",
        run.stdout
    );
    let unknown = [&measure[..], &["--structures", "all", "--search-of", "sand"]].concat();
    sandbox.sph(&unknown).expect(2).says(&["`sand`", "fluid, sheet, gravel"]);
}

#[test]
fn a_trace_has_every_phase_within_its_step() {
    let sandbox = Sandbox::new();
    let arguments = ["bench", "column.toml", "--steps", "6", "--warm-up", "2", "--set", "solver.method=dfsph"];
    let run = sandbox.sph(&[&arguments[..], &["--threads", "2", "--json", "--trace", "deep/er/trace.json"]].concat());
    let run = run.expect(0).says(&["wrote deep/er/trace.json"]);
    let trace: Value = serde_json::from_str(&sandbox.read("deep/er/trace.json")).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("an array of events");
    let of = |category: &str| events.iter().filter(|event| event["cat"] == category).collect::<Vec<_>>();
    let (steps, phases) = (of("step"), of("phase"));
    let names: Vec<&str> = steps.iter().map(|step| step["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["step 3", "step 4", "step 5", "step 6", "step 7", "step 8"]);
    let time = |event: &Value, key: &str| event[key].as_f64().expect("microseconds");
    assert_eq!(time(steps[0], "ts"), 0.0);
    let mut counted = 0;
    for step in &steps {
        let (start, length) = (time(step, "ts"), time(step, "dur"));
        // 1 ns is allowed for rounding: times are written in microseconds.
        let within =
            |phase: &&&Value| time(phase, "ts") >= start && time(phase, "ts") + time(phase, "dur") <= start + length + 1e-3;
        let phases: Vec<_> = phases.iter().filter(within).collect();
        counted += phases.len();
        assert!(phases.iter().map(|phase| time(phase, "dur")).sum::<f64>() <= length + 1e-3);
        // The scene has no cloth.
        for phase in sph_core::Phase::ALL.into_iter().filter(|&phase| phase != sph_core::Phase::Points) {
            assert!(phases.iter().any(|event| event["name"] == phase.name()), "no {} in {step}", phase.name());
        }
    }
    assert_eq!(counted, phases.len(), "a phase is outside of every step");
    assert!(steps.windows(2).all(|pair| time(pair[0], "ts") + time(pair[0], "dur") <= time(pair[1], "ts")));
    // The table and the trace must agree: fastest of six steps.
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let nanoseconds = |time: f64, unit: f64| (time * unit).round() as u64;
    let sort = phases.iter().filter(|phase| phase["name"] == "sort").map(|phase| nanoseconds(time(phase, "dur"), 1e3));
    assert_eq!(sort.min(), report["phases"]["sort"]["fastest_ms"].as_f64().map(|time| nanoseconds(time, 1e6)));
    let counters = events.iter().filter(|event| event["ph"] == "C" && event["name"] == "particles");
    assert_eq!(counters.map(|event| event["args"]["fluid"].as_u64()).collect::<Vec<_>>(), [Some(100); 6]);
}

#[test]
fn an_unwritable_trace_is_reported_before_measuring() {
    let sandbox = Sandbox::new();
    let run = sandbox.sph(&["bench", "column.toml", "--steps", "3", "--trace", "column.toml/trace.json"]).expect(1);
    assert_eq!(run.says(&["cannot write the trace column.toml/trace.json"]).stdout, "");
    sandbox.sph(&["bench", "column.toml", "--movers", "--trace", "trace.json"]).expect(2).says(&["--movers", "--trace"]);
    assert_eq!(sandbox.list(""), ["column.toml"]);
}

const QUICK: [&str; 8] = ["tune", "column.toml", "--steps", "3", "--threads", "1", "--structures", "uniform_grid,spatial_hash"];

#[test]
fn tune_compares_the_best_with_the_scenes_own() {
    let run = Sandbox::new().sph(&QUICK).expect(0).says(&["Small column: 100 fluid", "done: 3 steps"]);
    for part in [
        " configurations tried in ",
        " trials at step 3, ",
        "the best configuration of each structure",
        "the scene's configuration and the best, timed again alternately",
    ] {
        assert!(run.stdout.contains(part), "no {part:?} in:\n{}", run.stdout);
    }
    let rows = |name| run.stdout.lines().filter(|line| line.starts_with(name)).count();
    assert!(rows("uniform_grid") >= 1 && rows("spatial_hash") >= 2, "{}", run.stdout);
    let advice = run.stdout.lines().last().expect("lines");
    // The best grid may have the scene's own structure, and another size.
    assert!(advice.contains("set under [grid] in the scene: ") || advice.contains("nothing to change"), "{advice}");
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
    run.says(&["the best grid will be saved to column.toml", "saved the best grid to column.toml"]);
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

/// A result is written, opened wherever a scene can be, and compared.
#[test]
fn a_result_is_shared() {
    let sandbox = Sandbox::new();
    let measure = ["bench", "column.toml", "--steps", "3", "--warm-up", "1", "--threads", "1"];
    let write = |name: &str, more: &[&str]| sandbox.sph(&[&measure[..], &["--result", name], more].concat()).expect(0);
    let run = write("a.json", &[]).says(&["wrote a.json"]);
    assert!(run.stdout.contains("median ms"), "{}", run.stdout);
    write("b.json", &["--set", "grid.table_size=31", "--set", "fluid.kinematic_viscosity=0.5"]);
    let result: Value = serde_json::from_str(&sandbox.read("b.json")).expect("JSON");
    assert_eq!((&result["settings"]["grid.table_size"], &result["measured"]["steps"]), (&31.into(), &3.into()));
    assert_eq!((&result["machine"]["threads"], &result["measured"]["last_step"]), (&1.into(), &4.into()));
    assert_eq!(result["scene"]["text"], COLUMN);

    let table = sandbox.sph(&["bench", "--compare", "a.json", "b.json"]).expect(0).stdout;
    for row in ["Grid: Hash table size", "Kinematic viscosity", "Overrides", "query", "load factor", "B/A"] {
        assert!(table.contains(row), "no {row:?} in:\n{table}");
    }
    assert!(!table.contains("Machine: Processor"), "the machine is the same:\n{table}");
    // Of its own scene, measured again.
    let again = sandbox.sph(&["bench", "--compare", "b.json", "--steps", "2", "--warm-up", "0", "--threads", "1", "--json"]);
    let again: Value = serde_json::from_str(&again.expect(0).stdout).expect("JSON");
    let differing = again["settings_that_differ"].as_array().expect("an array");
    assert!(differing.iter().all(|row| row["section"] == "Measurement"), "{again}");
    let figures = again["figures"].as_array().expect("an array");
    let value = |label: &str| figures.iter().find(|row| row["label"] == label).map(|row| row["values"].clone());
    assert_eq!(value("buckets"), Some(serde_json::json!([31.0, 31.0])));
    // A scene as any other.
    sandbox.sph(&["check", "b.json"]).expect(0);
    sandbox.sph(&["run", "b.json", "--steps", "2"]).expect(0).says(&["Small column"]);
}

#[test]
fn results_that_cannot_be_used_are_refused() {
    let sandbox = Sandbox::new();
    let text = "{\n  \"sph_result\": 9,\n  \"program\": {}\n}\n";
    for (name, text, reason) in [
        ("future.json", text, "it has version 9 of the format"),
        ("cut.json", &text.replace('9', "1")[..30], "it is truncated"),
        ("odd.json", &text.replace('9', "1"), "line 3: program: missing field"),
        ("other.json", "{}", "it is not a result"),
    ] {
        sandbox.write(name, text);
        sandbox.sph(&["bench", "--compare", name]).expect(2).says(&[name, reason]);
    }
    sandbox.sph(&["run", "cut.json"]).expect(2).says(&["cut.json", "it is truncated"]);
    sandbox.sph(&["bench", "--compare", "missing.json"]).expect(2).says(&["missing.json"]);
    // Before anything is measured.
    let run = sandbox.sph(&["bench", "column.toml", "--result", "column.toml"]).expect(2);
    assert!(run.says(&["--result"]).stdout.is_empty());
    sandbox
        .sph(&["bench", "column.toml", "--threads", "1,2", "--result", "a.json"])
        .expect(2)
        .says(&["a single number of threads"]);
    sandbox.sph(&["bench", "column.toml", "--movers", "--result", "a.json"]).expect(2).says(&["--movers", "--result"]);
    assert_eq!(sandbox.read("column.toml"), COLUMN);
}
