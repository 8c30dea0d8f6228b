//! Mass and moments of inertia of bodies.

use super::Body;
use crate::parameters::Dimensions;
use crate::setup::BlockShape;
use glam::{DVec3, Mat3, Vec3};
use std::f32::consts::PI;

impl Body {
    /// Mass, kg (kg/m in two dimensions).
    pub fn mass(&self, dimensions: Dimensions) -> f32 {
        let half = self.half_extent();
        let volume = match (&self.shape, dimensions) {
            (BlockShape::Box, Dimensions::Two) => 4.0 * half.x * half.y,
            (BlockShape::Box, Dimensions::Three) => 8.0 * half.element_product(),
            (BlockShape::Ellipsoid, Dimensions::Two) => PI * half.x * half.y,
            (BlockShape::Ellipsoid, Dimensions::Three) => 4.0 / 3.0 * PI * half.element_product(),
            (BlockShape::Solid(solid), _) => solid.volume(dimensions) as f32,
        };
        self.density * volume
    }

    /// Centre of mass at time 0, before any rotation, m.
    pub fn center_of_mass(&self, dimensions: Dimensions) -> Vec3 {
        match &self.shape {
            BlockShape::Box | BlockShape::Ellipsoid => self.middle(),
            BlockShape::Solid(solid) => solid.moments(dimensions).center.as_vec3(),
        }
    }

    /// Centre of mass at time 0, m; in two dimensions in the plane z = 0.
    pub(crate) fn pivot(&self, dimensions: Dimensions) -> DVec3 {
        let center = self.center_of_mass(dimensions).as_dvec3();
        if dimensions == Dimensions::Two { center.with_z(0.0) } else { center }
    }

    /// Moments of inertia about its centre of mass, along the axes of its box before any rotation, kg m² (kg m in two dimensions,
    /// where that about z is the polar one). With the second moments `∫ ρ x_k² dV = m f h_k²` of half extents h, f = 1/3 for
    /// boxes, 1/4 for ellipses and 1/5 for ellipsoids; of other solids sums over cells.
    pub fn inertia(&self, dimensions: Dimensions) -> Mat3 {
        let (factor, half) = match (&self.shape, dimensions) {
            (BlockShape::Solid(solid), _) => return (f64::from(self.density) * solid.moments(dimensions).inertia).as_mat3(),
            (BlockShape::Box, Dimensions::Two) => (1.0 / 3.0, self.half_extent().with_z(0.0)),
            (BlockShape::Box, Dimensions::Three) => (1.0 / 3.0, self.half_extent()),
            (BlockShape::Ellipsoid, Dimensions::Two) => (0.25, self.half_extent().with_z(0.0)),
            (BlockShape::Ellipsoid, Dimensions::Three) => (0.2, self.half_extent()),
        };
        let second = self.mass(dimensions) * factor * half * half;
        Mat3::from_diagonal(Vec3::new(second.y + second.z, second.x + second.z, second.x + second.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mass and moments of inertia summed over a lattice of `cells` along each axis.
    fn summed(body: &Body, dimensions: Dimensions, cells: u16) -> (f32, Mat3) {
        let half = body.half_extent().as_dvec3();
        let planar = dimensions == Dimensions::Two;
        let centres = |half: f64| (0..cells).map(move |cell| half * (f64::from(2 * cell + 1) / f64::from(cells) - 1.0));
        let depths: Vec<f64> = if planar { vec![0.0] } else { centres(half.z).collect() };
        let side = |half: f64| 2.0 * half / f64::from(cells);
        let volume = side(half.x) * side(half.y) * if planar { 1.0 } else { side(half.z) };
        let (mut mass, mut inertia) = (0.0, glam::DMat3::ZERO);
        for &z in &depths {
            for y in centres(half.y) {
                for x in centres(half.x) {
                    let at = glam::DVec3::new(x, y, z);
                    if body.shape == BlockShape::Box || (at / half.with_z(half.z.max(1e-9))).length_squared() <= 1.0 {
                        let part = f64::from(body.density) * volume;
                        mass += part;
                        let outer = glam::DMat3::from_cols(x * at, y * at, z * at);
                        inertia += part * (glam::DMat3::from_diagonal(glam::DVec3::splat(at.length_squared())) - outer);
                    }
                }
            }
        }
        (mass as f32, inertia.as_mat3())
    }

    #[test]
    fn mass_and_inertia_are_sums_over_a_fine_lattice() {
        for shape in [BlockShape::Box, BlockShape::Ellipsoid] {
            for (dimensions, cells) in [(Dimensions::Two, 400), (Dimensions::Three, 100)] {
                let (min, max) = (Vec3::new(-1.0, 0.2, 0.5), Vec3::new(0.4, 1.2, 1.1));
                let body = Body { min, max, shape: shape.clone(), density: 700.0, ..Body::default() };
                let (mass, inertia) = summed(&body, dimensions, cells);
                assert!((body.mass(dimensions) / mass - 1.0).abs() < 2e-3, "{} of {mass} kg", body.mass(dimensions));
                let error =
                    (body.inertia(dimensions) - inertia).to_cols_array().into_iter().fold(0.0, |a: f32, b| a.max(b.abs()));
                assert!(error < 3e-3 * inertia.z_axis.z, "{}, where the sum is {inertia}", body.inertia(dimensions));
            }
        }
    }
}
