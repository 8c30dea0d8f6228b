//! The trait of engines, and what each of them promises.

use super::View;
use crate::parameters::{ParameterError, Parameters};
use crate::passes::CancelFlag;
use crate::report::{Memory, StepStats, Timeline};
use crate::simulation::{DroppedBody, Hand, HandError, NewParticle, PopulationError, State};
use std::fmt::Debug;
use std::ops::Range;

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
    fn timeline(&self) -> Option<&Timeline>;

    /// Memory that the engine holds, in bytes.
    fn memory(&self) -> Memory;
}
