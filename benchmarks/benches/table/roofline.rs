//! Roofline: each pass compared with its least possible time, the larger of bytes over bandwidth and operations over arithmetic
//! throughput.
//!
//! Bytes are counted from the arrays: each is read or written once per pass, as if gathered values were always in a cache;
//! writes count once. Operations are counted from the source, one for each addition, multiplication, division, root, comparison
//! or selection per pair; operations per particle are left out. The result is a lower bound: no pass can be faster.

use crate::record::{Record, median};
use glam::Vec3;
use sph_core::neighbors::{GridParameters, NeighborLists, Pairing, Search, Structure};
use sph_core::{Ceilings, Phase, Simulation, StepStats};

/// Work of a step, per particle.
#[derive(Clone, Copy, Debug)]
struct Work {
    /// Distances tested.
    candidates: f64,
    /// Fluid neighbours.
    pairs: f64,
    /// Boundary neighbours.
    wall_pairs: f64,
    /// Boundary particles with fluid in reach.
    walls: f64,
    /// Pressure sweeps: the iterations of all solves, and one more for each solve.
    sweeps: f64,
    /// Acoustic steps of WCSPH.
    acoustic_steps: f64,
}

/// LowerBound bytes and operations of one phase, per particle.
struct LowerBound {
    phase: Phase,
    bytes: f64,
    operations: f64,
}

/// Bytes of an index, of an `f32`, and of a vector of three.
const INDEX: f64 = 4.0;
const NUMBER: f64 = 4.0;
const VECTOR: f64 = 12.0;

/// Bytes of one gathered record of four numbers.
const RECORD: f64 = 16.0;

/// Bytes of a stored pair of fluid particles: four numbers of 16 bits.
const STORED_PAIR: f64 = 8.0;

/// Operations of a difference of two positions, its square, and its root.
const DISTANCE: f64 = 3.0 + 5.0 + 1.0;

/// Operations of W, and of W′/r, of the cubic spline, both branches.
const W: f64 = 14.0;
const DW: f64 = 12.0;

impl Work {
    /// Work of the median step, with the neighbours of the last.
    fn of(simulation: &Simulation, steps: &[StepStats]) -> Self {
        let stats = &steps[steps.len() - 1];
        let particles = stats.particles as f64;
        let each = |count: fn(&StepStats) -> u32| median(steps.iter().map(|stats| f64::from(count(stats))).collect());
        let (wall_pairs, walls) = count_wall_pairs(simulation);
        Self {
            candidates: stats.search.tally.candidates as f64 / particles,
            pairs: stats.search.tally.neighbors as f64 / particles,
            wall_pairs: wall_pairs / particles,
            walls: walls / particles,
            sweeps: each(|stats| stats.density_solve.iterations + stats.divergence_solve.iterations + 2),
            acoustic_steps: each(|stats| stats.acoustic_steps),
        }
    }

    /// Sorting and searching, the same for every solver.
    fn of_search(self) -> [LowerBound; 3] {
        let state = 3.0 * VECTOR + 3.0 * NUMBER;
        let lists = INDEX * (self.pairs + self.wall_pairs);
        [
            // Keys from positions, counting sort; then every array of the state read and written in the new order.
            LowerBound { phase: Phase::Sort, bytes: VECTOR + 4.0 * INDEX + 6.0 * INDEX + 2.0 * state, operations: 0.0 },
            LowerBound { phase: Phase::Build, bytes: VECTOR + 4.0 * INDEX + VECTOR + INDEX, operations: 0.0 },
            // Nine operations per candidate. The lists of the walls are transposed: read and written once more.
            LowerBound {
                phase: Phase::Query,
                bytes: 2.0 * VECTOR + INDEX + lists + 2.0 * INDEX * self.wall_pairs,
                operations: 9.0 * self.candidates,
            },
        ]
    }

    /// One pressure extrapolation to the walls.
    fn of_walls(self) -> (f64, f64) {
        let bytes = INDEX * self.wall_pairs + (2.0 * VECTOR + NUMBER) * self.walls + VECTOR + 2.0 * NUMBER;
        // Weighted sum of the pressure with the terms of gravity and of the wall's acceleration.
        (bytes, self.wall_pairs * (DISTANCE + W + 12.0 + 4.0))
    }

    /// V∇W of every pair, in 16 bits per component for fluid pairs, with a fourth number, and in `f32` for pairs with walls.
    fn stored(self) -> f64 {
        STORED_PAIR * self.pairs + VECTOR * self.wall_pairs
    }

    /// WCSPH: a pass that stores the pairs and sums the central form of viscosity; continuity with diffusion, and momentum, in every
    /// acoustic step.
    fn of_wcsph(self) -> Vec<LowerBound> {
        let lists = INDEX * (self.pairs + self.wall_pairs);
        let (pairs, times) = (lists + self.stored(), self.acoustic_steps);
        let (walls_bytes, walls_operations) = self.of_walls();
        let records = 2.0 * VECTOR + 2.0 * NUMBER + 2.0 * 2.0 * RECORD;
        let integrate = 2.0 * (2.0 * VECTOR + 2.0 * NUMBER) + 6.0 * VECTOR;
        let mut all: Vec<LowerBound> = self.of_search().into();
        all.extend([
            // Velocity along the pair and the highest approach speed, 27 for viscosity, nine to scale and round what is stored; then
            // twelve for the divergence and the diffusion.
            LowerBound {
                phase: Phase::Density,
                bytes: pairs + records + 6.0 * NUMBER + times * (pairs + 2.0 * RECORD + 10.0 * NUMBER),
                operations: self.pairs * (DISTANCE + DW + 15.0 + 27.0 + 9.0 + times * 12.0)
                    + self.wall_pairs * (DISTANCE + DW + 11.0 + times * 6.0),
            },
            LowerBound { phase: Phase::Walls, bytes: times * walls_bytes, operations: times * walls_operations },
            // The sum of two pressures times the gradient.
            LowerBound {
                phase: Phase::Forces,
                bytes: 2.0 * VECTOR + times * (pairs + 2.0 * VECTOR + 2.0 * NUMBER),
                operations: times * (7.0 * self.pairs + 7.0 * self.wall_pairs),
            },
            LowerBound { phase: Phase::Integrate, bytes: integrate + times * (3.0 * VECTOR + 3.0 * NUMBER), operations: 0.0 },
        ]);
        all
    }

    /// DFSPH: the pairs are stored once, and read twice per pressure sweep.
    fn of_dfsph(self) -> Vec<LowerBound> {
        let pairs = self.pairs + self.wall_pairs;
        let (lists, stored) = (INDEX * pairs, self.stored());
        let (walls_bytes, walls_operations) = self.of_walls();
        let mut all: Vec<LowerBound> = self.of_search().into();
        all.extend([
            LowerBound {
                phase: Phase::Density,
                bytes: lists + stored + 2.0 * VECTOR + 8.0 * NUMBER,
                // Seven more to scale the gradient to its unit and round it.
                operations: pairs * (DISTANCE + 6.0 + W + DW + 14.0) + 7.0 * self.pairs,
            },
            LowerBound { phase: Phase::Walls, bytes: self.sweeps * walls_bytes, operations: self.sweeps * walls_operations },
            LowerBound {
                phase: Phase::Forces,
                bytes: lists + 2.0 * VECTOR + 2.0 * NUMBER + 2.0 * 2.0 * RECORD + 4.0 * VECTOR,
                operations: self.pairs * (DISTANCE + DW + 27.0),
            },
            // Seven for the acceleration and nine for its density change. Accelerations are written and gathered. Four numbers
            // per particle pass through the two sweeps, and ten through the updates between sweeps.
            LowerBound {
                phase: Phase::Pressure,
                bytes: self.sweeps * (2.0 * (lists + stored) + 2.0 * RECORD + 14.0 * NUMBER),
                operations: self.sweeps * 16.0 * pairs,
            },
            LowerBound { phase: Phase::Integrate, bytes: 8.0 * VECTOR, operations: 0.0 },
        ]);
        all
    }
}

/// Numbers of pairs of fluid and boundary particles, and of boundary particles with fluid in reach, counted by a separate
/// search.
fn count_wall_pairs(simulation: &Simulation) -> (f64, f64) {
    let radius = simulation.search_radius();
    let grid = GridParameters { structure: Structure::SortedCells, cell_size: radius, ..simulation.parameters().grid };
    let mut search = Search::new(&grid, radius);
    let fluid: &[Vec3] = &simulation.particles().positions;
    let ids: Vec<u32> = (0..fluid.len() as u32).collect();
    if search.update(fluid, &ids).is_err() {
        return (0.0, 0.0);
    }
    let mut lists = NeighborLists::default();
    let found = search.fill(&mut lists, &simulation.boundary().positions, Pairing::Across).neighbors;
    (found as f64, (0..lists.len()).filter(|&wall| !lists.of(wall).is_empty()).count() as f64)
}

/// Prints the table of a measurement, as Markdown, and records every lower bound; `times`: medians, ns per particle.
pub fn report(
    name: &str,
    simulation: &Simulation,
    steps: &[StepStats],
    (ceilings, times): (&Ceilings, &dyn Fn(Phase) -> f64),
    record: &mut Record,
) {
    let threads = rayon::current_num_threads();
    let work = Work::of(simulation, steps);
    let all = if simulation.parameters().solver.method.is_iterative() { work.of_dfsph() } else { work.of_wcsph() };
    println!("\n{name}, {threads} threads, per particle: {work:.1?}\n");
    println!(
        "| pass | bytes | operations | floor, ns | bound by | measured, ns | times the floor |\n|---|---|---|---|---|---|---|"
    );
    for LowerBound { phase, bytes, operations } in all {
        let floor = 1e9 * ceilings.floor(operations, bytes);
        let bound = if 1e9 * operations / ceilings.flops >= floor { "arithmetic" } else { "memory" };
        let (pass, time) = (phase.name(), times(phase));
        println!("| {pass} | {bytes:.0} | {operations:.0} | {floor:.1} | {bound} | {time:.1} | {:.1} |", time / floor);
        record.add(format!("{name}, {pass}, floor by {bound}"), threads, floor, "ns/particle");
    }
    println!();
}
