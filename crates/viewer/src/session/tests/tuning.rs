//! Tuning while the fluid moves.

use super::*;
use crate::session::Stage;
use sph_core::neighbors::{Structure, Update};

fn structures() -> Vec<Structure> {
    vec![Structure::UniformGrid, Structure::CellHash(Update::Incremental)]
}

fn positions(snapshot: &Snapshot) -> Vec<[u32; 3]> {
    snapshot.particles.positions_by_id().iter().map(|position| position.to_array().map(f32::to_bits)).collect()
}

/// Trials go on while the fluid moves and in pauses, and come to an end.
#[test]
fn trials_are_made_between_steps_and_in_pauses() {
    let mut session = running(&Options::default());
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    session.send(Request::Tune(structures()));
    let done = |snapshot: &Snapshot| snapshot.tuning.as_ref().map_or(0, |tuning| tuning.results.done());
    let begun = wait_for(&mut session, "trials", |snapshot| done(snapshot) > 3);
    wait_for(&mut session, "steps between them", |snapshot| done(snapshot) > done(&begun) && snapshot.steps > begun.steps);
    session.send(Request::Pause);
    let paused = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    let ended = wait_for(&mut session, "the end of the trials", |snapshot| {
        snapshot.tuning.as_ref().is_some_and(|tuning| tuning.stage == Stage::Done)
    });
    assert_eq!(ended.steps, paused.steps);
    let tuning = ended.tuning.expect("there were trials");
    assert!(tuning.results.is_complete() && tuning.results.best().is_some() && tuning.time > 0.0);
    // Another scene discards finished trials; nothing is lost, and there is no notice.
    session.send(Request::Load(SceneSource::Text("small", SCENE, Vec::new())));
    wait_for(&mut session, "another scene", |snapshot| snapshot.generation == 2 && snapshot.tuning.is_none());
    assert_eq!(session.next_notice(), None);
    // Trials under way end, with a notice.
    session.send(Request::Tune(Structure::all()));
    wait_for(&mut session, "a trial", |snapshot| done(snapshot) > 1);
    session.send(Request::Load(SceneSource::Text("small", SCENE, Vec::new())));
    wait_for(&mut session, "another scene", |snapshot| snapshot.generation == 3 && snapshot.tuning.is_none());
    let notice = wait_for_notice(&session);
    assert!(notice.title.contains("Auto-tune has ended"), "{notice:?}");
}

#[test]
fn trials_do_not_change_the_motion() {
    let after = |tuned: bool| {
        let mut session = start(&Options { threads: Some(1), ..Options::default() });
        // Slow enough to be paused in time.
        session.send(Request::SetSpeedLimit(SpeedLimit::Times(0.01)));
        session.send(Request::Load(SceneSource::Text("small", SCENE, Vec::new())));
        wait_for(&mut session, "a scene", |snapshot| snapshot.scene.is_some());
        session.send(Request::Pause);
        let start = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
        if tuned {
            session.send(Request::Tune(structures()));
        }
        for _ in start.steps..400 {
            session.send(Request::StepOnce);
        }
        let end = wait_for(&mut session, "400 steps", |snapshot| snapshot.steps >= 400);
        assert_eq!((end.steps, end.tuning.is_some()), (400, tuned));
        positions(&end)
    };
    assert_eq!(after(true), after(false));
}

#[test]
fn trials_can_be_cancelled_and_begun_again() {
    let mut session = running(&Options::default());
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    session.send(Request::Tune(Structure::all()));
    let stage = |snapshot: &Snapshot| snapshot.tuning.as_ref().map(|tuning| tuning.stage);
    wait_for(&mut session, "a trial", |snapshot| snapshot.tuning.as_ref().is_some_and(|tuning| tuning.results.done() > 1));
    session.send(Request::CancelTune);
    let cancelled = wait_for(&mut session, "the end", |snapshot| stage(snapshot) == Some(Stage::Cancelled));
    let results = cancelled.tuning.expect("there were trials").results;
    assert!(!results.is_complete() && results.best().is_some());
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > cancelled.steps);
    // Cancelling without trials does nothing.
    session.send(Request::CancelTune);
    session.send(Request::Tune(vec![Structure::UniformGrid]));
    let again = wait_for(&mut session, "other trials", |snapshot| stage(snapshot) == Some(Stage::Done));
    assert_eq!(again.tuning.expect("there were trials").results.plan.structures, [Structure::UniformGrid]);
}
