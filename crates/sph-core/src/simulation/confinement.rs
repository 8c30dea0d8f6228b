//! Confinement of velocities by everything solid, the account of it, and the reactions to it.

use super::solids::{Bodies, Containers};
use crate::boundary::{Reactions, Solid};
use crate::parameters::Dimensions;
use crate::passes::{sum_cells, sweep};
use crate::space::{Domain, Wrap};
use glam::{DVec3, Vec3};

/// Containers and bodies during a step, which particles neither leave nor enter.
pub(super) struct Confinement<'a> {
    pub dimensions: Dimensions,
    pub domain: &'a Domain,
    pub bodies: &'a Bodies,
    pub containers: &'a Containers,
    /// Smallest distance of a particle to a wall, m.
    pub clearance: f32,
    /// Length of the step, s.
    pub dt: f32,
}

/// Particles that a step has held back at solids: those whose velocities confinement has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Held {
    /// Their number.
    pub particles: usize,
    /// Sum of the magnitudes of the impulses on them, Σ m |Δv|, N s (N s/m in two dimensions).
    pub impulse: f64,
}

impl Held {
    /// The account of `particles` held particles: impulses of fluid of particle mass `mass` (kg), ordered by `cells`, from the
    /// first to the second of its velocities, m/s.
    pub fn new(particles: usize, cells: &[u32], mass: impl Fn(usize) -> f32 + Sync, [free, confined]: [&[Vec3]; 2]) -> Self {
        if particles == 0 {
            return Self::default();
        }
        let impulse = |i: usize| f64::from(mass(i)) * (confined[i].as_dvec3() - free[i].as_dvec3()).length();
        let [impulse] = sum_cells(cells, |i| [if free[i] == confined[i] { 0.0 } else { impulse(i) }]);
        Self { particles, impulse }
    }
}

impl Confinement<'_> {
    /// Velocity (m/s) closest to `velocity` with which a particle at `position` (m) stays inside the containers and outside the
    /// bodies. `stopped` is called for each solid that changes it, with the change, m/s.
    #[inline]
    pub fn confine(&self, position: Vec3, velocity: Vec3, mut stopped: impl FnMut(Solid, DVec3)) -> Vec3 {
        let Self { dimensions, domain, bodies, containers, clearance, dt } = *self;
        let by_body = |index, change| stopped(Solid::Body(index), change);
        let outside = bodies.confine((dimensions, domain), clearance, dt, (position, velocity), by_body);
        let inside = containers.confine(dimensions, clearance, dt, position, outside);
        if inside != outside {
            stopped(Solid::Walls, inside.as_dvec3() - outside.as_dvec3());
        }
        inside
    }

    /// Adds the reactions to the confinement of fluid of particle mass `mass` (kg) at `positions` (m): from the first to the
    /// second of `velocities`, m/s.
    pub fn add_contacts(
        &self,
        mass: impl Fn(usize) -> f32,
        positions: &[Vec3],
        velocities: [&[Vec3]; 2],
        reactions: &mut Reactions,
    ) {
        let [free, confined] = velocities;
        let is_stopped = |i: usize| free[i] != confined[i];
        let Some(first) = sweep::find_first(free.len(), |i| is_stopped(i).then_some(i)) else { return };
        let wrap = Wrap::new(self.domain);
        for i in (first..free.len()).filter(|&i| is_stopped(i)) {
            self.confine(positions[i], free[i], |solid, change| {
                reactions.add_contact(solid, wrap, positions[i], f64::from(mass(i)) * change);
            });
        }
    }
}
