//! Constraints of distance: edges, which stretch and tear, and the vertices across edges, whose distance resists bending.
//!
//! XPBD (Macklin2016, eq. 18) with one iteration a substep of length h, so that no multiplier is kept: for vertices with inverse masses w_a, w_b,
//! distance vector r and compliance α,
//!
//! `Δx_a = −w_a C n / (w_a + w_b + α/h²)`, `Δx_b = w_b C n / (w_a + w_b + α/h²)`, n = r/|r|.
//!
//! `C n = r (q − L²)/(q + L²)` with q = |r|² stands for (1 − L/|r|) r, which it equals to second order in the strain: the same distance at rest,
//! without a root. Forces are central and opposite, so they change neither momentum nor angular momentum.

use super::Sheet;
use super::blocks::{Blocked, Blocks, Phases, Sides};
use super::sheet::{is_torn, torn_bits};
use super::vertices::{Vertex, XYZ};
use glam::{Vec3, Vec4};
use sph_core::point_sets::PointSet;
use std::ops::Range;

/// Constraints of all sheets.
#[derive(Clone, Debug, Default)]
pub(super) struct Constraints {
    /// Constants, by group and then by colour: successive constraints of a group mostly have no common vertex, so that a processor core works on
    /// several at once.
    links: Vec<Link>,
    /// The links in the present step.
    distances: Vec<Distance>,
    phases: Phases<Range<usize>>,
}

/// A pair of vertices and their distance at rest.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// Indices among all vertices, the first in a block not before that of the second.
    vertices: [u32; 2],
    places: [u16; 2],
    sheet: u32,
    /// Edge of the sheet that ends the link when it tears.
    edge: u32,
    length: f32,
    compliance: f32,
}

/// A link during a step.
#[derive(Clone, Copy, Debug, Default)]
struct Distance {
    /// Vector from the second vertex to the first at the beginning of the step, m; last L², m².
    span: Vec4,
    /// w_a / (w_a + w_b + α/h²), and the same of b.
    shares: [f32; 2],
    places: [u16; 2],
}

impl Constraints {
    /// Constraints of `sheets`, whose first vertices have the indices `offsets` among all vertices.
    pub fn new(sheets: &[Sheet], offsets: &[usize], blocks: &Blocks) -> Self {
        let mut links = Vec::new();
        for (number, (sheet, &offset)) in sheets.iter().zip(offsets).enumerate() {
            let setup = sheet.setup();
            let mut add = |edge: u32, vertices: [u32; 2], length: f32, compliance: f32| {
                // The later vertex first.
                let [b, a] = vertices.map(|vertex| vertex as usize + offset);
                let places = [blocks.place(a).1, blocks.place(b).1];
                let vertices = [a as u32, b as u32];
                links.push(Link { vertices, places, sheet: number as u32, edge, length, compliance });
            };
            for (k, edge) in sheet.edge_list().iter().enumerate() {
                add(k as u32, edge.vertices, edge.length, setup.stretch_compliance);
            }
            if setup.bending_compliance.is_finite() {
                sheet.across().iter().for_each(|pair| add(pair.edge, pair.vertices, pair.length, setup.bending_compliance));
            }
        }
        let colours = colours(&links, blocks.vertex_count());
        let group = |link: &Link| link.vertices.map(|vertex| blocks.place(vertex as usize).0);
        let mut order: Vec<usize> = (0..links.len()).collect();
        order.sort_by_key(|&k| (group(&links[k]), colours[k]));
        let links: Vec<Link> = order.into_iter().map(|k| links[k]).collect();
        let mut phases = Phases::default();
        let mut start = 0;
        let groups = links.chunk_by(|a, b| group(a) == group(b)).map(|links| {
            let range = start..start + links.len();
            start = range.end;
            let [first, second] = group(&links[0]);
            (Blocked { first, second }, range)
        });
        // Within blocks first: all of these are one phase.
        let (within, between): (Vec<_>, Vec<_>) = groups.partition(|(blocked, _)| blocked.first == blocked.second);
        phases.refill(within.into_iter().chain(between), blocks.len());
        Self { distances: vec![Distance::default(); links.len()], links, phases }
    }

    /// Prepares a step of substeps of length `h`, s.
    pub fn begin_step(&mut self, offsets: &[usize], sets: &[PointSet], vertices: &[Vertex], h: f64) {
        let per_h2 = 1.0 / (h * h);
        for (link, distance) in self.links.iter().zip(&mut self.distances) {
            let Link { vertices: [a, b], places, sheet, edge, length, compliance } = *link;
            let (set, offset) = (&sets[sheet as usize], offsets[sheet as usize]);
            let span = span(set, a as usize - offset, set, b as usize - offset);
            let (w_a, w_b) = (vertices[a as usize].inverse_mass(), vertices[b as usize].inverse_mass());
            let sum = f64::from(w_a) + f64::from(w_b) + f64::from(compliance) * per_h2;
            let acts = w_a + w_b > 0.0 && !is_torn(torn_bits(set), edge);
            let share = |w: f32| if acts { (f64::from(w) / sum) as f32 } else { 0.0 };
            *distance = Distance { span: span.extend(length * length), shares: [share(w_a), share(w_b)], places };
        }
    }

    /// Moves vertices towards their distances, once in a substep. `damping[s]` is the share of the motion along the constraints of sheet s that
    /// decays in a substep.
    pub fn solve(&mut self, blocks: &Blocks, vertices: &mut [Vertex], damping: &[f32]) {
        let Self { links, distances, phases } = self;
        phases.each(blocks, vertices, |range, sides| {
            let sheet = links[range.start].sheet as usize;
            let distances = &distances[range.clone()];
            match (sides, damping[sheet]) {
                (Sides::One(all), 0.0) => distances.iter().for_each(|distance| {
                    let [a, b] = distance.places.map(usize::from);
                    let [from, to] = [all[a], all[b]];
                    let change = distance.change(from.moved - to.moved);
                    all[a].moved = from.moved - change * distance.shares[0];
                    all[b].moved = to.moved + change * distance.shares[1];
                }),
                (Sides::Two(first, second), 0.0) => distances.iter().for_each(|distance| {
                    let [a, b] = distance.places.map(usize::from);
                    let change = distance.change(first[a].moved - second[b].moved);
                    first[a].moved -= change * distance.shares[0];
                    second[b].moved += change * distance.shares[1];
                }),
                (Sides::One(all), damping) => distances.iter().for_each(|distance| {
                    let [a, b] = distance.places.map(usize::from);
                    let [from, to] = [all[a], all[b]];
                    let change = distance.damped_change(from.moved - to.moved, from.before - to.before, damping);
                    all[a].moved = from.moved - change * distance.shares[0];
                    all[b].moved = to.moved + change * distance.shares[1];
                }),
                (Sides::Two(first, second), damping) => distances.iter().for_each(|distance| {
                    let [a, b] = distance.places.map(usize::from);
                    let [from, to] = [first[a], second[b]];
                    let change = distance.damped_change(from.moved - to.moved, from.before - to.before, damping);
                    first[a].moved = from.moved - change * distance.shares[0];
                    second[b].moved = to.moved + change * distance.shares[1];
                }),
            }
        });
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        size_of_val(&self.links[..]) + size_of_val(&self.distances[..]) + self.phases.memory()
    }
}

impl Distance {
    /// `C n`, m, for vertices whose distance vector has changed by `displacement` (m) since the beginning of the step; last 0.
    #[inline(always)]
    fn change(&self, displacement: Vec4) -> Vec4 {
        let r = (self.span + displacement) * XYZ;
        let (q, rest) = (r.dot(r), self.span.w);
        r * ((q - rest) / (q + rest))
    }

    /// The same, and the share `damping` of the change of the distance in the substep; `before` is the displacement at its beginning.
    #[inline(always)]
    fn damped_change(&self, displacement: Vec4, before: Vec4, damping: f32) -> Vec4 {
        let r = (self.span + displacement) * XYZ;
        let (q, rest) = (r.dot(r), self.span.w);
        let along = r.dot(displacement - before) / q.max(f32::MIN_POSITIVE);
        r * ((q - rest) / (q + rest) + damping * along)
    }
}

/// Vector from vertex `b` of the set `to` to vertex `a` of the set `from`, m, from the exact positions.
pub(super) fn span(from: &PointSet, a: usize, to: &PointSet, b: usize) -> Vec3 {
    let error = |set: &PointSet, k: usize| set.rounding_errors.get(k).copied().unwrap_or(Vec3::ZERO);
    // The difference of two positions that are near each other is exact in f32 only if both are of one magnitude.
    (from.positions[a].as_dvec3() - to.positions[b].as_dvec3()).as_vec3() + (error(from, a) - error(to, b))
}

/// Tears the edges of `sheet` that are stretched beyond its limit.
pub(super) fn tear(sheet: &Sheet, set: &mut PointSet) {
    let limit = sheet.setup().tear_strain;
    if limit == f32::INFINITY {
        return;
    }
    let stretched = |(edge, rest): &(usize, &super::mesh::Edge)| {
        let [a, b] = rest.vertices.map(|vertex| vertex as usize);
        let most = (1.0 + limit) * rest.length;
        !is_torn(torn_bits(set), *edge as u32) && span(set, a, set, b).length_squared() > most * most
    };
    let torn: Vec<usize> = sheet.edge_list().iter().enumerate().filter(stretched).map(|(edge, _)| edge).collect();
    if let Some(sph_core::point_sets::ColumnValues::Integers(bits)) = set.column_mut(super::TORN) {
        for edge in torn {
            if let Some(word) = bits.get_mut(edge / 32) {
                *word |= 1 << (edge % 32);
            }
        }
    }
}

/// A colour for each link, the lowest that is free, so that no two links of one colour have a common vertex among `count`; from the 64th link
/// at a vertex on, links share the last colour, which only costs speed.
fn colours(links: &[Link], count: usize) -> Vec<u32> {
    let mut taken = vec![0_u64; count];
    let colour = |link: &Link| {
        let [a, b] = link.vertices.map(|vertex| vertex as usize);
        let free = (!(taken[a] | taken[b])).trailing_zeros().min(63);
        taken[a] |= 1 << free;
        taken[b] |= 1 << free;
        free
    };
    links.iter().map(colour).collect()
}
