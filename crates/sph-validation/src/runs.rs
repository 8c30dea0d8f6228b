//! Running cases: several at once, each on one thread, which for scenes of this size is faster than one after the other. The
//! results do not depend on the number of threads. With the record of each run, and the progress of all.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::case::{Case, PlannedRun};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sph_commands::arguments::ThreadArgs;
use sph_commands::simulate::{Goal, Interrupt, Schedule, Simulator};
use sph_commands::{Failure, console};
use sph_core::View;
use sph_core::point_sets::PointSet;
use sph_core::probes::Instruments;
use sph_io::{Override, Scene};

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
        let points = setup.points.as_ref().map_or(0, |points| points.source().count());
        (setup.particle_counts().fluid + points) as f64 * steps
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

// Record of a run: the time series of its probes, and the final state.

/// Record of a finished run of a case.
pub struct RunRecord {
    /// The run's label.
    pub label: String,
    /// The scene as it was run.
    pub scene: Scene,
    /// Highest speed of any particle since the previous reading: times in s, speeds in m/s.
    pub speeds: Vec<[f64; 2]>,
    /// Largest number of particles that walls and bodies have held back in a step since the previous reading, at the same times.
    pub held: Vec<[f64; 2]>,
    /// Angular momentum about the origin, along z, at the same times: kg m²/s, per metre of depth in 2D.
    pub angular_momentum: Vec<[f64; 2]>,
    /// Readings of the probes.
    pub readings: Readings,
    /// Highest compression ρ/ρ₀ − 1 of any particle in any step.
    pub compression: f64,
    /// The simulator in its final state.
    pub simulator: Simulator,
    /// Processor time of the steps, on one thread; wall-clock time of the run where the system does not tell.
    pub time: Duration,
}

/// Readings of probes, one row per time.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Times, s, and the reading of each column.
    pub rows: Vec<(f64, Vec<Option<f64>>)>,
}

impl Readings {
    /// Time series of a column (time in s), without the times that lack a reading. Empty for an unknown column.
    pub fn series(&self, column: &str) -> Vec<[f64; 2]> {
        let Some(index) = self.columns.iter().position(|name| name == column) else { return Vec::new() };
        self.rows.iter().filter_map(|(time, values)| Some([*time, (*values.get(index)?)?])).collect()
    }
}

impl RunRecord {
    /// Time series of a column, with time and value divided by `scale` (s and SI unit).
    pub fn series(&self, column: &str, scale: [f64; 2]) -> Vec<[f64; 2]> {
        self.readings.series(column).into_iter().map(|[time, value]| [time / scale[0], value / scale[1]]).collect()
    }

    /// Kinetic energy, read by the probe `energy`, divided by its initial value.
    pub fn energy(&self) -> Vec<[f64; 2]> {
        let first = self.readings.series("energy.kinetic").first().map_or(f64::NAN, |point| point[1]);
        self.series("energy.kinetic", [1.0, first])
    }

    /// The fluid in its final state.
    pub fn fluid(&self) -> View<'_> {
        self.simulator.engine().view()
    }

    /// Number of fluid particles at the end.
    pub fn particles(&self) -> usize {
        self.fluid().particles.positions.len()
    }

    /// Number of fluid particles, vertices and balls at the end.
    pub fn moving(&self) -> usize {
        self.particles() + self.fluid().sets.iter().map(PointSet::len).sum::<usize>()
    }

    /// Processor time per particle or point and step, s.
    pub fn cost(&self) -> f64 {
        self.time.as_secs_f64() / (self.moving() as f64 * self.fluid().steps as f64)
    }

    /// Number of particles along `length` m.
    pub fn rows(&self, length: f64) -> u32 {
        (length / f64::from(self.scene.setup.discretization.particle_spacing)).round() as u32
    }
}

// Progress of all runs together.

/// Number of parts of the progress bar.
const RESOLUTION: f64 = 1000.0;

/// Progress bar on a terminal; otherwise one line per finished run.
pub struct Meter {
    bar: Option<ProgressBar>,
    runs: usize,
    /// Completed fraction and weight of each run.
    state: Mutex<State>,
}

struct State {
    fractions: Vec<f64>,
    weights: Vec<f64>,
    done: usize,
}

impl Meter {
    /// Starts for runs whose times are in the proportion of `weights`.
    pub fn new(weights: &[f64]) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:16} {percent:>3} %  {wide_msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(RESOLUTION as u64), ProgressDrawTarget::stderr()).with_style(style)
        });
        let total: f64 = weights.iter().sum();
        let weights: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        Self { bar, runs: weights.len(), state: Mutex::new(State { fractions: vec![0.0; weights.len()], weights, done: 0 }) }
    }

    /// Sets the completed fraction of run `index`.
    pub fn update(&self, index: usize, fraction: f64) {
        let (Some(bar), Ok(mut state)) = (&self.bar, self.state.lock()) else { return };
        state.fractions[index] = fraction;
        let all: f64 = state.fractions.iter().zip(&state.weights).map(|(fraction, weight)| fraction * weight).sum();
        bar.set_position((RESOLUTION * all) as u64);
    }

    /// Reports that run `index`, called `name`, finished after `seconds`.
    pub fn done(&self, index: usize, name: &str, seconds: f64) {
        self.update(index, 1.0);
        let Ok(mut state) = self.state.lock() else { return };
        state.done += 1;
        let line = format!("{} of {} runs done: {name}, {seconds:.0} s", state.done, self.runs);
        match &self.bar {
            Some(bar) => bar.set_message(line),
            None => console::say(&line),
        }
    }

    /// Clears the bar before other output.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_left_out_of_a_series() {
        let rows = vec![(0.0, vec![Some(1.0), None]), (0.5, vec![Some(2.0), Some(3.0)])];
        let readings = Readings { columns: vec!["a".to_owned(), "b".to_owned()], rows };
        assert_eq!(readings.series("a"), [[0.0, 1.0], [0.5, 2.0]]);
        assert_eq!(readings.series("b"), [[0.5, 3.0]]);
        assert_eq!(readings.series("c"), [[0.0; 2]; 0]);
    }
}
