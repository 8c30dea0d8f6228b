//! Sweeps over grid configurations: the plan, the order of trials, and equal neighbours in every trial.

use crate::common::dam_break;
use glam::Vec3;
use sph_core::neighbors::{GridParameters, HashFunction, MAX_TABLE_SIZE, Structure, Tally};
use sph_core::tuning::{Cost, NOTICEABLE, Plan, Sample, Sweep, Trial, Verdict};
use sph_core::{Dimensions, Discretization, Engine as _, Simulation};

/// A dam break after 20 steps.
fn moving() -> Simulation {
    let mut simulation = Simulation::new(&dam_break(Dimensions::Three, 10)).expect("a valid setup");
    for _ in 0..20 {
        assert_eq!(simulation.step().error, None);
    }
    simulation
}

/// Number of neighbours over all points; a pair counts twice.
fn neighbors(points: &[Vec3], radius: f32) -> u64 {
    let near = |a: &Vec3| points.iter().filter(|b| a.distance_squared(**b) < radius * radius).count() as u64 - 1;
    points.iter().map(near).sum()
}

#[test]
fn every_trial_finds_what_brute_force_finds() {
    let simulation = moving();
    let present = simulation.parameters().grid;
    let radius = simulation.discretization().support_radius;
    let plan = Plan {
        structures: Structure::all(),
        table_sizes: vec![64, 1024],
        cell_sizes: vec![0.7 * radius, radius, 1.5 * radius],
        base: present,
        discretization: Some(*simulation.discretization()),
    };
    let mut sweep = Sweep::new(Sample::of(&simulation.view()), present, plan.clone());
    while sweep.next_trial() {}
    let results = sweep.results();
    let later = |(&x, &v): (&Vec3, &Vec3)| x + simulation.last_dt() * v;
    let particles = simulation.particles();
    let next: Vec<Vec3> = particles.positions.iter().zip(&particles.velocities).map(later).collect();
    assert_ne!(next, particles.positions);
    // The last repeat of a trial is at one of the two moments.
    let expected = [&particles.positions, &next].map(|points| neighbors(points, radius));
    let mut measured = 0;
    for trial in results.trials.iter().chain(&results.finals) {
        if let Some(cost) = trial.cost() {
            assert!(expected.contains(&cost.tally.neighbors), "{:?}: {} of {expected:?}", trial.grid, cost.tally.neighbors);
            assert!(cost.build_ms > 0.0 && cost.query_ms > 0.0 && cost.bytes > 0 && cost.repeats >= 2, "{cost:?}");
            measured += 1;
        }
    }
    assert!(measured > results.trials.len() / 2, "{measured} of {}", results.trials.len());
    // Structures without a table have one trial per cell size, brute force one trial.
    let (hashed, others): (Vec<_>, Vec<_>) = Structure::all().into_iter().partition(|structure| structure.has_table());
    assert_eq!(results.trials.len(), 1 + 3 * (others.len() - 1) + 6 * hashed.len());
    let tried = |grid: &GridParameters| results.trials.iter().filter(|trial| trial.grid == *grid).count();
    assert!(plan.grids().iter().all(|grid| tried(grid) == 1), "each once");
    assert!(results.is_complete() && results.done() == results.total);
}

#[test]
fn the_best_is_the_least_of_those_measured_twice() {
    let simulation = moving();
    // Not a power of two, so that it is not in the plan: which configuration is the fastest depends on the machine.
    let present = GridParameters { table_size: 97, ..simulation.parameters().grid };
    let structures = vec![Structure::UniformGrid, Structure::SpatialHash];
    let plan = Plan::around(&present, structures, simulation.particles().len(), simulation.discretization());
    let mut sweep = Sweep::new(Sample::of(&simulation.view()), present, plan);
    assert_eq!((sweep.results().done(), sweep.results().best()), (0, None));
    while sweep.next_trial() {}
    let results = sweep.results();
    let (best, cost) = results.best().expect("something was measured");
    let finals: Vec<f64> = results.finals.iter().filter_map(|trial| trial.cost()).map(|cost| cost.total_ms()).collect();
    assert!(finals.len() == 3 && results.finals[0].grid == present && results.final_trials == 15, "{:?}", results.finals);
    assert!(finals.iter().all(|&total| total >= cost.total_ms()) && results.finals.iter().any(|trial| trial.grid == best));
    let present_ms = finals[0];
    assert_eq!(results.speed_up(), present_ms / cost.total_ms());
    let of_structure = results.best_of(Structure::UniformGrid).expect("it was measured").1.total_ms();
    let again = results.finals.iter().filter_map(|trial| trial.cost()).map(|cost| cost.total_ms());
    assert!(of_structure >= cost.total_ms() && again.clone().any(|total| total == of_structure), "{:?}", results.finals);
    // The latest measurement of a configuration is returned by every accessor.
    for again in &results.finals {
        let GridParameters { structure, table_size, cell_size, .. } = again.grid;
        assert!(results.trial(structure, table_size, cell_size).is_none_or(|trial| trial == again), "{again:?}");
    }
    let noticeable = present_ms / cost.total_ms() >= NOTICEABLE;
    assert_eq!(results.improvement(), noticeable.then_some((best, cost)));
    // No trial is left.
    let before = results.clone();
    assert!(!sweep.next_trial() && *sweep.results() == before);
}

/// Costs that are given instead of measured: the gain is their ratio, and one within the scatter of measurements is none.
#[test]
fn the_gain_is_the_ratio_of_the_costs() {
    let simulation = moving();
    let present = simulation.parameters().grid;
    let plan = Plan::around(&present, vec![Structure::UniformGrid], 1000, simulation.discretization());
    let best = plan.grids()[0];
    let gain = |present_ms: f64, best_ms: f64| {
        let mut results = (**Sweep::new(Sample::of(&simulation.view()), present, plan.clone()).results()).clone();
        assert_eq!((results.speed_up(), results.improvement()), (1.0, None), "nothing is known yet");
        let tally = Tally { candidates: 2, neighbors: 1 };
        let verdict = |ms: f64| {
            let (build_ms, query_ms) = (0.25 * ms, 0.75 * ms);
            Verdict::Measured(Cost { build_ms, query_ms, repeats: 5, tally, load_factor: 0.5, spills: 0, bytes: 1 })
        };
        results.present_verdict = Some(verdict(present_ms));
        results.trials = vec![Trial { grid: best, verdict: verdict(best_ms) }];
        (results.speed_up(), results.improvement().map(|(grid, cost)| (grid, cost.total_ms())))
    };
    assert_eq!(gain(6.0, 2.0), (3.0, Some((best, 2.0))));
    assert_eq!(gain(NOTICEABLE * 2.0, 2.0), (NOTICEABLE, Some((best, 2.0))));
    assert_eq!(gain(2.0625, 2.0), (1.03125, None));
    assert_eq!(gain(2.0, 2.5), (1.0, None), "the present grid is the best");
}

/// A sweep is independent of the simulation: stopped half way it keeps its results, and the motion is unaffected.
#[test]
fn a_sweep_can_be_left_at_any_trial() {
    let (mut simulation, mut undisturbed) = (moving(), moving());
    let present = simulation.parameters().grid;
    let plan = Plan::around(&present, vec![Structure::SpatialHash], 1000, simulation.discretization());
    let total = plan.grids().len();
    let mut sweep = Sweep::new(Sample::of(&simulation.view()), present, plan);
    for trial in 0..7 {
        assert_eq!(sweep.results().done(), trial);
        assert!(sweep.next_trial());
        simulation.step();
        undisturbed.step();
    }
    let results = sweep.results().clone();
    drop(sweep);
    assert!(!results.is_complete() && results.trials.len() == 6 && results.total > total);
    assert!(results.best().is_some());
    assert_eq!(simulation.particles().positions, undisturbed.particles().positions);
}

#[test]
fn default_plans_are_valid() {
    let setup = dam_break(Dimensions::Three, 10);
    for points in [0, 1, 100, 20_160, 5_000_000, usize::MAX] {
        let present = setup.parameters.grid;
        let plan = Plan::around(&present, Structure::all(), points, &setup.discretization);
        assert!(plan.table_sizes.is_sorted() && plan.cell_sizes.is_sorted() && plan.table_sizes.len() >= 3);
        assert!(plan.table_sizes.iter().all(|&size| (1..=MAX_TABLE_SIZE).contains(&size)));
        for ratio in [0.5, 1.0, 2.0] {
            assert!(
                plan.cell_sizes
                    .iter()
                    .any(|size| (1.0..1.002).contains(&(1e-6 + size / (ratio * setup.discretization.support_radius)))),
                "{ratio}"
            );
        }
        if (1000..100_000).contains(&points) {
            // A simulation accepts every configuration.
            let mut simulation = Simulation::new(&setup).expect("a valid setup");
            for grid in plan.grids() {
                let parameters = sph_core::Parameters { grid, ..setup.parameters };
                simulation.set_parameters(parameters).expect("a valid grid");
            }
        }
    }
    assert!(!Plan::promising().contains(&Structure::BruteForce) && Plan::promising().contains(&Structure::SpatialHash));
}

/// Trials of a structure keep the present values of the parameters that it does not use.
#[test]
fn unused_parameters_keep_their_present_values() {
    let setup = dam_break(Dimensions::Three, 10);
    let present = GridParameters { table_size: 1000, cell_size: 0.123, bucket_capacity: 7, ..setup.parameters.grid };
    let plan = Plan::around(&present, Structure::all(), 20_160, &setup.discretization);
    for grid in plan.grids() {
        assert_eq!((grid.hash, grid.bucket_capacity), (present.hash, present.bucket_capacity));
        assert_eq!(grid.table_size == 1000, !grid.structure.has_table(), "{grid:?}");
        assert_eq!(grid.cell_size == 0.123, grid.structure == Structure::BruteForce, "{grid:?}");
    }
}

#[test]
fn impossible_and_slow_trials_are_reported() {
    // Two clouds so far apart that no uniform grid covers both.
    let cloud = |k: u32| Vec3::new((k * 37 % 101) as f32, (k * 53 % 97) as f32, (k * 29 % 89) as f32) * 0.01;
    let points: Vec<Vec3> = (0..30_000).map(|k| cloud(k) + if k % 2 == 0 { Vec3::splat(1e4) } else { Vec3::ZERO }).collect();
    let ids: Vec<u32> = (0..points.len() as u32).collect();
    let radius = 0.02;
    let grid = |structure, table_size| GridParameters {
        structure,
        table_size,
        cell_size: radius,
        hash: HashFunction::Mix,
        bucket_capacity: 1024,
    };
    let plan = Plan {
        structures: vec![Structure::UniformGrid, Structure::BruteForce, Structure::USUAL[4]],
        table_sizes: vec![1 << 12, MAX_TABLE_SIZE],
        cell_sizes: vec![radius],
        base: grid(Structure::SpatialHash, 1 << 15),
        discretization: Some(Discretization::new(Dimensions::Three, 0.5 * radius)),
    };
    let grids = plan.grids();
    let mut sweep = Sweep::new(Sample::new(&points, &points, &ids, radius), grid(Structure::SpatialHash, 1 << 15), plan);
    while sweep.next_trial() {}
    let trials = &sweep.results().trials;
    let verdict = |grid: &GridParameters| trials.iter().find(|trial| trial.grid == *grid).map(|trial| &trial.verdict);
    let verdicts: Vec<&Verdict> = grids.iter().filter_map(verdict).collect();
    assert!(matches!(verdicts[0], Verdict::Refused(reason) if reason.contains("uniform grid")), "{verdicts:?}");
    assert!(matches!(verdicts[3], Verdict::Refused(reason) if reason.contains("bucket_capacity")), "{verdicts:?}");
    // It depends on the machine whether 900 million distances take too long; the trial must end either way.
    assert!(!matches!(verdicts[1], Verdict::Refused(_)), "{verdicts:?}");
}
