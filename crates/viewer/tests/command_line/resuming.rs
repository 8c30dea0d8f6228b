//! Checkpoints of runs: whatever ends a run, it goes on to the same bits, and its files with it.

use super::support::{COLUMN, Sandbox};

const PROBES: &str = "[[probes]]\nname = \"bed\"\nkind = \"pressure\"\nat = [0.0, 0.1]\naveraging = 0.01\n";

/// Outputs of a run, besides its checkpoints.
const OUTPUTS: [&str; 8] = ["--probes", "probes.csv", "--stats", "stats.jsonl", "--export", "csv=frames", "--every", "0.005"];

/// Sandbox with a scene with a probe.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("probed.toml", format!("{COLUMN}{PROBES}"));
    sandbox
}

/// Everything that a run leaves and that does not depend on how fast it was.
fn results(sandbox: &Sandbox) -> Vec<String> {
    let frames = sandbox.list("frames").into_iter().map(|name| sandbox.read(&format!("frames/{name}")));
    let step = |line: &str| -> serde_json::Value {
        let mut value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        value.as_object_mut().expect("an object").retain(|key, _| key != "ms" && key != "search");
        value
    };
    let stats = sandbox.read("stats.jsonl").lines().map(|line| step(line).to_string()).collect::<Vec<_>>().join("\n");
    frames.chain([sandbox.read("probes.csv"), stats]).collect()
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
    assert!(results(&parts) == results(&whole), "{:?}\n{:?}", results(&parts).last(), results(&whole).last());
}

#[test]
fn what_is_no_checkpoint_is_refused() {
    let sandbox = sandbox();
    sandbox.sph(&["run", "--resume", "column.toml"]).expect(2).says(&["cannot resume column.toml: it is not a checkpoint"]);
    sandbox.sph(&["run", "column.toml", "--resume", "a.checkpoint"]).expect(2);
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
        let last = ["--export", "csv=frames", "--every", "0.2"];
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
        let frame = |sandbox: &Sandbox, number: u32| sandbox.read(&format!("frames/frame_00000{number}.csv"));
        assert!(frame(&killed, 1) == frame(&whole, 1) && frame(&killed, 2) == frame(&whole, 2));
    }
}
