//! The fluid's and the walls' neighbours in one step.

use crate::boundary::{BoundaryParticles, WallNeighborLists};
use crate::neighbors::{NeighborLists, Pairing, Search, Tally, TooManyCells};
use crate::parameters::Parameters;
use crate::particles::Particles;
use crate::space::{Domain, Images};
use glam::Vec3;

/// The neighbour searches, and the lists that they fill.
#[derive(Clone, Debug)]
pub(super) struct Neighborhood {
    pub fluid_search: Search,
    wall_search: Search,
    domain: Domain,
    radius: f32,
    fluid_images: Images,
    wall_images: Images,
    /// Fluid neighbours of the fluid.
    pub fluid: NeighborLists,
    /// Boundary neighbours of the fluid.
    pub walls: NeighborLists,
    /// Fluid neighbours of the walls: the transpose of `walls`.
    pub wall_neighbors: WallNeighborLists,
    /// True if the walls are registered at their present positions.
    walls_registered: bool,
}

impl Neighborhood {
    /// Searches for neighbours within `radius`, m.
    pub fn new(parameters: &Parameters, domain: Domain, radius: f32) -> Self {
        Self {
            fluid_search: Search::new(&parameters.grid, radius),
            wall_search: Search::of_walls(radius),
            domain,
            radius,
            fluid_images: Images::default(),
            wall_images: Images::default(),
            fluid: NeighborLists::default(),
            walls: NeighborLists::default(),
            wall_neighbors: WallNeighborLists::default(),
            walls_registered: false,
        }
    }

    /// Marks the walls as moved, so that they are registered anew.
    pub fn walls_moved(&mut self) {
        self.walls_registered = false;
    }

    /// Marks the last of the `walls` as replaced. If there are fewer than before, lists that may name others are forgotten.
    pub fn walls_changed(&mut self, walls: &mut BoundaryParticles) {
        self.walls_registered = false;
        let known = self.wall_neighbors.particles();
        if known.last().is_some_and(|&last| last as usize >= walls.len()) {
            let left = known.partition_point(|&b| (b as usize) < walls.len());
            walls.clear_pressures(&known[..left]);
            (self.walls, self.wall_neighbors) = Default::default();
        }
    }

    /// Replaces the search of the fluid by that of the grid of `parameters`, for neighbours within `radius`, m. The walls' is
    /// replaced only if the radius is new.
    pub fn replace_searches(&mut self, parameters: &Parameters, radius: f32) {
        self.fluid_search = Search::new(&parameters.grid, radius);
        if radius != self.radius {
            self.wall_search = Search::of_walls(radius);
            self.radius = radius;
            self.walls_registered = false;
        }
    }

    /// Registers the walls with their periodic images, if they are new or have moved.
    pub fn register_walls(&mut self, walls: &BoundaryParticles) -> Result<(), TooManyCells> {
        if !self.walls_registered {
            let ids: Vec<u32> = (0..walls.len() as u32).collect();
            let (points, ids) = self.wall_images.behind(&self.domain, self.radius, &walls.positions, &ids);
            self.wall_search.update(points, ids)?;
            if walls.are_fixed() {
                self.wall_search.drop_update_buffers();
            }
            self.walls_registered = true;
        }
        Ok(())
    }

    /// Registers the fluid with its periodic images.
    pub fn register_fluid(&mut self, particles: &Particles) -> Result<(), TooManyCells> {
        let (points, ids) = self.fluid_images.behind(&self.domain, self.radius, &particles.positions, &particles.ids);
        self.fluid_search.update(points, ids)
    }

    /// Indices of the `count` particles of the fluid that may be near `point` (m), a point of the domain: ascending, each once.
    pub fn fluid_near(&self, point: Vec3, count: usize) -> Vec<u32> {
        let candidates = self.fluid_search.candidates(point);
        let mut near: Vec<u32> = candidates.indices().iter().map(|&index| self.fluid_images.source(index, count)).collect();
        near.sort_unstable();
        near.dedup();
        near
    }

    /// Bytes on the heap: structures, and lists.
    pub fn memory(&self) -> [usize; 2] {
        let images = self.fluid_images.memory() + self.wall_images.memory();
        let lists = self.fluid.memory() + self.walls.memory() + self.wall_neighbors.memory();
        [self.fluid_search.memory() + self.wall_search.memory() + images, lists]
    }

    /// Fills the list of fluid neighbours of the fluid, and returns its tally.
    pub fn fill_fluid(&mut self, fluid: &[Vec3]) -> Tally {
        let tally = self.fluid_search.fill(&mut self.fluid, fluid, Pairing::Within);
        self.fluid.resolve_images(fluid.len(), self.fluid_images.sources());
        tally
    }

    /// Fills the lists of the walls' and the fluid's neighbours in each other. Walls that the fluid has left lose their pressure.
    pub fn fill_walls(&mut self, fluid: &[Vec3], walls: &mut BoundaryParticles) {
        self.wall_search.fill(&mut self.walls, fluid, Pairing::Across);
        self.walls.resolve_images(walls.len(), self.wall_images.sources());
        walls.clear_pressures(self.wall_neighbors.particles());
        self.wall_neighbors.transpose(&self.walls, walls.len());
    }
}
