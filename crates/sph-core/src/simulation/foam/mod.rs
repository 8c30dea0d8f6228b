//! Foam, spray and bubbles (Ihmsen2012): particles without mass that a running fluid makes and carries, to be looked at.
//!
//! [`Foam`] reads the fluid through its [`View`](crate::View) after each step and never changes it; whoever drives an engine owns
//! one. `emission` says where particles are made, and makes them; `motion` classifies and moves them, and holds them back at
//! walls. Random numbers are hashes, so the same steps give the same foam, to the bit, on any number of threads.

mod emission;
mod motion;

#[cfg(test)]
mod tests;

use super::View;
use crate::neighbors::NeighborLists;
use crate::parameters::{FoamModel, FoamParameters, Parameters};
use crate::passes::sweep;
use crate::report::held;
use emission::{FluidNeighbors, Potentials, Random, Source};
use glam::Vec3;
use motion::{Mover, Walls};

// A particle of foam, spray or bubbles.

/// Kind of a particle, by how much fluid is around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoamKind {
    /// Drop in the air: it flies.
    Spray,
    /// Foam on the surface: the flow carries it.
    Foam,
    /// Bubble in the fluid: it rises.
    Bubble,
}

/// Particle of foam, spray or bubbles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoamParticle {
    /// Position, m.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Time that it has left, s.
    pub left: f32,
    /// Kind.
    pub kind: FoamKind,
}

// The foam of a running fluid, step by step.

/// Length of a step of the foam, in times that fluid of the scene's speed takes for a particle spacing. Foam is not stiff: it takes
/// one such step for several of the fluid.
const STEP: f32 = 0.25;

/// Most steps of the foam that one may stand for after a fluid that could not be searched.
const MOST_MISSED: f32 = 8.0;

/// Foam, spray and bubbles of a running fluid.
#[derive(Debug, Default)]
pub struct Foam {
    particles: Vec<FoamParticle>,
    /// Steps of the fluid when it was last looked at; `None` before.
    seen: Option<u64>,
    /// Time of the foam, s.
    time: f64,
    held_back: u64,
    search: Option<FluidNeighbors>,
    lists: NeighborLists,
    buffers: Buffers,
}

/// Memory of a step, reused in the next.
#[derive(Debug, Default)]
struct Buffers {
    points: Vec<Vec3>,
    /// Fluid particles that may make foam, and how many particles each makes in a second.
    active: Vec<u32>,
    rates: Vec<f32>,
    /// Fluid particles whose normals are needed, and the normals of all.
    near: Vec<u32>,
    near_normals: Vec<Vec3>,
    near_lists: NeighborLists,
    normals: Vec<Vec3>,
}

impl Foam {
    /// True if [`Self::follow`] has anything to do with these parameters: whoever would have to copy the fluid for it asks first.
    pub fn follows(&self, parameters: &Parameters) -> bool {
        parameters.foam.model != FoamModel::None || self.seen.is_some()
    }

    /// Follows `fluid`: to be called with the initial state and after every step, on the rayon pool to compute on. If steps are
    /// left out, the fluid starts anew, or could not be searched for many steps of the foam, the foam starts anew too. While the model is
    /// `none` it holds no memory.
    pub fn follow(&mut self, fluid: &View<'_>) {
        let parameters = &fluid.parameters.foam;
        if parameters.model == FoamModel::None {
            if self.seen.is_some() {
                *self = Self::default();
            }
            return;
        }
        let steps = self.seen.replace(fluid.steps);
        if steps == Some(fluid.steps) {
            return;
        }
        if steps.is_none_or(|steps| steps + 1 != fluid.steps) {
            return self.restart(fluid.time);
        }
        let dt = (fluid.time - self.time) as f32;
        let usual = STEP * fluid.discretization.particle_spacing / parameters.speed;
        if dt < usual {
            return;
        }
        // A step that could not be made is made up for by the next one, unless too many are missing: one step cannot stand for them.
        if self.step(fluid, dt) {
            self.time = fluid.time;
        } else if dt > MOST_MISSED * usual {
            self.restart(fluid.time);
        }
    }

    /// Begins at `time` (s) without foam.
    fn restart(&mut self, time: f64) {
        self.particles.clear();
        self.held_back = 0;
        self.time = time;
    }

    /// The particles, in an order that depends on the fluid only.
    pub fn particles(&self) -> &[FoamParticle] {
        &self.particles
    }

    /// Number of particles that the limit has held back.
    pub fn held_back(&self) -> u64 {
        self.held_back
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        let Buffers { points, active, rates, near, near_normals, near_lists, normals } = &self.buffers;
        let vectors = held(points) + held(near_normals) + held(normals);
        let lists = self.lists.memory() + near_lists.memory() + held(active) + held(rates) + held(near);
        held(&self.particles) + self.search.as_ref().map_or(0, FluidNeighbors::memory) + vectors + lists
    }

    /// Moves the foam by `dt` (s) to the time of `fluid`, and makes new. Returns false if the fluid cannot be searched, and nothing has
    /// changed.
    fn step(&mut self, fluid: &View<'_>, dt: f32) -> bool {
        let spacing = fluid.discretization.particle_spacing;
        let mut search = self.search.take().unwrap_or_else(|| FluidNeighbors::new(spacing));
        let potentials = Potentials::new(fluid, search.radius);
        let active = &mut self.buffers.active;
        active.clear();
        active.extend((0..fluid.particles.len()).filter(|&i| potentials.energy(i) > 0.0).map(|i| i as u32));
        // Without anything to do no search is made.
        let is_idle = active.is_empty() && self.particles.is_empty();
        if is_idle || !search.update(fluid) {
            self.search = Some(search);
            return is_idle;
        }
        let walls = Walls::new(fluid, dt);
        self.advect(fluid, &search, &walls, dt);
        self.find_rates(&potentials, &search, fluid.particles.len());
        self.seed(fluid, &walls, dt);
        self.search = Some(search);
        true
    }

    /// Moves the particles by `dt` (s), and removes those whose time is over.
    fn advect(&mut self, fluid: &View<'_>, search: &FluidNeighbors, walls: &Walls<'_>, dt: f32) {
        let Self { particles, lists, buffers: Buffers { points, .. }, .. } = self;
        points.clear();
        points.extend(particles.iter().map(|particle| particle.position));
        search.around(points, lists);
        let mover = Mover::new(fluid, walls, search.radius, dt);
        sweep::update(particles, |k, particle| mover.step(particle, lists.of(k)));
        particles.retain(|particle| particle.left > 0.0 && particle.position.is_finite());
    }

    /// Computes the rate of each of the active particles, of `count` in all.
    fn find_rates(&mut self, potentials: &Potentials<'_>, search: &FluidNeighbors, count: usize) {
        let Self { lists, buffers, .. } = self;
        let Buffers { points, active, rates, near, near_normals, near_lists, normals } = buffers;
        let place = |points: &mut Vec<Vec3>, of: &[u32]| {
            points.clear();
            points.extend(of.iter().map(|&i| potentials.positions()[i as usize]));
        };
        place(points, active);
        search.around(points, lists);
        normals.clear();
        if potentials.has_crests() {
            let mut is_near = vec![false; count];
            (0..active.len()).flat_map(|k| lists.of(k)).for_each(|&j| is_near[j as usize] = true);
            near.clear();
            near.extend((0..count as u32).filter(|&j| is_near[j as usize]));
            place(points, near);
            search.around(points, near_lists);
            sweep::map(near.len(), near_normals, |k| potentials.normal(near[k] as usize, near_lists.of(k)));
            normals.resize(count, Vec3::ZERO);
            near.iter().zip(near_normals).for_each(|(&j, normal)| normals[j as usize] = *normal);
        }
        sweep::map(active.len(), rates, |k| potentials.rate(active[k] as usize, lists.of(k), normals));
    }

    /// Adds the particles that the active ones make in `dt`, s.
    fn seed(&mut self, fluid: &View<'_>, walls: &Walls<'_>, dt: f32) {
        let Self { particles, held_back, buffers: Buffers { active, rates, .. }, .. } = self;
        let FoamParameters { lifetime, limit, .. } = fluid.parameters.foam;
        for (i, rate) in active.iter().map(|&i| i as usize).zip(rates).filter(|(_, rate)| **rate > 0.0) {
            let source = Source {
                dimensions: fluid.discretization.dimensions,
                domain: fluid.domain,
                position: fluid.particles.positions[i],
                velocity: fluid.particles.velocities[i],
                radius: 0.5 * fluid.discretization.particle_spacing,
                random: Random::new(fluid.particles.ids[i], fluid.steps),
            };
            let wanted = source.number(*rate * dt);
            let number = wanted.min((limit as usize).saturating_sub(particles.len()) as u32);
            *held_back += u64::from(wanted - number);
            particles.extend((0..number).map(|index| source.particle(index, dt, lifetime, walls)));
        }
    }
}
