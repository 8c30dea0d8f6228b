//! What a user chooses of the forces that are off by default.

use crate::parameters::{ParameterError, require};

/// Forces and motions that are off unless they are asked for; the default is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceParameters {
    /// Share ε of the mean velocity of its neighbours with which a particle moves, dimensionless, 0 to 1, usually 0.5. 0 switches it off.
    pub xsph: f32,
    /// Residual at which the implicit viscosity is good enough, relative to what it does in a step, 1e-6 to 0.1; default 0.01.
    pub viscosity_tolerance: f32,
    /// Most iterations of the implicit viscosity in a step, 1 to 1000; default 100.
    pub max_viscosity_iterations: u32,
    /// Surface tension σ, N/m, up to 1000; water has 0.073. 0 switches it off.
    pub surface_tension: f32,
    /// Work w of pulling the fluid off a wall, N/m, up to 1000: fluid of surface tension σ meets walls at an angle θ with
    /// `cos θ = w/σ − 1`. 0 switches it off.
    pub adhesion: f32,
    /// Coefficient ν_t with which the flow and the spin of its particles drive each other, m²/s, up to 100. 0 switches spin off.
    pub vorticity_transfer: f32,
    /// Share ν_ω of the neighbours' mean spin that a particle takes over in a step, dimensionless, 0 to 1; default 0.1.
    pub vorticity_smoothing: f32,
    /// Inertia Θ of a particle's spin over its mass, m², 1e-9 to 1e6; default 2.
    pub micro_inertia: f32,
}

impl Default for ForceParameters {
    fn default() -> Self {
        Self {
            xsph: 0.0,
            viscosity_tolerance: 0.01,
            max_viscosity_iterations: 100,
            surface_tension: 0.0,
            adhesion: 0.0,
            vorticity_transfer: 0.0,
            vorticity_smoothing: 0.1,
            micro_inertia: 2.0,
        }
    }
}

impl ForceParameters {
    /// Checks every value against its range.
    pub(crate) fn validate(&self) -> Result<(), ParameterError> {
        let iterations = self.max_viscosity_iterations;
        require((1..=1000).contains(&iterations), "fluid.max_viscosity_iterations", iterations as f32, "1 to 1000")?;
        let ranges = [
            ("fluid.xsph", self.xsph, 0.0..=1.0, "0 to 1"),
            ("fluid.viscosity_tolerance", self.viscosity_tolerance, 1e-6..=0.1, "1e-6 to 0.1"),
            ("fluid.surface_tension", self.surface_tension, 0.0..=1e3, "0 to 1000 (N/m)"),
            ("fluid.adhesion", self.adhesion, 0.0..=1e3, "0 to 1000 (N/m)"),
            ("fluid.vorticity_transfer", self.vorticity_transfer, 0.0..=100.0, "0 to 100 (m²/s)"),
            ("fluid.vorticity_smoothing", self.vorticity_smoothing, 0.0..=1.0, "0 to 1"),
            ("fluid.micro_inertia", self.micro_inertia, 1e-9..=1e6, "1e-9 to 1e6 (m²)"),
        ];
        ranges.into_iter().try_for_each(|(name, value, range, expected)| require(range.contains(&value), name, value, expected))
    }
}
