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

    /// The `count` substeps of a step of length `dt`, s.
    pub fn of_step(dt: f64, count: u32) -> impl Iterator<Item = Self> {
        (0..count).map(move |number| Self { number, count, h: dt / f64::from(count) })
    }

    /// Numbers of substeps of two kinds of points in one step, raised so that each of the fewer substeps is a whole number of the others.
    pub(crate) fn in_step(counts: [u32; 2]) -> [u32; 2] {
        let raised = |count: u32, fewer: u32| fewer * count.div_ceil(fewer).min(MAX_SUBSTEPS / fewer);
        let [a, b] = counts;
        if a >= b { [raised(a, b), b] } else { [a, raised(b, a)] }
    }

    /// Time of its end since the beginning of the step, s.
    pub fn end(&self) -> f64 {
        self.h * f64::from(self.number + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substeps_of_two_kinds_end_together() {
        for (counts, expected) in
            [([16, 8], [16, 8]), ([5, 3], [6, 3]), ([8, 34], [8, 40]), ([1000, 999], [999, 999]), ([1, 1], [1, 1])]
        {
            assert_eq!(Substep::in_step(counts), expected);
        }
    }
}
