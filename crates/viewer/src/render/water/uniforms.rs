//! Constants of a frame.

use crate::render::Globals;
use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec3Swizzles};

/// Uniforms of the look of water; `shaders/water/parts/uniforms.wgsl` documents the fields.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[allow(missing_docs, reason = "documented in the shader")]
pub struct Uniforms {
    pub sun: [f32; 3],
    pub radius: f32,
    pub low: [f32; 3],
    pub splat_radius: f32,
    pub high: [f32; 3],
    pub splat_share: f32,
    pub map_corner: [f32; 2],
    pub map_rate: [f32; 2],
    pub extinction_rate: f32,
    pub filter_radius: f32,
    pub filter_near: f32,
    pub filter_range: f32,
}

/// Direction towards the sun, before it is made a unit vector.
const SUN: Vec3 = Vec3::new(-0.60, 0.66, -0.66);
/// Radius of the spheres that ellipsoids are made of, in particle radii (half the spacing): those of a lattice overlap, so that no gap is
/// seen.
const RADIUS: f32 = 1.5;
/// Radius of those over which volume is spread, in particle radii.
const SPLAT_RADIUS: f32 = 1.7;
/// Reach of the filter, and its bounds μ and δ, in particle radii (Truong and Yuksel 2018).
const FILTER_RADIUS: f32 = 4.5;
const FILTER_NEAR: f32 = 1.0;
const FILTER_RANGE: f32 = 10.0;
/// Length on which light takes the colour of a fluid, in half diagonals of the scene: a glass of water and a lake look alike,
/// although real water would colour the lake alone.
const COLOR_LENGTH: f32 = 0.27;
/// Texels of the sun's map: at most so many along an axis, and no smaller than so many particle radii.
const MOST_TEXELS: f32 = 768.0;
const TEXEL: f32 = 0.6;

impl Uniforms {
    /// Uniforms for particles of `radius` (m) in a scene with these corners, and the size of the sun's map, texels.
    pub fn new(globals: &Globals, radius: f32, (low, high): (Vec3, Vec3)) -> (Self, [u32; 2]) {
        let sun = SUN.normalize();
        let splat_radius = SPLAT_RADIUS * radius;
        // The shadow of the box on the floor.
        let shift = sun.xz() * ((high.y - globals.floor_height).max(0.0) / sun.y);
        let margin = Vec2::splat(2.0 * splat_radius);
        let map_low = low.xz().min(low.xz() - shift) - margin;
        let map_high = high.xz().max(high.xz() - shift) + margin;
        let extent = (map_high - map_low).max(Vec2::splat(f32::MIN_POSITIVE));
        let texel = (TEXEL * radius).max(extent.max_element() / MOST_TEXELS);
        let map_size = (extent / texel).ceil().clamp(Vec2::ONE, Vec2::splat(MOST_TEXELS));
        let splat_volume = 4.0 / 3.0 * std::f32::consts::PI * splat_radius.powi(3);
        let uniforms = Self {
            sun: sun.into(),
            radius: RADIUS * radius,
            low: low.into(),
            splat_radius,
            high: high.into(),
            splat_share: (2.0 * radius).powi(3) / splat_volume,
            map_corner: map_low.into(),
            map_rate: extent.recip().into(),
            extinction_rate: 1.0 / (COLOR_LENGTH * 0.5 * (high - low).length()),
            filter_radius: FILTER_RADIUS * radius,
            filter_near: FILTER_NEAR * radius,
            filter_range: FILTER_RANGE * radius,
        };
        (uniforms, map_size.as_uvec2().into())
    }
}
