//! Statistics of a step that can be plotted over time, in groups.

use sph_core::{Phase, StepStats};

/// A statistic of a step.
#[derive(Clone, Copy, Debug)]
pub struct Statistic {
    /// Group in lists.
    pub group: &'static str,
    /// Name.
    pub label: &'static str,
    /// Unit; empty for a number without one.
    pub unit: &'static str,
    /// Value in the report of a step.
    pub value: fn(&StepStats) -> f64,
}

const fn of(group: &'static str, label: &'static str, unit: &'static str, value: fn(&StepStats) -> f64) -> Statistic {
    Statistic { group, label, unit, value }
}

const fn milliseconds(label: &'static str, value: fn(&StepStats) -> f64) -> Statistic {
    of("Time of a step", label, "ms", value)
}

/// Duration of a phase, ms.
fn phase(stats: &StepStats, phase: Phase) -> f64 {
    1e3 * stats.phases[phase].as_secs_f64()
}

/// Every statistic.
pub static STATISTICS: [Statistic; 44] = [
    of("Step", "Particles", "", |stats| stats.particles as f64),
    of("Step", "Emitted particles", "", |stats| stats.exchange.emitted as f64),
    of("Step", "Drained particles", "", |stats| stats.exchange.drained as f64),
    of("Step", "Acoustic steps", "", |stats| stats.acoustic_steps.into()),
    of("Step", "Maximum speed", "m/s", |stats| stats.max_speed.into()),
    of("Step", "Held particles", "", |stats| stats.held_particles as f64),
    of("Step", "Force on held particles", "N", |stats| stats.held_force),
    of("Pressure solve", "Density iterations", "", |stats| stats.density_solve.iterations.into()),
    of("Pressure solve", "Density residual, mean", "%", |stats| 100.0 * f64::from(stats.density_solve.error)),
    of("Pressure solve", "Density residual, maximum", "%", |stats| 100.0 * f64::from(stats.density_solve.max_error)),
    of("Pressure solve", "Divergence iterations", "", |stats| stats.divergence_solve.iterations.into()),
    of("Pressure solve", "Divergence residual, mean", "%", |stats| 100.0 * f64::from(stats.divergence_solve.error)),
    of("Pressure solve", "Viscosity iterations", "", |stats| stats.viscosity_solve.iterations.into()),
    of("Pressure solve", "Viscosity residual", "", |stats| stats.viscosity_solve.error.into()),
    milliseconds("Whole step", |stats| 1e3 * stats.phases.total().as_secs_f64()),
    milliseconds("Sort", |stats| phase(stats, Phase::Sort)),
    milliseconds("Build", |stats| phase(stats, Phase::Build)),
    milliseconds("Query", |stats| phase(stats, Phase::Query)),
    milliseconds("Density", |stats| phase(stats, Phase::Density)),
    milliseconds("Walls", |stats| phase(stats, Phase::Walls)),
    milliseconds("Forces", |stats| phase(stats, Phase::Forces)),
    milliseconds("Pressure", |stats| phase(stats, Phase::Pressure)),
    milliseconds("Cloth, balls", |stats| phase(stats, Phase::Points)),
    milliseconds("Integrate", |stats| phase(stats, Phase::Integrate)),
    milliseconds("Statistics", |stats| phase(stats, Phase::Statistics)),
    of("Neighbour search", "Candidates", "", |stats| stats.search.tally.candidates as f64),
    of("Neighbour search", "Neighbours", "", |stats| stats.search.tally.neighbors as f64),
    of("Neighbour search", "Candidates per neighbour", "", |stats| stats.search.candidates_per_neighbor()),
    of("Neighbour search", "Neighbours per particle", "", |stats| {
        stats.search.tally.neighbors as f64 / stats.particles.max(1) as f64
    }),
    of("Neighbour search", "Buckets", "", |stats| stats.search.occupancy.table_size as f64),
    of("Neighbour search", "Load factor", "", |stats| stats.search.occupancy.load_factor()),
    of("Neighbour search", "Occupied cells", "", |stats| stats.search.occupancy.occupied_cells as f64),
    of("Neighbour search", "Occupied buckets", "", |stats| stats.search.occupancy.occupied_buckets as f64),
    of("Neighbour search", "Cells in collision", "", |stats| stats.search.occupancy.cells_in_collision as f64),
    of("Neighbour search", "Hash quality", "", |stats| stats.search.occupancy.hash_quality()),
    of("Neighbour search", "Longest bucket", "", |stats| stats.search.occupancy.longest_bucket as f64),
    of("Neighbour search", "Spills", "", |stats| stats.search.occupancy.spills as f64),
    of("Neighbour search", "Memory of the structure", "B", |stats| stats.search.occupancy.bytes as f64),
    of("Neighbour search", "Build of the fluid's search", "ms", |stats| 1e3 * stats.search.build.as_secs_f64()),
    of("Neighbour search", "Query of the fluid's search", "ms", |stats| 1e3 * stats.search.query.as_secs_f64()),
    of("Spot checks", "Queries checked", "", |stats| stats.audit.queries as f64),
    of("Spot checks", "Neighbours missed", "", |stats| stats.audit.missed as f64),
    of("Spot checks", "Neighbours found twice", "", |stats| stats.audit.duplicates as f64),
    of("Spot checks", "Wrong neighbours", "", |stats| stats.audit.false_positives as f64),
];
