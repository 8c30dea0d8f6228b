//! Point sets of a simulation: their step, and the solids that they meet in it.

use super::State;
use super::bodies::Bodies;
use super::solids::Containers;
use crate::forces::ExternalForces;
use crate::point_sets::{
    PointDynamics, PointReport, PointSet, PointSetup, PointStep, SolidId, SolidImpulse, Surface, Surfaces,
};
use crate::report::{StepError, held};
use crate::space::Domain;
use glam::Vec3;

/// What moves the point sets, and the buffers of their step.
#[derive(Debug, Default)]
pub(super) struct Points {
    dynamics: Option<Box<dyn PointDynamics>>,
    /// Sets at the end of the step, until it is accepted.
    next: Vec<PointSet>,
    /// Report of the last step.
    pub report: PointReport,
}

impl Clone for Points {
    fn clone(&self) -> Self {
        let Self { dynamics, next, report } = self;
        let dynamics = dynamics.as_ref().map(|dynamics| dynamics.fork());
        Self { dynamics, next: next.clone(), report: report.clone() }
    }
}

impl Points {
    pub fn new(setup: Option<&PointSetup>) -> Self {
        Self { dynamics: setup.map(|setup| setup.source().dynamics()), ..Self::default() }
    }

    /// What moves the sets; `None` without any.
    pub fn dynamics(&self) -> Option<&dyn PointDynamics> {
        self.dynamics.as_deref()
    }

    /// Computes the sets of `state` at the end of the step from `times[0]` to `times[1]` (s). [`Points::accept`] makes them its sets.
    ///
    /// # Errors
    /// The first point whose state would not be finite.
    pub fn advance(
        &mut self,
        state: &State,
        times: [f64; 2],
        external: ExternalForces<'_>,
        surfaces: &StepSurfaces<'_>,
    ) -> Result<(), StepError> {
        let Self { dynamics: Some(dynamics), next, report } = self else { return Ok(()) };
        next.clone_from(&state.sets);
        *report = dynamics.advance(
            next,
            &PointStep {
                time: times[0],
                dt: times[1] - times[0],
                acceleration: &|at| external.at(at),
                surfaces,
                // Fluid does not act on points yet.
                impulses: &[],
                grids: &state.set_grids,
            },
        );
        let is_finite = |set: &PointSet, i: usize| set.positions[i].is_finite() && set.velocities[i].is_finite();
        for (set, (after, before)) in next.iter().zip(&state.sets).enumerate() {
            if let Some(i) = (0..after.len()).find(|&i| !is_finite(after, i)) {
                let position = before.positions.get(i).copied().unwrap_or_default();
                return Err(StepError::Point { set, id: after.ids[i], position });
            }
        }
        Ok(())
    }

    /// Makes the sets at the end of the step those of `state`.
    pub fn accept(&mut self, state: &mut State) {
        if self.dynamics.is_some() {
            std::mem::swap(&mut state.sets, &mut self.next);
        }
    }

    /// Impulses of the points on bodies in the last step.
    pub fn impulses_on_bodies(&self) -> impl Iterator<Item = (usize, SolidImpulse)> {
        self.report.impulses.iter().filter_map(|impulse| match impulse.solid {
            SolidId::Body(body) => Some((body, *impulse)),
            SolidId::Container(_) | SolidId::Point { .. } => None,
        })
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { dynamics, next, report } = self;
        dynamics.as_ref().map_or(0, |dynamics| dynamics.memory())
            + held(next)
            + next.iter().map(PointSet::memory).sum::<usize>()
            + held(&report.searches)
            + held(&report.impulses)
    }
}

/// Surfaces of containers and bodies during a step that has begun.
pub(super) struct StepSurfaces<'a> {
    pub bodies: &'a Bodies,
    pub containers: &'a Containers,
    pub domain: &'a Domain,
    /// Length of the step, s.
    pub dt: f32,
}

/// Point whose surroundings are asked for, during a step.
#[derive(Clone, Copy)]
pub(super) struct Near {
    pub point: Vec3,
    /// Distance within which surfaces count, m.
    pub reach: f32,
    /// Part of the step that has passed, from 0 to 1.
    pub part: f32,
    /// Length of the step, s.
    pub dt: f32,
}

impl Surfaces for StepSurfaces<'_> {
    fn each_near(&self, point: Vec3, reach: f32, part: f32, visit: &mut dyn FnMut(Surface)) {
        let near = Near { point, reach, part, dt: self.dt };
        self.containers.each_near(near, visit);
        self.bodies.each_near(self.domain, near, visit);
    }
}
