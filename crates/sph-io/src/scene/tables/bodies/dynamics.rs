//! `dynamics` of a body: motion by forces.

use super::super::named::Named;
use super::super::order::keep_order;
use super::super::vectors::Vectors;
use crate::scene::error::Fault;
use glam::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Body, Dimensions, Dynamics, FreeAxis, Freedom, MAX_SPEED};

/// Motion of a body by the forces of fluid, gravity, contacts and joints.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct DynamicsTable {
    /// Velocity of the centre of mass at the start.
    #[schemars(length(min = 2, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "at rest"))]
    pub velocity: Option<Vec<f64>>,
    /// Angular velocity at the start, about each axis; in two dimensions about z, as one number or the last of three.
    #[schemars(length(min = 1, max = 3), inner(range(min = -1e6, max = 1e6)), extend("x-unit" = "°/s", "x-default" = "0"))]
    pub angular_velocity: Option<Vec<f64>>,
    /// Mass, instead of a density: that follows from it and the shape.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "kg", "x-default" = "from `density`"))]
    pub mass: Option<f64>,
    /// Coefficient of friction at contacts with solids; that of a contact is the mean of both sides. Walls have 0.5.
    #[serde(default = "default_friction")]
    #[schemars(range(min = 0, max = 10))]
    pub friction: f64,
    /// Coefficient of restitution at contacts with solids: 0 without a rebound, 1 with all of its speed. That of a contact is the mean of both
    /// sides. Walls have 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub restitution: f64,
    /// Translations and rotations that are locked.
    #[serde(default)]
    #[schemars(extend("x-default" = "none"))]
    pub locked: Vec<Named<FreeAxis>>,
}

/// `body`, which moves by forces as the table in the one at `path` says. Adds its faults to those of `vectors`.
pub(super) fn dynamics(table: &DynamicsTable, body: Body, path: &str, vectors: &mut Vectors) -> Body {
    let DynamicsTable { velocity, angular_velocity, mass, friction, restitution, locked } = table;
    let path = format!("{path}.dynamics");
    let velocity = velocity.as_ref().map(|numbers| vectors.read(numbers, format!("{path}.velocity"))).unwrap_or_default();
    let planar = vectors.dimensions == Dimensions::Two;
    let angular_velocity = match angular_velocity.as_deref() {
        None => Vec3::ZERO,
        Some(&[.., about_z]) if planar => (about_z as f32).to_radians() * Vec3::Z,
        Some(&[x, y, z]) => Vec3::new(x as f32, y as f32, z as f32).map(f32::to_radians),
        Some(numbers) => {
            let message = format!("`{path}.angular_velocity` has {} numbers in a scene of 3 dimensions", numbers.len());
            vectors.faults.push(Fault::at_path(format!("{path}.angular_velocity"), message, "expected 3 numbers"));
            Vec3::ZERO
        }
    };
    let freedom = locked.iter().fold(Freedom::ALL, |freedom, axis| freedom.without(axis.0));
    let dynamics =
        Dynamics { velocity, angular_velocity, friction: *friction as f32, restitution: *restitution as f32, freedom };
    let body = Body { dynamics: Some(dynamics), ..body };
    match mass {
        Some(mass) => {
            let volume = Body { density: 1.0, ..body.clone() }.mass(vectors.dimensions);
            Body { density: (mass / f64::from(volume)) as f32, ..body }
        }
        None => body,
    }
}

fn default_friction() -> f64 {
    Dynamics::default().friction.into()
}
