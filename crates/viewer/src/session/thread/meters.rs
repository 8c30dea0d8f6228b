//! The probes of the running scene, read for the window.

use crate::session::Readings;
use crate::session::history::Throttle;
use sph_core::View;
use sph_core::probes::Instruments;
use sph_io::Scene;

/// Wall-clock time between two samples, in times of the sample before: reading takes at most a twentieth of the thread's time.
const REST: u32 = 20;

/// Instruments of a scene and what they have read.
#[derive(Debug)]
pub(super) struct Meters {
    instruments: Instruments,
    readings: Readings,
    throttle: Throttle,
}

impl Meters {
    /// Instruments for the probes of `scene`.
    pub(super) fn of(scene: &Scene) -> Self {
        let readings = Readings::of(&scene.probes, scene.setup.discretization.dimensions);
        let instruments = Instruments::new(scene.probes.iter().map(|probe| probe.probe.clone()));
        Self { instruments, readings, throttle: Throttle::new(REST) }
    }

    /// True if the scene has no probes.
    pub(super) fn is_empty(&self) -> bool {
        self.readings.curves().is_empty()
    }

    /// Records the state of `fluid` for averages and totals: to be called with the initial state and after every step.
    pub(super) fn record(&mut self, fluid: &View<'_>) {
        self.instruments.record(fluid);
    }

    /// Reads the probes in the state of `fluid`, unless the last readings have taken so long that steps would become slow.
    pub(super) fn sample(&mut self, fluid: &View<'_>) {
        let Self { instruments, readings, throttle } = self;
        if !readings.has(fluid.time) {
            throttle.attempt(|| readings.add(fluid.time, &instruments.read(fluid)));
        }
    }

    /// Forgets what was read after `time`, s.
    pub(super) fn forget_after(&mut self, time: f64) {
        self.readings.forget_after(time);
    }

    /// Memory of averages and totals as numbers.
    pub(super) fn memory(&self) -> Vec<f64> {
        self.instruments.memory()
    }

    /// Restores the numbers of [`Meters::memory`].
    pub(super) fn restore(&mut self, memory: &[f64]) {
        let restored = self.instruments.restore(memory);
        debug_assert!(restored, "they are of these probes");
        self.throttle.reset();
    }

    /// What has been read.
    pub(super) fn readings(&self) -> &Readings {
        &self.readings
    }
}
