//! Particles that are followed while the simulation runs, and statistics over time.

use super::*;
use crate::session::{ParticleQuantity, Request, STATISTICS};

#[test]
fn followed_particles_are_read_and_every_statistic_is() {
    let mut session = running(&Options::default());
    let snapshot = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    let (ids, generation) = (vec![3, 50], snapshot.generation);
    session.send(Request::Follow { ids: vec![9], generation: generation + 1 });
    session.send(Request::Follow { ids: ids.clone(), generation });
    let count = |snapshot: &Snapshot| snapshot.followed_readings.samples(0).count();
    wait_for(&mut session, "samples", |snapshot| snapshot.followed == ids && count(snapshot) > 10);
    session.send(Request::Pause);
    let paused = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    // Samples rest: the latest may be of an earlier moment.
    let mut heights = paused.followed_readings.samples(ParticleQuantity::ALL.len() + 3);
    assert!(heights.all(|[time, height]| time <= paused.time && height.is_finite()));
    let curves = paused.motion.curves();
    assert_eq!(curves.len(), paused.motion.overview().len() + STATISTICS.len());
    let particles = curves.iter().position(|curve| curve.reading.label == "Particles").expect("it is a statistic");
    let expected = paused.particles.len() as f64;
    assert!(paused.motion.samples(particles).all(|[_, value]| value == expected));
    // A reset keeps the particles and begins their curves anew.
    session.send(Request::Reset);
    let reset = wait_for(&mut session, "a reset", |snapshot| snapshot.steps == 0);
    assert_eq!(reset.followed, ids);
    assert!(reset.followed_readings.span().is_none_or(|(first, _)| first == 0.0));
}
