//! Prescribed motion of bodies and containers, from the keys that both have.

use super::rotation::{RotationTable, expected, rotation};
use crate::SourceFiles;
use crate::scene::error::Fault;
use crate::scene::tables::vectors::Vectors;
use glam::Vec3;
use sph_core::Motion;
use std::path::Path;

/// Maximum size of a motion file, bytes.
pub(in crate::scene::tables) const MAX_FILE_BYTES: u64 = 4 << 20;

/// Keys of a motion.
pub(in crate::scene::tables) struct MotionKeys<'t> {
    pub velocity: &'t Option<Vec<f64>>,
    pub rows: &'t Option<Vec<Vec<f64>>>,
    pub file: &'t Option<String>,
    pub rotation: &'t Option<RotationTable>,
}

/// The motion of the table at `path`, whose box has its centre at `middle`, m. Adds its faults to those of `vectors`.
pub(in crate::scene::tables) fn motion(
    keys: &MotionKeys<'_>,
    path: &str,
    middle: Vec3,
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> Motion {
    let translation = translation(keys, path, folder, vectors).unwrap_or_else(|fault| {
        vectors.faults.push(*fault);
        Motion::default()
    });
    match keys.rotation.as_ref().and_then(|table| rotation(table, &format!("{path}.rotation"), middle, vectors)) {
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
            let rows = rows_of_file(name, folder, &mut vectors.files);
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

/// The rows of a file of comma-separated numbers, or the message of its fault.
fn rows_of_file(name: &str, folder: Option<&Path>, files: &mut SourceFiles) -> Result<Vec<Vec<f64>>, String> {
    let file = folder.map_or_else(|| Path::new(name).to_owned(), |folder| folder.join(name));
    let fail = |fault: String| format!("{} {fault}", file.display());
    let bytes = files.read(&file, MAX_FILE_BYTES).map_err(|error| fail(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(fail(format!("is larger than {} MiB", MAX_FILE_BYTES >> 20)));
    }
    let text = str::from_utf8(&bytes).map_err(|_| fail("is not text".to_owned()))?;
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
    if rows.is_empty() {
        return Err(fail("has no row of numbers, separated by commas".to_owned()));
    }
    Ok(rows)
}
