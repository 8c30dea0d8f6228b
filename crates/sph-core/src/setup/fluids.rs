//! Fluids of a setup with more than one: their reference, and their validation.

use super::{Setup, SetupError};
use crate::parameters::{Fluid, MAX_DENSITY_RATIO, MAX_FLUIDS, REST_DENSITIES};

impl Setup {
    /// Returns the setup with these fluids, of which blocks name theirs by index. The densest becomes the reference: the rest
    /// density of the discretisation is its, and the speed of sound is meant for it.
    #[must_use]
    pub fn with_fluids(mut self, fluids: Vec<Fluid>) -> Self {
        if let Some(densest) = fluids.iter().map(|fluid| fluid.rest_density).reduce(f32::max) {
            self.discretization.rest_density = densest;
        }
        self.fluids = fluids;
        self
    }

    /// Checks the fluids, and that every block names one of them; and the interfaces in blocks.
    pub(super) fn validate_fluids(&self) -> Result<(), SetupError> {
        let within = |value: Option<f32>, most: f32| value.is_none_or(|value| (0.0..=most).contains(&value));
        let [lightest, densest] = REST_DENSITIES.map(|density| density as f32);
        for (index, fluid) in self.fluids.iter().enumerate() {
            if !((lightest..=densest).contains(&fluid.rest_density)
                && within(fluid.kinematic_viscosity, 1e6)
                && within(fluid.surface_tension, 1e3))
            {
                return Err(SetupError::Fluid { fluid: index });
            }
        }
        if self.fluids.len() > MAX_FLUIDS {
            return Err(SetupError::TooManyFluids { count: self.fluids.len(), limit: MAX_FLUIDS });
        }
        let densities = || self.fluids.iter().map(|fluid| fluid.rest_density);
        if let (Some(lightest), Some(densest)) = (densities().reduce(f32::min), densities().reduce(f32::max)) {
            // Rounding of decimal densities is no excess.
            if densest > (1.0 + 4.0 * f32::EPSILON) * MAX_DENSITY_RATIO * lightest {
                return Err(SetupError::DensityRatio { ratio: densest / lightest, limit: MAX_DENSITY_RATIO });
            }
            if self.discretization.rest_density != densest {
                return Err(SetupError::ReferenceDensity { found: self.discretization.rest_density, expected: densest });
            }
        }
        for (index, block) in self.blocks.iter().enumerate() {
            let below = block.interface.map(|interface| interface.below);
            if let Some(fluid) = below.into_iter().chain([block.fluid]).find(|&fluid| fluid >= self.fluids.len().max(1)) {
                return Err(SetupError::UnknownFluid { block: index, fluid });
            }
            if block.interface.is_some_and(|interface| !interface.is_valid()) {
                return Err(SetupError::Interface { block: index });
            }
        }
        Ok(())
    }

    /// Rest density of the fluid of a block or particle, kg/m³.
    pub fn rest_density(&self, fluid: usize) -> f32 {
        self.fluids.get(fluid).map_or(self.discretization.rest_density, |fluid| fluid.rest_density)
    }
}
