//! Initial velocity fields.

use glam::{Mat3, Vec3};

/// Initial velocity as a function of position. All fields except [`VelocityField::Linear`] are free of divergence.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum VelocityField {
    /// Zero.
    #[default]
    Still,
    /// Linear field `G (x − c)`: stretching, shear, rotation.
    Linear {
        /// Velocity gradient G, 1/s: `gradient.col(j)[i]` is ∂v_i/∂x_j.
        gradient: Mat3,
        /// Centre c, where the velocity is zero, m.
        center: Vec3,
    },
    /// Standing wave of small amplitude on water of finite depth (linear theory), at the moment when its surface is flat:
    /// `v_x = s cosh(k y)/sinh(k d) sin(k x)`, `v_y = −s sinh(k y)/sinh(k d) cos(k x)` with x and y from the lowest corner of
    /// the water, depth d, k = 2π/wavelength, and `s = amplitude · √(g k tanh(k d))`, the highest vertical speed of the
    /// surface.
    StandingWave {
        /// Amplitude of the surface, m.
        amplitude: f32,
        /// Wavelength, m; no fluid crosses multiples of half of it.
        wavelength: f32,
    },
    /// Taylor–Green vortices: `v_x = U sin kx cos ky cos kz`, `v_y = −U cos kx sin ky cos kz` with x, y, z from the lowest
    /// corner of the fluid and k = 2π/wavelength. In two dimensions z is 0.
    TaylorGreen {
        /// Maximum speed U, m/s.
        speed: f32,
        /// Wavelength, m: the length of two vortices.
        wavelength: f32,
    },
}

/// Geometry of the fluid that a velocity field depends on, and gravity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Water {
    /// Lowest corner, m.
    pub corner: Vec3,
    /// Depth along y, m.
    pub depth: f32,
    /// Magnitude of gravity, m/s².
    pub gravity: f32,
}

impl VelocityField {
    /// True if all values are finite and wavelengths are positive.
    pub(crate) fn is_valid(&self) -> bool {
        match *self {
            Self::Still => true,
            Self::Linear { gradient, center } => gradient.is_finite() && center.is_finite(),
            Self::StandingWave { amplitude: size, wavelength } | Self::TaylorGreen { speed: size, wavelength } => {
                size.is_finite() && wavelength.is_finite() && wavelength > 0.0
            }
        }
    }

    /// Velocity gradient at `position` (m), 1/s: column j is ∂v/∂x_j. Central differences with `step` (m), exact for linear
    /// fields.
    pub(crate) fn gradient(&self, position: Vec3, water: Water, step: f32) -> Mat3 {
        let slope =
            |axis: Vec3| (self.at(position + step * axis, water) - self.at(position - step * axis, water)) / (2.0 * step);
        match *self {
            Self::Still => Mat3::ZERO,
            Self::Linear { gradient, .. } => gradient,
            Self::StandingWave { .. } | Self::TaylorGreen { .. } => {
                Mat3::from_cols(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z))
            }
        }
    }

    /// Highest speed in a box with these corners (m), m/s.
    pub(super) fn top_speed(&self, [min, max]: [Vec3; 2], water: Water) -> f32 {
        match *self {
            Self::Still => 0.0,
            Self::Linear { .. } => {
                let corner = |n: u32| Vec3::select(glam::BVec3::new(n & 1 > 0, n & 2 > 0, n & 4 > 0), max, min);
                // Not `f32::max`, which passes NaN over.
                (0..8)
                    .map(|n| self.at(corner(n), water).length())
                    .fold(0.0, |top, speed| if speed <= top { top } else { speed })
            }
            Self::StandingWave { amplitude, wavelength } => {
                let k = std::f32::consts::TAU / wavelength;
                amplitude.abs() * (water.gravity * k / (k * water.depth).tanh()).sqrt()
            }
            Self::TaylorGreen { speed, .. } => speed.abs(),
        }
    }

    /// Velocity at `position` (m), m/s.
    pub(crate) fn at(&self, position: Vec3, water: Water) -> Vec3 {
        match *self {
            Self::Still => Vec3::ZERO,
            Self::Linear { gradient, center } => gradient * (position - center),
            Self::StandingWave { amplitude, wavelength } => {
                let k = std::f32::consts::TAU / wavelength;
                let depth = k * water.depth;
                let speed = amplitude * (water.gravity * k * depth.tanh()).sqrt();
                let [x, y, _] = (k * (position - water.corner)).to_array();
                // cosh(ky)/sinh(kd) and sinh(ky)/sinh(kd) without overflow in deep water: y is at most the depth.
                let decay = (y - depth).exp() / (1.0 - (-2.0 * depth).exp());
                let (cosh, sinh) = (decay * (1.0 + (-2.0 * y).exp()), decay * (1.0 - (-2.0 * y).exp()));
                speed * Vec3::new(cosh * x.sin(), -sinh * x.cos(), 0.0)
            }
            Self::TaylorGreen { speed, wavelength } => {
                let [x, y, z] = (std::f32::consts::TAU / wavelength * (position - water.corner)).to_array();
                speed * z.cos() * Vec3::new(x.sin() * y.cos(), -x.cos() * y.sin(), 0.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WATER: Water = Water { corner: Vec3::new(1.0, -0.5, 0.0), depth: 1.0, gravity: 9.81 };
    const WAVE: VelocityField = VelocityField::StandingWave { amplitude: 0.05, wavelength: 2.0 };

    #[test]
    fn a_wave_has_neither_divergence_nor_rotation() {
        for position in [Vec3::new(1.3, 0.1, 0.0), Vec3::new(2.2, 0.4, 0.0), Vec3::new(1.9, -0.4, 0.0)] {
            let gradient = WAVE.gradient(position, WATER, 1e-2);
            assert!((gradient.col(0).x + gradient.col(1).y).abs() < 1e-3, "{gradient}");
            assert!((gradient.col(0).y - gradient.col(1).x).abs() < 1e-3, "{gradient}");
        }
    }

    #[test]
    fn a_wave_does_not_cross_floor_and_walls() {
        for height in [-0.5, 0.0, 0.5] {
            for x in [1.0, 2.0, 3.0] {
                assert!(WAVE.at(Vec3::new(x, height, 0.0), WATER).x.abs() < 1e-6);
            }
        }
        assert_eq!(WAVE.at(Vec3::new(1.3, -0.5, 0.0), WATER).y, 0.0);
        // The flat surface falls with the maximum speed of the oscillation: a ω with ω² = g k tanh(k d).
        let omega = (9.81 * std::f32::consts::PI * std::f32::consts::PI.tanh()).sqrt();
        let speed = WAVE.at(Vec3::new(1.0, 0.5, 0.0), WATER).y;
        assert!((speed + 0.05 * omega).abs() < 1e-5, "{speed}");
    }

    #[test]
    fn vortices_have_no_divergence_and_repeat() {
        let vortices = VelocityField::TaylorGreen { speed: 3.0, wavelength: 2.0 };
        for position in [Vec3::new(1.3, 0.1, 0.4), Vec3::new(2.2, 0.4, -0.3), Vec3::new(1.9, -0.4, 1.7)] {
            let gradient = vortices.gradient(position, WATER, 1e-2);
            assert!((gradient.x_axis.x + gradient.y_axis.y + gradient.z_axis.z).abs() < 1e-3, "{gradient}");
            let velocity = vortices.at(position, WATER);
            assert!(vortices.at(position + Vec3::new(2.0, -2.0, 4.0), WATER).abs_diff_eq(velocity, 1e-5));
        }
        // A quarter of a wavelength from the corner, the highest speed.
        assert!(vortices.at(WATER.corner + Vec3::new(0.5, 0.0, 0.0), WATER).abs_diff_eq(Vec3::new(3.0, 0.0, 0.0), 1e-6));
    }

    #[test]
    fn the_top_speed_bounds_the_velocity() {
        let vortices = VelocityField::TaylorGreen { speed: 3.0, wavelength: 2.0 };
        let spin = Mat3::from_cols(Vec3::Y, -Vec3::X, Vec3::ZERO);
        let linear = VelocityField::Linear { gradient: spin, center: Vec3::ZERO };
        let corners = [WATER.corner, Vec3::new(3.0, 0.5, 1.0)];
        for field in [vortices, linear, WAVE] {
            let speed = |n: u32| {
                let place = Vec3::new((n % 10) as f32, (n / 10 % 10) as f32, (n / 100) as f32) / 9.0;
                field.at(corners[0] + place * (corners[1] - corners[0]), WATER).length()
            };
            let (found, top) = ((0..1000).map(speed).fold(0.0, f32::max), field.top_speed(corners, WATER));
            assert!(found <= 1.0001 * top && found > 0.9 * top, "{field:?}: {found} of {top} m/s");
        }
        let endless = VelocityField::Linear { gradient: f32::MAX * spin, center: Vec3::ZERO };
        assert!(endless.top_speed(corners, WATER) > crate::setup::MAX_SPEED);
    }

    #[test]
    fn deep_water_does_not_overflow() {
        let ripple = VelocityField::StandingWave { amplitude: 0.01, wavelength: 0.01 };
        let surface = ripple.at(Vec3::new(1.0, 0.5, 0.0), WATER);
        assert!(surface.is_finite() && surface.y < -0.7, "{surface}");
        assert_eq!(ripple.at(Vec3::new(1.0, -0.5, 0.0), WATER).length(), 0.0);
    }

    #[test]
    fn a_linear_field_has_the_given_gradient() {
        let matrix = Mat3::from_cols(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), Vec3::new(7.0, 8.0, 9.0));
        let field = VelocityField::Linear { gradient: matrix, center: Vec3::ONE };
        assert_eq!(field.at(Vec3::ONE, WATER), Vec3::ZERO);
        assert_eq!(field.gradient(Vec3::ZERO, WATER, 1e-2), matrix);
        assert_eq!(field.at(Vec3::new(1.0, 2.0, 1.0), WATER), matrix.y_axis);
    }
}
