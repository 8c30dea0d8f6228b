//! Light from behind the fluid: sky, floor and bodies.

use super::inputs::Inputs;
use super::pass::{self, Depth, Form, Reads, Step};
use super::shaders;
use super::sheets::{LIGHT, Sheets};
use crate::render::costs::Stamps;
use crate::render::draws::Meshes;

/// Sky and floor, and the bodies before them.
#[derive(Debug)]
pub struct Surroundings {
    backdrop: Step,
    solids: Step,
    sampler: wgpu::Sampler,
}

impl Surroundings {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let sampler = sampler(inputs);
        let backdrop =
            Form { depth: Some((wgpu::CompareFunction::Always, false)), ..Form::screen(shaders::BACKDROP, &[LIGHT]) };
        let solids = Form {
            depth: Some((wgpu::CompareFunction::Greater, true)),
            vertices: Some(Meshes::vertex_layout()),
            ..Form::screen(shaders::SOLIDS, &[LIGHT])
        };
        Self {
            backdrop: Step::new(inputs, &backdrop, &light(inputs, &sampler)),
            solids: Step::new(inputs, &solids, &light(inputs, &sampler)),
            sampler,
        }
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        self.backdrop.bind(inputs, &light(inputs, &self.sampler));
        self.solids.bind(inputs, &light(inputs, &self.sampler));
    }

    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        sheets: &Sheets,
        depth: &wgpu::TextureView,
        solids: &Meshes,
        stamps: Stamps<'_>,
    ) {
        let mut pass = pass::begin(encoder, "surroundings", &[&sheets.behind], Depth::Cleared(depth), stamps);
        self.backdrop.fill(&mut pass, 0);
        self.solids.set(&mut pass);
        solids.draw_triangles(&mut pass);
    }
}

/// Constants and the sun's map: what the formulas of the surroundings read.
pub fn light<'a>(inputs: &Inputs<'a>, sampler: &'a wgpu::Sampler) -> [Reads<'a>; 4] {
    [
        Reads::Uniforms(inputs.globals),
        Reads::Uniforms(inputs.uniforms),
        Reads::Light(&inputs.sheets.sun_map),
        Reads::Sampler(sampler),
    ]
}

/// Sampler that interpolates.
pub fn sampler(inputs: &Inputs<'_>) -> wgpu::Sampler {
    inputs.gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("water"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    })
}
