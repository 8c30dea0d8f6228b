//! Running cases: several at once, each on one thread, which for scenes of this size is faster than one after the other. The
//! results do not depend on the number of threads.

use super::case::{Case, PlannedRun};
use super::meter::Meter;
use super::record::{Readings, RunRecord};
use crate::headless::Failure;
use crate::headless::arguments::ThreadArgs;
use crate::headless::simulate::{Goal, Interrupt, Schedule, Simulator};
use sph_core::View;
use sph_core::probes::Instruments;
use sph_io::{Override, Scene};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A run of a case, with its scene.
pub struct Job {
    case: &'static Case,
    run: PlannedRun,
    scene: Scene,
}

/// Result of a job.
pub struct Done {
    /// Its case.
    pub case: &'static Case,
    /// Its run.
    pub run: PlannedRun,
    /// Particle spacing, m.
    pub spacing: f64,
    /// The record of the run, or its failure.
    pub record: Result<RunRecord, Failure>,
}

/// Jobs for every run of every case, or for the quick ones.
///
/// # Errors
/// If a scene cannot be used on this machine.
pub fn jobs(cases: &[&'static Case], quick: bool) -> Result<Vec<Job>, Failure> {
    let runs = cases.iter().flat_map(|&case| case.plan.runs().into_iter().map(move |run| (case, run)));
    runs.filter(|(_, run)| run.quick || !quick).map(|(case, run)| Job::new(case, run)).collect()
}

impl Job {
    /// The job of a run.
    ///
    /// # Errors
    /// If its scene cannot be used.
    pub fn new(case: &'static Case, run: PlannedRun) -> Result<Self, Failure> {
        let parse = |text: &String| text.parse::<Override>().map_err(|error| Failure::Input(error.to_string()));
        let overrides = run.set.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        let scene = sph_io::parse(case.scene.text, case.scene.name, &overrides)?;
        Ok(Self { case, run, scene })
    }

    /// The scene as it is run.
    #[cfg(test)]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Estimated cost in arbitrary units: particles × steps.
    fn cost(&self) -> f64 {
        let setup = &self.scene.setup;
        let steps = self.scene.duration * f64::from(setup.parameters.fluid.sound_speed / setup.discretization.particle_spacing);
        setup.particle_counts().fluid as f64 * steps
    }

    /// Runs the scene up to `goal`, observed by `progress`.
    ///
    /// # Errors
    /// If the simulation fails.
    pub fn run(&self, goal: Goal, interrupt: Interrupt, progress: impl Fn(f64)) -> Result<RunRecord, Failure> {
        let dimensions = self.scene.setup.discretization.dimensions;
        let probes = &self.scene.probes;
        let columns = probes.iter().flat_map(|probe| probe.columns(dimensions)).collect();
        let mut readings = Readings { columns, rows: Vec::new() };
        let (mut speeds, mut speed, mut compression) = (Vec::new(), 0.0f64, 0.0f64);
        let mut instruments = Instruments::new(probes.iter().map(|probe| probe.probe.clone()));
        let (mut held, mut most_held, mut angular_momentum) = (Vec::new(), 0, Vec::new());
        let mut schedule = Schedule::every(self.case.interval);
        let mut simulator = Simulator::new(&self.scene, ThreadArgs { threads: Some(1) })?;
        let before = processor_time(&simulator);
        let outcome = simulator.run(goal, interrupt, |engine, stats| {
            if let Some(stats) = stats {
                speed = speed.max(f64::from(stats.max_speed));
                compression = compression.max(f64::from(stats.max_density_error));
                most_held = most_held.max(stats.held_particles);
            }
            let fluid = engine.view();
            instruments.record(&fluid);
            if schedule.due(engine.time()).is_some() {
                readings.rows.push((fluid.time, instruments.read(&fluid)));
                held.push([fluid.time, std::mem::take(&mut most_held) as f64]);
                angular_momentum.push([fluid.time, angular_momentum_of(&fluid)]);
                speeds.push([fluid.time, std::mem::take(&mut speed)]);
                progress(goal.fraction(fluid.time, fluid.steps));
            }
            Ok(())
        });
        let time = processor_time(&simulator).zip(before).map_or(outcome.wall, |(after, before)| after.saturating_sub(before));
        match outcome.failure() {
            Some(failure) => Err(failure),
            None => {
                let (label, scene) = (self.run.label.clone(), self.scene.clone());
                Ok(RunRecord { label, scene, speeds, held, angular_momentum, readings, compression, simulator, time })
            }
        }
    }

    fn finish(&self, record: Result<RunRecord, Failure>) -> Done {
        let spacing = f64::from(self.scene.setup.discretization.particle_spacing);
        Done { case: self.case, run: self.run.clone(), spacing, record }
    }
}

/// Processor time that the simulator's only thread has taken so far; `None` where the system does not tell (Linux does).
fn processor_time(simulator: &Simulator) -> Option<Duration> {
    let text = simulator.install(|| std::fs::read_to_string("/proc/thread-self/schedstat")).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Angular momentum about the origin, along z.
fn angular_momentum_of(fluid: &View<'_>) -> f64 {
    let states = fluid.particles.positions.iter().zip(&fluid.particles.velocities).enumerate();
    let terms = states.map(|(i, (x, v))| fluid.mass_of(i) * x.as_dvec3().cross(v.as_dvec3()).z);
    terms.sum()
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
            let goal = Goal::Time(job.scene.duration);
            let record = job.run(goal, interrupt, |fraction| meter.update(index, fraction));
            let seconds = record.as_ref().map_or(0.0, |record| record.time.as_secs_f64());
            if interrupt.requested() {
                return;
            }
            meter.done(index, &format!("{} {}", job.case.name, job.run.label), seconds);
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
    Ok(done.into_iter().map(|(index, record)| jobs[index].finish(record)).collect())
}
