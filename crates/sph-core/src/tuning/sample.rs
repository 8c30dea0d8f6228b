//! The frozen state that trials run on.

use crate::neighbors::CellOrder;
use crate::simulation::View;
use crate::space::{Domain, Images};
use glam::Vec3;

/// Points at two moments one step apart, and walls at rest. Trials alternate between the two moments, so that as many points
/// change their cells in an update as in a step.
#[derive(Clone, Debug)]
pub struct Sample {
    pub(super) moments: [Moment; 2],
    pub(super) walls: Moment,
    /// Search radius, m.
    pub(super) radius: f32,
}

/// Positions of all points, in the order in memory during a step, followed by their periodic images.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    /// Positions, m.
    pub points: Vec<Vec3>,
    /// Stable ids, all different.
    pub ids: Vec<u32>,
    /// Index of the original point of each image.
    pub sources: Vec<u32>,
}

impl Moment {
    fn new(domain: &Domain, radius: f32, points: &[Vec3], ids: &[u32]) -> Self {
        let mut images = Images::default();
        let (points, ids) = images.behind(domain, radius, points, ids);
        let (points, ids) = (points.to_vec(), ids.to_vec());
        Self { points, ids, sources: images.sources().to_vec() }
    }

    /// The points without their images: the query points.
    pub fn queries(&self) -> &[Vec3] {
        &self.points[..self.points.len() - self.sources.len()]
    }
}

impl Sample {
    /// A sample of `points` and of `next`, their positions one step later, with `ids` that are all different, and
    /// of `walls`. Positions and the search radius `radius` in m.
    pub fn new(points: &[Vec3], next: &[Vec3], ids: &[u32], walls: &[Vec3], radius: f32) -> Self {
        Self::inside(&Domain::default(), [points, next], ids, walls, radius)
    }

    fn inside(domain: &Domain, moments: [&[Vec3]; 2], ids: &[u32], walls: &[Vec3], radius: f32) -> Self {
        let mut order = CellOrder::default();
        let moments = moments.map(|points| {
            let order = order.sort(points, radius);
            let points: Vec<Vec3> = order.iter().map(|&index| points[index as usize]).collect();
            let ids: Vec<u32> = order.iter().map(|&index| ids[index as usize]).collect();
            Moment::new(domain, radius, &points, &ids)
        });
        let wall_ids: Vec<u32> = (0..walls.len() as u32).collect();
        Self { moments, walls: Moment::new(domain, radius, walls, &wall_ids), radius }
    }

    /// A sample of the present state of `fluid`; the second moment is later by the length of its last step. Before the first
    /// step nothing moves.
    pub fn of(fluid: &View<'_>) -> Self {
        let &View { domain, particles, walls, last_dt: dt, .. } = fluid;
        let moved = |(&x, &v): (&Vec3, &Vec3)| domain.wrap(x + dt * v);
        let next: Vec<Vec3> = particles.positions.iter().zip(&particles.velocities).map(moved).collect();
        Self::inside(domain, [&particles.positions, &next], &particles.ids, &walls.positions, fluid.search_radius())
    }

    /// Number of points, walls and images excluded.
    pub fn len(&self) -> usize {
        self.moments[0].queries().len()
    }

    /// True if the sample has no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
