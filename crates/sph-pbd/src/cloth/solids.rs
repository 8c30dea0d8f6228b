//! Contact of vertices with walls and bodies.
//!
//! Asking a body of any shape for its surface takes long, so what was answered is kept as planes, which move at the velocity of the surface, until
//! the vertex has moved half a thickness past one of them or could meet another solid.

use super::movers::{Mover, Movers, Push};
use super::obstacles::Obstacles;
use super::vertices::{GRAIN, PARALLEL_FROM, Vertex, displaced};
use glam::{Vec3, Vec3A, Vec4};
use rayon::prelude::*;
use sph_core::point_sets::{PointSet, SolidId, SolidImpulse, Surface};

/// Contacts of all vertices with solids.
#[derive(Clone, Debug, Default)]
pub(super) struct Solids {
    chunks: Vec<Chunk>,
    /// [`Movers::surprises`] when all vertices were last asked.
    surprises: u32,
    /// True if a vertex has found another surface of a body or a ball since the last [`Self::begin_substep`].
    has_news: bool,
}

/// Contacts of successive vertices.
#[derive(Clone, Debug, Default)]
struct Chunk {
    watches: Vec<Watch>,
    near: Vec<Near>,
    /// Impulses on solids that are no longer near, N s, with the index of the vertex.
    past: Vec<(u32, SolidId, Vec3A)>,
    /// Impulses on movers in the last pass.
    pushes: Vec<Push>,
    /// Movers that vertices touch at the beginning of a substep.
    touched: Vec<SolidId>,
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

/// Cosine of the angle up to which a surface keeps its direction since faces were listed: 9°, so that two surfaces do not turn apart by as much as lies
/// between the thresholds of faces.
const SAME_DIRECTION: f32 = 0.988;

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
    /// The normal when faces were listed last, or when the surface was found since.
    listed: Vec3A,
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
    pub obstacles: &'a dyn Obstacles,
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
        self.surprises = step.obstacles.movers().surprises();
        self.has_news = false;
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

    /// Finds what vertices touch at the end of a substep of length `h` (s), `time` (s) after the beginning of the step, before they are moved out of it.
    /// Returns true if a vertex has found another surface of a body or a ball.
    pub fn begin_substep(&mut self, step: &SolidStep<'_>, vertices: &mut [Vertex], time: f32, h: f32) -> bool {
        let movers = step.obstacles.movers();
        let all = std::mem::replace(&mut self.surprises, movers.surprises()) != movers.surprises();
        self.each_chunk(vertices, |first, chunk, part| {
            let has_news = chunk.ask_again(step, first, part, time, h, all);
            chunk.find_touched(movers, part, time, h);
            has_news
        }) | std::mem::take(&mut self.has_news)
    }

    /// Moves vertices out of solids.
    pub fn solve(&mut self, step: &SolidStep<'_>, vertices: &mut [Vertex], time: f32, h: f32) {
        self.has_news |= self.each_chunk(vertices, |first, chunk, part| {
            let has_news = chunk.ask_again(step, first, part, time, h, false);
            chunk.solve(step.obstacles.movers(), part, time, h);
            has_news
        });
    }

    /// The same for vertices that have moved little since they were asked.
    pub fn solve_near(&mut self, movers: &Movers, vertices: &mut [Vertex], time: f32, h: f32) {
        self.each_chunk(vertices, |_, chunk, part| {
            chunk.solve(movers, part, time, h);
            false
        });
    }

    /// Impulses on movers in the last pass.
    pub fn pushes(&self) -> impl Iterator<Item = Push> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.pushes.iter().copied())
    }

    /// Movers that vertices touch at the beginning of a substep, once for each vertex.
    pub fn touched(&self) -> impl Iterator<Item = SolidId> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.touched.iter().copied())
    }

    /// Calls `work` for each chunk with its first vertex and its vertices. Returns true if one call does.
    fn each_chunk(&mut self, vertices: &mut [Vertex], work: impl Fn(usize, &mut Chunk, &mut [Vertex]) -> bool + Sync) -> bool {
        let solve = |(number, (chunk, part)): (usize, (&mut Chunk, &mut [Vertex]))| work(number * GRAIN, chunk, part);
        if vertices.len() < PARALLEL_FROM {
            let chunks = self.chunks.iter_mut().zip(vertices.chunks_mut(GRAIN)).enumerate();
            chunks.map(solve).fold(false, |any, this| any | this)
        } else {
            let chunks = self.chunks.par_iter_mut().zip(vertices.par_chunks_mut(GRAIN)).enumerate();
            chunks.map(solve).reduce(|| false, |any, this| any | this)
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
        self.chunks[vertex / GRAIN].planes(vertex % GRAIN)
    }

    /// Notes that faces are listed by the surfaces that are near now.
    pub fn mark_listed(&mut self) {
        let planes = self.chunks.iter_mut().flat_map(|chunk| &mut chunk.near).flat_map(|near| &mut near.planes);
        planes.for_each(|plane| plane.listed = plane.normal);
    }

    /// True if a body or a ball is near a vertex.
    pub fn is_near(&self) -> bool {
        let mut planes = self.chunks.iter().flat_map(|chunk| &chunk.near).flat_map(|near| &near.planes);
        planes.any(Plane::is_of_a_body)
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        let of_chunk = |chunk: &Chunk| {
            chunk.watches.capacity() * size_of::<Watch>()
                + chunk.near.capacity() * size_of::<Near>()
                + chunk.near.iter().map(|near| near.planes.capacity() * size_of::<Plane>()).sum::<usize>()
                + chunk.past.capacity() * size_of::<(u32, SolidId, Vec3A)>()
                + chunk.pushes.capacity() * size_of::<Push>()
                + chunk.touched.capacity() * size_of::<SolidId>()
        };
        self.chunks.iter().map(of_chunk).sum()
    }
}

impl Chunk {
    /// Asks for the surfaces near vertex `k`, `time` (s) after the beginning of the step. A vertex that no force moves is asked as well: a solid may
    /// come through a triangle that it is a corner of. Returns true if it finds a body or a ball that was not near before, or whose surface has another
    /// direction there than when faces were listed.
    fn ask(&mut self, step: &SolidStep<'_>, first: usize, k: usize, vertex: &Vertex, velocity: Vec3A, time: f32) -> bool {
        let watch = &mut self.watches[k - first];
        let displacement = vertex.displacement();
        let sheet = step.sheet(k);
        let (set, own) = (&step.sets[sheet], k - step.offsets[sheet]);
        let error = set.rounding_errors.get(own).copied().unwrap_or(Vec3::ZERO);
        let point = displaced(set.positions[own], error, displacement.into()).0;
        let radius = set.radii[own];
        // Half of the reach is for the motion of the vertex, half for what pushes solids out of their way.
        let slack = (velocity.length() * (step.dt - time)).max(radius);
        let (then, old) = match self.near.get_mut(watch.near as usize) {
            Some(near) => (near.time, std::mem::take(&mut near.planes)),
            None => (time, Vec::new()),
        };
        let mut planes: Vec<Plane> = Vec::new();
        step.obstacles.each_near(point, radius + 2.0 * slack, time / step.dt, &mut |surface| {
            planes.push(Plane::of(&surface, step.obstacles.movers()));
        });
        // A container answers nothing to a vertex that has gone through a wall of it in the substep: the wall stays where it was.
        let asked = Vec3A::from_vec4(watch.asked);
        let passed: Vec<Plane> =
            (old.iter().filter(|old| !old.is_of_a_body() && planes.iter().all(|new| new.solid != old.solid)))
                .map(|old| Plane { distance: old.distance_at(displacement, asked, time - then), impulse: Vec3A::ZERO, ..*old })
                .filter(|plane| plane.distance <= 0.0)
                .collect();
        planes.extend(passed);
        let mut has_news = false;
        for new in planes.iter_mut().filter(|new| new.is_of_a_body()) {
            let is_known = |old: &&Plane| old.solid == new.solid && old.listed.dot(new.normal) > SAME_DIRECTION;
            match old.iter().find(is_known) {
                Some(old) => new.listed = old.listed,
                None => has_news = true,
            }
        }
        for plane in old.iter().filter(|plane| plane.impulse != Vec3A::ZERO) {
            match planes.iter_mut().find(|new| new.solid == plane.solid) {
                Some(new) => new.impulse += plane.impulse,
                None => self.past.push((k as u32, plane.solid, plane.impulse)),
            }
        }
        let valid = if planes.is_empty() { slack } else { radius };
        watch.asked = displacement.extend(valid * valid);
        if planes.is_empty() {
            return false;
        }
        if watch.near == NOTHING {
            watch.near = self.near.len() as u32;
            self.near.push(Near::default());
        }
        self.near[watch.near as usize] =
            Near { place: (k - first) as u32, radius, friction: step.friction[sheet], time, planes };
        has_news
    }

    /// Asks again for the surfaces near `all` vertices, or near those alone that have moved farther than the last answer holds, in a substep of length
    /// `h`, s. Returns true if one finds another surface of a body or a ball.
    fn ask_again(&mut self, step: &SolidStep<'_>, first: usize, vertices: &[Vertex], time: f32, h: f32, all: bool) -> bool {
        let movers = step.obstacles.movers();
        let mut has_news = false;
        for (k, vertex) in vertices.iter().enumerate() {
            let Watch { asked, near } = self.watches[k];
            let gone = vertex.displacement() - Vec3A::from_vec4(asked);
            let is_past =
                |plane: &Plane, since: f32| (gone - plane.shift(since, movers.get(plane.solid))).length_squared() > asked.w;
            if all
                || gone.length_squared() > asked.w
                || self
                    .near
                    .get(near as usize)
                    .is_some_and(|near| near.planes.iter().any(|plane| is_past(plane, time - near.time)))
            {
                has_news |= self.ask(step, first, first + k, vertex, vertex.travel() / h, time);
            }
        }
        has_news
    }

    fn planes(&self, place: usize) -> &[Plane] {
        self.near.get(self.watches[place].near as usize).map_or(&[], |near| &near.planes)
    }

    /// Finds the movers that vertices touch.
    fn find_touched(&mut self, movers: &Movers, vertices: &[Vertex], time: f32, h: f32) {
        let Self { watches, near, touched, .. } = self;
        touched.clear();
        if movers.all().is_empty() {
            return;
        }
        for Near { place, radius, friction, time: then, planes } in near {
            let vertex = &vertices[*place as usize];
            let asked = Vec3A::from_vec4(watches[*place as usize].asked);
            let at = Contact { asked, since: time - *then, radius: *radius, friction: *friction, h };
            let touching =
                |plane: &&Plane| movers.get(plane.solid).is_some_and(|mover| plane.depth(vertex, &at, Some(mover)) > 0.0);
            touched.extend(planes.iter().filter(touching).map(|plane| plane.solid));
        }
    }

    /// Moves vertices out of the surfaces that are near.
    fn solve(&mut self, movers: &Movers, vertices: &mut [Vertex], time: f32, h: f32) {
        let Self { watches, near, pushes, .. } = self;
        pushes.clear();
        for &mut Near { place, radius, friction, time: then, ref mut planes } in near {
            let vertex = &mut vertices[place as usize];
            let asked = Vec3A::from_vec4(watches[place as usize].asked);
            let at = Contact { asked, since: time - then, radius, friction, h };
            for plane in planes {
                let mover = movers.get(plane.solid);
                let push = plane.push(vertex, &at, mover);
                pushes.extend(push.filter(|_| mover.is_some()));
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
            listed: surface.normal.into(),
            solid: surface.solid,
            impulse: Vec3A::ZERO,
        }
    }

    /// True if it is not of a container.
    pub fn is_of_a_body(&self) -> bool {
        !matches!(self.solid, SolidId::Container(_))
    }

    /// Displacement of the surface in the time `since` the question (s), m.
    #[inline(always)]
    fn shift(&self, since: f32, mover: Option<&Mover>) -> Vec3A {
        mover.map_or_else(|| self.velocity * since, |mover| mover.moved - self.moved)
    }

    /// Distance (m) of a vertex from a surface that does not yield, the time `since` (s) after the question, at which it had the displacement `asked`;
    /// now it has the displacement `at`, m.
    fn distance_at(&self, at: Vec3A, asked: Vec3A, since: f32) -> f32 {
        self.distance + self.normal.dot(at - asked - self.shift(since, None))
    }

    /// Depth (m) of a vertex that has the displacement `at` when the surface has this `shift`, m.
    #[inline(always)]
    fn depth_at(&self, at: Vec3A, shift: Vec3A, contact: &Contact) -> f32 {
        contact.radius - self.distance - self.normal.dot(at - contact.asked - shift)
    }

    /// Depth of a vertex in the solid, m.
    fn depth(&self, vertex: &Vertex, contact: &Contact, mover: Option<&Mover>) -> f32 {
        self.depth_at(vertex.displacement(), self.shift(contact.since, mover), contact)
    }

    /// Moves a vertex out of the solid. Returns the impulse on the solid; `None` if they do not touch.
    ///
    /// As between vertices, depth from before the substep is undone without giving a velocity, and friction is at most μ times the rest of the push.
    /// A mover takes its share of that rest by its mass. A vertex that no force moves is not moved.
    pub fn push(&mut self, vertex: &mut Vertex, contact: &Contact, mover: Option<&Mover>) -> Option<Push> {
        let Contact { since, friction, h, .. } = *contact;
        let now = self.depth(vertex, contact, mover);
        let (own_inverse, other_inverse) = (vertex.inverse_mass(), mover.map_or(0.0, Mover::inverse_mass_a_contact));
        let inverse_mass = own_inverse + other_inverse;
        // A depth that is not a number is left to the caller.
        if now.is_nan() || now <= 0.0 || inverse_mass == 0.0 {
            return None;
        }
        let shift = self.shift(since, mover);
        // Displacement of the surface in the substep, without the turning of a mover and with it.
        let own = mover.map_or(self.velocity * h, |mover| mover.travel);
        let travel = mover.map_or(own, |_| own + self.velocity * h);
        let old = self.depth_at(Vec3A::from_vec4(vertex.before), shift - own, contact).clamp(0.0, now);
        let share = own_inverse / inverse_mass;
        let push = now - old;
        if own_inverse > 0.0 {
            vertex.relocate(self.normal * old);
        }
        vertex.shift(self.normal * (push * share));
        let slip = vertex.travel() - travel;
        let slip = slip - self.normal * slip.dot(self.normal);
        let length = slip.length();
        let back = if length > 0.0 { slip * (friction * push / length).min(1.0) } else { Vec3A::ZERO };
        vertex.shift(-back * share);
        let impulse = (back - self.normal * push) * (inverse_mass * h).recip();
        self.impulse += impulse;
        Some(Push { solid: self.solid, normal: self.normal, impulse })
    }
}
