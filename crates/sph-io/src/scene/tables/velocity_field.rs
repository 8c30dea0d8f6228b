//! `velocity_field`: initial velocities that differ from place to place.

use super::kinds::{Keys, check_keys};
use super::order::keep_order;
use super::vectors::Vectors;
use crate::scene::error::Fault;
use glam::{Mat3, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sph_core::{Dimensions, VelocityField};

/// Initial velocity by place, added to `velocity`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct VelocityFieldTable {
    /// Kind of the field.
    pub kind: FieldName,
    /// `linear`: gradient G, a row of as many numbers for each component of the velocity.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "1/s"))]
    pub gradient: Option<Vec<Vec<f64>>>,
    /// `linear`: point c, which stays.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "the origin"))]
    pub center: Option<Vec<f64>>,
    /// `standing_wave`: amplitude to which the surface will rise above its level, small beside wavelength and depth.
    #[schemars(extend("x-unit" = "m"))]
    pub amplitude: Option<f64>,
    /// `taylor_green`: highest speed U.
    #[schemars(extend("x-unit" = "m/s"))]
    pub speed: Option<f64>,
    /// `standing_wave`: wavelength. `taylor_green`: 2π/k, the length of two vortices. Walls belong at multiples of half of it from the
    /// block's lowest x.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "m"))]
    pub wavelength: Option<f64>,
}

/// Kinds of fields.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FieldName {
    /// No field: the block moves as a whole.
    #[default]
    None,
    /// Linear field G (x − c): stretching, shear, rotation.
    Linear,
    /// Standing wave on water as deep as the block is high, by linear theory, at the moment when its surface is flat.
    StandingWave,
    /// Vortices of Taylor and Green, U (sin kx cos ky cos kz, −cos kx sin ky cos kz, 0), from the block's lowest corner.
    TaylorGreen,
}

impl FieldName {
    fn keys(self) -> Keys {
        match self {
            Self::None => Keys { kind: "none", required: &[], optional: &[] },
            Self::Linear => Keys { kind: "linear", required: &["gradient"], optional: &["center"] },
            Self::StandingWave => Keys { kind: "standing_wave", required: &["amplitude", "wavelength"], optional: &[] },
            Self::TaylorGreen => Keys { kind: "taylor_green", required: &["speed", "wavelength"], optional: &[] },
        }
    }
}

/// The field of the table at `path`. Adds its faults to those of `vectors`.
pub(crate) fn velocity_field(table: &VelocityFieldTable, path: &str, vectors: &mut Vectors) -> VelocityField {
    let given = [
        ("gradient", table.gradient.is_some()),
        ("center", table.center.is_some()),
        ("amplitude", table.amplitude.is_some()),
        ("speed", table.speed.is_some()),
        ("wavelength", table.wavelength.is_some()),
    ];
    check_keys("velocity field", table.kind.keys(), &given, path, vectors);
    match table.kind {
        FieldName::None => VelocityField::Still,
        FieldName::Linear => VelocityField::Linear {
            gradient: gradient(table.gradient.as_deref().unwrap_or_default(), path, vectors),
            center: table.center.as_ref().map_or(Vec3::ZERO, |center| vectors.read(center, format!("{path}.center"))),
        },
        FieldName::StandingWave => VelocityField::StandingWave {
            amplitude: table.amplitude.unwrap_or(0.0) as f32,
            wavelength: table.wavelength.unwrap_or(1.0) as f32,
        },
        FieldName::TaylorGreen => VelocityField::TaylorGreen {
            speed: table.speed.unwrap_or(0.0) as f32,
            wavelength: table.wavelength.unwrap_or(1.0) as f32,
        },
    }
}

fn gradient(rows: &[Vec<f64>], path: &str, vectors: &mut Vectors) -> Mat3 {
    let path = format!("{path}.gradient");
    let axes = vectors.dimensions.count();
    if !rows.is_empty() && (rows.len() < axes || rows.iter().any(|row| row.len() < axes || row.len() > 3)) {
        let message = format!("`{path}` must have {axes} rows of {axes} numbers");
        vectors.faults.push(Fault::at_path(&path, message, "expected as many rows and columns as there are dimensions"));
    }
    let entry = |row: usize, column: usize| {
        let inside = vectors.dimensions == Dimensions::Three || row < 2 && column < 2;
        rows.get(row).and_then(|row| row.get(column)).filter(|_| inside).map_or(0.0, |&entry| entry as f32)
    };
    let column = |column: usize| Vec3::new(entry(0, column), entry(1, column), entry(2, column));
    Mat3::from_cols(column(0), column(1), column(2))
}
