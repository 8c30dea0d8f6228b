//! Probes with the memory of readings that depend on the past.

use super::moving_average::MovingAverage;
use super::probe::Probe;
use super::total::Total;
use crate::simulation::View;

/// Probes of a run. Those that average over time, or add up, are fed with every step.
#[derive(Clone, Debug, Default)]
pub struct Instruments {
    probes: Vec<(Probe, Memory)>,
}

/// Memory of a probe.
#[derive(Clone, Debug)]
enum Memory {
    /// Readings are of the present state.
    None,
    /// The only reading is a mean over time.
    Average(MovingAverage),
    /// The first reading is a rate; its integral over time follows the readings.
    Total(Total),
}

impl Instruments {
    /// Instruments for `probes`.
    pub fn new(probes: impl IntoIterator<Item = Probe>) -> Self {
        let memory = |probe: &Probe| match (probe.averaging(), probe) {
            (Some(window), _) => Memory::Average(MovingAverage::over(window)),
            (None, Probe::Flux(_)) => Memory::Total(Total::default()),
            (None, _) => Memory::None,
        };
        let probes = probes.into_iter().map(|probe| {
            let memory = memory(&probe);
            (probe, memory)
        });
        Self { probes: probes.collect() }
    }

    /// Records the readings at the time of `fluid`, for averages and totals. To be called with the initial state and after every step.
    pub fn record(&mut self, fluid: &View<'_>) {
        for (probe, memory) in &mut self.probes {
            let first = || probe.read(fluid).first().copied().flatten();
            match memory {
                Memory::None => {}
                Memory::Average(average) => average.record(fluid.time, first()),
                Memory::Total(total) => total.record(fluid.time, first().unwrap_or(0.0)),
            }
        }
    }

    /// Readings of all probes, one after the other, in SI units: averages and totals up to the last record, and the present state of
    /// `fluid`.
    pub fn read(&self, fluid: &View<'_>) -> Vec<Option<f64>> {
        let readings = self.probes.iter().flat_map(|(probe, memory)| match memory {
            Memory::None => probe.read(fluid),
            Memory::Average(average) => vec![average.mean()],
            Memory::Total(total) => probe.read(fluid).into_iter().chain([Some(total.value())]).collect(),
        });
        readings.collect()
    }

    /// Memory of the averages and totals as numbers, for a checkpoint.
    pub fn memory(&self) -> Vec<f64> {
        let numbers = |memory: &Memory| match memory {
            Memory::None => Vec::new(),
            Memory::Average(average) => average.numbers(),
            Memory::Total(total) => total.numbers().to_vec(),
        };
        self.probes.iter().flat_map(|(_, memory)| numbers(memory)).collect()
    }

    /// Restores the numbers of [`Instruments::memory`]; false, and nothing is restored, if they are not of these probes.
    #[must_use]
    pub fn restore(&mut self, mut memory: &[f64]) -> bool {
        let mut probes = self.probes.clone();
        let mut restored = probes.iter_mut().map(|(_, own)| match own {
            Memory::None => Some(()),
            Memory::Average(average) => average.restore(&mut memory),
            Memory::Total(total) => total.restore(&mut memory),
        });
        let restored = restored.all(|part| part.is_some()) && memory.is_empty();
        if restored {
            self.probes = probes;
        }
        restored
    }
}
