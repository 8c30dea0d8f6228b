//! Particles, drawn as lit spheres or as points; foam, spray and bubbles, drawn as soft discs.

use crate::Background;
use crate::frame::{FAINT_COLOR, FAINT_ON_LIGHT, FAINT_SIZE, PALETTE, SMALL_SIZE};
use crate::gpu::pipeline::{self, Layer, List, STORAGE, TEXTURE, UNIFORM};
use crate::light::Light;
use crate::visibility::{Occlusion, Order};
use crate::{Frame, Globals, Gpu, Tint, shaders};
use bytemuck::{Pod, Zeroable};
use sph_color::ColorMap;
use sph_core::{FoamKind, FoamParticle};
use sph_io::Look;

/// Number of colours in the colour map; the same as in `shaders/particles.wgsl`. In the texture, the colour of particles
/// without a value comes before the map; the colour of faint particles and the palette come after it.
const COLORS: usize = 256;
const TEXELS: usize = 1 + COLORS + 1 + PALETTE;

/// Storage-buffer layout of a particle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Particle {
    /// Position, m.
    position: [f32; 3],
    /// Position in the colour map as a normalised integer: 1 to 65535; 0 without a value.
    value: u16,
    /// Share of the sky that is visible, as a normalised integer.
    light: u8,
    /// 0: coloured by value; 1: faint; 2 + i: colour i of the palette; 18 + i: that colour, small.
    tint: u8,
}

/// Pipeline, colour texture and buffers of the particles.
#[derive(Debug)]
pub struct Particles {
    spheres: wgpu::RenderPipeline,
    points: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    bindings: wgpu::BindGroup,
    colors: wgpu::Texture,
    /// Content of the texture `colors`.
    texels: Vec<[u8; 4]>,
    color_map: Option<ColorMap>,
    list: List,
    staging: Vec<Particle>,
    order: Order,
    /// Occlusion culling; `None` draws hidden particles too.
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
        let topology = wgpu::PrimitiveTopology::TriangleList;
        let create = |shader| pipeline::create(device, shader, &layout, None, topology, Layer::Solid);
        Self {
            spheres: create(shaders::PARTICLES),
            points: create(shaders::POINTS),
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

    /// Uploads a frame's particles to the device, sorted from far to near, without those whose position is not finite.
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
                // The sort leaves out particles with a depth of NaN.
                let shown = (0..).zip(depths).map(|(index, depth)| match frame.tint(index) {
                    Tint::Hidden => f32::NAN,
                    _ => depth,
                });
                self.order.far_to_near(shown)
            };
            // Spheres that would be hidden are seen between points.
            let hides = frame.look != Look::Points;
            if let Some(occlusion) = self.occlusion.as_mut().filter(|_| hides) {
                let size_of = |index: u32| match frame.tint(index as usize) {
                    Tint::Faint => FAINT_SIZE,
                    Tint::Small(_) => SMALL_SIZE,
                    _ => 1.0,
                };
                occlusion.cull(order, positions, size_of, globals);
            }
            self.staging.extend(order.iter().map(|&index| {
                let (position, value) = (positions[index as usize], values.get(index as usize));
                let place = value.map_or(f32::NAN, |value| (value - low) * scale);
                let has = |number: u8| usize::from(number) < frame.palette.len().min(PALETTE);
                let tint = match frame.tint(index as usize) {
                    Tint::Faint => 1,
                    Tint::Color(number) if has(number) => 2 + number,
                    Tint::Small(number) if has(number) => 2 + PALETTE as u8 + number,
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

    /// Draws the particles as points or as spheres.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, look: Look) {
        pass.set_pipeline(if look == Look::Points { &self.points } else { &self.spheres });
        pass.set_bind_group(0, &self.bindings, &[]);
        // One triangle per particle in one draw. Instances would be usual, but some drivers spend microseconds on each.
        pass.draw(0..3 * self.list.count(), 0..1);
    }

    fn write_colors(&mut self, gpu: &Gpu, frame: &Frame<'_>) {
        let opaque = |[red, green, blue]: [u8; 3]| [red, green, blue, 255];
        let palette = &frame.palette[..frame.palette.len().min(PALETTE)];
        let same = palette.iter().copied().map(opaque).eq(self.texels.iter().skip(COLORS + 2).copied());
        let faint = if frame.background == Background::LightRoom { FAINT_ON_LIGHT } else { FAINT_COLOR };
        let same = same && self.texels.get(COLORS + 1) == Some(&opaque(faint));
        if self.color_map == Some(frame.color_map) && same {
            return;
        }
        let map = frame.color_map;
        self.color_map = Some(map);
        let table: [[u8; 3]; COLORS] = map.table();
        let colors = [map.sample(f32::NAN)].into_iter().chain(table).chain([faint]).chain(palette.iter().copied());
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

/// Encodes a position in the colour map: 1 to 65535 for 0 to 1, 0 for NaN.
fn encode_value(place: f32) -> u16 {
    if place.is_nan() { 0 } else { unorm(place).max(1) }
}

/// Converts 0–1 to a 16-bit normalised integer, 0–65535; Rust's conversion saturates.
fn unorm(value: f32) -> u16 {
    (65535.0 * value + 0.5) as u16
}

// Foam, spray and bubbles, drawn as soft white discs.

/// Time before the end of a particle in which it fades, s.
const FADE: f32 = 0.5;

/// Storage-buffer layout of a disc.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Disc {
    /// Position, m.
    position: [f32; 3],
    /// Radius relative to the fluid's particles, as a normalised integer.
    radius: u8,
    /// Opacity in the middle, as a normalised integer.
    opacity: u8,
    unused: [u8; 2],
}

impl Disc {
    fn new(particle: &FoamParticle) -> Self {
        let (radius, opacity) = match particle.kind {
            FoamKind::Spray => (0.22, 0.55),
            FoamKind::Foam => (0.46, 0.6),
            FoamKind::Bubble => (0.3, 0.3),
        };
        let fade = (particle.left / FADE).clamp(0.0, 1.0);
        // Rust's conversion saturates.
        let unorm = |value: f32| (255.0 * value + 0.5) as u8;
        Self { position: particle.position.into(), radius: unorm(radius), opacity: unorm(opacity * fade), unused: [0; 2] }
    }
}

/// Pipeline and buffer of the discs.
#[derive(Debug)]
pub struct Foam {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    bindings: wgpu::BindGroup,
    list: List,
    staging: Vec<Disc>,
}

impl Foam {
    pub fn new(gpu: &Gpu, globals: &wgpu::Buffer) -> Self {
        let device = &gpu.device;
        let layout = pipeline::layout(device, "foam", &[UNIFORM, STORAGE]);
        let list = List::new(device, "foam", wgpu::BufferUsages::STORAGE);
        let topology = wgpu::PrimitiveTopology::TriangleList;
        Self {
            pipeline: pipeline::create(device, shaders::FOAM, &layout, None, topology, Layer::Overlay),
            bindings: bind_discs(device, &layout, globals, &list),
            layout,
            list,
            staging: Vec::new(),
        }
    }

    /// Uploads the foam of a frame, without what is outside the slab or at no finite position.
    pub fn update(&mut self, gpu: &Gpu, globals: &wgpu::Buffer, frame: &Frame<'_>) {
        let is_shown = |particle: &&FoamParticle| {
            let position = particle.position;
            position.is_finite() && frame.slab.is_none_or(|slab| slab.contains(position))
        };
        self.staging.clear();
        self.staging.extend(frame.foam.iter().filter(is_shown).map(Disc::new));
        if self.list.write(gpu, &self.staging) {
            self.bindings = bind_discs(&gpu.device, &self.layout, globals, &self.list);
        }
    }

    /// Draws the discs where nothing is nearer; the depth stays.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.list.count() == 0 {
            return;
        }
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.draw(0..3 * self.list.count(), 0..1);
    }
}

fn bind_discs(device: &wgpu::Device, layout: &wgpu::BindGroupLayout, globals: &wgpu::Buffer, list: &List) -> wgpu::BindGroup {
    pipeline::bind(device, "foam", layout, &[globals.as_entire_binding(), list.buffer().as_entire_binding()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn values_are_clamped_and_nan_is_encoded_as_zero() {
        assert_eq!(
            [f32::NAN, -1.0, 0.0, 0.5, 1.0, 2.0, f32::INFINITY].map(encode_value),
            [0, 1, 1, 32768, 65535, 65535, 65535]
        );
    }

    #[test]
    fn foam_fades_before_its_end() {
        let disc = |left| Disc::new(&FoamParticle { position: Vec3::ZERO, velocity: Vec3::ZERO, left, kind: FoamKind::Foam });
        assert_eq!([5.0, FADE, 0.5 * FADE, 0.0].map(|left| disc(left).opacity), [153, 153, 77, 0]);
    }
}
