//! Balls alone as the dynamics of point sets.

use super::material::BallMaterial;
use super::pour::Pour;
use super::step::{Balls, USUAL_SUBSTEP};
use crate::substep::Substep;
use sph_core::point_sets::{PointDynamics, PointReport, PointSet, PointStep};

/// Sets of balls that collide with each other, and with solids.
#[derive(Debug)]
pub struct BallDynamics {
    sets: Vec<BallSet>,
    substep: f64,
    balls: Balls,
}

/// A set of balls, as its dynamics need it.
#[derive(Clone, Debug, PartialEq)]
pub struct BallSet {
    /// Material.
    pub material: BallMaterial,
    /// Balls that are poured while time passes.
    pub pour: Option<Pour>,
}

impl BallDynamics {
    /// Dynamics of these sets, which come in this order.
    pub fn new(sets: Vec<BallSet>) -> Self {
        let materials: Vec<BallMaterial> = sets.iter().map(|set| set.material).collect();
        Self { sets, substep: USUAL_SUBSTEP, balls: Balls::new(&materials) }
    }

    /// The same with substeps of at most `substep` > 0, s.
    #[must_use]
    pub fn with_substep(self, substep: f64) -> Self {
        Self { substep, ..self }
    }

    /// The same dynamics without the memory of a step.
    pub(crate) fn forked(&self) -> Self {
        Self::new(self.sets.clone()).with_substep(self.substep)
    }

    /// The balls, as the last step left them.
    pub fn balls(&self) -> &Balls {
        &self.balls
    }
}

impl PointDynamics for BallDynamics {
    fn advance(&mut self, sets: &mut [PointSet], step: &PointStep<'_>) -> PointReport {
        let mut report = PointReport::default();
        if sets.len() != self.sets.len() || !(step.dt > 0.0 && step.dt.is_finite()) {
            return report;
        }
        for (set, description) in sets.iter_mut().zip(&self.sets) {
            if let Some(pour) = &description.pour {
                pour.release(set, step.time + step.dt);
            }
        }
        let Some(grid) = step.grids.first() else { return report };
        let substeps = Substep::count_of(step.dt, self.substep);
        let read: Vec<&PointSet> = sets.iter().collect();
        let impulses: Vec<&[_]> = step.impulses.iter().map(Vec::as_slice).collect();
        self.balls.begin_step(&read, step, &impulses, grid, substeps);
        for _ in 0..substeps {
            self.balls.predict(step);
            self.balls.solve(step);
        }
        let mut written: Vec<&mut PointSet> = sets.iter_mut().collect();
        self.balls.finish(&mut written, &mut report);
        report
    }

    fn reaches(&self, index: usize) -> Option<&[f32]> {
        Some(self.balls.reaches(index))
    }

    fn fork(&self) -> Box<dyn PointDynamics> {
        Box::new(self.forked())
    }

    fn memory(&self) -> usize {
        self.balls.memory()
    }
}
