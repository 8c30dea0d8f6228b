//! Blocks of fluid: shape, initial velocity and pressure, interface between two fluids.

use std::f32::consts::TAU;

use crate::parameters::choice;
use crate::space::geometry::Solid;
use glam::{Mat3, Vec3};

/// An axis-aligned box of fluid, the ellipsoid inside one, or a solid filled with fluid. In two dimensions z is ignored. The default
/// is an empty box at rest, which cannot be simulated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FluidBlock {
    /// Lowest corner, m.
    pub min: Vec3,
    /// Highest corner, m.
    pub max: Vec3,
    /// Index of its fluid in [`Setup::fluids`](super::Setup::fluids); 0 in a setup with one fluid.
    pub fluid: usize,
    /// Interface within the block, with another fluid below; none if the block has one fluid.
    pub interface: Option<Interface>,
    /// Shape of the fluid within the box.
    pub shape: BlockShape,
    /// Arrangement of the particles of a solid; boxes and ellipsoids have the lattice that fits the box.
    pub filling: Filling,
    /// Uniform initial velocity, m/s.
    pub velocity: Vec3,
    /// Velocity field, added to `velocity`.
    pub field: VelocityField,
    /// True to leave out particles in bodies or within half a spacing of one; otherwise the block must not overlap bodies.
    pub around_bodies: bool,
    /// Initial pressure.
    pub initial_pressure: InitialPressure,
}

/// Shapes of a block or a body within its box.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum BlockShape {
    /// The whole box.
    #[default]
    Box,
    /// The ellipsoid (in 2D the ellipse) that touches the faces of the box.
    Ellipsoid,
    /// A solid, whose bounds the box is.
    Solid(Solid),
}

choice! {
    /// Arrangements of the particles of a block.
    pub enum Filling, default Lattice {
        /// A square lattice, in 3D a cubic one.
        Lattice = "lattice", "Lattice";
        /// The densest packing: a triangular lattice, in 3D layers of them.
        Hexagonal = "hexagonal", "Hexagonal";
        /// No lattice: particles that have been pushed apart until they are even, with no direction preferred.
        Relaxed = "relaxed", "Relaxed";
    }
}

choice! {
    /// Initial pressures of a block, from which its initial densities follow.
    pub enum InitialPressure, default Hydrostatic {
        /// Hydrostatic pressure, ρ₀ g times the depth below the block's upper face along gravity, and with several fluids the weight of the hydrostatic blocks that lie on it: for fluid that rests or is about to fall.
        Hydrostatic = "hydrostatic", "Hydrostatic";
        /// No pressure: for fluid in free fall.
        Zero = "zero", "Zero";
        /// Pressure of incompressible fluid at the moment of its release, 0 on faces that touch neither a wall nor another block: for a
        /// column whose gate has just gone, and for fluid that spins or stretches.
        ///
        /// Inside it is the pressure that keeps the fluid, with its initial velocity, from being compressed under gravity and those external
        /// forces that are the same everywhere. It may be negative where the fluid pulls apart.
        Released = "released", "Released";
    }
}

impl FluidBlock {
    /// Box of fluid from `min` to `max` (m), at rest, with hydrostatic pressure.
    pub fn new(min: Vec3, max: Vec3) -> Self {
        Self { min, max, ..Self::default() }
    }

    /// `solid` filled with fluid, at rest, with hydrostatic pressure.
    pub fn solid(solid: Solid) -> Self {
        let [min, max] = solid.bounds().map(|corner| corner.as_vec3());
        Self { min, max, shape: BlockShape::Solid(solid), ..Self::default() }
    }

    /// Index of the fluid at `position` (m): the block's, or that below its interface.
    pub(crate) fn fluid_at(&self, position: Vec3) -> usize {
        match self.interface {
            Some(interface) if interface.height_above(position) < 0.0 => interface.below,
            _ => self.fluid,
        }
    }

    /// Depth and origin for the block's velocity field; `gravity` in m/s².
    pub(crate) fn water(&self, gravity: Vec3) -> Water {
        Water { corner: self.min, depth: self.max.y - self.min.y, gravity: gravity.length() }
    }
}

/// Interface between two fluids in one block, `y = height + amplitude sin(2π x/wavelength)`: the particles below it are of
/// another fluid than the block. A plane if the amplitude is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interface {
    /// Index of the fluid below it in [`Setup::fluids`](super::Setup::fluids).
    pub below: usize,
    /// Mean height, m.
    pub height: f32,
    /// Amplitude, m; negative for a wave that begins with a trough.
    pub amplitude: f32,
    /// Wavelength along x, m.
    pub wavelength: f32,
}

impl Interface {
    /// True if its numbers are finite, and the wavelength positive.
    pub(super) fn is_valid(&self) -> bool {
        let Self { height, amplitude, wavelength, .. } = *self;
        height.is_finite() && amplitude.is_finite() && wavelength.is_finite() && wavelength > 0.0
    }

    /// Height of `position` above the interface, m; negative below.
    pub(super) fn height_above(&self, position: Vec3) -> f32 {
        position.y - self.height - self.amplitude * (TAU * position.x / self.wavelength).sin()
    }

    /// Part of the straight line between two points that is below the interface, from 0 to 1, by pieces of about `step` (m).
    ///
    /// It is exact on vertical lines, along which the height above the interface is linear.
    pub(super) fn part_below(&self, from: Vec3, to: Vec3, step: f32) -> f32 {
        let pieces = ((to - from).length() / step).ceil().max(1.0);
        let height_at = |piece: u32| self.height_above(from.lerp(to, piece as f32 / pieces));
        let of_piece = |piece: u32| {
            let (start, end) = (height_at(piece), height_at(piece + 1));
            let (below, both) = (start.min(0.0) + end.min(0.0), start.abs() + end.abs());
            if both > 0.0 { -below / both } else { 0.0 }
        };
        (0..pieces as u32).map(of_piece).sum::<f32>() / pieces
    }
}

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

    #[test]
    fn a_line_is_divided_where_it_crosses() {
        let wave = Interface { below: 0, height: 1.0, amplitude: -0.15, wavelength: 1.0 };
        // Troughs at a quarter of the wavelength, crests at three quarters.
        for (x, height) in [(0.0, 1.0), (0.25, 0.85), (0.75, 1.15)] {
            let part = wave.part_below(Vec3::new(x, 0.5, 0.0), Vec3::new(x, 2.0, 0.0), 0.02);
            assert!((part - (height - 0.5) / 1.5).abs() < 1e-4, "{part} at {x}");
        }
        // Along the level of the mean height, half of each wavelength is below.
        let part = wave.part_below(Vec3::new(0.0, 1.0, 0.0), Vec3::new(2.0, 1.0, 0.0), 0.02);
        assert!((part - 0.5).abs() < 1e-3, "{part}");
        let plane = Interface { amplitude: 0.0, ..wave };
        assert_eq!(plane.part_below(Vec3::new(0.0, 1.2, 0.0), Vec3::new(0.0, 1.4, 0.0), 0.02), 0.0);
        assert_eq!(plane.part_below(Vec3::ZERO, Vec3::Y * 0.7, 0.02), 1.0);
    }

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
