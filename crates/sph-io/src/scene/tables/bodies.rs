//! `[[bodies]]`: solid bodies in the fluid, and how they move.

use super::named::Named;
use super::vectors::Vectors;
use crate::bounded_read::read_at_most;
use crate::scene::error::Fault;
use glam::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{BlockShape, Body, Motion, MotionError, Slip};
use std::path::Path;

/// Largest file of a motion, bytes.
const MAX_BYTES: u64 = 4 << 20;

/// A solid body in the fluid.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BodyTable {
    /// Its name, by which probes refer to it; default: none.
    pub name: Option<String>,
    /// Lowest corner at the start, m.
    #[schemars(length(min = 2, max = 3))]
    pub min: Vec<f64>,
    /// Highest corner at the start, m.
    #[schemars(length(min = 2, max = 3))]
    pub max: Vec<f64>,
    /// What of the box is solid; default "box".
    #[serde(default)]
    pub shape: Named<BlockShape>,
    /// Whether the body drags the fluid; default "free".
    #[serde(default)]
    pub slip: Named<Slip>,
    /// Velocity at all times, m/s; default: at rest.
    #[schemars(length(min = 2, max = 3))]
    pub velocity: Option<Vec<f64>>,
    /// Rows of a time, s, and the velocity then, m/s: it is linear in between, and before and after it is that of the ends.
    pub motion: Option<Vec<Vec<f64>>>,
    /// File with such rows, separated by commas, relative to the scene's; lines that begin with # and a line of names are skipped.
    pub motion_file: Option<String>,
}

/// The body of the table at `bodies.index`; what is wrong with it goes to the faults of `vectors`.
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
    // In a plane, z may be there.
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

/// The rows of a file of comma-separated numbers; or what is wrong with it.
fn rows_of_file(name: &str, folder: Option<&Path>) -> Result<Vec<Vec<f64>>, String> {
    let file = folder.map_or_else(|| Path::new(name).to_owned(), |folder| folder.join(name));
    let fail = |what: String| format!("{} {what}", file.display());
    if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(fail("is not a regular file".to_owned()));
    }
    let bytes = read_at_most(&file, MAX_BYTES).map_err(|error| fail(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(fail("is larger than 4 MiB".to_owned()));
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
            Err(_) => return Err(fail(format!("has something else than numbers on line {}", number + 1))),
        }
    }
    Ok(rows)
}
