//! Aim: the place in the scene that the pointer means.

use crate::camera::{Camera, Ray};
use crate::picking;
use crate::session::Snapshot;
use glam::Vec3;
use sph_core::{Dimensions, Setup};
use sph_io::Scene;

/// Corners of the box around the containers, or around the blocks of fluid if there are none, m.
pub(super) fn bounds(setup: &Setup) -> (Vec3, Vec3) {
    let containers = setup.containers.iter().map(|container| (container.min, container.max));
    let blocks = setup.blocks.iter().map(|block| (block.min, block.max));
    let join = |a: (Vec3, Vec3), b: (Vec3, Vec3)| (a.0.min(b.0), a.1.max(b.1));
    let (min, max) = containers.reduce(join).or_else(|| blocks.reduce(join)).unwrap_or((Vec3::ZERO, Vec3::ONE));
    if setup.discretization.dimensions == Dimensions::Two { (min.with_z(0.0), max.with_z(0.0)) } else { (min, max) }
}

/// Distance along the direction of the view at which `ray` acts: that of the first particle that it meets, or of the middle of the scene, m.
pub(super) fn depth(scene: &Scene, snapshot: &Snapshot, camera: &Camera, ray: Ray) -> f32 {
    let forward = camera.axes().2;
    let radius = 0.5 * scene.setup.discretization.particle_spacing;
    let positions = &snapshot.particles.positions;
    let place = picking::particle_at(positions, radius, ray, |_| true).map(|index| positions[index]).unwrap_or_else(|| {
        let (min, max) = bounds(&scene.setup);
        0.5 * (min + max)
    });
    (place - ray.origin).dot(forward).max(camera.near())
}

/// Place on `ray` at this `depth`, m; in two dimensions in the plane. Within the scene's bounds.
pub(super) fn place(scene: &Scene, camera: &Camera, ray: Ray, depth: f32) -> Option<Vec3> {
    let along = match scene.setup.discretization.dimensions {
        Dimensions::Two => -ray.origin.z / ray.direction.z,
        Dimensions::Three => depth / ray.direction.dot(camera.axes().2),
    };
    let place = ray.origin + along * ray.direction;
    let (min, max) = bounds(&scene.setup);
    (place.is_finite() && along > 0.0 && min.cmple(max).all()).then(|| place.clamp(min, max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn the_pointer_means_the_plane_of_flat_scenes_and_the_depth_of_others() {
        for (dimensions, depth) in [(2, 0.0), (3, 0.5)] {
            let z = if dimensions == 3 { ", 1.0" } else { "" };
            let zero = if dimensions == 3 { ", 0.0" } else { "" };
            let text = format!(
                "format = 1\ndimensions = {dimensions}\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0.0, 0.0{zero}]\n\
                 max = [0.5, 0.5{z}]\n[[containers]]\nmin = [0.0, 0.0{zero}]\nmax = [1.0, 1.0{z}]"
            );
            let scene = sph_io::parse(&text, "box", &[]).unwrap();
            let camera = Camera::frame(Vec3::ZERO, Vec3::new(1.0, 1.0, 2.0 * depth), 1.0);
            let ray = camera.ray(Vec2::ZERO, 1.0);
            let distance = super::depth(&scene, &Snapshot::default(), &camera, ray);
            let found = place(&scene, &camera, ray, distance).unwrap();
            let middle = Vec3::new(0.5, 0.5, depth);
            assert!(
                (found - middle).dot(camera.axes().2).abs() < 1e-4,
                "{dimensions} dimensions: {found} is not at the depth of {middle}"
            );
            let shown = camera.project(found, 1.0).unwrap();
            assert!(shown.abs_diff_eq(Vec2::ZERO, 1e-4), "{dimensions} dimensions: {found} appears at {shown}");
            // A pointer beside the scene means its edge.
            let beside = place(&scene, &camera, camera.ray(Vec2::new(5.0, 0.0), 1.0), distance).unwrap();
            assert!((beside.x - 1.0).abs() < 1e-4, "{beside}");
        }
    }
}
