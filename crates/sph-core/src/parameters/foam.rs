//! Parameters of foam, spray and bubbles.

use super::table::choice::choice;
use super::table::define::parameters;
use super::table::spec::Spec;

choice! {
    /// Models of foam, spray and bubbles.
    pub enum FoamModel, default None {
        /// No foam.
        None = "none", "None";
        /// Particles of air and water without mass, made where fluid traps air or a crest breaks, and carried by the flow (Ihmsen2012).
        Ihmsen = "ihmsen", "Ihmsen 2012";
    }
}

parameters! {
    /// Foam, spray and bubbles: white particles that the fluid carries, for the eye. They never act on the fluid.
    pub struct FoamParameters {
        /// Model of foam, spray and bubbles.
        model: FoamModel = FoamModel::default() => Spec::new("Foam model");
        /// Speed scale V of the scene: the thresholds of trapped air and of kinetic energy are in units of V and V², the rates in units of V
        /// over the particle spacing.
        speed: f32 = 1.0 => Spec::new("Speed scale").unit("m/s").range(1e-6..=1e6).log_slider(0.1..=100.0, 1e-3)
            .default_words("the highest speed to expect of the fluid and of solids")
            .usual(0.1..=20.0)
            .ends("calm fluid foams as well", "only the fastest fluid foams");
        /// Particles made by a fluid particle that traps as much air as possible, at full kinetic energy, in the time that the speed V
        /// takes for a particle spacing.
        trapped_air_rate: f32 = 4.0 => Spec::new("Rate at trapped air").range(0.0..=1000.0).log_slider(0.0..=100.0, 0.01)
            .usual(1.0..=20.0)
            .ends("impacts make no foam", "impacts turn white at once");
        /// Particles made by a fluid particle on the sharpest crest, at full kinetic energy, in that time.
        crest_rate: f32 = 4.0 => Spec::new("Rate at crests").range(0.0..=1000.0).log_slider(0.0..=100.0, 0.01)
            .usual(1.0..=20.0)
            .ends("waves that break make no foam", "every crest turns white");
        /// Least trapped air: approach of the neighbours, as a weighted mean of `|v_ij| (1 − cos φ)` in units of V, from which on
        /// particles are made.
        trapped_air_from: f32 = 0.07 => Spec::new("Trapped air from").range(0.0..=100.0).slider(0.0..=1.0, 0.01)
            .usual(0.02..=0.3)
            .ends("any approach of particles makes foam", "only violent impacts do");
        /// Trapped air of the full rate, in units of V.
        trapped_air_to: f32 = 0.35 => Spec::new("Trapped air to").range(0.0..=100.0).slider(0.0..=1.0, 0.01)
            .usual(0.1..=1.0)
            .ends("the full rate is reached at once", "the full rate is hardly reached");
        /// Least kinetic energy, `v²/2` in units of V², from which on particles are made.
        energy_from: f32 = 0.08 => Spec::new("Energy from").range(0.0..=100.0).slider(0.0..=1.0, 0.01)
            .usual(0.01..=0.3)
            .ends("slow fluid makes foam as well", "only the fastest fluid does");
        /// Kinetic energy of the full rate, in units of V².
        energy_to: f32 = 0.4 => Spec::new("Energy to").range(0.0..=100.0).slider(0.0..=1.0, 0.01)
            .usual(0.1..=1.0)
            .ends("the full rate is reached at once", "the full rate is hardly reached");
        /// Mean lifetime of foam, spray and bubbles.
        lifetime: f32 = 3.0 => Spec::new("Lifetime").unit("s").range(1e-3..=1e4).log_slider(0.1..=30.0, 0.01)
            .usual(0.5..=10.0)
            .ends("foam vanishes as soon as it is made", "foam stays and covers the surface");
        /// Buoyancy k_b of bubbles, in units of gravity.
        buoyancy: f32 = 1.5 => Spec::new("Buoyancy of bubbles").range(0.0..=100.0).slider(0.0..=5.0, 0.01)
            .usual(0.5..=3.0)
            .ends("bubbles stay where they are", "bubbles shoot up");
        /// Drag k_d of the fluid on bubbles: they rise at `k_b g / k_d` through fluid at rest.
        drag: f32 = 60.0 => Spec::new("Drag on bubbles").unit("1/s").range(0.0..=1e6).log_slider(1.0..=1e3, 0.1)
            .usual(10.0..=200.0)
            .ends("bubbles rise past the fluid, ever faster", "bubbles stick to the fluid");
        /// Largest number of particles of foam, spray and bubbles; with more, none are made.
        limit: u32 = 100_000 => Spec::new("Limit").range(1.0..=1e7).log_slider(1e3..=1e6, 1.0)
            .usual(10000.0..=1000000.0)
            .ends("no foam is left to make", "drawing becomes slow");
    }
}
