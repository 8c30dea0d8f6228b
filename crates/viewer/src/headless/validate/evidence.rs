//! What a run leaves: what its probes read, and the fluid at its end.

use crate::headless::simulate::Simulator;
use sph_core::Simulation;
use sph_io::Scene;
use std::time::Duration;

/// A run of a case at one resolution, at its end.
pub struct Evidence {
    /// The resolution's label.
    pub label: &'static str,
    /// The scene as it was run.
    pub scene: Scene,
    /// Highest speed of any particle since the reading before: times in s, speeds in m/s.
    pub speeds: Vec<[f64; 2]>,
    /// What the probes read.
    pub readings: Readings,
    /// The simulation at its end.
    pub simulator: Simulator,
    /// Wall-clock time, on one thread.
    pub wall: Duration,
}

/// What probes read, a row an instant.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Times, s, and what was read in each column.
    pub rows: Vec<(f64, Vec<Option<f64>>)>,
}

impl Readings {
    /// A column over time, s; instants without a reading are left out. Empty for a column that is not there.
    pub fn series(&self, column: &str) -> Vec<[f64; 2]> {
        let Some(index) = self.columns.iter().position(|name| name == column) else { return Vec::new() };
        self.rows.iter().filter_map(|(time, values)| Some([*time, (*values.get(index)?)?])).collect()
    }
}

impl Evidence {
    /// A column over time, both divided by their units: `scale` is what 1 of the time and 1 of the value are, in s and SI.
    pub fn series(&self, column: &str, scale: [f64; 2]) -> Vec<[f64; 2]> {
        self.readings.series(column).into_iter().map(|[time, value]| [time / scale[0], value / scale[1]]).collect()
    }

    /// The simulation at its end.
    pub fn simulation(&self) -> &Simulation {
        self.simulator.simulation()
    }

    /// Particles along `length` m.
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
