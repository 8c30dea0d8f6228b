//! Openings: emitters, by which fluid comes in, and drains, by which it goes out.
//!
//! Both act between two steps, and both guide: fluid just behind an emitter and fluid in a drain with a velocity moves as they say, whatever
//! pushes it. Nothing is remembered but the time of the last exchange: an emitter's sheets are counted by the integral of its
//! speed, so that the flow is right to a sheet after any time, whatever the steps were.

mod drain;
mod emitter;
mod error;
mod inflow;
mod inlet;
mod schedule;

pub use drain::Drain;
pub use emitter::{Aperture, Emitter, Rate};
pub use error::OpeningError;
pub use schedule::Schedule;

pub(crate) use emitter::plane_axes;
pub(crate) use inflow::Inflow;
pub(crate) use inlet::Inlet;

use crate::parameters::Discretization;

/// Emitters and drains of a setup, and the number of particles at which emitters stop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Openings {
    /// Emitters.
    pub emitters: Vec<Emitter>,
    /// Drains.
    pub drains: Vec<Drain>,
    /// Largest number of fluid particles: emitters hold back what would exceed it. `None`: as many as are possible.
    pub particle_limit: Option<u64>,
}

/// Particles that came and went before a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// Number that emitters added.
    pub emitted: usize,
    /// Number that emitters held back: the limit was reached, or fluid stood in their place.
    pub withheld: usize,
    /// Number that drains removed.
    pub drained: usize,
}

impl Openings {
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.emitters.is_empty() && self.drains.is_empty()
    }

    /// Highest speed of fluid in an opening at any time, m/s.
    pub(crate) fn top_speed(&self, discretization: &Discretization) -> f32 {
        let emitters = self.emitters.iter().map(|emitter| emitter.top_speed(discretization));
        let drains = self.drains.iter().filter_map(|drain| Some(drain.velocity?.length()));
        emitters.chain(drains).fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests;
