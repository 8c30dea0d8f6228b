//! The window never blocks on the simulation, however long a step takes.

use super::{TIMEOUT, running_scene, wait_for};
use crate::session::{Options, Request, Session, SpeedLimit};
use std::time::{Duration, Instant};

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
