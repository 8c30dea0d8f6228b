//! Record of a run: the time series of its probes, and the final state.

use crate::headless::simulate::Simulator;
use sph_core::View;
use sph_io::Scene;
use std::time::Duration;

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

    /// Processor time per particle and step, s.
    pub fn cost(&self) -> f64 {
        self.time.as_secs_f64() / (self.particles() as f64 * self.fluid().steps as f64)
    }

    /// Number of particles along `length` m.
    pub fn rows(&self, length: f64) -> u32 {
        (length / f64::from(self.scene.setup.discretization.particle_spacing)).round() as u32
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
