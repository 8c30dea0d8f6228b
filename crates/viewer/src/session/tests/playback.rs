//! Going back in time: the same bits as the first time, whatever the solver and whatever was done on the way.

use super::*;
use crate::engine;
use crate::session::Goal;
use sph_core::{Attribute, Method, Parameters, Particles, Values};

/// Two fluids, an emitter, a turning paddle, and a body that moves by forces, one that fluid throws about.
const BUSY: &str = r#"
format = 1
dimensions = 2
[particles]
spacing = 0.05
[[fluids]]
name = "water"
rest_density = 1000.0
[[fluids]]
name = "oil"
rest_density = 900.0
[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.5, 0.3]
fluid = "water"
[[fluid.blocks]]
min = [0.0, 0.3]
max = [0.5, 0.5]
fluid = "oil"
[[containers]]
min = [0.0, 0.0]
max = [1.2, 1.0]
[[bodies]]
min = [0.7, 0.2]
max = [0.8, 0.5]
rotation = { angular_velocity = 90.0 }
[[bodies]]
name = "float"
min = [0.2, 0.5]
max = [0.35, 0.65]
density = 300.0
dynamics = { velocity = [0.5, 0.0], angular_velocity = [30.0], restitution = 0.5 }
[[emitters]]
center = [0.1, 0.8]
direction = [1.0, 0.0]
size = [0.2]
speed = 2.0
fluid = "oil"
[fluid]
kinematic_viscosity = 1e-3
vorticity_transfer = 0.1
[[probes]]
name = "mean"
kind = "pressure"
at = [0.25, 0.1]
averaging = 0.1
"#;

fn one_thread() -> Options {
    Options { threads: Some(1), ..Options::default() }
}

/// A session with `text`, paused after `steps`.
pub(super) fn paused_after(steps: u64, text: &'static str, set: &str) -> Session {
    let session = start(&one_thread());
    let overrides = if set.is_empty() { Vec::new() } else { vec![set.parse().expect("an override")] };
    session.send(Request::Load(SceneSource::Text("busy", text, overrides)));
    let mut session = session;
    wait_for(&mut session, "a scene", |snapshot| snapshot.generation == 1);
    go_to(&mut session, steps);
    session
}

/// Goes to the moment after `steps` and waits for it.
pub(super) fn go_to(session: &mut Session, steps: u64) -> Snapshot {
    session.send(Request::Seek(Goal::Steps(steps)));
    wait_for(session, "the moment", |snapshot| snapshot.steps == steps && snapshot.paused && !snapshot.timeline.seeking)
}

/// The bits of all attributes that are shown, in the order of the ids.
pub(super) fn bits(particles: &Particles) -> Vec<(&'static str, Vec<[u32; 3]>)> {
    let order = particles.order_by_id();
    let values = |(attribute, values): (&'static Attribute, Values<'_>)| {
        let of = |&i: &u32| match values {
            _ if values.is_empty() => [0; 3],
            Values::Vectors(values) => values[i as usize].to_array().map(f32::to_bits),
            Values::Scalars(values) => [values[i as usize].to_bits(), 0, 0],
            Values::Integers(values) => [values[i as usize], 0, 0],
            Values::Bytes(values) => [values[i as usize].into(), 0, 0],
        };
        (attribute.name, order.iter().map(of).collect())
    };
    particles.attributes().map(values).collect()
}

#[test]
fn running_on_from_any_kept_moment_repeats_the_bits() {
    for method in Method::ALL {
        let set = format!("solver.method={}", method.name());
        // The first time, by the engine alone.
        let overrides = [set.parse().expect("an override")];
        let setup = sph_io::parse(BUSY, "busy", &overrides).unwrap_or_else(|error| panic!("{error}")).setup;
        let mut alone = engine::start(&setup).expect("a valid setup");
        let shown = |engine: &dyn sph_core::Engine| {
            let mut shown = Particles::default();
            shown.copy_shown(engine.view().particles);
            (engine.time(), bits(&shown))
        };
        let mut first = vec![shown(&*alone)];
        for _ in 0..80 {
            assert_eq!(alone.step().error, None);
            first.push(shown(&*alone));
        }
        let is_first = |snapshot: &Snapshot| {
            let (time, expected) = &first[snapshot.steps as usize];
            assert_eq!(snapshot.time, *time, "{method:?}");
            assert!(bits(&snapshot.particles) == *expected, "{method:?}: step {} has other bits", snapshot.steps);
        };
        let mut session = paused_after(60, BUSY, &set);
        let end = wait_for(&mut session, "kept moments", |snapshot| !snapshot.timeline.kept.is_empty());
        is_first(&end);
        let kept: Vec<u64> = end.timeline.kept.iter().map(|kept| kept.steps).collect();
        assert_eq!(kept[0], 0);
        for &steps in kept.iter().rev().take(4).chain(&[33, 17, 1]) {
            is_first(&go_to(&mut session, steps));
            is_first(&go_to(&mut session, steps + 3));
        }
        session.send(Request::StepBack(1));
        session.send(Request::StepBack(1));
        is_first(&wait_for(&mut session, "two steps back", |snapshot| snapshot.steps == 2 && !snapshot.timeline.seeking));
        session.send(Request::StepOnce);
        is_first(&wait_for(&mut session, "a step", |snapshot| snapshot.steps == 3));
        // The later moments are there until the fluid runs on, and then they come again.
        assert!(session.snapshot().timeline.end.steps >= 60);
        is_first(&go_to(&mut session, 80));
    }
}

#[test]
fn changes_are_made_again_on_the_way_and_dropped_by_a_new_one() {
    let mut session = paused_after(20, SCENE, "");
    let parameters = session.snapshot().parameters.expect("a scene has parameters");
    let mut heavy = parameters;
    heavy.gravity.y *= 2.0;
    session.send(Request::SetParameters { parameters: heavy, generation: 1, revision: 1 });
    let end = go_to(&mut session, 40);
    assert_eq!(end.parameters, Some(heavy));
    // Back before the change, over it, and to the end.
    assert_eq!(go_to(&mut session, 10).parameters, Some(parameters));
    let again = go_to(&mut session, 39);
    assert_eq!(again.parameters, Some(heavy));
    session.send(Request::StepOnce);
    let again = wait_for(&mut session, "the end", |snapshot| snapshot.steps == 40);
    assert!(bits(&again.particles) == bits(&end.particles) && again.time == end.time);
    // A change in the past begins another history.
    go_to(&mut session, 30);
    session.send(Request::SetParameters { parameters, generation: 1, revision: 2 });
    let other = wait_for(&mut session, "the change", |snapshot| snapshot.revision == 2);
    assert_eq!((other.timeline.end.steps, other.steps), (30, 30));
    let light = go_to(&mut session, 40);
    assert!(bits(&light.particles) != bits(&end.particles));
    assert_eq!(go_to(&mut session, 25).parameters, Some(heavy));
    let again = go_to(&mut session, 40);
    assert!(bits(&again.particles) == bits(&light.particles) && again.parameters == Some(parameters));
}

#[test]
fn requests_on_the_way_to_a_moment_act_there() {
    let mut session = paused_after(40, BUSY, "");
    let first = bits(&session.snapshot().particles);
    let parameters = Parameters { gravity: glam::Vec3::ZERO, ..session.snapshot().parameters.expect("there is a scene") };
    go_to(&mut session, 3);
    session.send(Request::Seek(Goal::Steps(40)));
    session.send(Request::SetParameters { parameters, generation: 1, revision: 1 });
    let there = wait_for(&mut session, "the change", |snapshot| snapshot.revision == 1);
    assert_eq!((there.steps, bits(&there.particles)), (40, first));
    go_to(&mut session, 3);
    session.send(Request::Seek(Goal::Steps(20)));
    session.send(Request::StepOnce);
    let there = wait_for(&mut session, "a step", |snapshot| snapshot.steps == 21 && !snapshot.timeline.seeking);
    assert_eq!(there.timeline.end.steps, 40, "later moments are lost");
}

#[test]
fn playing_on_from_the_past_drops_what_came_later() {
    let mut session = paused_after(50, SCENE, "");
    session.send(Request::SetSpeedLimit(SpeedLimit::Times(0.001)));
    let past = go_to(&mut session, 5);
    assert_eq!(past.timeline.end.steps, 50);
    session.send(Request::Play);
    let on = wait_for(&mut session, "another history", |snapshot| !snapshot.paused && snapshot.timeline.end.steps < 50);
    assert!(on.timeline.kept.iter().all(|kept| kept.steps <= on.steps), "{:?}", on.timeline);
}

#[test]
fn a_reset_forgets_and_the_memory_is_bounded() {
    let mut session = paused_after(5, SCENE, "");
    let kept = wait_for(&mut session, "the start", |snapshot| !snapshot.timeline.kept.is_empty()).timeline;
    assert!(kept.bytes > 0 && kept.bytes < kept.unpacked_bytes + 4096 && kept.limit >= 1 << 20, "{kept:?}");
    let limit = 3 * kept.bytes;
    session.send(Request::SetPlaybackMemory(limit));
    go_to(&mut session, 400);
    let full = wait_for(&mut session, "moments", |snapshot| snapshot.timeline.kept.len() > 1).timeline;
    assert!(full.bytes <= limit && full.limit == limit && full.kept[0].steps == 0, "{full:?}");
    session.send(Request::SetPlaybackMemory(0));
    wait_for(&mut session, "nothing", |snapshot| snapshot.timeline.kept.is_empty() && snapshot.timeline.bytes == 0);
    session.send(Request::Seek(Goal::Time(0.0)));
    let notice = wait_for_notice(&session);
    assert!(notice.severity == Severity::Warning && notice.title.contains("not kept"), "{notice:?}");
    session.send(Request::SetPlaybackMemory(1 << 24));
    session.send(Request::Reset);
    wait_for(&mut session, "the start", |snapshot| snapshot.steps == 0 && snapshot.timeline.kept.len() == 1);
}

#[test]
fn probes_audits_and_the_rival_go_back_too() {
    let mut session = paused_after(10, BUSY, "");
    let own = session.snapshot().parameters.expect("a scene has parameters").grid;
    let grid = sph_core::neighbors::GridParameters { table_size: 7, ..own };
    session.send(Request::Compare { grid: Some(grid), generation: 1, revision: 1 });
    let first = go_to(&mut session, 40);
    let reading = |snapshot: &Snapshot| snapshot.readings.samples(0).next_back();
    go_to(&mut session, 15);
    let again = go_to(&mut session, 40);
    assert_eq!((again.audit, reading(&again), again.stats.map(|stats| stats.dt)), {
        (first.audit, reading(&first), first.stats.map(|stats| stats.dt))
    });
    let rival = again.rival.expect("they are compared");
    assert_eq!((rival.grid, rival.comparison.first), (grid, None));
    assert_eq!(rival.particles.positions, again.particles.positions);
}
