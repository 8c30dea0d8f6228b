//! Measurements and outputs of `sph bench`.

use super::support::Sandbox;
use serde_json::Value;

#[test]
fn tabulates_every_phase() {
    let run = Sandbox::new().sph(&["bench", "column.toml", "--steps", "5", "--warm-up", "2", "--threads", "2"]).expect(0);
    for row in ["sort", "build", "query", "density", "walls", "forces", "pressure", "integrate", "statistics", "step"] {
        assert!(run.stdout.lines().any(|line| line.starts_with(row)), "no {row} in:\n{}", run.stdout);
    }
    assert!(run.stdout.starts_with("5 steps after 2 of warm-up\n"), "{}", run.stdout);
}

#[test]
fn prints_the_conditions_of_the_measurement() {
    let sandbox = Sandbox::new();
    let bench = |structure: &str| {
        let structure = format!("grid.structure={structure}");
        sandbox.sph(&["bench", "column.toml", "--steps", "3", "--threads", "1", "--set", &structure]).expect(0).stdout
    };
    let hashed = bench("spatial_hash");
    for part in ["spatial_hash, muller hash, 200 buckets", "sorted_cells is the fast path", "bytes per particle (particles "] {
        assert!(hashed.contains(part), "no {part:?} in:\n{hashed}");
    }
    let vectors = format!("vector instructions: {}; on 1 thread: ", sph_core::Simd::best().name());
    assert!(hashed.contains(&vectors) && hashed.contains("GFLOP/s") && hashed.contains("GB/s"), "{hashed}");
    let fast = bench("sorted_cells");
    assert!(!fast.contains("hash") && !fast.contains("fast path"), "{fast}");
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
    assert!(run.stdout.contains("on 1 thread: ") && run.stdout.contains("on 2 threads: "), "{}", run.stdout);
    let run = sandbox.sph(&[&arguments[..], &["--json"]].concat()).expect(0);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let runs = report["runs"].as_array().expect("a run per number of threads");
    assert_eq!(runs.iter().map(|run| run["threads"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert!(runs.iter().all(|run| run["steps"] == 7));
    let with = |more: &'static str| sandbox.sph(&["bench", "column.toml", "--threads", "1,2", more]).expect(2);
    with("--movers").says(&["one number of threads"]);
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
    for part in
        ["change cell in a step", "cell_hash", "bucket_hash fixed once", "rebuilt/incremental", "incremental updates win"]
    {
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
        for phase in sph_core::Phase::ALL {
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
