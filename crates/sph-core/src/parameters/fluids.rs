//! Fluids of a scene with more than one.

/// Largest number of fluids.
pub const MAX_FLUIDS: usize = 16;

/// Largest ratio of two rest densities, up to which the solvers have been tested. With the ratio of water and air, 800, light
/// particles are thrown about by the smallest error in the pressure of heavy ones.
pub const MAX_DENSITY_RATIO: f32 = 10.0;

/// One of several fluids. They do not mix: a particle keeps its fluid.
#[derive(Clone, Debug, PartialEq)]
pub struct Fluid {
    /// Name, for scenes and labels.
    pub name: String,
    /// Rest density, kg/m³ in two dimensions too, where the mass of a particle is per metre of depth, kg/m.
    pub rest_density: f32,
    /// Kinematic viscosity, m²/s; `None` for that of [`FluidParameters`](super::FluidParameters).
    pub kinematic_viscosity: Option<f32>,
    /// Surface tension, N/m, against air and walls; `None` for that of [`ForceParameters`](super::ForceParameters). Between two
    /// fluids acts the sum of theirs.
    pub surface_tension: Option<f32>,
    /// Colour in pictures, as red, green and blue (sRGB); `None` for one that follows from the number of the fluid.
    pub color: Option<[u8; 3]>,
}

impl Fluid {
    /// Fluid of a rest density, kg/m³, with the viscosity and tension of the parameters.
    pub fn new(name: &str, rest_density: f32) -> Self {
        Self { name: name.to_owned(), rest_density, kinematic_viscosity: None, surface_tension: None, color: None }
    }

    /// Lightness b: the rest density of the reference fluid (kg/m³) over its own.
    pub(crate) fn lightness(&self, reference_density: f32) -> f32 {
        reference_density / self.rest_density
    }
}

/// Lightness of a particle of the fluid with index `fluid`; 1 with one fluid, for which there is no table.
#[inline]
pub(crate) fn lightness(fluids: &[Fluid], reference_density: f32, fluid: Option<usize>) -> f32 {
    fluid.and_then(|fluid| fluids.get(fluid)).map_or(1.0, |fluid| fluid.lightness(reference_density))
}
