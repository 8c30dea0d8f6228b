//! Checkpoints of runs: whatever ends a run, be it a full disk, it goes on to the same bits, and its files with it; recordings of
//! sessions, replayed without a window.

use super::{COLUMN, Sandbox, wait_until};
use glam::Vec3;
use sph_core::{DroppedBody, DroppedShape, Hand, Pour, Push};
use sph_io::Checkpoint;
use viewer::session::{Goal, Options, Request, SceneSource, Session};

const PROBES: &str = "[[probes]]\nname = \"bed\"\nkind = \"pressure\"\nat = [0.0, 0.1]\naveraging = 0.01\n";

/// Outputs of a run, besides its checkpoints.
const OUTPUTS: [&str; 8] = ["--probes", "probes.csv", "--stats", "stats.jsonl", "--export", "csv=frames", "--every", "0.005"];

/// Sandbox with a scene with a probe.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("probed.toml", format!("{COLUMN}{PROBES}"));
    sandbox
}

/// Everything that a run leaves in `folder` (empty or with a slash at its end) and that does not depend on how fast it was.
fn results(sandbox: &Sandbox, folder: &str) -> Vec<String> {
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
        format!("error: a checkpoint contains its scene and all values: leave out {surplus}, as in `sph run --resume no`")
    };
    for (surplus, arguments) in [
        ("column.toml", &["run", "column.toml", "--resume", "no"][..]),
        ("--set gravity", &["run", "--resume", "no", "--set", "gravity=[0, 0, 0]"]),
        ("column.toml and --set gravity", &["run", "--set", "gravity=[0, 0, 0]", "--resume", "no", "column.toml"]),
    ] {
        let refused = sandbox.sph(arguments).expect(2).says(&[&advice(surplus)]);
        assert!(!refused.stderr.contains("Usage"), "{}", refused.stderr);
    }
    sandbox.sph(&["run", "column.toml", "--checkpoint", "column.toml"]).expect(2).says(&["choose another path"]);
}

#[cfg(unix)]
mod kills {
    use super::super::{Run, wait_until};
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

/// Records a session in `session.jsonl`, as `sph --record` does: pushed, poured, with a body dropped and gravity turned on
/// the way.
fn record(sandbox: &Sandbox, scene: &str) -> u64 {
    let options = Options { record: Some(sandbox.path("session.jsonl")), threads: Some(1), ..Options::default() };
    let mut session = Session::start(&options, std::sync::Arc::new(|| ())).unwrap();
    session.send(Request::Load(SceneSource::File(sandbox.path(scene), Vec::new())));
    let push = Push { center: Vec3::new(0.3, 0.2, 0.0), radius: 0.3, strength: 40.0, drag: 2.0, velocity: Vec3::X };
    let pour =
        Pour { center: Vec3::new(0.7, 0.8, 0.0), radius: 0.1, velocity: Vec3::new(0.0, -2.0, 0.0), fluid: 0, rate: None };
    let go_to = |session: &mut Session, steps: u64| {
        session.send(Request::Seek(Goal::Steps(steps)));
        wait_until("the moment is there", || {
            session.update();
            let snapshot = session.snapshot();
            snapshot.steps == steps && snapshot.paused && !snapshot.timeline.seeking()
        });
    };
    wait_until("the scene is there", || session.update() && session.snapshot().generation == 1);
    go_to(&mut session, 10);
    for (hand, steps) in [(Some(Hand::Push(push)), 25), (Some(Hand::Pour(pour)), 40), (None, 60)] {
        let mut parameters = session.snapshot().parameters.unwrap();
        parameters.gravity.x += 2.0;
        session.send(Request::SetParameters { parameters, generation: 1, revision: steps });
        session.send(Request::UseHand { hand, generation: 1 });
        if steps == 25 {
            let center = Vec3::new(0.3, 0.2, 0.0);
            let body = DroppedBody { center, size: 0.15, shape: DroppedShape::Box, density: 600.0, velocity: Vec3::ZERO };
            session.send(Request::DropBody { body, generation: 1 });
        }
        go_to(&mut session, steps);
    }
    session.quit().unwrap();
    60
}

#[test]
fn a_replay_gives_the_same_bits_for_any_number_of_threads() {
    let sandbox = sandbox();
    let steps = record(&sandbox, "probed.toml");
    for (threads, folder) in [("1", "one"), ("2", "two")] {
        std::fs::create_dir(sandbox.path(folder)).unwrap();
        let checkpoint = format!("{folder}/end.checkpoint");
        let outputs = OUTPUTS.map(|output| match output {
            "csv=frames" => format!("csv={folder}/frames"),
            name if name.contains('.') && !name.starts_with('0') => format!("{folder}/{name}"),
            other => other.to_owned(),
        });
        let mut arguments = vec!["run", "probed.toml", "--replay", "session.jsonl", "--threads", threads];
        arguments.extend(["--checkpoint", &*checkpoint]);
        arguments.extend(outputs.iter().map(String::as_str));
        sandbox.sph(&arguments).expect(0).says(&["to the bit"]);
    }
    assert!(results(&sandbox, "one/") == results(&sandbox, "two/"));
    let [one, two] = ["one", "two"].map(|folder| {
        let path = sandbox.path(&format!("{folder}/end.checkpoint"));
        Checkpoint::load(&path).unwrap().state
    });
    assert!(one == two && one.steps == steps && one.particles.len() > 100, "poured particles are in it");
    assert_eq!((one.dropped.len(), one.bodies.len()), (1, 1), "so is the body");
}

#[test]
fn recordings_that_cannot_be_replayed_are_refused_and_nothing_is_written() {
    let sandbox = sandbox();
    record(&sandbox, "column.toml");
    let text = sandbox.read("session.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    sandbox.write("other.toml", COLUMN.replace("max = [0.5, 0.5]", "max = [0.45, 0.5]"));
    sandbox.write("finer.toml", COLUMN.replace("spacing = 0.05", "spacing = 0.025"));
    sandbox.write("cut_in_a_line.jsonl", &text[..text.len() / 2]);
    sandbox.write("cut_after_a_line.jsonl", format!("{}\n", lines[..lines.len() - 1].join("\n")));
    sandbox.write("empty.jsonl", "");
    let released = lines.iter().position(|line| line.contains("release")).expect("the hand lets go");
    let with = |hand: &str| text.replace("\"release\":true", &format!("\"hand\":{hand}"));
    let grab = |body: usize, point: &str| {
        with(&format!(r#"{{"grab":{{"body":{body},"point":{point},"time":0.02,"top_speed":1.0}}}}"#))
    };
    sandbox.write("no_body.jsonl", grab(1, "[0.3,0.2,0.0]"));
    sandbox.write("out_of_plane.jsonl", grab(0, "[0.3,0.2,0.1]"));
    sandbox.write("not_finite.jsonl", grab(0, "[0.3,0.2e99,0.0]"));
    sandbox.write("no_fluid.jsonl", with(r#"{"pour":{"center":[0.7,0.8,0],"radius":0.1,"velocity":[0,-2,0],"fluid":2}}"#));
    let line = |reason: &str| format!("line {}: hand.{reason}", released + 1);
    sandbox.write("noise.jsonl", [0, 159, 146, 150, 10, 255]);
    sandbox.write("table.jsonl", "{\"a\": 1}\n");
    let before = sandbox.list("");
    let renamed = "recorded with “column”, but this scene is “other”; its initial particles are not those of this run; name the scene column";
    let finer = renamed.replace("other", "finer");
    for (scene, recording, says) in [
        ("other.toml", "session.jsonl", renamed),
        ("finer.toml", "session.jsonl", &*finer),
        ("column.toml", "cut_in_a_line.jsonl", "cannot replay cut_in_a_line.jsonl: it ends in the middle of line "),
        ("column.toml", "empty.jsonl", "cannot replay empty.jsonl"),
        ("column.toml", "noise.jsonl", "cannot replay noise.jsonl: it is not a recording"),
        ("column.toml", "table.jsonl", "cannot replay table.jsonl: it is not a recording"),
        ("column.toml", "column.toml", "cannot replay column.toml: it is not a recording"),
        ("column.toml", "missing.jsonl", "cannot replay missing.jsonl"),
        ("column.toml", "cut_after_a_line.jsonl", "the file is truncated"),
        ("column.toml", "no_body.jsonl", &line("grab.body: there is no body 1 at this step")),
        ("column.toml", "out_of_plane.jsonl", &line("grab.point: expected")),
        ("column.toml", "not_finite.jsonl", &line("grab.point: expected")),
        ("column.toml", "no_fluid.jsonl", &line("pour.fluid: there is no fluid 2")),
    ] {
        let arguments = ["run", scene, "--replay", recording, "--checkpoint", "end.checkpoint"];
        sandbox.sph(&[&arguments, &OUTPUTS[2..]].concat()).expect(2).says(&[says]);
        assert_eq!(sandbox.list(""), before, "{recording}");
    }
    let changed = ["run", "column.toml", "--set", "fluid.blocks.0.max=[0.45, 0.5]", "--replay", "session.jsonl"];
    let same_name = "cannot replay session.jsonl: its initial particles are not those of this run; has the scene file";
    sandbox.sph(&changed).expect(2).says(&[same_name]);
}

#[test]
fn the_window_says_where_a_recording_is_replayed() {
    let sandbox = sandbox();
    let says = &["a recording is replayed without a window: `sph run SCENE --replay FILE.jsonl`"];
    sandbox.sph(&["column.toml", "--replay", "session.jsonl"]).expect(2).says(says);
}

#[test]
fn the_end_of_a_replay_compares_the_bodies_too() {
    let sandbox = sandbox();
    record(&sandbox, "column.toml");
    let replay = || sandbox.sph(&["run", "column.toml", "--replay", "session.jsonl"]);
    replay().expect(0).says(&["the fluid and the bodies are those of the recorded session, to the bit"]);
    let text = sandbox.read("session.jsonl");
    let (before, digits) = text.split_once("\"bodies\":\"").expect("the recording has a hash of the bodies");
    let other = if digits.starts_with('0') { '1' } else { '0' };
    sandbox.write("session.jsonl", format!("{before}\"bodies\":\"{other}{}", &digits[1..]));
    replay().expect(1).says(&["after step 60 the bodies differ from those of the recorded session"]);
    // As recordings were before.
    sandbox.write("session.jsonl", format!("{}}}\n", before.trim_end_matches(',')));
    replay().expect(0).says(&["to the bit; the bodies are not compared because the recording has no hash of them"]);
}

#[test]
fn a_replay_says_what_its_end_is_compared_with() {
    let sandbox = sandbox();
    record(&sandbox, "column.toml");
    let replay = |arguments: &[&str]| sandbox.sph(&[&["run", "column.toml", "--replay", "session.jsonl"], arguments].concat());
    replay(&["--steps", "50"])
        .expect(0)
        .says(&["the state at step 50 is not compared with the recording, which continues to step 60"]);
    replay(&["--until", "0.001"]).expect(0).says(&["is not compared with the recording, which continues to step 60"]);
    replay(&["--steps", "70"]).expect(0).says(&["replayed to step 60", "to the bit"]);
    let without_effect =
        "a replay uses the parameters of the recording, so these have no effect: --set gravity, --set fluid.sound_speed";
    replay(&["--set", "gravity=[0, -5]", "--set", "fluid.sound_speed=90"]).expect(0).says(&[without_effect, "to the bit"]);
    // The wall stands where fluid is poured.
    let acts = ["differs if the motion depends on --set containers.0.max", "after step 60 the fluid differs"];
    replay(&["--set", "containers.0.max=[0.75, 1.0]"]).expect(1).says(&acts);
}

/// Runs on a disk that fills: a small file system in memory, mounted in a name space of its own, which needs no rights.
#[cfg(target_os = "linux")]
mod full_disks {
    use super::super::Sandbox;
    use super::{OUTPUTS, results, sandbox};
    use std::process::Command;

    /// Runs the lines of `script` with the folder `disk`, of 64 KiB, as the present one; `$sph` is the program with the outputs of all tests,
    /// and `grow` makes the disk larger. False if the system has no such name spaces.
    fn on_a_small_disk(sandbox: &Sandbox, script: &str) -> bool {
        std::fs::create_dir(sandbox.path("disk")).unwrap();
        let whole = format!(
            "mount -t tmpfs -o size=64k none disk || exit 77\n\
             cp probed.toml disk && cd disk || exit 1\n\
             grow() {{ mount -o remount,size=16m none ../disk; }}\n\
             sph() {{ {sph} \"$@\" {outputs} --checkpoint a.checkpoint --checkpoint-every 0.002; }}\n\
             {script}\n\
             cp -r . ../after",
            sph = env!("CARGO_BIN_EXE_sph"),
            outputs = OUTPUTS.join(" ")
        );
        let unshare = Command::new("unshare").args(["-rm", "sh", "-c", &whole]).current_dir(sandbox.path("")).output();
        let Ok(output) = unshare else { return false };
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.code() == Some(77) || said.contains("unshare failed") {
            println!("skipped, as there is no disk to fill: {said}");
            return false;
        }
        assert!(output.status.success(), "{said}");
        true
    }

    /// The results of the run in the folder `after`, which are those of a run with space enough.
    fn assert_whole(sandbox: &Sandbox) {
        let whole = super::sandbox();
        whole.sph(&[&["run", "probed.toml"], &OUTPUTS[..]].concat()).expect(0);
        assert!(results(sandbox, "after/") == results(&whole, ""));
    }

    #[test]
    fn a_run_that_stops_on_a_full_disk_is_resumed() {
        let sandbox = sandbox();
        let script =
            "sph run probed.toml 2> ../said; echo $? > ../status; cp -r . ../full; grow; sph run --resume a.checkpoint";
        if !on_a_small_disk(&sandbox, script) {
            return;
        }
        assert_eq!(sandbox.read("status"), "1\n");
        assert!(sandbox.read("said").contains("No space left on device"), "{}", sandbox.read("said"));
        // What has its final name on the full disk is whole.
        for name in sandbox.list("full/frames").iter().filter(|name| !name.starts_with('.')) {
            assert_eq!(sandbox.read(&format!("full/frames/{name}")), sandbox.read(&format!("after/frames/{name}")));
        }
        assert_whole(&sandbox);
    }

    #[test]
    fn a_run_that_waits_on_a_full_disk_goes_on_when_there_is_space() {
        let sandbox = sandbox();
        let script = "sph run probed.toml --on-full-disk wait 2> ../said &\n\
                      for second in $(seq 120); do grep -q 'waiting for space' ../said && break; sleep 1; done\n\
                      sleep 1; kill -0 $! && echo waits > ../status; grow; wait $! || exit 1";
        if !on_a_small_disk(&sandbox, script) {
            return;
        }
        assert_eq!(sandbox.read("status"), "waits\n");
        assert!(sandbox.read("said").contains("the disk is full: waiting for space"), "{}", sandbox.read("said"));
        assert_whole(&sandbox);
    }
}
