//! Comparison of two grids: the motion is the same to the bit, whatever happens to either.

use super::{SCENE, running, running_scene, start, wait_for, wait_for_notice};
use crate::session::{Comparison, Options, Request, SceneSource, SearchGrid, Session, Snapshot, SpeedLimit};
use glam::{DVec3, Vec3};
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::point_sets::PointId;
use sph_core::{Grab, Hand, PointGrab};

fn grid(snapshot: &Snapshot) -> GridParameters {
    snapshot.parameters.expect("a scene has parameters").grid
}

fn compare(session: &Session, grid: Option<GridParameters>, revision: u64) {
    compare_search(session, grid.map(|grid| SearchGrid { set: None, grid }), revision);
}

fn compare_search(session: &Session, grid: Option<SearchGrid>, revision: u64) {
    let generation = session.snapshot().generation;
    session.send(Request::Compare { grid, generation, revision });
}

fn comparison(snapshot: &Snapshot) -> Comparison {
    snapshot.grid_b.as_ref().map(|grid_b| grid_b.comparison).unwrap_or_default()
}

/// Number of steps compared without any difference; panics on one.
fn identical_steps(snapshot: &Snapshot) -> u64 {
    let Comparison { steps, bits, first } = comparison(snapshot);
    assert!(bits == 0 && first.is_none(), "{first:?}");
    if let Some(grid_b) = &snapshot.grid_b {
        assert!(grid_b.audits.of(None).is_clean());
        if grid_b.comparison.steps > 0 {
            assert_eq!(grid_b.particles, snapshot.particles);
        }
    }
    steps
}

/// A session whose fluid moves, compared with a grid B that has `structure`.
fn comparing(structure: Structure) -> (Session, Snapshot) {
    let mut session = running(&Options::default());
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    compare(&session, Some(GridParameters { structure, ..grid(&before) }), 1);
    let begun = wait_for(&mut session, "a comparison", |snapshot| comparison(snapshot).steps > 0);
    assert_eq!(begun.comparison_revision, 1);
    (session, begun)
}

#[test]
fn the_motion_is_the_same_for_every_structure() {
    for structure in Structure::USUAL {
        let (mut session, begun) = comparing(structure);
        let later = wait_for(&mut session, "50 steps", |snapshot| identical_steps(snapshot) >= 50);
        let grid_b = later.grid_b.expect("they are compared");
        assert_eq!((grid_b.grid.structure, grid_b.failure), (structure, None));
        let stats = grid_b.stats.expect("it steps");
        assert_eq!(stats.search.parameters.structure, structure);
        assert_eq!(later.steps - begun.steps, grid_b.comparison.steps - comparison(&begun).steps);
        assert!(stats.step == later.steps && grid_b.audits.of(None).queries > 0);
    }
}

#[test]
fn any_scene_moves_the_same() {
    for scene in ["dam_break_2d.toml", "falling_block_2d.toml"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(scene);
        let mut session = start(&Options::default());
        session.send(Request::SetSpeedLimit(SpeedLimit::Unlimited));
        session.send(Request::Load(SceneSource::File(path, Vec::new())));
        let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 2);
        let own = grid(&before);
        compare(&session, Some(GridParameters { table_size: 97, cell_size: 0.7 * own.cell_size, ..own }), 1);
        wait_for(&mut session, "50 steps", |snapshot| identical_steps(snapshot) >= 50);
    }
}

/// A hand that moves an obstacle acts on both.
#[test]
fn an_obstacle_can_be_moved_meanwhile() {
    let text = format!("{SCENE}\n[[bodies]]\nmin = [0.7, 0.1]\nmax = [0.9, 0.3]\n").leak();
    let mut session = running_scene(&Options::default(), "obstacle", text);
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    compare(&session, Some(GridParameters { structure: Structure::USUAL[1], ..grid(&before) }), 1);
    wait_for(&mut session, "a comparison", |snapshot| comparison(snapshot).steps > 0);
    let grab = Grab { body: 0, point: Vec3::new(0.6, 0.5, 0.0), time: 0.02, top_speed: 4.0 };
    session.send(Request::UseHand { hand: Some(Hand::Grab(grab)), generation: 1 });
    let is_moved = |snapshot: &Snapshot| snapshot.poses[0].point(DVec3::ZERO).length() > 0.1;
    let moved = wait_for(&mut session, "a move", is_moved);
    let steps = identical_steps(&moved);
    wait_for(&mut session, "50 steps after it", |snapshot| identical_steps(snapshot) >= steps + 50);
}

/// So does one that holds a ball.
#[test]
fn a_ball_can_be_moved_meanwhile() {
    let text = "format = 1\n[particles]\nspacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.4, 0.4, 0.4]\n\
                [[containers]]\nmin = [0, 0, 0]\nmax = [1, 1, 0.4]\n[[balls]]\nradius = 0.1\ncenters = [[0.8, 0.1, 0.2]]\n";
    let mut session = running_scene(&Options::default(), "ball", text);
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    compare(&session, Some(GridParameters { structure: Structure::USUAL[1], ..grid(&before) }), 1);
    wait_for(&mut session, "a comparison", |snapshot| comparison(snapshot).steps > 0);
    let grab = PointGrab { point: PointId { set: 0, id: 0 }, target: Vec3::new(0.3, 0.3, 0.2), time: 0.05, top_speed: 4.0 };
    session.send(Request::UseHand { hand: Some(Hand::GrabPoint(grab)), generation: 1 });
    let is_moved = |snapshot: &Snapshot| snapshot.sets.balls().all(|(center, _)| center.distance(grab.target) < 0.05);
    let moved = wait_for(&mut session, "a move", is_moved);
    let steps = identical_steps(&moved);
    wait_for(&mut session, "50 steps in its water", |snapshot| identical_steps(snapshot) >= steps + 50);
}

/// The search of balls is compared like that of the fluid, which stays the same; that of cloth follows the simulation's.
#[test]
fn the_search_of_balls_is_compared() {
    let text = "format = 1\n[particles]\nspacing = 0.05\n[[containers]]\nmin = [0, 0, 0]\nmax = [1, 1, 0.4]\n\
                [[cloths]]\nname = 'sheet'\ncorner = [0.1, 0.2, 0]\nalong = [0.8, 0, 0]\nacross = [0, 0, 0.4]\nspacing = 0.05\n\
                [[balls]]\ncount = 40\nradius_range = [0.01, 0.03]\nmin = [0.1, 0.3, 0.1]\nmax = [0.5, 0.6, 0.3]\n\
                [[balls]]\nradius = 0.03\ncenters = [[0.7, 0.5, 0.2]]\n";
    let mut session = running_scene(&Options::default(), "balls", text);
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    assert_eq!(before.sets.len(), 3);
    let own = before.set_grids[1];
    let grid = GridParameters { structure: Structure::SpatialHash, table_size: 17, ..own };
    assert_ne!(grid.structure, own.structure);
    compare_search(&session, Some(SearchGrid { set: Some(1), grid }), 1);
    let begun = wait_for(&mut session, "a comparison", |snapshot| identical_steps(snapshot) >= 5);
    let grid_b = begun.grid_b.as_ref().expect("they are compared");
    assert_eq!((grid_b.set, grid_b.grid, begun.set_grids[1]), (Some(1), grid, own));
    let searches = [&begun.set_searches[1].stats, grid_b.search().expect("it searches")];
    assert_eq!(searches.map(|search| search.parameters.structure), [own.structure, grid.structure]);
    assert_eq!(searches[0].tally.neighbors, searches[1].tally.neighbors);
    assert!(grid_b.step_costs.samples().all(|sample| sample.grid == Some(grid)));
    assert!(grid_b.sets.balls().eq(begun.sets.balls()) && grid_b.sets.points() == begun.sets.points());
    // Another grid of balls for the simulation, given to a set that is searched with the compared one, and one of the cloth.
    let others = [(2, GridParameters { table_size: 1000, ..own }), (0, GridParameters { table_size: 5, ..begun.set_grids[0] })];
    for (revision, (set, grid)) in (1..).zip(others) {
        session.send(Request::SetPointGrid { set, grid, generation: 1, revision });
    }
    let changed = wait_for(&mut session, "the changes", |snapshot| snapshot.point_revision == 2);
    let steps = identical_steps(&changed);
    let later = wait_for(&mut session, "50 more steps", |snapshot| identical_steps(snapshot) >= steps + 50);
    assert_eq!((later.set_grids[1].table_size, later.set_grids[0].table_size), (1000, 5));
    assert_eq!(later.grid_b.as_ref().and_then(|grid_b| grid_b.search()).map(|search| search.parameters), Some(grid));
    // Another search: the comparison starts anew.
    let of_cloth = GridParameters { table_size: 3, ..later.set_grids[0] };
    compare_search(&session, Some(SearchGrid { set: Some(0), grid: of_cloth }), 2);
    let is_of_cloth = |snapshot: &Snapshot| snapshot.grid_b.as_ref().is_some_and(|grid_b| grid_b.set == Some(0));
    let of_cloth = wait_for(&mut session, "the cloth", |snapshot| is_of_cloth(snapshot) && identical_steps(snapshot) >= 5);
    assert_eq!(of_cloth.grid_b.and_then(|grid_b| Some(grid_b.search()?.parameters.table_size)), Some(3));
}

#[test]
fn either_grid_and_the_fluid_can_change_meanwhile() {
    let (mut session, begun) = comparing(Structure::USUAL[3]);
    let mut parameters = begun.parameters.expect("a scene has parameters");
    let other = GridParameters { table_size: 11, ..begun.grid_b.as_ref().expect("they are compared").grid };
    compare(&session, Some(other), 2);
    parameters.grid.table_size = 17;
    parameters.gravity.y = 3.0;
    session.send(Request::SetParameters { parameters, generation: begun.generation, revision: 1 });
    let changed =
        wait_for(&mut session, "both changes", |snapshot| snapshot.revision == 1 && snapshot.comparison_revision == 2);
    let steps = identical_steps(&changed);
    // A grid B that had kept the old gravity would have moved elsewhere by now.
    let later = wait_for(&mut session, "50 more steps", |snapshot| identical_steps(snapshot) >= steps + 50);
    assert_eq!((grid(&later).table_size, later.grid_b.expect("they are compared").grid), (17, other));
}

#[test]
fn a_pause_and_single_steps_apply_to_both() {
    let (mut session, _) = comparing(Structure::UniformGrid);
    session.send(Request::Pause);
    let paused = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    session.send(Request::StepOnce);
    session.send(Request::StepOnce);
    let stepped = wait_for(&mut session, "two steps", |snapshot| snapshot.steps == paused.steps + 2);
    assert_eq!(identical_steps(&stepped), identical_steps(&paused) + 2);
    // A request made in a pause takes effect before the next step.
    compare(&session, None, 2);
    let ended = wait_for(&mut session, "the end", |snapshot| snapshot.comparison_revision == 2);
    assert!(ended.grid_b.is_none() && ended.paused && ended.steps == stepped.steps);
}

/// The window recognises by the grid that a value was measured with another one.
#[test]
fn reports_and_samples_name_the_grid_that_they_were_measured_with() {
    let (mut session, _) = comparing(Structure::UniformGrid);
    session.send(Request::Pause);
    let paused = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    let mut parameters = paused.parameters.expect("a scene has parameters");
    let own = std::mem::replace(&mut parameters.grid, paused.grid_b.as_ref().expect("they are compared").grid);
    session.send(Request::SetParameters { parameters, generation: paused.generation, revision: 1 });
    compare(&session, Some(own), 2);
    let swapped = wait_for(&mut session, "the swap", |snapshot| snapshot.revision == 1 && snapshot.comparison_revision == 2);
    let measured_with = |snapshot: &Snapshot| {
        let grid_b = snapshot.grid_b.as_ref().and_then(|grid_b| grid_b.stats.as_ref());
        [snapshot.stats.as_ref(), grid_b].map(|stats| stats.map(|stats| stats.search.parameters))
    };
    assert_eq!((grid(&swapped), measured_with(&swapped)), (parameters.grid, [Some(own), Some(parameters.grid)]));
    session.send(Request::Play);
    let is_sampled = |snapshot: &Snapshot| snapshot.step_costs.recent().and_then(|recent| recent.grid) == Some(parameters.grid);
    let later = wait_for(&mut session, "a sample", is_sampled);
    assert_eq!(measured_with(&later), [Some(parameters.grid), Some(own)]);
}

#[test]
fn a_reset_restarts_both_and_another_scene_ends_the_comparison() {
    let (mut session, begun) = comparing(Structure::UniformGrid);
    session.send(Request::Pause);
    session.send(Request::Reset);
    let reset = wait_for(&mut session, "a reset", |snapshot| snapshot.steps == 0);
    let grid_b = reset.grid_b.as_ref().expect("they are still compared");
    assert_eq!((grid_b.comparison, grid_b.grid.structure), (Comparison::default(), Structure::UniformGrid));
    assert_eq!(grid_b.particles, reset.particles);
    session.send(Request::Play);
    wait_for(&mut session, "50 steps", |snapshot| identical_steps(snapshot) >= 50);
    session.send(Request::Load(SceneSource::Text("other", SCENE, Vec::new())));
    // Meant for the scene before, and perhaps too late for it.
    compare(&session, Some(grid(&begun)), 2);
    wait_for(&mut session, "another scene", |snapshot| snapshot.generation > begun.generation && snapshot.steps > 5);
    session.send(Request::Compare {
        grid: Some(SearchGrid { set: None, grid: grid(&begun) }),
        generation: begun.generation,
        revision: 3,
    });
    let other = wait_for(&mut session, "the late request", |snapshot| snapshot.comparison_revision == 3 && snapshot.steps > 10);
    assert!(other.grid_b.is_none());
}

/// Two blocks so far apart that no uniform grid covers both.
pub(super) const APART: &str = r#"
format = 1
title = "Far apart"
dimensions = 2
[particles]
spacing = 0.05
[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.5, 0.5]
[[fluid.blocks]]
min = [2000.0, 2000.0]
max = [2000.5, 2000.5]
"#;

fn apart() -> (Session, Snapshot) {
    let mut session = running_scene(&Options::default(), "apart", APART);
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    (session, before)
}

#[test]
fn a_refused_grid_b_reports_the_reason_and_the_simulation_goes_on() {
    let (mut session, before) = apart();
    let uniform = GridParameters { structure: Structure::UniformGrid, ..grid(&before) };
    compare(&session, Some(uniform), 1);
    let refused = |snapshot: &Snapshot| snapshot.grid_b.as_ref().is_some_and(|grid_b| grid_b.failure.is_some());
    let failed = wait_for(&mut session, "a refusal", refused);
    let later = wait_for(&mut session, "more steps", |snapshot| snapshot.steps > failed.steps + 5);
    let grid_b = later.grid_b.as_ref().expect("it is still there");
    assert!(
        grid_b.failure.as_ref().is_some_and(|text| text.contains("uniform grid")) && later.failure.is_none() && !later.paused
    );
    assert_eq!(comparison(&later), Comparison::default());
    // Another grid restarts it from the simulation's present state.
    compare(&session, Some(grid(&before)), 2);
    wait_for(&mut session, "20 steps", |snapshot| identical_steps(snapshot) >= 20);
}

#[test]
fn a_refusal_of_the_simulation_leaves_the_rival_where_it_is() {
    let (mut session, before) = apart();
    compare(&session, Some(grid(&before)), 1);
    wait_for(&mut session, "a comparison", |snapshot| identical_steps(snapshot) > 2);
    let mut parameters = before.parameters.expect("a scene has parameters");
    parameters.grid.structure = Structure::UniformGrid;
    // Twice, so that each of the two steps first once.
    for revision in [1, 3] {
        session.send(Request::SetParameters { parameters, generation: before.generation, revision });
        let failed =
            wait_for(&mut session, "a refusal", |snapshot| snapshot.revision == revision && snapshot.failure.is_some());
        let steps = identical_steps(&failed);
        session.send(Request::StepOnce);
        session.send(Request::SetParameters {
            parameters: before.parameters.expect("a scene has parameters"),
            generation: before.generation,
            revision: revision + 1,
        });
        session.send(Request::Play);
        wait_for(&mut session, "20 steps", |snapshot| identical_steps(snapshot) >= steps + 20 && snapshot.failure.is_none());
    }
}

#[test]
fn a_grid_out_of_range_is_refused() {
    let (mut session, begun) = comparing(Structure::UniformGrid);
    compare(&session, Some(GridParameters { table_size: 0, ..grid(&begun) }), 2);
    let after = wait_for(&mut session, "the revision", |snapshot| snapshot.comparison_revision == 2);
    assert_eq!(after.grid_b.map(|grid_b| grid_b.grid.structure), Some(Structure::UniformGrid));
    let notice = wait_for_notice(&session);
    assert!(notice.details.contains("table_size"), "{notice:?}");
    compare(&session, None, 3);
    let ended = wait_for(&mut session, "the end", |snapshot| snapshot.comparison_revision == 3);
    let later = wait_for(&mut session, "more steps", |snapshot| snapshot.steps > ended.steps + 5);
    assert!(ended.grid_b.is_none() && later.grid_b.is_none());
}
