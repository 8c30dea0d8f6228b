//! Fluid that another solver leaves behind, or that begins squeezed, is let go slowly.
//!
//! A weakly compressible fluid under pressure is a little too dense here and not dense enough there. A solver that put all of it right in
//! one step would throw it about. So every particle under pressure may keep its density at first, and the difference fades.

use super::pressure_operator::DensityAndAlpha;
use crate::passes::sweep;
use crate::report::held;

/// Share of the difference that fades in a step.
const FADING: f32 = 0.02;

/// Most that fluid under pressure may lack. What lacks more is next to a surface, where neighbours are missing rather than fluid.
const LARGEST_LACK: f32 = 0.05;

/// Largest difference that is over.
const FORGOTTEN: f32 = 1e-5;

/// What the relative densities should be.
#[derive(Clone, Debug)]
pub(crate) struct TargetDensityFade {
    stage: Stage,
    /// Wanted relative density less 1, for every particle; empty once all is let go.
    offsets: Vec<f32>,
    scratch: Vec<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    /// The fluid has not been moved by any solver yet.
    Begins,
    /// Another solver has moved it so far.
    Arrives,
    /// It is being let go, or has been.
    Flows,
}

impl TargetDensityFade {
    /// For fluid that begins to move; or, `from_other`, that another solver has moved so far.
    pub fn new(from_other: bool) -> Self {
        let stage = if from_other { Stage::Arrives } else { Stage::Begins };
        Self { stage, offsets: Vec::new(), scratch: Vec::new() }
    }

    /// To be called in every step with its densities: whether this is the first.
    pub fn advance(&mut self, density_and_alpha: &[DensityAndAlpha], pressures: &[f32]) -> bool {
        let stage = std::mem::replace(&mut self.stage, Stage::Flows);
        if stage == Stage::Flows {
            sweep::update(&mut self.offsets, |_, offset| *offset *= 1.0 - FADING);
            if sweep::max(self.offsets.len(), |i| self.offsets[i].abs()) < FORGOTTEN {
                self.offsets.clear();
            }
            return false;
        }
        sweep::map(density_and_alpha.len(), &mut self.offsets, |i| {
            let excess = density_and_alpha[i].relative_density - 1.0;
            // Without pressure nothing held it: it is spray or the surface, and may come closer.
            let lack = if stage == Stage::Arrives && pressures[i] > 0.0 { LARGEST_LACK } else { 0.0 };
            excess.max(-lack)
        });
        true
    }

    /// Relative density that particle i should have.
    pub fn target(&self, i: usize) -> f32 {
        1.0 + self.offsets.get(i).copied().unwrap_or(0.0)
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        held(&self.offsets) + held(&self.scratch)
    }

    /// The particles have been put into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        if !self.offsets.is_empty() {
            sweep::permute(order, &mut self.offsets, &mut self.scratch);
        }
    }
}
