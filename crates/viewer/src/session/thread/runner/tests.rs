//! Tests of the loop without its thread.

use super::*;
use crate::session::{Goal, SceneSource, Snapshot};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

const SQUARE: &str = "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [0.5, 0.5]";

/// Makes steps until the fluid is at its goal.
fn arrive(runner: &mut Runner) {
    while runner.seek.is_some() {
        let event = runner.events.try_recv().ok();
        runner.turn(event, true);
    }
}

#[test]
fn a_step_back_on_the_way_to_a_time_counts_from_the_step_shown() {
    let (input, mut snapshots) = triple_buffer::triple_buffer(&Snapshot::default());
    let ((sender, events), (notices, _)) = (mpsc::channel(), mpsc::channel());
    let publisher = Publisher::new(input, notices, Arc::new(|| ()));
    let mut runner = Runner::new(&Options::default(), sender, events, publisher).expect("threads start");
    runner.handle(Request::Load(SceneSource::Text("square", SQUARE, Vec::new())));
    // Until there is a scene, and its start is kept.
    while runner.playback.timeline(false).kept.is_empty() {
        let event = runner.events.recv().expect("a scene comes");
        runner.turn(Some(event), false);
    }
    runner.seek(Goal::Steps(30));
    arrive(&mut runner);
    runner.seek(Goal::Steps(1));
    arrive(&mut runner);
    // Before the first moment that is kept after the start.
    runner.seek(Goal::Time(0.012));
    let shown = |snapshots: &mut triple_buffer::Output<Snapshot>| snapshots.read().steps;
    // Some steps are made again out of sight, however long that takes.
    for _ in 0..4 {
        if let Some(seek) = &mut runner.seek {
            seek.since = Instant::now() + Duration::from_secs(60);
        }
        runner.turn(None, true);
    }
    let [made, shown] = [runner.running.as_ref().expect("a scene runs").engine.steps(), shown(&mut snapshots)];
    assert!(shown < made, "{made} steps made, {shown} shown");
    runner.step_back(1);
    arrive(&mut runner);
    assert_eq!(runner.running.as_ref().expect("a scene runs").engine.steps(), shown - 1);
}
