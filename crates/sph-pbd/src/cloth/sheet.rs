//! A sheet: all of a cloth that stays constant while it moves.

use super::mesh::{Across, Edge, Mesh};
use super::{ClothSetup, Pin};
use glam::Vec3;
use sph_core::neighbors::{NeighborLists, NeighborSearch, Pairing, SortedCells};
use sph_core::point_sets::{Column, ColumnValues, PointSet};
use std::sync::Arc;

/// Name of the column that says which edges are torn: bit k mod 32 of entry k / 32 for edge k.
pub const TORN: &str = "torn edges";

/// A sheet of cloth without its state.
#[derive(Clone, Debug)]
pub struct Sheet {
    setup: ClothSetup,
    mesh: Mesh,
    /// Positions at rest, m, shared with all who ask for them, some of them for each picture.
    rest: Arc<[Vec3]>,
}

impl Sheet {
    pub(super) fn new(setup: &ClothSetup, mesh: Mesh) -> Self {
        Self { setup: setup.clone(), mesh, rest: setup.rest_positions().into() }
    }

    /// The description.
    pub fn setup(&self) -> &ClothSetup {
        &self.setup
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.setup.vertices.len()
    }

    /// True without vertices, which no valid sheet is.
    pub fn is_empty(&self) -> bool {
        self.setup.vertices.is_empty()
    }

    /// Edges at rest, in the order of their bits in the column [`TORN`].
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        self.mesh.edges.iter().copied()
    }

    pub(super) fn edge_list(&self) -> &[Edge] {
        &self.mesh.edges
    }

    pub(super) fn across(&self) -> &[Across] {
        &self.mesh.across
    }

    pub(super) fn triangle_edges(&self) -> &[[u32; 3]] {
        &self.mesh.triangle_edges
    }

    pub(crate) fn rest_positions(&self) -> &Arc<[Vec3]> {
        &self.rest
    }

    pub(super) fn pins(&self) -> &[Pin] {
        &self.setup.pins
    }

    /// Number of edges of more than two triangles.
    pub fn crowded_edges(&self) -> usize {
        self.mesh.crowded_edges
    }

    /// The state at the start.
    pub fn point_set(&self) -> PointSet {
        let ClothSetup { name, vertices, velocity, areal_density, thickness, pins, .. } = &self.setup;
        let count = vertices.len();
        let mut masses: Vec<f32> = self.mesh.areas.iter().map(|area| area * areal_density).collect();
        let mut velocities = vec![*velocity; count];
        for pin in pins {
            let vertex = pin.vertex as usize;
            masses[vertex] = f32::INFINITY;
            velocities[vertex] =
                pin.motion.as_ref().map_or(Vec3::ZERO, |motion| motion.velocity_at(0.0, vertices[vertex].as_dvec3()).as_vec3());
        }
        let torn = vec![0; self.mesh.edges.len().div_ceil(32)];
        PointSet {
            name: name.clone(),
            positions: vertices.clone(),
            rounding_errors: vec![Vec3::ZERO; count],
            velocities,
            radii: vec![0.5 * thickness; count],
            masses,
            ids: (0..count as u32).collect(),
            columns: vec![Column { name: TORN.to_owned(), unit: String::new(), values: ColumnValues::Integers(torn) }],
        }
    }

    /// Triangles of the sheet in the state `set`: those without a torn edge.
    pub fn triangles<'a>(&'a self, set: &'a PointSet) -> impl Iterator<Item = [u32; 3]> + 'a {
        let torn = torn_bits(set);
        let whole = move |edges: &[u32; 3]| edges.iter().all(|&edge| !is_torn(torn, edge));
        self.setup
            .triangles
            .iter()
            .zip(&self.mesh.triangle_edges)
            .filter(move |(_, edges)| whole(edges))
            .map(|(&triangle, _)| triangle)
    }

    /// Least distance of two vertices squared, m²: the thickness, or their distance at rest if that is less.
    pub(super) fn least_distance_squared(&self, a: usize, b: usize) -> f32 {
        let rest = self.rest_positions();
        rest[a].distance_squared(rest[b]).min(self.setup.thickness * self.setup.thickness)
    }

    /// Number of pairs of vertices that start nearer than they may be.
    pub(super) fn overlaps_at_start(&self) -> usize {
        let (points, thickness) = (&self.setup.vertices, self.setup.thickness);
        let ids: Vec<u32> = (0..points.len() as u32).collect();
        let mut search = SortedCells::new(thickness, thickness);
        let mut lists = NeighborLists::default();
        if search.update(points, &ids).is_err() {
            return 0;
        }
        lists.fill(&search, points, Pairing::Within);
        // Positions are rounded: a thousandth is no overlap.
        let overlaps = |i: usize, j: usize| points[i].distance_squared(points[j]) < 0.998 * self.least_distance_squared(i, j);
        let below = |i: usize| lists.of(i).iter().map(|&j| j as usize).filter(move |&j| j < i && overlaps(i, j)).count();
        (0..points.len()).map(below).sum()
    }

    /// Heap memory, bytes, without the shape at rest, which all copies of a sheet share with the setup.
    pub(super) fn memory(&self) -> usize {
        let ClothSetup { name, vertices, rest_shape, triangles, pins, .. } = &self.setup;
        let Mesh { edges, across, triangle_edges, areas, .. } = &self.mesh;
        name.capacity()
            + size_of_val(&vertices[..])
            + size_of_val(&rest_shape[..])
            + size_of_val(&triangles[..])
            + size_of_val(&pins[..])
            + size_of_val(&edges[..])
            + size_of_val(&across[..])
            + size_of_val(&triangle_edges[..])
            + size_of_val(&areas[..])
    }
}

/// Bits of torn edges in the state of a sheet.
pub(super) fn torn_bits(set: &PointSet) -> &[u32] {
    match set.column(TORN) {
        Some(ColumnValues::Integers(bits)) => bits,
        _ => &[],
    }
}

/// True if edge `edge` is torn.
pub(super) fn is_torn(bits: &[u32], edge: u32) -> bool {
    bits.get(edge as usize / 32).is_some_and(|word| word >> (edge % 32) & 1 == 1)
}
