//! Finished picture: light from the fluid over light from behind it, then antialiasing.

use super::inputs::Inputs;
use super::pass::{self, Depth, Form, Reads, Step};
use super::sheets::{COLOR, Sheets};
use super::surroundings::{light, sampler};
use super::{shaders, smoothing};
use crate::render::costs::Stamps;
use crate::render::gpu::target::COLOR_FORMAT;

/// Composition and antialiasing.
#[derive(Debug)]
pub struct Composite {
    composite: Step,
    antialias: Step,
    sampler: wgpu::Sampler,
}

impl Composite {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let sampler = sampler(inputs);
        let composite = Form::screen(shaders::COMPOSITE, &[COLOR]);
        let antialias = Form::screen(shaders::ANTIALIAS, &[COLOR_FORMAT]);
        Self {
            composite: Step::new(inputs, &composite, &reads(inputs, &sampler)),
            antialias: Step::new(inputs, &antialias, &finished(inputs, &sampler)),
            sampler,
        }
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        self.composite.bind(inputs, &reads(inputs, &self.sampler));
        self.antialias.bind(inputs, &finished(inputs, &self.sampler));
    }

    pub fn draw(&self, encoder: &mut wgpu::CommandEncoder, sheets: &Sheets, stamps: Stamps<'_>) {
        self.composite.fill(&mut pass::begin(encoder, "composite", &[&sheets.finished], Depth::None, stamps), 0);
    }

    /// Copies the finished picture into `target`, with its edges smoothed.
    pub fn antialias(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView, stamps: Stamps<'_>) {
        self.antialias.fill(&mut pass::begin(encoder, "antialias", &[target], Depth::None, stamps), 0);
    }
}

fn reads<'a>(inputs: &Inputs<'a>, sampler: &'a wgpu::Sampler) -> [Reads<'a>; 8] {
    let [globals, uniforms, map, sampler] = light(inputs, sampler);
    let sheets = inputs.sheets;
    [
        globals,
        uniforms,
        map,
        sampler,
        Reads::Values(&sheets.surface[smoothing::RESULT]),
        Reads::Values(&sheets.colors),
        Reads::Light(&sheets.thickness[0]),
        Reads::Light(&sheets.behind),
    ]
}

fn finished<'a>(inputs: &Inputs<'a>, sampler: &'a wgpu::Sampler) -> [Reads<'a>; 2] {
    [Reads::Light(&inputs.sheets.finished), Reads::Sampler(sampler)]
}
