//! Emitters and drains as they run.

use super::{Drain, Exchange, Inlet, Openings};
use crate::parameters::Discretization;

/// Emitters and drains, prepared for a discretisation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inflow {
    pub inlets: Vec<Inlet>,
    pub drains: Vec<Drain>,
    pub particle_limit: Option<u64>,
    /// Numbers of particles that came and went before the present step.
    pub exchange: Exchange,
}

impl Inflow {
    pub fn new(openings: &Openings, discretization: &Discretization) -> Self {
        let Openings { emitters, drains, particle_limit } = openings;
        Self {
            inlets: emitters.iter().map(|emitter| Inlet::new(emitter, discretization)).collect(),
            drains: drains.clone(),
            particle_limit: *particle_limit,
            exchange: Exchange::default(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.inlets.is_empty() && self.drains.is_empty()
    }
}
