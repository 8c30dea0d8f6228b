//! Recordings of sessions, replayed without a window.

use super::resuming::{OUTPUTS, results, sandbox};
use super::support::{COLUMN, Sandbox, wait_until};
use glam::Vec3;
use sph_core::{DroppedBody, DroppedShape, Hand, Pour, Push};
use sph_io::Checkpoint;
use viewer::session::{Goal, Options, Request, SceneSource, Session};

/// Records a session in `session.jsonl`, as `sph --record` does: pushed, poured, with a body dropped and gravity turned on
/// the way.
fn record(sandbox: &Sandbox, scene: &str) -> u64 {
    let options = Options { record: Some(sandbox.path("session.jsonl")), threads: Some(1), ..Options::default() };
    let mut session = Session::start(&options, std::sync::Arc::new(|| ())).unwrap();
    session.send(Request::Load(SceneSource::File(sandbox.path(scene), Vec::new())));
    let push = Push { center: Vec3::new(0.3, 0.2, 0.0), radius: 0.3, strength: 40.0, drag: 2.0, velocity: Vec3::X };
    let pour = Pour { center: Vec3::new(0.7, 0.8, 0.0), radius: 0.1, velocity: Vec3::new(0.0, -2.0, 0.0), fluid: 0 };
    let go_to = |session: &mut Session, steps: u64| {
        session.send(Request::Seek(Goal::Steps(steps)));
        wait_until("the moment is there", || {
            session.update();
            let snapshot = session.snapshot();
            snapshot.steps == steps && snapshot.paused && !snapshot.timeline.seeking
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
    let renamed = "recorded with “column”, and this scene is “other”; its particles at the start are not those of this run; name the scene column";
    let finer = renamed.replace("other", "finer");
    for (scene, recording, says) in [
        ("other.toml", "session.jsonl", renamed),
        ("finer.toml", "session.jsonl", &*finer),
        ("column.toml", "cut_in_a_line.jsonl", "cannot replay cut_in_a_line.jsonl: it ends in the middle of line "),
        ("column.toml", "empty.jsonl", "cannot replay empty.jsonl"),
        ("column.toml", "noise.jsonl", "cannot replay noise.jsonl: it is no recording"),
        ("column.toml", "table.jsonl", "cannot replay table.jsonl: it is no recording"),
        ("column.toml", "column.toml", "cannot replay column.toml: it is no recording"),
        ("column.toml", "missing.jsonl", "cannot replay missing.jsonl"),
        ("column.toml", "cut_after_a_line.jsonl", "the file has been cut off"),
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
    let same_name =
        "cannot replay session.jsonl: its particles at the start are not those of this run; has the file of the scene";
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
    replay().expect(0).says(&["to the bit; the bodies are not compared, as the recording has no hash of them"]);
}

#[test]
fn a_replay_says_what_its_end_is_compared_with() {
    let sandbox = sandbox();
    record(&sandbox, "column.toml");
    let replay = |arguments: &[&str]| sandbox.sph(&[&["run", "column.toml", "--replay", "session.jsonl"], arguments].concat());
    replay(&["--steps", "50"])
        .expect(0)
        .says(&["the state at step 50 is not compared with the recording, which goes on to step 60"]);
    replay(&["--until", "0.001"]).expect(0).says(&["is not compared with the recording, which goes on to step 60"]);
    replay(&["--steps", "70"]).expect(0).says(&["replayed to step 60", "to the bit"]);
    let without_effect = "--set gravity, --set fluid.sound_speed without effect: a replay has the parameters of the recording";
    replay(&["--set", "gravity=[0, -5]", "--set", "fluid.sound_speed=90"]).expect(0).says(&[without_effect, "to the bit"]);
    // The wall stands where fluid is poured.
    let acts = ["differs if --set containers.0.max acts on the motion", "after step 60 the fluid differs"];
    replay(&["--set", "containers.0.max=[0.75, 1.0]"]).expect(1).says(&acts);
}
