//! Particles of the fluid on the device.

use crate::render::gpu::pipeline::List;
use crate::render::{Frame, Gpu, Tint};
use bytemuck::{Pod, Zeroable};

/// sRGB-encoded colour that light takes in a fluid without a colour of its own: that of clear water over a pale floor.
const CLEAR_WATER: [u8; 3] = [86, 184, 218];

/// Storage-buffer layout of a particle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Particle {
    /// Position, m.
    position: [f32; 3],
    /// sRGB-encoded colour of the fluid.
    color: [u8; 4],
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
                Particle { position: frame.positions[index].into(), color: [red, green, blue, 255] }
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
