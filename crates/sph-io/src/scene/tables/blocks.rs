//! `[[fluid.blocks]]`: blocks of fluid.

use super::fluids::fluid_called;
use super::named::Named;
use super::order::keep_order;
use super::solids::{ShapeKeys, region, with_solid_keys};
use super::vectors::Vectors;
use super::velocity_field::{VelocityFieldTable, velocity_field};
use glam::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Filling, Fluid, FluidBlock, InitialPressure, Interface, MAX_SPEED};
use std::path::Path;

with_solid_keys! {
    /// A region filled with fluid: a box, along each axis with a whole number of particles, about `particles.spacing` apart, or another
    /// shape.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[schemars(transform = keep_order::<Self>)]
    pub(crate) struct BlockTable {
        /// Arrangement of the particles. Another than `lattice` is for fluid that must not prefer the axes; it has as many particles as
        /// the volume takes.
        #[serde(default)]
        pub filling: Named<Filling>,
        /// Name of its fluid among the `[[fluids]]`.
        #[schemars(extend("x-default" = "the first"))]
        pub fluid: Option<String>,
        /// Interface within the block, `y = height + amplitude sin(2π x/wavelength)`: what is below it is another fluid; default: none.
        pub interface: Option<InterfaceTable>,
        /// Initial velocity.
        #[schemars(length(min = 2, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "at rest"))]
        pub velocity: Option<Vec<f64>>,
        /// Initial velocity by place, added to `velocity`.
        #[serde(default)]
        pub velocity_field: VelocityFieldTable,
        /// True to leave out the part of the block that lies in a body, or closer to one than half a spacing. Otherwise the block must be clear
        /// of bodies.
        #[serde(default)]
        pub around_bodies: bool,
        /// Initial pressure.
        #[serde(default)]
        pub initial_pressure: Named<InitialPressure>,
    }
}

/// An interface within a block.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct InterfaceTable {
    /// Name of the fluid below the interface.
    pub below: String,
    /// Mean height.
    #[schemars(extend("x-unit" = "m"))]
    pub height: f64,
    /// Amplitude; negative for a wave that begins with a trough, 0 for a plane.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub amplitude: f64,
    /// Wavelength along x.
    #[serde(default = "default_wavelength")]
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "m"))]
    pub wavelength: f64,
}

/// The block of the table at `fluid.blocks.index`. Adds its faults to those of `vectors`.
pub(crate) fn block(
    table: &BlockTable,
    index: usize,
    fluids: &[Fluid],
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> FluidBlock {
    let path = |key| format!("fluid.blocks.{index}.{key}");
    let interface = table.interface.as_ref().map(|table| Interface {
        below: fluid_called(&table.below, fluids, path("interface.below"), vectors),
        height: table.height as f32,
        amplitude: table.amplitude as f32,
        wavelength: table.wavelength as f32,
    });
    let keys = ShapeKeys { is_fitted: table.filling.0 == Filling::Lattice, ..table.shape_keys() };
    let region = region(&keys, [&table.unite, &table.subtract], &format!("fluid.blocks.{index}"), folder, vectors);
    FluidBlock {
        min: region.min,
        max: region.max,
        shape: region.shape,
        filling: table.filling.0,
        fluid: table.fluid.as_ref().map_or(0, |name| fluid_called(name, fluids, path("fluid"), vectors)),
        interface,
        velocity: table.velocity.as_ref().map_or(Vec3::ZERO, |velocity| vectors.read(velocity, path("velocity"))),
        around_bodies: table.around_bodies,
        field: velocity_field(&table.velocity_field, &path("velocity_field"), vectors),
        initial_pressure: table.initial_pressure.0,
    }
}

fn default_wavelength() -> f64 {
    1.0
}
