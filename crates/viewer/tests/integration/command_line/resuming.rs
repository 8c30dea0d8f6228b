//! Checkpoints of runs: whatever ends a run, it goes on to the same bits, and its files with it.

use super::support::{COLUMN, Sandbox};

const PROBES: &str = "[[probes]]\nname = \"bed\"\nkind = \"pressure\"\nat = [0.0, 0.1]\naveraging = 0.01\n";

/// Outputs of a run, besides its checkpoints.
pub const OUTPUTS: [&str; 8] =
    ["--probes", "probes.csv", "--stats", "stats.jsonl", "--export", "csv=frames", "--every", "0.005"];

/// Sandbox with a scene with a probe.
pub fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("probed.toml", format!("{COLUMN}{PROBES}"));
    sandbox
}

/// Everything that a run leaves in `folder` (empty or with a slash at its end) and that does not depend on how fast it was.
pub fn results(sandbox: &Sandbox, folder: &str) -> Vec<String> {
    let names = sandbox.list(&format!("{folder}frames")).into_iter().filter(|name| !name.starts_with('.'));
    let frames = names.map(|name| sandbox.read(&format!("{folder}frames/{name}")));
    let step = |line: &str| -> serde_json::Value {
        let mut value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        value.as_object_mut().expect("an object").retain(|key, _| key != "ms" && key != "search");
        value
    };
    let stats =
        sandbox.read(&format!("{folder}stats.jsonl")).lines().map(|line| step(line).to_string()).collect::<Vec<_>>().join("\n");
    frames.chain([sandbox.read(&format!("{folder}probes.csv")), stats]).collect()
}

#[test]
fn a_run_in_parts_leaves_what_a_whole_one_leaves() {
    let (whole, parts) = (sandbox(), sandbox());
    whole.sph(&[&["run", "probed.toml", "--threads", "1"], &OUTPUTS[..]].concat()).expect(0);
    let first = ["run", "probed.toml", "--until", "0.02", "--checkpoint", "a.checkpoint"];
    parts.sph(&[&first, &OUTPUTS[..]].concat()).expect(0).says(&["wrote a.checkpoint, a checkpoint at step "]);
    // It needs no scene.
    std::fs::remove_file(parts.path("probed.toml")).unwrap();
    let middle = ["run", "--resume", "a.checkpoint", "--until", "0.035", "--threads", "2"];
    parts.sph(&[&middle, &OUTPUTS[..]].concat()).expect(0);
    parts.sph(&[&["run", "--resume", "a.checkpoint"], &OUTPUTS[..]].concat()).expect(0);
    let [parts, whole] = [&parts, &whole].map(|sandbox| results(sandbox, ""));
    assert!(parts == whole, "{:?}\n{:?}", parts.last(), whole.last());
}

/// The statistics and the readings that a resumed run goes on with are those of the run before the checkpoint, or it is refused.
#[test]
fn outputs_of_another_run_are_not_gone_on_with() {
    let sandbox = sandbox();
    let first = ["run", "probed.toml", "--until", "0.02", "--checkpoint", "a.checkpoint"];
    sandbox.sph(&[&first, &OUTPUTS[..]].concat()).expect(0);
    let resume = || sandbox.sph(&[&["run", "--resume", "a.checkpoint"], &OUTPUTS[..]].concat());
    for name in ["stats.jsonl", "probes.csv"] {
        let text = sandbox.read(name);
        let other = text.replacen("0.", "1.", 1);
        sandbox.write(name, &other);
        resume().expect(1).says(&[name, "it does not begin with the", "of the run that is resumed: choose another name"]);
        assert!(sandbox.read(name) == other, "it is not touched");
        sandbox.write(name, text);
    }
    resume().expect(0);
}

/// A part of a run that writes no statistics leaves their place in the checkpoint, so that the next part keeps the lines so far.
#[test]
fn outputs_that_a_resumed_run_does_not_name_keep_their_lines() {
    let sandbox = sandbox();
    let outputs = ["--probes", "probes.csv", "--stats", "stats.jsonl", "--every", "0.005"];
    let first = ["run", "probed.toml", "--until", "0.02", "--checkpoint", "a.checkpoint"];
    sandbox.sph(&[&first, &outputs[..]].concat()).expect(0);
    let before = ["stats.jsonl", "probes.csv"].map(|name| sandbox.read(name));
    sandbox.sph(&["run", "--resume", "a.checkpoint", "--until", "0.025"]).expect(0);
    sandbox.sph(&[&["run", "--resume", "a.checkpoint", "--until", "0.03"], &outputs[..]].concat()).expect(0);
    let after = ["stats.jsonl", "probes.csv"].map(|name| sandbox.read(name));
    assert!(after.iter().zip(&before).all(|(after, before)| after.starts_with(before) && after.len() > before.len()));
}

#[test]
fn what_is_no_checkpoint_is_refused() {
    let sandbox = sandbox();
    sandbox.sph(&["run", "--resume", "column.toml"]).expect(2).says(&["cannot resume column.toml: it is not a checkpoint"]);
    let advice = |surplus: &str| {
        format!("error: a checkpoint holds its scene with all values: leave out {surplus} and type `sph run --resume no`")
    };
    for (surplus, arguments) in [
        ("column.toml", &["run", "column.toml", "--resume", "no"][..]),
        ("--set gravity", &["run", "--resume", "no", "--set", "gravity=[0, 0, 0]"]),
        ("column.toml and --set gravity", &["run", "--set", "gravity=[0, 0, 0]", "--resume", "no", "column.toml"]),
    ] {
        let refused = sandbox.sph(arguments).expect(2).says(&[&advice(surplus)]);
        assert!(!refused.stderr.contains("Usage"), "{}", refused.stderr);
    }
    sandbox.sph(&["run", "column.toml", "--checkpoint", "column.toml"]).expect(2).says(&["choose another place"]);
}

#[cfg(unix)]
mod kills {
    use super::super::support::{Run, wait_until};
    use super::*;
    use std::process::Command;
    use std::time::Duration;

    /// Killed at several moments, or asked to end, and resumed from whatever checkpoint is there.
    #[test]
    fn a_killed_run_is_resumed_to_the_same_bits() {
        let (whole, killed) = (sandbox(), sandbox());
        let last = ["--probes", "probes.csv", "--stats", "stats.jsonl", "--export", "csv=frames", "--every", "0.2"];
        whole.sph(&[&["run", "probed.toml", "--until", "0.4"], &last[..]].concat()).expect(0);
        let every = ["--checkpoint", "a.checkpoint", "--checkpoint-every", "0.001", "--until", "0.4"];
        let mut begin = vec!["run", "probed.toml"];
        for (round, signal) in ["-KILL", "-TERM", "-KILL", "-INT"].into_iter().enumerate() {
            let mut child = killed.start(&[&begin, &every[..], &last[..]].concat());
            wait_until("a checkpoint", || killed.path("a.checkpoint").exists());
            std::thread::sleep(Duration::from_millis(37 * (round as u64 + 1)));
            Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
            if child.try_wait().unwrap().is_none() {
                let run = Run::of(child.wait_with_output().unwrap());
                assert!([None, Some(0), Some(143), Some(130)].contains(&run.status), "{:?}: {}", run.status, run.stderr);
            }
            begin = vec!["run", "--resume", "a.checkpoint"];
        }
        killed.sph(&[&begin, &every[..], &last[..]].concat()).expect(0);
        let [killed, whole] = [&killed, &whole].map(|sandbox| results(sandbox, ""));
        assert!(killed == whole, "{:?}\n{:?}", killed.last(), whole.last());
    }
}
