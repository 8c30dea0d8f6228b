//! Queries of balls and of vertices: what is traced is what brute force finds.

use glam::Vec3;
use sph_core::neighbors::{GridParameters, Structure, Trace, Verdict};
use sph_core::point_sets::{PointSetup, SearchAmongOthers, SetSearch};
use sph_core::probes::PresentSearch;
use sph_core::tuning::{Plan, Sample, Sweep, Trial};
use sph_core::{Container, Dimensions, Discretization, Engine as _, Setup, Simulation, View};
use sph_pbd::balls::{BallMaterial, BallsSetup, Placement, Radii};
use sph_pbd::cloth::{ClothSettings, ClothSetup, Grid};
use sph_pbd::{BallSettings, PbdSetup};
use std::collections::BTreeSet;

/// Two sheets, one above the other, over balls of two sets and radii 1 : 8.
fn setup() -> Setup {
    let cloth = |name: &str, height: f32| {
        let corner = Vec3::new(0.2, height, 0.2);
        let grid = Grid { corner, along: 0.02 * Vec3::X, across: 0.02 * Vec3::Z, columns: 12, rows: 9 };
        ClothSetup { thickness: 0.018, ..ClothSetup::grid(name, &grid) }
    };
    let balls = |name: &str, min: Vec3, max: Vec3| BallsSetup {
        name: name.to_owned(),
        count: 60,
        radii: Radii::LogUniform { min: 0.01, max: 0.08 },
        seed: 7,
        placement: Placement::Fill { min, max },
        density: 2500.0,
        material: BallMaterial::default(),
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        color: None,
    };
    let sheets = [cloth("upper", 0.9), cloth("lower", 0.87)];
    let glass = balls("glass", Vec3::ZERO, Vec3::new(0.6, 0.35, 0.6)).build().expect("room");
    let steel = balls("steel", Vec3::Y * 0.35, Vec3::new(0.6, 0.7, 0.6)).build().expect("room");
    let points = PbdSetup::new(&sheets, ClothSettings::default()).expect("valid cloths");
    let points = points.with_balls(vec![glass, steel], BallSettings::default());
    let container = Container::new(Vec3::ZERO, Vec3::new(0.6, 1.2, 0.6));
    let mut setup = Setup::new(Discretization::new(Dimensions::Three, 0.05), Vec::new(), vec![container]);
    setup.points = Some(PointSetup::new(points));
    setup
}

/// Indices of the points that a query finds, and that find it; none twice.
fn found(trace: &Trace) -> BTreeSet<u32> {
    let neighbors = trace.visited.iter().filter(|met| met.verdict == Verdict::Neighbor).map(|met| met.index);
    let all: Vec<u32> = neighbors.chain(trace.found_by.iter().copied()).collect();
    let once: BTreeSet<u32> = all.iter().copied().collect();
    assert_eq!(once.len(), all.len(), "{all:?}");
    once
}

/// Traces the query of each point of the sets from `first` on that are searched together, and compares it with those for which `is_pair(a, b)`.
fn check(view: &View<'_>, sets: std::ops::Range<usize>, name: &str, is_pair: impl Fn(usize, usize) -> bool) -> usize {
    let count: usize = view.sets[sets.clone()].iter().map(|set| set.len()).sum();
    let mut search = PresentSearch::default();
    let registered = search.update_sets(view, sets).expect("few cells").expect("there are points");
    let mut pairs = 0;
    for index in 0..count {
        let trace = registered.trace(index);
        let expected: BTreeSet<u32> =
            (0..count).filter(|&other| other != index && is_pair(index, other)).map(|other| other as u32).collect();
        assert_eq!(found(&trace), expected, "{name}: point {index}");
        assert_eq!(trace.count(Verdict::Itself), 1, "{name}: point {index}");
        pairs += expected.len();
    }
    pairs
}

#[test]
fn a_query_finds_what_brute_force_finds() {
    let mut simulation = Simulation::new(&setup()).expect("a valid setup");
    for steps in [0, 30] {
        (0..steps).for_each(|_| assert_eq!(simulation.step().error, None));
        for structure in Structure::all() {
            for set in [0, 2] {
                let usual = simulation.view().set_grids[set];
                let grid = GridParameters { structure, table_size: 300, bucket_capacity: 200, ..usual };
                simulation.set_point_grid(set, grid).expect("a valid grid");
            }
            // Balls have the reaches of the last step, vertices its search radius.
            let view = simulation.view();
            let places = |sets: &[sph_core::point_sets::PointSet]| -> Vec<Vec3> {
                sets.iter().flat_map(|set| set.positions.iter().copied()).collect()
            };
            let balls = places(&view.sets[2..]);
            let mut reaches = Vec::new();
            for set in 2..4 {
                let of_step = view.dynamics.and_then(|dynamics| dynamics.reaches(set)).unwrap_or(&[]);
                reaches.extend_from_slice(if of_step.is_empty() { &view.sets[set].radii } else { of_step });
            }
            let touch = |a: usize, b: usize| balls[a].distance(balls[b]) < reaches[a] + reaches[b];
            let pairs = check(&view, 2..4, &format!("balls, {structure}"), touch);
            assert!(steps == 0 || pairs > 100, "{pairs} pairs");
            if let Some(search) = view.set_searches.first() {
                let vertices = places(&view.sets[..2]);
                let near = |a: usize, b: usize| vertices[a].distance(vertices[b]) < search.radius;
                assert!(check(&view, 0..2, &format!("vertices, {structure}"), near) > 100);
            }
        }
    }
}

#[test]
fn audits_find_no_error_in_any_structure() {
    let mut simulation = Simulation::new(&setup()).expect("a valid setup");
    // Every n-th list, with a whole n: a few less than 20.
    simulation.set_audit(20);
    for structure in Structure::all() {
        for set in [0, 2] {
            let usual = simulation.view().set_grids[set];
            let grid = GridParameters { structure, table_size: 300, bucket_capacity: 200, ..usual };
            simulation.set_point_grid(set, grid).expect("a valid grid");
        }
        for _ in 0..3 {
            assert_eq!(simulation.step().error, None);
            for (set, search) in simulation.view().set_searches.iter().enumerate() {
                let audit = search.audit;
                assert!(audit.is_clean() && audit.queries >= 15, "{structure}, set {set}: {audit:?}");
                // Of cloths, that of vertices among balls too.
                assert_eq!(search.among_others.is_some(), set < 2);
                if let Some(SearchAmongOthers { queries, tally, audit }) = search.among_others {
                    assert!(audit.is_clean() && audit.queries >= 15, "{structure}, among balls: {audit:?}");
                    assert!(queries >= 2 * 12 * 9 && tally.candidates >= tally.neighbors, "{structure}: {queries}, {tally:?}");
                }
            }
        }
    }
    simulation.set_audit(0);
    simulation.step();
    let checked = |search: &SetSearch| search.audit.queries + search.among_others.map_or(0, |others| others.audit.queries);
    assert!(simulation.view().set_searches.iter().all(|search| checked(search) == 0));
}

/// Every structure finds the pairs that the engine's search finds in its step from the state, and those of vertices.
#[test]
fn trials_search_the_points_as_a_step_does() {
    let mut simulation = Simulation::new(&setup()).expect("a valid setup");
    (0..20).for_each(|_| assert_eq!(simulation.step().error, None));
    let view = simulation.view();
    for sets in [0..2, 2..4] {
        let grid = view.set_grids[sets.start];
        let plan = Plan::around_points(
            &grid,
            Plan::promising(),
            200,
            (grid.cell_size, [0.9, 1.6].map(|ratio| ratio * grid.cell_size)),
        );
        assert!(
            plan.cell_sizes.len() > 3 && plan.cell_sizes.iter().all(|size| (0.89..1.61).contains(&(size / grid.cell_size)))
        );
        let plan = Plan { cell_sizes: vec![grid.cell_size], table_sizes: vec![16, 512], ..plan };
        let sample = Sample::of_sets(&view, sets.clone()).expect("there are such sets");
        assert_eq!(sample.len(), view.sets[sets.clone()].iter().map(|set| set.len()).sum::<usize>());
        let mut sweep = Sweep::new(sample, grid, plan);
        while sweep.next_trial() {}
        let results = sweep.results();
        assert!(results.is_complete() && results.best().is_some());
        let pairs = |trial: &Trial| trial.cost().map(|cost| cost.tally.neighbors);
        let found: BTreeSet<Option<u64>> = results.trials.iter().map(pairs).collect();
        // The last repeat of a trial is at one of the two moments.
        assert!((1..=2).contains(&found.len()), "{sets:?}: {found:?}");
        // About as many as in the last step.
        let of_step = view.set_searches[sets.start].stats.tally.neighbors as f64;
        for found in found {
            let ratio = found.expect("measured") as f64 / of_step;
            assert!((0.7..1.4).contains(&ratio), "{sets:?}: {ratio} times as many pairs as in the step");
        }
    }
    assert!(Sample::of_sets(&view, 3..5).is_none());
}
