//! Estimate of the memory of a simulation before it exists.

use super::{ParticleCounts, Setup};
use crate::parameters::{Dimensions, Method};
use crate::solver::Solver;
use std::f64::consts::PI;

/// Bytes of a fluid particle without its neighbours: its state, twice, its share of the search, and what the forces keep of it.
const FLUID: f64 = 400.0;

/// Bytes of a boundary particle.
const BOUNDARY: f64 = 260.0;

/// Neighbours in a splash, or beside walls, over those of a full lattice.
const CROWDING: f64 = 1.25;

impl Setup {
    /// Memory that the simulation is going to hold at most, bytes; saturates.
    ///
    /// It follows from the numbers of particles and of neighbours within the search radius, and from what the solver keeps of
    /// each pair.
    pub fn memory_estimate(&self) -> u64 {
        let ParticleCounts { fluid, boundary } = self.particle_counts();
        let solver = &self.parameters.solver;
        let radius = f64::from(Solver::search_radius(solver, &self.discretization) / self.discretization.particle_spacing);
        let neighbors = CROWDING
            * match self.discretization.dimensions {
                Dimensions::Two => PI * radius.powi(2),
                Dimensions::Three => 4.0 / 3.0 * PI * radius.powi(3),
            };
        // Neighbour lists; and V∇W of each pair, which iterative solvers keep.
        let bytes_of_pair = match solver.method {
            Method::Wcsph => 5.0,
            Method::Pcisph | Method::Iisph | Method::Dfsph | Method::Pbf => 13.0,
        };
        let fluid = fluid as f64 * (FLUID + neighbors * bytes_of_pair);
        (fluid + boundary as f64 * BOUNDARY) as u64
    }
}
