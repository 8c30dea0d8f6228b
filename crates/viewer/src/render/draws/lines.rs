//! Straight antialiased lines of constant width on the screen.

use crate::render::Gpu;
use crate::render::gpu::pipeline::{self, Layer, List, UNIFORM};
use crate::render::gpu::shaders;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Vertex-buffer layout of a line.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Line {
    /// First end point, m.
    pub start: [f32; 3],
    /// Width, pixels.
    pub width: f32,
    /// Second end point, m.
    pub end: [f32; 3],
    /// sRGB-encoded colour and opacity, 0 to 1.
    pub color: [f32; 4],
}

impl Line {
    pub fn new(start: Vec3, end: Vec3, width: f32, color: [f32; 4]) -> Self {
        Self { start: start.into(), width, end: end.into(), color }
    }
}

/// Pipeline and vertex buffer of the lines.
#[derive(Debug)]
pub struct Lines {
    pipeline: wgpu::RenderPipeline,
    bindings: wgpu::BindGroup,
    lines: List,
}

impl Lines {
    pub fn new(gpu: &Gpu, globals: &wgpu::Buffer) -> Self {
        let device = &gpu.device;
        let layout = pipeline::layout(device, "lines", &[UNIFORM]);
        let attributes = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x3, 2 => Float32x4];
        let instances = wgpu::VertexBufferLayout {
            array_stride: size_of::<Line>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &attributes,
        };
        Self {
            pipeline: pipeline::create(
                device,
                shaders::LINES,
                &layout,
                Some(instances),
                wgpu::PrimitiveTopology::TriangleStrip,
                Layer::Overlay,
            ),
            bindings: pipeline::bind(device, "lines", &layout, &[globals.as_entire_binding()]),
            lines: List::new(device, "lines", wgpu::BufferUsages::VERTEX),
        }
    }

    pub fn update(&mut self, gpu: &Gpu, lines: &[Line]) {
        self.lines.write(gpu, lines);
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.set_vertex_buffer(0, self.lines.buffer().slice(..));
        pass.draw(0..4, 0..self.lines.count());
    }
}
