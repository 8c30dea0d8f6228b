//! The seam between whoever drives a fluid and whatever computes it: a trait to step, change and copy the fluid, and the view
//! in which probes, exports and pictures read it.

use std::fmt::Debug;
use std::ops::Range;

use super::{DroppedBody, Hand, HandError, NewParticle, PlacedBody, PopulationError, State};
use crate::boundary::{BoundaryParticles, Container, Planes, Reaction};
use crate::forces::ExternalForces;
use crate::kernel::Kernel;
use crate::parameters::{Dimensions, Discretization, Fluid, GridParameters, ParameterError, Parameters, lightness};
use crate::particles::Particles;
use crate::passes::CancelFlag;
use crate::point_sets::{PointDynamics, PointSet, SetSearch};
use crate::report::{Memory, PhaseTimeline, StepStats};
use crate::solver::search_radius;
use crate::space::{Domain, Wrap};
use glam::Vec3;

/// A fluid in its containers at one moment, and the machine that computes its next: the processor cores
/// ([`Simulation`](crate::Simulation)), a GPU, several processes.
///
/// # Bits
/// One engine's motion is reproducible to the bit: it depends on the setup, on the state and on the calls made, not on threads,
/// on the [grid](Parameters::grid), on audits or timelines, nor on when the fluid is looked at. Two engines of different kinds
/// agree within rounding only.
///
/// # Threads
/// An engine is used by one thread at a time, and may move to another between two calls. On processor cores it computes on the
/// rayon pool that it is called from.
///
/// # Errors
/// No call panics on a fluid that has gone wrong. A call that returns an error, and a step that reports one, leave the state as
/// it was; the particles may have another order in memory.
pub trait Engine: Debug + Send {
    /// Advances by one time step and reports on it. A step that cannot be made is refused: the report then names the reason in
    /// [`StepStats::error`].
    fn step(&mut self) -> StepStats;

    /// Simulated time, s. Costs nothing.
    fn time(&self) -> f64;

    /// Completed steps. Costs nothing.
    fn steps(&self) -> u64;

    /// Parameters of the next step. Costs nothing.
    fn parameters(&self) -> &Parameters;

    /// Present fluid, walls and bodies, to be read between two steps. Costs nothing on processor cores, where it refers to the
    /// arrays of the engine; an engine with a memory of its own copies what has changed since the last view, so that a loop asks
    /// for it when something has to be shown or written, not after every step.
    fn view(&self) -> View<'_>;

    /// Copy of the whole state, from which an engine of any kind can go on. Costs a copy of all attributes.
    fn snapshot(&self) -> State;

    /// An independent engine of the same kind in the same state, with its own copy of everything; both go on alike, to the bit.
    /// Costs as much memory as the engine holds, and the time to copy it.
    fn fork(&self) -> Box<dyn Engine>;

    /// Goes back, or on, to `state`, which this engine, a fork of it, or an engine of the same setup has had: later steps are those
    /// that followed it, to the bit. Audits, timelines and the reaction of the walls stay switched as they are. Costs about as much
    /// as a copy of all attributes.
    ///
    /// # Errors
    /// The state is not of this setup, or not valid; the present state then stays.
    fn restore(&mut self, state: State) -> Result<(), PopulationError>;

    /// Replaces the parameters from the next step on, but those that follow a curve. Costs less than a step.
    ///
    /// # Errors
    /// A value outside its range.
    fn set_parameters(&mut self, parameters: Parameters) -> Result<(), ParameterError>;

    /// Replaces the parameters of the search of the point set with index `set`, and of the sets that are searched with it, from the next step
    /// on. The motion does not change. Costs nothing.
    ///
    /// # Errors
    /// A value outside its range, or no such set.
    fn set_point_grid(&mut self, set: usize, grid: GridParameters) -> Result<(), ParameterError>;

    /// Takes the parameters with these keys off their [curves](crate::Setup::curves), from the next step on, and puts all others on
    /// theirs. Costs less than a step.
    fn set_off_curve(&mut self, keys: &[&'static str]);

    /// Keys of the parameters that have been taken off their curves. Costs nothing.
    fn off_curve(&self) -> &[&'static str];

    /// Adds particles, and returns their ids, in the order of `particles`. Costs a copy of all attributes at most.
    ///
    /// # Errors
    /// A value is not finite, or there would be too many particles.
    fn add(&mut self, particles: &[NewParticle]) -> Result<Range<u32>, PopulationError>;

    /// Removes the particles with these ids; an id may be given twice. Costs a pass over all attributes.
    ///
    /// # Errors
    /// No particle has one of the ids.
    fn remove(&mut self, ids: &[u32]) -> Result<(), PopulationError>;

    /// Lets a user's hand act for the length of the last step, before the next one: nothing before the first. Returns the number of particles
    /// added. The motion depends on it as on all calls: with the same hands before the same steps it has the same bits. Costs less than a
    /// pass over neighbours; the first move of a body that does not move by forces costs about as much as some steps.
    ///
    /// # Errors
    /// A number outside its range, a body that is not there, or too many particles.
    fn apply_hand(&mut self, hand: &Hand) -> Result<usize, HandError>;

    /// Adds a body that moves by forces from the next step on, behind all others in [`View::bodies`]. The motion depends on it as on all
    /// calls. Costs about as much as some steps.
    ///
    /// # Errors
    /// A number outside its range, a place that is not free, or too many bodies or particles.
    fn drop_body(&mut self, dropped: &DroppedBody) -> Result<(), HandError>;

    /// Checks `queries` neighbour lists against brute force in every step from now on, and reports them in
    /// [`StepStats::audit`]. Costs as many distances a step as `queries` times the particles.
    fn set_audit(&mut self, queries: usize);

    /// Lets `flag` cancel steps from now on: once it is raised, a step ends at its next stage and is refused with
    /// [`StepError::Cancelled`](crate::StepError::Cancelled). Forks have the same flag.
    fn set_cancel_flag(&mut self, flag: CancelFlag);

    /// Switches the reaction of the walls on or off, from the next step on; see [`View::wall_reaction`]. Costs a pass over the pairs of
    /// fluid and walls for each cause of a force.
    fn set_wall_reaction(&mut self, wanted: bool);

    /// Switches the recording of a timeline on or off, from the next step on.
    fn set_timeline(&mut self, wanted: bool);

    /// Timeline of the phases of the last step; `None` if it is not recorded.
    fn timeline(&self) -> Option<&PhaseTimeline>;

    /// Memory that the engine holds, in bytes.
    fn memory(&self) -> Memory;
}

/// A fluid in its containers at one moment: all that may be read between two steps, on this machine and without changing it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Discretisation.
    pub discretization: &'a Discretization,
    /// Parameters of the next step.
    pub parameters: &'a Parameters,
    /// Periodic domain.
    pub domain: &'a Domain,
    /// Walls as boxes at time 0, without faces along periodic axes.
    pub containers: &'a [Container],
    /// Gravity and all other external forces, at the present time.
    pub external: ExternalForces<'a>,
    /// Fluids, if there are several; empty for one.
    pub fluids: &'a [Fluid],
    /// Mass of a particle of the reference fluid, kg (kg/m in two dimensions): of every particle if there is one fluid.
    pub mass: f32,
    /// Fluid particles.
    pub particles: &'a Particles,
    /// Boundary particles of containers and bodies, and after them those of points.
    pub walls: &'a BoundaryParticles,
    /// Number of the boundary particles of points.
    pub boundary_of_points: usize,
    /// Analytic walls, which are not particles.
    pub planes: &'a Planes,
    /// Bodies: those of the setup, then those that have been dropped.
    pub bodies: &'a [PlacedBody],
    /// Bodies that have been dropped, as they were at that moment.
    pub dropped: &'a [DroppedBody],
    /// Reaction of the fluid on all containers in the last step; `None` unless it is switched on.
    pub wall_reaction: Option<&'a Reaction>,
    /// Point sets: cloths, balls.
    pub sets: &'a [PointSet],
    /// Parameters of the search of each of them.
    pub set_grids: &'a [GridParameters],
    /// What moves the sets; `None` without any.
    pub dynamics: Option<&'a dyn PointDynamics>,
    /// Searches of the sets in the last step; empty before the first.
    pub set_searches: &'a [SetSearch],
    /// Simulated time, s.
    pub time: f64,
    /// Completed steps.
    pub steps: u64,
    /// Length of the last step, s; 0 before the first.
    pub last_dt: f32,
    /// Length of the step of the last divergence solve of DFSPH, s; 0 before the first, and with other solvers.
    pub divergence_dt: f32,
}

impl View<'_> {
    /// Pressure with which particle i pushed in the last step, Pa: `p + ρ₀ R² k_v dt_v/dt`, with p of [`Particles::pressures`], and with DFSPH
    /// k_v of [`Particles::divergence_k`], which acted for the time dt_v of the divergence solve.
    ///
    /// Where water strikes a wall, it is mostly the divergence solve that stops it.
    pub fn acting_pressure(&self, i: usize) -> f64 {
        let Particles { pressures, densities, divergence_k, .. } = self.particles;
        let pressure = f64::from(pressures[i]);
        match divergence_k.get(i) {
            Some(&k) if self.last_dt > 0.0 => {
                let rest_density = f64::from(self.discretization.rest_density);
                let relative = f64::from(densities[i]) * f64::from(self.lightness(i)) / rest_density;
                pressure + rest_density * relative * relative * f64::from(k) * f64::from(self.divergence_dt / self.last_dt)
            }
            _ => pressure,
        }
    }

    /// Search radius of the neighbour lists, m: the support radius, plus a skin for solvers that evaluate predicted positions.
    pub fn search_radius(&self) -> f32 {
        search_radius(&self.parameters.solver, self.discretization)
    }

    /// Lightness of particle i: the rest density of the reference fluid, the densest, over that of its own; 1 with one fluid.
    #[inline]
    pub fn lightness(&self, i: usize) -> f32 {
        let fluid = self.particles.fluids.get(i).copied().map(usize::from);
        lightness(self.fluids, self.discretization.rest_density, fluid)
    }

    /// Mass of particle i, kg (kg/m in two dimensions).
    #[inline]
    pub fn mass_of(&self, i: usize) -> f64 {
        if self.fluids.is_empty() { f64::from(self.mass) } else { f64::from(self.mass / self.lightness(i)) }
    }

    /// True if particle i is of the fluid with index `fluid`, or if that is `None`.
    pub fn is_of(&self, i: usize, fluid: Option<usize>) -> bool {
        fluid.is_none_or(|fluid| usize::from(self.particles.fluids.get(i).copied().unwrap_or(0)) == fluid)
    }

    /// Volume of a particle at rest density, m³ (m² in two dimensions).
    pub(crate) fn rest_volume(&self) -> f64 {
        f64::from(self.mass) / f64::from(self.discretization.rest_density)
    }

    pub(crate) fn kernel(&self) -> Kernel {
        let Discretization { kernel, dimensions, support_radius, .. } = *self.discretization;
        Kernel::new(kernel, dimensions, support_radius)
    }

    /// Vector from `b` to the nearest periodic image of `a`, m.
    pub fn minimum_image(&self, a: Vec3, b: Vec3) -> Vec3 {
        self.wrap().minimum_image(a, b)
    }

    /// Minimum-image differences in the domain.
    pub(crate) fn wrap(&self) -> Wrap {
        Wrap::new(self.domain)
    }

    /// Periodic image of `point` inside the domain, with z = 0 in two dimensions.
    pub(crate) fn flat(&self, point: Vec3) -> Vec3 {
        match self.discretization.dimensions {
            Dimensions::Two => self.domain.wrap(point).with_z(0.0),
            Dimensions::Three => self.domain.wrap(point),
        }
    }
}
