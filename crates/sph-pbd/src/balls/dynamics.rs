//! Balls alone as the dynamics of point sets.

use std::sync::Arc;

use super::material::BallMaterial;
use super::pour::{Pour, pour_by_hand};
use super::step::{Balls, USUAL_SUBSTEP};
use crate::substep::Substep;
use sph_core::point_sets::{PointDynamics, PointReport, PointSet, PointStep, PourDisc, SPIN};

/// Sets of balls that collide with each other, and with solids.
#[derive(Debug)]
pub struct BallDynamics {
    sets: Vec<BallSet>,
    substep: f64,
    balls: Balls,
}

/// A set of balls, as its dynamics need it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BallSet {
    /// Material.
    pub material: BallMaterial,
    /// Radii of the balls in their order, also of those that are poured later, m; a hand pours balls of these sizes, and none if there are none.
    pub radii: Arc<[f32]>,
    /// Density of the balls that are poured, kg/m³.
    pub density: f32,
    /// Seed of their places.
    pub seed: u64,
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

    /// Number of substeps of a step of length `dt` (s), none longer than `longest`, s.
    pub(crate) fn substeps(&self, dt: f64, longest: f64) -> u32 {
        Substep::count_of(dt, self.substep.min(longest))
    }

    /// Lets the balls in that are due at the end of a step. Returns false if `sets` are not the sets of these dynamics, or the step has no length.
    pub(crate) fn release(&self, sets: &mut [PointSet], step: &PointStep<'_>) -> bool {
        if sets.len() != self.sets.len() || !(step.dt > 0.0 && step.dt.is_finite()) {
            return false;
        }
        for (set, description) in sets.iter_mut().zip(&self.sets) {
            if let Some(pour) = &description.pour {
                pour.release(description, set, step.time + step.dt);
            }
        }
        true
    }

    /// Begins a step of so many substeps. Returns false if there is nothing to move.
    pub(crate) fn begin_step(&mut self, sets: &[PointSet], step: &PointStep<'_>, substeps: u32) -> bool {
        let Some(grid) = step.grids.first() else { return false };
        let read: Vec<&PointSet> = sets.iter().collect();
        let impulses: Vec<&[_]> = step.impulses.iter().map(Vec::as_slice).collect();
        self.balls.begin_step(&read, step, &impulses, grid, substeps);
        true
    }

    /// Writes the balls to their `sets` at the end of a step, and reports it.
    pub(crate) fn finish(&mut self, sets: &mut [PointSet], report: &mut PointReport) {
        let mut written: Vec<&mut PointSet> = sets.iter_mut().collect();
        self.balls.finish(&mut written, report);
    }

    /// The balls, in a step.
    pub(crate) fn balls_mut(&mut self) -> &mut Balls {
        &mut self.balls
    }

    /// The balls, as the last step left them.
    pub fn balls(&self) -> &Balls {
        &self.balls
    }
}

impl PointDynamics for BallDynamics {
    fn advance(&mut self, sets: &mut [PointSet], step: &PointStep<'_>) -> PointReport {
        let mut report = PointReport::default();
        if !self.release(sets, step) {
            return report;
        }
        let substeps = self.substeps(step.dt, f64::INFINITY);
        if self.begin_step(sets, step, substeps) {
            (0..substeps).for_each(|_| self.balls.substep(step));
            self.finish(sets, &mut report);
        }
        report
    }

    fn columns_of_points(&self, _: usize) -> &[&'static str] {
        &[SPIN]
    }

    fn reaches(&self, index: usize) -> Option<&[f32]> {
        Some(self.balls.reaches(index))
    }

    fn largest_poured(&self, index: usize) -> Option<f32> {
        self.sets.get(index)?.radii.iter().copied().reduce(f32::max)
    }

    fn pour(&self, index: usize, set: &mut PointSet, disc: &PourDisc<'_>) -> bool {
        self.sets.get(index).is_some_and(|balls| pour_by_hand(balls, set, disc))
    }

    fn fork(&self) -> Box<dyn PointDynamics> {
        Box::new(self.forked())
    }

    fn memory(&self) -> usize {
        self.balls.memory()
    }
}
