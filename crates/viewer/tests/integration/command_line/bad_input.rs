//! Scenes and arguments that cannot be used: exit status 2, and a message that names the place.

use super::{COLUMN, Sandbox};

/// Checks that the message for a scene names its file and every one of `parts`, for each command that reads it.
#[track_caller]
fn check(scene: impl AsRef<[u8]>, parts: &[&str]) {
    let sandbox = Sandbox::new();
    sandbox.write("bad.toml", scene);
    for arguments in [&["check", "bad.toml"][..], &["run", "bad.toml"], &["bench", "bad.toml"], &["bad.toml"]] {
        let run = sandbox.sph(arguments).expect(2).says(&["bad.toml"]).says(parts);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
}

#[test]
fn a_misspelt_key() {
    check(COLUMN.replace("spacing", "spaceing"), &["bad.toml:7", "spaceing", "spacing", "^"]);
}

/// The window opens with the message; here none can be opened on the display that is announced.
#[test]
fn a_window_on_a_bad_scene_says_so_in_the_terminal() {
    let sandbox = Sandbox::new();
    sandbox.write("bad.toml", COLUMN.replace("spacing", "spaceing"));
    let output = sandbox.command(&["bad.toml"]).env("DISPLAY", "nowhere:4711").output().expect("the program starts");
    let run = super::Run::of(output).expect(2).says(&["bad.toml:7", "spaceing", "^"]);
    let check = sandbox.sph(&["check", "bad.toml"]).expect(2);
    assert!(run.stderr.starts_with(&check.stderr), "{}", run.stderr);
}

#[test]
fn a_wrong_type() {
    check(COLUMN.replace("spacing = 0.05", "spacing = \"fine\""), &["bad.toml:7", "\"fine\"", "^"]);
}

#[test]
fn a_negative_spacing() {
    check(COLUMN.replace("spacing = 0.05", "spacing = -0.05"), &["bad.toml:7", "-0.05", "above 0", "^"]);
}

#[test]
fn no_fluid() {
    let [before, after] = ["[[fluid.blocks]]", "[[containers]]"].map(|part| COLUMN.find(part).unwrap());
    check(COLUMN[..before].to_owned() + &COLUMN[after..], &["fluid"]);
}

#[test]
fn a_block_without_extent() {
    check(COLUMN.replace("max = [0.5, 0.5]", "max = [0.5, 0.0]"), &["bad.toml:", "empty", "^"]);
}

#[test]
fn a_billion_particles() {
    let deep = COLUMN.replace("dimensions = 2", "dimensions = 3").replace(", 0.0]", ", 0.0, 0.0]");
    let deep = deep.replace("0.5]", "0.5, 0.5]").replace("1.0]", "1.0, 1.0]").replace("= 0.05", "= 0.0005");
    check(deep, &["particles", "too many"]);
}

#[test]
fn a_truncated_file() {
    check(&COLUMN[..COLUMN.find("max").unwrap() + 7], &["bad.toml:11", "^"]);
}

#[test]
fn a_binary_file() {
    check([0x7f, b'E', b'L', b'F', 0xff, 0xfe, 0, 0, 0x80], &["bad.toml"]);
}

#[test]
fn an_empty_file() {
    check("", &["bad.toml"]);
}

#[test]
fn a_missing_file() {
    let sandbox = Sandbox::new();
    sandbox.sph(&["run", "nowhere.toml"]).expect(2).says(&["nowhere.toml"]);
    sandbox.sph(&["nowhere.toml"]).expect(2).says(&["nowhere.toml"]);
    // A folder is not a scene either.
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    sandbox.sph(&["run", "folder"]).expect(2).says(&["folder"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused() {
    let sandbox = Sandbox::new();
    assert!(std::process::Command::new("mkfifo").arg(sandbox.path("pipe.toml")).status().unwrap().success());
    sandbox.sph(&["check", "pipe.toml"]).expect(2).says(&["pipe.toml", "not a regular file"]);
}

#[test]
fn overrides_are_checked_as_the_file_is() {
    let sandbox = Sandbox::new();
    for (value, part) in [
        ("grid.table_sise=64", "table_size"),
        ("grid.table_size=0", "table_size"),
        ("grid.table_size=\"many\"", "table_size"),
        ("particles.spacing=-1", "spacing"),
    ] {
        sandbox.sph(&["run", "column.toml", "--set", value]).expect(2).says(&[part]);
    }
    sandbox.sph(&["run", "column.toml", "--set", "grid.table_size"]).expect(2);
}

#[test]
fn invalid_arguments() {
    let sandbox = Sandbox::new();
    for arguments in [
        &["run", "column.toml", "--until", "-1"][..],
        &["run", "column.toml", "--until", "nan"],
        &["run", "column.toml", "--until", "1", "--steps", "5"],
        &["run", "column.toml", "--steps", "0"],
        &["run", "column.toml", "--threads", "0"],
        &["run", "column.toml", "--threads", "100000"],
        &["run", "column.toml", "--export", "obj=out"],
        &["run", "column.toml", "--export", "ply"],
        &["run", "column.toml", "--export", "ply=out", "--every", "0"],
        &["run", "column.toml", "--every", "0.1"],
        &["run", "column.toml", "--export", "ply=out", "--export", "csv=out", "--export", "ply=./out/"],
        &["run", "column.toml", "--attributes", "id"],
        &["run", "column.toml", "--export-of", "fluid"],
        &["run", "column.toml", "--export", "ply=out", "--attributes", "velocities"],
        &["run", "column.toml", "--export", "ply=out", "--export-of", "fluid,body"],
        &["run", "column.toml", "--export", "ply=out", "--export-of", "bodies"],
        &["run", "column.toml", "--export", "surface=out"],
        &["run", "column.toml", "--export", "surface=out", "--surface", "cube_size=0"],
        &["run", "column.toml", "--export", "gltf=out"],
        &["surface", "nowhere", "--out", "out", "--surface", "radius=0.1"],
        &["surface", ".", "--out", "out"],
        &["surface", ".", "--out", "out", "--surface", "radius=0.1"],
        &["run", "column.toml", "--nonsense"],
        &["render", "column.toml"],
        &["render", "column.toml", "--out", "out", "--size", "640"],
        &["render", "column.toml", "--out", "out", "--fps", "0"],
        &["render", "column.toml", "--out", "out", "--camera", "1"],
        &["render", "column.toml", "--out", "out", "--surface", "cube_size=1"],
        &["check"],
    ] {
        let run = sandbox.sph(arguments).expect(2);
        assert!(run.stderr.starts_with("error: "), "{arguments:?}: {}", run.stderr);
        assert_eq!(sandbox.list(""), ["column.toml"], "{arguments:?} left something");
    }
}

#[test]
fn invalid_numbers_are_answered_with_the_range() {
    let sandbox = Sandbox::new();
    for (command, option, value, expected) in [
        ("run", "--until", "-1", "a positive number"),
        ("run", "--steps", "0", "a whole number, at least 1"),
        ("bench", "--steps", "-5", "a whole number, at least 1"),
        ("run", "--threads", "0", "1 to 1024"),
        ("render", "--size", "0x10", "each 1 to 16,384 pixels"),
    ] {
        let run = sandbox.sph(&[command, "column.toml", option, value]).expect(2);
        run.says(&[&format!("invalid value '{value}' for '{option}"), expected]);
    }
}

#[test]
fn one_file_for_two_outputs() {
    let sandbox = Sandbox::new();
    let outputs = ["--probes", "out.csv", "--stats", "./out.csv"];
    sandbox
        .sph(&[&["run", "column.toml"], &outputs[..]].concat())
        .expect(2)
        .says(&["--stats would write to ./out.csv, which is --probes"]);
    assert!(!sandbox.path("out.csv").exists());
}
