//! `[[fluids]]`, `[[fluid.blocks]]` and `velocity_field`: the fluids of a scene with several, which blocks name, and the blocks with
//! their initial velocities.

use std::path::Path;

use super::keys::{Keys, Named, Vectors, check_keys};
use super::{ShapeKeys, keep_order, region, with_solid_keys};
use crate::scene::error::Fault;
use crate::words::{list, nearest};
use glam::{Mat3, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sph_core::{
    Dimensions, Filling, Fluid, FluidBlock, InitialPressure, Interface, MAX_DENSITY_RATIO, MAX_SPEED, REST_DENSITIES,
    VelocityField,
};

/// One of several fluids.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct NamedFluidTable {
    /// Unique name by which blocks refer to the fluid.
    #[schemars(extend("x-range" = "non-empty text"))]
    pub name: String,
    /// Density of the undisturbed fluid.
    #[schemars(range(min = REST_DENSITIES[0], max = REST_DENSITIES[1]), extend(
        "x-unit" = "kg/m³",
        "x-range" = format!("{:e} to {:e}; at most {MAX_DENSITY_RATIO} times that of the lightest", REST_DENSITIES[0], REST_DENSITIES[1])
    ))]
    pub rest_density: f64,
    /// Kinematic viscosity.
    #[schemars(range(min = 0.0, max = 1e6), extend("x-unit" = "m²/s", "x-default" = "`fluid.kinematic_viscosity`"))]
    pub kinematic_viscosity: Option<f64>,
    /// Surface tension against air and walls. Between two fluids, their tensions add up.
    #[schemars(range(min = 0.0, max = 1e3), extend("x-unit" = "N/m", "x-default" = "`fluid.surface_tension`"))]
    pub surface_tension: Option<f64>,
    /// Colour in pictures.
    #[schemars(extend("x-range" = "`\"#rrggbb\"`: red, green and blue, each 00 to ff", "x-default" = "from a palette, by number"))]
    pub color: Option<String>,
}

/// The fluids of the file; adds their faults to those of `vectors`. `rest_density` says if the file has `fluid.rest_density`.
pub(crate) fn fluids(tables: &[NamedFluidTable], rest_density: bool, vectors: &mut Vectors) -> Vec<Fluid> {
    if rest_density && !tables.is_empty() {
        let message = "`fluid.rest_density` has no meaning with `[[fluids]]`, each of which has its own";
        vectors.faults.push(Fault::at_path("fluid.rest_density", message, "expected no such key"));
    }
    let fluid = |(index, table): (usize, &NamedFluidTable)| {
        let path = |key: &str| format!("fluids.{index}.{key}");
        let name = table.name.as_str();
        if name.trim().is_empty() {
            let message = format!("`{}` is empty", path("name"));
            vectors.faults.push(Fault::at_path(path("name"), message, "expected a name"));
        } else if tables[..index].iter().any(|earlier| earlier.name == name) {
            let message = format!("there are two fluids called `{name}`");
            vectors.faults.push(Fault::at_path(path("name"), message, "expected another name"));
        }
        let color = table.color.as_deref().map(|text| {
            color(text).unwrap_or_else(|| {
                let message = format!("`{}` is not a colour", path("color"));
                let label = "expected `#` and six hexadecimal digits, as in \"#3b82f6\"";
                vectors.faults.push(Fault::at_path(path("color"), message, label));
                [0; 3]
            })
        });
        Fluid {
            name: name.to_owned(),
            rest_density: table.rest_density as f32,
            kinematic_viscosity: table.kinematic_viscosity.map(|viscosity| viscosity as f32),
            surface_tension: table.surface_tension.map(|tension| tension as f32),
            color,
        }
    };
    tables.iter().enumerate().map(fluid).collect()
}

/// Index of the fluid called `name`. Adds a fault at `path` if there is none, and returns the first.
pub(crate) fn fluid_called(name: &str, fluids: &[Fluid], path: String, vectors: &mut Vectors) -> usize {
    let found = fluids.iter().position(|fluid| fluid.name == name);
    if found.is_none() {
        let names = || fluids.iter().map(|fluid| fluid.name.as_str());
        let label = match nearest(name, names()) {
            _ if fluids.is_empty() => "expected no such key: the scene has no `[[fluids]]`".to_owned(),
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("expected {}", list(names())),
        };
        vectors.faults.push(Fault::at_path(path, format!("no fluid is called `{name}`"), label));
    }
    found.unwrap_or(0)
}

/// Red, green and blue of `#rrggbb`.
pub(super) fn color(text: &str) -> Option<[u8; 3]> {
    let digits =
        text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}

// `[[fluid.blocks]]`: blocks of fluid.

with_solid_keys! {
    /// A region filled with fluid: a box, along each axis with a whole number of particles, about `particles.spacing` apart, or another
    /// shape.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[schemars(transform = keep_order::<Self>)]
    pub(crate) struct BlockTable {
        /// Arrangement of the particles. Use another than `lattice` if the fluid must not prefer the axes; the number of
        /// particles then follows from the volume.
        #[serde(default)]
        pub filling: Named<Filling>,
        /// Name of its fluid among the `[[fluids]]`.
        #[schemars(extend("x-default" = "the first"))]
        pub fluid: Option<String>,
        /// Interface within the block, `y = height + amplitude sin(2π x/wavelength)`: below it is another fluid; default: none.
        pub interface: Option<InterfaceTable>,
        /// Initial velocity.
        #[schemars(length(min = 2, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "at rest"))]
        pub velocity: Option<Vec<f64>>,
        /// Initial velocity as a function of position, added to `velocity`.
        #[serde(default)]
        pub velocity_field: VelocityFieldTable,
        /// True to leave out the part of the block that lies in a body or a ball, or within half a spacing of one. Otherwise the block must be
        /// clear of bodies.
        #[serde(default)]
        pub around_bodies: bool,
        /// Initial pressure.
        #[serde(default)]
        pub initial_pressure: Named<InitialPressure>,
    }
}

/// An interface within a block.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct InterfaceTable {
    /// Name of the fluid below the interface.
    pub below: String,
    /// Mean height.
    #[schemars(extend("x-unit" = "m"))]
    pub height: f64,
    /// Amplitude; negative for a wave that begins with a trough, 0 for a plane.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub amplitude: f64,
    /// Wavelength along x.
    #[serde(default = "default_wavelength")]
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "m"))]
    pub wavelength: f64,
}

/// The block of the table at `fluid.blocks.index`. Adds its faults to those of `vectors`.
pub(crate) fn block(
    table: &BlockTable,
    index: usize,
    fluids: &[Fluid],
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> FluidBlock {
    let path = |key| format!("fluid.blocks.{index}.{key}");
    let interface = table.interface.as_ref().map(|table| Interface {
        below: fluid_called(&table.below, fluids, path("interface.below"), vectors),
        height: table.height as f32,
        amplitude: table.amplitude as f32,
        wavelength: table.wavelength as f32,
    });
    let keys = ShapeKeys { is_fitted: table.filling.0 == Filling::Lattice, ..table.shape_keys() };
    let region = region(&keys, [&table.unite, &table.subtract], &format!("fluid.blocks.{index}"), folder, vectors);
    FluidBlock {
        min: region.min,
        max: region.max,
        shape: region.shape,
        filling: table.filling.0,
        fluid: table.fluid.as_ref().map_or(0, |name| fluid_called(name, fluids, path("fluid"), vectors)),
        interface,
        velocity: table.velocity.as_ref().map_or(Vec3::ZERO, |velocity| vectors.read(velocity, path("velocity"))),
        around_bodies: table.around_bodies,
        field: velocity_field(&table.velocity_field, &path("velocity_field"), vectors),
        initial_pressure: table.initial_pressure.0,
    }
}

fn default_wavelength() -> f64 {
    1.0
}

// `velocity_field`: initial velocities that differ from place to place.

/// Initial velocity as a function of position, added to `velocity`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct VelocityFieldTable {
    /// Kind of the field.
    pub kind: FieldName,
    /// `linear`: gradient G, one row for each component of the velocity.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "1/s"))]
    pub gradient: Option<Vec<Vec<f64>>>,
    /// `linear`: point c, which does not move.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "the origin"))]
    pub center: Option<Vec<f64>>,
    /// `standing_wave`: amplitude of the surface, small compared with wavelength and depth.
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
    /// Taylor–Green vortices, U (sin kx cos ky cos kz, −cos kx sin ky cos kz, 0), from the block's lowest corner.
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
