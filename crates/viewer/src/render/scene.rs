//! What of a scene is drawn: its tanks, its extent, its first view.

use crate::camera::Camera;
use glam::Vec3;
use sph_core::{Dimensions, Setup};

/// The scene's containers as boxes to draw, without depth in two dimensions.
pub fn scene_boxes(setup: &Setup) -> Vec<(Vec3, Vec3)> {
    setup.containers.iter().map(|container| flattened(setup, container.min, container.max)).collect()
}

/// The box around all containers, and all fluid of the start.
pub fn scene_bounds(setup: &Setup) -> (Vec3, Vec3) {
    let blocks = setup.blocks.iter().map(|block| flattened(setup, block.min, block.max));
    let boxes = scene_boxes(setup).into_iter().chain(blocks);
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
