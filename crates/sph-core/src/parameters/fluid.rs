//! Parameters of the fluid: those of every scene, several fluids in one scene, forces that are off by default, foam.

use super::solver::Method;
use super::table::{Group, Spec, parameters};
use super::value::{Value, choice};

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
        /// The central form at the end of the step (Weiler2018): viscosity never shortens the step; each step solves a linear
        /// equation.
        Implicit = "implicit", "Implicit";
    }
}

/// True if the value of `fluid.viscosity_model` is the implicit model.
fn is_implicit(model: Value) -> bool {
    model == Value::Choice(ViscosityModel::Implicit.name())
}

/// True if the value of `solver.method` is WCSPH.
fn is_wcsph(method: Value) -> bool {
    method == Value::Choice(Method::Wcsph.name())
}

parameters! {
    /// Constants of the fluid.
    pub struct FluidParameters in Fluid {
        /// Numerical speed of sound c₀: the stiffness of the fluid, whose pressure rises with its square. Ten times the highest
        /// speed keeps the density within 1 % (Monaghan1994); a lower one allows longer steps.
        sound_speed: f32 = 1.0 => Spec::new("Speed of sound").basic().row_after("fluid.artificial_viscosity").effective_if("solver.method", is_wcsph).unit("m/s").range(1e-3..=1e5).log_slider(0.1..=1e3, 0.1)
            .default_words("10·√(v² + 2·|gravity|·height), at least 1; height: extent of the fluid along gravity, including \
                emitters and what they fall onto, or of the containers if there is none; v: highest speed in an opening")
            .usual(1.0..=200.0)
            .ends("the fluid is soft and compresses under its own weight", "steps are very short");
        /// Kinematic viscosity ν of the laminar model. Water has 1e-6, olive oil 1e-4, honey about 7e-3; 0 switches it off.
        /// It shortens the time step if 0.125 h²/ν (h: half the support radius) is below the other limits; the implicit model does not.
        kinematic_viscosity: f32 = 1e-6 => Spec::new("Kinematic viscosity").basic().unit("m²/s").range(0.0..=1e6).log_slider(0.0..=0.1, 1e-7)
            .usual(1e-6..=1e-2)
            .ends("eddies and splashes last long", "the fluid creeps like honey, and steps are short unless the model is implicit");
        /// Form of the laminar viscosity.
        viscosity_model: ViscosityModel = ViscosityModel::Morris => Spec::new("Viscosity model");
        /// Coefficient α of the artificial viscosity (Monaghan1992), which damps particles that approach each other; usually
        /// 0.01 to 0.1. 0 switches it off.
        artificial_viscosity: f32 = 0.05 => Spec::new("Artificial viscosity α").range(0.0..=1e6).slider(0.0..=0.5, 1e-3)
            .usual(0.01..=0.1)
            .ends("particles are noisy where streams meet", "the fluid is sluggish, especially at coarse resolutions");
        /// Coefficient δ of the density diffusion of WCSPH, which smooths the density from particle to particle; usually 0.1. 0
        /// switches it off, and the pressure grows noisy.
        density_diffusion: f32 = 0.1 => Spec::new("Diffusion δ").group(Group::Solver).row_after("solver.wcsph.diffusion").effective_if("solver.method", is_wcsph).range(0.0..=1e6).slider(0.0..=0.5, 1e-3)
            .usual(0.05..=0.2)
            .ends("the pressure is noisy", "details of the pressure are smoothed away");
    }
}

// Fluids of a scene with more than one.

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

parameters! {
    /// Forces and motions that are off by default.
    pub struct ForceParameters in Forces {
        /// Relative residual at which the implicit viscosity has converged: the residual over the change of velocity in a step.
        viscosity_tolerance: f32 = 0.01 => Spec::new("Viscosity tolerance").group(Group::Fluid).effective_if("fluid.viscosity_model", is_implicit).range(1e-6..=0.1).log_slider(1e-6..=0.1, 1e-6)
            .usual(1e-3..=0.05)
            .ends("more iterations, more exact", "fewer iterations; viscosity is too weak");
        /// Maximum number of iterations of the implicit viscosity in a step.
        max_viscosity_iterations: u32 = 100 => Spec::new("Maximum viscosity iterations").group(Group::Fluid).effective_if("fluid.viscosity_model", is_implicit).range(1.0..=1000.0).log_slider(1.0..=300.0, 1.0)
            .usual(50.0..=200.0)
            .ends("viscosity is too weak", "a step may take a long time");
        /// Surface tension σ, which makes drops round. Water has 0.073, which matters at scales of centimetres. 0 switches it
        /// off.
        surface_tension: f32 = 0.0 => Spec::new("Surface tension").basic().unit("N/m").range(0.0..=1e3).log_slider(0.0..=10.0, 1e-3)
            .usual(0.0..=0.1)
            .ends("surfaces tear easily", "the fluid contracts into drops, and steps are shorter");
        /// Work of adhesion w between fluid and wall. The contact angle θ has `cos θ = w/σ − 1`: with w = 2σ fluid wets walls
        /// completely, with w = σ it meets them at 90°. 0 switches it off.
        adhesion: f32 = 0.0 => Spec::new("Adhesion to walls").group(Group::Boundary).unit("N/m").range(0.0..=1e3).log_slider(0.0..=10.0, 1e-3)
            .usual(0.0..=0.15)
            .ends("fluid runs off walls", "fluid clings to walls and spreads on them");
        /// Micropolar transfer coefficient ν_t (Bender2017a): the flow and the spin of its particles drive each other, so
        /// eddies last longer. 0 switches spin off.
        vorticity_transfer: f32 = 0.0 => Spec::new("Vorticity transfer").unit("m²/s").range(0.0..=100.0).log_slider(0.0..=1.0, 1e-4)
            .usual(0.0..=0.1)
            .ends("eddies decay naturally", "eddies are amplified, up to noise");
        /// Share ν_ω of the neighbours' mean spin that a particle adopts in a step.
        vorticity_smoothing: f32 = 0.1 => Spec::new("Vorticity smoothing").effective_if("fluid.vorticity_transfer", Value::is_positive).range(0.0..=1.0).slider(0.0..=1.0, 0.01)
            .usual(0.05..=0.5)
            .ends("neighbours spin independently", "neighbours spin as one");
        /// Micro-inertia Θ: moment of inertia of a particle's spin per mass.
        micro_inertia: f32 = 2.0 => Spec::new("Micro-inertia").effective_if("fluid.vorticity_transfer", Value::is_positive).unit("m²").range(1e-9..=1e6).log_slider(1e-2..=1e2, 1e-2)
            .usual(0.5..=10.0)
            .ends("spin follows the flow at once", "spin lasts longer than the flow that caused it");
        /// XSPH coefficient ε (Monaghan1989): share of its neighbours' mean velocity in a particle's motion; its own velocity
        /// does not change; usually 0.5. 0 switches it off.
        xsph: f32 = 0.0 => Spec::new("XSPH ε").range(0.0..=1.0).slider(0.0..=1.0, 0.01)
            .usual(0.0..=0.5)
            .ends("particles move with their own velocity", "particles move with their neighbours; fine motion is lost");
        /// Coefficient k of the wall friction of the tests. 0 switches it off.
        #[cfg(test)]
        wall_friction: f32 = 0.0 => Spec::new("Wall friction").unit("1/s").range(0.0..=1e6).log_slider(0.0..=10.0, 1e-3)
            .usual(0.0..=1.0)
            .ends("fluid slides along walls", "fluid sticks to walls");
    }
}

// Parameters of foam, spray and bubbles.

choice! {
    /// Models of foam, spray and bubbles.
    pub enum FoamModel, default None {
        /// No foam.
        None = "none", "None";
        /// Massless particles of air and water that form where fluid traps air or a crest breaks, and move with the flow (Ihmsen2012).
        Ihmsen = "ihmsen", "Ihmsen 2012";
    }
}

/// True if the value of `foam.model` is one that makes foam.
fn is_foam(model: Value) -> bool {
    model != Value::Choice(FoamModel::None.name())
}

parameters! {
    /// Foam, spray and bubbles: white particles that the fluid carries, for the eye. They never act on the fluid.
    pub struct FoamParameters in Foam {
        /// Model of foam, spray and bubbles.
        model: FoamModel = FoamModel::default() => Spec::new("Foam model").basic();
        /// Speed scale V of the scene: the thresholds of trapped air and of kinetic energy are in units of V and V², the rates in units of V
        /// over the particle spacing.
        speed: f32 = 1.0 => Spec::new("Speed scale").effective_if("foam.model", is_foam).unit("m/s").range(1e-6..=1e6).log_slider(0.1..=100.0, 1e-3)
            .default_words("the highest expected speed of fluid and solids")
            .usual(0.1..=20.0)
            .ends("calm fluid foams too", "only the fastest fluid foams");
        /// Foam particles generated by a fluid particle that traps the most air, at full kinetic energy, in the time in which
        /// fluid of speed V covers one particle spacing.
        trapped_air_rate: f32 = 4.0 => Spec::new("Trapped-air rate").effective_if("foam.model", is_foam).range(0.0..=1000.0).log_slider(0.0..=100.0, 0.01)
            .usual(1.0..=20.0)
            .ends("impacts make no foam", "impacts turn white at once");
        /// Foam particles generated by a fluid particle on the sharpest crest, at full kinetic energy, in the same time.
        crest_rate: f32 = 4.0 => Spec::new("Crest rate").effective_if("foam.model", is_foam).range(0.0..=1000.0).log_slider(0.0..=100.0, 0.01)
            .usual(1.0..=20.0)
            .ends("breaking waves make no foam", "every crest turns white");
        /// Trapped air above which foam forms: approach of the neighbours, as a weighted mean of `|v_ij| (1 − cos φ)` in units
        /// of V.
        trapped_air_from: f32 = 0.07 => Spec::new("Minimum trapped air").effective_if("foam.model", is_foam).range(0.0..=100.0).slider(0.0..=1.0, 0.01)
            .usual(0.02..=0.3)
            .ends("any approach of particles makes foam", "only violent impacts make foam");
        /// Trapped air at which the full rate is reached, in units of V.
        trapped_air_to: f32 = 0.35 => Spec::new("Full-rate trapped air").effective_if("foam.model", is_foam).range(0.0..=100.0).slider(0.0..=1.0, 0.01)
            .usual(0.1..=1.0)
            .ends("the full rate is reached at once", "the full rate is hardly ever reached");
        /// Kinetic energy above which foam forms, `v²/2` in units of V².
        energy_from: f32 = 0.08 => Spec::new("Minimum energy").effective_if("foam.model", is_foam).range(0.0..=100.0).slider(0.0..=1.0, 0.01)
            .usual(0.01..=0.3)
            .ends("even slow fluid makes foam", "only the fastest fluid makes foam");
        /// Kinetic energy at which the full rate is reached, in units of V².
        energy_to: f32 = 0.4 => Spec::new("Full-rate energy").effective_if("foam.model", is_foam).range(0.0..=100.0).slider(0.0..=1.0, 0.01)
            .usual(0.1..=1.0)
            .ends("the full rate is reached at once", "the full rate is hardly ever reached");
        /// Mean lifetime of foam, spray and bubbles.
        lifetime: f32 = 3.0 => Spec::new("Lifetime").effective_if("foam.model", is_foam).unit("s").range(1e-3..=1e4).log_slider(0.1..=30.0, 0.01)
            .usual(0.5..=10.0)
            .ends("foam vanishes as soon as it is made", "foam stays and covers the surface");
        /// Buoyancy k_b of bubbles, in units of gravity.
        buoyancy: f32 = 1.5 => Spec::new("Buoyancy of bubbles").effective_if("foam.model", is_foam).range(0.0..=100.0).slider(0.0..=5.0, 0.01)
            .usual(0.5..=3.0)
            .ends("bubbles stay where they are", "bubbles shoot up");
        /// Drag k_d of the fluid on bubbles: they rise at `k_b g / k_d` through fluid at rest.
        drag: f32 = 60.0 => Spec::new("Drag on bubbles").effective_if("foam.model", is_foam).unit("1/s").range(0.0..=1e6).log_slider(1.0..=1e3, 0.1)
            .usual(10.0..=200.0)
            .ends("bubbles accelerate past the fluid", "bubbles stick to the fluid");
        /// Maximum number of foam, spray and bubble particles; beyond it, no new ones form.
        limit: u32 = 100_000 => Spec::new("Limit").effective_if("foam.model", is_foam).range(1.0..=1e7).log_slider(1e3..=1e6, 1.0)
            .usual(10000.0..=1000000.0)
            .ends("no foam forms", "drawing becomes slow");
    }
}
