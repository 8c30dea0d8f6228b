//! Point sets of a simulation: their step, and the solids that they meet in it.

use super::State;
use super::bodies::Bodies;
use super::neighborhood::Neighborhood;
use super::solids::Containers;
use crate::forces::ExternalForces;
use crate::neighbors::AuditPlan;
use crate::parameters::Discretization;
use crate::point_sets::{
    ColumnValues, FluidField, PENDING_IMPULSE, PointDynamics, PointHold, PointImpulse, PointReport, PointSet, PointSetup,
    PointStep, SolidId, SolidImpulse, Surface, Surfaces,
};
use crate::probes::{Around, fitted_velocity};
use crate::report::{StepError, held};
use crate::space::Domain;
use glam::Vec3;

/// Time in which the momentum returns to a sheet that fluid which is taken to move with it has received, s. Where less fluid moves with the
/// sheet, what returns pushes it on; motion that it drives grows at a rate below 1/(2 · 0.1 s), less than that at which edges damp it.
const RETURN_TIME: f32 = 0.1;

/// What moves the point sets, and the buffers of their step.
#[derive(Debug, Default)]
pub(super) struct Points {
    dynamics: Option<Box<dyn PointDynamics>>,
    /// Impulses of the fluid that act in the step: one array for each set, empty for one that it does not meet.
    pub impulses: Vec<Vec<PointImpulse>>,
    /// Impulses of the fluid that act later, N s.
    pending: Vec<Vec<Vec3>>,
    /// Sets at the end of the step, until it is accepted.
    pub next: Vec<PointSet>,
    /// Report of the last step.
    pub report: PointReport,
    /// Point that a user's hand holds in the next step.
    pub next_hold: Option<PointHold>,
    /// Point that it holds in the present one.
    hold: Option<PointHold>,
}

impl Clone for Points {
    fn clone(&self) -> Self {
        let Self { dynamics, impulses, pending, next, report, next_hold, hold } = self;
        let dynamics = dynamics.as_ref().map(|dynamics| dynamics.fork());
        let (impulses, pending, next, report) = (impulses.clone(), pending.clone(), next.clone(), report.clone());
        Self { dynamics, impulses, pending, next, report, next_hold: *next_hold, hold: *hold }
    }
}

impl Points {
    pub fn new(setup: Option<&PointSetup>) -> Self {
        Self { dynamics: setup.map(|setup| setup.source().dynamics()), ..Self::default() }
    }

    /// Begins a step, of whatever length it will be: a hand holds a point in one step only.
    pub fn begin_step(&mut self) {
        self.hold = self.next_hold.take();
    }

    /// What moves the sets; `None` without any.
    pub fn dynamics(&self) -> Option<&dyn PointDynamics> {
        self.dynamics.as_deref()
    }

    /// Keeps light points of `sets` from being thrown about by the fluid that moves with them in a step of `dt` (s), which is `moved(set, point)`.
    ///
    /// The acceleration of a point changes the load on it by that of its added mass M. With the whole load in the next step, that of a point of a
    /// smaller mass m would grow from step to step (Causin2005). So a mass A of fluid is taken to move with the point:
    /// - Of the impulse on a ball the part m/(m + A) acts in this step, and the rest later.
    /// - A vertex of a sheet that fluid touches moves as if it had the mass m + A, whatever pushes it, and what this takes from its momentum is left to
    ///   later steps ([`Points::advance`]). If edges and pins moved the mass m alone, a taut sheet would throw the fluid upwards before it feels
    ///   its weight, like a trampoline that gains energy. In compressible fluid the impulse of the step acts at once, as the pressure of
    ///   sound damps the sheet (ρ c v per area); in incompressible fluid, whose M has no bound, it waits with the rest.
    pub fn relax(&mut self, sets: &[PointSet], dt: f32, moved: impl Fn(usize, usize) -> Moved) {
        self.pending.resize_with(sets.len(), Vec::new);
        for (number, set) in sets.iter().enumerate() {
            let (Some(impulses), pending) = (self.impulses.get_mut(number), &mut self.pending[number]) else { continue };
            let before = match set.column(PENDING_IMPULSE) {
                Some(ColumnValues::Vectors(before)) => before.as_slice(),
                _ => &[],
            };
            pending.clear();
            pending.extend(impulses.iter_mut().enumerate().map(|(i, impulse)| {
                let (now, before) = (impulse.linear, before.get(i).copied().unwrap_or(Vec3::ZERO));
                let (mass, Moved { mass: added, by }) = (set.masses[i], moved(number, i));
                let part = 1.0 / (1.0 + added / mass);
                let is_wet = now != Vec3::ZERO && mass.is_finite();
                let slow_part = dt / (dt + RETURN_TIME);
                impulse.linear = match by {
                    MovedBy::Sheet if is_wet => slow_part * (now + before),
                    MovedBy::SheetInSound if is_wet => now + slow_part * before,
                    MovedBy::Point | MovedBy::Sheet | MovedBy::SheetInSound => part * (now + before),
                };
                impulse.added_mass = if is_wet && by != MovedBy::Point { added } else { 0.0 };
                now + before - impulse.linear
            }));
        }
    }

    /// Computes the sets of `state` at the end of the step from `times[0]` to `times[1]` (s), and compares lists of neighbours with brute force by the plan
    /// `audit`. [`Points::accept`] makes them its sets.
    ///
    /// # Errors
    /// The first point whose state would not be finite.
    pub fn advance(
        &mut self,
        state: &State,
        times: [f64; 2],
        external: ExternalForces<'_>,
        surfaces: &StepSurfaces<'_>,
        fluid: Option<&dyn FluidField>,
        audit: AuditPlan,
    ) -> Result<(), StepError> {
        let Self { dynamics: Some(dynamics), impulses, pending, next, report, hold, .. } = self else { return Ok(()) };
        next.clone_from(&state.sets);
        *report = dynamics.advance(
            next,
            &PointStep {
                time: times[0],
                dt: times[1] - times[0],
                acceleration: &|at| external.at(at),
                surfaces,
                fluid,
                impulses,
                grids: &state.set_grids,
                hold: *hold,
                audit,
            },
        );
        for ((set, after), (impulses, pending)) in state.sets.iter().zip(&*next).zip(impulses.iter().zip(&mut *pending)) {
            for (i, impulse) in impulses.iter().enumerate().filter(|(_, impulse)| impulse.added_mass > 0.0) {
                let change = after.velocities[i] - set.velocities[i];
                pending[i] += impulse.added_mass * (change - (times[1] - times[0]) as f32 * external.at(set.positions[i]));
            }
        }
        // The hand takes the momentum of what it holds.
        if let Some(held) = hold.and_then(|hold| pending.get_mut(hold.set)?.get_mut(hold.index)) {
            *held = Vec3::ZERO;
        }
        let is_finite = |set: &PointSet, i: usize| set.positions[i].is_finite() && set.velocities[i].is_finite();
        for (set, (after, before)) in next.iter().zip(&state.sets).enumerate() {
            if let Some(i) = (0..after.len()).find(|&i| !is_finite(after, i)) {
                let position = before.positions.get(i).copied().unwrap_or_default();
                return Err(StepError::Point { set, id: after.ids[i], position });
            }
        }
        Ok(())
    }

    /// Writes the impulses that act later to the sets at the end of the step, with those of fluid that points have stopped in it, which
    /// `contacts(add)` passes to `add(set, point, impulse)`.
    pub fn keep_pending(&mut self, contacts: impl FnOnce(&mut dyn FnMut(usize, usize, Vec3))) {
        let Self { pending, next, .. } = self;
        for (set, pending) in next.iter().zip(&mut *pending) {
            if !pending.is_empty() {
                // Points that have come in the step.
                pending.resize(set.len(), Vec3::ZERO);
            }
        }
        contacts(&mut |set, point, impulse| pending[set][point] += impulse);
        for (set, pending) in next.iter_mut().zip(&*pending) {
            if set.column(PENDING_IMPULSE).is_some() || pending.iter().any(|of| *of != Vec3::ZERO) {
                set.set_column(PENDING_IMPULSE, "N s", ColumnValues::Vectors(pending.clone()));
            }
        }
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
        let Self { dynamics, impulses, pending, next, report, next_hold: _, hold: _ } = self;
        dynamics.as_ref().map_or(0, |dynamics| dynamics.memory())
            + held(impulses)
            + impulses.iter().map(held).sum::<usize>()
            + held(pending)
            + pending.iter().map(held).sum::<usize>()
            + held(next)
            + next.iter().map(PointSet::memory).sum::<usize>()
            + held(&report.searches)
            + held(&report.impulses)
    }
}

/// Fluid that moves with a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    /// Mass, kg.
    pub mass: f32,
    /// What it moves with.
    pub by: MovedBy,
}

/// What fluid moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MovedBy {
    /// A ball.
    Point,
    /// A sheet in incompressible fluid.
    Sheet,
    /// A sheet in fluid in which pressure travels with the speed of sound.
    SheetInSound,
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

    fn reports_all_surfaces(&self, solid: SolidId) -> bool {
        match solid {
            SolidId::Container(container) => self.containers.all[container].region.is_none(),
            SolidId::Body(body) => self.bodies.placed[body].body.is_convex(),
            SolidId::Point { .. } => true,
        }
    }

    fn may_move(&self) -> bool {
        self.containers.any_moves() || self.bodies.any_moves()
    }
}

/// The fluid of a step whose velocities are known and whose particles have not moved yet, in the search of the step.
pub(super) struct StepFluid<'a> {
    pub discretization: &'a Discretization,
    pub domain: &'a Domain,
    pub neighborhood: &'a Neighborhood,
    /// Positions of the particles at the beginning of the step, m.
    pub positions: &'a [Vec3],
    /// Velocities at which they move, m/s.
    pub velocities: &'a [Vec3],
}

impl FluidField for StepFluid<'_> {
    fn velocity(&self, point: Vec3) -> Option<Vec3> {
        let Self { discretization, domain, neighborhood, positions, velocities } = *self;
        let point = Some(domain.wrap(point)).filter(|point| point.is_finite())?;
        let around = Around::new(discretization, domain, point);
        // Ascending, so that the sum does not depend on the structure.
        let near = neighborhood.fluid_near(point, positions.len()).into_iter().map(|f| f as usize);
        let near = near.filter_map(|f| around.see(positions[f]).map(|(x, w)| (velocities[f], x, w)));
        Some(fitted_velocity(discretization, near)?.as_vec3())
    }
}
