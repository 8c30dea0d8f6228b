//! Validation of blocks and bodies that are solids of any shape: by their cells, where those of boxes are checked by their corners.

use super::block::{BlockShape, Filling, FluidBlock, InitialPressure};
use super::error::SetupError;
use super::sampling::is_inside;
use super::{MAX_PARTICLES, Setup};
use crate::boundary::{Body, Container};
use crate::passes::sweep;
use crate::space::geometry::{Solid, centred_cells};
use glam::{DVec3, I64Vec3, Vec3};

impl Setup {
    /// Checks the solids among blocks and bodies, once all else is valid and the particles are not too many.
    pub(super) fn validate_solids(&self) -> Result<(), SetupError> {
        for (body, solid) in self.bodies.iter().enumerate().filter(|(_, body)| is_solid(&body.shape)) {
            if f64::from(solid.mass(self.discretization.dimensions) / solid.density) < self.particle_volume() {
                return Err(SetupError::SmallSolid { body });
            }
        }
        for (index, block) in self.blocks.iter().enumerate() {
            self.validate_walls(index, block)?;
            if let BlockShape::Solid(solid) = &block.shape {
                if solid.volume(self.discretization.dimensions) < self.particle_volume() {
                    return Err(SetupError::EmptySolid { block: index });
                }
                if block.initial_pressure == InitialPressure::Released && block.filling != Filling::Lattice {
                    return Err(SetupError::ReleasedFilling { block: index });
                }
                let [min, max] = solid.bounds();
                let cells = self.cells(min, max).0.as_dvec3().element_product();
                if cells > 10.0 * MAX_PARTICLES as f64 {
                    return Err(SetupError::SparseBlock { block: index });
                }
            }
            for (body, other) in self.bodies.iter().enumerate().filter(|_| !block.around_bodies) {
                let is_checked = !is_solid(&block.shape) && !is_solid(&other.shape);
                if !is_checked && self.meet(block, (other.bounds_at_start(), |at| self.is_in(other, at))) {
                    return Err(SetupError::BlockInBody { block: index, body });
                }
            }
            for (first, other) in self.blocks[..index].iter().enumerate() {
                let is_checked = !is_solid(&block.shape) && !is_solid(&other.shape);
                let is_inside = |at| is_inside(&other.shape, at, self.flat(other.min), self.flat(other.max));
                if !is_checked && self.meet(block, ((other.min, other.max), is_inside)) {
                    return Err(SetupError::BlocksOverlap { first, second: index });
                }
            }
        }
        Ok(())
    }

    /// Checks that a block is in no wall of a container that is not a box, and that if there are only such containers it is in one.
    fn validate_walls(&self, index: usize, block: &FluidBlock) -> Result<(), SetupError> {
        let slack = self.slack();
        let in_box = |container: &Container| {
            let low = self.flat(block.min).cmpge(self.flat(container.min) - slack).all();
            container.region.is_none() && low && self.flat(block.max).cmple(self.flat(container.max) + slack).all()
        };
        let regions = || self.containers.iter().enumerate().filter_map(|(at, other)| Some((at, other.region.as_ref()?)));
        let everywhere = (block.min, block.max);
        let in_region = |region: &Solid| !self.meet(block, (everywhere, |at| region.signed_distance(at) > slack));
        let is_free = self.containers.is_empty() || self.containers.iter().any(in_box);
        if !is_free && !regions().any(|(_, region)| in_region(region)) {
            return Err(SetupError::BlockOutside { block: index });
        }
        let wall = self.discretization.support_radius;
        let in_wall = |region: &Solid| self.meet(block, (everywhere, |at| (slack..wall).contains(&region.signed_distance(at))));
        match regions().find(|(_, region)| in_wall(region)) {
            Some((container, _)) => Err(SetupError::BlockInWall { block: index, container }),
            None => Ok(()),
        }
    }

    /// True if a cell's centre within `bounds` (m) is in the block and in the other solid.
    fn meet(&self, block: &FluidBlock, (bounds, other): ((Vec3, Vec3), impl Fn(Vec3) -> bool + Sync)) -> bool {
        let [min, max] = [block.min.max(bounds.0), block.max.min(bounds.1)].map(|corner| self.flat(corner).as_dvec3());
        let axes = self.discretization.dimensions.count();
        if (0..axes).any(|axis| max[axis] - min[axis] <= f64::from(self.slack())) {
            return false;
        }
        let (counts, corner) = self.cells(min, max);
        let spacing = f64::from(self.discretization.particle_spacing);
        let is_shared = |cell: usize| {
            let (cell, row) = (cell as i64, counts.x);
            let cell = I64Vec3::new(cell % row, cell / row % counts.y, cell / (row * counts.y));
            let at = self.flat((corner + spacing * (cell.as_dvec3() + 0.5)).as_vec3());
            let in_block = is_inside(&block.shape, at, self.flat(block.min), self.flat(block.max));
            (in_block && other(at)).then_some(())
        };
        sweep::find_first(counts.element_product() as usize, is_shared).is_some()
    }

    /// True if `at` (m) is in a body at time 0.
    fn is_in(&self, body: &Body, at: Vec3) -> bool {
        body.distance_at_start(self.discretization.dimensions, at) < -self.slack()
    }

    fn cells(&self, min: DVec3, max: DVec3) -> (I64Vec3, DVec3) {
        centred_cells(min, max, self.discretization.particle_spacing.into(), self.discretization.dimensions)
    }

    /// Volume of a particle, m³ (m² in two dimensions).
    fn particle_volume(&self) -> f64 {
        f64::from(self.discretization.particle_spacing).powi(self.discretization.dimensions.count() as i32)
    }
}

fn is_solid(shape: &BlockShape) -> bool {
    matches!(shape, BlockShape::Solid(_))
}
