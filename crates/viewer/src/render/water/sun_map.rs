//! Map of the sun's light on the floor: fluid and bodies between the two.

use super::fluid::Fluid;
use super::inputs::Inputs;
use super::pass::{self, Depth, Form, Reads, Step};
use super::shaders;
use super::sheets::{LIGHT, Sheets};
use crate::render::costs::Stamps;
use crate::render::draws::Meshes;

/// The shadows of fluid and bodies.
#[derive(Debug)]
pub struct SunMap {
    fluid: Step,
    solids: Step,
}

impl SunMap {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let form = |shader, vertices| Form { adds: true, vertices, ..Form::screen(shader, &[LIGHT]) };
        Self {
            fluid: Step::new(inputs, &form(shaders::SUN_SPLATS, None), &particles(inputs)),
            solids: Step::new(inputs, &form(shaders::SUN_SOLIDS, Some(Meshes::vertex_layout())), &particles(inputs)[..2]),
        }
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        self.fluid.bind(inputs, &particles(inputs));
        self.solids.bind(inputs, &particles(inputs)[..2]);
    }

    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        sheets: &Sheets,
        fluid: &Fluid,
        solids: &Meshes,
        stamps: Stamps<'_>,
    ) {
        let mut pass = pass::begin(encoder, "sun map", &[&sheets.sun_map], Depth::None, stamps);
        self.fluid.set(&mut pass);
        fluid.draw(&mut pass);
        self.solids.set(&mut pass);
        solids.draw_triangles(&mut pass);
    }
}

/// Constants and particles: what every pass over the particles reads.
pub fn particles<'a>(inputs: &Inputs<'a>) -> [Reads<'a>; 3] {
    [Reads::Uniforms(inputs.globals), Reads::Uniforms(inputs.uniforms), Reads::Particles(inputs.fluid.buffer())]
}
