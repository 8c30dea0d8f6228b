//! Length of the steps and their pressure solve, as sums over some steps.

use sph_core::{StepStats, TimeStepLimit};

/// Limits of the time step, in the order of [`Stepping::limited`].
const LIMITS: [TimeStepLimit; 9] = [
    TimeStepLimit::Sound,
    TimeStepLimit::Force,
    TimeStepLimit::Courant,
    TimeStepLimit::Viscous,
    TimeStepLimit::Capillary,
    TimeStepLimit::Maximum,
    TimeStepLimit::Minimum,
    TimeStepLimit::Fixed,
    TimeStepLimit::Retry,
];

/// Sums over some steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stepping {
    /// Number of steps.
    pub steps: u32,
    /// Number of steps that each limit set the length of, in the order of [`TimeStepLimit`].
    pub limited: [u32; LIMITS.len()],
    /// Simulated time, s.
    pub simulated: f64,
    /// Iterations of the density solves and of the divergence solves.
    pub iterations: [u32; 2],
    /// Sum of the mean relative density errors that the density solves left.
    pub residual: f32,
}

impl Stepping {
    /// Adds a step.
    pub fn add(&mut self, stats: &StepStats) {
        self.steps += 1;
        if let Some(index) = LIMITS.iter().position(|&limit| limit == stats.dt_limit) {
            self.limited[index] += 1;
        }
        self.simulated += f64::from(stats.dt);
        self.iterations[0] += stats.density_solve.iterations;
        self.iterations[1] += stats.divergence_solve.iterations;
        self.residual += stats.density_solve.error;
    }

    /// Adds all steps of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.steps += other.steps;
        for (sum, count) in self.limited.iter_mut().zip(other.limited) {
            *sum += count;
        }
        self.simulated += other.simulated;
        for (sum, count) in self.iterations.iter_mut().zip(other.iterations) {
            *sum += count;
        }
        self.residual += other.residual;
    }

    /// Mean of a sum over the steps; 0 without steps.
    pub fn mean(&self, sum: f64) -> f64 {
        if self.steps == 0 { 0.0 } else { sum / f64::from(self.steps) }
    }

    /// Shares of the limits that set the length of a step, from 0 to 1, the largest first.
    pub fn shares(&self) -> Vec<(TimeStepLimit, f32)> {
        let shares = LIMITS.into_iter().zip(self.limited).filter(|&(_, count)| count > 0);
        let mut shares: Vec<_> = shares.map(|(limit, count)| (limit, count as f32 / self.steps as f32)).collect();
        shares.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_the_largest_is_first() {
        let mut one = Stepping { steps: 3, ..Stepping::default() };
        one.limited[2] = 1;
        one.limited[5] = 2;
        let mut sum = Stepping::default();
        assert!(sum.shares().is_empty() && sum.mean(4.0) == 0.0);
        sum.merge(&one);
        sum.merge(&Stepping { steps: 1, limited: [0, 0, 1, 0, 0, 0, 0, 0, 0], ..Stepping::default() });
        assert_eq!(sum.shares(), [(TimeStepLimit::Courant, 0.5), (TimeStepLimit::Maximum, 0.5)]);
        assert_eq!(sum.mean(8.0), 2.0);
    }
}
