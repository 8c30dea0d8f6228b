//! The particles as lit spheres.

use crate::color::ColorMap;
use crate::render::gpu::pipeline::{self, Layer, List, STORAGE, TEXTURE, UNIFORM};
use crate::render::gpu::shaders;
use crate::render::tint::{FAINT_COLOR, FAINT_SIZE, PALETTE};
use crate::render::visibility::{Light, Occlusion, Order};
use crate::render::{Frame, Globals, Gpu, Tint};
use bytemuck::{Pod, Zeroable};

/// Colours of the map; `shaders/particles.wgsl` has the same. In the texture, the colour for particles without a value comes before
/// them, that of faint particles and the palette after.
const COLORS: usize = 256;
const TEXELS: usize = 1 + COLORS + 1 + PALETTE;

/// One particle as the shader sees it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Particle {
    /// Position, m.
    position: [f32; 3],
    /// Place in the colour map, 0 for no value and 1 / 65535 to 1 else.
    value: u16,
    /// 0 to 1.
    light: u8,
    /// 0 to be drawn by its value, 1 faint, 2 and more in the palette's colours.
    tint: u8,
}

/// The draw, its colours, and the memory reused from frame to frame.
#[derive(Debug)]
pub struct Particles {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    bindings: wgpu::BindGroup,
    colors: wgpu::Texture,
    /// What the texture holds.
    texels: Vec<[u8; 4]>,
    color_map: Option<ColorMap>,
    list: List,
    staging: Vec<Particle>,
    order: Order,
    /// Where hidden particles are left out.
    pub occlusion: Option<Occlusion>,
}

impl Particles {
    pub fn new(gpu: &Gpu, globals: &wgpu::Buffer) -> Self {
        let device = &gpu.device;
        let layout = pipeline::layout(device, "particles", &[UNIFORM, TEXTURE, STORAGE]);
        let colors = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("color map"),
            size: wgpu::Extent3d { width: TEXELS as u32, height: 1, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let list = List::new(device, "particles", wgpu::BufferUsages::STORAGE);
        Self {
            pipeline: pipeline::create(
                device,
                shaders::PARTICLES,
                &layout,
                None,
                wgpu::PrimitiveTopology::TriangleList,
                Layer::Solid,
            ),
            bindings: bind(device, &layout, globals, &colors, &list),
            layout,
            colors,
            texels: Vec::new(),
            color_map: None,
            list,
            staging: Vec::new(),
            order: Order::default(),
            occlusion: gpu.is_software().then(Occlusion::default),
        }
    }

    /// Hands a frame's particles to the device, from far to near. Those without a finite position are left out.
    pub fn update(&mut self, gpu: &Gpu, buffer: &wgpu::Buffer, globals: &Globals, frame: &Frame<'_>, light: &Light) {
        self.write_colors(gpu, frame);
        let Frame { positions, values, range: [low, high], .. } = *frame;
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        self.staging.clear();
        if let Some(occlusion) = &mut self.occlusion {
            occlusion.forget();
        }
        if frame.radius > 0.0 && frame.radius.is_finite() {
            let order = {
                let depths = positions.iter().map(|position| position.dot(globals.forward.into()));
                // What has no depth is left out.
                let shown = (0..).zip(depths).map(|(index, depth)| match frame.tint(index) {
                    Tint::Hidden => f32::NAN,
                    _ => depth,
                });
                self.order.far_to_near(shown)
            };
            if let Some(occlusion) = &mut self.occlusion {
                let size_of = |index: u32| if frame.tint(index as usize) == Tint::Faint { FAINT_SIZE } else { 1.0 };
                occlusion.cull(order, positions, size_of, globals);
            }
            self.staging.extend(order.iter().map(|&index| {
                let (position, value) = (positions[index as usize], values.get(index as usize));
                let place = value.map_or(f32::NAN, |value| (value - low) * scale);
                let tint = match frame.tint(index as usize) {
                    Tint::Faint => 1,
                    Tint::Color(number) if usize::from(number) < frame.palette.len().min(PALETTE) => 2 + number,
                    _ => 0,
                };
                let light = (255.0 * light.at(position) + 0.5) as u8;
                Particle { position: position.into(), value: encode_value(place), light, tint }
            }));
        }
        if self.list.write(gpu, &self.staging) {
            self.bindings = bind(&gpu.device, &self.layout, buffer, &self.colors, &self.list);
        }
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        // A triangle each. Particles would be the obvious way, but some drivers spend microseconds on every one.
        pass.draw(0..3 * self.list.count(), 0..1);
    }

    fn write_colors(&mut self, gpu: &Gpu, frame: &Frame<'_>) {
        let opaque = |[red, green, blue]: [u8; 3]| [red, green, blue, 255];
        let palette = &frame.palette[..frame.palette.len().min(PALETTE)];
        let same = palette.iter().copied().map(opaque).eq(self.texels.iter().skip(COLORS + 2).copied());
        if self.color_map == Some(frame.color_map) && same {
            return;
        }
        let map = frame.color_map;
        self.color_map = Some(map);
        let table: [[u8; 3]; COLORS] = map.table();
        let colors = [map.sample(f32::NAN)].into_iter().chain(table).chain([FAINT_COLOR]).chain(palette.iter().copied());
        self.texels.clear();
        self.texels.extend(colors.map(opaque));
        let texels = &self.texels;
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * texels.len() as u32), rows_per_image: None };
        let size = wgpu::Extent3d { width: texels.len() as u32, ..self.colors.size() };
        gpu.queue.write_texture(self.colors.as_image_copy(), bytemuck::cast_slice(texels), layout, size);
    }
}

fn bind(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    globals: &wgpu::Buffer,
    colors: &wgpu::Texture,
    list: &List,
) -> wgpu::BindGroup {
    let view = colors.create_view(&wgpu::TextureViewDescriptor::default());
    let resources = [globals.as_entire_binding(), wgpu::BindingResource::TextureView(&view), list.buffer().as_entire_binding()];
    pipeline::bind(device, "particles", layout, &resources)
}

/// 0 for NaN, 1 to 65535 for 0 to 1.
fn encode_value(place: f32) -> u16 {
    if place.is_nan() { 0 } else { unorm(place).max(1) }
}

/// 0 to 1 as 0 to 65535; Rust's conversion saturates.
fn unorm(value: f32) -> u16 {
    (65535.0 * value + 0.5) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_clamped_and_not_a_number_is_told_apart() {
        assert_eq!(
            [f32::NAN, -1.0, 0.0, 0.5, 1.0, 2.0, f32::INFINITY].map(encode_value),
            [0, 1, 1, 32768, 65535, 65535, 65535]
        );
    }
}
