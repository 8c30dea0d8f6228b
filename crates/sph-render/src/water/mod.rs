//! The look of water, in screen space. Its passes, in the order of a frame:
//!
//! | pass | result |
//! |---|---|
//! | `SunMap` | optical depth between the sun and the floor |
//! | `Surroundings` | light from behind the fluid: sky, floor, bodies; linear |
//! | `Thickness` | optical depth of the fluid along the view |
//! | `Surface` | distance of the nearest ellipsoid, and the colour of its fluid |
//! | `Smoothing` | smoothed distance |
//! | `Composite` | refraction, reflection, extinction; encoded, then antialiased into the picture |
//!
//! `passes` has them, and what makes their pipelines; `resources` has what they read: the particles with their ellipsoids, the textures
//! between the passes, the constants of a frame.

mod passes;
mod resources;

#[cfg(test)]
mod tests;

pub use resources::{Particle, Uniforms};

use super::{Frame, Globals, Gpu};
use crate::costs::{Part, Stamps};
use crate::draws::Meshes;
use crate::gpu::target::Target;
use glam::Vec3;
use passes::{Composite, Smoothing, SunMap, Surface, Surroundings, Thickness};
use resources::{Fluid, Inputs, Sheets};

/// Passes and textures of the look of water.
#[derive(Debug)]
pub struct Water {
    uniforms: wgpu::Buffer,
    fluid: Fluid,
    sun_map: SunMap,
    surroundings: Surroundings,
    thickness: Thickness,
    surface: Surface,
    smoothing: Smoothing,
    composite: Composite,
    sheets: Sheets,
    /// Size of the picture and revision of the buffers that the bindings are of.
    bound: Option<([u32; 2], [u32; 2], u64)>,
}

impl Water {
    /// Compiles the shaders.
    pub fn new(gpu: &Gpu, globals: &wgpu::Buffer) -> Self {
        let uniforms = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("water"),
            size: size_of::<Uniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let fluid = Fluid::new(gpu);
        let sheets = Sheets::new(gpu, [1, 1], [1, 1]);
        let inputs = Inputs { gpu, globals, uniforms: &uniforms, fluid: &fluid, sheets: &sheets };
        Self {
            sun_map: SunMap::new(&inputs),
            surroundings: Surroundings::new(&inputs),
            thickness: Thickness::new(&inputs),
            surface: Surface::new(&inputs),
            smoothing: Smoothing::new(&inputs),
            composite: Composite::new(&inputs),
            bound: None,
            uniforms,
            fluid,
            sheets,
        }
    }

    /// Uploads the fluid and the constants of a frame of `size` pixels, whose scene has the corners `extent`, m.
    pub fn update(
        &mut self,
        gpu: &Gpu,
        (buffer, globals): (&wgpu::Buffer, &Globals),
        size: [u32; 2],
        frame: &Frame<'_>,
        extent: (Vec3, Vec3),
    ) {
        self.fluid.update(gpu, frame);
        let (uniforms, map_size) = Uniforms::new(globals, frame, extent);
        gpu.queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&uniforms));
        let bound = (size, map_size, self.fluid.revision());
        if self.bound == Some(bound) {
            return;
        }
        if self.sheets.size != size || self.sheets.map_size != map_size {
            self.sheets = Sheets::new(gpu, size, map_size);
        }
        let inputs = Inputs { gpu, globals: buffer, uniforms: &self.uniforms, fluid: &self.fluid, sheets: &self.sheets };
        self.sun_map.bind(&inputs);
        self.surroundings.bind(&inputs);
        self.thickness.bind(&inputs);
        self.surface.bind(&inputs);
        self.smoothing.bind(&inputs);
        self.composite.bind(&inputs);
        self.bound = Some(bound);
    }

    /// Records the passes of `part`: surroundings, `solids` and fluid go into the colour and the depth of `target`.
    pub fn record(&self, part: Part, encoder: &mut wgpu::CommandEncoder, target: &Target, solids: &Meshes, stamps: Stamps<'_>) {
        let (sheets, fluid) = (&self.sheets, &self.fluid);
        match part {
            Part::SunMap => self.sun_map.draw(encoder, sheets, fluid, solids, split(stamps)),
            Part::Surroundings => self.surroundings.draw(encoder, sheets, &target.depth, solids, stamps),
            Part::Thickness => self.thickness.draw(encoder, sheets, fluid, stamps),
            Part::Surface => self.surface.draw(encoder, sheets, &target.depth, fluid, stamps),
            Part::Blur => self.thickness.blur(encoder, sheets, split(stamps)),
            Part::Smoothing => self.smoothing.draw(encoder, sheets, split(stamps)),
            Part::Composite => self.composite.draw(encoder, sheets, stamps),
            Part::Antialiasing => self.composite.antialias(encoder, &target.color, stamps),
            Part::Particles | Part::Overlay => {}
        }
    }
}

/// Timestamps of the first and of the last of several passes.
fn split(stamps: Stamps<'_>) -> [Stamps<'_>; 2] {
    let writes = |beginning, end| {
        let writes = stamps.clone()?;
        Some(wgpu::RenderPassTimestampWrites {
            beginning_of_pass_write_index: writes.beginning_of_pass_write_index.filter(|_| beginning),
            end_of_pass_write_index: writes.end_of_pass_write_index.filter(|_| end),
            ..writes
        })
    };
    [writes(true, false), writes(false, true)]
}
