//! `rotation` of bodies and containers. Scenes have angles in degrees.

use crate::scene::error::Fault;
use crate::scene::tables::order::keep_order;
use crate::scene::tables::vectors::Vectors;
use glam::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{AngleLaw, Dimensions, MotionError, Rotation};

/// Rotation about an axis of fixed direction. Exactly one of `angular_velocity`, `angular_velocities`, `angles` and `oscillation`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct RotationTable {
    /// Direction of the axis, of any length: required in three dimensions; in two always z. Positive angles turn counter-clockwise as seen from its tip.
    #[schemars(length(min = 3, max = 3), extend("x-default" = "`[0, 0, 1]` in two dimensions"))]
    pub axis: Option<Vec<f64>>,
    /// Point that the axis passes through at the start. It moves as `velocity` or `motion` say.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "the centre of the box"))]
    pub pivot: Option<Vec<f64>>,
    /// Angular velocity at all times; the angle is 0 at the start.
    #[schemars(extend("x-unit" = "°/s"))]
    pub angular_velocity: Option<f64>,
    /// Angular velocity by time: each row is a time and the angular velocity then, linear between rows and constant before the first and
    /// after the last; the angle is 0 at the start.
    #[schemars(length(min = 1), extend("x-unit" = "s, °/s", "x-range" = "rows of 2 numbers, times ascending"))]
    pub angular_velocities: Option<Vec<Vec<f64>>>,
    /// Angle by time: each row is a time and the angle then, along a smooth curve (a cubic spline) between rows and at rest before the first
    /// and after the last. A single row is a body that is turned and at rest; a container has to begin
    /// with 0.
    #[schemars(length(min = 1), extend("x-unit" = "s, °", "x-range" = "rows of 2 numbers, times ascending"))]
    pub angles: Option<Vec<Vec<f64>>>,
    /// Harmonic oscillation θ(t) = A [sin(2π t/T + φ) − sin φ], which begins at 0; default: none.
    pub oscillation: Option<OscillationTable>,
}

/// Harmonic oscillation `A sin(2π t/T + φ) − A sin φ`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct OscillationTable {
    /// Amplitude A.
    #[schemars(extend("x-unit" = "°"))]
    pub amplitude: f64,
    /// Period T.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "s"))]
    pub period: f64,
    /// Phase φ: with 0 it starts at its highest speed and swings to both sides; with −90 it starts at rest, at one end of its swing, from 0
    /// to 2 A.
    #[serde(default)]
    #[schemars(extend("x-unit" = "°"))]
    pub phase: f64,
}

/// The rotation of the table at `path`, with the pivot `middle` (m) unless it has another. Adds its faults to those of `vectors`.
pub(in crate::scene::tables) fn rotation(
    table: &RotationTable,
    path: &str,
    middle: Vec3,
    vectors: &mut Vectors,
) -> Option<Rotation> {
    let pivot = table.pivot.as_ref().map_or(middle, |pivot| vectors.read(pivot, format!("{path}.pivot")));
    let rotation = axis(table, path, vectors.dimensions).and_then(|axis| {
        let fault = |error: MotionError| at_key(path, "axis", error);
        Rotation::new(pivot, axis, law(table, path)?).map_err(fault)
    });
    rotation.map_err(|fault| vectors.faults.push(*fault)).ok()
}

/// Values expected instead of those of a motion with this error.
pub(in crate::scene::tables) fn expected(error: MotionError) -> &'static str {
    match error {
        MotionError::NotFinite(_) | MotionError::Pivot => "expected finite numbers",
        MotionError::NotLater(_) => "expected times that ascend",
        MotionError::Axis => "expected a direction",
        MotionError::Oscillation => "expected finite numbers and a positive period",
    }
}

fn at_key(path: &str, key: &str, error: MotionError) -> Box<Fault> {
    Box::new(Fault::at_path(format!("{path}.{key}"), error.to_string(), expected(error)))
}

fn axis(table: &RotationTable, path: &str, dimensions: Dimensions) -> Result<Vec3, Box<Fault>> {
    match (&table.axis, dimensions) {
        (None, Dimensions::Two) => Ok(Vec3::Z),
        (None, Dimensions::Three) => {
            Err(Box::new(Fault::at_path(path, format!("missing key `axis` in `{path}`"), "expected `axis`")))
        }
        (Some(axis), _) => Ok(Vec3::from_array([0, 1, 2].map(|k| axis.get(k).map_or(0.0, |&number| number as f32)))),
    }
}

fn law(table: &RotationTable, path: &str) -> Result<AngleLaw, Box<Fault>> {
    let RotationTable { angular_velocity, angular_velocities, angles, oscillation, .. } = table;
    match (angular_velocity, angular_velocities, angles, oscillation) {
        (Some(velocity), None, None, None) => {
            AngleLaw::steady(velocity.to_radians()).map_err(|error| at_key(path, "angular_velocity", error))
        }
        (None, Some(rows), None, None) => AngleLaw::with_velocities(points(rows, path, "angular_velocities")?)
            .map_err(|error| at_key(path, "angular_velocities", error)),
        (None, None, Some(rows), None) => {
            AngleLaw::through(points(rows, path, "angles")?).map_err(|error| at_key(path, "angles", error))
        }
        (None, None, None, Some(OscillationTable { amplitude, period, phase })) => {
            AngleLaw::oscillation(amplitude.to_radians(), *period, phase.to_radians())
                .map_err(|error| at_key(path, "oscillation", error))
        }
        (None, None, None, None) => Err(not_one(path, "no angle")),
        _ => Err(not_one(path, "more than one angle")),
    }
}

fn not_one(path: &str, what: &str) -> Box<Fault> {
    let label = "expected one of `angular_velocity`, `angular_velocities`, `angles` and `oscillation`";
    Box::new(Fault::at_path(path, format!("`{path}` has {what}"), label))
}

/// Times, and angles or angular velocities in radians.
fn points(rows: &[Vec<f64>], path: &str, key: &str) -> Result<Vec<(f64, f64)>, Box<Fault>> {
    if let Some(row) = rows.iter().position(|row| row.len() != 2) {
        let message = format!("row {row} of `{path}.{key}` has {} numbers", rows[row].len());
        return Err(Box::new(Fault::at_path(format!("{path}.{key}.{row}"), message, "expected a time and a number")));
    }
    Ok(rows.iter().map(|row| (row[0], row[1].to_radians())).collect())
}
