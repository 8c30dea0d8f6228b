//! `[domain]`: the periodic domain.

use super::order::keep_order;
use super::vectors::Vectors;
use crate::scene::error::Fault;
use glam::{BVec3, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sph_core::{Dimensions, Domain};

/// Periodic domain: fluid that leaves through a periodic face comes in through the face opposite.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct DomainTable {
    /// Axes along which space repeats. In 2 dimensions z is ignored.
    pub periodic: Vec<AxisName>,
    /// Lowest corner, needed with any periodic axis. Only its numbers along periodic axes matter.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub min: Option<Vec<f64>>,
    /// Highest corner; along periodic axes at least 3 support radii above `min`, and a whole number of particle spacings (to a thousandth).
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub max: Option<Vec<f64>>,
}

/// Axes.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AxisName {
    X,
    Y,
    Z,
}

/// The domain of the table. Adds its faults to those of `vectors`.
pub(crate) fn domain(table: &DomainTable, vectors: &mut Vectors) -> Domain {
    let has = |axis| table.periodic.contains(&axis);
    let periodic = BVec3::new(has(AxisName::X), has(AxisName::Y), has(AxisName::Z) && vectors.dimensions == Dimensions::Three);
    if periodic.any() {
        for (key, given) in [("min", table.min.is_some()), ("max", table.max.is_some())] {
            if !given {
                let message = format!("missing key `{key}` in `domain`");
                vectors.faults.push(Fault::at_path("domain", message, format!("expected `{key}`, as there are periodic axes")));
            }
        }
    }
    let mut corner =
        |numbers: &Option<Vec<f64>>, path: &str| numbers.as_ref().map_or(Vec3::ZERO, |numbers| vectors.read(numbers, path));
    Domain { periodic, min: corner(&table.min, "domain.min"), max: corner(&table.max, "domain.max") }
}
