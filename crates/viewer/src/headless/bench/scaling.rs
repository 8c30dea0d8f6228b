//! `sph bench --threads 1,2`: the same steps on several numbers of threads, in turns.

use super::costs::Costs;
use crate::headless::Failure;
use crate::headless::simulate::{Interrupt, Simulator};
use sph_core::{Phase, StepStats};
use std::fmt::Write;

/// Steps on one number of threads per turn: few, so that a machine that slows down slows all of them.
const TURN: usize = 5;

/// Makes `warm_up` and then `steps` steps with each of `simulators`, which differ only in their threads; returns the statistics
/// of the latter.
///
/// # Errors
/// If the simulation failed or was interrupted.
pub fn measure(
    simulators: &mut [Simulator],
    (warm_up, steps): (usize, usize),
    interrupt: Interrupt,
) -> Result<Vec<Vec<StepStats>>, Failure> {
    let mut measured: Vec<Vec<StepStats>> = simulators.iter().map(|_| Vec::new()).collect();
    let all = warm_up.saturating_add(steps);
    for first in (0..all).step_by(TURN) {
        for (simulator, measured) in simulators.iter_mut().zip(&mut measured) {
            for step in first..all.min(first.saturating_add(TURN)) {
                if interrupt.requested() {
                    return Err(Failure::Run("interrupted before every number of threads was measured".to_owned()));
                }
                let stats = simulator.step();
                if let Some(error) = stats.error {
                    return Err(Failure::Run(format!("the simulation failed: {error}")));
                }
                if step >= warm_up {
                    measured.push(stats);
                }
            }
        }
    }
    Ok(measured)
}

/// Medians of every phase, ns per particle, one column per number of threads; and the speed-up of the last over the first.
pub fn table(threads: &[usize], costs: &[Costs], particles: usize) -> String {
    let mut text = format!("{:<12}", "ns/particle");
    for threads in threads {
        let _ = write!(text, "{:>12}", crate::headless::console::counted(*threads as u64, "thread"));
    }
    let _ = writeln!(text, "{:>12}", "speed-up");
    let mut row = |name: &str, medians: Vec<f64>| {
        let _ = write!(text, "{name:<12}");
        for median in &medians {
            let _ = write!(text, "{:>12.1}", 1e6 * median / particles as f64);
        }
        let speedup = medians[0] / medians[medians.len() - 1].max(1e-9);
        let _ = writeln!(text, "{:>12}", if medians[0] > 0.0 { format!("{speedup:.2}") } else { "–".to_owned() });
    };
    for phase in Phase::ALL {
        row(phase.name(), costs.iter().map(|costs| costs.phases[phase as usize].1.quantile(0.5)).collect());
    }
    row("step", costs.iter().map(|costs| costs.step.quantile(0.5)).collect());
    text
}
