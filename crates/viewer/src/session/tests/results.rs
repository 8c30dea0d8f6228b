//! Results of the steps that the window has seen.

use super::*;
use crate::session::Request;
use sph_io::{BenchResult, Source};

#[test]
fn the_last_steps_are_measured_and_saved() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.json");
    let mut session = running(&Options { threads: Some(2), ..Options::default() });
    session.send(Request::Measure(true));
    let is_long = |snapshot: &Snapshot| snapshot.result.as_ref().is_some_and(|result| result.measured.steps == 200);
    let shown = wait_for(&mut session, "a result of 200 steps", is_long);
    let result = shown.result.expect("it is there");
    assert_eq!((result.measured.by, result.machine.threads), (Source::Window, 2));
    assert!(result.measured.last_step >= 200 && result.measured.step.median_ms > 0.0);
    session.send(Request::Pause);
    session.send(Request::SaveResult(path.clone()));
    let notice = wait_for_notice(&session);
    assert!(notice.title.starts_with("Result saved to") && notice.details.contains("200 steps"), "{notice:?}");
    let saved = BenchResult::load(&path).expect("it is a result");
    assert_eq!((saved.settings.clone(), saved.measured.steps), (result.settings.clone(), 200));

    // Other parameters begin another measurement.
    let snapshot = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    let mut parameters = snapshot.parameters.expect("there is a scene");
    parameters.fluid.kinematic_viscosity += 0.01;
    session.send(Request::SetParameters { parameters, generation: snapshot.generation, revision: 1 });
    wait_for(&mut session, "the parameters", |snapshot| snapshot.revision == 1);
    session.send(Request::SaveResult(path.clone()));
    assert_eq!(wait_for_notice(&session).title, "There is nothing to save yet");
    session.send(Request::Measure(false));
    wait_for(&mut session, "no result", |snapshot| snapshot.result.is_none());
}
