//! A pool of two dimensions.

use super::setup;
use glam::Vec3;
use sph_core::{Container, Dimensions, FluidBlock, InitialPressure, Method, Setup};

/// Particle spacing, m.
pub const SPACING: f32 = 0.05;

/// A pool of two dimensions, 1.2 m wide, with water 0.5 m deep.
pub fn pool(method: Method) -> Setup {
    let max = Vec3::new(1.2, 0.5, 0.0);
    let block = FluidBlock { max, initial_pressure: InitialPressure::Hydrostatic, ..FluidBlock::default() };
    let container = Container { max: max.with_y(1.6), ..Container::default() };
    let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
    setup.parameters.solver.method = method;
    setup
}
