//! Contact of vertices with walls and bodies.
//!
//! Asking a body of any shape for its surface takes long, so what was answered is kept as planes, which move at the velocity of the surface, until
//! the vertex has moved half a thickness or could meet another solid.

use super::movers::{Mover, Movers};
use super::vertices::{GRAIN, PARALLEL_FROM, Vertex, displaced};
use glam::{Vec3, Vec3A, Vec4};
use rayon::prelude::*;
use sph_core::point_sets::{PointSet, SolidId, SolidImpulse, Surface, Surfaces};

/// Contacts of all vertices with solids.
#[derive(Clone, Debug, Default)]
pub(super) struct Solids {
    chunks: Vec<Chunk>,
}

/// Contacts of successive vertices.
#[derive(Clone, Debug, Default)]
struct Chunk {
    watches: Vec<Watch>,
    near: Vec<Near>,
    /// Impulses on solids that are no longer near, N s, with the index of the vertex.
    past: Vec<(u32, SolidId, Vec3A)>,
    /// Impulses on movers in the last pass, N s.
    pushes: Vec<(SolidId, Vec3A)>,
}

/// The last question of a vertex.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// Displacement at that time, m; last the square of the distance within which the answer holds, m².
    asked: Vec4,
    /// Index of what was near; [`NOTHING`] if nothing was.
    near: u32,
}

const NOTHING: u32 = u32::MAX;

/// Surfaces near a vertex.
#[derive(Clone, Debug, Default)]
struct Near {
    /// Place of the vertex in its chunk, half the thickness (m) and the friction of its sheet.
    place: u32,
    radius: f32,
    friction: f32,
    /// Time of the question since the beginning of the step, s.
    time: f32,
    planes: Vec<Plane>,
}

/// Surface of a solid as a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub normal: Vec3A,
    /// Distance of the vertex at the time of the question, m.
    pub distance: f32,
    /// Velocity of the surface, m/s; that of a mover relative to it.
    velocity: Vec3A,
    /// Displacement of a mover at the time of the question, m.
    moved: Vec3A,
    pub solid: SolidId,
    /// Impulse on the solid so far, N s.
    pub impulse: Vec3A,
}

/// Positions of the vertices of a step, the solids around them, and what is the same for all.
#[derive(Clone, Copy)]
pub(super) struct SolidStep<'a> {
    pub sets: &'a [PointSet],
    pub offsets: &'a [usize],
    /// Friction of each sheet.
    pub friction: &'a [f32],
    pub surfaces: &'a dyn Surfaces,
    /// Those of the solids that yield.
    pub movers: &'a Movers,
    /// Length of the step, s.
    pub dt: f32,
}

impl SolidStep<'_> {
    /// Sheet of a vertex.
    pub fn sheet(&self, vertex: usize) -> usize {
        self.offsets.partition_point(|&offset| offset <= vertex) - 1
    }
}

impl Solids {
    /// Asks for the surfaces near each vertex at the beginning of a step.
    pub fn begin_step(&mut self, step: &SolidStep<'_>, vertices: &[Vertex], velocities: &[Vec3A]) {
        self.chunks.resize_with(vertices.len().div_ceil(GRAIN), Chunk::default);
        let ask = |(number, chunk): (usize, &mut Chunk)| {
            let first = number * GRAIN;
            let end = (first + GRAIN).min(vertices.len());
            chunk.near.clear();
            chunk.past.clear();
            chunk.watches.clear();
            for k in first..end {
                chunk.watches.push(Watch { asked: Vec4::ZERO, near: NOTHING });
                chunk.ask(step, first, k, &vertices[k], velocities[k], 0.0);
            }
        };
        if vertices.len() < PARALLEL_FROM {
            self.chunks.iter_mut().enumerate().for_each(ask);
        } else {
            self.chunks.par_iter_mut().enumerate().for_each(ask);
        }
    }

    /// Moves vertices out of solids at the end of a substep of length `h` (s), `time` (s) after the beginning of the step.
    pub fn solve(&mut self, step: &SolidStep<'_>, vertices: &mut [Vertex], time: f32, h: f32) {
        self.each_chunk(vertices, |first, chunk, part| {
            chunk.ask_again(step, first, part, time, h);
            chunk.solve(step.movers, part, time, h);
        });
    }

    /// The same for vertices that have moved little since, so that no other solids are near them.
    pub fn solve_near(&mut self, movers: &Movers, vertices: &mut [Vertex], time: f32, h: f32) {
        self.each_chunk(vertices, |_, chunk, part| chunk.solve(movers, part, time, h));
    }

    /// Impulses on movers in the last pass, N s.
    pub fn pushes(&self) -> impl Iterator<Item = (SolidId, Vec3A)> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.pushes.iter().copied())
    }

    /// Calls `work` for each chunk with its first vertex and its vertices.
    fn each_chunk(&mut self, vertices: &mut [Vertex], work: impl Fn(usize, &mut Chunk, &mut [Vertex]) + Sync) {
        let solve = |(number, (chunk, part)): (usize, (&mut Chunk, &mut [Vertex]))| work(number * GRAIN, chunk, part);
        if vertices.len() < PARALLEL_FROM {
            self.chunks.iter_mut().zip(vertices.chunks_mut(GRAIN)).enumerate().for_each(solve);
        } else {
            self.chunks.par_iter_mut().zip(vertices.par_chunks_mut(GRAIN)).enumerate().for_each(solve);
        }
    }

    /// Impulses on solids in this step, by vertex; `points` are the positions at its end, m.
    pub fn impulses(&self, points: impl Fn(usize) -> Vec3) -> Vec<SolidImpulse> {
        let mut impulses = Vec::new();
        for (number, chunk) in self.chunks.iter().enumerate() {
            let mut add = |vertex: usize, solid: SolidId, impulse: Vec3A| {
                if impulse != Vec3A::ZERO {
                    impulses.push(SolidImpulse { solid, point: points(vertex), impulse: impulse.into() });
                }
            };
            chunk.past.iter().for_each(|&(vertex, solid, impulse)| add(vertex as usize, solid, impulse));
            for (k, watch) in chunk.watches.iter().enumerate().filter(|(_, watch)| watch.near != NOTHING) {
                let planes = &chunk.near[watch.near as usize].planes;
                planes.iter().for_each(|plane| add(number * GRAIN + k, plane.solid, plane.impulse));
            }
        }
        impulses
    }

    /// Surfaces near a vertex when it was last asked for them.
    pub fn planes(&self, vertex: usize) -> &[Plane] {
        let chunk = &self.chunks[vertex / GRAIN];
        match chunk.watches[vertex % GRAIN].near {
            NOTHING => &[],
            near => &chunk.near[near as usize].planes,
        }
    }

    /// True if a body or a ball is near a vertex.
    pub fn is_near(&self) -> bool {
        let mut planes = self.chunks.iter().flat_map(|chunk| &chunk.near).flat_map(|near| &near.planes);
        planes.any(|plane| !matches!(plane.solid, SolidId::Container(_)))
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        let of_chunk = |chunk: &Chunk| {
            chunk.watches.capacity() * size_of::<Watch>()
                + chunk.near.capacity() * size_of::<Near>()
                + chunk.near.iter().map(|near| near.planes.capacity() * size_of::<Plane>()).sum::<usize>()
                + chunk.past.capacity() * size_of::<(u32, SolidId, Vec3A)>()
                + chunk.pushes.capacity() * size_of::<(SolidId, Vec3A)>()
        };
        self.chunks.iter().map(of_chunk).sum()
    }
}

impl Chunk {
    /// Asks for the surfaces near vertex `k`, `time` (s) after the beginning of the step.
    fn ask(&mut self, step: &SolidStep<'_>, first: usize, k: usize, vertex: &Vertex, velocity: Vec3A, time: f32) {
        let watch = &mut self.watches[k - first];
        let displacement = vertex.displacement();
        watch.asked = displacement.extend(f32::INFINITY);
        if vertex.inverse_mass() == 0.0 {
            return;
        }
        let sheet = step.sheet(k);
        let (set, own) = (&step.sets[sheet], k - step.offsets[sheet]);
        let error = set.rounding_errors.get(own).copied().unwrap_or(Vec3::ZERO);
        let point = displaced(set.positions[own], error, displacement.into()).0;
        let radius = set.radii[own];
        // Half of the reach is for the motion of the vertex, half for that of solids.
        let slack = (velocity.length() * (step.dt - time)).max(radius);
        let old = if watch.near == NOTHING { Vec::new() } else { std::mem::take(&mut self.near[watch.near as usize].planes) };
        let mut planes: Vec<Plane> = Vec::new();
        step.surfaces.each_near(point, radius + 2.0 * slack, time / step.dt, &mut |surface| {
            planes.push(Plane::of(&surface, step.movers));
        });
        for plane in old.iter().filter(|plane| plane.impulse != Vec3A::ZERO) {
            match planes.iter_mut().find(|new| new.solid == plane.solid) {
                Some(new) => new.impulse += plane.impulse,
                None => self.past.push((k as u32, plane.solid, plane.impulse)),
            }
        }
        let valid = if planes.is_empty() { slack } else { radius };
        watch.asked.w = valid * valid;
        if planes.is_empty() {
            return;
        }
        if watch.near == NOTHING {
            watch.near = self.near.len() as u32;
            self.near.push(Near::default());
        }
        self.near[watch.near as usize] =
            Near { place: (k - first) as u32, radius, friction: step.friction[sheet], time, planes };
    }

    /// Asks again for the surfaces near vertices that have moved farther than the last answer holds.
    fn ask_again(&mut self, step: &SolidStep<'_>, first: usize, vertices: &[Vertex], time: f32, h: f32) {
        for (k, vertex) in vertices.iter().enumerate() {
            let asked = self.watches[k].asked;
            let gone = vertex.displacement() - Vec3A::from_vec4(asked);
            if gone.length_squared() > asked.w {
                self.ask(step, first, first + k, vertex, vertex.travel() / h, time);
            }
        }
    }

    /// Moves vertices out of the surfaces that are near.
    fn solve(&mut self, movers: &Movers, vertices: &mut [Vertex], time: f32, h: f32) {
        let Self { watches, near, pushes, .. } = self;
        pushes.clear();
        for &mut Near { place, radius, friction, time: then, ref mut planes } in near {
            let vertex = &mut vertices[place as usize];
            if vertex.inverse_mass() == 0.0 {
                continue;
            }
            let asked = Vec3A::from_vec4(watches[place as usize].asked);
            let at = Contact { asked, since: time - then, radius, friction, h };
            for plane in planes {
                let mover = movers.get(plane.solid);
                let impulse = plane.push(vertex, &at, mover);
                pushes.extend(impulse.filter(|_| mover.is_some()).map(|impulse| (plane.solid, impulse)));
            }
        }
    }
}

/// A contact of a vertex with a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// Displacement at the time of the question, m.
    pub asked: Vec3A,
    /// Time since the question, s.
    pub since: f32,
    /// Half the thickness, m.
    pub radius: f32,
    pub friction: f32,
    /// Length of the substep, s.
    pub h: f32,
}

impl Plane {
    pub fn of(surface: &Surface, movers: &Movers) -> Self {
        let (velocity, moved) = movers.get(surface.solid).map_or_else(Default::default, |mover| (mover.velocity, mover.moved));
        Self {
            normal: surface.normal.into(),
            distance: surface.distance,
            velocity: Vec3A::from(surface.velocity) - velocity,
            moved,
            solid: surface.solid,
            impulse: Vec3A::ZERO,
        }
    }

    /// Moves a vertex out of the solid. Returns the impulse on the solid, N s; `None` if they do not touch.
    ///
    /// As between vertices, depth from before the substep is undone without giving a velocity, and friction is at most μ times the rest of the push.
    /// A mover takes its share of that rest by its mass.
    pub fn push(&mut self, vertex: &mut Vertex, contact: &Contact, mover: Option<&Mover>) -> Option<Vec3A> {
        let Contact { asked, since, radius, friction, h } = *contact;
        // Displacement of the surface since the question, and in the substep.
        let (shift, travel) = match mover {
            Some(mover) => (mover.moved - self.moved, mover.travel + self.velocity * h),
            None => (self.velocity * since, self.velocity * h),
        };
        let depth = |displacement: Vec3A, shift: Vec3A| radius - self.distance - self.normal.dot(displacement - asked - shift);
        let now = depth(vertex.displacement(), shift);
        // A depth that is not a number is left to the caller.
        if now.is_nan() || now <= 0.0 {
            return None;
        }
        let before = mover.map_or(shift - travel, |mover| shift - mover.travel);
        let old = depth(Vec3A::from_vec4(vertex.before), before).clamp(0.0, now);
        let share = mover.map_or(1.0, |mover| vertex.inverse_mass() / (vertex.inverse_mass() + mover.inverse_mass_a_contact()));
        let push = now - old;
        vertex.relocate(self.normal * old);
        vertex.shift(self.normal * (push * share));
        let slip = vertex.travel() - travel;
        let slip = slip - self.normal * slip.dot(self.normal);
        let length = slip.length();
        let back = if length > 0.0 { slip * (friction * push / length).min(1.0) } else { Vec3A::ZERO };
        vertex.shift(-back * share);
        let impulse = (back - self.normal * push) * (share / (vertex.inverse_mass() * h));
        self.impulse += impulse;
        Some(impulse)
    }
}
