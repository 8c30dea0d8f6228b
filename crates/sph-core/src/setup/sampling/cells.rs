//! A block's lattice, cell by cell.

use crate::parameters::Discretization;
use crate::setup::{BlockShape, FluidBlock, Setup};
use crate::space::lattice_counts;
use glam::{U64Vec3, Vec3};

/// No particle.
const EMPTY: u32 = u32::MAX;

/// The cells of a block's box, x running fastest, and the particle in the middle of each.
#[derive(Clone, Debug)]
pub(super) struct BlockCells {
    min: Vec3,
    /// Sides of a cell, m; in two dimensions that along z means nothing.
    pub spacing: Vec3,
    counts: U64Vec3,
    particles: Vec<u32>,
}

impl BlockCells {
    /// The cells of `block`, and the centres, m, of those that lie inside its shape, in the order of its particles, which are counted
    /// from `first`.
    pub fn new(block: &FluidBlock, setup: &Setup, first: usize) -> (Self, Vec<Vec3>) {
        let (min, max) = (setup.flat(block.min), setup.flat(block.max));
        let counts = lattice_counts(min, max, setup.discretization.particle_spacing, setup.discretization.dimensions);
        let [x, y, z] = counts;
        let counts = U64Vec3::from_array(counts);
        let mut cells = Self { min, spacing: (max - min) / counts.as_vec3(), counts, particles: Vec::new() };
        let mut places = Vec::new();
        for cell in (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| U64Vec3::new(x, y, z)))) {
            let place = min + (cell.as_vec3() + 0.5) * cells.spacing;
            let filled = is_inside(block.shape, place, min, max) && !(block.around_bodies && is_in_body(setup, place));
            cells.particles.push(if filled { (first + places.len()) as u32 } else { EMPTY });
            if filled {
                places.push(place);
            }
        }
        (cells, places)
    }

    /// The particle whose cell contains `place` (m).
    pub fn particle_at(&self, place: Vec3) -> Option<u32> {
        let cell = ((place - self.min) / self.spacing).floor();
        // Without an extent along z, as in the plane, the quotient is no number.
        let cell = if self.spacing.z > 0.0 { cell } else { cell.with_z(0.0) };
        let inside = cell.cmpge(Vec3::ZERO).all() && cell.cmplt(self.counts.as_vec3()).all();
        if !inside {
            return None;
        }
        let [x, y, z] = cell.as_u64vec3().to_array();
        let particle = *self.particles.get(((z * self.counts.y + y) * self.counts.x + x) as usize)?;
        (particle != EMPTY).then_some(particle)
    }

    /// Cells along the longest side.
    pub fn longest(&self) -> u64 {
        self.counts.max_element()
    }
}

/// Whether a particle at `place` (m) would be in a body, or closer to one than half a spacing.
fn is_in_body(setup: &Setup, place: Vec3) -> bool {
    let Discretization { dimensions, particle_spacing, .. } = setup.discretization;
    // A thousandth less, for particles of a lattice that touches the body.
    let least = (0.5 - 1e-3) * particle_spacing;
    setup.bodies.iter().any(|body| body.support(dimensions, place - body.middle()).distance < least)
}

fn is_inside(shape: BlockShape, place: Vec3, min: Vec3, max: Vec3) -> bool {
    let (middle, half) = (0.5 * (min + max), 0.5 * (max - min));
    // A plane has no extent along z: one of any size leaves the distance alone.
    let half = if half.z > 0.0 { half } else { half.with_z(1.0) };
    match shape {
        BlockShape::Box => true,
        BlockShape::Ellipsoid => ((place - middle) / half).length_squared() <= 1.0,
    }
}
