//! A body that is held: to where it is drawn.

use super::aim;
use super::gizmo::{Handle, place_on_axis};
use crate::camera::{Camera, Ray};
use glam::Vec3;
use sph_core::{Grab, Hand};
use sph_io::Scene;

/// Time in which a held body comes near to the hand, s.
const TIME: f32 = 0.05;

/// A body that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hold {
    body: usize,
    handle: Handle,
    /// Centre of the body when it was taken, m.
    center: Vec3,
    /// Distance of the centre from the eye then, along the direction of the view, m.
    depth: f32,
    /// From the place that the pointer meant then to the centre, m.
    offset: Vec3,
    /// Point to which the body is drawn, m.
    point: Vec3,
}

impl Hold {
    /// Takes the body with this index, whose centre is at `center` (m), by `handle`; `None` where the pointer means no place.
    pub fn take(body: usize, handle: Handle, center: Vec3, (scene, camera, ray): (&Scene, &Camera, Ray)) -> Option<Self> {
        let depth = (center - ray.origin).dot(camera.axes().2);
        let taken = Self { body, handle, center, depth, offset: Vec3::ZERO, point: center };
        taken.place(scene, camera, ray).map(|place| Self { offset: center - place, ..taken })
    }

    /// Part of the gizmo by which it is held.
    pub fn handle(&self) -> Handle {
        self.handle
    }

    /// Place that the pointer means, m, within the scene.
    fn place(&self, scene: &Scene, camera: &Camera, ray: Ray) -> Option<Vec3> {
        match self.handle {
            Handle::Free => aim::place(scene, camera, ray, self.depth),
            Handle::Axis(axis) => place_on_axis(self.center, axis, ray),
        }
    }

    /// Hand that draws the body to the pointer, or to where the pointer was last if it means no place now.
    pub fn hand(&mut self, scene: &Scene, camera: &Camera, ray: Ray) -> Hand {
        let (min, max) = aim::bounds(&scene.setup);
        // A body may have been outside from the start.
        let (min, max) = (min.min(self.center), max.max(self.center));
        if let Some(place) = self.place(scene, camera, ray) {
            self.point = (place + self.offset).clamp(min, max);
        }
        // Across the scene in a second: slow enough for fluid to give way.
        Hand::Grab(Grab { body: self.body, point: self.point, time: TIME, top_speed: (max - min).max_element() })
    }
}
