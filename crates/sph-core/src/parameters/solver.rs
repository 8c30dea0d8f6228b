//! Parameters of the pressure solvers, those of weakly compressible SPH included, and bounds on the time step.

use super::discretization::{Discretization, WallPressure};
use super::table::{Group, ParameterError, Spec, parameters, require};
use super::value::{Value, choice};

choice! {
    /// Pressure solvers.
    pub enum Method, default Wcsph {
        /// Weakly compressible SPH: pressure from density by an equation of state; no iterations, short steps (Monaghan1994).
        Wcsph = "wcsph", "WCSPH";
        /// Predictive–corrective incompressible SPH: pressure corrects the predicted density (Solenthaler2009).
        Pcisph = "pcisph", "PCISPH";
        /// Implicit incompressible SPH: the pressure equation for the density after the step (Ihmsen2014).
        Iisph = "iisph", "IISPH";
        /// Divergence-free SPH: IISPH's equation, and a second one that keeps the velocity free of divergence (Bender2017).
        Dfsph = "dfsph", "DFSPH";
        /// Position-based fluids: positions are corrected, velocities follow from them (Macklin2013). Not for measurements:
        /// energy and pressure depend on the iterations and the step. For appearance; stable with few iterations.
        Pbf = "pbf", "PBF (not for measurements)";
    }
}

impl Method {
    /// True for the incompressible methods, which iterate until the density is within tolerance.
    pub fn is_iterative(self) -> bool {
        self != Self::Wcsph
    }
}

choice! {
    /// Coarse-grid correction of the pressure with which density iterations begin.
    pub enum CoarseCorrection, default Off {
        /// All pressure comes from iterations over neighbours.
        Off = "off", "Off";
        /// Smooth pressure comes from a grid of cubes of two support radii.
        On = "on", "On";
    }
}

parameters! {
    /// Convergence of the density iterations of a solver.
    pub struct Iterations in Solver {
        /// Density tolerance: mean relative compression at which the iterations have converged.
        tolerance: f32 = 1e-3 => Spec::new("Density tolerance").range(1e-6..=0.1).log_slider(1e-5..=1e-2, 1e-6).percent()
            .usual(1e-4..=3e-3)
            .ends("less compression, more iterations", "fewer iterations; the fluid loses volume");
        /// Minimum number of density iterations in a step, even if the tolerance is reached at once.
        min_iterations: u32 = 2 => Spec::new("Minimum iterations").range(1.0..=1000.0).log_slider(1.0..=50.0, 1.0)
            .usual(1.0..=5.0)
            .ends("steps end as soon as the tolerance is met", "every step costs more than necessary");
        /// Maximum number of density iterations in a step, even if the tolerance is not reached. If this happens in every step,
        /// a smaller time-step factor helps more than more iterations.
        max_iterations: u32 = 100 => Spec::new("Maximum iterations").range(1.0..=1000.0).log_slider(1.0..=300.0, 1.0)
            .range_words("the minimum number to 1000")
            .usual(50.0..=200.0)
            .ends("steps end before the tolerance is met, and fluid is compressed", "a step may take a long time");
    }
}

choice! {
    /// Signs that the pressure of DFSPH may have.
    pub enum PressureSign, default Positive {
        /// Pressure is never negative: fluid pushes and never pulls (Bender2017). For splashing.
        Positive = "positive", "Positive";
        /// Inside the fluid pressure has either sign; at free surfaces it is never negative. For vortices and closed flows.
        ///
        /// The divergence solve sets pressure and velocity; the density solve corrects positions only (Cornelis2019).
        Signed = "signed", "Positive or negative inside";
    }
}

parameters! {
    /// Convergence of the density and the divergence iterations of DFSPH.
    pub struct DfsphParameters in Solver {
        /// Allowed signs of the pressure.
        pressure: PressureSign = PressureSign::default() => Spec::new("Pressure");
        /// Density tolerance: mean relative compression at which the density iterations have converged.
        tolerance: f32 = 1e-4 => Spec::new("Density tolerance").range(1e-6..=0.1).log_slider(1e-5..=1e-2, 1e-6).percent()
            .usual(1e-4..=3e-3)
            .ends("less compression, more iterations", "fewer iterations; the fluid loses volume");
        /// Divergence tolerance: mean relative compression in one step, caused by the divergence of the velocity, at which
        /// these iterations have converged.
        divergence_tolerance: f32 = 1e-3 => Spec::new("Divergence tolerance").range(1e-6..=0.1).log_slider(1e-5..=1e-2, 1e-6).percent()
            .usual(1e-4..=3e-3)
            .ends("less compression, more iterations", "fewer iterations; the pressure is noisier");
        /// Minimum number of density iterations in a step, even if the tolerance is reached at once.
        min_iterations: u32 = 2 => Spec::new("Minimum iterations").range(1.0..=1000.0).log_slider(1.0..=50.0, 1.0)
            .usual(1.0..=5.0)
            .ends("steps end as soon as the tolerance is met", "every step costs more than necessary");
        /// Maximum number of density iterations in a step, even if the tolerance is not reached. If this happens in every step,
        /// a smaller time-step factor helps more than more iterations.
        max_iterations: u32 = 100 => Spec::new("Maximum iterations").range(1.0..=1000.0).log_slider(1.0..=300.0, 1.0)
            .range_words("the minimum number to 1000")
            .usual(50.0..=200.0)
            .ends("steps end before the tolerance is met, and fluid is compressed", "a step may take a long time");
        /// Minimum number of divergence iterations in a step.
        min_divergence_iterations: u32 = 1 => Spec::new("Minimum divergence iterations").range(1.0..=1000.0).log_slider(1.0..=50.0, 1.0)
            .usual(1.0..=5.0)
            .ends("steps end as soon as the tolerance is met", "every step costs more than necessary");
        /// Maximum number of divergence iterations in a step.
        max_divergence_iterations: u32 = 100 => Spec::new("Maximum divergence iterations").range(1.0..=1000.0).log_slider(1.0..=300.0, 1.0)
            .range_words("the minimum number to 1000")
            .usual(50.0..=200.0)
            .ends("steps end before the tolerance is met", "a step may take a long time");
    }
}

impl Iterations {
    /// True if another iteration is needed after `done` of them, with mean relative compression `error`: fewer than the minimum are done, or
    /// the error exceeds the tolerance, and the maximum is not reached.
    pub(crate) fn needs_another(&self, done: u32, error: f32) -> bool {
        (done < self.min_iterations || error > self.tolerance) && done < self.max_iterations
    }
}

impl DfsphParameters {
    /// Convergence of the density iterations.
    pub fn density(&self) -> Iterations {
        let &Self { tolerance, min_iterations, max_iterations, .. } = self;
        Iterations { tolerance, min_iterations, max_iterations }
    }

    /// Convergence of the divergence iterations.
    pub fn divergence(&self) -> Iterations {
        let &Self { divergence_tolerance: tolerance, min_divergence_iterations, max_divergence_iterations, .. } = self;
        Iterations { tolerance, min_iterations: min_divergence_iterations, max_iterations: max_divergence_iterations }
    }
}

/// True for solvers that begin with a guess of the pressure.
fn begins_with_guess(method: Value) -> bool {
    [Method::Iisph, Method::Dfsph].map(|method| Value::Choice(method.name())).contains(&method)
}

parameters! {
    /// The pressure solver in use, and the parameters of every solver, kept for a later change of solver.
    pub struct SolverParameters in Solver {
        /// Pressure solver. It can change during a run: WCSPH takes short steps without iterations, the others long steps with
        /// iterations.
        method: Method = Method::Wcsph => Spec::new("Solver");
        /// Model of the pressure of walls.
        walls: WallPressure = WallPressure::default() => Spec::new("Wall pressure").group(Group::Boundary);
        /// Warm start of IISPH and DFSPH: share of the mean of the last two pressures with which their density iterations begin. With
        /// more they need fewer iterations, and pressure is noisier. Not used with `solver.dfsph.pressure = "signed"`.
        warm_start: f32 = 0.5 => Spec::new("Warm start").range(0.0..=1.0).slider(0.0..=1.0, 0.01)
            .effective_if("solver.method", begins_with_guess)
            .usual(0.4..=0.6)
            .ends("more iterations", "splashes gain energy");
        /// Coarse-grid correction of IISPH and DFSPH: the number of density iterations hardly grows with the depth of the fluid
        /// then. For deep, calm fluid and tight tolerances: with several fluids, around bodies and after splashes the pressure swings
        /// more from step to step. With it, the density tolerance also holds for fluid that expands under pressure. Not used in periodic
        /// domains, or with `solver.dfsph.pressure = "signed"`.
        coarse_correction: CoarseCorrection = CoarseCorrection::default() => Spec::new("Coarse correction")
            .effective_if("solver.method", begins_with_guess);
        /// Coefficient A of particle shifting (Lind2012), with any method: particles move slightly from dense to sparse
        /// regions, near free surfaces only along them; 4 for vortices and closed flows. 0 switches it off.
        shifting: f32 = 0.0 => Spec::new("Shifting A").group(Group::Forces).range(0.0..=10.0).slider(0.0..=8.0, 0.01)
            .usual(0.0..=4.0)
            .ends("particles line up along the flow", "particles drift, and free surfaces blur");
        tables {
            /// Parameters of [`Method::Wcsph`].
            "wcsph" wcsph: WcsphParameters = WcsphParameters::default() =>
                ("solver.method", |method| method == Value::Choice(Method::Wcsph.name()));
            /// Iterations of [`Method::Pcisph`].
            "pcisph" pcisph: Iterations = Iterations { tolerance: 1e-4, min_iterations: 3, max_iterations: 100 } =>
                ("solver.method", |method| method == Value::Choice(Method::Pcisph.name()));
            /// Iterations of [`Method::Iisph`].
            "iisph" iisph: Iterations = Iterations { tolerance: 1e-4, min_iterations: 2, max_iterations: 100 } =>
                ("solver.method", |method| method == Value::Choice(Method::Iisph.name()));
            /// Iterations of [`Method::Dfsph`].
            "dfsph" dfsph: DfsphParameters = DfsphParameters::default() =>
                ("solver.method", |method| method == Value::Choice(Method::Dfsph.name()));
            /// Iterations of [`Method::Pbf`].
            "pbf" pbf: Iterations = Iterations { tolerance: 1e-2, min_iterations: 8, max_iterations: 16 } =>
                ("solver.method", |method| method == Value::Choice(Method::Pbf.name()));
        }
    }
}

impl SolverParameters {
    /// The density iterations of the method in use; none for [`Method::Wcsph`].
    pub fn iterations(&self) -> Option<Iterations> {
        match self.method {
            Method::Wcsph => None,
            Method::Pcisph => Some(self.pcisph),
            Method::Iisph => Some(self.iisph),
            Method::Dfsph => Some(self.dfsph.density()),
            Method::Pbf => Some(self.pbf),
        }
    }

    /// Replaces the density iterations of the method in use; nothing changes for [`Method::Wcsph`].
    pub fn set_iterations(&mut self, iterations: Iterations) {
        match self.method {
            Method::Wcsph => {}
            Method::Pcisph => self.pcisph = iterations,
            Method::Iisph => self.iisph = iterations,
            Method::Dfsph => {
                let Iterations { tolerance, min_iterations, max_iterations } = iterations;
                self.dfsph = DfsphParameters { tolerance, min_iterations, max_iterations, ..self.dfsph };
            }
            Method::Pbf => self.pbf = iterations,
        }
    }
}

// Parameters of weakly compressible SPH.

choice! {
    /// Equations of state: pressure from density.
    pub enum StateEquation, default Tait {
        /// Tait's equation, `p = ρ₀c₀²/7 · [(ρ/ρ₀)⁷ − 1]`: stiffer at higher density (Monaghan1994).
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
        /// Symplectic Euler: one evaluation of the forces per step.
        SymplecticEuler = "symplectic_euler", "Symplectic Euler";
        /// Symplectic predictor–corrector (Dominguez2022): two evaluations per step, second order.
        PredictorCorrector = "predictor_corrector", "Predictor–corrector";
    }
}

choice! {
    /// Treatments of negative pressure.
    pub enum NegativePressure, default None {
        /// Negative pressures are set to zero: fluid pushes and never pulls. For splashing.
        None = "none", "None";
        /// Negative pressures are kept and act like positive ones, as `p_j + p_i`: forces between two particles are opposite,
        /// and momentum and angular momentum are conserved. Particles clump without particle shifting. For vortices and closed
        /// flows.
        Kept = "kept", "Kept";
        /// Negative pressures are kept; inside the fluid they act as `p_j − p_i`, so that particles do not clump (Sun2018). For
        /// use without shifting; with it, `kept` is better.
        ///
        /// Away from free surfaces the force between two particles has `p_j − p_i` in place of `p_j + p_i`; momentum is then
        /// conserved only nearly.
        TensileControl = "tensile_control", "Tensile control";
    }
}

parameters! {
    /// Parameters of weakly compressible SPH.
    pub struct WcsphParameters in Solver {
        /// Equation of state: pressure from density.
        equation_of_state: StateEquation = StateEquation::default() => Spec::new("Equation of state");
        /// Scheme of integration in time.
        integration: Integration = Integration::default() => Spec::new("Integration");
        /// Form of the density diffusion: the density differences that it treats as noise.
        diffusion: DensityDiffusion = DensityDiffusion::default() => Spec::new("Density diffusion");
        /// Coefficient α₂ of the acoustic damper: a bulk viscosity α₂ c₀ h, which damps sound and the pressure shocks of
        /// impacts, but not flow without compression (Sun2023). 0 switches it off; above 2 it shortens the step. With a support
        /// radius below 2.5 spacings it does not: there calm fluid has at most 0.5, and compression or expansion beyond 0.1 % in the time in
        /// which sound crosses h is damped by all of it, as far as the length of the steps allows. Where particles lie far closer
        /// together than on a lattice it is less.
        acoustic_damping: f32 = 2.0 => Spec::new("Acoustic damping α₂").range(0.0..=4.0).slider(0.0..=4.0, 0.01)
            .usual(0.5..=2.0)
            .ends("sound from impacts travels through the fluid", "above 2 the steps are shorter");
        /// Maximum number of acoustic steps between two searches. Each advances velocities and densities by what sound allows; the
        /// particles move after the last. There are fewer where fluid is fast: it moves by at most half the time-step factor times
        /// the spacing. With the predictor–corrector, one-sided walls or a fixed step there is
        /// one.
        acoustic_steps: u32 = 4 => Spec::new("Acoustic steps").range(1.0..=16.0).slider(1.0..=16.0, 1.0)
            .usual(1.0..=6.0)
            .ends("every step of sound has a search of its own", "particles move far between two searches");
        /// Treatment of negative pressure.
        negative_pressure: NegativePressure = NegativePressure::default() => Spec::new("Negative pressure");
        /// Background pressure p_b, added to the pressure of the equation of state in the forces between particles; it evens
        /// out their spacing. Only for fluid without a free surface, which it would disperse.
        background_pressure: f32 = 0.0 => Spec::new("Background pressure").unit("Pa").range(0.0..=1e9).log_slider(0.0..=1e6, 1e-3)
            .usual(0.0..=1e4)
            .ends("particles may leave gaps in closed flows", "the fluid is noisy, and free surfaces fly apart");
    }
}

impl WcsphParameters {
    /// Coefficient of the acoustic damper in calm fluid: with a support radius below 2.5 spacings at most ½. With so few neighbours a
    /// stronger damper and the hydrostatic density diffusion together make the pressure of still water swing.
    pub(crate) fn calm_damping(&self, discretization: &Discretization) -> f32 {
        let &Discretization { support_radius, particle_spacing, .. } = discretization;
        let most = if support_radius < 2.5 * particle_spacing { 0.5 } else { f32::INFINITY };
        self.acoustic_damping.min(most)
    }
}

parameters! {
    /// Bounds on the time step.
    pub struct TimeStepParameters in TimeStep {
        /// Courant factor: fraction of the stability limits that is used. Smaller is safer and slower. With solvers that iterate particles
        /// move by at most half this factor times the spacing in a step, and it may exceed 1; WCSPH uses at most 1.
        cfl_factor: f32 = 0.4 => Spec::new("Time-step factor").range(0.0..=1.5).above_low().slider(0.05..=1.5, 0.01)
            .usual(0.2..=1.4)
            .ends("many short steps: slow and safe", "few long steps: fast, but more iterations each, and coarse impacts");
        /// Maximum time step.
        max_dt: f32 = 5e-3 => Spec::new("Maximum time step").effective_if("time_step.fixed_dt", |fixed| fixed == Value::Absent).unit("s").range(1e-9..=1.0).log_slider(1e-6..=0.1, 1e-6)
            .usual(1e-4..=1e-2)
            .ends("many short steps", "only stability limits the steps");
        /// Minimum time step, taken even if a stability limit is shorter: the run may then become unstable. 0 for no minimum.
        min_dt: f32 = 0.0 => Spec::new("Minimum time step").effective_if("time_step.fixed_dt", |fixed| fixed == Value::Absent).unit("s").range(0.0..=1.0).range_words("0 to time_step.max_dt")
            .log_slider(0.0..=5e-3, 1e-6)
            .usual(0.0..=1e-4)
            .ends("only stability limits the steps", "steps exceed the stability limits, and the fluid may explode");
        /// Fixed time step: length of every step, regardless of stability limits and bounds. If it exceeds them, the run may
        /// become unstable.
        fixed_dt: Option<f32> = None => Spec::new("Fixed step length").unit("s").range(1e-9..=1.0).log_slider(0.0..=5e-3, 1e-6)
            .default_words("not fixed")
            .usual(1e-5..=2e-3)
            .ends("many short steps", "steps exceed the stability limits, and the fluid may explode");
    }
}

impl TimeStepParameters {
    /// Checks the bounds against each other.
    pub(super) fn validate(&self) -> Result<(), ParameterError> {
        let &Self { max_dt, min_dt, .. } = self;
        require((0.0..=max_dt).contains(&min_dt), "time_step.min_dt", min_dt, "0 to time_step.max_dt (s)")
    }
}
