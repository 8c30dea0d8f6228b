//! Substeps: equal parts of a step.

/// Largest number of substeps in a step.
pub const MAX_SUBSTEPS: u32 = 1000;

/// A substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Substep {
    /// Its number in the step, from 0.
    pub number: u32,
    /// Number of substeps in the step.
    pub count: u32,
    /// Its length, s.
    pub h: f64,
}

impl Substep {
    /// Number of substeps of at most `longest` (s) in a step of length `dt`, s: from 1 to [`MAX_SUBSTEPS`].
    pub fn count_of(dt: f64, longest: f64) -> u32 {
        // Lengths such as 0.0166667 and 0.00104167 are rounded, and do not divide exactly.
        (dt / longest * (1.0 - 1e-4)).ceil().clamp(1.0, f64::from(MAX_SUBSTEPS)) as u32
    }

    /// These substeps.
    pub fn of_step(dt: f64, longest: f64) -> impl Iterator<Item = Self> {
        let count = Self::count_of(dt, longest);
        (0..count).map(move |number| Self { number, count, h: dt / f64::from(count) })
    }

    /// Time of its end since the beginning of the step, s.
    pub fn end(&self) -> f64 {
        self.h * f64::from(self.number + 1)
    }
}
