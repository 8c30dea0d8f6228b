//! Which solver, and what each lets its user choose.

use crate::boundary::WallPressure;
use crate::parameters::{ParameterError, require};

/// The pressure solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Weakly compressible: pressure follows density by an equation of state. No iterations, short steps.
    Wcsph,
    /// Predictive–corrective: pressure corrects the density that moving by it would give (Solenthaler2009).
    Pcisph,
    /// Implicit: the pressure equation, solved by relaxed Jacobi iterations (Ihmsen2014).
    Iisph,
    /// Divergence-free: a second solve keeps the velocity free of divergence (Bender2017).
    Dfsph,
    /// Position-based: positions are corrected, velocities follow from them (Macklin2013).
    Pbf,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 5] = [Self::Wcsph, Self::Pcisph, Self::Iisph, Self::Dfsph, Self::Pbf];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wcsph => "wcsph",
            Self::Pcisph => "pcisph",
            Self::Iisph => "iisph",
            Self::Dfsph => "dfsph",
            Self::Pbf => "pbf",
        }
    }

    /// Whether it iterates until the density is right, rather than letting it vary.
    pub fn is_iterative(self) -> bool {
        self != Self::Wcsph
    }
}

/// The method, and the parameters of every method, so that they are still there when one comes back to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverParameters {
    /// The method in use.
    pub method: Method,
    /// Where walls have their pressure from.
    pub walls: WallPressure,
    /// What [`Method::Wcsph`] is made of.
    pub wcsph: WcsphParameters,
    /// Density iterations of [`Method::Pcisph`].
    pub pcisph: Iterations,
    /// Density iterations of [`Method::Iisph`].
    pub iisph: Iterations,
    /// Density iterations of [`Method::Dfsph`].
    pub dfsph: Iterations,
    /// Divergence iterations of [`Method::Dfsph`]; their tolerance is a compression in one step.
    pub dfsph_divergence: Iterations,
    /// Density iterations of [`Method::Pbf`].
    pub pbf: Iterations,
    /// Coefficient A of particle shifting, dimensionless, 0 to 10, usually 2; with any method. 0 switches it off.
    pub shifting: f32,
}

/// The parts of weakly compressible SPH.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WcsphParameters {
    /// From density to pressure.
    pub equation_of_state: StateEquation,
    /// What density diffusion leaves alone.
    pub diffusion: DensityDiffusion,
    /// From one moment to the next.
    pub integration: Integration,
    /// What becomes of pressures below zero.
    pub negative_pressure: NegativePressure,
    /// Pressure added between particles to that of the equation of state, Pa, 0 or more. It evens their distances out, and needs fluid
    /// on all sides: a free surface would be blown away.
    pub background_pressure: f32,
}

/// What becomes of pressures below zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NegativePressure {
    /// They are none: fluid pushes and never pulls. For splashing, where particles that have parted should stay so.
    #[default]
    None,
    /// They stay, but away from free surfaces act as `p_j − p_i` between two particles instead of `p_j + p_i`, so that particles do not
    /// clump (Sun2018). For flows that are pulled: vortices, closed flows. Momentum is then conserved only nearly.
    TensileControl,
}

impl NegativePressure {
    /// Both ways.
    pub const ALL: [Self; 2] = [Self::None, Self::TensileControl];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::TensileControl => "tensile_control",
        }
    }
}

/// Equations of state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StateEquation {
    /// Tait's: `p = ρ₀c₀²/7 · [(ρ/ρ₀)⁷ − 1]`, stiffer the denser.
    #[default]
    Tait,
    /// `p = c₀² (ρ − ρ₀)`.
    Linear,
}

/// Forms of the density diffusion: which differences of density count as noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DensityDiffusion {
    /// All of them (Molteni2009); wrong at the surface of fluid at rest.
    Molteni,
    /// All but the hydrostatic one (Fourtakas2019).
    #[default]
    Fourtakas,
    /// All but the gradient that the neighbourhood has (Antuono2010); one more pass.
    Antuono,
}

/// Integration in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Integration {
    /// Symplectic Euler: one evaluation a step.
    #[default]
    SymplecticEuler,
    /// Symplectic predictor–corrector: two evaluations a step, second order.
    PredictorCorrector,
}

impl StateEquation {
    /// Every equation.
    pub const ALL: [Self; 2] = [Self::Tait, Self::Linear];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tait => "tait",
            Self::Linear => "linear",
        }
    }
}

impl DensityDiffusion {
    /// Every form.
    pub const ALL: [Self; 3] = [Self::Molteni, Self::Fourtakas, Self::Antuono];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Molteni => "molteni",
            Self::Fourtakas => "fourtakas",
            Self::Antuono => "antuono",
        }
    }
}

impl Integration {
    /// Every integration.
    pub const ALL: [Self; 2] = [Self::SymplecticEuler, Self::PredictorCorrector];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::SymplecticEuler => "symplectic_euler",
            Self::PredictorCorrector => "predictor_corrector",
        }
    }
}

/// How long a solver iterates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iterations {
    /// Mean over the particles of the relative compression that is good enough, 1e-6 to 0.1.
    pub tolerance: f32,
    /// Least iterations, whatever the error; 1 to 1000.
    pub minimum: u32,
    /// Most iterations, whatever the error; `minimum` to 1000.
    pub maximum: u32,
}

impl Default for SolverParameters {
    fn default() -> Self {
        Self {
            method: Method::Wcsph,
            walls: WallPressure::default(),
            wcsph: WcsphParameters::default(),
            pcisph: Iterations { tolerance: 1e-3, minimum: 3, maximum: 100 },
            iisph: Iterations { tolerance: 1e-4, minimum: 2, maximum: 100 },
            dfsph: Iterations { tolerance: 1e-4, minimum: 2, maximum: 100 },
            dfsph_divergence: Iterations { tolerance: 1e-3, minimum: 1, maximum: 100 },
            pbf: Iterations { tolerance: 1e-2, minimum: 4, maximum: 10 },
            shifting: 0.0,
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
            Method::Dfsph => Some(self.dfsph),
            Method::Pbf => Some(self.pbf),
        }
    }

    pub(crate) fn validate(&self) -> Result<(), ParameterError> {
        let &Self { method: _, walls: _, wcsph, pcisph, iisph, dfsph, dfsph_divergence, pbf, shifting } = self;
        let background = wcsph.background_pressure;
        require((0.0..=1e9).contains(&background), "solver.wcsph.background_pressure", background, "0 to 1e9 (Pa)")?;
        require((0.0..=10.0).contains(&shifting), "solver.shifting", shifting, "0 to 10")?;
        let keys = |name: [&'static str; 3], iterations: Iterations| iterations.validate(name);
        keys(["solver.pcisph.tolerance", "solver.pcisph.min_iterations", "solver.pcisph.max_iterations"], pcisph)?;
        keys(["solver.iisph.tolerance", "solver.iisph.min_iterations", "solver.iisph.max_iterations"], iisph)?;
        keys(["solver.dfsph.tolerance", "solver.dfsph.min_iterations", "solver.dfsph.max_iterations"], dfsph)?;
        let divergence = [
            "solver.dfsph.divergence_tolerance",
            "solver.dfsph.min_divergence_iterations",
            "solver.dfsph.max_divergence_iterations",
        ];
        keys(divergence, dfsph_divergence)?;
        keys(["solver.pbf.tolerance", "solver.pbf.min_iterations", "solver.pbf.max_iterations"], pbf)
    }
}

impl Iterations {
    fn validate(&self, [tolerance, minimum, maximum]: [&'static str; 3]) -> Result<(), ParameterError> {
        require((1e-6..=0.1).contains(&self.tolerance), tolerance, self.tolerance, "1e-6 to 0.1")?;
        require((1..=1000).contains(&self.minimum), minimum, self.minimum as f32, "1 to 1000")?;
        let reachable = (self.minimum..=1000).contains(&self.maximum);
        require(reachable, maximum, self.maximum as f32, "from the least number of iterations to 1000")
    }
}
