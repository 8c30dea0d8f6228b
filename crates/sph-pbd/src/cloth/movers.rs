//! Solids that yield to sheets during a step, such as balls.
//!
//! The vertices that push a mover in a pass do not know of each other. So each of them meets a part of its mass, one in so many as they are (Tonge2012), so that
//! together they do not move it too far. Their number is that of the passes before, so more than [`USUAL_CONTACTS`] at once still do in the first.

use glam::{Vec3, Vec3A};
use sph_core::point_sets::{SolidId, Surface, Surfaces};

/// Number of vertices that are expected to push a mover in a pass, until more have been seen.
const USUAL_CONTACTS: u32 = 4;

/// A solid that yields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mover {
    /// Inverse of the mass, 1/kg.
    inverse_mass: f32,
    /// Velocity, m/s.
    pub velocity: Vec3A,
    /// Displacement since the beginning of the step, m.
    pub moved: Vec3A,
    /// Displacement in the substep, m.
    pub travel: Vec3A,
    /// Largest number of vertices that have pushed it in a pass of this step, but at least [`USUAL_CONTACTS`].
    contacts: u32,
    /// Way that it would have gone by its first velocity, m.
    pub allowance: f32,
    /// Length of the step, s.
    dt: f32,
    /// True once it has gone farther, or may.
    is_astray: bool,
}

/// The movers of a step, in sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Movers {
    all: Vec<Mover>,
    /// Index of the first of each set.
    starts: Vec<usize>,
    /// Those that have gone farther than their first velocities would have taken them, or may.
    astray: Vec<u32>,
    /// Impulse on each in a pass, N s, and number of those who push it.
    sums: Vec<(Vec3A, u32)>,
}

/// Solids, of which some yield.
pub(crate) trait Obstacles: Surfaces {
    /// Those that do, where they are now.
    fn movers(&self) -> &Movers;
    fn movers_mut(&mut self) -> &mut Movers;
}

/// Solids that do not yield.
pub(super) struct Unyielding<'a> {
    pub surfaces: &'a dyn Surfaces,
    pub none: Movers,
}

impl Mover {
    /// A mover with this inverse of its mass (1/kg) and velocity (m/s) at the beginning of a step of `dt`, s.
    pub fn new(inverse_mass: f32, velocity: Vec3A, dt: f32) -> Self {
        // Rounding does not make it stray.
        let allowance = 1.001 * dt * velocity.length();
        let (moved, travel) = (Vec3A::ZERO, Vec3A::ZERO);
        Self { inverse_mass, velocity, moved, travel, contacts: USUAL_CONTACTS, allowance, dt, is_astray: false }
    }

    /// True if it has just gone farther than its first velocity would have taken it, or become fast enough to.
    fn strays(&mut self) -> bool {
        let way = self.moved.length_squared().max(self.velocity.length_squared() * self.dt * self.dt);
        let strays = !self.is_astray && way > self.allowance * self.allowance;
        self.is_astray |= strays;
        strays
    }

    /// Inverse of the part of its mass that a vertex meets, 1/kg.
    pub(super) fn inverse_mass_a_contact(&self) -> f32 {
        self.inverse_mass * self.contacts as f32
    }
}

impl Movers {
    /// Adds a set of movers, which are [`SolidId::Point`].
    pub fn add_set(&mut self, movers: impl Iterator<Item = Mover>) {
        self.starts.push(self.all.len());
        self.all.extend(movers);
        self.sums.resize(self.all.len(), Default::default());
    }

    fn index(&self, solid: SolidId) -> Option<usize> {
        let SolidId::Point { set, index } = solid else { return None };
        let end = self.starts.get(set + 1).copied().unwrap_or(self.all.len());
        Some(self.starts.get(set)? + index).filter(|&index| index < end)
    }

    /// The mover that a solid is.
    pub fn get(&self, solid: SolidId) -> Option<&Mover> {
        Some(&self.all[self.index(solid)?])
    }

    /// All movers, set after set.
    pub fn all(&self) -> &[Mover] {
        &self.all
    }

    /// Indices among [`Self::all`] of those that have gone farther than their first velocities would have taken them, or may.
    pub fn astray(&self) -> &[u32] {
        &self.astray
    }

    /// Moves all by their velocities in a substep of length `h`, s.
    pub fn begin_substep(&mut self, h: f32) {
        for (index, mover) in (0..).zip(&mut self.all) {
            mover.travel = mover.velocity * h;
            mover.moved += mover.travel;
            if mover.strays() {
                self.astray.push(index);
            }
        }
    }

    /// Gives movers the impulses (N s) of a pass of a substep of length `h`, s.
    pub(super) fn push(&mut self, impulses: impl IntoIterator<Item = (SolidId, Vec3A)>, h: f32) {
        let mut touched = Vec::new();
        for (solid, impulse) in impulses {
            let Some(index) = self.index(solid) else { continue };
            let (sum, count) = &mut self.sums[index];
            if *count == 0 {
                touched.push(index);
            }
            *sum += impulse;
            *count += 1;
        }
        for index in touched {
            let (impulse, count) = std::mem::take(&mut self.sums[index]);
            let mover = &mut self.all[index];
            let change = impulse * mover.inverse_mass;
            mover.velocity += change;
            mover.travel += change * h;
            mover.moved += change * h;
            mover.contacts = mover.contacts.max(count);
            if mover.strays() {
                self.astray.push(index as u32);
            }
        }
    }
}

impl Surfaces for Unyielding<'_> {
    fn each_near(&self, point: Vec3, reach: f32, part: f32, visit: &mut dyn FnMut(Surface)) {
        self.surfaces.each_near(point, reach, part, visit);
    }
}

impl Obstacles for Unyielding<'_> {
    fn movers(&self) -> &Movers {
        &self.none
    }

    fn movers_mut(&mut self) -> &mut Movers {
        &mut self.none
    }
}
