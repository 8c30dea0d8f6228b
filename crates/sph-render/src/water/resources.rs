//! What the passes of the look of water read: the frame, textures, particles of the fluid, constants.

use crate::gpu::pipeline::List;
use crate::{Frame, Globals, Gpu, Tint};
use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec3Swizzles};
use sph_core::Pose;
use sph_core::probes::Ellipsoid;

/// Buffers and textures that the passes read.
pub struct Inputs<'a> {
    pub gpu: &'a Gpu,
    pub globals: &'a wgpu::Buffer,
    pub uniforms: &'a wgpu::Buffer,
    pub fluid: &'a Fluid,
    pub sheets: &'a Sheets,
}

// Textures between the passes.

/// Linear light, and sums of optical depth: sixteen bits a channel can be blended on every device.
pub const LIGHT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Distances: sixteen bits would show as steps.
pub const DISTANCE: wgpu::TextureFormat = wgpu::TextureFormat::R32Float;
/// Shares, 0 to 1.
pub const SHARE: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
/// Encoded colours.
pub const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Textures of a picture of one size.
#[derive(Debug)]
pub struct Sheets {
    /// Size of the picture, pixels.
    pub size: [u32; 2],
    /// Size of the sun's map, texels.
    pub map_size: [u32; 2],
    /// Shadow of the fluid.
    pub sun_map: wgpu::TextureView,
    /// Shadow of the bodies, [`SOLID_TEXELS`] times as fine.
    pub solid_map: wgpu::TextureView,
    /// Light from behind the fluid.
    pub behind: wgpu::TextureView,
    /// Thickness of the fluid, half the resolution; the second holds it between the steps of its blur.
    pub thickness: [wgpu::TextureView; 2],
    /// Distance of the surface; the second holds it between the steps of the filter.
    pub surface: [wgpu::TextureView; 2],
    /// Colour of the fluid at the surface.
    pub colors: wgpu::TextureView,
    /// Finished picture before antialiasing.
    pub finished: wgpu::TextureView,
}

impl Sheets {
    /// Creates textures for a picture of `size` pixels and a map of `map_size` texels.
    pub fn new(gpu: &Gpu, size: [u32; 2], map_size: [u32; 2]) -> Self {
        let half = size.map(|length| length.div_ceil(2));
        let sheet = |label, size, format| texture(gpu, label, size, format);
        Self {
            size,
            map_size,
            sun_map: sheet("sun map", map_size, LIGHT),
            solid_map: sheet("solid map", map_size.map(|length| SOLID_TEXELS * length), SHARE),
            behind: sheet("behind the fluid", size, LIGHT),
            thickness: ["thickness", "blurred thickness"].map(|label| sheet(label, half, LIGHT)),
            surface: ["surface", "filtered surface"].map(|label| sheet(label, size, DISTANCE)),
            colors: sheet("fluid colors", size, COLOR),
            finished: sheet("finished", size, COLOR),
        }
    }
}

/// A texture that passes draw into and read.
pub fn texture(gpu: &Gpu, label: &str, [width, height]: [u32; 2], format: wgpu::TextureFormat) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT
            | wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_SRC
            | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

// Particles of the fluid on the device.

/// sRGB-encoded colour that light takes in a fluid without a colour of its own: that of clear water over a pale floor.
const CLEAR_WATER: [u8; 3] = [86, 184, 218];

/// Storage-buffer layout of a particle; `shaders/water/parts/ellipsoids.wgsl` has the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Particle {
    /// Centre, m.
    pub center: [f32; 3],
    /// sRGB-encoded colour of the fluid.
    pub color: [u8; 4],
    /// Half the matrix of its ellipsoid: entries xx, yy, zz, xy, xz, yz as 16-bit normalised integers.
    pub axes: [i16; 6],
    /// Padding to a multiple of 16 bytes.
    pub unused: u32,
}

/// Particles of the fluid.
#[derive(Debug)]
pub struct Fluid {
    list: List,
    staging: Vec<Particle>,
    revision: u64,
}

impl Fluid {
    pub fn new(gpu: &Gpu) -> Self {
        let list = List::new(&gpu.device, "fluid", wgpu::BufferUsages::STORAGE);
        Self { list, staging: Vec::new(), revision: 0 }
    }

    /// Uploads the particles of `frame`, without those that are hidden or have no finite position.
    pub fn update(&mut self, gpu: &Gpu, frame: &Frame<'_>) {
        self.staging.clear();
        if frame.radius > 0.0 && frame.radius.is_finite() {
            let shown = |index: &usize| frame.positions[*index].is_finite() && frame.tint(*index) != Tint::Hidden;
            self.staging.extend((0..frame.positions.len()).filter(shown).map(|index| {
                let number = frame.fluids.get(index).copied().unwrap_or_default();
                let [red, green, blue] = frame.fluid_colors.get(usize::from(number)).copied().unwrap_or(CLEAR_WATER);
                let position = frame.positions[index];
                let Ellipsoid { center, axes } = frame.ellipsoids.get(index).copied().unwrap_or(Ellipsoid::sphere(position));
                Particle { center: center.into(), color: [red, green, blue, 255], axes: axes.map(half_snorm), unused: 0 }
            }));
        }
        if self.list.write(gpu, &self.staging) {
            self.revision += 1;
        }
    }

    /// Buffer of the particles; another one after each change of [`Fluid::revision`].
    pub fn buffer(&self) -> &wgpu::Buffer {
        self.list.buffer()
    }

    /// Number of buffers so far.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Draws a triangle for each particle.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.draw(0..3 * self.list.count(), 0..1);
    }
}

/// Converts half of a number, −2 to 2, to a 16-bit normalised integer; Rust's conversion saturates.
fn half_snorm(value: f32) -> i16 {
    (0.5 * 32767.0 * value).round() as i16
}

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
    pub wall_reach: f32,
    pub round_radius: f32,
    pub unused: [f32; 2],
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
/// Distance from a flat wall within which the surface is the wall's, particle radii: ellipsoids that touch it leave dents between them.
const WALL_REACH: f32 = 1.2;
/// Length on which light takes the colour of a fluid, in half diagonals of the scene: a glass of water and a lake look alike,
/// although real water would colour the lake alone.
const COLOR_LENGTH: f32 = 0.27;
/// Texels of the sun's map: at most so many along an axis, and no smaller than so many particle radii.
const MOST_TEXELS: f32 = 512.0;
const TEXEL: f32 = 1.2;
/// Texels of the map of the bodies' shadows in a texel of that of the fluid, along each axis.
const SOLID_TEXELS: u32 = 4;

impl Uniforms {
    /// Uniforms for a frame of a scene with these corners, and the size of the sun's map, texels.
    pub fn new(globals: &Globals, frame: &Frame<'_>, (low, high): (Vec3, Vec3)) -> (Self, [u32; 2]) {
        let radius = frame.radius;
        let is_round = frame.is_round && is_at_rest(frame);
        let sun = SUN.normalize();
        let splat_radius = SPLAT_RADIUS * radius;
        // The shadow of the box on the floor.
        let shift = sun.xz() * ((high.y - globals.floor_height).max(0.0) / sun.y);
        // Shadows are wider than their particles.
        let margin = Vec2::splat(4.0 * splat_radius);
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
            wall_reach: if is_round || has_flat_walls(frame) { WALL_REACH * radius } else { 0.0 },
            round_radius: if is_round { 0.5 * (high.x - low.x) } else { 0.0 },
            unused: [0.0; 2],
        };
        (uniforms, map_size.as_uvec2().into())
    }
}

/// True if the tank is one box at rest, whose sides are those of the scene.
fn has_flat_walls(frame: &Frame<'_>) -> bool {
    let is_box = frame.boxes.len() == 1 && frame.shaped.first() != Some(&true);
    is_box && is_at_rest(frame)
}

fn is_at_rest(frame: &Frame<'_>) -> bool {
    frame.poses.iter().all(|pose| *pose == Pose::default())
}
