//! Inspections of the grid while the simulation runs or is paused, readings of probes, and trials of grids between steps.

use super::*;
use super::{Options, running, running_scene, wait_for};
use crate::session::{Inspect, Inspection, Queried, Request, SearchGrid, Session, Snapshot, SpeedLimit, Stage};
use sph_core::neighbors::{GridParameters, Structure, Update, Verdict};
use sph_core::point_sets::PointId;
use sph_core::probes::{Instruments, Vicinity};

/// A drop that falls, in three dimensions.
const FALLING: &str = "format = 1\n[particles]\nspacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0.5, 0]\nmax = [0.4, 0.9, 0.4]\n\
                       [[containers]]\nmin = [-0.2, 0, -0.2]\nmax = [0.6, 2, 0.6]\n";

/// The inspection of a snapshot; panics if there is none.
fn inspection(snapshot: &Snapshot) -> &Inspection {
    snapshot.inspection.as_deref().expect("asked for")
}

fn paused_with(session: &mut Session, asked: Inspect) -> Snapshot {
    wait_for(session, "steps", |snapshot| snapshot.steps > 20);
    session.send(Request::Pause);
    session.send(Request::Inspect(asked));
    wait_for(session, "an inspection", |snapshot| {
        snapshot.paused && snapshot.inspection.as_ref().is_some_and(|inspection| inspection.asked == asked)
    })
}

#[test]
fn a_query_is_traced_over_the_particles_of_its_own_snapshot() {
    let mut session = running(&Options::default());
    let asked = Inspect { contents: true, queried: Some(Queried::Particle(33)), ..Inspect::default() };
    let snapshot = paused_with(&mut session, asked);
    let particles = &snapshot.particles;
    let contents = inspection(&snapshot).contents.as_ref().expect("asked for");
    assert_eq!(contents.cells.iter().map(|cell| cell.points as usize).sum::<usize>(), particles.len());
    let query = inspection(&snapshot).query.as_ref().expect("there is such a particle");
    let index = particles.ids.iter().position(|&id| id == 33).expect("there is such a particle");
    assert_eq!(query.center, particles.positions[index]);
    let support = snapshot.scene.as_ref().expect("a scene runs").setup.discretization.support_radius;
    let near =
        |&(other, place): &(usize, &glam::Vec3)| other != index && (*place - query.center).length_squared() < support * support;
    let expected: Vec<u32> = particles.positions.iter().enumerate().filter(near).map(|(other, _)| other as u32).collect();
    let neighbors = query.visited.iter().filter(|met| met.verdict == Verdict::Neighbor).map(|met| met.index);
    let mut found: Vec<u32> = neighbors.collect();
    found.sort_unstable();
    assert!(!expected.is_empty() && found == expected, "{found:?} {expected:?}");
}

#[test]
fn ellipsoids_are_those_of_the_same_state_without_a_session() {
    let mut session = running_scene(&Options::default(), "small", FALLING);
    let snapshot = paused_with(&mut session, Inspect { ellipsoids: true, ..Inspect::default() });
    let scene = snapshot.scene.as_ref().expect("a scene runs");
    let mut engine = sph_commands::engine::start(&scene.setup).expect("the scene can be simulated");
    while engine.view().steps < snapshot.steps {
        assert_eq!(engine.step().error, None);
    }
    let mut expected = Vec::new();
    Vicinity::default().read_ellipsoids(&engine.view(), &mut expected);
    assert!(!expected.is_empty() && inspection(&snapshot).ellipsoids == expected);
    session.send(Request::Inspect(Inspect::default()));
    wait_for(&mut session, "no inspection", |snapshot| snapshot.inspection.is_none());
}

#[test]
fn a_change_of_the_grid_shows_in_a_pause() {
    let mut session = running(&Options::default());
    let before = paused_with(&mut session, Inspect { contents: true, queried: None, ..Inspect::default() });
    let mut parameters = before.parameters.expect("a scene has parameters");
    parameters.grid.table_size = 3;
    parameters.grid.structure = Structure::SpatialHash;
    session.send(Request::SetParameters { parameters, generation: 1, revision: 5 });
    let after = wait_for(&mut session, "the new grid", |snapshot| snapshot.revision == 5);
    assert_eq!((after.steps, inspection(&after).grid.table_size), (before.steps, 3));
    assert_eq!(inspection(&after).contents.as_ref().map(|contents| contents.bucket_lengths.len()), Some(3));
    // Nothing that the inspection depends on has changed since: the same one is kept.
    session.send(Request::SetSpeedLimit(SpeedLimit::Times(0.5)));
    let same = wait_for(&mut session, "an answer", |snapshot| snapshot.speed_limit == SpeedLimit::Times(0.5));
    assert_eq!(inspection(&same).serial, inspection(&after).serial);
    session.send(Request::Inspect(Inspect::default()));
    wait_for(&mut session, "no inspection", |snapshot| snapshot.inspection.is_none());
}

/// Balls of two sets, and a cloth, without fluid.
const POINTS: &str = r#"
format = 1
particles.spacing = 0.1
[[containers]]
min = [0, 0, 0]
max = [1, 1, 1]
[[cloths]]
name = "sheet"
corner = [0.2, 0.5, 0.2]
along = [0.4, 0, 0]
across = [0, 0, 0.4]
spacing = 0.05
[[balls]]
name = "gravel"
count = 60
radius_range = [0.02, 0.08]
min = [0.1, 0, 0.1]
max = [0.9, 0.4, 0.9]
[[balls]]
name = "marble"
radius = 0.03
centers = [[0.5, 0.8, 0.5]]
"#;

#[test]
fn cells_and_costs_of_balls_are_those_of_their_search() {
    let mut session = running_scene(&Options::default(), "points", POINTS);
    let asked = Inspect { contents: true, set: Some(1), ..Inspect::default() };
    let has_costs = |snapshot: &Snapshot| snapshot.costs_of(Some(1)).is_some_and(|costs| costs.recent().is_some());
    wait_for(&mut session, "costs", has_costs);
    let before = paused_with(&mut session, asked);
    assert_eq!(before.point_costs.keys().collect::<Vec<_>>(), [&0, &1], "one for the cloth, one for all balls");
    let costs = before.costs_of(Some(1)).expect("balls are searched").recent().expect("there were steps");
    assert!(costs.candidates_per_neighbor > 0.0 && costs.grid == Some(before.set_grids[1]));
    let grid = GridParameters { structure: Structure::SpatialHash, table_size: 5, ..before.set_grids[1] };
    session.send(Request::SetPointGrid { set: 1, grid, generation: 1, revision: 3 });
    let after = wait_for(&mut session, "the new grid", |snapshot| snapshot.point_revision == 3);
    assert_eq!((after.steps, inspection(&after).grid), (before.steps, grid), "a change shows in a pause");
    let contents = inspection(&after).contents.as_ref().expect("asked for");
    assert_eq!(contents.bucket_lengths.iter().sum::<u32>(), 61);
    assert_eq!(contents.bucket_lengths.len(), 5);
    let mut centers = after.sets.balls();
    let occupied = |center: glam::Vec3| contents.cells.iter().any(|cell| cell.cell == contents.cell_of(center));
    assert!(centers.all(|(center, _)| occupied(center)));
    session.send(Request::Inspect(Inspect { set: Some(7), ..asked }));
    let none = wait_for(&mut session, "nothing", |snapshot| inspection(snapshot).asked.set == Some(7));
    assert!(inspection(&none).contents.is_none(), "there is no such set");
}

/// Pairs of a ball of the second set, by brute force: before a step balls have their own radii.
#[test]
fn the_query_of_a_ball_finds_all_balls_of_its_search_that_it_touches() {
    let text = "format = 1\n[particles]\nspacing = 0.1\n[[containers]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
                [[balls]]\nname = \"sand\"\nradius = 0.03\ncenters = [[0.5, 0.5, 0.5], [0.56, 0.52, 0.5], [0.1, 0.5, 0.5]]\n\
                [[balls]]\nname = \"stones\"\nradius = 0.1\ncenters = [[0.8, 0.8, 0.8], [0.62, 0.62, 0.5]]\n";
    let mut session = super::playback::paused_after(0, text, "");
    let point = PointId { set: 1, id: 1 };
    let asked = Inspect { set: Some(0), queried: Some(Queried::Point(point)), ..Inspect::default() };
    let wait = |session: &mut Session, asked: Inspect| {
        session.send(Request::Inspect(asked));
        wait_for(session, "an inspection", |snapshot| snapshot.inspection.as_ref().is_some_and(|shown| shown.asked == asked))
    };
    let snapshot = wait(&mut session, asked);
    let balls: Vec<(glam::Vec3, f32)> = snapshot.sets.balls().collect();
    let query = inspection(&snapshot).query_of(asked.queried).expect("there is such a ball");
    assert_eq!((query.center, inspection(&snapshot).contents.is_none()), (balls[4].0, true));
    let touches = |&other: &usize| other != 4 && balls[other].0.distance(balls[4].0) < balls[other].1 + balls[4].1;
    let expected: Vec<u32> = (0..5).filter(touches).map(|other| other as u32).collect();
    let neighbors = query.visited.iter().filter(|met| met.verdict == Verdict::Neighbor).map(|met| met.index);
    let mut found: Vec<u32> = neighbors.chain(query.found_by.iter().copied()).collect();
    found.sort_unstable();
    assert!(expected.len() == 1 && found == expected, "{found:?} {expected:?}");
    // With cells too, which are of the same search; and for balls that are not there.
    let both = wait(&mut session, Inspect { contents: true, ..asked });
    let query_of = |snapshot: &Snapshot, asked: Inspect| inspection(snapshot).query_of(asked.queried).map(|query| query.center);
    let contents = inspection(&both).contents.as_ref().expect("asked for");
    assert!(contents.cells.iter().any(|cell| cell.cell == contents.cell_of(balls[4].0)) && query_of(&both, asked).is_some());
    for gone in [PointId { set: 1, id: 2 }, PointId { set: 2, id: 0 }] {
        let asked = Inspect { queried: Some(Queried::Point(gone)), ..asked };
        let snapshot = wait(&mut session, asked);
        assert_eq!((query_of(&snapshot, asked), inspection(&snapshot).refusal), (None, None), "{gone:?}");
    }
}

#[test]
fn a_particle_that_is_not_there_has_no_query() {
    let mut session = running(&Options::default());
    let snapshot =
        paused_with(&mut session, Inspect { contents: false, queried: Some(Queried::Particle(1 << 30)), ..Inspect::default() });
    assert!(inspection(&snapshot).query.is_none() && inspection(&snapshot).contents.is_none());
    assert!(inspection(&snapshot).refusal.is_none());
}

/// The window shows one of the two inspections, and must notice a switch to the other.
#[test]
fn a_rivals_inspection_is_not_taken_for_the_simulations() {
    let mut session = running(&Options::default());
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    session.send(Request::Pause);
    let grid = GridParameters { table_size: 7, ..before.parameters.expect("a scene has parameters").grid };
    session.send(Request::Compare { grid: Some(SearchGrid { set: None, grid }), generation: before.generation, revision: 1 });
    session.send(Request::Inspect(Inspect { contents: true, queried: None, ..Inspect::default() }));
    let second = |snapshot: &Snapshot| snapshot.grid_b.as_ref()?.inspection.clone();
    let both =
        wait_for(&mut session, "two inspections", |snapshot| snapshot.inspection.is_some() && second(snapshot).is_some());
    let grid_b = second(&both).expect("there are two");
    assert_eq!(grid_b.contents.as_ref().map(|contents| contents.bucket_lengths.len()), Some(7));
    assert_ne!(grid_b.serial, inspection(&both).serial);
}

// Probes of the scene that runs.

/// The small block, with a flow that is added up and a mean over time.
const PROBES: &str = r#"
[[probes]]
name = "edge"
kind = "front"
toward = "x_max"
[[probes]]
name = "wall"
kind = "pressure"
at = [0.0, 0.05]
[[probes]]
name = "all"
kind = "energy"
[[probes]]
name = "mean"
kind = "pressure"
at = [0.0, 0.05]
averaging = 0.02
"#;

#[test]
fn curves_hold_what_the_probes_read_and_begin_anew() {
    let text: &'static str = format!("{SCENE}{PROBES}").leak();
    let mut session = running_scene(&Options::default(), "probed", text);
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > 40);
    session.send(Request::Pause);
    let snapshot = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    let readings = &snapshot.readings;
    let names: Vec<String> =
        readings.curves().iter().map(|curve| format!("{} {}", curve.reading.label, curve.reading.unit)).collect();
    assert_eq!(names, ["edge m", "wall Pa", "all.kinetic J/m", "all.potential J/m", "mean.mean_20ms Pa"]);

    // The same steps, read after each.
    let scene = sph_io::parse(text, "probed", &[]).expect("the scene is well-formed");
    let mut simulation = sph_commands::engine::start(&scene.setup).expect("the scene can be simulated");
    let mut instruments = Instruments::new(scene.probes.iter().map(|probe| probe.probe.clone()));
    instruments.record(&simulation.view());
    let mut samples = (0..readings.samples(0).count()).map(|index| {
        let row = (0..5).map(|curve| readings.samples(curve).nth(index).expect("curves are of equal length"));
        row.collect::<Vec<_>>()
    });
    let (mut expected, mut compared) = (samples.next(), 0);
    while let Some(row) = &expected {
        if simulation.time() == row[0][0] {
            let values: Vec<Option<f64>> = row.iter().map(|[_, value]| Some(*value).filter(|value| !value.is_nan())).collect();
            assert_eq!(values, instruments.read(&simulation.view()), "at {} s", simulation.time());
            (expected, compared) = (samples.next(), compared + 1);
        }
        assert!(simulation.steps() <= snapshot.steps, "a sample is of no step");
        assert_eq!(simulation.step().error, None);
        instruments.record(&simulation.view());
    }
    assert!(compared >= 2, "{compared} samples");

    session.send(Request::Reset);
    let reset = wait_for(&mut session, "a reset", |snapshot| snapshot.steps == 0);
    assert_eq!(reset.readings.span(), Some((0.0, 0.0)));
    session.send(Request::Load(SceneSource::Text("small", SCENE, Vec::new())));
    let other = wait_for(&mut session, "another scene", |snapshot| snapshot.generation == 2);
    assert!(other.readings.curves().is_empty() && other.readings.span().is_none());
}

/// Tuning while the fluid moves.
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
    session.send(Request::Tune { set: None, structures: structures() });
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
    session.send(Request::Tune { set: None, structures: Structure::all() });
    wait_for(&mut session, "a trial", |snapshot| done(snapshot) > 1);
    session.send(Request::Load(SceneSource::Text("small", SCENE, Vec::new())));
    wait_for(&mut session, "another scene", |snapshot| snapshot.generation == 3 && snapshot.tuning.is_none());
    let notice = wait_for_notice(&session);
    assert!(notice.title.contains("Auto-tune has stopped"), "{notice:?}");
}

/// Trials of the search of balls, and none of that of a set that is not there.
#[test]
fn the_searches_of_point_sets_are_tried_too() {
    let text = "format = 1\n[particles]\nspacing = 0.1\n[[containers]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
                [[balls]]\ncount = 60\nradius_range = [0.02, 0.06]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
    let mut session = running_scene(&Options::default(), "balls", text);
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    let tune = |set: usize| Request::Tune { set: Some(set), structures: vec![Structure::SortedCells, Structure::USUAL[1]] };
    session.send(tune(3));
    session.send(tune(0));
    let ended = wait_for(&mut session, "the end of the trials", |snapshot| {
        snapshot.tuning.as_ref().is_some_and(|tuning| tuning.stage == Stage::Done)
    });
    let tuning = ended.tuning.expect("there were trials");
    assert_eq!((tuning.set, tuning.results.particles), (Some(0), 60));
    assert!(tuning.results.best().is_some() && tuning.forecast.is_some());
    assert!(tuning.results.trials.iter().filter_map(|trial| trial.cost()).all(|cost| cost.total_ms() > 0.0));
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
            session.send(Request::Tune { set: None, structures: structures() });
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
    session.send(Request::Tune { set: None, structures: Structure::all() });
    let stage = |snapshot: &Snapshot| snapshot.tuning.as_ref().map(|tuning| tuning.stage);
    wait_for(&mut session, "a trial", |snapshot| snapshot.tuning.as_ref().is_some_and(|tuning| tuning.results.done() > 1));
    session.send(Request::CancelTune);
    let cancelled = wait_for(&mut session, "the end", |snapshot| stage(snapshot) == Some(Stage::Cancelled));
    let results = cancelled.tuning.expect("there were trials").results;
    assert!(!results.is_complete() && results.best().is_some());
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > cancelled.steps);
    // Cancelling without trials does nothing.
    session.send(Request::CancelTune);
    session.send(Request::Tune { set: None, structures: vec![Structure::UniformGrid] });
    let again = wait_for(&mut session, "other trials", |snapshot| stage(snapshot) == Some(Stage::Done));
    assert_eq!(again.tuning.expect("there were trials").results.plan.structures, [Structure::UniformGrid]);
}
