//! Nearest surface of the fluid's ellipsoids.

use super::fluid::Fluid;
use super::inputs::Inputs;
use super::pass::{self, Depth, Form, Step};
use super::shaders;
use super::sheets::{COLOR, DISTANCE, Sheets};
use super::sun_map::particles;
use crate::render::costs::Stamps;

/// Distances and colours of the nearest ellipsoids.
#[derive(Debug)]
pub struct Surface(Step);

impl Surface {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let form =
            Form { depth: Some((wgpu::CompareFunction::Greater, true)), ..Form::screen(shaders::SURFACE, &[DISTANCE, COLOR]) };
        Self(Step::new(inputs, &form, &particles(inputs)))
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        self.0.bind(inputs, &particles(inputs));
    }

    /// Draws what is nearer than `depth`, which it is added to.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        sheets: &Sheets,
        depth: &wgpu::TextureView,
        fluid: &Fluid,
        stamps: Stamps<'_>,
    ) {
        let targets = [&sheets.surface[0], &sheets.colors];
        let mut pass = pass::begin(encoder, "surface", &targets, Depth::Kept(depth), stamps);
        self.0.set(&mut pass);
        fluid.draw(&mut pass);
    }
}
