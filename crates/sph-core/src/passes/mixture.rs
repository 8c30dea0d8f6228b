//! Several fluids in the passes: every particle has the same rest volume, and the mass that its fluid's density gives it.
//!
//! The relative density R = ρ/ρ₀ of a particle is then a sum over neighbours of any fluid, `R_i = V Σ_j W_ij`, without a jump at
//! an interface (Solenthaler2008). Forces between two particles are computed as if both were of the reference fluid, with
//! coefficients that are symmetric in the two, so that they are opposite; the acceleration is that force over the particle's
//! own mass. So passes compute accelerations of reference particles, and multiply them by the *lightness*
//! `b_i = ρ_ref/ρ₀_i`, which is 1 in a scene with one fluid.

use super::sweep;
use crate::parameters::{Fluid, Parameters};
use crate::report::held;
use crate::simd::{Indices, Lanes};

/// Coefficients of the particles of several fluids; without entries in a scene with one fluid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mixture {
    /// Coefficients of each fluid.
    fluids: Vec<FluidCoefficients>,
    /// Fluid of each particle.
    pub of_particle: Vec<u8>,
    /// Lightness b of each particle.
    pub lightness: Vec<f32>,
    /// Dynamic viscosity over the reference density of each particle, m²/s: ν/b.
    pub viscosity: Vec<f32>,
}

/// Coefficients of one fluid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FluidCoefficients {
    /// Lightness `b = ρ_ref/ρ₀`.
    pub lightness: f32,
    /// Kinematic viscosity ν, m²/s.
    pub kinematic_viscosity: f32,
    /// Surface tension σ, N/m.
    pub surface_tension: f32,
}

impl FluidCoefficients {
    /// Coefficients of `fluid`, with those of the parameters where it has none.
    pub fn of(fluid: &Fluid, reference_density: f32, parameters: &Parameters) -> Self {
        Self {
            lightness: fluid.lightness(reference_density),
            kinematic_viscosity: fluid.kinematic_viscosity.unwrap_or(parameters.fluid.kinematic_viscosity),
            surface_tension: fluid.surface_tension.unwrap_or(parameters.forces.surface_tension),
        }
    }

    /// Dynamic viscosity over the reference density, m²/s.
    fn viscosity(&self) -> f32 {
        self.kinematic_viscosity / self.lightness
    }

    /// [`Mixture::pair_viscosity`] of particles of two fluids.
    pub fn pair_viscosity(&self, other: &Self) -> f32 {
        harmonic_mean(self.viscosity(), other.viscosity())
    }

    /// [`Mixture::pair_impedance`] of particles of two fluids.
    pub fn pair_impedance(&self, other: &Self) -> f32 {
        0.5 * (self.lightness.sqrt().recip() + other.lightness.sqrt().recip())
    }
}

/// Harmonic mean of two viscosities, m²/s; 0 if one of them is. The bound keeps 0/0 away.
#[inline]
fn harmonic_mean(a: f32, b: f32) -> f32 {
    2.0 * a * b / (a + b).max(f32::MIN_POSITIVE)
}

impl Mixture {
    /// Brings the coefficients up to date with the parameters and the order of the particles.
    pub fn update(&mut self, fluids: &[Fluid], reference_density: f32, parameters: &Parameters, of_particle: &[u8]) {
        self.fluids.clear();
        self.fluids.extend(fluids.iter().map(|fluid| FluidCoefficients::of(fluid, reference_density, parameters)));
        self.of_particle.clear();
        self.of_particle.extend_from_slice(of_particle);
        let Self { fluids, of_particle, lightness, viscosity } = self;
        sweep::map(of_particle.len(), lightness, |i| fluids[usize::from(of_particle[i])].lightness);
        sweep::map(of_particle.len(), viscosity, |i| {
            let FluidCoefficients { lightness, kinematic_viscosity, .. } = fluids[usize::from(of_particle[i])];
            kinematic_viscosity / lightness
        });
    }

    /// Coefficients of each fluid.
    pub fn fluids(&self) -> &[FluidCoefficients] {
        &self.fluids
    }

    /// Harmonic mean of the dynamic viscosities of particle i and of others over the reference density, m²/s (Hu2006): the
    /// stress at an interface is continuous. 0 if one of the two has none.
    #[inline(always)]
    pub fn pair_viscosity<L: Lanes>(&self, i: usize, others: Indices<'_>) -> L {
        let (own, other) = (self.viscosity[i], L::gather_numbers(&self.viscosity, others));
        // The bound keeps 0/0 away.
        other * (2.0 * own) / (other + own).max(L::splat(f32::MIN_POSITIVE))
    }

    /// [`Mixture::pair_viscosity`] of particles i and j.
    #[inline]
    pub fn viscosity_between(&self, i: usize, j: usize) -> f32 {
        harmonic_mean(self.viscosity[i], self.viscosity[j])
    }

    /// Mean of the impedances of sound of particle i and of others over the reference one: `ρ₀ c/(ρ_ref c₀) = 1/√b` for fluids
    /// of the same stiffness.
    #[inline(always)]
    pub fn pair_impedance<L: Lanes>(&self, i: usize, others: Indices<'_>) -> L {
        let other = L::splat(1.0) / L::gather_numbers(&self.lightness, others).sqrt();
        (other + self.lightness[i].sqrt().recip()) * L::splat(0.5)
    }

    /// Harmonic mean of the rest densities of particles i and j over the reference density, `2/(b_i + b_j)`.
    #[inline]
    pub fn pair_density(&self, i: usize, j: usize) -> f32 {
        2.0 / (self.lightness[i] + self.lightness[j])
    }

    /// Rest density of particle i over that of the reference fluid; 1 with one fluid.
    pub fn relative_rest_density(&self, i: usize) -> f32 {
        self.lightness.get(i).map_or(1.0, |lightness| lightness.recip())
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { fluids, of_particle, lightness, viscosity } = self;
        held(fluids) + held(of_particle) + held(lightness) + held(viscosity)
    }
}
