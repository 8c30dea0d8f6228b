//! Scrubbing and running on, whatever was going on: the bits of the first time.

use super::compares::APART;
use super::playback::{bits, go_to, paused_after};
use super::*;
use glam::Vec3;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::{Hand, Pour, Push};

/// A block that falls into a tank which is tipped by a curve over time, with foam.
const LIVELY: &str = r#"
format = 1
dimensions = 2
gravity = [[0.0, 0.0, -9.81], [0.2, 6.9, -6.9]]
[particles]
spacing = 0.05
[fluid]
kinematic_viscosity = [[0.0, 1e-4], [0.1, 1e-3], [0.3, 1e-2]]
[foam]
model = "ihmsen"
speed = 2.0
crest_rate = 20
trapped_air_rate = 20
limit = 200
trapped_air_from = 0.0
trapped_air_to = 0.01
energy_from = 0.0
energy_to = 0.01
[[fluid.blocks]]
min = [0.0, 0.2]
max = [0.5, 0.8]
[[containers]]
min = [0.0, 0.0]
max = [1.0, 1.0]
"#;

const PUSH: Push = Push { center: Vec3::new(0.4, 0.3, 0.0), radius: 0.4, strength: 60.0, drag: 2.0, velocity: Vec3::Y };
const POUR: Pour = Pour { center: Vec3::new(0.7, 0.8, 0.0), radius: 0.1, velocity: Vec3::new(0.0, -2.0, 0.0), fluid: 0 };

/// Makes single steps up to `end`, and adds what is seen after each to `seen`.
fn step_to(session: &mut Session, end: u64, seen: &mut Vec<Snapshot>) {
    for steps in session.snapshot().steps + 1..=end {
        session.send(Request::StepOnce);
        seen.push(wait_for(session, "a step", |snapshot| snapshot.steps == steps));
    }
}

/// Goes to moments all over `seen`, from `oldest` on, and on from there, and compares.
fn assert_repeats(session: &mut Session, seen: &[Snapshot], oldest: u64, what: &str) {
    let last = seen.last().expect("there are steps").steps;
    let backs = [last / 2, 7, last - 1, last / 3, 1, oldest + 1, (oldest + last) / 2];
    for back in backs.into_iter().filter(|&back| back > oldest) {
        for on in [0, 2, last - back] {
            let there = go_to(session, (back + on).min(last));
            let first = seen.iter().find(|first| first.steps == there.steps).expect("it was seen");
            assert_eq!((there.time, there.parameters), (first.time, first.parameters), "{what}: step {}", there.steps);
            assert!(bits(&there.particles) == bits(&first.particles), "{what}: step {} has other bits", there.steps);
            assert_eq!(there.off_curve, first.off_curve, "{what}: step {}", there.steps);
        }
    }
}

fn use_hand(session: &Session, hand: Option<Hand>) {
    session.send(Request::UseHand { hand, generation: 1 });
}

#[test]
fn foam_hands_curves_and_a_rival_repeat_with_any_ring() {
    for moments in [u64::MAX, 5] {
        let mut session = paused_after(0, LIVELY, "");
        let start = wait_for(&mut session, "the start", |snapshot| !snapshot.timeline.kept.is_empty());
        if moments < u64::MAX {
            // Room for more fluid in each than at the start, but not for all.
            session.send(Request::SetPlaybackMemory(moments * 2 * start.timeline.bytes));
        }
        let parameters = start.parameters.expect("a scene has parameters");
        let grid = GridParameters { table_size: 7, ..parameters.grid };
        session.send(Request::Compare { grid: Some(grid), generation: 1, revision: 1 });
        let mut seen = Vec::new();
        step_to(&mut session, 20, &mut seen);
        use_hand(&session, Some(Hand::Push(PUSH)));
        step_to(&mut session, 45, &mut seen);
        // Off its curve, at another value.
        session.send(Request::SetOffCurve { keys: vec!["fluid.kinematic_viscosity"], generation: 1 });
        let mut thick = seen.last().and_then(|seen| seen.parameters).expect("a scene has parameters");
        thick.fluid.kinematic_viscosity = 0.02;
        session.send(Request::SetParameters { parameters: thick, generation: 1, revision: 1 });
        let changed = wait_for(&mut session, "the change", |snapshot| snapshot.revision == 1);
        // Parameters set at a moment are a part of it.
        *seen.last_mut().expect("there are steps") = changed;
        use_hand(&session, Some(Hand::Pour(POUR)));
        step_to(&mut session, 70, &mut seen);
        use_hand(&session, None);
        step_to(&mut session, 90, &mut seen);
        assert!(seen.iter().any(|seen| !seen.foam.particles.is_empty()), "no foam");
        let particles = |seen: &Snapshot| seen.particles.len();
        assert!(particles(&seen[89]) > particles(&seen[0]), "nothing was poured");
        // The start is apart where moments after it have given way; the next gives way to the end when that is left.
        let kept = session.snapshot().timeline.kept.clone();
        let is_full = moments < u64::MAX;
        let oldest = if is_full { kept[2].steps } else { 0 };
        assert!(!is_full || oldest > 20, "{kept:?}");
        assert_repeats(&mut session, &seen, oldest, &format!("{moments} moments"));
        let end = go_to(&mut session, 90);
        let rival = end.rival.expect("they are compared");
        assert_eq!((rival.grid, rival.comparison.first), (grid, None));
        assert_eq!(rival.particles.positions, end.particles.positions);
    }
}

#[test]
fn a_refused_step_in_between_repeats_with_the_hand_that_had_acted_before_it() {
    let mut session = paused_after(0, APART, "");
    let mut seen = Vec::new();
    step_to(&mut session, 15, &mut seen);
    let parameters = seen[14].parameters.expect("a scene has parameters");
    // A uniform grid over such a distance takes too much memory.
    let mut wild = parameters;
    wild.grid.structure = Structure::UniformGrid;
    use_hand(&session, Some(Hand::Push(PUSH)));
    session.send(Request::SetParameters { parameters: wild, generation: 1, revision: 1 });
    session.send(Request::StepOnce);
    let refused = wait_for(&mut session, "a refusal", |snapshot| snapshot.failure.is_some());
    assert!(refused.steps == 15 && bits(&refused.particles) != bits(&seen[14].particles), "the hand has acted");
    // The latest moment is that, until a step follows.
    go_to(&mut session, 4);
    assert!(bits(&go_to(&mut session, 15).particles) == bits(&refused.particles));
    session.send(Request::SetParameters { parameters, generation: 1, revision: 2 });
    wait_for(&mut session, "the mended parameters", |snapshot| snapshot.revision == 2);
    step_to(&mut session, 40, &mut seen);
    // The parameters that were refused were set before the hand acted: they are a part of the moment.
    seen[14].parameters = Some(wild);
    assert_repeats(&mut session, &seen, 0, "a refused step");
    assert!(bits(&go_to(&mut session, 15).particles) == bits(&seen[14].particles));
}
