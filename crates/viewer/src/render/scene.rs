//! What of a scene is drawn: its tanks, its extent, its first view.

use crate::camera::Camera;
use glam::Vec3;
use sph_core::{Dimensions, Setup};

/// The scene's containers as boxes to draw, and the box between its periodic faces; without depth in two dimensions.
pub fn scene_boxes(setup: &Setup) -> Vec<(Vec3, Vec3)> {
    let mut boxes: Vec<_> = setup.containers.iter().map(|container| flattened(setup, container.min, container.max)).collect();
    boxes.extend(periodic_box(setup).filter(|periodic| !boxes.contains(periodic)));
    boxes
}

/// The box between the periodic faces, if there are any; along open axes it is as large as containers and fluid together.
fn periodic_box(setup: &Setup) -> Option<(Vec3, Vec3)> {
    let domain = setup.domain.flat(setup.discretization.dimensions);
    let containers = setup.containers.iter().map(|container| (container.min, container.max));
    let boxes = setup.blocks.iter().map(|block| (block.min, block.max)).chain(containers);
    let (low, high) = boxes.reduce(|(low, high), (min, max)| (low.min(min), high.max(max)))?;
    let corner = |face, end| Vec3::select(domain.periodic, face, end);
    domain.repeats().then(|| flattened(setup, corner(domain.min, low), corner(domain.max, high)))
}

/// The box around all containers, the periodic faces, and all fluid and bodies of the start.
pub fn scene_bounds(setup: &Setup) -> (Vec3, Vec3) {
    let blocks = setup.blocks.iter().map(|block| flattened(setup, block.min, block.max));
    let bodies = setup.bodies.iter().map(|body| flattened(setup, body.min, body.max));
    let boxes = scene_boxes(setup).into_iter().chain(blocks).chain(bodies);
    boxes.reduce(|(low, high), (min, max)| (low.min(min), high.max(max))).unwrap_or((Vec3::ZERO, Vec3::ONE))
}

/// The first view: from `eye` at `target` where the scene names them, else all of the scene in a view of `aspect` (width over
/// height).
pub fn first_camera(setup: &Setup, eye: Option<Vec3>, target: Option<Vec3>, aspect: f32) -> Camera {
    let (min, max) = scene_bounds(setup);
    let framed = Camera::frame(min, max, aspect);
    match (eye, target) {
        (Some(eye), target) => Camera { fov_y: framed.fov_y, ..Camera::look(eye, target.unwrap_or(0.5 * (min + max))) },
        (None, Some(target)) => Camera { target, ..framed },
        (None, None) => framed,
    }
}

fn flattened(setup: &Setup, min: Vec3, max: Vec3) -> (Vec3, Vec3) {
    match setup.discretization.dimensions {
        Dimensions::Two => (min.with_z(0.0), max.with_z(0.0)),
        Dimensions::Three => (min, max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(dimensions: u32) -> Setup {
        let text = format!(
            "format = 1\ntitle = 'Box'\ndimensions = {dimensions}\n[particles]\nspacing = 0.05\n[[fluid.blocks]]\n\
             min = [0.0, 0.0, 0.0]\nmax = [0.5, 0.5, 0.5]\n[[containers]]\nmin = [0.0, 0.0, 0.0]\nmax = [2.0, 1.0, 0.5]\n"
        );
        sph_io::parse(&text, "box", &[]).expect("the scene is valid").setup
    }

    #[test]
    fn flat_scenes_have_flat_tanks_and_are_seen_straight_on() {
        assert_eq!(scene_boxes(&setup(3)), [(Vec3::ZERO, Vec3::new(2.0, 1.0, 0.5))]);
        assert_eq!(scene_boxes(&setup(2)), [(Vec3::ZERO, Vec3::new(2.0, 1.0, 0.0))]);
        assert_eq!(first_camera(&setup(2), None, None, 1.5).pitch, 0.0);
        assert!(first_camera(&setup(3), None, None, 1.5).pitch > 0.0);
    }

    #[test]
    fn the_scene_s_own_view_wins() {
        let (eye, target) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.5, 0.5, 0.0));
        let camera = first_camera(&setup(3), Some(eye), Some(target), 1.5);
        assert!(camera.eye().abs_diff_eq(eye, 1e-5) && camera.target == target);
        assert_eq!(first_camera(&setup(3), None, Some(target), 1.5).target, target);
    }
}
