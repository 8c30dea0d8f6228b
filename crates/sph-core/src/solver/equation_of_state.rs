//! Equation of state: pressure from density (Monaghan1994, Morris1997).

use crate::parameters::{Discretization, NegativePressure, Parameters, StateEquation};

/// Equation of state: Tait's, `p = B[(ρ/ρ₀)⁷ − 1]` with `B = ρ₀c₀²/7` (Monaghan1994), or its tangent at ρ₀, `p = c₀²(ρ − ρ₀)`
/// (Morris1997).
#[derive(Clone, Copy, Debug)]
pub(crate) struct EquationOfState {
    kind: StateEquation,
    rest_density: f32,
    /// Stiffness ρ₀c₀², Pa.
    stiffness: f32,
    /// Lowest pressure, Pa: 0 or −∞.
    floor: f32,
}

impl EquationOfState {
    /// Equation of state for a rest density (kg/m³) and a speed of sound (m/s), without a lowest pressure.
    pub fn new(kind: StateEquation, rest_density: f32, sound_speed: f32) -> Self {
        Self { kind, rest_density, stiffness: rest_density * sound_speed * sound_speed, floor: f32::NEG_INFINITY }
    }

    /// Equation of state of the fluid of `parameters`.
    pub fn of(discretization: &Discretization, parameters: &Parameters) -> Self {
        let wcsph = parameters.solver.wcsph;
        let floor = match wcsph.negative_pressure {
            NegativePressure::None => 0.0,
            NegativePressure::Kept | NegativePressure::TensileControl => f32::NEG_INFINITY,
        };
        Self { floor, ..Self::new(wcsph.equation_of_state, discretization.rest_density, parameters.fluid.sound_speed) }
    }

    /// Lowest pressure, Pa.
    pub fn floor(self) -> f32 {
        self.floor
    }

    /// Pressure at `density` (kg/m³), Pa. With several fluids the density times the lightness of the particle, because all have the
    /// same stiffness.
    pub fn pressure(self, density: f32) -> f32 {
        let ratio = density / self.rest_density;
        let pressure = match self.kind {
            StateEquation::Tait => self.stiffness / 7.0 * (ratio.powi(7) - 1.0),
            StateEquation::Linear => self.stiffness * (ratio - 1.0),
        };
        pressure.max(self.floor)
    }

    /// Speed of sound at `density` (kg/m³) over that at rest, at least 1: `√(dp/dρ)/c₀ = (ρ/ρ₀)³` with Tait's equation.
    pub fn stiffening(self, density: f32) -> f32 {
        match self.kind {
            StateEquation::Tait => (density / self.rest_density).max(1.0).powi(3),
            StateEquation::Linear => 1.0,
        }
    }

    /// Density at `pressure` (Pa), kg/m³: the inverse of the equation; below the lowest pressure, the density of that pressure.
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

    #[test]
    fn sound_is_as_fast_as_the_slope_of_the_pressure_says() {
        for kind in StateEquation::ALL {
            let water = EquationOfState::new(kind, 1000.0, 30.0);
            for density in [1010.0, 1100.0, 1500.0] {
                let slope = (water.pressure(density + 2.0) - water.pressure(density - 2.0)) / 4.0;
                let speed = 30.0 * water.stiffening(density);
                assert!((speed * speed / slope - 1.0).abs() < 1e-3, "{kind:?}, {density}: {speed} and {slope}");
            }
            assert_eq!(water.stiffening(900.0), 1.0, "{kind:?}");
        }
    }
}
