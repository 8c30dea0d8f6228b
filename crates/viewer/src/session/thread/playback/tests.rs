//! Tests of playback without a session.

use super::*;
use crate::engine;
use std::sync::mpsc::{self, Receiver};

const SQUARE: &str = "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [0.5, 0.5]";

/// Playback whose states are packed by `pack`, the channel on which they come, and an engine at its start.
fn playback(pack: packer::Pack) -> (Playback, Receiver<Packed>, Box<dyn Engine>) {
    let (sender, packed) = mpsc::channel();
    let mut playback = Playback::start(|_| true).expect("a thread starts");
    playback.jobs = packer::start(pack, move |packed| sender.send(packed).is_ok()).expect("a thread starts");
    let scene = sph_io::parse(SQUARE, "square", &[]).expect("a scene");
    let engine = engine::start(&scene.setup).expect("a valid setup");
    playback.begin(&*engine, Beside::default());
    (playback, packed, engine)
}

#[test]
fn a_failure_of_packing_is_told_once_and_nothing_more_is_kept_until_the_scene_starts_anew() {
    let (mut playback, packed, mut engine) = playback(|_| panic!("no room"));
    // Sent before the failure is known.
    playback.keep(&*engine, Beside::default());
    assert_eq!(playback.take(packed.recv().expect("the thread lives")), Err("no room".to_owned()));
    assert_eq!(playback.take(packed.recv().expect("the thread outlives the panic")), Ok(()));
    assert_eq!(engine.step().error, None);
    assert!(!playback.is_due(&*engine) && !playback.would_lose(&*engine) && playback.timeline(false).has_failed);
    playback.begin(&*engine, Beside::default());
    assert!(!playback.timeline(false).has_failed);
    assert!(playback.take(packed.recv().expect("the thread lives")).is_err());
}

#[test]
fn until_the_first_moment_is_packed_it_is_not_decided_what_is_kept() {
    let (mut playback, packed, _) = playback(PackedState::new);
    assert!(playback.is_packing() && playback.base(crate::session::Goal::Steps(0)).is_none());
    assert_eq!(playback.take(packed.recv().expect("the thread lives")), Ok(()));
    assert!(!playback.is_packing() && playback.base(crate::session::Goal::Steps(0)).is_some());
    // A bound that leaves room for none is another matter.
    playback.set_limit(0);
    assert!(!playback.is_packing() && playback.base(crate::session::Goal::Steps(0)).is_none());
}

#[test]
fn changes_count_in_the_memory_and_give_way_with_the_moments() {
    let (mut playback, packed, mut engine) = playback(PackedState::new);
    let take = |playback: &mut Playback| playback.take(packed.recv().expect("the thread lives"));
    assert_eq!(take(&mut playback), Ok(()));
    let moment = playback.timeline(false).bytes;
    let limit = 4 * moment;
    playback.set_limit(limit);
    let mut parameters = *engine.parameters();
    let mut latest = 0;
    // Sliders that are dragged for an hour, and steps between.
    for number in 0..20_000_u32 {
        parameters.gravity.x = 1e-3 * number as f32;
        engine.set_parameters(parameters).expect("in range");
        playback.record(&*engine, Change::Parameters(Box::new(parameters)));
        if number % 4 == 0 {
            assert_eq!(engine.step().error, None);
            playback.end = (playback.position(&*engine), engine.time());
        }
        if number % 400 == 0 {
            playback.keep(&*engine, Beside::default());
            assert_eq!(take(&mut playback), Ok(()));
            latest = engine.steps();
        }
        let Timeline { bytes, .. } = playback.timeline(false);
        assert!(bytes <= limit, "{bytes} of {limit} bytes after {number} changes");
    }
    // The start stays, and the way on from the latest moment is known or it has given way.
    let (base, goal) = playback.base(Goal::Steps(engine.steps() - 1)).expect("the start is kept");
    assert!(base.position.steps == latest || goal == Goal::Steps(base.position.steps), "{base:?}, {goal:?}");
    assert_eq!(playback.timeline(false).kept[0].steps, 0);
}

#[test]
fn parameters_that_are_dragged_in_a_pause_are_one_change_of_the_moment() {
    let (mut playback, packed, engine) = playback(PackedState::new);
    assert_eq!(playback.take(packed.recv().expect("the thread lives")), Ok(()));
    let drag = |playback: &mut Playback| {
        for _ in 0..100 {
            playback.record(&*engine, Change::Parameters(Box::new(*engine.parameters())));
        }
    };
    drag(&mut playback);
    assert_eq!(playback.changed, 1);
    // What is kept with them has them for good.
    playback.keep(&*engine, Beside::default());
    drag(&mut playback);
    assert_eq!(playback.changed, 2);
    assert_eq!(playback.take(packed.recv().expect("the thread lives")), Ok(()));
    assert_eq!(playback.timeline(false).kept.len(), 1, "of two moments after the same steps the later stays");
}
