//! A toy set, in one file: tracers, which drift with the fluid and measure how far they have gone.

use std::any::Any;

use glam::Vec3;
use sph_core::neighbors::GridParameters;
use sph_core::point_sets::{Column, ColumnValues, PointDynamics, PointReport, PointSet, PointSource, PointStep};

/// Column of the way gone so far, m.
pub const PATH: &str = "path";

/// Tracers that begin at these places, m.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracers(pub Vec<Vec3>);

impl PointSource for Tracers {
    fn sets(&self) -> Vec<PointSet> {
        let count = self.0.len();
        let path = ColumnValues::Scalars(vec![0.0; count]);
        vec![PointSet {
            name: "tracers".to_owned(),
            positions: self.0.clone(),
            velocities: vec![Vec3::ZERO; count],
            radii: vec![0.01; count],
            masses: vec![1.0; count],
            ids: (0..count as u32).collect(),
            columns: vec![Column { name: PATH.to_owned(), unit: "m".to_owned(), values: path }],
            ..PointSet::default()
        }]
    }

    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    fn dynamics(&self) -> Box<dyn PointDynamics> {
        Box::new(Drift)
    }

    fn grids(&self) -> Vec<GridParameters> {
        vec![GridParameters::default()]
    }

    fn fits(&self, sets: &[PointSet]) -> bool {
        sets.iter().map(|set| (set.name.as_str(), set.len())).eq([("tracers", self.0.len())])
            && matches!(sets[0].column(PATH), Some(ColumnValues::Scalars(path)) if path.len() == self.0.len())
    }

    fn is_same(&self, other: &dyn PointSource) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The midpoint rule for `dx/dt = v(x)` in the velocities of the step. Without fluid a tracer stays where it is.
#[derive(Clone, Debug)]
struct Drift;

impl PointDynamics for Drift {
    fn advance(&mut self, sets: &mut [PointSet], step: &PointStep<'_>) -> PointReport {
        let dt = step.dt as f32;
        let drift = |at: Vec3| step.fluid.and_then(|fluid| fluid.velocity(at)).unwrap_or(Vec3::ZERO);
        let PointSet { positions, velocities, columns, .. } = &mut sets[0];
        for (position, velocity) in positions.iter_mut().zip(&mut *velocities) {
            *velocity = drift(*position + 0.5 * dt * drift(*position));
            *position += dt * *velocity;
        }
        if let ColumnValues::Scalars(path) = &mut columns[0].values {
            path.iter_mut().zip(velocities).for_each(|(path, velocity)| *path += dt * velocity.length());
        }
        PointReport::default()
    }

    fn columns_of_points(&self, _: usize) -> &[&'static str] {
        &[PATH]
    }

    fn fork(&self) -> Box<dyn PointDynamics> {
        Box::new(self.clone())
    }

    fn memory(&self) -> usize {
        0
    }
}
