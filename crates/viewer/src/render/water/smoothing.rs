//! Narrow-range filter of the surface (Truong and Yuksel 2018): rows and columns twice, then a clean-up.

use super::inputs::Inputs;
use super::pass::{self, Depth, Form, Reads, Step};
use super::shaders;
use super::sheets::{DISTANCE, Sheets};
use crate::render::costs::Stamps;

/// Steps of the shader: 0 rows, 1 columns, 2 clean-up.
const STEPS: [u32; 5] = [0, 1, 0, 1, 2];

/// Sheet of the surface after the last step.
pub const RESULT: usize = STEPS.len() % 2;

/// The filter from each of the two sheets of the surface to the other.
#[derive(Debug)]
pub struct Smoothing([Step; 2]);

impl Smoothing {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let form = Form::screen(shaders::SMOOTHING, &[DISTANCE]);
        Self([0, 1].map(|source| Step::new(inputs, &form, &reads(inputs, source))))
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        for (source, step) in self.0.iter_mut().enumerate() {
            step.bind(inputs, &reads(inputs, source));
        }
    }

    /// Filters the first sheet of the surface; the result is in the sheet [`RESULT`].
    pub fn draw(&self, encoder: &mut wgpu::CommandEncoder, sheets: &Sheets, [first, last]: [Stamps<'_>; 2]) {
        let (mut first, mut last) = (first, last);
        for (number, step) in STEPS.into_iter().enumerate() {
            let stamps = match number {
                0 => first.take(),
                _ if number + 1 == STEPS.len() => last.take(),
                _ => None,
            };
            let target = &sheets.surface[(number + 1) % 2];
            let mut pass = pass::begin(encoder, "smoothing", &[target], Depth::None, stamps);
            self.0[number % 2].fill(&mut pass, step);
        }
    }
}

fn reads<'a>(inputs: &Inputs<'a>, source: usize) -> [Reads<'a>; 3] {
    [Reads::Uniforms(inputs.globals), Reads::Uniforms(inputs.uniforms), Reads::Values(&inputs.sheets.surface[source])]
}
