//! Solids that yield to sheets during a step, such as balls.
//!
//! The vertices that push a mover in a pass do not know of each other. So each of them meets a part of its mass, one in so many as they are (Tonge2012), so that
//! together they do not move it too far. Those that touch it are counted before the first pass of a substep.

use glam::Vec3A;
use sph_core::point_sets::SolidId;

/// A solid that yields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mover {
    /// Inverse of the mass, 1/kg; zero for one that no sheet moves.
    pub inverse_mass: f32,
    /// Velocity, m/s.
    pub velocity: Vec3A,
    /// Displacement since the beginning of the step, m.
    pub moved: Vec3A,
    /// Displacement in the substep, m.
    pub travel: Vec3A,
    /// Sum of the impulses on it since [`Movers::forget_impulses`], N s.
    pub impulse: Vec3A,
    /// Sum of n × J of the impulses J, with the normals n of its surface, N s.
    pub turn: Vec3A,
    /// Largest number of vertices that have touched it at a time in this step.
    contacts: u32,
    /// Way in the step for which it is searched, m.
    allowance: f32,
    is_astray: bool,
}

/// The movers of a step, in sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Movers {
    all: Vec<Mover>,
    /// Index of the first of each set.
    starts: Vec<usize>,
    /// Those that have gone farther than they were searched for, or may.
    astray: Vec<u32>,
    /// Times that a mover has become so fast that those who have not seen it may meet it.
    surprises: u32,
    /// Time until the end of the step, s.
    time_left: f32,
    /// Impulse and n × J on each in a pass, N s, and number of those who push it or touch it.
    sums: Vec<(Vec3A, Vec3A, u32)>,
    /// Those that have such.
    touched: Vec<usize>,
}

/// Impulse on a solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Push {
    pub solid: SolidId,
    /// Unit normal of its surface.
    pub normal: Vec3A,
    /// Impulse, N s.
    pub impulse: Vec3A,
}

impl Mover {
    /// A mover with this inverse of its mass (1/kg) and velocity (m/s), searched for so far around its place at the beginning of a step (m).
    pub fn new(inverse_mass: f32, velocity: Vec3A, allowance: f32) -> Self {
        Self {
            inverse_mass,
            velocity,
            moved: Vec3A::ZERO,
            travel: Vec3A::ZERO,
            impulse: Vec3A::ZERO,
            turn: Vec3A::ZERO,
            contacts: 1,
            allowance,
            is_astray: false,
        }
    }

    /// Way in the step for which it is searched, m.
    pub fn allowance(&self) -> f32 {
        self.allowance
    }

    /// Inverse of the part of its mass that a vertex meets, 1/kg.
    pub(super) fn inverse_mass_a_contact(&self) -> f32 {
        self.inverse_mass * self.contacts as f32
    }
}

impl Movers {
    /// No movers yet, in a step of `dt`, s.
    pub fn of_step(dt: f32) -> Self {
        Self { time_left: dt, ..Self::default() }
    }

    /// Adds a set of movers, which are [`SolidId::Point`].
    pub fn add_set(&mut self, movers: impl Iterator<Item = Mover>) {
        self.starts.push(self.all.len());
        self.all.extend(movers);
        self.sums.resize(self.all.len(), Default::default());
    }

    /// Index among [`Self::all`] of the mover that a solid is.
    pub fn index(&self, solid: SolidId) -> Option<usize> {
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

    /// Indices among [`Self::all`] of those that have gone farther than they were searched for, or may.
    pub fn astray(&self) -> &[u32] {
        &self.astray
    }

    /// Number that grows when a mover becomes so fast that those who have not seen it may meet it.
    pub fn surprises(&self) -> u32 {
        self.surprises
    }

    /// Moves all by their velocities in a substep of length `h`, s.
    pub fn begin_substep(&mut self, h: f32) {
        self.time_left -= h;
        for index in 0..self.all.len() {
            let mover = &mut self.all[index];
            mover.travel = mover.velocity * h;
            mover.moved += mover.travel;
            self.watch(index);
        }
    }

    /// Corrects the displacement since the beginning of the step (m) and the velocity (m/s) of a mover between two substeps.
    pub fn correct(&mut self, index: usize, moved: Vec3A, velocity: Vec3A) {
        let mover = &mut self.all[index];
        (mover.moved, mover.velocity) = (moved, velocity);
        self.watch(index);
    }

    /// Forgets the sums of the impulses.
    pub fn forget_impulses(&mut self) {
        self.all.iter_mut().for_each(|mover| (mover.impulse, mover.turn) = (Vec3A::ZERO, Vec3A::ZERO));
    }

    /// Expects each to be pushed in a pass by as many as it is there among `solids`.
    pub fn expect(&mut self, solids: impl IntoIterator<Item = SolidId>) {
        solids.into_iter().for_each(|solid| self.add(&Push { solid, normal: Vec3A::ZERO, impulse: Vec3A::ZERO }));
        for index in self.touched.drain(..) {
            let (_, _, count) = std::mem::take(&mut self.sums[index]);
            let mover = &mut self.all[index];
            mover.contacts = mover.contacts.max(count);
        }
    }

    /// Gives movers the pushes of a pass of a substep of length `h`, s.
    pub fn push(&mut self, pushes: impl IntoIterator<Item = Push>, h: f32) {
        pushes.into_iter().for_each(|push| self.add(&push));
        let mut touched = std::mem::take(&mut self.touched);
        for index in touched.drain(..) {
            let (impulse, turn, count) = std::mem::take(&mut self.sums[index]);
            let mover = &mut self.all[index];
            let change = impulse * mover.inverse_mass;
            mover.velocity += change;
            mover.travel += change * h;
            mover.moved += change * h;
            mover.impulse += impulse;
            mover.turn += turn;
            mover.contacts = mover.contacts.max(count);
            self.watch(index);
        }
        self.touched = touched;
    }

    fn add(&mut self, &Push { solid, normal, impulse }: &Push) {
        let Some(index) = self.index(solid) else { return };
        let (sum, turn, count) = &mut self.sums[index];
        if *count == 0 {
            self.touched.push(index);
        }
        *sum += impulse;
        *turn += normal.cross(impulse);
        *count += 1;
    }

    /// Notices if a mover may go farther than it was searched for.
    fn watch(&mut self, index: usize) {
        let mover = &mut self.all[index];
        let way = mover.moved.length() + mover.velocity.length() * self.time_left;
        if way > mover.allowance {
            // So that one that is pushed again and again surprises seldom.
            mover.allowance = 2.0 * way;
            self.surprises += 1;
            if !std::mem::replace(&mut mover.is_astray, true) {
                self.astray.push(index as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::solids::{Contact, Plane};
    use super::super::vertices::Vertex;
    use super::*;
    use glam::{Vec3, Vec4};
    use sph_core::point_sets::Surface;

    /// Fifty vertices strike a ball at once that is as heavy as two of them: it goes as far as they would push it together, not each.
    #[test]
    fn many_vertices_do_not_move_a_light_mover_too_far() {
        const DEPTH: f32 = 0.001;
        let (solid, h) = (SolidId::Point { set: 0, index: 0 }, 0.001);
        let mut movers = Movers::of_step(0.01);
        movers.add_set(std::iter::once(Mover::new(0.5, Vec3A::ZERO, 1.0)));
        movers.begin_substep(h);
        movers.expect([solid; 50]);
        let surface = Surface { distance: 0.0, normal: Vec3::Y, velocity: Vec3::ZERO, solid };
        let contact = Contact { asked: Vec3A::ZERO, since: 0.0, radius: DEPTH, friction: 0.0, h };
        let push = |_| {
            // It was above the ball at the beginning of the substep.
            let mut vertex = Vertex { moved: Vec4::W, before: Vec4::Y };
            let push = Plane::of(&surface, &movers).push(&mut vertex, &contact, movers.get(solid));
            (vertex.displacement().y, push)
        };
        let (places, pushes): (Vec<f32>, Vec<Option<Push>>) = (0..50).map(push).unzip();
        movers.push(pushes.into_iter().flatten(), h);
        let moved = movers.all()[0].moved.y;
        assert!(places[0] > 0.0 && moved < 0.0, "both yield, {} and {moved} m", places[0]);
        assert!((places[0] - moved - DEPTH).abs() < 1e-3 * DEPTH, "they just touch, {} and {moved} m", places[0]);
    }
}
