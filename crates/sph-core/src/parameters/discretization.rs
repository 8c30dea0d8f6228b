//! Discretisation of the continuum into particles: spacing, dimensions, kernel, and the choices of walls.

use std::sync::LazyLock;

use super::table::{Parameter, ParameterError, Spec};
use super::value::choice;

/// Lowest and highest rest density, kg/m³: with them masses and their squares stay within f32 at spacings from 10 µm to 100 km.
pub const REST_DENSITIES: [f64; 2] = [1e-6, 1e6];

/// Discretisation of the fluid into particles, fixed for a simulation's life.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discretization {
    /// Number of space dimensions.
    pub dimensions: Dimensions,
    /// Distance between neighbouring particles of the initial lattice, m.
    pub particle_spacing: f32,
    /// Smoothing kernel.
    pub kernel: KernelKind,
    /// Distance at which the kernel becomes zero, m. Two particles are neighbours when they are strictly closer than this.
    pub support_radius: f32,
    /// Density of the undisturbed fluid, kg/m³ in two dimensions too, where the mass of a particle is per metre of depth, kg/m.
    pub rest_density: f32,
}

impl Discretization {
    /// Discretisation of water, 1000 kg/m³, with the cubic spline and a spacing of `particle_spacing`, m.
    pub fn new(dimensions: Dimensions, particle_spacing: f32) -> Self {
        let kernel = KernelKind::default();
        let support_radius = (kernel.usual_support_radius(dimensions) * f64::from(particle_spacing)) as f32;
        Self { dimensions, particle_spacing, kernel, support_radius, rest_density: 1000.0 }
    }

    /// Every parameter of the discretisation but the dimensions. In scene files the support radius is in particle spacings.
    pub fn table() -> &'static [Parameter<Self>] {
        static TABLE: LazyLock<Vec<Parameter<Discretization>>> = LazyLock::new(entries);
        &TABLE
    }

    /// Checks every length and density.
    ///
    /// # Errors
    /// The first value that is not finite and positive, or a support radius outside 1.2–4 particle spacings.
    pub fn validate(&self) -> Result<(), ParameterError> {
        // The spacing is checked first: the support radius is in units of it.
        Self::table().iter().try_for_each(|parameter| parameter.check(self))
    }

    /// Volume of one particle of the lattice, m³ (m² in two dimensions).
    pub fn particle_volume(&self) -> f32 {
        self.particle_spacing.powi(self.dimensions.count() as i32)
    }
}

fn entries() -> Vec<Parameter<Discretization>> {
    let positive = 0.0..=f64::INFINITY;
    vec![
        Parameter::of_field(
            (
                "particles.spacing",
                "Discretization::particle_spacing",
                "Distance between neighbouring particles at the start. Half of this means 8 times the particles (4 in 2D), \
                    and steps half as long.",
            ),
            Spec::new("Particle spacing").unit("m").range(positive).above_low().required(),
            |values: &Discretization| values.particle_spacing,
            |values, spacing| values.particle_spacing = spacing,
        ),
        Parameter::of_field(
            ("particles.kernel", "Discretization::kernel", "Smoothing kernel."),
            Spec::new("Kernel"),
            |values: &Discretization| values.kernel,
            |values, kernel| values.kernel = kernel,
        ),
        Parameter::of_field(
            (
                "particles.support_radius",
                "Discretization::support_radius",
                "Support radius: distance at which the kernel becomes zero.",
            ),
            Spec::new("Support radius")
                .unit("spacings")
                .range(1.2..=4.0)
                .default_words("2 with `cubic_spline`, 3 with `wendland_c4` and in 2D with `wendland_c2`, else 2.6"),
            |values: &Discretization| values.support_radius / values.particle_spacing,
            |values, ratio: f32| values.support_radius = ratio * values.particle_spacing,
        ),
        Parameter::of_field(
            ("fluid.rest_density", "Discretization::rest_density", "Density of the undisturbed fluid."),
            Spec::new("Rest density").unit("kg/m³").range(REST_DENSITIES[0]..=REST_DENSITIES[1]),
            |values: &Discretization| values.rest_density,
            |values, density| values.rest_density = density,
        ),
    ]
}

/// Number of space dimensions. In two dimensions every `z` is 0 and the kernels are normalised for the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dimensions {
    /// Motion in the x–y plane; masses are per metre of depth.
    Two,
    /// Motion in space.
    Three,
}

impl Dimensions {
    /// Number of dimensions: 2 or 3.
    pub fn count(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Three => 3,
        }
    }
}

choice! {
    /// Smoothing kernels; [`kernel`](crate::kernel) has their formulas.
    pub enum KernelKind, default CubicSpline {
        /// Cubic B-spline (Monaghan1992): needs few neighbours; common in computer graphics.
        CubicSpline = "cubic_spline", "Cubic spline";
        /// Wendland's C2 polynomial: no pairing of particles, smoother pressure, larger support radius; common in engineering.
        WendlandC2 = "wendland_c2", "Wendland C2";
        /// Wendland's C4 polynomial: smoother still, for support radii of 3 spacings and more.
        WendlandC4 = "wendland_c4", "Wendland C4";
        /// Müller's poly6: does not push close particles apart; for comparison.
        Poly6 = "poly6", "Poly6";
        /// Müller's spiky kernel, peaked at the centre; for comparison.
        Spiky = "spiky", "Spiky";
    }
}

impl KernelKind {
    /// Usual support radius, in particle spacings.
    pub fn usual_support_radius(self, dimensions: Dimensions) -> f64 {
        match (self, dimensions) {
            (Self::CubicSpline, _) => 2.0,
            (Self::WendlandC4, _) => 3.0,
            // Two dimensions have fewer neighbours: pressure gradients are 3.6 % too small with 2.6 spacings, 0.8 % with 3.
            (Self::WendlandC2, Dimensions::Two) => 3.0,
            (Self::WendlandC2, Dimensions::Three) | (Self::Poly6 | Self::Spiky, _) => 2.6,
        }
    }
}

// Choices of the walls.

choice! {
    /// Boundary conditions for the velocity along a wall.
    pub enum Slip, default Free {
        /// Free slip: the wall pushes but does not drag.
        Free = "free", "Free slip";
        /// No slip: fluid at the wall has the wall's velocity, through laminar viscosity (Adami2012).
        NoSlip = "no_slip", "No slip";
    }
}

choice! {
    /// Models of the pressure of walls.
    pub enum WallPressure, default Extrapolated {
        /// Mean pressure of the fluid in reach, extrapolated into the wall along the hydrostatic gradient (Adami2012, eq. 27).
        Extrapolated = "extrapolated", "Extrapolated";
        /// Linear pressure field fitted to the fluid in reach by moving least squares, with damped slopes (after Band2018).
        ///
        /// The slopes are damped by about half; Band2018 does not damp them.
        Mls = "mls", "Fitted (MLS)";
        /// No pressure of its own: only the fluid's pressure pushes back (Akinci2012). Pressure next to walls is about twice
        /// too high, and with large support radii even that does not support still water, which then rests at the minimum
        /// distance from the wall.
        OneSided = "one_sided", "One-sided";
    }
}

choice! {
    /// Discretisations of walls into particles.
    pub enum WallSampling, default Layers {
        /// Layers of particles, as deep as the support radius.
        Layers = "layers", "Layers";
        /// One layer with larger volumes, which stands in for all: fewer particles, less accurate (Akinci2012).
        SingleLayer = "single_layer", "Single layer";
        /// No particles: the kernel is integrated over the space behind the faces of containers. Bodies keep their layers.
        Analytic = "analytic", "Analytic";
    }
}
