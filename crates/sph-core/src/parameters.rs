//! What a user chooses: the discretisation, fixed for a simulation's life, and the parameters that may change between any two steps.

use crate::forces::ForceParameters;
use crate::kernel::KernelKind;
use crate::neighbors::GridParameters;
use crate::solver::SolverParameters;
use glam::Vec3;

/// Number of space dimensions. In two dimensions every `z` is 0 and the kernels are normalised for the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dimensions {
    /// Motion in the x–y plane; masses are per metre of depth.
    Two,
    /// Motion in space.
    Three,
}

impl Dimensions {
    /// 2 or 3.
    pub fn count(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Three => 3,
        }
    }
}

/// How the continuum is cut into particles. Another discretisation is another simulation: it cannot change live.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discretization {
    /// Number of space dimensions.
    pub dimensions: Dimensions,
    /// Distance between neighbouring particles of the initial lattice, m.
    pub particle_spacing: f32,
    /// The smoothing kernel.
    pub kernel: KernelKind,
    /// Distance at which the kernel becomes zero, m. Two particles are neighbours when they are strictly closer than this.
    pub support_radius: f32,
    /// Density of the undisturbed fluid, kg/m³ (kg/m² in two dimensions per metre of depth).
    pub rest_density: f32,
}

/// Everything that may change while the simulation runs; a change acts from the next step on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// The fluid's material and numerical constants.
    pub fluid: FluidParameters,
    /// Forces and motions that are off unless they are asked for.
    pub forces: ForceParameters,
    /// Acceleration of every particle, m/s².
    pub gravity: Vec3,
    /// Bounds on the time step.
    pub time_step: TimeStepParameters,
    /// The neighbour search. Changing it changes what a step costs, never what it computes.
    pub grid: GridParameters,
    /// How pressure is found.
    pub solver: SolverParameters,
}

/// Forms of the laminar viscosity. Inside a fluid of constant density all are ν ∇²v.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ViscosityModel {
    /// Along the difference of two particles' velocities (Morris1997): smooth, the choice for flows between walls. It dissipates
    /// `ν |∇v|²`, which at a free surface is too little: half of what it should be where the flow has no rotation.
    #[default]
    Morris,
    /// Along the line between two particles (Monaghan2005): angular momentum is conserved, and the dissipation is that of the symmetric
    /// part of ∇v, as it should be, at free surfaces as well.
    Central,
    /// The form of `Central` at the end of the step (Weiler2018): no viscosity makes the step shorter, and each step solves a linear
    /// equation.
    Implicit,
}

impl ViscosityModel {
    /// Every model.
    pub const ALL: [Self; 3] = [Self::Morris, Self::Central, Self::Implicit];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Morris => "morris",
            Self::Central => "central",
            Self::Implicit => "implicit",
        }
    }
}

/// The fluid's constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FluidParameters {
    /// Numerical speed of sound c₀, m/s. Ten times the highest speed keeps density within 1 % of rest density.
    pub sound_speed: f32,
    /// Kinematic viscosity ν of the laminar model, m²/s; water has 1e-6. 0 switches the model off.
    pub kinematic_viscosity: f32,
    /// The form of the laminar model.
    pub viscosity_model: ViscosityModel,
    /// Coefficient α of the artificial viscosity, dimensionless, usually 0.01–0.1. 0 switches it off.
    pub artificial_viscosity: f32,
    /// Coefficient δ of the density diffusion, dimensionless, usually 0.1. 0 switches it off.
    pub density_diffusion: f32,
}

/// Bounds on the time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeStepParameters {
    /// Fraction of the acoustic and force limits that is used, dimensionless, in (0, 1].
    pub cfl_factor: f32,
    /// Longest step allowed, s.
    pub max_dt: f32,
    /// Shortest step, s, at most `max_dt`: taken although a limit asks for a shorter one. 0, the default, bounds nothing.
    pub min_dt: f32,
    /// Length of every step, s, whatever the limits and the bounds say; `None`, the default, lets them decide.
    pub fixed_dt: Option<f32>,
}

impl Default for TimeStepParameters {
    fn default() -> Self {
        Self { cfl_factor: 0.4, max_dt: 5e-3, min_dt: 0.0, fixed_dt: None }
    }
}

impl TimeStepParameters {
    fn validate(&self) -> Result<(), ParameterError> {
        let &Self { cfl_factor, max_dt, min_dt, fixed_dt } = self;
        require(cfl_factor > 0.0 && cfl_factor <= 1.0, "time_step.cfl_factor", cfl_factor, "in (0, 1]")?;
        require((1e-9..=1.0).contains(&max_dt), "time_step.max_dt", max_dt, "1e-9 to 1 (s)")?;
        require((0.0..=max_dt).contains(&min_dt), "time_step.min_dt", min_dt, "0 to time_step.max_dt (s)")?;
        let fixed = fixed_dt.unwrap_or(max_dt);
        require((1e-9..=1.0).contains(&fixed), "time_step.fixed_dt", fixed, "1e-9 to 1 (s)")
    }
}

/// A parameter outside its range. The message names the parameter, its value and the range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} must be {expected}, but is {}", shortest(*value))]
pub struct ParameterError {
    /// Dotted path as scene files spell it, such as `fluid.sound_speed`.
    pub name: &'static str,
    /// The value refused.
    pub value: f32,
    /// The range in words.
    pub expected: &'static str,
}

/// The fewest digits that mean `value`, with an exponent where there would be long rows of zeros.
fn shortest(value: f32) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() || (1e-4..1e10).contains(&size) { value.to_string() } else { format!("{value:e}") }
}

/// Refuses `value` unless it is finite and `ok`.
pub(crate) fn require(ok: bool, name: &'static str, value: f32, expected: &'static str) -> Result<(), ParameterError> {
    if ok && value.is_finite() { Ok(()) } else { Err(ParameterError { name, value, expected }) }
}

impl Discretization {
    /// Checks every length and density.
    ///
    /// # Errors
    /// The first value that is not finite and positive, or a support radius outside 1.2–4 particle spacings.
    pub fn validate(&self) -> Result<(), ParameterError> {
        let spacing = self.particle_spacing;
        require(spacing > 0.0, "particles.spacing", spacing, "positive (m)")?;
        require(self.rest_density > 0.0, "fluid.rest_density", self.rest_density, "positive (kg/m³)")?;
        let ratio = self.support_radius / spacing;
        require((1.2..=4.0).contains(&ratio), "particles.support_radius", ratio, "1.2 to 4 particle spacings")
    }

    /// Volume that one particle of the lattice stands for, m³ (m² in two dimensions).
    pub fn particle_volume(&self) -> f32 {
        self.particle_spacing.powi(self.dimensions.count() as i32)
    }
}

impl Parameters {
    /// Checks every value against its range.
    ///
    /// # Errors
    /// The first value outside its range.
    pub fn validate(&self, discretization: &Discretization) -> Result<(), ParameterError> {
        let Self { fluid, forces, gravity, time_step, grid, solver } = self;
        let sound_speed = fluid.sound_speed;
        require((1e-3..=1e5).contains(&sound_speed), "fluid.sound_speed", sound_speed, "0.001 to 100000 (m/s)")?;
        let non_negative = [
            ("fluid.kinematic_viscosity", fluid.kinematic_viscosity),
            ("fluid.artificial_viscosity", fluid.artificial_viscosity),
            ("fluid.density_diffusion", fluid.density_diffusion),
        ];
        for (name, value) in non_negative {
            require((0.0..=1e6).contains(&value), name, value, "0 to 1e6")?;
        }
        for component in gravity.to_array() {
            require(component.abs() <= 1e5, "gravity", component, "at most 1e5 (m/s²) along each axis")?;
        }
        time_step.validate()?;
        forces.validate()?;
        if discretization.dimensions == Dimensions::Two {
            require(gravity.z == 0.0, "gravity", gravity.z, "0 along z in two dimensions")?;
        }
        solver.validate()?;
        grid.validate(discretization.support_radius)
    }
}
