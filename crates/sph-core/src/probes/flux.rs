//! Flow through an opening in space.

use crate::boundary::{Aperture, plane_axes};
use crate::parameters::Dimensions;
use crate::passes::sum_particles;
use crate::simulation::View;
use glam::Vec3;

/// Half the thickness of the slab in which flow is measured, in particle spacings.
const HALF_THICKNESS: f32 = 2.0;

/// An opening in space through which flow is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FluxGate {
    /// Middle of the opening, m.
    pub center: Vec3,
    /// Direction in which flow counts as positive; its length does not matter.
    pub direction: Vec3,
    /// Shape of the opening.
    pub aperture: Aperture,
}

impl FluxGate {
    /// Flow of mass through the opening, kg/s (kg/(s m) in two dimensions): `Σ m (v·n) φ(s)`, where s is a particle's distance from the plane and φ
    /// a hat of integral 1, two spacings to either side. Over the passage of a particle the integral of its part is its mass.
    pub fn mass_flow(&self, fluid: &View<'_>) -> f64 {
        let normal = self.direction.normalize_or_zero();
        let dimensions = fluid.discretization.dimensions;
        let axes = plane_axes(normal, dimensions);
        let half = HALF_THICKNESS * fluid.discretization.particle_spacing;
        let (center, wrap) = (fluid.flat(self.center), fluid.wrap());
        let particles = fluid.particles;
        let [flow] = sum_particles(particles.len(), |i| {
            let offset = wrap.minimum_image(particles.positions[i], center);
            let distance = offset.dot(normal).abs();
            if distance >= half || !self.contains(axes.map(|axis| offset.dot(axis)), dimensions) {
                return [0.0];
            }
            let weight = f64::from((half - distance) / (half * half));
            [fluid.mass_of(i) * f64::from(particles.velocities[i].dot(normal)) * weight]
        });
        flow
    }

    fn contains(&self, [across, up]: [f32; 2], dimensions: Dimensions) -> bool {
        let up = if dimensions == Dimensions::Two { 0.0 } else { up };
        match self.aperture {
            Aperture::Round { radius } => across.hypot(up) <= radius,
            Aperture::Rectangle { size } => across.abs() <= 0.5 * size.x && up.abs() <= 0.5 * size.y,
        }
    }
}
