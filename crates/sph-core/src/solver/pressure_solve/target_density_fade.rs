//! Fade of the target density from the present density to the rest density, after a change of solver or a compressed start.
//!
//! The density of weakly compressible fluid under pressure differs a little from the rest density, in both directions. A solver
//! that corrected it in one step would accelerate the fluid violently. So the target starts at the present density of a
//! particle under pressure, and the difference fades.

use super::pressure_operator::DensityAndAlpha;
use crate::passes::sweep;
use crate::solver::Past;

/// Fraction of the offset that fades in a step.
const FADING: f32 = 0.02;

/// Largest deficit of relative density that is kept at first. A larger deficit means a surface, where neighbours are missing,
/// not fluid.
const MAX_DEFICIT: f32 = 0.05;

/// Offset below which the fade ends.
const NEGLIGIBLE: f32 = 1e-5;

/// Advances the offsets of the target density from 1 by a step of a fluid with these densities and pressures (Pa). Returns true
/// in the first step of a solver. `offsets` has one entry for each particle, none after the fade.
pub(crate) fn advance_offsets(
    past: &mut Past,
    density_and_alpha: &[DensityAndAlpha],
    pressures: &[f32],
    offsets: &mut Vec<f32>,
) -> bool {
    let before = std::mem::replace(past, Past::Own);
    if before == Past::Own {
        sweep::update(offsets, |_, offset| *offset *= 1.0 - FADING);
        if sweep::max(offsets.len(), |i| offsets[i].abs()) < NEGLIGIBLE {
            offsets.clear();
        }
        return false;
    }
    sweep::map(density_and_alpha.len(), offsets, |i| {
        let excess = density_and_alpha[i].relative_density - 1.0;
        // A deficit without pressure is spray or a surface: it may contract.
        let deficit = if before == Past::TakenOver && pressures[i] > 0.0 { MAX_DEFICIT } else { 0.0 };
        excess.max(-deficit)
    });
    true
}

/// Target of the relative density of particle i.
#[inline]
pub(crate) fn target_density(offsets: &[f32], i: usize) -> f32 {
    1.0 + offsets.get(i).copied().unwrap_or(0.0)
}
