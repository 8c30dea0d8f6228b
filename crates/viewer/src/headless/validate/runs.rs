//! Running cases: several at once, each on one thread, which for scenes of this size is faster than one after the other. The
//! results do not depend on the number of threads.

use super::case::{Case, Resolution};
use super::meter::Meter;
use super::record::{Readings, RunRecord};
use crate::headless::Failure;
use crate::headless::arguments::ThreadArgs;
use crate::headless::simulate::{Goal, Interrupt, Schedule, Simulator};
use sph_io::{Override, Scene};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A run of a case at a resolution.
pub struct Job {
    case: &'static Case,
    resolution: &'static Resolution,
    scene: Scene,
}

/// Result of a job: its case, the resolution's label, and the record of the run or its failure.
pub type Done = (&'static Case, &'static str, Result<RunRecord, Failure>);

/// Jobs for every case at every resolution, or at the quick ones.
///
/// # Errors
/// If a scene cannot be used on this machine.
pub fn jobs(cases: &[&'static Case], quick: bool) -> Result<Vec<Job>, Failure> {
    let resolutions = cases.iter().flat_map(|&case| case.resolutions.iter().map(move |resolution| (case, resolution)));
    let wanted = resolutions.filter(|(_, resolution)| resolution.quick || !quick);
    wanted.map(|(case, resolution)| Ok(Job { case, resolution, scene: scene(case, resolution)? })).collect()
}

/// The case's scene at this resolution.
///
/// # Errors
/// If it cannot be used.
pub fn scene(case: &Case, resolution: &Resolution) -> Result<Scene, Failure> {
    let parse = |text: &&str| text.parse::<Override>().map_err(|error| Failure::Input(error.to_string()));
    let overrides = resolution.set.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    Ok(sph_io::parse(case.scene, case.name, &overrides)?)
}

impl Job {
    /// Estimated cost in arbitrary units: particles × steps.
    fn cost(&self) -> f64 {
        let setup = &self.scene.setup;
        let steps = self.scene.duration * f64::from(setup.parameters.fluid.sound_speed / setup.discretization.particle_spacing);
        setup.particle_counts().fluid as f64 * steps
    }

    fn run(&self, interrupt: Interrupt, progress: impl Fn(f64)) -> Result<RunRecord, Failure> {
        let dimensions = self.scene.setup.discretization.dimensions;
        let probes = &self.scene.probes;
        let columns = probes.iter().flat_map(|probe| probe.columns(dimensions)).collect();
        let mut readings = Readings { columns, rows: Vec::new() };
        let mut speeds = Vec::new();
        let mut speed = 0.0f64;
        let mut schedule = Schedule::every(self.case.interval);
        let mut simulator = Simulator::new(&self.scene, ThreadArgs { threads: Some(1) })?;
        let goal = Goal::Time(self.scene.duration);
        let outcome = simulator.run(goal, interrupt, |engine, stats| {
            speed = speed.max(stats.map_or(0.0, |stats| f64::from(stats.max_speed)));
            if schedule.due(engine.time()).is_some() {
                let fluid = engine.view();
                let row = probes.iter().flat_map(|probe| probe.probe.read(&fluid)).collect();
                readings.rows.push((fluid.time, row));
                speeds.push([fluid.time, std::mem::take(&mut speed)]);
                progress(goal.fraction(fluid.time, fluid.steps));
            }
            Ok(())
        });
        let wall = outcome.wall;
        match outcome.failure() {
            Some(failure) => Err(failure),
            None => {
                Ok(RunRecord { label: self.resolution.label, scene: self.scene.clone(), speeds, readings, simulator, wall })
            }
        }
    }
}

/// Runs all jobs; the results are in the order of the jobs.
///
/// # Errors
/// If interrupted.
pub fn run(jobs: &[Job], threads: ThreadArgs, interrupt: Interrupt) -> Result<Vec<Done>, Failure> {
    let costs: Vec<f64> = jobs.iter().map(Job::cost).collect();
    // The longest first, so that it does not run alone at the end.
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by(|&a, &b| costs[b].total_cmp(&costs[a]));
    let meter = Meter::new(&costs);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            let job = &jobs[index];
            let record = job.run(interrupt, |fraction| meter.update(index, fraction));
            let seconds = record.as_ref().map_or(0.0, |record| record.wall.as_secs_f64());
            if interrupt.requested() {
                return;
            }
            meter.done(index, &format!("{} {}", job.case.name, job.resolution.label), seconds);
            if let Ok(mut done) = done.lock() {
                done.push((index, record));
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = threads.threads.map_or(cores, usize::from).min(jobs.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    meter.finish();
    if interrupt.requested() {
        return Err(Failure::Run("interrupted before every case was run".to_owned()));
    }
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(index, _)| *index);
    Ok(done.into_iter().map(|(index, record)| (jobs[index].case, jobs[index].resolution.label, record)).collect())
}
