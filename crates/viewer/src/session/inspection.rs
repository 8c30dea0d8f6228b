//! Inspections for the window, of what follows from the particles but is computed only while it is shown: contents of the grid's cells,
//! the trace of one particle's query, values for colours, ellipsoids.

use sph_core::neighbors::{Contents, GridParameters, TooManyCells, Trace};
use sph_core::probes::Ellipsoid;
use sph_io::ColorField;
use std::time::Duration;

/// The parts of the grid to inspect. By default none, at no cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inspect {
    /// True if cells and buckets are listed.
    pub contents: bool,
    /// Stable id of the particle whose query is traced.
    pub particle: Option<u32>,
    /// Quantity of which a value is computed for each particle.
    pub field: Option<ColorField>,
    /// True if the ellipsoid of each particle is computed.
    pub ellipsoids: bool,
}

impl Inspect {
    pub(super) fn is_nothing(self) -> bool {
        self == Self::default()
    }

    /// True if a part of the grid is asked for.
    pub fn is_of_grid(self) -> bool {
        self.contents || self.particle.is_some()
    }
}

/// The contents of the grid for the positions of one snapshot: those that the next step will search.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The parts that were asked for.
    pub asked: Inspect,
    /// The grid in force.
    pub grid: GridParameters,
    /// Serial number, increasing over all inspections, the rival's included: equal numbers mean the same inspection.
    pub serial: u64,
    /// Cells and buckets, if asked for.
    pub contents: Option<Contents>,
    /// The query of the particle asked for; `None` if there is no such particle. Indices are those of the snapshot's particles.
    pub query: Option<Trace>,
    /// Values of the quantity asked for, one for each particle, or none if the fluid has no such values.
    pub values: Vec<f32>,
    /// Ellipsoid of each particle, if asked for.
    pub ellipsoids: Vec<Ellipsoid>,
    /// Reason why there is no part of the grid: the structure cannot cover the particles.
    pub refusal: Option<TooManyCells>,
    /// Time that the inspection took of the simulation's thread.
    pub cost: Duration,
}

impl Inspection {
    /// The values of `field`, if it is the one that was asked for.
    pub fn values_of(&self, field: ColorField) -> Option<&[f32]> {
        (self.asked.field == Some(field)).then_some(&self.values)
    }

    /// The query of `particle`, if it is the one that was traced: another one may have been asked for since.
    pub fn query_of(&self, particle: Option<u32>) -> Option<&Trace> {
        self.query.as_ref().filter(|_| particle.is_some() && self.asked.particle == particle)
    }
}
