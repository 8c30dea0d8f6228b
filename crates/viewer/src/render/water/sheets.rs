//! Textures between the passes.

use crate::render::Gpu;

/// Linear light, and sums of optical depth: sixteen bits a channel can be blended on every device.
pub const LIGHT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Distances: sixteen bits would show as steps.
pub const DISTANCE: wgpu::TextureFormat = wgpu::TextureFormat::R32Float;
/// Encoded colours.
pub const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Textures of a picture of one size.
#[derive(Debug)]
pub struct Sheets {
    /// Size of the picture, pixels.
    pub size: [u32; 2],
    /// Size of the sun's map, texels.
    pub map_size: [u32; 2],
    pub sun_map: wgpu::TextureView,
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
