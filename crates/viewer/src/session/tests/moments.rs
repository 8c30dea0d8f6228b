//! Moments: one answer to each, whichever are kept, and a word where there is none.

use super::playback::{bits, go_to, paused_after};
use super::*;
use crate::session::{Goal, Timeline};
use sph_core::Parameters;

fn set(session: &mut Session, parameters: Parameters, revision: u64) {
    session.send(Request::SetParameters { parameters, generation: 1, revision });
    wait_for(session, "the parameters", |snapshot| snapshot.revision == revision);
}

/// Bounds the memory of kept moments, and waits until it is so.
fn limit(session: &mut Session, limit: u64) -> Timeline {
    session.send(Request::SetPlaybackMemory(limit));
    wait_for(session, "the bound", |snapshot| snapshot.timeline.limit == limit).timeline
}

/// Goes to the moment after `steps`; `None` if the way there is not kept any more. Which moments a small memory holds depends on the time
/// that keeping them takes, and so on what else the machine does.
fn arrive_at(session: &mut Session, steps: u64) -> Option<Snapshot> {
    while session.next_notice().is_some() {}
    session.send(Request::Seek(Goal::Steps(steps)));
    let start = Instant::now();
    loop {
        session.update();
        let snapshot = session.snapshot();
        if snapshot.steps == steps && snapshot.paused && !snapshot.timeline.seeking {
            return Some(snapshot.clone());
        }
        if session.next_notice().is_some_and(|notice| notice.title.contains("not kept any more")) {
            return None;
        }
        assert!(start.elapsed() < TIMEOUT, "neither step {steps} nor a refusal came");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_moment_of_a_change_has_the_changed_parameters_whatever_is_kept() {
    let mut answers = Vec::new();
    for moments in [1000, 3, 2, 1] {
        let mut session = paused_after(0, SCENE, "");
        let start = wait_for(&mut session, "the start", |snapshot| !snapshot.timeline.kept.is_empty());
        limit(&mut session, moments * start.timeline.bytes + start.timeline.bytes / 2);
        let mut parameters = start.parameters.expect("a scene has parameters");
        // At the start, then at step 20 in two goes: the moment is kept with the first of them, when the fluid goes back.
        for (revision, steps) in [(1, 0), (2, 20), (3, 20)] {
            go_to(&mut session, 0);
            go_to(&mut session, steps);
            parameters.gravity.y -= 1.0;
            set(&mut session, parameters, revision);
        }
        go_to(&mut session, 60);
        if arrive_at(&mut session, 19).is_none() {
            assert!(moments < 1000, "with memory for all of them nothing is refused");
            continue;
        }
        session.send(Request::StepOnce);
        let stepped = wait_for(&mut session, "a step", |snapshot| snapshot.steps == 20);
        let mut seen = vec![(stepped.parameters, bits(&stepped.particles))];
        for from in [60, 19, 21, 0] {
            let there = arrive_at(&mut session, from).and_then(|_| arrive_at(&mut session, 20));
            let Some(there) = there else { continue };
            assert_eq!(there.parameters, Some(parameters), "from step {from}, {moments} moments");
            seen.push((there.parameters, bits(&there.particles)));
        }
        assert!(seen.iter().all(|one| *one == seen[0]), "{moments} moments");
        let start = go_to(&mut session, 0).parameters.expect("a scene has parameters");
        assert_eq!(start.gravity.y, parameters.gravity.y + 2.0, "{moments} moments");
        // With memory for all of them nothing is refused.
        assert!(seen.len() == 5 || moments < 1000, "{} ways", seen.len());
        answers.push(seen.swap_remove(0));
    }
    assert!(!answers.is_empty());
    assert!(answers.iter().all(|one| *one == answers[0]));
}

#[test]
fn a_moment_that_is_not_kept_any_more_is_told() {
    let mut session = paused_after(0, SCENE, "");
    let start = wait_for(&mut session, "the start", |snapshot| !snapshot.timeline.kept.is_empty());
    let mut parameters = start.parameters.expect("a scene has parameters");
    go_to(&mut session, 5);
    // With a change on the way that is forgotten, no step after the start can be made again.
    parameters.gravity.y -= 1.0;
    set(&mut session, parameters, 1);
    go_to(&mut session, 400);
    limit(&mut session, 2 * start.timeline.bytes);
    session.send(Request::Seek(Goal::Steps(10)));
    let notice = wait_for_notice(&session);
    assert!(notice.severity == Severity::Warning && notice.title.contains("not kept any more"), "{notice:?}");
    let there = wait_for(&mut session, "another moment", |snapshot| snapshot.steps != 400 && !snapshot.timeline.seeking);
    assert!(there.steps > 10 && notice.details.contains(&format!("{:.4} s", there.time)), "{notice:?}, {}", there.time);
    // Nothing is before the start, and nobody misses it.
    session.send(Request::Seek(Goal::Time(-1.0)));
    wait_for(&mut session, "the start", |snapshot| snapshot.steps == 0);
    assert_eq!(session.next_notice(), None);
}

#[test]
fn curves_over_time_end_where_another_future_begins() {
    let mut session = paused_after(0, SCENE, "");
    let mut latest = 0.0;
    for steps in [10, 20, 30, 40] {
        latest = go_to(&mut session, steps).time;
    }
    let past = go_to(&mut session, 10);
    let (_, end) = past.motion.span().expect("there are samples");
    assert!(end <= latest && end > past.time, "later readings stay until the fluid runs on");
    let parameters = past.parameters.expect("a scene has parameters");
    set(&mut session, Parameters { gravity: glam::Vec3::ZERO, ..parameters }, 1);
    let cut = wait_for(&mut session, "the change", |snapshot| snapshot.timeline.end.steps == 10);
    assert!(cut.motion.span().is_none_or(|(_, end)| end <= cut.time), "{:?}", cut.motion.span());
}
