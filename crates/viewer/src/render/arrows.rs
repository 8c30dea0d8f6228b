//! Arrows of velocity, and their scale.

use crate::camera::Camera;
use glam::Vec3;
use sph_core::Rounded;

/// Largest number of arrows: more would hide each other.
pub const MOST: usize = 1500;
/// Length of an arrow at the speed of the scale, mean distances between arrows.
const LENGTH: f32 = 1.5;
/// Speeds of reference arrows, as parts of the speed of the scale: the first that is long enough, or else short enough, is taken.
const PARTS: [f32; 7] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
const SMALL_PARTS: [f32; 3] = [0.5, 0.2, 0.1];
/// Least length of a reference arrow, as a part of the most.
const LEAST: f32 = 0.15;

/// Velocities to draw as arrows.
#[derive(Clone, Copy, Debug)]
pub struct Arrows<'a> {
    /// Velocity of each particle, m/s.
    pub velocities: &'a [Vec3],
    /// Stable id of each particle: the same ones keep their arrows.
    pub ids: &'a [u32],
    /// Speed of an arrow of full length, m/s.
    pub speed: f32,
}

/// Number of ids of which one has an arrow, among `count` particles.
pub fn stride(count: usize) -> usize {
    count.div_ceil(MOST).max(1)
}

/// Length of an arrow at the speed of the scale among `count` particles of `radius` (m), m.
pub fn longest(count: usize, radius: f32) -> f32 {
    // A sheet of particles has arrows √stride spacings apart.
    LENGTH * 2.0 * radius * (stride(count) as f32).sqrt()
}

/// Reference arrow: the length of a speed in the picture, at the distance of the camera's target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceArrow {
    /// Speed, m/s.
    pub speed: f32,
    /// Length, in the unit of the picture's height.
    pub length: f32,
}

impl ReferenceArrow {
    /// The arrow at the speed of the scale, or at a multiple or a part of it that is well seen and at most `most` long in a picture
    /// `height` high, where `speed` (m/s) is that of the scale and `count` particles have this `radius` (m). `None` if even a tenth of the speed is longer.
    pub fn fitting(most: f32, height: f32, camera: &Camera, speed: f32, (count, radius): (usize, f32)) -> Option<Self> {
        let seen = 2.0 * camera.distance * (0.5 * camera.fov_y).tan();
        let full = longest(count, radius) / seen * height;
        let arrow = |part| Self { speed: part * speed, length: part * full };
        let long = PARTS.into_iter().map(arrow).find(|arrow| arrow.length >= LEAST * most);
        let short = || SMALL_PARTS.into_iter().map(arrow).find(|arrow| arrow.length <= most);
        long.filter(|arrow| arrow.length <= most).or_else(short)
    }

    /// Its speed, with the unit.
    pub fn label(self) -> String {
        format!("{} m/s", Rounded(self.speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_arrow_has_the_length_of_its_speed() {
        // Two metres are seen at the target.
        let camera = Camera { distance: 1.0, fov_y: std::f32::consts::FRAC_PI_2, ..Camera::default() };
        let arrow = |most| ReferenceArrow::fitting(most, 400.0, &camera, 3.0, (1000, 0.05)).expect("an arrow");
        // 1.5 · 2 · 0.05 m = 30 of 400 pixels for 3 m/s.
        assert!((arrow(40.0).length - 30.0).abs() < 1e-3 && arrow(40.0).label() == "3 m/s");
        assert!((arrow(300.0).length - 60.0).abs() < 1e-3 && arrow(300.0).label() == "6 m/s");
        assert_eq!(arrow(7.0).label(), "0.6 m/s");
        let labels = [1.0 / 3.0, 3e-5, 2e6].map(|speed| ReferenceArrow { speed, length: 1.0 }.label());
        assert_eq!(labels, ["0.333 m/s", "3e-5 m/s", "2e6 m/s"]);
        assert_eq!(ReferenceArrow::fitting(1.0, 400.0, &camera, 3.0, (1000, 0.05)), None);
        assert_eq!((stride(MOST), stride(MOST + 1)), (1, 2));
    }
}
