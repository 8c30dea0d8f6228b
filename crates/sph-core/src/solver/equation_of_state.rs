//! Pressure from density (Monaghan1994, Morris1997).

use crate::parameters::{Discretization, NegativePressure, Parameters, StateEquation};

/// How density becomes pressure: Tait's equation `p = B[(ρ/ρ₀)⁷ − 1]` with `B = ρ₀c₀²/7`, or the line `p = c₀²(ρ − ρ₀)` that touches it
/// at ρ₀.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EquationOfState {
    kind: StateEquation,
    rest_density: f32,
    /// ρ₀c₀², Pa.
    stiffness: f32,
    /// Pressures are not lower than this, Pa.
    floor: f32,
}

impl EquationOfState {
    /// For rest density in kg/m³ and speed of sound in m/s. Pressures may be negative.
    pub fn new(kind: StateEquation, rest_density: f32, sound_speed: f32) -> Self {
        Self { kind, rest_density, stiffness: rest_density * sound_speed * sound_speed, floor: f32::NEG_INFINITY }
    }

    /// Of the fluid that `parameters` describe.
    pub fn of(discretization: &Discretization, parameters: &Parameters) -> Self {
        let wcsph = parameters.solver.wcsph;
        let floor = match wcsph.negative_pressure {
            NegativePressure::None => 0.0,
            NegativePressure::TensileControl => f32::NEG_INFINITY,
        };
        Self { floor, ..Self::new(wcsph.equation_of_state, discretization.rest_density, parameters.fluid.sound_speed) }
    }

    /// The least pressure that there is, Pa.
    pub fn floor(self) -> f32 {
        self.floor
    }

    /// Pressure at `density` (kg/m³), Pa.
    pub fn pressure(self, density: f32) -> f32 {
        let ratio = density / self.rest_density;
        let pressure = match self.kind {
            StateEquation::Tait => self.stiffness / 7.0 * (ratio.powi(7) - 1.0),
            StateEquation::Linear => self.stiffness * (ratio - 1.0),
        };
        pressure.max(self.floor)
    }

    /// Density at `pressure` (Pa), kg/m³: the inverse, for pressures at which there is one; for lower ones the density of the least.
    pub fn density(self, pressure: f32) -> f32 {
        let pressure = pressure.max(self.floor);
        match self.kind {
            StateEquation::Tait => self.rest_density * (1.0 + pressure / (self.stiffness / 7.0)).max(0.0).powf(1.0 / 7.0),
            StateEquation::Linear => self.rest_density * (1.0 + pressure / self.stiffness).max(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn density_inverts_pressure() {
        for kind in StateEquation::ALL {
            let water = EquationOfState::new(kind, 1000.0, 30.0);
            assert_eq!(water.pressure(1000.0), 0.0);
            for pressure in [-1e3, 0.0, 1e2, 1e4] {
                // f32 resolves a density of 1000 to 6e-5, hence pressure to 6e-5·c₀² = 0.05 Pa.
                let back = water.pressure(water.density(pressure));
                assert!((back - pressure).abs() < 0.5, "{kind:?}: {pressure} came back as {back}");
            }
        }
    }

    #[test]
    fn slope_is_the_speed_of_sound_squared() {
        for kind in StateEquation::ALL {
            let water = EquationOfState::new(kind, 1000.0, 30.0);
            let slope = (water.pressure(1001.0) - water.pressure(999.0)) / 2.0;
            assert!((slope / 900.0 - 1.0).abs() < 1e-3, "{kind:?}: {slope}");
        }
    }
}
