//! Fluid around points: a search of its own over the present positions.

use crate::neighbors::{NeighborLists, NeighborSearch, Pairing, SortedCells};
use crate::simulation::View;
use crate::space::Images;
use glam::Vec3;

/// Radius of the neighbourhoods, particle spacings: that of the paper's kernel, whatever the fluid's.
const REACH: f32 = 2.0;

/// Search over the positions of the fluid.
#[derive(Debug)]
pub(super) struct FluidNeighbors {
    /// Radius of the neighbourhoods, m.
    pub radius: f32,
    search: SortedCells,
    images: Images,
    count: usize,
}

impl FluidNeighbors {
    /// A search over no fluid, for a particle spacing in m.
    pub fn new(spacing: f32) -> Self {
        let radius = REACH * spacing;
        Self { radius, search: SortedCells::new(radius, radius), images: Images::default(), count: 0 }
    }

    /// Registers the fluid at its present positions. Returns false if the structure cannot hold it.
    pub fn update(&mut self, fluid: &View<'_>) -> bool {
        let particles = fluid.particles;
        self.count = particles.len();
        let (points, ids) = self.images.behind(fluid.domain, self.radius, &particles.positions, &particles.ids);
        self.search.update(points, ids).is_ok()
    }

    /// Fills `lists` with the indices of the fluid particles closer than the radius to each of `points`, m: a fluid particle is on
    /// its own list.
    pub fn around(&self, points: &[Vec3], lists: &mut NeighborLists) {
        lists.fill(&self.search, points, Pairing::Across);
        lists.resolve_images(self.count, self.images.sources());
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.search.memory() + self.images.memory()
    }
}

/// Number of fluid particles in a neighbourhood that fluid fills.
pub(super) fn full_count(axes: usize) -> f32 {
    use std::f32::consts::PI;
    if axes == 2 { PI * REACH.powi(2) } else { 4.0 / 3.0 * PI * REACH.powi(3) }
}

/// Sum of the weights `1 − r/R` in a neighbourhood that fluid fills.
pub(super) fn full_weight(axes: usize) -> f32 {
    // ∫ (1 − r/R) dV is a third of a disc, a quarter of a ball.
    full_count(axes) / (axes + 1) as f32
}
