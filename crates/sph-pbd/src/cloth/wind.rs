//! Drag of the air on triangles.
//!
//! A triangle of area A and unit normal n that moves through the air with the velocity u relative to it feels `F = −½ ρ c_d A |u·n| (u·n) n`. The speed
//! decays by it as `u_n / (1 + k t)` with `k = ½ ρ c_d A |u·n| / m`, which is exact for the triangle alone. Its mass m is its share of the masses of
//! its corners, so that the triangles around a vertex together do not throw it back.

use super::Sheet;
use super::constraints::span;
use super::sheet::{is_torn, torn_bits};
use super::vertices::{GRAIN, PARALLEL_FROM, Vertex};
use glam::Vec3A;
use rayon::prelude::*;
use sph_core::point_sets::PointSet;

/// Triangles of all sheets that feel the air.
#[derive(Clone, Debug, Default)]
pub(super) struct Wind {
    triangles: Vec<Triangle>,
    /// Two edges of each triangle at the beginning of the step, m; zero if it is torn.
    edges: Vec<[Vec3A; 2]>,
    /// Impulse on each corner of each triangle, N s.
    impulses: Vec<Vec3A>,
    /// Triangles of each vertex: their range in `around`.
    starts: Vec<u32>,
    around: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Triangle {
    corners: [u32; 3],
    sheet: u32,
    /// Index in the sheet, for its edges.
    own: u32,
    half_drag: f32,
}

impl Wind {
    /// Triangles of `sheets`, whose first vertices have the indices `offsets` among all vertices.
    pub fn new(sheets: &[Sheet], offsets: &[usize], count: usize) -> Self {
        let mut wind = Self::default();
        for (number, (sheet, &offset)) in sheets.iter().zip(offsets).enumerate() {
            let setup = sheet.setup();
            if setup.drag > 0.0 {
                let half_drag = 0.5 * setup.drag;
                wind.triangles.extend(setup.triangles.iter().enumerate().map(|(own, corners)| Triangle {
                    corners: corners.map(|vertex| vertex + offset as u32),
                    sheet: number as u32,
                    own: own as u32,
                    half_drag,
                }));
            }
        }
        if wind.triangles.is_empty() {
            return wind;
        }
        let mut around: Vec<[u32; 2]> = (0_u32..)
            .zip(&wind.triangles)
            .flat_map(|(number, triangle)| triangle.corners.map(|corner| [corner, number]))
            .collect();
        around.sort_unstable();
        wind.starts = (0..=count as u32).map(|vertex| around.partition_point(|entry| entry[0] < vertex) as u32).collect();
        wind.around = around.into_iter().map(|entry| entry[1]).collect();
        wind
    }

    /// True if no triangle feels the air.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Prepares a step.
    pub fn begin_step(&mut self, sheets: &[Sheet], offsets: &[usize], sets: &[PointSet]) {
        self.edges.clear();
        self.edges.extend(self.triangles.iter().map(|triangle| {
            let sheet = triangle.sheet as usize;
            let torn = torn_bits(&sets[sheet]);
            if sheets[sheet].triangle_edges()[triangle.own as usize].iter().any(|&edge| is_torn(torn, edge)) {
                return [Vec3A::ZERO; 2];
            }
            let [a, b, c] = triangle.corners.map(|corner| corner as usize - offsets[sheet]);
            let set = &sets[sheet];
            [span(set, b, set, a), span(set, c, set, a)].map(Vec3A::from)
        }));
    }

    /// Changes the velocities (m/s) by the air, which moves with the velocity `wind` (m/s), during `h` seconds.
    pub fn blow(&mut self, vertices: &[Vertex], velocities: &mut [Vec3A], wind: Vec3A, h: f32) {
        let Self { triangles, edges, impulses, starts, around } = self;
        let (starts, around) = (&*starts, &*around);
        impulses.resize(triangles.len(), Vec3A::ZERO);
        let known = &*velocities;
        let compute = |((triangle, edges), impulse): ((&Triangle, &[Vec3A; 2]), &mut Vec3A)| {
            let [a, b, c] = triangle.corners.map(|corner| corner as usize);
            let origin = vertices[a].displacement();
            let along = edges[0] + vertices[b].displacement() - origin;
            let across = edges[1] + vertices[c].displacement() - origin;
            let normal = along.cross(across);
            let twice_area = normal.length();
            *impulse = Vec3A::ZERO;
            let torn = edges[0] == Vec3A::ZERO && edges[1] == Vec3A::ZERO;
            if twice_area > 0.0 && !torn {
                let normal = normal / twice_area;
                let speed = ((known[a] + known[b] + known[c]) / 3.0 - wind).dot(normal);
                // A third of the impulse on each corner changes their mean velocity by Σ w/9, w being the inverse of the triangle's share of a mass.
                let share = |vertex: usize| (starts[vertex + 1] - starts[vertex]) as f32 * vertices[vertex].inverse_mass();
                let inverse = [a, b, c].map(share).iter().sum::<f32>() / 9.0;
                let force = triangle.half_drag * 0.5 * twice_area * speed.abs();
                *impulse = normal * (-force * h * speed / (1.0 + force * inverse * h) / 3.0);
            }
        };
        if vertices.len() < PARALLEL_FROM {
            triangles.iter().zip(&*edges).zip(impulses.iter_mut()).for_each(compute);
            Gather { impulses, starts, around, vertices }.apply(0, velocities);
        } else {
            triangles.par_iter().zip(&*edges).zip(impulses.par_iter_mut()).with_min_len(GRAIN).for_each(compute);
            let gather = Gather { impulses, starts, around, vertices };
            velocities.par_chunks_mut(GRAIN).enumerate().for_each(|(chunk, part)| gather.apply(chunk * GRAIN, part));
        }
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        size_of_val(&self.triangles[..])
            + size_of_val(&self.edges[..])
            + size_of_val(&self.impulses[..])
            + size_of_val(&self.starts[..])
            + size_of_val(&self.around[..])
    }
}

/// Sum of the impulses of its triangles for each vertex.
struct Gather<'a> {
    impulses: &'a [Vec3A],
    starts: &'a [u32],
    around: &'a [u32],
    vertices: &'a [Vertex],
}

impl Gather<'_> {
    /// Adds them to velocities (m/s), the first of which is that of vertex `first`.
    fn apply(&self, first: usize, velocities: &mut [Vec3A]) {
        for (vertex, velocity) in (first..).zip(velocities) {
            let own = &self.around[self.starts[vertex] as usize..self.starts[vertex + 1] as usize];
            let sum: Vec3A = own.iter().map(|&triangle| self.impulses[triangle as usize]).sum();
            *velocity += sum * self.vertices[vertex].inverse_mass();
        }
    }
}
