//! Boundary particles of walls or bodies, gathered for a frame.

use super::part::Part;
use glam::Vec3;
use sph_core::{Values, View};

/// Boundary particles of one part. The id of a particle is its index among all boundary particles.
#[derive(Default)]
pub(super) struct BoundaryArrays {
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    pressures: Vec<f32>,
    volumes: Vec<f32>,
    ids: Vec<u32>,
    /// Index of the body of each particle; empty for walls.
    bodies: Vec<u32>,
}

impl BoundaryArrays {
    /// Particles of `part`: those of the bodies, body by body, or all others.
    pub fn gather(view: &View<'_>, part: Part) -> Self {
        let mut body_of = vec![None; view.walls.len()];
        for (body, placed) in (0u32..).zip(view.bodies) {
            body_of[placed.boundary_particles()].fill(Some(body));
        }
        let mut arrays = Self::default();
        for (b, body) in body_of.into_iter().enumerate().filter(|(_, body)| body.is_some() == (part == Part::Bodies)) {
            arrays.positions.push(view.walls.positions[b]);
            arrays.velocities.push(view.walls.velocity(b));
            arrays.pressures.push(view.walls.pressures[b]);
            arrays.volumes.push(view.walls.volumes[b]);
            arrays.ids.push(b as u32);
            arrays.bodies.extend(body);
        }
        arrays
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Attributes by name with their values.
    pub fn fields(&self) -> Vec<(&'static str, Values<'_>)> {
        let mut fields = vec![
            ("position", Values::Vectors(&self.positions)),
            ("velocity", Values::Vectors(&self.velocities)),
            ("pressure", Values::Scalars(&self.pressures)),
            ("volume", Values::Scalars(&self.volumes)),
            ("id", Values::Integers(&self.ids)),
        ];
        if !self.bodies.is_empty() {
            fields.push(("body", Values::Integers(&self.bodies)));
        }
        fields
    }
}
