//! Renderer: computes visibility and light of a frame, then makes its draws in order.

use super::{Background, Frame, Globals, Gpu, Picture, ReadError};
use crate::costs::{CostMeter, Costs, Part, Stamps};
use crate::draws::{Backdrop, Cells, Foam, Line, Lines, Meshes, Particles, lines, push_arrows};
use crate::gpu::pipeline::Layer;
use crate::gpu::target::{PassPosition, Target};
use crate::light::Light;
use crate::picture::matte;
use crate::shaders;
use crate::timing::{PassTime, Stopwatch};
use crate::water::Water;
use glam::Vec3;
use sph_io::Look;
use std::time::Instant;

/// Draws frames into its own texture.
#[derive(Debug)]
pub struct Renderer {
    target: Target,
    globals: wgpu::Buffer,
    backdrop: Backdrop,
    particles: Particles,
    meshes: Meshes,
    glass: Meshes,
    foam: Foam,
    lines: Lines,
    cells: Cells,
    /// The look of water; created when it is first drawn.
    water: Option<Water>,
    light: Light,
    edges: Vec<Line>,
    meter: CostMeter,
    background: Background,
    /// Look of the present frame.
    look: Look,
}

/// A pass of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    Backdrop,
    /// A part of the look of water, which takes the backdrop's place.
    Water(Part),
    /// Particles, meshes and lines.
    Particles,
    Cells,
}

impl Pass {
    /// The passes of the look of water, in their order.
    const WATER: [Self; 8] = [
        Self::Water(Part::SunMap),
        Self::Water(Part::Surroundings),
        Self::Water(Part::Thickness),
        Self::Water(Part::Surface),
        Self::Water(Part::Blur),
        Self::Water(Part::Smoothing),
        Self::Water(Part::Composite),
        Self::Water(Part::Antialiasing),
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Backdrop => "backdrop",
            Self::Water(part) => part.name(),
            Self::Particles => "particles",
            Self::Cells => "cells",
        }
    }

    /// Part of the frame whose cost the window shows.
    fn part(self) -> Option<Part> {
        match self {
            Self::Backdrop => None,
            Self::Water(part) => Some(part),
            Self::Particles => Some(Part::Particles),
            Self::Cells => Some(Part::Overlay),
        }
    }
}

impl Renderer {
    /// Compiles the shaders. The picture has one pixel until the first frame.
    pub fn new(gpu: &Gpu) -> Self {
        let globals = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self {
            target: Target::new(gpu, [1, 1]),
            backdrop: Backdrop::new(gpu, &globals),
            particles: Particles::new(gpu, &globals),
            meshes: Meshes::new(gpu, &globals, shaders::MESHES, Layer::Solid),
            glass: Meshes::new(gpu, &globals, shaders::GLASS, Layer::Overlay),
            foam: Foam::new(gpu, &globals),
            lines: Lines::new(gpu, &globals),
            cells: Cells::new(gpu, &globals),
            water: None,
            globals,
            light: Light::default(),
            edges: Vec::new(),
            meter: CostMeter::new(gpu),
            background: Background::Room,
            look: Look::Spheres,
        }
    }

    /// Draws `frame` at `size` pixels, clamped to the limits of the device.
    pub fn draw(&mut self, gpu: &Gpu, size: [u32; 2], frame: &Frame<'_>) {
        if self.target.size != gpu.usable_size(size) {
            self.target = Target::new(gpu, size);
        }
        self.update(gpu, frame);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("scene") });
        for pass in self.passes() {
            let timestamps = pass.part().and_then(|part| self.meter.timestamp_writes(part));
            self.record(pass, &mut encoder, timestamps);
        }
        let parts: Vec<Part> = self.passes().into_iter().filter_map(Pass::part).collect();
        self.meter.end(&mut encoder, &parts);
        gpu.queue.submit([encoder.finish()]);
        self.meter.submitted();
    }

    /// Draws `frame` as [`Renderer::draw`] does, but pass by pass, waiting for each; returns the times. The first is that of sorting,
    /// culling, lighting and uploading on the processor.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn time(&mut self, gpu: &Gpu, size: [u32; 2], frame: &Frame<'_>) -> Result<Vec<PassTime>, ReadError> {
        let stopwatch = Stopwatch::new(gpu);
        if self.target.size != gpu.usable_size(size) {
            self.target = Target::new(gpu, size);
        }
        let start = Instant::now();
        self.update(gpu, frame);
        let mut times = vec![PassTime { pass: "prepare", time: start.elapsed() }];
        // Uploads are not part of the first pass.
        gpu.queue.submit([]);
        stopwatch.wait()?;
        for pass in self.passes() {
            let time = stopwatch.time(|encoder, timestamps| self.record(pass, encoder, timestamps))?;
            times.push(PassTime { pass: pass.name(), time });
        }
        Ok(times)
    }

    /// The passes of the present frame, in their order.
    fn passes(&self) -> Vec<Pass> {
        let behind: &[Pass] = if self.look == Look::Water { &Pass::WATER } else { &[Pass::Backdrop] };
        let overlay: &[Pass] = if self.cells.is_empty() { &[] } else { &[Pass::Cells] };
        [behind, &[Pass::Particles], overlay].concat()
    }

    /// Records the commands of `pass`.
    fn record(&self, pass: Pass, encoder: &mut wgpu::CommandEncoder, timestamps: Stamps<'_>) {
        if let (Pass::Water(part), Some(water)) = (pass, &self.water) {
            water.record(part, encoder, &self.target, &self.meshes, timestamps);
            return;
        }
        let is_last = pass == Pass::Cells || self.cells.is_empty();
        let position = match pass {
            Pass::Backdrop => PassPosition::First,
            _ if is_last => PassPosition::Last,
            _ => PassPosition::Middle,
        };
        let mut drawn = self.target.begin(encoder, pass.name(), position, timestamps);
        match pass {
            Pass::Backdrop if self.background.is_room() => self.backdrop.draw(&mut drawn),
            // The target has been cleared with it; and water has been drawn.
            Pass::Backdrop | Pass::Water(_) => {}
            Pass::Particles => {
                // The smooth outlines of particles blend into what has been drawn.
                if self.look != Look::Water {
                    self.meshes.draw(&mut drawn);
                }
                self.particles.draw(&mut drawn, self.look);
                self.foam.draw(&mut drawn);
                self.glass.draw(&mut drawn);
                self.lines.draw(&mut drawn);
            }
            Pass::Cells => self.cells.draw(&mut drawn),
        }
    }

    /// Uploads what `frame` shows.
    fn update(&mut self, gpu: &Gpu, frame: &Frame<'_>) {
        self.meter.begin(gpu);
        self.background = frame.background;
        if let Background::Plain(level) = frame.background {
            let level = f64::from(level);
            self.target.clear = wgpu::Color { r: level, g: level, b: level, a: 1.0 };
        }
        let start = Instant::now();
        let (min, max) = extent(frame);
        let mut globals = Globals::new(frame.camera, self.target.size, frame.radius).with_scene(min, max);
        // Water needs depth, and light from behind it.
        let is_water = frame.look == Look::Water && globals.has_floor() && frame.background.is_room();
        self.look = if frame.look == Look::Water && !is_water { Look::Spheres } else { frame.look };
        // The passes of the water shade and draw its particles.
        let particles = Frame { positions: if is_water { &[] } else { frame.positions }, ..*frame };
        globals.room = if frame.background == Background::LightRoom { 1.0 } else { 0.0 };
        self.light.update(particles.shading(), frame.balls, frame.radius, min, max);
        let floor_light = self.light.floor();
        if let Some(light) = &floor_light {
            globals.shadow_corner = light.corner;
            globals.shadow_rate = light.rate;
        }
        gpu.queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&globals));
        self.backdrop.update(gpu, &self.globals, floor_light.as_ref());
        self.particles.update(gpu, &self.globals, &globals, &particles, &self.light);
        if is_water {
            let water = self.water.get_or_insert_with(|| Water::new(gpu, &self.globals));
            water.update(gpu, (&self.globals, &globals), self.target.size, frame, (min, max));
        }
        self.meshes.update(gpu, frame.meshes, &self.light, frame.camera.eye());
        self.glass.update(gpu, frame.glass, &self.light, frame.camera.eye());
        self.foam.update(gpu, &self.globals, frame);
        self.meter.add_cpu_time(Part::Particles, start);
        self.edges.clear();
        let shown = if frame.show_boxes { frame.boxes } else { &[] };
        let is_box = |index: usize| frame.shaped.get(index) != Some(&true);
        for (index, &(min, max)) in shown.iter().enumerate().filter(|&(index, _)| is_box(index)) {
            let pose = frame.poses.get(index).copied().unwrap_or_default();
            lines::push_edges(
                (min, max),
                &pose,
                frame.camera.eye(),
                lines::color(frame.background, self.look),
                &mut self.edges,
            );
        }
        lines::push_outlines(frame.outlines, lines::color(frame.background, self.look), &mut self.edges);
        push_arrows(frame, &mut self.edges);
        self.lines.update(gpu, &self.edges);
        let start = Instant::now();
        self.cells.update(gpu, &self.globals, &globals, frame.cells, self.particles.occlusion.as_ref());
        self.meter.add_cpu_time(Part::Overlay, start);
    }

    /// Switches occlusion culling of particles and boxes on the CPU. The picture is the same. Initially on for software
    /// drivers, where culling saves more time than it takes, and off for GPUs.
    pub fn leave_out_hidden(&mut self, leave_out: bool) {
        self.particles.occlusion = leave_out.then(Default::default);
    }

    /// Picture as a texture: `Rgba8Unorm`, opaque, sRGB-encoded. Replaced when [`Renderer::size`] changes.
    pub fn texture(&self) -> &wgpu::Texture {
        self.target.color.texture()
    }

    /// Size of the picture, pixels.
    pub fn size(&self) -> [u32; 2] {
        self.target.size
    }

    /// Render time of the latest frames.
    pub fn costs(&self) -> Costs {
        self.meter.costs()
    }

    /// Draws `frame` at `size` pixels and copies it to memory; if `transparent`, without its background.
    ///
    /// # Errors
    /// When the device is lost or out of memory.
    pub fn picture(&mut self, gpu: &Gpu, size: [u32; 2], frame: &Frame<'_>, transparent: bool) -> Result<Picture, ReadError> {
        let mut drawn = |background| {
            self.draw(gpu, size, &Frame { background, ..*frame });
            self.read(gpu)
        };
        if transparent {
            Ok(matte(&drawn(Background::Plain(0.0))?, &drawn(Background::Plain(1.0))?))
        } else {
            drawn(frame.background)
        }
    }

    /// Waits for the last frame and copies it to memory.
    ///
    /// # Errors
    /// When the device is lost or out of memory.
    pub fn read(&self, gpu: &Gpu) -> Result<Picture, ReadError> {
        self.target.read(gpu)
    }
}

/// Bounding box of the tanks, at the start and now, or of the particles if there is no tank. Floor and haze stay in position
/// while no tank moves.
fn extent(frame: &Frame<'_>) -> (Vec3, Vec3) {
    let empty = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let join = |(low, high): (Vec3, Vec3), (min, max): (Vec3, Vec3)| (low.min(min), high.max(max));
    if frame.boxes.is_empty() {
        let finite = frame.positions.iter().filter(|position| position.is_finite());
        finite.map(|&position| (position - frame.radius, position + frame.radius)).fold(empty, join)
    } else {
        let now = frame.boxes.iter().zip(frame.poses).map(|(&(min, max), pose)| pose.bounds(min, max));
        frame.boxes.iter().copied().chain(now).fold(empty, join)
    }
}
