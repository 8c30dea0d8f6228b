//! Hands in a session, and their replay.

use super::playback::{bits, go_to, paused_after};
use super::{SCENE, running, wait_for, wait_for_notice};
use crate::session::{Options, Request};
use glam::{DVec2, DVec3, Vec3};
use sph_commands::engine;
use sph_commands::simulate::Replay;
use sph_core::point_sets::PointId;
use sph_core::{BallPour, DroppedBody, DroppedShape, Engine, Grab, Hand, PointGrab, Pose, Pour, Push};
use sph_io::Checkpoint;
use std::path::Path;

const PUSH: Push =
    Push { center: Vec3::new(0.3, 0.2, 0.0), radius: 0.3, strength: 40.0, drag: 2.0, velocity: Vec3::new(0.5, 0.5, 0.0) };
const POUR: Pour =
    Pour { center: Vec3::new(0.7, 0.8, 0.0), radius: 0.1, velocity: Vec3::new(0.0, -2.0, 0.0), fluid: 0, rate: None };

/// The engine at the end of the recording of this scene at `path`, and its verdict.
fn replayed(text: &str, path: &Path) -> (Box<dyn Engine>, String) {
    let mut scene = sph_io::parse(text, "small", &[]).unwrap();
    let mut replay = Replay::load(path, &mut scene, 0).expect("the recording reads");
    let mut engine = engine::start(&scene.setup).unwrap();
    replay.check_start(&*engine).expect("the recording is of this scene");
    while engine.steps() < replay.end().unwrap() {
        replay.apply(&mut *engine).expect("the changes are accepted");
        assert_eq!(engine.step().error, None);
    }
    let verdict = replay.verdict(&*engine).expect("the same bits").expect("the end is reached");
    // A run that goes on beyond the end remembers it.
    let mut beyond = engine.fork();
    replay.apply(&mut *beyond).expect("nothing comes after the end");
    assert_eq!(beyond.step().error, None);
    assert_eq!(replay.verdict(&*beyond).expect("the same bits").as_ref(), Some(&verdict));
    (engine, verdict)
}

/// Error of a replay of the recording at `path`, from which the lines with `word` are removed.
fn error_without(word: &str, text: &str, path: &Path) -> String {
    let rows = std::fs::read_to_string(path).unwrap();
    let others: String = rows.lines().filter(|line| !line.contains(word)).map(|line| format!("{line}\n")).collect();
    std::fs::write(path, others).unwrap();
    let mut scene = sph_io::parse(text, "small", &[]).unwrap();
    let mut replay = Replay::load(path, &mut scene, 0).unwrap();
    let mut engine = engine::start(&scene.setup).unwrap();
    while engine.steps() < replay.end().unwrap() {
        replay.apply(&mut *engine).unwrap();
        engine.step();
    }
    format!("{:?}", replay.verdict(&*engine).unwrap_err())
}

#[test]
fn a_recorded_session_replays_to_the_same_state() {
    let folder = tempfile::tempdir().unwrap();
    let (recording, state) = (folder.path().join("session.jsonl"), folder.path().join("end.checkpoint"));
    let mut session = running(&Options::default());
    let use_hand = |hand: Option<Hand>| Request::UseHand { hand, generation: 1 };
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    session.send(use_hand(Some(Hand::Push(PUSH))));
    let pushed = wait_for(&mut session, "steps of the push", |snapshot| snapshot.steps > before.steps + 20);
    // Parameters that change the motion, dragged while the hand acts.
    let mut parameters = pushed.parameters.unwrap();
    for revision in 1..5_u8 {
        parameters.gravity = Vec3::new(f32::from(revision), -9.0, 0.0);
        parameters.fluid.kinematic_viscosity *= 3.0;
        session.send(Request::SetParameters { parameters, generation: 1, revision: revision.into() });
        wait_for(&mut session, "the parameters", |snapshot| snapshot.revision == u64::from(revision));
    }
    session.send(use_hand(Some(Hand::Pour(POUR))));
    let more = |count: usize| move |snapshot: &crate::session::Snapshot| snapshot.particles.len() > count + 8;
    let poured = wait_for(&mut session, "poured particles", more(before.particles.len()));
    session.send(use_hand(None));
    wait_for(&mut session, "steps after it", |snapshot| snapshot.steps > poured.steps + 20);
    session.send(Request::Pause);
    let end = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    session.send(Request::SaveRecording(recording.clone()));
    assert!(wait_for_notice(&session).title.contains("saved to"));
    session.send(Request::SaveState(state.clone()));
    assert!(wait_for_notice(&session).title.contains("saved to"));
    session.quit().unwrap();

    let (engine, verdict) = replayed(SCENE, &recording);
    assert!(verdict.contains("to the bit"), "{verdict}");
    assert_eq!((engine.steps(), engine.time()), (end.steps, end.time));
    assert!(engine.snapshot() == Checkpoint::load(&state).unwrap().state);
    // A recording without the push gives other fluid, and says so.
    let error = error_without("push", SCENE, &recording);
    assert!(error.contains("the fluid differs from that"), "{error}");
}

#[test]
fn a_recording_that_cannot_be_written_at_the_end_says_why_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gone/session.jsonl");
    let mut session = running(&Options { record: Some(path), ..Options::default() });
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > 2);
    let error = session.quit().unwrap_err();
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    assert!(causes.len() == 2 && causes[0].starts_with("cannot write the session recording to "), "{causes:?}");
}

#[test]
fn a_reset_starts_another_recording_with_the_parameters_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let mut session = running(&Options { record: Some(path.clone()), ..Options::default() });
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    session.send(Request::UseHand { hand: Some(Hand::Push(PUSH)), generation: 1 });
    // Another gravity gives the fluid another pressure at its start.
    let mut parameters = before.parameters.unwrap();
    parameters.gravity = Vec3::new(0.0, -3.0, 0.0);
    session.send(Request::SetParameters { parameters, generation: 1, revision: 1 });
    wait_for(&mut session, "the parameters", |snapshot| snapshot.revision == 1);
    session.send(Request::Pause);
    session.send(Request::Reset);
    wait_for(&mut session, "a reset", |snapshot| snapshot.steps == 0);
    session.send(Request::Play);
    let end = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 30);
    session.quit().unwrap();
    let (engine, _) = replayed(SCENE, &path);
    assert!(engine.steps() >= end.steps);
    assert_eq!(engine.parameters().gravity, parameters.gravity);
}

#[test]
fn hands_act_again_on_the_way_to_a_moment_and_are_undone_by_going_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let mut session = paused_after(20, SCENE, "");
    let count = session.snapshot().particles.len();
    let use_hand = |hand: Option<Hand>| Request::UseHand { hand, generation: 1 };
    for (hand, steps) in [(Hand::Push(PUSH), 50), (Hand::Pour(POUR), 80)] {
        session.send(use_hand(Some(hand)));
        (0..30).for_each(|_| session.send(Request::StepOnce));
        wait_for(&mut session, "steps of the hand", |snapshot| snapshot.steps == steps);
    }
    session.send(use_hand(None));
    let end = go_to(&mut session, 100);
    assert!(end.particles.len() > count);
    assert_eq!(go_to(&mut session, 10).particles.len(), count);
    for between in [35, 65, 90] {
        go_to(&mut session, between);
        let again = go_to(&mut session, 100);
        assert!(bits(&again.particles) == bits(&end.particles) && again.time == end.time, "from step {between}");
    }
    // What was repeated is in the recording once.
    session.send(Request::SaveRecording(path.clone()));
    assert!(wait_for_notice(&session).title.contains("saved to"));
    assert_eq!(replayed(SCENE, &path).0.steps(), 100);
    // A hand in the past begins another history, in the recording too.
    go_to(&mut session, 30);
    session.send(use_hand(Some(Hand::Pour(POUR))));
    session.send(Request::StepOnce);
    wait_for(&mut session, "another history", |snapshot| snapshot.steps == 31 && snapshot.timeline.end.steps == 31);
    session.send(use_hand(None));
    let other = go_to(&mut session, 60);
    session.send(Request::SaveRecording(path.clone()));
    assert!(wait_for_notice(&session).title.contains("saved to"));
    let (engine, _) = replayed(SCENE, &path);
    assert_eq!((engine.time(), engine.view().particles.len()), (other.time, other.particles.len()));
}

/// Of bodies that are dropped in a pause, the last is taken back, also after a look at another moment: what follows has the bits that it has
/// without it. After a step it stays.
#[test]
fn the_last_of_several_dropped_bodies_is_taken_back_in_the_same_pause() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("session.jsonl");
    let ball = |x: f32| DroppedBody {
        center: Vec3::new(x, 0.9, 0.0),
        size: 0.2,
        shape: DroppedShape::Ball,
        density: 500.0,
        velocity: Vec3::ZERO,
    };
    let (drop_ball, take_back) =
        (|x: f32| Request::DropBody { body: ball(x), generation: 1 }, || Request::TakeBackBody { generation: 1 });
    let fluids = [false, true].map(|with_second| {
        let mut session = paused_after(0, SCENE, "");
        go_to(&mut session, 10);
        session.send(drop_ball(0.25));
        let one = wait_for(&mut session, "the first", |snapshot| snapshot.dropped.len() == 1);
        if with_second {
            for looks_back in [false, true] {
                session.send(drop_ball(0.75));
                wait_for(&mut session, "both", |snapshot| snapshot.dropped.len() == 2);
                if looks_back {
                    assert!(go_to(&mut session, 3).dropped.is_empty());
                    assert_eq!(go_to(&mut session, 10).dropped.len(), 2);
                }
                session.send(take_back());
                let left = wait_for(&mut session, "the first alone", |snapshot| snapshot.dropped.len() == 1);
                assert!(left.steps == 10 && left.dropped == one.dropped && left.poses == one.poses);
            }
        }
        let end = go_to(&mut session, 40);
        assert_eq!(end.dropped, one.dropped);
        session.send(take_back());
        assert!(wait_for_notice(&session).title.contains("no dropped body to take back"));
        // The way from before the drop has one body too.
        assert!(go_to(&mut session, 9).dropped.is_empty());
        assert!(bits(&go_to(&mut session, 40).particles) == bits(&end.particles));
        session.send(Request::SaveRecording(recording.clone()));
        assert!(wait_for_notice(&session).title.contains("saved to"));
        session.quit().unwrap();
        assert!(replayed(SCENE, &recording).1.contains("to the bit"));
        bits(&end.particles)
    });
    assert!(fluids[0] == fluids[1]);
}

/// A ball that is dropped at the pointer in the water lands above it; going back removes it, and a session with it replays to the bit.
#[test]
fn a_dropped_body_is_undone_by_going_back_and_repeated_by_a_replay() {
    let folder = tempfile::tempdir().unwrap();
    let (recording, state) = (folder.path().join("session.jsonl"), folder.path().join("end.checkpoint"));
    let mut session = paused_after(0, SCENE, "");
    let ball = |x: f32, y: f32| DroppedBody {
        center: Vec3::new(x, y, 0.0),
        size: 0.2,
        shape: DroppedShape::Ball,
        density: 500.0,
        velocity: Vec3::ZERO,
    };
    let drop_ball = |x: f32, y: f32| Request::DropBody { body: ball(x, y), generation: 1 };
    go_to(&mut session, 10);
    session.send(drop_ball(0.25, 0.1));
    let dropped = wait_for(&mut session, "the body, in the pause", |snapshot| snapshot.dropped.len() == 1);
    assert!(dropped.steps == 10 && dropped.poses.len() == 1 && dropped.dropped[0].center.y > 0.5, "{:?}", dropped.dropped);
    let first = go_to(&mut session, 40);
    assert_eq!(first.dropped, dropped.dropped);
    // Back before it, and through known moments to where it was dropped and beyond.
    assert!(go_to(&mut session, 9).dropped.is_empty());
    assert_eq!(go_to(&mut session, 10).dropped, dropped.dropped);
    assert!(bits(&go_to(&mut session, 40).particles) == bits(&first.particles));
    // Another future from a moment that includes it, with a second one: the recording has both.
    go_to(&mut session, 20);
    session.send(drop_ball(0.75, 0.9));
    let both = wait_for(&mut session, "both", |snapshot| snapshot.dropped.len() == 2);
    assert_eq!(both.steps, 20);
    // What is dropped at the end of a recording would act after it: it is not in there.
    session.send(Request::SaveRecording(recording.clone()));
    assert!(wait_for_notice(&session).title.contains("saved to"));
    let (engine, verdict) = replayed(SCENE, &recording);
    assert!(engine.view().dropped.len() == 1 && verdict.contains("the bodies are those"), "{verdict}");
    let end = go_to(&mut session, 50);
    assert_eq!((end.dropped.as_slice(), end.poses.len()), (both.dropped.as_slice(), 2));
    session.send(Request::SaveRecording(recording.clone()));
    assert!(wait_for_notice(&session).title.contains("saved to"));
    session.send(Request::SaveState(state.clone()));
    assert!(wait_for_notice(&session).title.contains("saved to"));
    // Where there is no room it says so, and nothing changes.
    session.send(Request::DropBody { body: DroppedBody { size: 50.0, ..ball(0.5, 0.5) }, generation: 1 });
    assert!(wait_for_notice(&session).title.contains("cannot be dropped"));
    session.quit().unwrap();
    let (engine, verdict) = replayed(SCENE, &recording);
    assert!(verdict.contains("the bodies are those of the recorded session, to the bit"), "{verdict}");
    assert!(engine.snapshot() == Checkpoint::load(&state).unwrap().state);
}

/// An obstacle at rest that is moved stays where it is let go; going back puts it back, and a session with it replays to the bit.
#[test]
fn a_moved_obstacle_is_undone_by_going_back_and_repeated_by_a_replay() {
    let folder = tempfile::tempdir().unwrap();
    let (recording, state) = (folder.path().join("session.jsonl"), folder.path().join("end.checkpoint"));
    let text = format!("{SCENE}\n[[bodies]]\nmin = [0.7, 0.1]\nmax = [0.9, 0.3]\n").leak();
    let mut session = paused_after(0, text, "");
    let center = |pose: Pose| pose.point(DVec3::new(0.8, 0.2, 0.0)).truncate();
    let use_hand = |hand: Option<Hand>| Request::UseHand { hand, generation: 1 };
    let first = go_to(&mut session, 10);
    assert_eq!(center(first.poses[0]), DVec2::new(0.8, 0.2));
    let grab = Grab { body: 0, point: Vec3::new(0.6, 0.5, 0.0), time: 0.02, top_speed: 4.0 };
    session.send(use_hand(Some(Hand::Grab(grab))));
    (0..60).for_each(|_| session.send(Request::StepOnce));
    wait_for(&mut session, "steps of the hand", |snapshot| snapshot.steps == 70);
    session.send(use_hand(None));
    let end = go_to(&mut session, 120);
    let moved = center(end.poses[0]);
    assert!(moved.distance(DVec2::new(0.8, 0.2)) > 0.05, "{moved}");
    assert_eq!(center(go_to(&mut session, 5).poses[0]), DVec2::new(0.8, 0.2));
    for between in [11, 40, 90] {
        go_to(&mut session, between);
        let again = go_to(&mut session, 120);
        assert!(bits(&again.particles) == bits(&end.particles) && again.poses == end.poses, "from step {between}");
    }
    session.send(Request::SaveRecording(recording.clone()));
    assert!(wait_for_notice(&session).title.contains("saved to"));
    session.send(Request::SaveState(state.clone()));
    assert!(wait_for_notice(&session).title.contains("saved to"));
    session.quit().unwrap();
    let (engine, verdict) = replayed(text, &recording);
    assert!(verdict.contains("the bodies are those of the recorded session, to the bit"), "{verdict}");
    assert!(engine.snapshot() == Checkpoint::load(&state).unwrap().state);
}

/// A ball that is lifted and thrown is back at its place at an earlier moment, and flies the same again; a replay throws it too.
#[test]
fn a_thrown_ball_is_undone_by_going_back_and_repeated_by_a_replay() {
    let grab = PointGrab { point: PointId { set: 0, id: 1 }, target: Vec3::new(0.6, 0.5, 0.5), time: 0.05, top_speed: 2.0 };
    let [first, thrown] = undone_and_repeated(Hand::GrabPoint(grab), "grab_point");
    assert!(thrown[1].0.distance(first[1].0) > 0.05 && thrown[0].0.distance(first[0].0) < 1e-3, "{thrown:?}");
}

/// Balls that a hand has poured are gone at an earlier moment, and come again; a replay pours them too.
#[test]
fn poured_balls_are_undone_by_going_back_and_repeated_by_a_replay() {
    let pour = BallPour { set: 0, center: Vec3::new(0.5, 0.8, 0.5), radius: 0.2, velocity: Vec3::NEG_Y, rate: 60.0 };
    let [first, poured] = undone_and_repeated(Hand::PourBalls(pour), "pour_balls");
    assert!(first.len() == 2 && poured.len() > 5, "{poured:?}");
}

/// Uses `hand`, whose key in recordings is `key`, from step 10 to 30 in a scene of two balls, goes back and on, and replays the session. Returns
/// centres (m) and radii (m) of the balls before it and at the end.
fn undone_and_repeated(hand: Hand, key: &str) -> [Vec<(Vec3, f32)>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let (recording, state) = (folder.path().join("session.jsonl"), folder.path().join("end.checkpoint"));
    let text = "format = 1\n[particles]\nspacing = 0.05\n[[containers]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
                [[balls]]\nradius = 0.05\ncenters = [[0.3, 0.05, 0.5], [0.8, 0.05, 0.5]]\n";
    let mut session = paused_after(0, text, "");
    let use_hand = |hand: Option<Hand>| Request::UseHand { hand, generation: 1 };
    let balls = |snapshot: &crate::session::Snapshot| snapshot.sets.balls().collect::<Vec<_>>();
    let first = balls(&go_to(&mut session, 10));
    session.send(use_hand(Some(hand)));
    (0..20).for_each(|_| session.send(Request::StepOnce));
    wait_for(&mut session, "steps of the hand", |snapshot| snapshot.steps == 30);
    session.send(use_hand(None));
    let end = go_to(&mut session, 60);
    let last = balls(&end);
    assert_eq!(balls(&go_to(&mut session, 10)), first);
    for between in [11, 25, 40] {
        go_to(&mut session, between);
        assert_eq!(balls(&go_to(&mut session, 60)), last, "from step {between}");
    }
    session.send(Request::SaveRecording(recording.clone()));
    assert!(wait_for_notice(&session).title.contains("saved to"));
    session.send(Request::SaveState(state.clone()));
    assert!(wait_for_notice(&session).title.contains("saved to"));
    session.quit().unwrap();
    let (engine, verdict) = replayed(text, &recording);
    assert!(verdict.contains("the fluid and the points of cloth and balls are those of the recorded session"), "{verdict}");
    assert!(engine.snapshot() == Checkpoint::load(&state).unwrap().state);
    // Without the hand, the balls are elsewhere at the end.
    let error = error_without(key, text, &recording);
    assert!(error.contains("the points of cloth and balls differ from those"), "{error}");
    [first, last]
}
