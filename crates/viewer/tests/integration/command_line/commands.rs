//! Output of each command when it succeeds; `sph import`, and scenes of SPlisHSPlasH that are opened directly.

use super::{COLUMN, Sandbox};
use serde_json::Value;

#[test]
fn run_prints_a_summary() {
    let run = Sandbox::new().sph(&["run", "column.toml", "--steps", "7", "--threads", "1"]).expect(0);
    let run = run.says(&["Small column: 100 fluid and", "1 thread", "done: 7 steps, ", "density error"]);
    assert_eq!(run.stdout, "", "standard output is for data");
}

/// A run starts at time 0, so that the time at its end is its duration: the word of scene files and of other programs.
#[test]
fn the_end_of_a_run_may_be_called_its_duration() {
    let sandbox = Sandbox::new();
    let end = |option: &str| {
        let run = sandbox.sph(&["run", "column.toml", option, "0.01"]).expect(0);
        run.stderr.split_once("done: ").expect("it ended").1.split_once(" steps, ").expect("it counts").0.to_owned()
    };
    assert_eq!(end("--duration"), end("--until"));
    sandbox.sph(&["render", "column.toml", "--duration", "-1", "--out", "pictures"]).expect(2).says(&["--until"]);
    assert!(!sandbox.sph(&["run", "--help"]).expect(0).stdout.contains("--duration"));
}

#[test]
fn overrides_change_the_scene() {
    let sandbox = Sandbox::new();
    let count = |arguments: &[&str]| {
        let run = sandbox.sph(&[&["check", "column.toml"], arguments].concat()).expect(0);
        run.stdout.split_once(" fluid").unwrap().0.rsplit(' ').next().unwrap().to_owned()
    };
    assert_eq!(count(&[]), "100");
    assert_eq!(count(&["--set", "particles.spacing=0.1"]), "25");
    assert_eq!(count(&["--set", "particles.spacing=0.1", "--set", "particles.spacing=0.25"]), "4", "the last one counts");
}

#[test]
fn check_reports_every_file() {
    let sandbox = Sandbox::new();
    sandbox.write("first.toml", COLUMN.replace("0.05", "\"wide\""));
    sandbox.write("second.toml", COLUMN.replace("[run]", "[ran]"));
    let run = sandbox.sph(&["check", "first.toml", "column.toml", "second.toml"]).expect(2);
    let run = run.says(&["first.toml", "\"wide\"", "second.toml", "ran"]);
    assert!(run.stdout.starts_with("column.toml: ok: 2D, 100 fluid and at most "), "{}", run.stdout);
    assert!(run.stdout.lines().skip(1).all(|line| line.starts_with("  run: about ")), "{}", run.stdout);
}

#[test]
fn check_forecasts_the_run_and_names_what_is_likely_not_meant() {
    let sandbox = Sandbox::new();
    let usual = sandbox.sph(&["check", "column.toml"]).expect(0).stdout;
    assert!(!usual.contains("remark") && !usual.contains("warning"), "{usual}");
    let check = |overrides: &[&str], parts: &[&str]| {
        let set = overrides.iter().flat_map(|change| ["--set", change]);
        let stdout = sandbox.sph(&["check", "column.toml"].into_iter().chain(set).collect::<Vec<_>>()).expect(0).stdout;
        parts.iter().for_each(|part| assert!(stdout.contains(part), "no {part:?} in:\n{stdout}"));
    };
    check(
        &["fluid.kinematic_viscosity=1e6", "run.duration=100"],
        &["limit: viscosity", "warning", "viscosity_model = \"implicit\""],
    );
    check(&["fluid.blocks.0.velocity=[1000, 0]"], &["remark: the fluid starts at up to 1000 m/s", "speed of sound"]);
    check(
        &["fluid.blocks.0.max=[0.52, 0.5]"],
        &["remark: fluid block 0", "10 particles 0.052 m apart along x", "3.8 % less dense"],
    );
}

#[test]
fn check_counts_particles_by_kind() {
    let sandbox = Sandbox::new();
    let fluids = "[[fluids]]\nname = \"oil\"\nrest_density = 900\n[[fluids]]\nname = \"water\"\nrest_density = 1000\n[[bodies]]\nname = \"buoy\"\nmin = [0.7, 0.1]\nmax = [0.9, 0.2]\n[run]";
    let scene = COLUMN.replace("[run]", fluids).replace("max = [0.5, 0.5]", "max = [0.5, 0.5]\nfluid = \"oil\"");
    sandbox.write("kinds.toml", scene);
    let stdout = sandbox.sph(&["check", "kinds.toml"]).expect(0).stdout;
    assert!(stdout.contains("  fluid: 100 oil, 0 water\n") && stdout.contains(" of container 0, "), "{stdout}");
    assert!(stdout.contains(" of body 0 `buoy`\n"), "{stdout}");
}

#[test]
fn check_shows_mass_and_inertia_of_bodies() {
    let sandbox = Sandbox::new();
    let stone = "[[bodies]]\nmin = [0.7, 0.1]\nmax = [0.9, 0.2]\ndensity = 2700\n[run]";
    sandbox.write("stone.toml", COLUMN.replace("[run]", stone));
    let run = sandbox.sph(&["check", "stone.toml"]).expect(0);
    // 2700 · 0.2 · 0.1 kg/m, and a twelfth of it times 0.2² + 0.1² m².
    let line = "  body 0: 54 kg/m, moment of inertia 0.225 kg m about its centre";
    assert!(run.stdout.lines().any(|found| found == line), "{}", run.stdout);
}

#[test]
fn new_writes_a_scene_once() {
    let sandbox = Sandbox::new();
    sandbox.sph(&["new", "tank"]).expect(0).says(&["wrote tank.toml"]);
    sandbox.sph(&["check", "tank.toml"]).expect(0);
    sandbox.write("tank.toml", "mine");
    sandbox.sph(&["new", "tank"]).expect(2).says(&["tank.toml already exists", "--overwrite"]);
    assert_eq!(sandbox.read("tank.toml"), "mine");
    sandbox.sph(&["new", "drop", "tank.toml", "--overwrite"]).expect(0).says(&["replaced tank.toml"]);
    sandbox.sph(&["new", "dam_brake"]).expect(2).says(&["no kind of scene `dam_brake`: did you mean `dam_break`?"]);
    sandbox.sph(&["new", "drop", "drop.json"]).expect(2).says(&["drop.json is not the name of a scene file"]);
    sandbox.sph(&["new"]).expect(2).says(&["expected a kind of scene: tank, dam_break"]);
    assert_eq!(sandbox.list(""), ["column.toml", "tank.toml"]);
}

#[test]
fn every_new_scene_is_checked_without_a_remark_and_runs() {
    let sandbox = Sandbox::new();
    for kind in ["tank", "dam_break", "jet", "drop", "channel", "two_fluids"] {
        sandbox.sph(&["new", kind]).expect(0);
        let file = format!("{kind}.toml");
        let check = sandbox.sph(&["check", &file]).expect(0).stdout;
        assert!(!check.contains("remark") && !check.contains("warning"), "{check}");
        sandbox.sph(&["run", &file, "--steps", "3"]).expect(0).says(&["done: 3 steps"]);
    }
}

#[test]
fn validate_judges_a_case_and_writes_a_report() {
    let sandbox = Sandbox::new();
    let run = sandbox.sph(&["validate", "dam_break_n1", "--quick", "--out", "deep/er"]).expect(0);
    let row = run.stdout.lines().find(|line| line.starts_with("dam_break_n1")).expect("a row of the table");
    assert!(row.contains("height at the back wall") && row.contains("pass"), "{row}");
    let report = sandbox.read("deep/er/validation.md");
    let picture = "pictures/validation/dam_break_n1_height.svg";
    assert!(report.contains(&format!("]({picture})")), "{report}");
    assert!(sandbox.read(&format!("deep/er/{picture}")).ends_with("</svg>\n"));
}

#[test]
fn validate_knows_its_cases() {
    let sandbox = Sandbox::new();
    sandbox.sph(&["validate", "dam_brake_n1"]).expect(2).says(&["no case `dam_brake_n1`: did you mean `dam_break_n1`?"]);
    sandbox.sph(&["validate", "lobovsky", "--quick"]).expect(2).says(&["none of these cases has a quick version"]);
    assert_eq!(sandbox.list(""), ["column.toml"]);
}

#[test]
fn schema_is_json_with_the_keys_of_the_scene_format() {
    let run = Sandbox::new().sph(&["schema"]).expect(0);
    let schema: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert!(schema["$schema"].is_string(), "{schema}");
    for key in ["format", "particles", "fluid", "containers", "grid", "run"] {
        assert!(schema["properties"][key].is_object(), "no {key} in {schema}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Sandbox::new().start(&["schema"]);
    drop(child.stdout.take());
    let run = super::Run::of(child.wait_with_output().unwrap()).expect(0);
    assert_eq!(run.stderr, "");
}

#[test]
fn without_an_argument_the_dam_break_is_found_from_any_folder() {
    // The window needs a display, but its scene is looked up first.
    Sandbox::new().sph(&["run", "--steps", "1"]).expect(0).says(&["done: 1 step,"]);
}

#[test]
fn without_a_display_one_line_names_the_alternatives() {
    let run = Sandbox::new().sph(&["column.toml"]).expect(2).says(&["no display", "sph run", "sph render"]);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
}

const SCENE: &str = r#"{
    "Configuration": { "sim2D": true, "particleRadius": 0.025, "pause": true, "swirl": 3, "stopAt": 0.02 },
    "RigidBodies": [{ "geometryFile": "UnitBox.obj", "translation": [0.5, 0.5, 0], "mapInvert": true }],
    "FluidBlocks": [{ "start": [0, 0, 0], "end": [0.5, 0.5, 0.5] }]
}"#;

#[test]
fn import_writes_a_scene_and_lists_what_it_lacks() {
    let sandbox = Sandbox::new();
    sandbox.write("box.json", SCENE);
    let printed = sandbox.sph(&["import", "box.json"]).expect(0);
    let printed = printed.says(&["Configuration: display only: pause", "Configuration: unknown: swirl"]);
    sandbox.sph(&["import", "box.json", "--out", "new/box.toml"]).expect(0).says(&["unknown: swirl", "wrote new/box.toml"]);
    assert_eq!(sandbox.read("new/box.toml").trim_end(), printed.stdout.trim_end());
    sandbox.write("new/mine.toml", "mine");
    let again = ["import", "box.json", "--out", "new/mine.toml"];
    sandbox.sph(&again).expect(2).says(&["new/mine.toml already exists", "--overwrite"]);
    assert_eq!(sandbox.read("new/mine.toml"), "mine");
    sandbox.sph(&[&again[..], &["--overwrite"]].concat()).expect(0);
    let checked = sandbox.sph(&["check", "new/box.toml"]).expect(0);
    assert!(checked.stdout.contains("ok: 2D, 100 fluid"), "{}", checked.stdout);
}

#[test]
fn commands_open_a_scene_directly() {
    let sandbox = Sandbox::new();
    sandbox.write("box.json", SCENE);
    sandbox.sph(&["run", "box.json"]).expect(0).says(&["remark: Configuration: unknown: swirl", "box: 100 fluid", "done:"]);
    sandbox.sph(&["run", "box.json", "--steps", "2", "--set", "particles.spacing=0.1"]).expect(0).says(&["25 fluid"]);
    sandbox.sph(&["check", "box.json"]).expect(0);
}

#[test]
fn import_refuses_what_it_cannot_use() {
    let sandbox = Sandbox::new();
    sandbox.write("box.json", SCENE);
    sandbox.sph(&["import", "box.json", "--out", "box.json"]).expect(2).says(&["--out", "the file to import"]);
    assert_eq!(sandbox.read("box.json"), SCENE);
    sandbox.write("mesh.json", SCENE.replace("UnitBox.obj", "dragon.obj"));
    sandbox.sph(&["import", "mesh.json"]).expect(2).says(&["there is no mesh dragon.obj", "mesh.json:3:39"]);
    // Fluid outside of the walls: written, to be mended.
    sandbox.write("out.json", SCENE.replace("[0, 0, 0]", "[3, 0, 0]").replace("[0.5, 0.5, 0.5]", "[3.5, 0.5, 0.5]"));
    sandbox.sph(&["import", "out.json", "--out", "out.toml"]).expect(2).says(&["wrote out.toml", "fixing", "out.toml:27:8"]);
    assert!(sandbox.read("out.toml").contains("[[fluid.blocks]]"));
}
