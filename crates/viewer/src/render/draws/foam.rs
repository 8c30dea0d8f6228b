//! Foam, spray and bubbles, drawn as soft white discs.

use crate::render::gpu::pipeline::{self, Layer, List, STORAGE, UNIFORM};
use crate::render::gpu::shaders;
use crate::render::{Frame, Gpu};
use bytemuck::{Pod, Zeroable};
use sph_core::{FoamKind, FoamParticle};

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
            FoamKind::Spray => (0.24, 0.9),
            FoamKind::Foam => (0.42, 0.75),
            FoamKind::Bubble => (0.3, 0.45),
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
            bindings: bind(device, &layout, globals, &list),
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
            self.bindings = bind(&gpu.device, &self.layout, globals, &self.list);
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

fn bind(device: &wgpu::Device, layout: &wgpu::BindGroupLayout, globals: &wgpu::Buffer, list: &List) -> wgpu::BindGroup {
    pipeline::bind(device, "foam", layout, &[globals.as_entire_binding(), list.buffer().as_entire_binding()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn foam_fades_before_its_end() {
        let disc = |left| Disc::new(&FoamParticle { position: Vec3::ZERO, velocity: Vec3::ZERO, left, kind: FoamKind::Foam });
        assert_eq!([5.0, FADE, 0.5 * FADE, 0.0].map(|left| disc(left).opacity), [191, 191, 96, 0]);
    }
}
