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
