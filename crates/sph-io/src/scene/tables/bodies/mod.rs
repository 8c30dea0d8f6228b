//! `[[bodies]]`: solid bodies in the fluid, and `[[joints]]` between them.

mod dynamics;
mod joints;

pub(crate) use joints::{JointTable, joint};

use super::named::Named;
use super::order::keep_order;
use super::solids::{MAX_FILE_BYTES, MotionKeys, Region, RotationTable, motion, region, with_solid_keys};
use super::vectors::Vectors;
use crate::scene::error::{Fault, list};
use dynamics::{DynamicsTable, dynamics};
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Body, MAX_SPEED, Slip};
use std::path::Path;

with_solid_keys! {
    /// A solid body in the fluid.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[schemars(transform = keep_order::<Self>)]
    pub(crate) struct BodyTable {
        /// Name by which probes and joints refer to the body.
        #[schemars(extend("x-default" = "none"))]
        pub name: Option<String>,
        /// Boundary condition for the velocity along its surface.
        #[serde(default)]
        pub slip: Named<Slip>,
        /// Density, from which its mass and moments of inertia follow.
        #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "kg/m³", "default" = 1000.0))]
        pub density: Option<f64>,
        /// Velocity at all times; of the pivot, if the body turns.
        #[schemars(length(min = 2, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "at rest"))]
        pub velocity: Option<Vec<f64>>,
        /// Velocity by time: each row is a time and the velocity then, linear between rows and constant before the first and after the last.
        /// `motion = [[0.0, 0.0, 0.0], [1.0, 2.0, 0.0]]` accelerates for a second.
        #[schemars(extend("x-unit" = "s, m/s", "x-range" = "rows of 3 or 4 numbers, times ascending"))]
        pub motion: Option<Vec<Vec<f64>>>,
        /// File of such rows, separated by commas, relative to the scene's folder. Lines that begin with `#`, and a line of names, are skipped.
        #[schemars(extend("x-range" = format!("a file's name; at most {} MiB", MAX_FILE_BYTES >> 20)))]
        pub motion_file: Option<String>,
        /// Rotation about an axis through a point that moves with the body; default: none.
        pub rotation: Option<RotationTable>,
        /// Motion by the forces of fluid, gravity, contacts and joints instead of a prescribed one; `dynamics = {}` has all defaults.
        pub dynamics: Option<DynamicsTable>,
    }
}

/// The body of the table at `bodies.index`. Adds its faults to those of `vectors`.
pub(crate) fn body(table: &BodyTable, index: usize, folder: Option<&Path>, vectors: &mut Vectors) -> Body {
    let path = format!("bodies.{index}");
    let Region { shape, min, max } = region(&table.shape_keys(), [&table.unite, &table.subtract], &path, folder, vectors);
    let BodyTable { velocity, motion: rows, motion_file, rotation, .. } = table;
    let keys = MotionKeys { velocity, rows, file: motion_file, rotation };
    let motion = motion(&keys, &path, 0.5 * (min + max), folder, vectors);
    let density = table.density.unwrap_or_else(default_density);
    let body = Body { min, max, shape, slip: table.slip.0, motion, density: density as f32, dynamics: None };
    let Some(free) = &table.dynamics else { return body };
    let prescribed = [
        ("velocity", velocity.is_some()),
        ("motion", rows.is_some()),
        ("motion_file", motion_file.is_some()),
        ("rotation", rotation.is_some()),
    ];
    for (key, _) in prescribed.into_iter().filter(|(_, given)| *given) {
        let message = format!("`{path}` moves by forces, and has a prescribed motion");
        vectors.faults.push(Fault::at_path(format!("{path}.{key}"), message, "expected no such key beside `dynamics`"));
    }
    if free.mass.is_some() && table.density.is_some() {
        let message = format!("`{path}` has a density and a mass");
        vectors.faults.push(Fault::at_path(format!("{path}.density"), message, "expected no such key beside `dynamics.mass`"));
    }
    dynamics(free, body, &path, vectors)
}

/// Adds a fault to those of `vectors` for each body with the name of one before it.
pub(crate) fn check_names(bodies: &[BodyTable], vectors: &mut Vectors) {
    for (index, body) in bodies.iter().enumerate() {
        let Some(name) = &body.name else { continue };
        if bodies[..index].iter().any(|other| other.name.as_ref() == Some(name)) {
            let message = format!("two bodies are called `{name}`");
            vectors.faults.push(Fault::at_path(format!("bodies.{index}.name"), message, "expected another name"));
        }
    }
}

/// Index of the body called `name`. Adds a fault at `path` to those of `vectors` if there is none.
pub(crate) fn body_called(name: &str, bodies: &[BodyTable], path: String, vectors: &mut Vectors) -> Option<usize> {
    let found = bodies.iter().position(|body| body.name.as_deref() == Some(name));
    if found.is_none() {
        let known: Vec<&str> = bodies.iter().filter_map(|body| body.name.as_deref()).collect();
        let label = if known.is_empty() {
            "expected the `name` of one of the `[[bodies]]`, none of which has one".to_owned()
        } else {
            format!("expected {}", list(known))
        };
        vectors.faults.push(Fault::at_path(path, format!("no body is called `{name}`"), label));
    }
    found
}

fn default_density() -> f64 {
    Body::default().density.into()
}
