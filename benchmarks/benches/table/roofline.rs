//! Each pass beside the least that it could take: the bytes that it must move and the operations that it must make, over the ceilings.
//!
//! Bytes are counted from the arrays: each is read or written once a pass, as if what is gathered were always in a cache, and what is
//! written is counted once. Operations are counted from the source, one for each addition, multiplication, division, root, comparison or
//! choice of a pair; what is done once a particle is left out. So a floor is a floor: no pass can be faster.

use crate::record::Record;
use glam::Vec3;
use sph_core::neighbors::{GridParameters, NeighborLists, Pairing, Search, Structure};
use sph_core::{Ceilings, Phase, Simulation, StepStats};

/// What a step works on, a particle.
#[derive(Clone, Copy, Debug)]
struct Work {
    /// Distances tested.
    candidates: f64,
    /// Fluid neighbours.
    pairs: f64,
    /// Boundary neighbours.
    wall_pairs: f64,
    /// Boundary particles that fluid is in reach of.
    walls: f64,
    /// Looks at the pressure: the iterations of all solves, and one more each.
    sweeps: f64,
}

/// The least of one phase, a particle.
struct Least {
    phase: Phase,
    bytes: f64,
    operations: f64,
}

/// Bytes of an index, of a number in `f32`, and of a vector of three.
const INDEX: f64 = 4.0;
const NUMBER: f64 = 4.0;
const VECTOR: f64 = 12.0;

/// Bytes of one array entry of a record that is gathered, four numbers.
const RECORD: f64 = 16.0;

/// Operations of a difference of two places, its square, and its root.
const DISTANCE: f64 = 3.0 + 5.0 + 1.0;

/// Operations of W, and of W′/r, of the cubic spline, both branches.
const W: f64 = 14.0;
const DW: f64 = 12.0;

impl Work {
    fn of(simulation: &Simulation, stats: &StepStats) -> Self {
        let particles = stats.particles as f64;
        let (density, divergence) = (stats.density_solve.iterations, stats.divergence_solve.iterations);
        let (wall_pairs, walls) = around_walls(simulation);
        Self {
            candidates: stats.search.tally.candidates as f64 / particles,
            pairs: stats.search.tally.neighbors as f64 / particles,
            wall_pairs: wall_pairs / particles,
            walls: walls / particles,
            sweeps: f64::from(density + divergence + 2),
        }
    }

    /// Sorting and searching, which are the same for every solver.
    fn of_search(self) -> [Least; 3] {
        let state = 3.0 * VECTOR + 3.0 * NUMBER;
        let lists = INDEX * (self.pairs + self.wall_pairs);
        [
            // Keys from places, counted and placed; then every array of the state read and written, by the order.
            Least { phase: Phase::Sort, bytes: VECTOR + 4.0 * INDEX + 6.0 * INDEX + 2.0 * state, operations: 0.0 },
            Least { phase: Phase::Build, bytes: VECTOR + 4.0 * INDEX + VECTOR + INDEX, operations: 0.0 },
            // Nine operations a candidate. The lists of the walls are turned around: read and written once more.
            Least {
                phase: Phase::Query,
                bytes: 2.0 * VECTOR + INDEX + lists + 2.0 * INDEX * self.wall_pairs,
                operations: 9.0 * self.candidates,
            },
        ]
    }

    /// Extrapolation to the walls, once.
    fn of_walls(self) -> (f64, f64) {
        let bytes = INDEX * self.wall_pairs + (2.0 * VECTOR + NUMBER) * self.walls + VECTOR + 2.0 * NUMBER;
        // The pressure and what gravity and the wall's acceleration add to it, weighted.
        (bytes, self.wall_pairs * (DISTANCE + W + 12.0 + 4.0))
    }

    /// Weakly compressible: continuity with diffusion, and momentum with the central form of viscosity.
    fn of_wcsph(self) -> Vec<Least> {
        let lists = INDEX * (self.pairs + self.wall_pairs);
        let (walls_bytes, walls_operations) = self.of_walls();
        let records = 2.0 * VECTOR + 2.0 * NUMBER + 2.0 * 2.0 * RECORD;
        let integrate = 2.0 * (2.0 * VECTOR + 2.0 * NUMBER) + 6.0 * VECTOR;
        let mut all: Vec<Least> = self.of_search().into();
        all.extend([
            // The velocity along the pair, its divergence, the diffusion, and the fastest approach.
            Least {
                phase: Phase::Density,
                bytes: lists + records + 8.0 * NUMBER,
                operations: self.pairs * (DISTANCE + DW + 26.0) + self.wall_pairs * (DISTANCE + DW + 13.0),
            },
            Least { phase: Phase::Walls, bytes: walls_bytes, operations: walls_operations },
            // The sum of two pressures along the gradient, and 27 for viscosity.
            Least {
                phase: Phase::Forces,
                bytes: lists + records + VECTOR + NUMBER,
                operations: self.pairs * (DISTANCE + DW + 9.0 + 27.0) + self.wall_pairs * (DISTANCE + DW + 8.0),
            },
            Least { phase: Phase::Integrate, bytes: integrate, operations: 0.0 },
        ]);
        all
    }

    /// Divergence-free: V∇W of every pair stored once, in 16 bits a component for pairs of the fluid and in floats for those with walls, and
    /// read twice in every look at the pressure.
    fn of_dfsph(self) -> Vec<Least> {
        let pairs = self.pairs + self.wall_pairs;
        let (lists, stored) = (INDEX * pairs, 0.5 * VECTOR * self.pairs + VECTOR * self.wall_pairs);
        let (walls_bytes, walls_operations) = self.of_walls();
        let mut all: Vec<Least> = self.of_search().into();
        all.extend([
            Least {
                phase: Phase::Density,
                bytes: lists + stored + 2.0 * VECTOR + 8.0 * NUMBER,
                // Seven more to bring the gradient into its unit and round it.
                operations: pairs * (DISTANCE + 6.0 + W + DW + 14.0) + 7.0 * self.pairs,
            },
            Least { phase: Phase::Walls, bytes: self.sweeps * walls_bytes, operations: self.sweeps * walls_operations },
            Least {
                phase: Phase::Forces,
                bytes: lists + 2.0 * VECTOR + 2.0 * NUMBER + 2.0 * 2.0 * RECORD + 4.0 * VECTOR,
                operations: self.pairs * (DISTANCE + DW + 27.0),
            },
            // Seven for the acceleration and nine for what it does to the density. Accelerations are written and gathered. Of numbers,
            // four go through the two sweeps, and ten through what lies between one and the next.
            Least {
                phase: Phase::Pressure,
                bytes: self.sweeps * (2.0 * (lists + stored) + 2.0 * RECORD + 14.0 * NUMBER),
                operations: self.sweeps * 16.0 * pairs,
            },
            Least { phase: Phase::Integrate, bytes: 8.0 * VECTOR, operations: 0.0 },
        ]);
        all
    }
}

/// Pairs of fluid and boundary particles, and boundary particles with fluid in reach, counted by a search of its own.
fn around_walls(simulation: &Simulation) -> (f64, f64) {
    let radius = simulation.search_radius();
    let grid = GridParameters { structure: Structure::SortedCells, cell_size: radius, ..simulation.parameters().grid };
    let mut search = Search::new(&grid, radius);
    let fluid: &[Vec3] = &simulation.particles().positions;
    let names: Vec<u32> = (0..fluid.len() as u32).collect();
    if search.update(fluid, &names).is_err() {
        return (0.0, 0.0);
    }
    let mut lists = NeighborLists::default();
    let found = search.fill(&mut lists, &simulation.boundary().positions, Pairing::Across).neighbors;
    (found as f64, (0..lists.len()).filter(|&wall| !lists.of(wall).is_empty()).count() as f64)
}

/// Prints the table of a measurement, as Markdown, and records every floor; `times`: medians, ns a particle.
pub fn report(
    name: &str,
    simulation: &Simulation,
    stats: &StepStats,
    (ceilings, times): (&Ceilings, &dyn Fn(Phase) -> f64),
    record: &mut Record,
) {
    let threads = rayon::current_num_threads();
    let work = Work::of(simulation, stats);
    let all = if simulation.parameters().solver.method.is_iterative() { work.of_dfsph() } else { work.of_wcsph() };
    println!("\n{name}, {threads} threads, a particle: {work:.1?}\n");
    println!(
        "| pass | bytes | operations | floor, ns | bound by | measured, ns | times the floor |\n|---|---|---|---|---|---|---|"
    );
    for Least { phase, bytes, operations } in all {
        let floor = 1e9 * ceilings.floor(operations, bytes);
        let bound = if 1e9 * operations / ceilings.flops >= floor { "arithmetic" } else { "memory" };
        let (pass, time) = (phase.name(), times(phase));
        println!("| {pass} | {bytes:.0} | {operations:.0} | {floor:.1} | {bound} | {time:.1} | {:.1} |", time / floor);
        record.add(format!("{name}, {pass}, floor by {bound}"), threads, floor, "ns/particle");
    }
    println!();
}
