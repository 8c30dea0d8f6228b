//! Pressure from density (Monaghan1994).

/// Tait's equation `p = B[(ρ/ρ₀)⁷ − 1]` with `B = ρ₀c₀²/7`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EquationOfState {
    rest_density: f32,
    stiffness: f32,
}

impl EquationOfState {
    /// For rest density in kg/m³ and speed of sound in m/s.
    pub fn new(rest_density: f32, sound_speed: f32) -> Self {
        Self { rest_density, stiffness: rest_density * sound_speed * sound_speed / 7.0 }
    }

    /// Pressure at `density` (kg/m³), Pa.
    pub fn pressure(self, density: f32) -> f32 {
        self.stiffness * ((density / self.rest_density).powi(7) - 1.0)
    }

    /// Density at `pressure` (Pa), kg/m³: the inverse, for pressures above −B.
    pub fn density(self, pressure: f32) -> f32 {
        self.rest_density * (1.0 + pressure / self.stiffness).powf(1.0 / 7.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn density_inverts_pressure() {
        let water = EquationOfState::new(1000.0, 30.0);
        assert_eq!(water.pressure(1000.0), 0.0);
        for pressure in [-1e3, 0.0, 1e2, 1e4] {
            // f32 resolves a density of 1000 to 6e-5, hence pressure to 6e-5·c₀² = 0.05 Pa.
            let back = water.pressure(water.density(pressure));
            assert!((back - pressure).abs() < 0.5, "{pressure} came back as {back}");
        }
    }

    #[test]
    fn slope_is_the_speed_of_sound_squared() {
        let water = EquationOfState::new(1000.0, 30.0);
        let slope = (water.pressure(1001.0) - water.pressure(999.0)) / 2.0;
        assert!((slope / 900.0 - 1.0).abs() < 1e-3, "{slope}");
    }
}
