//! Motion of the whole fluid over simulated time: what its density, its energy and its momentum are, and how long the steps.

use crate::session::history::Throttle;
use crate::session::{Curve, Readings};
use sph_core::probes::{Reading, momentum};
use sph_core::{StepStats, View};

/// Wall-clock time between two samples, in times of the sample before: a hundredth of the thread's time at most.
const REST: u32 = 100;

/// Labels and units, in the order of [`values`].
const CURVES: [(&str, &str); 10] = [
    ("Density error, maximum", "%"),
    ("Density error, mean", "%"),
    ("Kinetic energy", "J"),
    ("Potential energy", "J"),
    ("Total energy", "J"),
    ("Momentum along x", "kg m/s"),
    ("Momentum along y", "kg m/s"),
    ("Momentum along z", "kg m/s"),
    ("Time step", "ms"),
    ("Real-time factor", "×"),
];

/// Readings of the motion.
#[derive(Debug)]
pub(super) struct Motion {
    readings: Readings,
    throttle: Throttle,
}

impl Motion {
    /// No samples yet.
    pub(super) fn new() -> Self {
        let curve = |(index, (label, unit)): (usize, (&str, &'static str))| Curve {
            reading: Reading { label: label.to_owned(), unit },
            index,
        };
        let readings = Readings::with_curves(CURVES.into_iter().enumerate().map(curve).collect());
        Self { readings, throttle: Throttle::new(REST) }
    }

    /// What has been read.
    pub(super) fn readings(&self) -> &Readings {
        &self.readings
    }

    /// Reads `fluid` after the step of `stats`, at the measured `speed`, if it is time to. The energies are those of the step's report;
    /// only the momentum is a sum of its own, which does not depend on threads.
    pub(super) fn sample(&mut self, fluid: &View<'_>, stats: &StepStats, speed: f64) {
        let Self { readings, throttle } = self;
        if !readings.has(fluid.time) {
            throttle.attempt(|| readings.add(fluid.time, &values(fluid, stats, speed).map(Some)));
        }
    }

    /// Forgets what was read after `time`, s.
    pub(super) fn forget_after(&mut self, time: f64) {
        self.readings.forget_after(time);
    }
}

/// Values of the curves.
fn values(fluid: &View<'_>, stats: &StepStats, speed: f64) -> [f64; CURVES.len()] {
    let momentum = momentum(fluid);
    let StepStats { kinetic_energy, potential_energy, .. } = *stats;
    [
        100.0 * f64::from(stats.max_density_error),
        100.0 * f64::from(stats.density_error),
        kinetic_energy,
        potential_energy,
        kinetic_energy + potential_energy,
        momentum.x,
        momentum.y,
        momentum.z,
        1e3 * f64::from(stats.dt),
        // Unknown before two steps have been made.
        if speed > 0.0 { speed } else { f64::NAN },
    ]
}
