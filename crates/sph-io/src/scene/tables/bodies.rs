//! `[[bodies]]`: solid bodies in the fluid, and their motion.

use super::named::Named;
use super::order::keep_order;
use super::vectors::Vectors;
use crate::bounded_read::read_at_most;
use crate::scene::error::Fault;
use glam::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{BlockShape, Body, Motion, MotionError, Slip};
use std::path::Path;

/// Maximum size of a motion file, bytes.
const MAX_BYTES: u64 = 4 << 20;

/// A solid body in the fluid.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct BodyTable {
    /// Name by which probes refer to the body.
    #[schemars(extend("x-default" = "none"))]
    pub name: Option<String>,
    /// Lowest corner at the start.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub min: Vec<f64>,
    /// Highest corner at the start.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub max: Vec<f64>,
    /// Shape of the body within the box.
    #[serde(default)]
    pub shape: Named<BlockShape>,
    /// Boundary condition for the velocity along its surface.
    #[serde(default)]
    pub slip: Named<Slip>,
    /// Velocity at all times.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m/s", "x-default" = "at rest"))]
    pub velocity: Option<Vec<f64>>,
    /// Velocity by time: each row is a time and the velocity then, linear between rows and constant before the first and after the last.
    /// `motion = [[0.0, 0.0, 0.0], [1.0, 2.0, 0.0]]` accelerates for a second.
    #[schemars(extend("x-unit" = "s, m/s", "x-range" = "rows of 3 or 4 numbers, times ascending"))]
    pub motion: Option<Vec<Vec<f64>>>,
    /// File of such rows, separated by commas, relative to the scene's folder. Lines that begin with `#`, and a line of names, are skipped.
    #[schemars(extend("x-range" = format!("a file's name; at most {} MiB", MAX_BYTES >> 20)))]
    pub motion_file: Option<String>,
}

/// The body of the table at `bodies.index`. Adds its faults to those of `vectors`.
pub(crate) fn body(table: &BodyTable, index: usize, folder: Option<&Path>, vectors: &mut Vectors) -> Body {
    let path = |key: &str| format!("bodies.{index}.{key}");
    Body {
        min: vectors.read(&table.min, path("min")),
        max: vectors.read(&table.max, path("max")),
        shape: table.shape.0,
        slip: table.slip.0,
        motion: motion(table, path, folder, vectors).unwrap_or_else(|fault| {
            vectors.faults.push(*fault);
            Motion::default()
        }),
    }
}

fn motion(
    table: &BodyTable,
    path: impl Fn(&str) -> String,
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> Result<Motion, Box<Fault>> {
    let fault = |place: String, message: String, label: &str| Box::new(Fault::at_path(place, message, label));
    let given = [table.velocity.is_some(), table.motion.is_some(), table.motion_file.is_some()];
    if given.into_iter().filter(|given| *given).count() > 1 {
        let message = format!("`{}` has more than one motion", path("").trim_end_matches('.'));
        return Err(fault(path(""), message, "expected one of `velocity`, `motion` and `motion_file`"));
    }
    if let Some(velocity) = &table.velocity {
        let velocity = vectors.read(velocity, path("velocity"));
        return Motion::steady(velocity).map_err(|error| fault(path("velocity"), error.to_string(), "expected finite numbers"));
    }
    let (rows, key) = match (&table.motion, &table.motion_file) {
        (Some(rows), _) => (rows.clone(), "motion"),
        (None, Some(name)) => {
            let rows = rows_of_file(name, folder);
            (
                rows.map_err(|message| fault(path("motion_file"), message, "expected rows of a time and a velocity"))?,
                "motion_file",
            )
        }
        (None, None) => return Ok(Motion::default()),
    };
    let numbers = 1 + vectors.dimensions.count();
    // In 2 dimensions, rows may have a z.
    if let Some(row) = rows.iter().position(|row| row.len() < numbers || row.len() > 4) {
        let message = format!("row {row} of `{}` has {} numbers", path(key), rows[row].len());
        return Err(fault(
            path(key),
            message,
            "expected a time and as many components of the velocity as there are dimensions",
        ));
    }
    let point = |row: &Vec<f64>| {
        let component = |axis: usize| if axis < numbers { row.get(axis).map_or(0.0, |&number| number as f32) } else { 0.0 };
        (row[0], Vec3::new(component(1), component(2), component(3)))
    };
    Motion::through(rows.iter().map(point)).map_err(|error| {
        let label = match error {
            MotionError::NotFinite(_) => "expected finite numbers",
            MotionError::NotLater(_) => "expected times that ascend",
        };
        fault(path(key), error.to_string(), label)
    })
}

/// The rows of a file of comma-separated numbers, or the message of its fault.
fn rows_of_file(name: &str, folder: Option<&Path>) -> Result<Vec<Vec<f64>>, String> {
    let file = folder.map_or_else(|| Path::new(name).to_owned(), |folder| folder.join(name));
    let fail = |fault: String| format!("{} {fault}", file.display());
    if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(fail("is not a regular file".to_owned()));
    }
    let bytes = read_at_most(&file, MAX_BYTES).map_err(|error| fail(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(fail(format!("is larger than {} MiB", MAX_BYTES >> 20)));
    }
    let text = String::from_utf8(bytes).map_err(|_| fail("is not text".to_owned()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let mut rows = Vec::new();
    let mut named = false;
    for (number, line) in lines {
        let row: Result<Vec<f64>, _> = line.split(',').map(|cell| cell.trim().parse()).collect();
        match row {
            Ok(row) => rows.push(row),
            // The names of the columns.
            Err(_) if rows.is_empty() && !named => named = true,
            Err(_) => return Err(fail(format!("has no row of numbers on line {}", number + 1))),
        }
    }
    Ok(rows)
}
