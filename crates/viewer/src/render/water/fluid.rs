//! Particles of the fluid on the device.

use crate::render::gpu::pipeline::List;
use crate::render::{Frame, Gpu, Tint};
use bytemuck::{Pod, Zeroable};
use sph_core::probes::Ellipsoid;

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
