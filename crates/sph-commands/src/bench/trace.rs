//! `sph bench --trace`: time span of every phase of every measured step, as a file for trace viewers (ui.perfetto.dev,
//! chrome://tracing).

use crate::Failure;
use crate::simulate::Interrupt;
use serde_json::{Value, json};
use sph_core::{Engine, PhaseTimeline, StepStats};
use sph_io::AtomicFile;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A trace in the Trace Event Format: complete events, the phases within their steps, and counters. Times are in microseconds
/// since the start of the first measured step. Written step by step, so that its memory does not grow with the measurement.
pub struct TraceFile {
    path: PathBuf,
    file: AtomicFile,
    /// Start of the first step.
    origin: Option<Instant>,
    events: u64,
}

impl TraceFile {
    /// Opens the file if `path` is given, and creates its folder if missing.
    ///
    /// # Errors
    /// If the file cannot be written there.
    pub fn create(path: Option<&Path>, title: &str, interrupt: Interrupt) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let file = AtomicFile::create_output(path, &interrupt.cancel_flag());
        let file = file.map_err(|error| failure(path, &error))?;
        let mut trace = Self { path: path.to_owned(), file, origin: None, events: 0 };
        let name = |kind: &str, name: &str| json!({"ph": "M", "pid": 1, "tid": 1, "name": kind, "args": {"name": name}});
        let names = [name("process_name", &format!("sph: {title}")), name("thread_name", "steps and their phases")];
        names.iter().try_for_each(|event| trace.write(event)).map_err(|error| failure(path, &error))?;
        Ok(Some(trace))
    }

    /// Adds the step that `engine` has just made.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, engine: &dyn Engine, stats: &StepStats) -> Result<(), Failure> {
        let Some(timeline) = engine.timeline() else { return Ok(()) };
        self.add_step(timeline, stats).map_err(|error| failure(&self.path, &error))
    }

    fn add_step(&mut self, timeline: &PhaseTimeline, stats: &StepStats) -> io::Result<()> {
        let origin = *self.origin.get_or_insert(timeline.began);
        let began = timeline.began.duration_since(origin);
        let arguments = json!({"simulated time (s)": stats.time, "dt (s)": stats.dt, "limited by": stats.dt_limit.name()});
        self.write(&complete("step", &format!("step {}", stats.step), (began, timeline.length), arguments))?;
        for span in &timeline.spans {
            self.write(&complete("phase", span.phase.name(), (began + span.start, span.length), json!({})))?;
        }
        self.write(&counter("particles", began, json!({"fluid": stats.particles})))?;
        let (density, divergence) = (stats.density_solve.iterations, stats.divergence_solve.iterations);
        let viscosity = stats.viscosity_solve.iterations;
        self.write(&counter(
            "iterations",
            began,
            json!({"density": density, "divergence": divergence, "viscosity": viscosity}),
        ))?;
        self.write(&counter("density error (%)", began, json!({"mean": 100.0 * stats.density_error})))
    }

    fn write(&mut self, event: &Value) -> io::Result<()> {
        let separator = if self.events == 0 { "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n" } else { ",\n" };
        self.events += 1;
        write!(self.file, "{separator}{event}")
    }

    /// Completes the file; returns its path.
    ///
    /// # Errors
    /// If it cannot be written; an existing file of that name is then unchanged.
    pub fn finish(mut self) -> Result<PathBuf, Failure> {
        let Self { path, .. } = &self;
        let path = path.clone();
        let written = self.file.write_all(b"\n]}\n").and_then(|()| self.file.finish());
        written.map_err(|error| failure(&path, &error))?;
        Ok(path)
    }
}

/// A complete event: a time span with start and duration.
fn complete(category: &str, name: &str, (start, length): (Duration, Duration), arguments: Value) -> Value {
    json!({"ph": "X", "pid": 1, "tid": 1, "cat": category, "name": name, "ts": microseconds(start), "dur": microseconds(length), "args": arguments})
}

/// A counter event: values that hold from `start` on.
fn counter(name: &str, start: Duration, values: Value) -> Value {
    json!({"ph": "C", "pid": 1, "name": name, "ts": microseconds(start), "args": values})
}

/// Microseconds with three decimals, for the clock's nanoseconds.
fn microseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    Failure::output("the trace", path, error)
}
