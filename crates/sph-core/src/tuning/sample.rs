//! The state that trials are made on.

use crate::neighbors::CellOrder;
use crate::simulation::Simulation;
use glam::Vec3;

/// Points at two moments a step apart, and the walls, which stand still. Trials alternate between the two moments, so that a structure
/// that follows moving points sees as many of them change their cells as in a step.
#[derive(Clone, Debug)]
pub struct Sample {
    pub(super) moments: [Moment; 2],
    pub(super) walls: Vec<Vec3>,
    /// Neighbours are closer than this, m.
    pub(super) radius: f32,
}

/// Where all points are, in the order in which a step has them in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    /// m.
    pub points: Vec<Vec3>,
    /// Stable names, a permutation of `0..len`.
    pub names: Vec<u32>,
}

impl Sample {
    /// `points` and `next`, where they are a step later (m, as many), by names that are a permutation of `0..len`; `walls` in m. Neighbours
    /// are closer than `radius`, m.
    pub fn new(points: &[Vec3], next: &[Vec3], names: &[u32], walls: &[Vec3], radius: f32) -> Self {
        let mut order = CellOrder::default();
        let mut moment = |points: &[Vec3]| {
            let order = order.sort(points, radius);
            let points = order.iter().map(|&index| points[index as usize]).collect();
            Moment { points, names: order.iter().map(|&index| names[index as usize]).collect() }
        };
        Self { moments: [moment(points), moment(next)], walls: walls.to_vec(), radius }
    }

    /// The present state of `simulation`; the second moment is as much later as its last step was long. Before the first step nothing
    /// moves.
    pub fn of(simulation: &Simulation) -> Self {
        let (particles, dt) = (simulation.particles(), simulation.last_dt());
        let next: Vec<Vec3> = particles.positions.iter().zip(&particles.velocities).map(|(&x, &v)| x + dt * v).collect();
        let radius = simulation.search_radius();
        Self::new(&particles.positions, &next, &particles.ids, &simulation.boundary().positions, radius)
    }

    /// Number of points, walls apart.
    pub fn len(&self) -> usize {
        self.moments[0].points.len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
