//! `[[emitters]]` and `[[drains]]`: where fluid comes in and goes out.

use super::fluid::fluid_called;
use super::keys::{Named, Vectors};
use super::{Region, ShapeKeys, expected, keep_order, region, with_solid_keys};
use crate::scene::error::Fault;
use crate::words::list;
use glam::Vec2;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Aperture, BlockShape, Drain, Emitter, Fluid, MAX_SPEED, Rate, Schedule, ShapeKind};
use std::path::Path;

/// Most rows of a schedule: an hour at a tenth of a second.
const MAX_ROWS: u32 = 36_000;

/// An opening through which fluid enters. Exactly one of `radius` and `size`, and one of `speed`, `speeds`, `flow_rate` and
/// `flow_rates`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct EmitterTable {
    /// Centre of the opening.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub center: Vec<f64>,
    /// Direction of the flow, of any length.
    #[schemars(length(min = 2, max = 3))]
    pub direction: Vec<f64>,
    /// Radius of a round opening; in two dimensions half the width of a slot.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "m"))]
    pub radius: Option<f64>,
    /// Width and height of a rectangular opening. The width is horizontal; for an emitter along y, it is along x. In two
    /// dimensions the width of a slot.
    #[schemars(length(min = 1, max = 2), inner(range(min = 0)), extend("x-unit" = "m"))]
    pub size: Option<Vec<f64>>,
    /// Constant speed of the fluid.
    #[schemars(range(min = 0, max = MAX_SPEED), extend("x-unit" = "m/s"))]
    pub speed: Option<f64>,
    /// Speed of the fluid over time: each row is a time and a speed, linear between rows and constant before the first and after the last.
    #[schemars(length(min = 1, max = MAX_ROWS), inner(length(min = 2, max = 2)), extend("x-unit" = "s, m/s"))]
    pub speeds: Option<Vec<Vec<f64>>>,
    /// Constant volume per second (area per second in two dimensions).
    #[schemars(range(min = 0), extend("x-unit" = "m³/s"))]
    pub flow_rate: Option<f64>,
    /// Volume per second over time, in rows as for `speeds`.
    #[schemars(length(min = 1, max = MAX_ROWS), inner(length(min = 2, max = 2)), extend("x-unit" = "s, m³/s"))]
    pub flow_rates: Option<Vec<Vec<f64>>>,
    /// Name of its fluid among the `[[fluids]]`.
    #[schemars(extend("x-default" = "the first"))]
    pub fluid: Option<String>,
}

with_solid_keys! {
    /// A region, a box or another shape, that removes the fluid that enters it.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[schemars(transform = keep_order::<Self>)]
    pub(crate) struct DrainTable {
        /// Velocity with which fluid moves through the drain; it is removed at the far end. For the outlet of a channel.
        #[schemars(length(min = 2, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "none: fluid is removed as it enters"))]
        pub velocity: Option<Vec<f64>>,
    }
}

/// The emitter of the table at `emitters.index`; `None` if it has faults, which are added to those of `vectors`.
pub(crate) fn emitter(table: &EmitterTable, index: usize, fluids: &[Fluid], vectors: &mut Vectors) -> Option<Emitter> {
    let path = |key: &str| format!("emitters.{index}.{key}");
    let center = vectors.read(&table.center, path("center"));
    let direction = vectors.read(&table.direction, path("direction"));
    let fluid = table.fluid.as_ref().map_or(0, |name| fluid_called(name, fluids, path("fluid"), vectors));
    let aperture = aperture(table, index, vectors);
    let rate = rate(table, index, vectors);
    Some(Emitter { center, direction, aperture: aperture?, rate: rate?, fluid })
}

/// The drain of the table at `drains.index`. Adds its faults to those of `vectors`.
pub(crate) fn drain(table: &DrainTable, index: usize, folder: Option<&Path>, vectors: &mut Vectors) -> Drain {
    let path = format!("drains.{index}");
    // The corners of a plain box are taken as they are.
    let keys = ShapeKeys { is_fitted: table.shape.0 == ShapeKind::Box, ..table.shape_keys() };
    let Region { shape, min, max } = region(&keys, [&table.unite, &table.subtract], &path, folder, vectors);
    let region = match shape {
        BlockShape::Solid(solid) => Some(solid),
        BlockShape::Box | BlockShape::Ellipsoid => None,
    };
    let velocity = table.velocity.as_ref().map(|velocity| vectors.read(velocity, format!("{path}.velocity")));
    Drain { min, max, region, velocity }
}

fn aperture(table: &EmitterTable, index: usize, vectors: &mut Vectors) -> Option<Aperture> {
    match (table.radius, &table.size) {
        (Some(radius), None) => Some(Aperture::Round { radius: radius as f32 }),
        (None, Some(size)) => {
            let planar = vectors.dimensions.count() == 2;
            let (&width, height) = (size.first()?, size.get(1));
            if height.is_none() && !planar {
                let message = format!("`emitters.{index}.size` has one number in a scene of 3 dimensions");
                vectors.faults.push(Fault::at_path(format!("emitters.{index}.size"), message, "expected a width and a height"));
            }
            Some(Aperture::Rectangle { size: Vec2::new(width as f32, *height.unwrap_or(&width) as f32) })
        }
        (radius, size) => {
            one_of(&["radius", "size"], radius.is_some() || size.is_some(), index, vectors);
            None
        }
    }
}

fn rate(table: &EmitterTable, index: usize, vectors: &mut Vectors) -> Option<Rate> {
    let EmitterTable { speed, speeds, flow_rate, flow_rates, .. } = table;
    let (name, schedule) = match (speed, speeds, flow_rate, flow_rates) {
        (Some(speed), None, None, None) => ("speed", Schedule::constant(*speed)),
        (None, Some(rows), None, None) => ("speeds", Schedule::through(points(rows))),
        (None, None, Some(flow), None) => ("flow_rate", Schedule::constant(*flow)),
        (None, None, None, Some(rows)) => ("flow_rates", Schedule::through(points(rows))),
        (speed, speeds, flow, flows) => {
            let given = speed.is_some() || speeds.is_some() || flow.is_some() || flows.is_some();
            one_of(&["speed", "speeds", "flow_rate", "flow_rates"], given, index, vectors);
            return None;
        }
    };
    match schedule {
        Ok(schedule) if name.starts_with("speed") => Some(Rate::Speed(schedule)),
        Ok(schedule) => Some(Rate::Flow(schedule)),
        Err(error) => {
            let path = format!("emitters.{index}.{name}");
            vectors.faults.push(Fault::at_path(path, error.to_string(), expected(error)));
            None
        }
    }
}

/// The points of a schedule's rows, which the schema has found to be of two numbers.
fn points(rows: &[Vec<f64>]) -> impl Iterator<Item = (f64, f64)> {
    rows.iter().filter_map(|row| Some((*row.first()?, *row.get(1)?)))
}

/// Adds the fault that none of `keys` is given, or more than one.
fn one_of(keys: &[&str], given: bool, index: usize, vectors: &mut Vectors) {
    let path = format!("emitters.{index}");
    let count = if given { "more than one" } else { "none" };
    let message = format!("`{path}` has {count} of {}", list(keys.iter().copied()));
    vectors.faults.push(Fault::at_path(path, message, "expected one of them"));
}
