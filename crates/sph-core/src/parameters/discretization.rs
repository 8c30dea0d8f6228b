//! Discretisation of the continuum into particles.

use super::dimensions::Dimensions;
use super::kernel_kind::KernelKind;
use super::table::entry::Parameter;
use super::table::error::ParameterError;
use super::table::spec::Spec;
use std::sync::LazyLock;

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
                "Distance between neighbouring particles at the start. Half of it means 8 times the particles (4 in 2D), and steps half as long.",
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
