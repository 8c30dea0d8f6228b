//! Thickness of the fluid along the view, and its blur.

use super::fluid::Fluid;
use super::inputs::Inputs;
use super::pass::{self, Depth, Form, Reads, Step};
use super::shaders;
use super::sheets::{LIGHT, Sheets};
use super::sun_map::particles;
use crate::render::costs::Stamps;

/// The sum over the particles, and two steps of blur.
#[derive(Debug)]
pub struct Thickness {
    splats: Step,
    blurs: [Step; 2],
}

impl Thickness {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let form = Form { adds: true, ..Form::screen(shaders::THICKNESS, &[LIGHT]) };
        let blur = Form::screen(shaders::BLUR, &[LIGHT]);
        Self {
            splats: Step::new(inputs, &form, &splats(inputs)),
            blurs: [0, 1].map(|number| Step::new(inputs, &blur, &blurred(inputs, number))),
        }
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        self.splats.bind(inputs, &splats(inputs));
        for (number, blur) in self.blurs.iter_mut().enumerate() {
            blur.bind(inputs, &blurred(inputs, number));
        }
    }

    pub fn draw(&self, encoder: &mut wgpu::CommandEncoder, sheets: &Sheets, fluid: &Fluid, stamps: Stamps<'_>) {
        let mut pass = pass::begin(encoder, "thickness", &[&sheets.thickness[0]], Depth::None, stamps);
        self.splats.set(&mut pass);
        fluid.draw(&mut pass);
    }

    /// Blurs the thickness in front of the surface.
    pub fn blur(&self, encoder: &mut wgpu::CommandEncoder, sheets: &Sheets, stamps: [Stamps<'_>; 2]) {
        for (number, stamps) in stamps.into_iter().enumerate() {
            let target = &sheets.thickness[1 - number];
            self.blurs[number].fill(&mut pass::begin(encoder, "blur", &[target], Depth::None, stamps), number as u32);
        }
    }
}

fn splats<'a>(inputs: &Inputs<'a>) -> [Reads<'a>; 4] {
    let [globals, uniforms, fluid] = particles(inputs);
    [globals, uniforms, fluid, Reads::Values(&inputs.sheets.behind)]
}

fn blurred<'a>(inputs: &Inputs<'a>, number: usize) -> [Reads<'a>; 4] {
    let [globals, uniforms, _] = particles(inputs);
    [globals, uniforms, Reads::Values(&inputs.sheets.thickness[number]), Reads::Values(&inputs.sheets.surface[0])]
}
