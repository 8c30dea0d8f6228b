//! Prescribed motion of bodies and containers, from the keys that both have: translation, and `rotation`.

use std::path::Path;

use super::keep_order;
use super::keys::Vectors;
use super::motion_file::{MAX_FILE_BYTES, MotionFile};
use super::shapes::in_folder;
use crate::scene::error::Fault;
use glam::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{AngleLaw, Dimensions, Motion, MotionError, Rotation};

/// Keys of a motion.
pub(super) struct MotionKeys<'t> {
    pub velocity: &'t Option<Vec<f64>>,
    pub rows: &'t Option<Vec<Vec<f64>>>,
    pub file: &'t Option<String>,
    pub rotation: &'t Option<RotationTable>,
}

/// The motion of the table at `path`, whose box has its centre at `middle`, m. Adds its faults to those of `vectors`.
pub(super) fn motion(keys: &MotionKeys<'_>, path: &str, middle: Vec3, folder: Option<&Path>, vectors: &mut Vectors) -> Motion {
    let translation = translation(keys, path, folder, vectors).unwrap_or_else(|fault| {
        vectors.faults.push(*fault);
        Motion::default()
    });
    match keys.rotation.as_ref().and_then(|table| rotation(table, &format!("{path}.rotation"), middle, folder, vectors)) {
        Some(rotation) => translation.with_rotation(rotation),
        None => translation,
    }
}

fn translation(keys: &MotionKeys<'_>, path: &str, folder: Option<&Path>, vectors: &mut Vectors) -> Result<Motion, Box<Fault>> {
    let fault = |key: &str, message: String, label: &str| Box::new(Fault::at_path(format!("{path}.{key}"), message, label));
    let given = [keys.velocity.is_some(), keys.rows.is_some(), keys.file.is_some()];
    if given.into_iter().filter(|given| *given).count() > 1 {
        let message = format!("`{path}` has more than one motion");
        return Err(fault("", message, "expected one of `velocity`, `motion` and `motion_file`"));
    }
    if let Some(velocity) = keys.velocity {
        let velocity = vectors.read(velocity, format!("{path}.velocity"));
        return Motion::steady(velocity).map_err(|error| fault("velocity", error.to_string(), expected(error)));
    }
    let (rows, key) = match (keys.rows, keys.file) {
        (Some(rows), _) => (rows.clone(), "motion"),
        (None, Some(name)) => {
            let file = MotionFile::read(name, folder, &mut vectors.files);
            let rows = file.map(|file| file.rows);
            (rows.map_err(|message| fault("motion_file", message, "expected rows of a time and a velocity"))?, "motion_file")
        }
        (None, None) => return Ok(Motion::default()),
    };
    if rows.is_empty() {
        return Err(fault(key, format!("`{path}.{key}` has no rows"), "expected a time and a velocity in each row"));
    }
    let numbers = 1 + vectors.dimensions.count();
    // In 2 dimensions, rows may have a z.
    if let Some(row) = rows.iter().position(|row| row.len() < numbers || row.len() > 4) {
        let message = format!("row {row} of `{path}.{key}` has {} numbers", rows[row].len());
        return Err(fault(key, message, "expected a time and as many components of the velocity as there are dimensions"));
    }
    let point = |row: &Vec<f64>| {
        let component = |axis: usize| if axis < numbers { row.get(axis).map_or(0.0, |&number| number as f32) } else { 0.0 };
        (row[0], Vec3::new(component(1), component(2), component(3)))
    };
    Motion::through(rows.iter().map(point)).map_err(|error| fault(key, error.to_string(), expected(error)))
}

// `rotation` of bodies and containers. Scenes have angles in degrees.

/// Rotation about an axis of fixed direction. Exactly one of `angular_velocity`, `angular_velocities`, `angles`,
/// `angles_file` and `oscillation`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct RotationTable {
    /// Direction of the axis, of any length: required in three dimensions; in two always z. Positive angles turn counter-clockwise as seen from its tip.
    #[schemars(length(min = 3, max = 3), extend("x-default" = "`[0, 0, 1]` in two dimensions"))]
    pub axis: Option<Vec<f64>>,
    /// Initial point on the axis. It moves according to `velocity` or `motion`.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "the centre of the box"))]
    pub pivot: Option<Vec<f64>>,
    /// Constant angular velocity; the angle is 0 at the start.
    #[schemars(extend("x-unit" = "°/s"))]
    pub angular_velocity: Option<f64>,
    /// Angular velocity over time: each row is a time and an angular velocity, linear between rows and constant before the
    /// first and after the last; the angle is 0 at the start.
    #[schemars(length(min = 1), extend("x-unit" = "s, °/s", "x-range" = "rows of 2 numbers, times ascending"))]
    pub angular_velocities: Option<Vec<Vec<f64>>>,
    /// Angle over time: each row is a time and an angle, with a cubic spline between rows and at rest before the first and
    /// after the last. A single row is a body that is rotated and at rest; a container must begin with 0.
    #[schemars(length(min = 1), extend("x-unit" = "s, °", "x-range" = "rows of 2 numbers, times ascending"))]
    pub angles: Option<Vec<Vec<f64>>>,
    /// File with the rows of `angles`, relative to the scene's folder: comma-separated, the time (s) first. Lines that begin with `#` and a
    /// line with the names of the columns are skipped.
    #[schemars(extend("x-range" = format!("a file name; at most {} MiB", MAX_FILE_BYTES >> 20), "x-default" = "none"))]
    pub angles_file: Option<String>,
    /// Name of the column of `angles_file` with the angles (°).
    #[schemars(extend("x-default" = "the second"))]
    pub column: Option<String>,
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
pub(super) fn rotation(
    table: &RotationTable,
    path: &str,
    middle: Vec3,
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> Option<Rotation> {
    let pivot = table.pivot.as_ref().map_or(middle, |pivot| vectors.read(pivot, format!("{path}.pivot")));
    let rotation = axis(table, path, vectors.dimensions).and_then(|axis| {
        let fault = |error: MotionError| at_key(path, "axis", error);
        Rotation::new(pivot, axis, law(table, path, folder, vectors)?).map_err(fault)
    });
    rotation.map_err(|fault| vectors.faults.push(*fault)).ok()
}

/// Values expected instead of those of a motion with this error.
pub(super) fn expected(error: MotionError) -> &'static str {
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

fn law(table: &RotationTable, path: &str, folder: Option<&Path>, vectors: &mut Vectors) -> Result<AngleLaw, Box<Fault>> {
    let RotationTable { angular_velocity, angular_velocities, angles, angles_file, column, oscillation, .. } = table;
    if let (Some(_), None) = (column, angles_file) {
        let message = format!("`{path}` has a `column`, but no file");
        return Err(Box::new(Fault::at_path(format!("{path}.column"), message, "expected `angles_file` as well")));
    }
    if let Some(name) = angles_file {
        if angular_velocity.is_some() || angular_velocities.is_some() || angles.is_some() || oscillation.is_some() {
            return Err(not_one(path, "more than one angle"));
        }
        return angles_of_file(name, column.as_deref(), path, folder, vectors);
    }
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

/// The angles (°) of a file, from the column of that name.
fn angles_of_file(
    name: &str,
    column: Option<&str>,
    path: &str,
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> Result<AngleLaw, Box<Fault>> {
    let fault =
        |message| Box::new(Fault::at_path(format!("{path}.angles_file"), message, "expected rows of a time and an angle"));
    let file = MotionFile::read(name, folder, &mut vectors.files).map_err(fault)?;
    let angles = file.column(column).map_err(|message| fault(format!("{} {message}", in_folder(folder, name).display())))?;
    let in_radians = angles.into_iter().map(|(time, angle)| (time, angle.to_radians()));
    AngleLaw::through(in_radians).map_err(|error| at_key(path, "angles_file", error))
}

fn not_one(path: &str, what: &str) -> Box<Fault> {
    let label = "expected one of `angular_velocity`, `angular_velocities`, `angles`, `angles_file` and `oscillation`";
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
