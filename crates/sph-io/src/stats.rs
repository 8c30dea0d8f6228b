//! Statistics of a run: one JSON object per step, one line each, in a file that can be read while it grows.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::AtomicFile;
use crate::pipe::Pipe;
use crate::resumed_lines::{EarlierLines, LineCounter, LinesSoFar};
use serde::Serialize;
use sph_core::neighbors::{Audit, HISTOGRAM_BINS, SearchStats};
use sph_core::{CancelFlag, Exchange, Phase, PhaseTimes, StepStats};

/// Longest time that lines stay in the buffer.
const FLUSH_INTERVAL: Duration = Duration::from_millis(200);

/// Writer of statistics to a file, a pipe or a device. A file under its final name is complete: see [`AtomicFile`].
#[derive(Debug)]
pub struct StatsFile {
    sink: Sink,
    lines: LineCounter,
    /// Time of the last flush.
    flushed: Instant,
}

#[derive(Debug)]
enum Sink {
    File(AtomicFile),
    Stdout(BufWriter<Pipe>),
}

impl StatsFile {
    /// Opens `path`, creating its folders; `-` is standard output. `cancel` ends the wait for the reader of a pipe.
    ///
    /// # Errors
    /// The file cannot be opened for writing.
    pub fn create(path: &Path, cancel: &CancelFlag) -> io::Result<Self> {
        Self::resume(path, cancel, LinesSoFar::default())
    }

    /// Opens `path` as [`StatsFile::create`], and goes on after the lines `earlier` of the run that is resumed: they are copied from the
    /// file of that name or from what a killed run has left of it. If there is neither, the file begins here.
    ///
    /// # Errors
    /// Those of [`StatsFile::create`], or the file of that name begins with other lines.
    pub fn resume(path: &Path, cancel: &CancelFlag, earlier: LinesSoFar) -> io::Result<Self> {
        let mut lines = LineCounter::default();
        let sink = if path == Path::new("-") {
            Sink::Stdout(BufWriter::new(Pipe::open(|| Ok(io::stdout()), cancel)?))
        } else {
            let files = EarlierLines::of(path);
            let copy = |file: &mut AtomicFile| files.copy(0, earlier, &mut lines, file);
            Sink::File(AtomicFile::create_output_after(path, cancel, copy)?)
        };
        Ok(Self { sink, lines, flushed: Instant::now() })
    }

    /// Appends the line of one step, and flushes five times a second. A refused step has the number of the step that it would have been,
    /// so that no number occurs twice.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn write(&mut self, stats: &StepStats) -> io::Result<()> {
        let line = match stats.error {
            Some(_) => stats_line(&StepStats { step: stats.step + 1, ..stats.clone() }),
            None => stats_line(stats),
        };
        writeln!(self.sink.writer(), "{line}")?;
        self.lines.add(line.as_bytes());
        if self.flushed.elapsed() >= FLUSH_INTERVAL { self.flush() } else { Ok(()) }
    }

    /// Flushes the buffered lines.
    ///
    /// # Errors
    /// The lines cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.sink.writer().flush()
    }

    /// The lines so far.
    pub fn lines(&self) -> LinesSoFar {
        self.lines.so_far()
    }

    /// Leaves what has been written, under its temporary name, if an error ends the file: a run that is resumed goes on with it.
    pub fn keep_incomplete(&mut self) {
        if let Sink::File(file) = &mut self.sink {
            file.keep_incomplete();
        }
    }

    /// Completes the file and gives it its name. Returns the number of its lines.
    ///
    /// # Errors
    /// The file cannot be completed; an older file of the same name is then still there.
    pub fn finish(self) -> io::Result<u64> {
        match self.sink {
            Sink::File(file) => file.finish()?,
            Sink::Stdout(stdout) => stdout.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?,
        }
        Ok(self.lines.so_far().count)
    }
}

impl Sink {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::File(file) => file,
            Self::Stdout(stdout) => stdout,
        }
    }
}

/// Statistics of a step as one line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    step: u64,
    time: f64,
    dt: f32,
    dt_limit: &'a str,
    /// Tightest stability limit that the step exceeds, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    dt_exceeds: Option<&'a str>,
    /// Acoustic steps; 0 with solvers without sound.
    acoustic_steps: u32,
    particles: usize,
    /// Particles that emitters added or held back, and drains removed, before the step; only if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    exchange: Option<ExchangeLine>,
    ms: BTreeMap<&'a str, f64>,
    density_error: f32,
    max_density_error: f32,
    max_speed: f32,
    /// Particles that walls and bodies held back, and the force on them, N.
    held_particles: usize,
    held_force: f64,
    /// Density iterations; 0 with WCSPH.
    iterations: u32,
    /// Residual of the density solve: relative compression, mean and largest.
    residual: f32,
    max_residual: f32,
    /// Divergence iterations, and their residual: mean relative compression in one step.
    divergence_iterations: u32,
    divergence_residual: f32,
    /// Iterations of the implicit viscosity, and their residual, relative to the change of velocity.
    viscosity_iterations: u32,
    viscosity_residual: f32,
    kinetic_energy: f64,
    potential_energy: f64,
    search: SearchLine<'a>,
    /// Spot checks of neighbour lists, if any were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    audit: Option<AuditLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct ExchangeLine {
    emitted: usize,
    withheld: usize,
    drained: usize,
}

#[derive(Serialize)]
struct AuditLine {
    queries: u64,
    missed: u64,
    duplicates: u64,
    false_positives: u64,
}

#[derive(Serialize)]
struct SearchLine<'a> {
    structure: &'a str,
    /// Options of the structure.
    options: Vec<&'a str>,
    hash: &'a str,
    table_size: u32,
    cell_size: f32,
    occupied_cells: usize,
    occupied_buckets: usize,
    load_factor: f64,
    cells_in_collision: usize,
    hash_quality: f64,
    longest_bucket: usize,
    spills: usize,
    bucket_histogram: &'a [usize],
    ideal_histogram: [f64; HISTOGRAM_BINS],
    candidates: u64,
    neighbors: u64,
    candidates_per_neighbor: f64,
    bytes: usize,
    build_ms: f64,
    query_ms: f64,
}

/// `stats` as one JSON object on one line, without a newline: the format of `sph run --stats`.
///
/// `time` and `dt` in s, `ms` milliseconds of wall-clock time per phase, speeds in m/s, `held_force` in N, energies in J, `density_error` and
/// `max_density_error` relative. A value that is not finite is `null`. `error` is there only for a refused step: the reason.
pub fn stats_line(stats: &StepStats) -> String {
    let line = Line {
        step: stats.step,
        time: stats.time,
        dt: stats.dt,
        dt_limit: stats.dt_limit.name(),
        dt_exceeds: stats.dt_exceeds.map(|bound| bound.limit.name()),
        acoustic_steps: stats.acoustic_steps,
        particles: stats.particles,
        exchange: exchange(stats.exchange),
        ms: milliseconds(&stats.phases),
        density_error: stats.density_error,
        max_density_error: stats.max_density_error,
        max_speed: stats.max_speed,
        held_particles: stats.held_particles,
        held_force: stats.held_force,
        iterations: stats.density_solve.iterations,
        residual: stats.density_solve.error,
        max_residual: stats.density_solve.max_error,
        divergence_iterations: stats.divergence_solve.iterations,
        divergence_residual: stats.divergence_solve.error,
        viscosity_iterations: stats.viscosity_solve.iterations,
        viscosity_residual: stats.viscosity_solve.error,
        kinetic_energy: stats.kinetic_energy,
        potential_energy: stats.potential_energy,
        search: search(&stats.search),
        audit: audit(stats.audit),
        error: stats.error.map(|error| error.to_string()),
    };
    // Serialisation fails only for maps whose keys are not strings: there are none.
    serde_json::to_string(&line).unwrap_or_default()
}

fn exchange(exchange: Exchange) -> Option<ExchangeLine> {
    let Exchange { emitted, withheld, drained } = exchange;
    (exchange != Exchange::default()).then_some(ExchangeLine { emitted, withheld, drained })
}

fn audit(Audit { queries, missed, duplicates, false_positives }: Audit) -> Option<AuditLine> {
    (queries > 0).then_some(AuditLine { queries, missed, duplicates, false_positives })
}

/// Milliseconds, rounded to a tenth of a microsecond: more digits would be noise.
fn in_milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e7).round() / 1e4
}

fn milliseconds(phases: &PhaseTimes) -> BTreeMap<&'static str, f64> {
    Phase::ALL.into_iter().map(|phase| (phase.name(), in_milliseconds(phases[phase]))).collect()
}

fn search(stats: &SearchStats) -> SearchLine<'_> {
    let SearchStats { parameters, occupancy, tally, build, query } = stats;
    SearchLine {
        structure: parameters.structure.name(),
        options: parameters.structure.option_names(),
        hash: parameters.hash.name(),
        table_size: parameters.table_size,
        cell_size: parameters.cell_size,
        occupied_cells: occupancy.occupied_cells,
        occupied_buckets: occupancy.occupied_buckets,
        load_factor: occupancy.load_factor(),
        cells_in_collision: occupancy.cells_in_collision,
        hash_quality: occupancy.hash_quality(),
        longest_bucket: occupancy.longest_bucket,
        spills: occupancy.spills,
        bucket_histogram: &occupancy.bucket_histogram,
        // Rounded to a thousandth of a bucket.
        ideal_histogram: occupancy.ideal_histogram().map(|buckets| (1e3 * buckets).round() / 1e3),
        candidates: tally.candidates,
        neighbors: tally.neighbors,
        candidates_per_neighbor: stats.candidates_per_neighbor(),
        bytes: occupancy.bytes,
        build_ms: in_milliseconds(*build),
        query_ms: in_milliseconds(*query),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn a_step_is_one_json_object_on_one_line() {
        let text = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.4, 0.4, 0.4]";
        let hashed = "grid.structure=spatial_hash".parse().unwrap();
        let setup = crate::parse(text, "cube", &[hashed]).unwrap().setup;
        let mut stats = sph_core::Simulation::new(&setup).unwrap().step();
        let line = stats_line(&stats);
        assert!(!line.contains('\n'));
        let value: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["particles"], 64);
        assert_eq!(value["step"], 1);
        assert!(value["dt"].as_f64().unwrap() > 0.0);
        assert_eq!((value["held_particles"].as_u64(), value["held_force"].as_f64()), (Some(0), Some(0.0)));
        assert!(Phase::ALL.iter().all(|phase| value["ms"][phase.name()].as_f64().is_some_and(|ms| ms >= 0.0)));
        assert_eq!(value["search"]["structure"], "spatial_hash");
        assert_eq!(value["search"]["table_size"], 128);
        assert!(value["search"]["candidates_per_neighbor"].as_f64().unwrap() >= 1.0);
        assert_eq!(value["search"]["bucket_histogram"].as_array().unwrap().len(), sph_core::neighbors::HISTOGRAM_BINS);
        assert_eq!(value["search"]["hash_quality"].as_f64(), Some(stats.search.occupancy.hash_quality()));
        let ideal = value["search"]["ideal_histogram"].as_array().unwrap().iter().filter_map(Value::as_f64).sum::<f64>();
        assert!((ideal - 128.0).abs() < 0.1);
        assert!(value["search"]["build_ms"].as_f64().unwrap() <= value["ms"]["build"].as_f64().unwrap() + 1e-4);
        assert!(value["search"]["query_ms"].as_f64().unwrap() <= value["ms"]["query"].as_f64().unwrap() + 1e-4);
        assert!(value.get("error").is_none());

        stats.error = Some(sph_core::StepError::NonFinite { particle_id: 7, position: glam::Vec3::ONE });
        stats.max_speed = f32::NAN;
        let value: Value = serde_json::from_str(&stats_line(&stats)).unwrap();
        assert!(value["error"].as_str().unwrap().contains("particle 7"));
        assert!(value["max_speed"].is_null());
    }
}
