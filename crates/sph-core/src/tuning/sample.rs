//! The state that trials are made on.

use crate::neighbors::CellOrder;
use crate::simulation::Simulation;
use crate::space::{Domain, Images};
use glam::Vec3;

/// Points at two moments a step apart, and the walls, which stand still. Trials alternate between the two moments, so that a structure
/// that follows moving points sees as many of them change their cells as in a step.
#[derive(Clone, Debug)]
pub struct Sample {
    pub(super) moments: [Moment; 2],
    pub(super) walls: Moment,
    /// Neighbours are closer than this, m.
    pub(super) radius: f32,
}

/// Where all points are, in the order in which a step has them in memory, and behind them their images beyond periodic faces.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    /// m.
    pub points: Vec<Vec3>,
    /// Stable names, a permutation of `0..len`.
    pub names: Vec<u32>,
    /// Index of the point that each image is one of.
    pub sources: Vec<u32>,
}

impl Moment {
    fn new(domain: &Domain, radius: f32, points: &[Vec3], names: &[u32]) -> Self {
        let mut images = Images::default();
        let (points, names) = images.behind(domain, radius, points, names);
        let (points, names) = (points.to_vec(), names.to_vec());
        Self { points, names, sources: images.sources().to_vec() }
    }

    /// The points without their images: those that ask for neighbours.
    pub fn queries(&self) -> &[Vec3] {
        &self.points[..self.points.len() - self.sources.len()]
    }
}

impl Sample {
    /// `points` and `next`, where they are a step later (m, as many), by names that are a permutation of `0..len`; `walls` in m. Neighbours
    /// are closer than `radius`, m.
    pub fn new(points: &[Vec3], next: &[Vec3], names: &[u32], walls: &[Vec3], radius: f32) -> Self {
        Self::inside(&Domain::default(), [points, next], names, walls, radius)
    }

    fn inside(domain: &Domain, moments: [&[Vec3]; 2], names: &[u32], walls: &[Vec3], radius: f32) -> Self {
        let mut order = CellOrder::default();
        let moments = moments.map(|points| {
            let order = order.sort(points, radius);
            let points: Vec<Vec3> = order.iter().map(|&index| points[index as usize]).collect();
            let names: Vec<u32> = order.iter().map(|&index| names[index as usize]).collect();
            Moment::new(domain, radius, &points, &names)
        });
        let wall_names: Vec<u32> = (0..walls.len() as u32).collect();
        Self { moments, walls: Moment::new(domain, radius, walls, &wall_names), radius }
    }

    /// The present state of `simulation`; the second moment is as much later as its last step was long. Before the first step nothing
    /// moves.
    pub fn of(simulation: &Simulation) -> Self {
        let (particles, dt) = (simulation.particles(), simulation.last_dt());
        let (domain, radius) = (simulation.domain(), simulation.search_radius());
        let moved = |(&x, &v): (&Vec3, &Vec3)| domain.wrap(x + dt * v);
        let next: Vec<Vec3> = particles.positions.iter().zip(&particles.velocities).map(moved).collect();
        Self::inside(domain, [&particles.positions, &next], &particles.ids, &simulation.boundary().positions, radius)
    }

    /// Number of points, walls and images apart.
    pub fn len(&self) -> usize {
        self.moments[0].queries().len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
