//! Integrals of a rate over time.

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
