//! Probes with the memory of readings that depend on the past: averages and integrals over time.

use std::collections::VecDeque;

use super::Probe;
use crate::simulation::View;

/// Probes of a run. Those that average over time, or add up, are fed with every step.
#[derive(Clone, Debug, Default)]
pub struct Instruments {
    probes: Vec<(Probe, ProbeMemory)>,
}

/// Memory of a probe.
#[derive(Clone, Debug)]
enum ProbeMemory {
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
            (Some(window), _) => ProbeMemory::Average(MovingAverage::over(window)),
            (None, Probe::Flux(_)) => ProbeMemory::Total(Total::default()),
            (None, _) => ProbeMemory::None,
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
                ProbeMemory::None => {}
                ProbeMemory::Average(average) => average.record(fluid.time, first()),
                ProbeMemory::Total(total) => total.record(fluid.time, first().unwrap_or(0.0)),
            }
        }
    }

    /// Readings of all probes, one after the other, in SI units: averages and totals up to the last record, and the present state of
    /// `fluid`.
    pub fn read(&self, fluid: &View<'_>) -> Vec<Option<f64>> {
        let readings = self.probes.iter().flat_map(|(probe, memory)| match memory {
            ProbeMemory::None => probe.read(fluid),
            ProbeMemory::Average(average) => vec![average.mean()],
            ProbeMemory::Total(total) => probe.read(fluid).into_iter().chain([Some(total.value())]).collect(),
        });
        readings.collect()
    }

    /// Memory of the averages and totals as numbers, for a checkpoint.
    pub fn memory(&self) -> Vec<f64> {
        let numbers = |memory: &ProbeMemory| match memory {
            ProbeMemory::None => Vec::new(),
            ProbeMemory::Average(average) => average.numbers(),
            ProbeMemory::Total(total) => total.numbers().to_vec(),
        };
        self.probes.iter().flat_map(|(_, memory)| numbers(memory)).collect()
    }

    /// Restores the numbers of [`Instruments::memory`]; false, and nothing is restored, if they are not of these probes.
    #[must_use]
    pub fn restore(&mut self, mut memory: &[f64]) -> bool {
        let mut probes = self.probes.clone();
        let mut restored = probes.iter_mut().map(|(_, own)| match own {
            ProbeMemory::None => Some(()),
            ProbeMemory::Average(average) => average.restore(&mut memory),
            ProbeMemory::Total(total) => total.restore(&mut memory),
        });
        let restored = restored.all(|part| part.is_some()) && memory.is_empty();
        if restored {
            self.probes = probes;
        }
        restored
    }
}

// Averages over time.

/// Parts into which an averaging time is cut: steps within a part are kept as one, so that short steps need no more memory.
const PARTS: f64 = 100.0;

/// Mean over the last `window` seconds.
#[derive(Clone, Debug)]
pub(super) struct MovingAverage {
    window: f64,
    /// Parts of the window, the oldest first.
    parts: VecDeque<Part>,
    /// Time of the last record, s.
    time: Option<f64>,
}

/// Part of a window.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// End, s.
    end: f64,
    /// Length, s.
    length: f64,
    /// Length in which there was a reading, s.
    wet: f64,
    /// Integral of the reading over time.
    integral: f64,
}

impl MovingAverage {
    pub fn over(window: f64) -> Self {
        Self { window, parts: VecDeque::new(), time: None }
    }

    /// Adds a reading that holds since the last one; without fluid it is 0.
    pub fn record(&mut self, time: f64, reading: Option<f64>) {
        let length = self.time.map_or(0.0, |last| time - last);
        self.time = Some(time);
        let (value, wet) = reading.map_or((0.0, 0.0), |value| (value, length));
        let part = Part { end: time, length, wet, integral: value * length };
        match self.parts.back_mut() {
            Some(last) if last.length + length < self.window / PARTS => {
                *last = Part {
                    end: time,
                    length: last.length + length,
                    wet: last.wet + wet,
                    integral: last.integral + part.integral,
                };
            }
            _ => self.parts.push_back(part),
        }
        while self.parts.front().is_some_and(|oldest| oldest.end <= time - self.window) {
            self.parts.pop_front();
        }
    }

    /// The time, or −1 without one, the number of parts, and the numbers of each.
    pub fn numbers(&self) -> Vec<f64> {
        let parts = self.parts.iter().flat_map(|part| [part.end, part.length, part.wet, part.integral]);
        [self.time.unwrap_or(-1.0), self.parts.len() as f64].into_iter().chain(parts).collect()
    }

    /// Takes what [`MovingAverage::numbers`] gave from the front of `memory`; `None` if it is not that.
    pub fn restore(&mut self, memory: &mut &[f64]) -> Option<()> {
        let (&[time, count], rest) = memory.split_first_chunk()?;
        let (parts, rest) = rest.split_at_checked((count as usize).saturating_mul(4))?;
        let part = |numbers: &[f64]| Part { end: numbers[0], length: numbers[1], wet: numbers[2], integral: numbers[3] };
        if !parts.iter().chain([&time]).all(|number| number.is_finite()) {
            return None;
        }
        self.time = (time >= 0.0).then_some(time);
        self.parts = parts.chunks_exact(4).map(part).collect();
        *memory = rest;
        Some(())
    }

    /// Mean over the window, of the oldest part only what lies in it; `None` before the first step and without fluid.
    pub fn mean(&self) -> Option<f64> {
        let begin = self.time? - self.window;
        let (mut integral, mut length, mut wet) = (0.0, 0.0, 0.0);
        for part in &self.parts {
            let share = if part.length > 0.0 { ((part.end - begin) / part.length).min(1.0) } else { 0.0 };
            integral += share * part.integral;
            length += share * part.length;
            wet += share * part.wet;
        }
        (wet > 0.0).then(|| integral / length)
    }
}

/// Integral of a rate over time, by the trapezoidal rule.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Total {
    /// Time (s) of the last record, and the rate then.
    last: Option<(f64, f64)>,
    integral: f64,
}

impl Total {
    /// Adds the time since the last record, in which the rate went linearly to `rate`.
    pub fn record(&mut self, time: f64, rate: f64) {
        let (before, earlier) = self.last.unwrap_or((time, rate));
        self.integral += 0.5 * (earlier + rate) * (time - before);
        self.last = Some((time, rate));
    }

    /// Integral from the first record to the last.
    pub fn value(&self) -> f64 {
        self.integral
    }

    /// The time, or −1 before the first record, the rate, and the integral.
    pub fn numbers(&self) -> [f64; 3] {
        let (time, rate) = self.last.unwrap_or((-1.0, 0.0));
        [time, rate, self.integral]
    }

    /// Takes what [`Total::numbers`] gave from the front of `memory`; `None` if it is not that.
    pub fn restore(&mut self, memory: &mut &[f64]) -> Option<()> {
        let (&[time, rate, integral], rest) = memory.split_first_chunk()?;
        if ![time, rate, integral].iter().all(|number| number.is_finite()) {
            return None;
        }
        *self = Self { last: (time >= 0.0).then_some((time, rate)), integral };
        *memory = rest;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_a_ramp_is_its_value_in_the_middle_of_the_window() {
        let mut average = MovingAverage::over(0.1);
        assert_eq!(average.mean(), None);
        for step in 0..10_000u32 {
            let time = 1e-4 * f64::from(step);
            average.record(time, Some(7.0 * time));
        }
        let mean = average.mean().expect("a mean");
        assert!((mean - 7.0 * (0.9999 - 0.05)).abs() < 7.0 * 1e-4, "{mean}");
        assert!(average.parts.len() < 200, "{}", average.parts.len());
    }

    #[test]
    fn restored_averages_go_on_as_before() {
        let mut average = MovingAverage::over(1.0);
        average.record(0.0, None);
        average.record(0.5, Some(3.0));
        let numbers = average.numbers();
        let mut restored = MovingAverage::over(1.0);
        assert_eq!(restored.restore(&mut numbers.as_slice()), Some(()));
        for average in [&mut average, &mut restored] {
            average.record(1.25, Some(8.0));
        }
        assert_eq!(restored.mean(), average.mean());
        assert_eq!(restored.restore(&mut &numbers[..numbers.len() - 1]), None);
        assert_eq!(restored.restore(&mut [0.0, 1e300].as_slice()), None);
    }

    #[test]
    fn long_steps_and_dry_times_are_weighted_with_their_lengths() {
        let mut average = MovingAverage::over(1.0);
        for (time, reading) in [(0.0, None), (0.5, None), (1.0, Some(4.0)), (1.25, Some(8.0))] {
            average.record(time, reading);
        }
        // From 0.25 to 1.25: a quarter dry, half of 4, a quarter of 8.
        assert_eq!(average.mean(), Some(4.0));
        average.record(9.0, None);
        assert_eq!(average.mean(), None);
    }
}
