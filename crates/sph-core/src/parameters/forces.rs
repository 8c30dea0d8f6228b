//! Parameters of forces and motions that are off by default.

use super::table::define::parameters;
use super::table::spec::Spec;

parameters! {
    /// Forces and motions that are off by default.
    pub struct ForceParameters {
        /// Relative residual at which the implicit viscosity has converged: the residual over the change of velocity in a step.
        viscosity_tolerance: f32 = 0.01 => Spec::new("Viscosity tolerance").range(1e-6..=0.1).log_slider(1e-6..=0.1, 1e-6)
            .usual(1e-3..=0.05)
            .ends("more iterations, more exact", "fewer iterations; the viscosity acts too little");
        /// Maximum number of iterations of the implicit viscosity in a step.
        max_viscosity_iterations: u32 = 100 => Spec::new("Maximum viscosity iterations").range(1.0..=1000.0).log_slider(1.0..=300.0, 1.0)
            .usual(50.0..=200.0)
            .ends("the viscosity acts too little", "a step may take long");
        /// Surface tension σ, which makes drops round. Water has 0.073, which shows in scenes of centimetres. 0 switches it
        /// off.
        surface_tension: f32 = 0.0 => Spec::new("Surface tension").unit("N/m").range(0.0..=1e3).log_slider(0.0..=10.0, 1e-3)
            .usual(0.0..=0.1)
            .ends("surfaces tear freely", "the fluid draws together into drops, and steps are shorter");
        /// Work of adhesion w between fluid and wall: fluid meets walls at an angle θ with `cos θ = w/σ − 1`, so that twice the
        /// surface tension σ wets walls and once stands upright on them. 0 switches it off.
        adhesion: f32 = 0.0 => Spec::new("Adhesion to walls").unit("N/m").range(0.0..=1e3).log_slider(0.0..=10.0, 1e-3)
            .usual(0.0..=0.15)
            .ends("fluid runs off walls", "fluid clings to walls and spreads on them");
        /// Micropolar transfer coefficient ν_t (Bender2017a), with which the flow and the spin of its particles drive each
        /// other, so that eddies live longer. 0 switches spin off.
        vorticity_transfer: f32 = 0.0 => Spec::new("Vorticity transfer").unit("m²/s").range(0.0..=100.0).log_slider(0.0..=1.0, 1e-4)
            .usual(0.0..=0.1)
            .ends("eddies die out as they would", "eddies are driven, up to noise");
        /// Share ν_ω of the neighbours' mean spin that a particle takes over in a step.
        vorticity_smoothing: f32 = 0.1 => Spec::new("Vorticity smoothing").range(0.0..=1.0).slider(0.0..=1.0, 0.01)
            .usual(0.05..=0.5)
            .ends("neighbours spin independently", "neighbours spin as one");
        /// Micro-inertia Θ: inertia of a particle's spin over its mass.
        micro_inertia: f32 = 2.0 => Spec::new("Micro-inertia").unit("m²").range(1e-9..=1e6).log_slider(1e-2..=1e2, 1e-2)
            .usual(0.5..=10.0)
            .ends("spin follows the flow at once", "spin lasts longer than the flow that caused it");
        /// XSPH coefficient ε (Monaghan1989): share of its neighbours' mean velocity with which a particle moves, while its own
        /// velocity stays; usually 0.5. 0 switches it off.
        xsph: f32 = 0.0 => Spec::new("XSPH ε").range(0.0..=1.0).slider(0.0..=1.0, 0.01)
            .usual(0.0..=0.5)
            .ends("particles move with their own velocity", "particles move with their neighbours; fine motion is lost");
    }
}
