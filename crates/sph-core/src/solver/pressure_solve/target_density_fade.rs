//! Fade of the target density from the present density to the rest density, after a change of solver or a compressed start.
//!
//! The density of weakly compressible fluid under pressure differs a little from the rest density, in both directions. A solver
//! that corrected it in one step would accelerate the fluid violently. So the target starts at the present density of a
//! particle under pressure, and the difference fades.

use super::pressure_operator::DensityAndAlpha;
use crate::passes::sweep;
use crate::report::held;

/// Fraction of the offset that fades in a step.
const FADING: f32 = 0.02;

/// Largest deficit of relative density that is kept at first. A larger deficit means a surface, where neighbours are missing,
/// not fluid.
const MAX_DEFICIT: f32 = 0.05;

/// Offset below which the fade ends.
const NEGLIGIBLE: f32 = 1e-5;

/// Target of the relative density of every particle.
#[derive(Clone, Debug)]
pub(crate) struct TargetDensityFade {
    stage: Stage,
    /// Target less 1, per particle; empty after the fade.
    offsets: Vec<f32>,
    scratch: Vec<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    /// No solver has moved the fluid yet.
    Initial,
    /// Another solver has moved the fluid so far.
    TakenOver,
    /// The fade runs or has ended.
    Fading,
}

impl TargetDensityFade {
    /// Fade for fluid that starts to move, or, if `taken_over`, for fluid that another solver has moved so far.
    pub fn new(taken_over: bool) -> Self {
        let stage = if taken_over { Stage::TakenOver } else { Stage::Initial };
        Self { stage, offsets: Vec::new(), scratch: Vec::new() }
    }

    /// Advances the fade by a step with these densities. Returns true in the first step.
    pub fn advance(&mut self, density_and_alpha: &[DensityAndAlpha], pressures: &[f32]) -> bool {
        let stage = std::mem::replace(&mut self.stage, Stage::Fading);
        if stage == Stage::Fading {
            sweep::update(&mut self.offsets, |_, offset| *offset *= 1.0 - FADING);
            if sweep::max(self.offsets.len(), |i| self.offsets[i].abs()) < NEGLIGIBLE {
                self.offsets.clear();
            }
            return false;
        }
        sweep::map(density_and_alpha.len(), &mut self.offsets, |i| {
            let excess = density_and_alpha[i].relative_density - 1.0;
            // A deficit without pressure is spray or a surface: it may contract.
            let deficit = if stage == Stage::TakenOver && pressures[i] > 0.0 { MAX_DEFICIT } else { 0.0 };
            excess.max(-deficit)
        });
        true
    }

    /// Target of the relative density of particle i.
    pub fn target(&self, i: usize) -> f32 {
        1.0 + self.offsets.get(i).copied().unwrap_or(0.0)
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        held(&self.offsets) + held(&self.scratch)
    }

    /// Follows a permutation of the particles into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        if !self.offsets.is_empty() {
            sweep::permute(order, &mut self.offsets, &mut self.scratch);
        }
    }
}
