//! Yardstick of the cost of particles: the simplest instanced quads, in the target and with the camera of a frame.

use super::stopwatch::{PassTime, Stopwatch};
use crate::render::gpu::pipeline::{self, Layer, List, UNIFORM};
use crate::render::gpu::shaders;
use crate::render::gpu::target::{PassPosition, Target};
use crate::render::{Frame, Globals, Gpu, ReadError};
use std::time::Instant;

/// Draws each particle of a frame as a quad of one colour.
#[derive(Debug)]
pub struct Yardstick {
    target: Target,
    globals: wgpu::Buffer,
    bindings: wgpu::BindGroup,
    pipeline: wgpu::RenderPipeline,
    centers: List,
}

impl Yardstick {
    /// Compiles the shader for pictures of `size` pixels.
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        let device = &gpu.device;
        let globals = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let layout = pipeline::layout(device, "quads", &[UNIFORM]);
        let attributes = wgpu::vertex_attr_array![0 => Float32x3];
        let instances = wgpu::VertexBufferLayout {
            array_stride: size_of::<glam::Vec3>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &attributes,
        };
        Self {
            target: Target::new(gpu, size),
            bindings: pipeline::bind(device, "quads", &layout, &[globals.as_entire_binding()]),
            globals,
            pipeline: pipeline::create(
                device,
                shaders::QUADS,
                &layout,
                Some(instances),
                wgpu::PrimitiveTopology::TriangleStrip,
                Layer::Opaque,
            ),
            centers: List::new(device, "quads", wgpu::BufferUsages::VERTEX),
        }
    }

    /// Uploads and draws the particles of `frame`, each part by itself; returns the times.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn time(&mut self, gpu: &Gpu, frame: &Frame<'_>) -> Result<[PassTime; 2], ReadError> {
        let stopwatch = Stopwatch::new(gpu);
        let start = Instant::now();
        let globals = Globals::new(frame.camera, self.target.size, frame.radius);
        gpu.queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&globals));
        self.centers.write(gpu, frame.positions);
        let upload = start.elapsed();
        let quads = stopwatch.time(|encoder, timestamps| {
            let mut pass = self.target.begin(encoder, "quads", PassPosition::Only, timestamps);
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.bindings, &[]);
            pass.set_vertex_buffer(0, self.centers.buffer().slice(..));
            pass.draw(0..4, 0..self.centers.count());
        })?;
        Ok([PassTime { pass: "upload", time: upload }, PassTime { pass: "quads", time: quads }])
    }
}
