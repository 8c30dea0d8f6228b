//! Files written by `run`; an incomplete file never has its final name.

use super::{COLUMN, Run, Sandbox, assert_complete_ply};
use serde_json::Value;

#[test]
fn statistics_have_one_json_object_per_step() {
    let sandbox = Sandbox::new();
    sandbox
        .sph(&["run", "column.toml", "--steps", "20", "--stats", "deep/er/stats.jsonl"])
        .expect(0)
        .says(&["wrote", "20 steps"]);
    let text = sandbox.read("deep/er/stats.jsonl");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 20);
    for line in &lines {
        for key in ["time", "dt", "particles", "density_error", "max_speed", "iterations"] {
            assert!(line[key].is_number(), "no {key} in {line}");
        }
        let milliseconds = line["ms"].as_object().expect("an object of phases");
        assert!(milliseconds["density"].is_number(), "{line}");
        assert!(line["search"]["candidates_per_neighbor"].is_number(), "{line}");
    }
    let time = |line: &Value| line["time"].as_f64().unwrap();
    assert!(lines.windows(2).all(|pair| time(&pair[0]) < time(&pair[1])));
    assert_eq!(sandbox.list("deep/er"), ["stats.jsonl"], "a temporary file is left");
}

#[test]
fn statistics_go_to_standard_output_for_a_dash() {
    let run = Sandbox::new().sph(&["run", "column.toml", "--steps", "3", "--stats", "-"]).expect(0);
    assert_eq!(run.stdout.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count(), 3, "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 3);
    assert!(!run.stderr.contains("wrote"), "{}", run.stderr);
}

#[test]
fn frames_are_due_by_simulated_time_from_the_initial_state_on() {
    let sandbox = Sandbox::new();
    let arguments = ["run", "column.toml", "--export", "ply=out/ply", "--export", "csv=out/csv", "--every", "0.01"];
    sandbox.sph(&arguments).expect(0).says(&["6 frames"]);
    let frames = sandbox.list("out/ply");
    assert_eq!(frames.len(), 6, "0 to 0.05 s each 0.01 s: {frames:?}");
    for frame in frames {
        assert_complete_ply(&sandbox.path("out/ply").join(frame));
    }
    assert_eq!(sandbox.list("out/csv").len(), 6);
}

#[test]
fn walls_and_bodies_have_folders_of_their_own() {
    let sandbox = Sandbox::new();
    sandbox.write("body.toml", format!("{COLUMN}[[bodies]]\nmin = [0.7, 0.1]\nmax = [0.9, 0.2]\n"));
    let export = ["--export", "vtk=out", "--every", "0.01"];
    let parts = ["run", "body.toml", "--export-of", "fluid,walls,bodies", "--attributes", "id,velocity"];
    sandbox.sph(&[&parts[..], &export].concat()).expect(0).says(&["6 frames in out"]);
    for (folder, collection) in [("out", "fluid.pvd"), ("out/walls", "walls.pvd"), ("out/bodies", "bodies.pvd")] {
        let frames = sandbox.list(folder).into_iter().filter(|name| name.ends_with(".vtu")).count();
        let collection = sandbox.read(&format!("{folder}/{collection}"));
        assert_eq!((frames, collection.matches("<DataSet ").count()), (6, 6), "{folder}");
    }
    let csv = ["run", "body.toml", "--export", "csv=csv", "--export-of", "bodies", "--attributes", "pressure,body"];
    sandbox.sph(&csv).expect(0);
    assert_eq!(sandbox.list("csv"), ["bodies"]);
    assert!(sandbox.read("csv/bodies/frame_000000.csv").starts_with("time,x,y,z,pressure,body\n"));
}

/// A scene without fluid exports its points, and its sheets as meshes.
#[test]
fn cloths_and_balls_are_exported_as_points_and_sheets_as_meshes() {
    let sandbox = Sandbox::new();
    let sheet = "[[cloths]]\ncorner = [0, 0.9, 0]\nalong = [0.4, 0, 0]\nacross = [0, 0, 0.2]\nspacing = 0.1\n";
    let balls = "[[balls]]\nradii = [0.1, 0.2]\ncenters = [[0.3, 0.4, 0.5], [0.8, 0.4, 0.5]]\nspin = [0, 3, 0]\n";
    let scene = format!("format = 1\nparticles.spacing = 0.1\ntime_step.max_dt = 0.01\nrun.duration = 0.05\n{sheet}{balls}");
    sandbox.write("points.toml", scene);
    let export = ["run", "points.toml", "--export", "csv=csv", "--export", "cloth=mesh", "--every", "0.05"];
    sandbox.sph(&export).expect(0).says(&["2 frames"]);
    assert_eq!((sandbox.list("csv"), sandbox.list("csv/points").len()), (vec!["points".to_owned()], 2));
    let start = sandbox.read("csv/points/frame_000000.csv");
    let lines: Vec<&str> = start.lines().collect();
    assert_eq!(lines[0], "time,id,x,y,z,vx,vy,vz,radius,set,spin_x,spin_y,spin_z");
    assert_eq!(lines.len(), 1 + 15 + 2);
    // Half the thickness, which is the shortest edge: 0.1 m to rounding.
    assert!(lines[1].starts_with("0,0,0,0.9,0,0,0,0,0.0") && lines[1].ends_with(",0,0,0,0"), "{}", lines[1]);
    assert_eq!(lines[17], "0,1,0.8,0.4,0.5,0,0,0,0.2,1,0,3,0");
    assert_eq!(sandbox.list("mesh"), ["frame_000000.ply", "frame_000001.ply"]);
    let mesh = std::fs::read(sandbox.path("mesh/frame_000001.ply")).expect("a mesh");
    let header = String::from_utf8_lossy(&mesh[..600.min(mesh.len())]).into_owned();
    assert!(header.contains("element vertex 15\n") && header.contains("element face 16\n"), "{header}");
    let refused = [
        (["run", "column.toml", "--export", "cloth=mesh2"], "the scene has no cloths"),
        (["run", "column.toml", "--export-of", "points"], "--export"),
    ];
    for (arguments, reason) in refused {
        sandbox.sph(&arguments).expect(2).says(&[reason]);
    }
    let points = ["run", "column.toml", "--export", "csv=csv2", "--export-of", "points"];
    sandbox.sph(&points).expect(2).says(&["--export-of points", "the scene has no cloths and no balls"]);
}

#[test]
fn probes_write_one_row_per_interval() {
    let sandbox = Sandbox::new();
    let probes = "[[probes]]\nname = \"edge\"\nkind = \"front\"\ntoward = \"x_max\"\n\
                  [[probes]]\nname = \"energy\"\nkind = \"energy\"\n";
    sandbox.write("probed.toml", format!("{COLUMN}{probes}"));
    let arguments = ["run", "probed.toml", "--probes", "out/probes.csv", "--export", "csv=out", "--every", "0.01"];
    sandbox.sph(&arguments).expect(0).says(&["wrote out/probes.csv (6 rows)", "6 frames"]);
    let table = sandbox.read("out/probes.csv");
    let rows: Vec<Vec<f64>> =
        table.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect();
    assert!(table.starts_with("time (s),edge (m),energy.kinetic (J/m),energy.potential (J/m)\n"), "{table}");
    assert_eq!(rows.len(), 6, "0 to 0.05 s each 0.01 s: {table}");
    assert_eq!(rows[0][..3], [0.0, 0.5, 0.0]);
    assert!(
        rows.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] <= pair[1][1] && pair[0][3] > pair[1][3]),
        "{table}"
    );

    let none = sandbox.sph(&["run", "column.toml", "--probes", "none.csv"]).expect(2);
    none.says(&["error: scene column has no probes for --probes"]);
    sandbox.sph(&["run", "probed.toml", "--every", "0.1"]).expect(2);
    sandbox.sph(&["run", "probed.toml", "--probes", "column.toml/x.csv"]).expect(1).says(&["cannot write the probes"]);
}

#[test]
fn a_step_writes_at_most_one_frame() {
    let sandbox = Sandbox::new();
    let arguments = ["run", "column.toml", "--steps", "3", "--export", "csv=out", "--every", "0.0001"];
    sandbox.sph(&arguments).expect(0).says(&["wrote 4 frames in out, ", " skipped"]);
    assert_eq!(sandbox.list("out").len(), 4, "the start and three steps");
}

#[test]
fn outputs_do_not_change_the_motion() {
    let sandbox = Sandbox::new();
    let last_step = |arguments: &[&str], stats: &str| {
        let line = ["run", "column.toml", "--steps", "60", "--stats", stats];
        sandbox.sph(&[&line, arguments].concat()).expect(0);
        let line: Value = serde_json::from_str(sandbox.read(stats).lines().last().unwrap()).unwrap();
        (line["time"].as_f64(), line["max_speed"].as_f64(), line["kinetic_energy"].as_f64())
    };
    let alone = last_step(&["--threads", "1"], "a.jsonl");
    assert_eq!(alone, last_step(&["--threads", "3", "--export", "csv=frames", "--every", "0.003"], "b.jsonl"));
    assert_eq!(alone, last_step(&["--set", "grid.table_size=1"], "c.jsonl"));
}

#[test]
fn an_output_replaces_neither_an_input_nor_another_output() {
    let sandbox = Sandbox::new();
    let moving = "[[bodies]]\nmin = [0.7, 0.1]\nmax = [0.8, 0.2]\nmotion_file = \"frame_000001.csv\"\n";
    sandbox.write("moving.toml", format!("{COLUMN}{moving}"));
    sandbox.write("frame_000001.csv", "0, 0, 0\n1, 0, 0\n");
    let before = (sandbox.read("moving.toml"), sandbox.read("frame_000001.csv"));
    for arguments in [
        &["run", "moving.toml", "--stats", "./moving.toml"][..],
        &["run", "moving.toml", "--stats", "frame_000001.csv"],
        &["run", "moving.toml", "--export", "csv=."],
        &["run", "moving.toml", "--export", "csv=out", "--stats", "out/frame_000000.csv"],
        &["run", "moving.toml", "--export", "csv=out", "--export", "csv=./out"],
        &["bench", "moving.toml", "--trace", "moving.toml"],
        &["moving.toml", "--stats", "moving.toml"],
    ] {
        let run = sandbox.sph(arguments).expect(2);
        assert!(run.stderr.contains("choose another path") || run.stderr.contains("given twice"), "{}", run.stderr);
    }
    assert_eq!((sandbox.read("moving.toml"), sandbox.read("frame_000001.csv")), before);
    assert_eq!(sandbox.list(""), ["column.toml", "frame_000001.csv", "moving.toml"], "nothing was begun");
}

#[test]
fn a_run_that_fails_at_once_publishes_nothing() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path("out/frame_000000.csv")).unwrap();
    let run = sandbox.sph(&["run", "column.toml", "--stats", "stats.jsonl", "--export", "csv=out"]).expect(1);
    assert!(!sandbox.path("stats.jsonl").exists());
    let error = run.stderr.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
    assert_eq!(error.matches("out").count(), 1, "the file is named once: {}", run.stderr);
}

#[test]
fn an_unwritable_path_is_named() {
    let sandbox = Sandbox::new();
    // A file in place of a folder: refused on every system, for root too.
    for arguments in [&["--stats", "column.toml/stats.jsonl"][..], &["--export", "ply=column.toml/frames"]] {
        let run = sandbox.sph(&[&["run", "column.toml"], arguments].concat()).expect(1);
        run.says(&["error: cannot write", "column.toml"]);
    }
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    sandbox.sph(&["run", "column.toml", "--stats", "folder"]).expect(1).says(&["error: cannot write", "folder"]);
}

#[test]
fn the_place_of_a_recording_is_tried_before_the_window_opens() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    let files = || (sandbox.list(""), sandbox.list("folder"));
    let before = files();
    for place in ["column.toml/session.jsonl", "folder"] {
        let run = sandbox.sph(&["column.toml", "--record", place]).expect(1);
        run.says(&[&format!("error: cannot write the session recording {place}: ")]);
        assert_eq!(files(), before);
    }
    // The place is good, and only then a display is asked for.
    sandbox.sph(&["column.toml", "--record", "folder/new/session.jsonl"]).expect(2).says(&["no display"]);
    assert!(sandbox.list("folder/new").is_empty(), "nothing is written yet");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_ends_the_run() {
    let run = Sandbox::new().sph(&["run", "column.toml", "--stats", "/dev/full"]).expect(1);
    run.says(&["cannot write the statistics /dev/full", "No space left on device"]);
}

/// A limit on file sizes replaces a full disk: it needs neither root nor a file system of its own, and also takes effect in the
/// middle of a file.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_incomplete_file_and_keeps_old_ones() {
    let sandbox = Sandbox::new();
    sandbox.write("stats.jsonl", "an earlier run\n");
    let limited = |arguments: &[&str]| {
        let program = sandbox.command(arguments);
        let mut shell = std::process::Command::new("sh");
        // At most 1 or 2 KiB per file, as the shell counts blocks of 512 or 1024 bytes; an error instead of a signal.
        shell.args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\""]).arg(program.get_program()).args(program.get_args());
        Run::of(shell.current_dir(sandbox.path("")).output().unwrap())
    };
    limited(&["run", "column.toml", "--stats", "stats.jsonl"]).expect(1).says(&["cannot write the statistics stats.jsonl"]);
    assert_eq!(sandbox.read("stats.jsonl"), "an earlier run\n");

    limited(&["run", "column.toml", "--export", "ply=frames"]).expect(1).says(&["cannot write", "frames"]);
    assert_eq!(sandbox.list("frames"), [""; 0]);
    assert_eq!(sandbox.list(""), ["column.toml", "frames", "stats.jsonl"]);
}

#[test]
fn boundary_particles_of_balls_are_not_exported_as_walls() {
    let sandbox = Sandbox::new();
    let tank = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.4, 0.4, 0.4]\n[[containers]]\n\
        min = [0, 0, 0]\nmax = [1, 1, 1]\n";
    sandbox.write("tank.toml", tank);
    sandbox.write("ball.toml", format!("{tank}[[balls]]\nradius = 0.2\ncenters = [[0.7, 0.3, 0.7]]\n"));
    let walls = |name: &str| {
        let scene = format!("{name}.toml");
        let out = format!("csv={name}");
        sandbox.sph(&["run", &scene, "--steps", "2", "--export", &out, "--export-of", "walls", "--every", "0.0001"]).expect(0);
        sandbox.read(&format!("{name}/walls/frame_000000.csv")).lines().count()
    };
    let count = walls("tank");
    assert!(count > 1000);
    assert_eq!(walls("ball"), count);
}
