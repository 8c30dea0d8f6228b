//! Parameters of the pressure solvers.

use super::table::choice::choice;
use super::table::define::parameters;
use super::table::spec::Spec;
use super::walls::WallPressure;
use super::wcsph::WcsphParameters;

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
        /// Position-based fluids: positions are corrected, velocities follow from them (Macklin2013). Not for numbers:
        /// energy and pressure depend on the iterations and the step. For looks, stable with few iterations.
        Pbf = "pbf", "PBF (not for numbers)";
    }
}

impl Method {
    /// True for the incompressible methods, which iterate until the density is within tolerance.
    pub fn is_iterative(self) -> bool {
        self != Self::Wcsph
    }
}

parameters! {
    /// Convergence of the density iterations of a solver.
    pub struct Iterations {
        /// Density tolerance: mean relative compression at which the iterations have converged.
        tolerance: f32 = 1e-3 => Spec::new("Density tolerance").range(1e-6..=0.1).log_slider(1e-5..=1e-2, 1e-6).percent()
            .usual(1e-4..=3e-3)
            .ends("less compression, more iterations", "fewer iterations; the fluid loses volume");
        /// Minimum number of density iterations in a step, even if the tolerance is reached at once.
        min_iterations: u32 = 2 => Spec::new("Minimum iterations").range(1.0..=1000.0).log_slider(1.0..=50.0, 1.0)
            .usual(1.0..=5.0)
            .ends("steps end as soon as the tolerance is met", "every step costs more than it needs");
        /// Maximum number of density iterations in a step, even if the tolerance is not reached. If every step ends so, a
        /// smaller time-step factor helps more than more iterations.
        max_iterations: u32 = 100 => Spec::new("Maximum iterations").range(1.0..=1000.0).log_slider(1.0..=300.0, 1.0)
            .range_words("the minimum number to 1000")
            .usual(50.0..=200.0)
            .ends("steps end before the tolerance is met, and fluid is compressed", "a step may take long");
    }
}

choice! {
    /// Signs that the pressure of DFSPH may have.
    pub enum PressureSign, default Positive {
        /// Pressure is never negative: fluid pushes and never pulls (Bender2017). For splashing.
        Positive = "positive", "Positive";
        /// Inside the fluid pressure has either sign; at free surfaces it is not negative. For vortices and closed flows.
        ///
        /// The divergence solve sets pressure and velocity; the density solve corrects positions only (Cornelis2019).
        Signed = "signed", "Either sign inside";
    }
}

parameters! {
    /// Convergence of the density and the divergence iterations of DFSPH.
    pub struct DfsphParameters {
        /// Signs that the pressure may have.
        pressure: PressureSign = PressureSign::default() => Spec::new("Pressure");
        /// Density tolerance: mean relative compression at which the density iterations have converged.
        tolerance: f32 = 1e-4 => Spec::new("Density tolerance").range(1e-6..=0.1).log_slider(1e-5..=1e-2, 1e-6).percent()
            .usual(1e-4..=3e-3)
            .ends("less compression, more iterations", "fewer iterations; the fluid loses volume");
        /// Divergence tolerance: mean relative compression in one step, by the divergence of the velocity, at which those
        /// iterations have converged.
        divergence_tolerance: f32 = 1e-3 => Spec::new("Divergence tolerance").range(1e-6..=0.1).log_slider(1e-5..=1e-2, 1e-6).percent()
            .usual(1e-4..=3e-3)
            .ends("less compression, more iterations", "fewer iterations; the pressure is noisier");
        /// Minimum number of density iterations in a step, even if the tolerance is reached at once.
        min_iterations: u32 = 2 => Spec::new("Minimum iterations").range(1.0..=1000.0).log_slider(1.0..=50.0, 1.0)
            .usual(1.0..=5.0)
            .ends("steps end as soon as the tolerance is met", "every step costs more than it needs");
        /// Maximum number of density iterations in a step, even if the tolerance is not reached. If every step ends so, a
        /// smaller time-step factor helps more than more iterations.
        max_iterations: u32 = 100 => Spec::new("Maximum iterations").range(1.0..=1000.0).log_slider(1.0..=300.0, 1.0)
            .range_words("the minimum number to 1000")
            .usual(50.0..=200.0)
            .ends("steps end before the tolerance is met, and fluid is compressed", "a step may take long");
        /// Minimum number of divergence iterations in a step.
        min_divergence_iterations: u32 = 1 => Spec::new("Minimum divergence iterations").range(1.0..=1000.0).log_slider(1.0..=50.0, 1.0)
            .usual(1.0..=5.0)
            .ends("steps end as soon as the tolerance is met", "every step costs more than it needs");
        /// Maximum number of divergence iterations in a step.
        max_divergence_iterations: u32 = 100 => Spec::new("Maximum divergence iterations").range(1.0..=1000.0).log_slider(1.0..=300.0, 1.0)
            .range_words("the minimum number to 1000")
            .usual(50.0..=200.0)
            .ends("steps end before the tolerance is met", "a step may take long");
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

parameters! {
    /// The pressure solver in use, and the parameters of every solver, kept for a later change of solver.
    pub struct SolverParameters {
        /// Pressure solver. It may change in mid-run: WCSPH takes short steps without iterations, the others long steps with
        /// iterations.
        method: Method = Method::Wcsph => Spec::new("Solver");
        /// Model of the pressure of walls.
        walls: WallPressure = WallPressure::default() => Spec::new("Wall pressure");
        /// Coefficient A of particle shifting (Lind2012), with any method: particles move a little from where they are dense to
        /// where they are sparse, near free surfaces only along them; 4 for vortices and closed flows. 0 switches it off.
        shifting: f32 = 0.0 => Spec::new("Shifting A").range(0.0..=10.0).slider(0.0..=8.0, 0.01)
            .usual(0.0..=4.0)
            .ends("particles gather in lines along the flow", "particles drift, and free surfaces smear");
        tables {
            /// Parameters of [`Method::Wcsph`].
            "wcsph" wcsph: WcsphParameters = WcsphParameters::default();
            /// Iterations of [`Method::Pcisph`].
            "pcisph" pcisph: Iterations = Iterations { tolerance: 1e-3, min_iterations: 3, max_iterations: 100 };
            /// Iterations of [`Method::Iisph`].
            "iisph" iisph: Iterations = Iterations { tolerance: 1e-4, min_iterations: 2, max_iterations: 100 };
            /// Iterations of [`Method::Dfsph`].
            "dfsph" dfsph: DfsphParameters = DfsphParameters::default();
            /// Iterations of [`Method::Pbf`].
            "pbf" pbf: Iterations = Iterations { tolerance: 1e-2, min_iterations: 8, max_iterations: 16 };
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
