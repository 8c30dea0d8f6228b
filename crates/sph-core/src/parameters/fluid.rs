//! Parameters of the fluid that every scene has.

use super::table::choice::choice;
use super::table::define::parameters;
use super::table::spec::Spec;

choice! {
    /// Forms of the laminar viscosity. Inside a fluid of constant density all are ν ∇²v.
    pub enum ViscosityModel, default Morris {
        /// Along the difference of two particles' velocities (Morris1997): smooth, for flows between walls.
        ///
        /// It dissipates `ν |∇v|²`, which at a free surface is too little: half of the right value where the flow has no
        /// rotation.
        Morris = "morris", "Morris";
        /// Along the line between two particles (Monaghan2005): conserves angular momentum, and is right at free surfaces.
        ///
        /// The dissipation is that of the symmetric part of ∇v.
        Central = "central", "Central";
        /// The central form at the end of the step (Weiler2018): no viscosity makes the step shorter; each step solves a linear
        /// equation.
        Implicit = "implicit", "Implicit";
    }
}

parameters! {
    /// Constants of the fluid.
    pub struct FluidParameters {
        /// Numerical speed of sound c₀: the stiffness of the fluid, whose pressure rises with its square. Ten times the highest
        /// speed keeps the density within 1 % (Monaghan1994); a lower one allows longer steps.
        sound_speed: f32 = 1.0 => Spec::new("Speed of sound").unit("m/s").range(1e-3..=1e5).log_slider(0.1..=1e3, 0.1)
            .default_words("10·√(v² + 2·|gravity|·height), at least 1; height: extent of the fluid along gravity, emitters and what they fall on included; v: highest speed in an opening")
            .usual(1.0..=200.0)
            .ends("the fluid is soft: it is compressed under its own weight", "steps are very short");
        /// Kinematic viscosity ν of the laminar model. Water has 1e-6, olive oil 1e-4, honey about 7e-3; 0 switches it off.
        /// It shortens the time step where 0.125 h²/ν, h being half the support radius, is below the other limits; the implicit model does not.
        kinematic_viscosity: f32 = 1e-6 => Spec::new("Kinematic viscosity").unit("m²/s").range(0.0..=1e6).log_slider(0.0..=0.1, 1e-7)
            .usual(1e-6..=1e-2)
            .ends("eddies and splashes live long", "the fluid creeps like honey, and steps are short unless the model is implicit");
        /// Form of the laminar viscosity.
        viscosity_model: ViscosityModel = ViscosityModel::Morris => Spec::new("Viscosity model");
        /// Coefficient α of the artificial viscosity (Monaghan1992), which damps particles that approach each other; usually
        /// 0.01 to 0.1. 0 switches it off.
        artificial_viscosity: f32 = 0.05 => Spec::new("Artificial viscosity α").range(0.0..=1e6).slider(0.0..=0.5, 1e-3)
            .usual(0.01..=0.1)
            .ends("particles are noisy where streams meet", "the fluid is sluggish, more so the coarser it is");
        /// Coefficient δ of the density diffusion of WCSPH, which smooths the density from particle to particle; usually 0.1. 0
        /// switches it off, and the pressure grows noisy.
        density_diffusion: f32 = 0.1 => Spec::new("Diffusion δ").range(0.0..=1e6).slider(0.0..=0.5, 1e-3)
            .usual(0.05..=0.2)
            .ends("the pressure is noisy", "details of the pressure are smoothed away");
    }
}
