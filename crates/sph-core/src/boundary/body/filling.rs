//! Particles that fill a body, for pictures.

use super::Body;
use crate::boundary::BoundaryParticles;
use crate::parameters::{Dimensions, Discretization, WallSampling};
use crate::setup::BlockShape;
use crate::space::{lattice_counts, product};
use glam::Vec3;

/// Largest number of cells in the box around a body that is filled.
const MOST_CELLS: u64 = 1 << 18;

impl Body {
    /// Positions of the particles that show this body before any motion, m: its boundary particles, and in two dimensions others in its middle,
    /// where it needs none and would look like a ring. A body of more than 262,144 particles stays a ring.
    pub fn shown_particles(&self, discretization: &Discretization) -> Vec<Vec3> {
        let Discretization { dimensions, particle_spacing: spacing, .. } = *discretization;
        let [min, max] = match &self.shape {
            BlockShape::Solid(solid) => solid.bounds().map(|corner| corner.as_vec3()),
            BlockShape::Box | BlockShape::Ellipsoid => [self.min, self.max],
        };
        let counts = lattice_counts(min, max, spacing, dimensions);
        if dimensions == Dimensions::Three || product(counts) > MOST_CELLS {
            return self.particles(discretization);
        }
        let BlockShape::Solid(solid) = &self.shape else {
            let mut particles = BoundaryParticles::default();
            self.sample_convex(discretization, u32::MAX, discretization.particle_volume(), &mut particles);
            return particles.positions;
        };
        let mut particles = self.particles(discretization);
        // Where the surface is curved, lattice and layers overlap rather than leave a slit.
        let deep = -(WallSampling::Layers.layers(discretization) as f32 - 0.5) * spacing;
        let [columns, rows, _] = counts;
        let place = |row: u64, column: u64| (min + spacing * Vec3::new(column as f32 + 0.5, row as f32 + 0.5, 0.0)).with_z(0.0);
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| place(row, column)));
        particles.extend(places.filter(|&at| solid.signed_distance(at) <= deep));
        particles
    }
}
