//! Parameters of weakly compressible SPH.

use super::discretization::Discretization;
use super::table::choice::choice;
use super::table::define::parameters;
use super::table::spec::Spec;

choice! {
    /// Equations of state: pressure from density.
    pub enum StateEquation, default Tait {
        /// Tait's equation, `p = ρ₀c₀²/7 · [(ρ/ρ₀)⁷ − 1]`: stiffer the denser (Monaghan1994).
        Tait = "tait", "Tait";
        /// Linear equation, `p = c₀² (ρ − ρ₀)` (Morris1997).
        Linear = "linear", "Linear";
    }
}

choice! {
    /// Forms of the density diffusion.
    pub enum DensityDiffusion, default Fourtakas {
        /// All differences of density are diffused (Molteni2009); wrong at the surface of fluid at rest.
        Molteni = "molteni", "Molteni";
        /// All differences but the hydrostatic one are diffused (Fourtakas2019).
        Fourtakas = "fourtakas", "Fourtakas";
        /// All differences but the mean density gradient of the two particles are diffused (Antuono2010); one more pass.
        Antuono = "antuono", "Antuono";
    }
}

choice! {
    /// Schemes of integration in time.
    pub enum Integration, default SymplecticEuler {
        /// Symplectic Euler: one evaluation of the forces a step.
        SymplecticEuler = "symplectic_euler", "Symplectic Euler";
        /// Symplectic predictor–corrector (Dominguez2022): two evaluations a step, second order.
        PredictorCorrector = "predictor_corrector", "Predictor–corrector";
    }
}

choice! {
    /// Treatments of negative pressure.
    pub enum NegativePressure, default None {
        /// Negative pressures are set to zero: fluid pushes and never pulls. For splashing.
        None = "none", "None";
        /// Negative pressures stay and act like positive ones, as `p_j + p_i`: forces between two particles are opposite, and
        /// momentum and angular momentum are conserved. Particles clump without particle shifting. For vortices and closed flows.
        Kept = "kept", "Kept";
        /// Negative pressures stay; inside the fluid they act as `p_j − p_i`, so that particles do not clump (Sun2018). Without
        /// shifting; `kept` is better with it.
        ///
        /// Away from free surfaces the force between two particles has `p_j − p_i` in place of `p_j + p_i`; momentum is then
        /// conserved only nearly.
        TensileControl = "tensile_control", "Tensile control";
    }
}

parameters! {
    /// Parameters of weakly compressible SPH.
    pub struct WcsphParameters {
        /// Equation of state: pressure from density.
        equation_of_state: StateEquation = StateEquation::default() => Spec::new("Equation of state");
        /// Scheme of integration in time.
        integration: Integration = Integration::default() => Spec::new("Integration");
        /// Form of the density diffusion: the differences of density that it smooths as noise.
        diffusion: DensityDiffusion = DensityDiffusion::default() => Spec::new("Density diffusion");
        /// Coefficient α₂ of the acoustic damper: a bulk viscosity α₂ c₀ h, which damps sound and the hammer of impacts, and leaves
        /// flow without compression alone (Sun2023). 0 switches it off; above 2 it shortens the step. With a support radius below 2.5
        /// spacings no more than 0.5 acts.
        acoustic_damping: f32 = 2.0 => Spec::new("Acoustic damping α₂").range(0.0..=4.0).slider(0.0..=4.0, 0.01)
            .usual(0.5..=2.0)
            .ends("sound from impacts runs through the fluid", "above 2 the steps are shorter");
        /// Treatment of negative pressure.
        negative_pressure: NegativePressure = NegativePressure::default() => Spec::new("Negative pressure");
        /// Background pressure p_b, added to the pressure of the equation of state in the forces between particles; it evens
        /// out their distances. Only for fluid without a free surface, which it would disperse.
        background_pressure: f32 = 0.0 => Spec::new("Background pressure").unit("Pa").range(0.0..=1e9).log_slider(0.0..=1e6, 1e-3)
            .usual(0.0..=1e4)
            .ends("particles may leave gaps in closed flows", "the fluid is noisy, and free surfaces fly apart");
    }
}

impl WcsphParameters {
    /// Coefficient α₂ of the acoustic damper that acts: with a support radius below 2.5 spacings at most ½. With so few neighbours a
    /// stronger damper and the hydrostatic density diffusion together make the pressure of still water swing.
    pub(crate) fn damping(&self, discretization: &Discretization) -> f32 {
        let &Discretization { support_radius, particle_spacing, .. } = discretization;
        let most = if support_radius < 2.5 * particle_spacing { 0.5 } else { f32::INFINITY };
        self.acoustic_damping.min(most)
    }
}
