//! Times of single passes, for `sph bench --render`: a stopwatch, and a yardstick to compare them with.

use std::time::{Duration, Instant};

use super::{Frame, Globals, Gpu, ReadError};
use crate::gpu::pipeline::{self, Layer, List, UNIFORM};
use crate::gpu::target::{PassPosition, Target};
use crate::shaders;

// Stopwatch for single passes. Unlike the meter of `costs`, it waits for every pass.

/// Clock that the times of passes are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassClock {
    /// Timestamps that the device writes at the start and at the end of a pass.
    Device,
    /// The processor's clock, around submission and wait. Software drivers are timed by it even if they have timestamps: they interleave
    /// passes tile by tile.
    Processor,
}

/// Time of one pass of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassTime {
    /// Name of the pass.
    pub pass: &'static str,
    /// Its time.
    pub time: Duration,
}

/// Size of a timestamp, bytes.
const TIMESTAMP_BYTES: u64 = wgpu::QUERY_SIZE as u64;

/// Times passes one by one.
#[derive(Debug)]
pub struct Stopwatch<'a> {
    gpu: &'a Gpu,
    queries: Option<Queries>,
}

#[derive(Debug)]
struct Queries {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
}

impl<'a> Stopwatch<'a> {
    /// A stopwatch with the better clock of the device.
    pub fn new(gpu: &'a Gpu) -> Self {
        let has_clock = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) && !gpu.is_software();
        Self { gpu, queries: has_clock.then(|| Queries::new(gpu)) }
    }

    /// Clock of the times.
    pub fn clock(&self) -> PassClock {
        if self.queries.is_some() { PassClock::Device } else { PassClock::Processor }
    }

    /// Runs the pass that `record` records with the given timestamps, waits for it, and returns its time.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn time(
        &self,
        record: impl FnOnce(&mut wgpu::CommandEncoder, Option<wgpu::RenderPassTimestampWrites<'_>>),
    ) -> Result<Duration, ReadError> {
        let Self { gpu, queries } = self;
        let writes = queries.as_ref().map(|queries| wgpu::RenderPassTimestampWrites {
            query_set: &queries.set,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        });
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("timed pass") });
        record(&mut encoder, writes);
        if let Some(Queries { set, resolved, read }) = queries {
            encoder.resolve_query_set(set, 0..2, resolved, 0);
            encoder.copy_buffer_to_buffer(resolved, 0, read, 0, 2 * TIMESTAMP_BYTES);
        }
        let start = Instant::now();
        gpu.queue.submit([encoder.finish()]);
        let Some(Queries { read, .. }) = queries else {
            self.wait()?;
            return Ok(start.elapsed());
        };
        read.slice(..).map_async(wgpu::MapMode::Read, |_| ());
        self.wait()?;
        let bytes = read.slice(..).get_mapped_range().map_err(ReadError::new)?;
        let ticks: &[u64] = bytemuck::cast_slice(&bytes);
        // Timestamps may decrease after the device has slept.
        let nanoseconds = ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(gpu.queue.get_timestamp_period());
        drop(bytes);
        read.unmap();
        Ok(Duration::from_nanos(nanoseconds as u64))
    }

    /// Waits for all work submitted before.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn wait(&self) -> Result<(), ReadError> {
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely()).map(drop).map_err(ReadError::new)
    }
}

impl Queries {
    fn new(gpu: &Gpu) -> Self {
        let buffer = |usage| {
            let size = 2 * TIMESTAMP_BYTES;
            let label = Some("stopwatch");
            gpu.device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
        };
        Self {
            set: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("stopwatch"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            read: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
        }
    }
}

// Yardstick of the cost of particles: the simplest instanced quads, in the target and with the camera of a frame.

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
