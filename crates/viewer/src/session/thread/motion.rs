//! Motion of the whole fluid over simulated time: what its density, its energy and its momentum are, and how long the steps.

use crate::session::{Curve, Readings};
use sph_core::probes::{Reading, momentum};
use sph_core::{StepStats, View};
use std::time::{Duration, Instant};

/// Wall-clock time between two samples, in times of the sample before: a hundredth of the thread's time at most.
const REST: u32 = 100;

/// Labels and units, in the order of the values of [`Motion::sample`].
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
    /// Earliest time of the next sample; `None` for any.
    next: Option<Instant>,
}

impl Motion {
    /// No samples yet.
    pub(super) fn new() -> Self {
        let curve = |(index, (label, unit)): (usize, (&str, &'static str))| Curve {
            reading: Reading { label: label.to_owned(), unit },
            index,
        };
        Self { readings: Readings::with_curves(CURVES.into_iter().enumerate().map(curve).collect()), next: None }
    }

    /// What has been read.
    pub(super) fn readings(&self) -> &Readings {
        &self.readings
    }

    /// Reads `fluid` after the step of `stats`, at the measured `speed`, if it is time to. The energies are those of the step's report;
    /// only the momentum is a sum of its own, which does not depend on threads.
    pub(super) fn sample(&mut self, fluid: &View<'_>, stats: &StepStats, speed: f64) {
        let start = Instant::now();
        let is_known = self.readings.span().is_some_and(|(_, latest)| latest == fluid.time);
        if is_known || self.next.is_some_and(|next| start < next) {
            return;
        }
        let momentum = momentum(fluid);
        let StepStats { kinetic_energy, potential_energy, .. } = *stats;
        let values = [
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
        ];
        self.readings.add(fluid.time, &values.map(Some));
        let end = Instant::now();
        self.next = Some(end + (end - start).saturating_mul(REST).min(Duration::from_secs(60)));
    }
}
