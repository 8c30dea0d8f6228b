//! Going back in time: the same bits as the first time, whatever the solver and whatever was done on the way.

use super::compares::APART;
use super::*;
use crate::session::{Goal, SearchGrid, Timeline};
use glam::Vec3;
use sph_commands::engine;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::{Attribute, Hand, Method, Parameters, Particles, Pour, Push, Values};

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
    wait_for(session, "the moment", |snapshot| snapshot.steps == steps && snapshot.paused && !snapshot.timeline.seeking())
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
        is_first(&wait_for(&mut session, "two steps back", |snapshot| snapshot.steps == 2 && !snapshot.timeline.seeking()));
        session.send(Request::StepOnce);
        is_first(&wait_for(&mut session, "a step", |snapshot| snapshot.steps == 3));
        // The later moments are there until the fluid runs on, and then they come again.
        assert!(session.snapshot().timeline.end.steps >= 60);
        is_first(&go_to(&mut session, 80));
    }
}

/// Balls that are poured on balls and on a sheet of cloth.
const POURED: &str = r#"
format = 1
particles.spacing = 0.1
time_step.max_dt = 0.01
[[containers]]
min = [0, 0, 0]
max = [1, 1, 1]
[[cloths]]
corner = [0.1, 0.5, 0.1]
along = [0.4, 0, 0]
across = [0, 0, 0.4]
spacing = 0.05
[[balls]]
count = 60
radius_range = [0.02, 0.1]
min = [0.1, 0, 0.1]
max = [0.9, 0.45, 0.9]
[[balls]]
count = 100
radius = 0.03
rate = 200
min = [0.6, 0.8, 0.6]
max = [0.9, 0.9, 0.9]
"#;

/// Balls and cloth come again as they were, and a change of their search moves none of them.
#[test]
fn cloths_and_balls_go_back_and_their_search_changes_while_they_move() {
    let centers = |snapshot: &Snapshot| snapshot.sets.balls().collect::<Vec<_>>();
    let mut session = paused_after(20, POURED, "");
    let before = session.snapshot().clone();
    assert_eq!(before.sets.len(), 3);
    let first = centers(&go_to(&mut session, 40));
    assert!(first.len() > centers(&before).len(), "balls were poured on the way");
    assert!(centers(&go_to(&mut session, 20)) == centers(&before));
    let grid = GridParameters { structure: Structure::SpatialHash, table_size: 97, ..before.set_grids[1] };
    session.send(Request::SetPointGrid { set: 1, grid, generation: 1, revision: 7 });
    let changed = wait_for(&mut session, "the change", |snapshot| snapshot.point_revision == 7);
    assert_eq!(changed.set_grids[1..], [grid, grid], "all balls share a search");
    assert_ne!(changed.set_grids[0], grid);
    go_to(&mut session, 39);
    session.send(Request::StepOnce);
    let again = wait_for(&mut session, "the step", |snapshot| snapshot.steps == 40);
    assert_eq!(again.set_searches[1].stats.parameters.structure, Structure::SpatialHash);
    assert!(centers(&again) == first, "another search moves nothing");
    // Of another scene, and one that is not possible.
    session.send(Request::SetPointGrid { set: 0, grid, generation: 9, revision: 8 });
    session.send(Request::SetPointGrid { set: 1, grid: GridParameters { table_size: 0, ..grid }, generation: 1, revision: 9 });
    let refused = wait_for(&mut session, "the refusal", |snapshot| snapshot.point_revision == 9);
    assert_eq!(refused.set_grids, again.set_grids);
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
    let there = wait_for(&mut session, "a step", |snapshot| snapshot.steps == 21 && !snapshot.timeline.seeking());
    assert_eq!(there.timeline.end.steps, 40, "later moments are lost");
}

#[test]
fn a_run_to_a_later_time_is_under_way_and_stops_where_a_user_stops_it() {
    let mut session = paused_after(5, SCENE, "");
    assert!(session.snapshot().stands_still());
    let goal = Goal::Time(1e6);
    session.send(Request::Seek(goal));
    let under_way = wait_for(&mut session, "a later step", |snapshot| snapshot.steps > 20);
    assert_eq!((under_way.timeline.goal, under_way.stands_still()), (Some(goal), false));
    session.send(under_way.play_or_pause());
    let stopped = wait_for(&mut session, "a stop", |snapshot| snapshot.timeline.goal.is_none());
    assert!(stopped.stands_still() && stopped.steps >= under_way.steps);
    session.send(stopped.play_or_pause());
    wait_for(&mut session, "more steps", |snapshot| !snapshot.paused && snapshot.steps > stopped.steps);
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
    // Later moments are packed less tightly than the lattice of the start.
    let limit = 3 * kept.unpacked_bytes;
    session.send(Request::SetPlaybackMemory(limit));
    go_to(&mut session, 400);
    let full = wait_for(&mut session, "moments", |snapshot| snapshot.timeline.kept.len() > 1).timeline;
    assert!(full.bytes <= limit && full.limit == limit && full.kept[0].steps == 0, "{full:?}");
    session.send(Request::SetPlaybackMemory(0));
    wait_for(&mut session, "nothing", |snapshot| snapshot.timeline.kept.is_empty() && snapshot.timeline.bytes == 0);
    session.send(Request::Seek(Goal::Time(0.0)));
    let notice = wait_for_notice(&session);
    assert!(notice.severity == Severity::Warning && notice.title.contains("no longer in the history"), "{notice:?}");
    session.send(Request::SetPlaybackMemory(1 << 24));
    session.send(Request::Reset);
    wait_for(&mut session, "the start", |snapshot| snapshot.steps == 0 && snapshot.timeline.kept.len() == 1);
}

#[test]
fn probes_audits_and_the_rival_go_back_too() {
    let mut session = paused_after(10, BUSY, "");
    let own = session.snapshot().parameters.expect("a scene has parameters").grid;
    let grid = sph_core::neighbors::GridParameters { table_size: 7, ..own };
    session.send(Request::Compare { grid: Some(SearchGrid { set: None, grid }), generation: 1, revision: 1 });
    let first = go_to(&mut session, 40);
    let reading = |snapshot: &Snapshot| snapshot.readings.samples(0).next_back();
    go_to(&mut session, 15);
    let again = go_to(&mut session, 40);
    assert_eq!((&again.audits, reading(&again), again.stats.map(|stats| stats.dt)), {
        (&first.audits, reading(&first), first.stats.map(|stats| stats.dt))
    });
    let grid_b = again.grid_b.expect("they are compared");
    assert_eq!((grid_b.grid, grid_b.comparison.first), (grid, None));
    assert_eq!(grid_b.particles.positions, again.particles.positions);
}

/// Moments: one answer to each, whichever are kept, and a word where there is none.
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
        if snapshot.steps == steps && snapshot.paused && !snapshot.timeline.seeking() {
            return Some(snapshot.clone());
        }
        if session.next_notice().is_some_and(|notice| notice.title.contains("no longer in the history")) {
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
    assert!(notice.severity == Severity::Warning && notice.title.contains("no longer in the history"), "{notice:?}");
    let there = wait_for(&mut session, "another moment", |snapshot| snapshot.steps != 400 && !snapshot.timeline.seeking());
    // Of the later ones, those are kept for which the machine had the time.
    assert!(there.steps == 0 || there.steps > 10);
    assert!(notice.details.contains(&format!("{:.4} s", there.time)), "{notice:?}, {}", there.time);
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

// Scrubbing and running on, whatever was going on: the bits of the first time.

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
[solver.wcsph]
acoustic_steps = 1
[[fluid.blocks]]
min = [0.0, 0.2]
max = [0.5, 0.8]
[[containers]]
min = [0.0, 0.0]
max = [1.0, 1.0]
"#;

const PUSH: Push = Push { center: Vec3::new(0.4, 0.3, 0.0), radius: 0.4, strength: 60.0, drag: 2.0, velocity: Vec3::Y };
const POUR: Pour =
    Pour { center: Vec3::new(0.7, 0.8, 0.0), radius: 0.1, velocity: Vec3::new(0.0, -2.0, 0.0), fluid: 0, rate: None };

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
        session.send(Request::Compare { grid: Some(SearchGrid { set: None, grid }), generation: 1, revision: 1 });
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
        let grid_b = end.grid_b.expect("they are compared");
        assert_eq!((grid_b.grid, grid_b.comparison.first), (grid, None));
        assert_eq!(grid_b.particles.positions, end.particles.positions);
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
