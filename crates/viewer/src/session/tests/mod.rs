//! Tests of the session through the window's handle, which never waits for the simulation.

mod compares;
mod engines;
mod follows;
mod hands;
mod inspects;
mod playback;
mod reloads;
mod results;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Notice, Options, Rates, Request, SceneSource, Session, Severity, Snapshot, SpeedLimit};
use sph_io::Scene;

/// A block that falls into a small tank; light enough for hundreds of steps a second.
const SCENE: &str = r#"
format = 1
title = "A small block"
dimensions = 2
[particles]
spacing = 0.05
[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.5, 0.5]
[[containers]]
min = [0.0, 0.0]
max = [1.0, 1.0]
[grid]
structure = "spatial_hash"
"#;

/// Longest wait for anything. Generous: the simulation leaves the processors to other programs where these want them.
const TIMEOUT: Duration = Duration::from_secs(300);

fn start(options: &Options) -> Session {
    Session::start(options, Arc::new(|| ())).expect("threads start")
}

fn running(options: &Options) -> Session {
    running_scene(options, "small", SCENE)
}

/// A session that runs the scene of this `text` as fast as it can.
fn running_scene(options: &Options, name: &'static str, text: &'static str) -> Session {
    let session = start(options);
    session.send(Request::SetSpeedLimit(SpeedLimit::Unlimited));
    session.send(Request::Load(SceneSource::Text(name, text, Vec::new())));
    session
}

/// Waits for a snapshot that `accepts` accepts; `what` names it in the panic message.
fn wait_for(session: &mut Session, what: &str, accepts: impl Fn(&Snapshot) -> bool) -> Snapshot {
    let start = Instant::now();
    loop {
        session.update();
        if accepts(session.snapshot()) {
            return session.snapshot().clone();
        }
        assert!(start.elapsed() < TIMEOUT, "no snapshot came with {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits for the next notice, which may come a little after the snapshot that shows its cause.
fn wait_for_notice(session: &Session) -> Notice {
    let start = Instant::now();
    loop {
        if let Some(notice) = session.next_notice() {
            return notice;
        }
        assert!(start.elapsed() < TIMEOUT, "no notice came");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn plays_pauses_and_steps() {
    let mut session = running(&Options { threads: Some(1), ..Options::default() });
    let moving = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 20);
    assert!(!moving.paused && moving.time > 0.0 && moving.stats.is_some() && moving.threads == 1);
    session.send(Request::Pause);
    let paused = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    session.send(Request::StepOnce);
    session.send(Request::StepOnce);
    let stepped = wait_for(&mut session, "two steps", |snapshot| snapshot.steps == paused.steps + 2);
    assert!(stepped.time > paused.time);
    assert_eq!(stepped.rates, Rates::default(), "single steps have no speed");
    session.quit().expect("the thread ends well");
}

#[test]
fn parameters_apply_without_a_reset_and_survive_one() {
    let mut session = running(&Options::default());
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    let mut parameters = before.parameters.expect("a scene has parameters");
    for table_size in [17, 31, 97] {
        parameters.grid.table_size = table_size;
        session.send(Request::SetParameters { parameters, generation: 1, revision: u64::from(table_size) });
    }
    let after = wait_for(&mut session, "the last of the parameters", |snapshot| {
        snapshot.revision == 97 && snapshot.stats.as_ref().is_some_and(|stats| stats.search.parameters.table_size == 97)
    });
    assert!(after.steps >= before.steps && after.time >= before.time);
    session.send(Request::Pause);
    session.send(Request::Reset);
    let reset = wait_for(&mut session, "a reset", |snapshot| snapshot.steps == 0 && snapshot.paused);
    assert_eq!(reset.parameters, Some(parameters));
    assert_eq!((reset.time, reset.generation), (0.0, before.generation));
}

#[test]
fn saved_parameters_replace_the_scenes_own() {
    let mut session = running(&Options::default());
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    let scene = before.scene.expect("a scene runs");
    let with_table = |size: u32| {
        let mut saved = Scene::clone(&scene);
        saved.setup.parameters.grid.table_size = size;
        Request::Saved { scene: scene.clone(), saved: Arc::new(saved) }
    };
    session.send(with_table(17));
    let size = |snapshot: &Snapshot| snapshot.scene.as_ref().map(|scene| scene.setup.parameters.grid.table_size);
    let saved = wait_for(&mut session, "the new baseline", |snapshot| size(snapshot) == Some(17));
    // A saved scene that no longer runs changes nothing.
    session.send(with_table(31));
    // In a pause, so that no step after it is made before anybody looks.
    session.send(Request::Pause);
    session.send(Request::Reset);
    let reset = wait_for(&mut session, "a reset", |snapshot| snapshot.steps == 0);
    assert_eq!(reset.generation, saved.generation);
    assert_eq!(size(&reset), Some(17));
}

#[test]
fn refused_parameters_change_nothing() {
    let mut session = running(&Options::default());
    let before = wait_for(&mut session, "a scene", |snapshot| snapshot.parameters.is_some());
    let mut parameters = before.parameters.expect("a scene has parameters");
    parameters.fluid.sound_speed = -1.0;
    session.send(Request::SetParameters { parameters, generation: 1, revision: 7 });
    let after = wait_for(&mut session, "the revision", |snapshot| snapshot.revision == 7);
    assert_eq!(after.parameters, before.parameters);
    let notice = wait_for_notice(&session);
    assert!(notice.severity == Severity::Warning && notice.details.contains("sound_speed"), "{notice:?}");
}

#[test]
fn parameters_sent_before_any_scene_are_ignored() {
    let mut session = start(&Options::default());
    let scene = sph_io::parse(SCENE, "small", &[]).expect("the scene is well-formed");
    let mut parameters = scene.setup.parameters;
    parameters.fluid.sound_speed = 77.0;
    session.send(Request::SetParameters { parameters, generation: 0, revision: 9 });
    session.send(Request::Load(SceneSource::Text("small", SCENE, Vec::new())));
    let after = wait_for(&mut session, "the revision", |snapshot| snapshot.revision == 9 && snapshot.parameters.is_some());
    assert_eq!(after.parameters, Some(scene.setup.parameters));
}

#[test]
fn parameters_of_the_scene_before_are_ignored() {
    let mut session = running(&Options::default());
    let before = wait_for(&mut session, "a scene", |snapshot| snapshot.parameters.is_some());
    let mut parameters = before.parameters.expect("a scene has parameters");
    parameters.fluid.sound_speed = 77.0;
    session.send(Request::SetParameters { parameters, generation: before.generation - 1, revision: 3 });
    let after = wait_for(&mut session, "the revision", |snapshot| snapshot.revision == 3 && snapshot.steps > 5);
    assert_eq!(after.parameters, before.parameters);
}

#[test]
fn a_scene_that_cannot_be_loaded_leaves_the_running_one() {
    let mut session = running(&Options::default());
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    session.send(Request::Load(SceneSource::Text("bad", "format = 1\ntitel = 1", Vec::new())));
    let notice = wait_for_notice(&session);
    assert!(notice.severity == Severity::Error && notice.details.contains("titel"), "{notice:?}");
    // The notice may come before the snapshot that says that loading is over.
    let after = wait_for(&mut session, "more steps", |snapshot| snapshot.steps > before.steps + 5 && !snapshot.loading);
    assert_eq!(after.generation, before.generation);
}

#[test]
fn a_reset_does_not_stop_a_load() {
    let mut session = running(&Options::default());
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    session.send(Request::Load(SceneSource::Text("other", SCENE, Vec::new())));
    session.send(Request::Reset);
    let after =
        wait_for(&mut session, "the other scene", |snapshot| snapshot.generation > before.generation && !snapshot.loading);
    assert_eq!(after.scene.map(|scene| scene.name.clone()).as_deref(), Some("other"));
}

#[test]
fn a_load_that_fails_does_not_stop_a_reset() {
    let mut session = running(&Options::default());
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    session.send(Request::Pause);
    session.send(Request::Reset);
    session.send(Request::Load(SceneSource::Text("bad", "format = 1\ntitel = 1", Vec::new())));
    let after = wait_for(&mut session, "a reset", |snapshot| snapshot.steps == 0 && !snapshot.loading);
    assert_eq!(after.generation, before.generation);
}

#[test]
fn the_speed_limit_is_kept() {
    let mut session = running(&Options::default());
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    // The clock starts before the limit applies: the time simulated between the two snapshots is at most the time measured.
    let start = Instant::now();
    session.send(Request::SetSpeedLimit(SpeedLimit::Times(0.5)));
    let first = wait_for(&mut session, "the limit", |snapshot| snapshot.speed_limit == SpeedLimit::Times(0.5));
    let later = wait_for(&mut session, "time", |snapshot| snapshot.time > first.time + 0.1);
    // One step and the lag that may be caught up are allowed.
    let allowed = 0.5 * start.elapsed().as_secs_f64() + 0.05;
    assert!(later.time - first.time <= allowed, "{} s simulated, {allowed} s allowed", later.time - first.time);
}

#[test]
fn the_statistics_file_is_complete_when_the_session_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stats.jsonl");
    let mut session = running(&Options { stats: Some(path.clone()), ..Options::default() });
    let last = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 30);
    assert!(!path.exists(), "a file that is not complete has its final name");
    session.quit().expect("the thread ends well");
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let times: Vec<f64> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a line is JSON")["time"].as_f64().expect("a time"))
        .collect();
    assert!(times.len() as u64 >= last.steps && times.is_sorted());
}

#[test]
fn an_incomplete_statistics_file_fails_the_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stats.jsonl");
    let mut session = running(&Options { stats: Some(path.clone()), ..Options::default() });
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    // The file cannot take the name of a folder.
    std::fs::create_dir(&path).expect("the name is free");
    let error = session.quit().expect_err("the file cannot be completed");
    assert!(format!("{error:#}").contains(&path.display().to_string()), "{error:#}");
}

/// Fluid far faster than its own sound: the first step is refused.
const RUNAWAY: &str = r#"
format = 1
title = "A bullet"
dimensions = 2
[particles]
spacing = 0.05
[fluid]
sound_speed = 10.0
[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.5, 0.5]
velocity = [1e6, 0.0]
initial_pressure = "zero"
"#;

#[test]
fn a_refused_step_pauses_and_reports_the_reason() {
    let mut session = start(&Options::default());
    session.send(Request::Load(SceneSource::Text("bullet", RUNAWAY, Vec::new())));
    let failed = wait_for(&mut session, "a failure", |snapshot| snapshot.failure.is_some());
    assert!(failed.paused && failed.steps == 0 && failed.particles.positions.iter().all(|position| position.is_finite()));
    let notice = wait_for_notice(&session);
    assert!(notice.severity == Severity::Error && notice.details.contains("particle"), "{notice:?}");
    // Another scene is not blocked by it.
    session.send(Request::Load(SceneSource::Text("small", SCENE, Vec::new())));
    wait_for(&mut session, "steps of another scene", |snapshot| snapshot.steps > 5 && snapshot.failure.is_none());
}

// The window never blocks on the simulation, however long a step takes.

/// A scene with brute-force search: a step takes a good part of a second on one thread.
const SLOW: &str = r#"
format = 1
title = "A slow block"
dimensions = 2
[particles]
spacing = 0.008
[[fluid.blocks]]
min = [0.0, 0.0]
max = [1.0, 1.0]
[grid]
structure = "brute_force"
"#;

/// A session in the middle of a long step.
fn stepping(options: Options) -> Session {
    let mut session = running_scene(&Options { threads: Some(1), ..options }, "slow", SLOW);
    wait_for(&mut session, "a step", |snapshot| snapshot.steps > 0);
    session
}

/// The work of the window in one frame.
fn frame(session: &mut Session) -> u64 {
    session.send(Request::SetSpeedLimit(SpeedLimit::Unlimited));
    session.update();
    let snapshot = session.snapshot();
    snapshot.steps + u64::from(snapshot.particles.positions.is_empty())
}

#[test]
fn frames_go_on_during_a_step() {
    let mut session = stepping(Options::default());
    let (begin, first) = (Instant::now(), session.snapshot().steps);
    let mut frames = 0;
    while frame(&mut session) < first + 2 {
        frames += 1;
        assert!(begin.elapsed() < TIMEOUT, "there are no more steps");
        std::thread::sleep(Duration::from_millis(1));
    }
    // Frames are counted and not timed, so that one stall of the machine does not matter: a blocked window gets one frame a
    // step.
    assert!(frames >= 20, "{frames} frames in two steps, {:?}", begin.elapsed());
    session.quit().expect("the thread ends well");
}

#[test]
fn quitting_waits_for_the_running_step_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stats.jsonl");
    let mut session = stepping(Options { stats: Some(path.clone()), ..Options::default() });
    // As from a key that is held: none of these steps may be started any more.
    for _ in 0..100 {
        session.send(Request::StepOnce);
    }
    session.update();
    let seen = session.snapshot().steps;
    session.quit().expect("the thread ends well");
    let lines = std::fs::read_to_string(&path).expect("the file is there").lines().count() as u64;
    // The running step, and one that may have ended since the snapshot was read.
    assert!(lines <= seen + 2, "{} steps after the end was asked for", lines - seen);
}

#[test]
fn a_pause_discards_pending_steps() {
    let mut session = stepping(Options::default());
    let before = session.snapshot().steps;
    for _ in 0..100 {
        session.send(Request::StepOnce);
    }
    session.send(Request::Pause);
    let paused = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    assert!(paused.steps <= before + 3, "{} steps after the pause was asked for", paused.steps - before);
    session.send(Request::StepOnce);
    session.send(Request::StepOnce);
    wait_for(&mut session, "two steps", |snapshot| snapshot.steps == paused.steps + 2);
}
