//! Uniform block shared by all shaders.

use crate::camera::Camera;
use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec3};

/// Uniforms of a frame; `shaders/common/globals.wgsl` documents the fields. A scalar follows each 3-vector, because WGSL aligns
/// these to 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[allow(missing_docs, reason = "documented in the shader")]
pub struct Globals {
    pub clip_from_world: [[f32; 4]; 4],
    pub right: [f32; 3],
    pub near: f32,
    pub up: [f32; 3],
    pub radius: f32,
    pub forward: [f32; 3],
    pub pixels: f32,
    pub eye: [f32; 3],
    pub floor_height: f32,
    pub slopes: [f32; 2],
    pub haze_start: f32,
    pub haze_rate: f32,
    pub viewport: [f32; 2],
    pub floor_center: [f32; 2],
    pub floor_fade: f32,
    pub grid_rate: f32,
    pub shadow_corner: [f32; 2],
    pub shadow_rate: [f32; 2],
    pub room: f32,
    pub unused: f32,
}

/// Approximate length of the scene in cells of the floor's grid.
const GRID_CELLS: f32 = 12.0;
/// Radius at which the floor has faded out, in half diagonals of the scene.
const FLOOR_REACH: f32 = 2.6;

impl Globals {
    /// Uniforms of `camera` for a target of `size` pixels and particles of `radius` (m), without floor and haze.
    pub fn new(camera: &Camera, size: [u32; 2], radius: f32) -> Self {
        let viewport = Vec2::new(size[0] as f32, size[1] as f32);
        let aspect = viewport.x / viewport.y;
        let (right, up, forward) = camera.axes();
        let slopes = camera.slopes(aspect);
        let matrix: Mat4 = camera.view_proj(aspect);
        Self {
            clip_from_world: matrix.to_cols_array_2d(),
            right: right.into(),
            near: camera.near(),
            up: up.into(),
            radius,
            forward: forward.into(),
            pixels: 0.5 * viewport.y / slopes.y,
            eye: camera.eye().into(),
            slopes: slopes.into(),
            viewport: viewport.into(),
            haze_start: f32::MAX,
            ..Self::default()
        }
    }

    /// True if there is a floor: the scene is not flat.
    pub fn has_floor(&self) -> bool {
        self.floor_fade > 0.0
    }

    /// Adds haze over the depth of the scene `min`–`max`, and a floor below it unless the scene is flat.
    #[must_use]
    pub fn with_scene(mut self, min: Vec3, max: Vec3) -> Self {
        let center = 0.5 * (min + max);
        let reach = 0.5 * (max - min).length();
        if !(reach > 0.0 && reach.is_finite()) {
            return self;
        }
        let depth = (center - Vec3::from(self.eye)).dot(self.forward.into());
        self.haze_start = depth - reach;
        self.haze_rate = 0.5 / reach;
        if max.z - min.z > 1e-3 * reach {
            self.floor_height = min.y;
            self.floor_center = [center.x, center.z];
            self.floor_fade = 1.0 / (FLOOR_REACH * reach);
            self.grid_rate = 1.0 / nice_length(2.0 * reach / GRID_CELLS);
        }
        self
    }
}

/// Rounds `length` to 1, 2 or 5 times a power of ten, for a grid of round spacing.
fn nice_length(length: f32) -> f32 {
    let power = 10f32.powf(length.log10().floor());
    let mantissa = length / power;
    power
        * if mantissa < 1.5 {
            1.0
        } else if mantissa < 3.5 {
            2.0
        } else if mantissa < 7.5 {
            5.0
        } else {
            10.0
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_spacing_is_a_round_number() {
        for (length, expected) in [(0.09, 0.1), (0.13, 0.1), (0.2, 0.2), (37.0, 50.0), (8.0, 10.0)] {
            assert!((nice_length(length) / expected - 1.0).abs() < 1e-4, "{length}");
        }
    }

    #[test]
    fn a_scene_without_extent_has_no_floor() {
        let globals = Globals::new(&Camera::default(), [1, 1], 0.1).with_scene(Vec3::ONE, Vec3::ONE);
        assert_eq!(globals.floor_fade, 0.0);
        assert!(bytemuck::cast_slice::<_, f32>(&[globals]).iter().all(|value| value.is_finite()));
    }
}
