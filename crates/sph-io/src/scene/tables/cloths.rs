//! `[[cloths]]`: sheets of cloth, and `[cloth]`: what all of them have in common.

use std::path::Path;

use super::keys::Vectors;
use super::point_grid::PointGridTable;
use super::shapes::{OrientationTable, in_folder, rotation};
use super::{MAX_FILE_BYTES, MotionKeys, RotationTable, keep_order, motion};
use crate::mesh;
use crate::scene::error::Fault;
use glam::{DMat3, DVec3, Vec3};
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Dimensions, MAX_SPEED};
use sph_pbd::PbdSetup;
use sph_pbd::cloth::{ClothError, ClothRemark, ClothSettings, ClothSetup, Grid, MAX_VERTICES, Pin};

/// Sine of the angle between the sides of a sheet below which they count as parallel.
const PARALLEL: f64 = 1e-5;

/// What all cloths have in common.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct ClothSettingsTable {
    /// Velocity of the air, for cloths with `drag`.
    #[schemars(length(min = 3, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "0"))]
    pub wind: Option<Vec<f64>>,
    /// Longest substep: a step is divided into equal substeps no longer than this, but at most 1000 of them. Shorter ones make cloth stiffer.
    #[schemars(range(min = 1e-5, max = 0.1), extend("x-unit" = "s", "x-default" = "1/960"))]
    pub substep: Option<f64>,
    /// Search of all vertices at the start.
    pub grid: PointGridTable,
}

/// A sheet of cloth: a grid of vertices, or a mesh from a file. It collides with itself, with other cloths, containers and bodies.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct ClothTable {
    /// Name of the cloth.
    #[schemars(extend("x-default" = "`cloth 1`, `cloth 2` …"))]
    pub name: Option<String>,
    /// First corner of a rectangular sheet. A sheet needs `corner`, `along`, `across` and `spacing`, or `file`.
    #[schemars(length(min = 3, max = 3), extend("x-unit" = "m", "x-default" = "none"))]
    pub corner: Option<Vec<f64>>,
    /// Side of the sheet from its first corner.
    #[schemars(length(min = 3, max = 3), extend("x-unit" = "m", "x-default" = "none"))]
    pub along: Option<Vec<f64>>,
    /// The other side of the sheet from its first corner.
    #[schemars(length(min = 3, max = 3), extend("x-unit" = "m", "x-default" = "none"))]
    pub across: Option<Vec<f64>>,
    /// Distance between neighbouring vertices.
    #[schemars(range(min = 1e-4, max = 100.0), extend("x-unit" = "m", "x-default" = "none"))]
    pub spacing: Option<f64>,
    /// File of a triangle mesh, relative to the scene's folder: OBJ, STL, PLY, glTF or GLB. It may have holes.
    #[schemars(extend("x-range" = format!("a file name; at most {} MiB", mesh::MAX_FILE_BYTES >> 20), "x-default" = "none"))]
    pub file: Option<String>,
    /// Scale factors of a mesh, applied before rotation.
    #[schemars(length(min = 3, max = 3), inner(range(min = 1e-6, max = 1e6)), extend("x-default" = "1"))]
    pub scale: Option<Vec<f64>>,
    /// Orientation of a mesh: its rotation about the origin of its file; default: none.
    pub orientation: Option<OrientationTable>,
    /// Displacement of a mesh, applied after rotation.
    #[schemars(length(min = 3, max = 3), extend("x-unit" = "m", "x-default" = "0"))]
    pub translation: Option<Vec<f64>>,
    /// Velocity at the start.
    #[schemars(length(min = 3, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "at rest"))]
    pub velocity: Option<Vec<f64>>,
    /// Mass per area.
    #[schemars(range(min = 1e-4, max = 1e4), extend("x-unit" = "kg/m²", "default" = 0.2))]
    pub areal_density: Option<f64>,
    /// Thickness: vertices that are farther apart at rest come no closer. At most the length of the longest edge.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "m", "x-default" = "the shortest edge"))]
    pub thickness: Option<f64>,
    /// Compliance of an edge, the inverse of its stiffness; 0 does not stretch.
    #[schemars(range(min = 0.0), extend("x-unit" = "m/N", "default" = 0.0))]
    pub stretch_compliance: Option<f64>,
    /// Compliance of the distance between the two vertices across an edge; large values bend easily.
    #[schemars(range(min = 0.0), extend("x-unit" = "m/N", "default" = 1.0))]
    pub bending_compliance: Option<f64>,
    /// Rate at which stretching and bending motion decays.
    #[schemars(range(min = 0.0, max = 1e6), extend("x-unit" = "1/s", "default" = 1.0))]
    pub damping: Option<f64>,
    /// Coefficient of friction with solids, itself and other cloths; of two cloths the mean counts.
    #[schemars(range(min = 0.0, max = 10.0), extend("default" = 0.3))]
    pub friction: Option<f64>,
    /// Density of the air times the drag coefficient of a flat plate; about 1.4 in air, 0 without drag or wind.
    #[schemars(range(min = 0.0, max = 1e4), extend("x-unit" = "kg/m³", "default" = 0.0))]
    pub drag: Option<f64>,
    /// Strain at which an edge tears.
    #[schemars(extend("exclusiveMinimum" = 0, "x-default" = "never"))]
    pub tear_strain: Option<f64>,
    /// Boxes whose vertices are pinned, each under `[[cloths.pins]]`; default: none.
    #[serde(default)]
    pub pins: Vec<PinTable>,
}

/// A box whose vertices are pinned: they stay, or move as it says.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct PinTable {
    /// Lowest corner of the box.
    #[schemars(length(min = 3, max = 3), extend("x-unit" = "m"))]
    pub min: Vec<f64>,
    /// Highest corner of the box.
    #[schemars(length(min = 3, max = 3), extend("x-unit" = "m"))]
    pub max: Vec<f64>,
    /// Constant velocity; that of the pivot if the pins rotate.
    #[schemars(length(min = 3, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "at rest"))]
    pub velocity: Option<Vec<f64>>,
    /// Velocity over time, in rows as for bodies.
    #[schemars(extend("x-unit" = "s, m/s", "x-range" = "rows of 4 numbers, times ascending"))]
    pub motion: Option<Vec<Vec<f64>>>,
    /// File of such rows, as for bodies.
    #[schemars(extend("x-range" = format!("a file name; at most {} MiB", MAX_FILE_BYTES >> 20)))]
    pub motion_file: Option<String>,
    /// Rotation about an axis, as for bodies; default: none.
    pub rotation: Option<RotationTable>,
}

/// The cloths of the file, and no balls; `None` if one has a fault, which is added to those of `vectors`.
pub(crate) fn cloths(
    tables: &[ClothTable],
    settings: &ClothSettingsTable,
    gravity: Vec3,
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> Option<PbdSetup> {
    if !tables.is_empty() && vectors.dimensions == Dimensions::Two {
        vectors.faults.push(Fault::at_path("dimensions", "cloths need three dimensions".to_owned(), "expected 3"));
        return None;
    }
    let usual = ClothSettings::default();
    let wind = settings.wind.as_ref().map_or(usual.wind, |numbers| vectors.read(numbers, "cloth.wind"));
    let settings = ClothSettings { longest_substep: settings.substep.unwrap_or(usual.longest_substep), wind };
    let mut room = Room::beside_grids(tables, vectors)?;
    let cloths: Vec<ClothSetup> =
        tables.iter().enumerate().filter_map(|(index, table)| cloth(table, index, folder, &mut room, vectors)).collect();
    for (index, cloth) in cloths.iter().enumerate() {
        if cloths[..index].iter().any(|other| other.name == cloth.name) {
            let message = format!("two cloths are called `{}`", cloth.name);
            vectors.faults.push(Fault::at_path(format!("cloths.{index}"), message, "expected another `name`"));
        }
    }
    if cloths.len() < tables.len() || !vectors.faults.is_empty() {
        return None;
    }
    let remarks = cloths.iter().flat_map(|cloth| cloth.remarks(gravity).into_iter().map(|of| remark(&cloth.name, &of)));
    match PbdSetup::new(&cloths, settings) {
        Ok(setup) => {
            vectors.remarks.extend(remarks);
            Some(setup)
        }
        Err(error) => {
            vectors.faults.push(fault(&error.error, &tables[error.cloth], error.cloth, folder));
            None
        }
    }
}

/// The fault of the cloth in the table at `cloths.index`, at the key that it is about.
fn fault(error: &ClothError, table: &ClothTable, index: usize, folder: Option<&Path>) -> Fault {
    let path = |key: &str| format!("cloths.{index}.{key}");
    match error {
        ClothError::TooThick { longest, .. } => {
            let label = format!("expected at most {longest} m, the longest edge");
            Fault::at_path(path("thickness"), error.to_string(), label)
        }
        ClothError::OutOfRange { what, .. } => {
            let key = match *what {
                "the areal density" => "areal_density",
                "the thickness" if table.thickness.is_some() => "thickness",
                "the stretch compliance" => "stretch_compliance",
                "the bending compliance" => "bending_compliance",
                "the damping" => "damping",
                "the friction" => "friction",
                "the drag" => "drag",
                "the strain at which the cloth tears" => "tear_strain",
                "the speed at the start" => "velocity",
                _ => return Fault::at_path(format!("cloths.{index}"), error.to_string(), "expected another value"),
            };
            Fault::at_path(path(key), error.to_string(), "expected another value")
        }
        ClothError::VertexCount { .. }
        | ClothError::NoTriangles
        | ClothError::BadPosition { .. }
        | ClothError::NoSuchVertex { .. }
        | ClothError::FlatTriangle { .. }
        | ClothError::LooseVertex { .. } => match &table.file {
            Some(file) => {
                let message = format!("{}: {error}", in_folder(folder, file).display());
                Fault::at_path(path("file"), message, "expected another mesh")
            }
            None => Fault::at_path(format!("cloths.{index}"), error.to_string(), "expected another sheet"),
        },
        ClothError::RestShapeCount { .. } | ClothError::NoSuchPin { .. } | ClothError::PinnedTwice { .. } => {
            Fault::at_path(format!("cloths.{index}"), error.to_string(), "expected another value")
        }
    }
}

/// Vertices that a scene may still have: all sheets together have no more than one may have.
struct Room {
    /// Vertices of all grids, and of the meshes so far.
    taken: u64,
}

impl Room {
    /// The room for meshes beside all grids, which are counted before one is made; `None` if there is none, which is added to the faults.
    fn beside_grids(tables: &[ClothTable], vectors: &mut Vectors) -> Option<Self> {
        let mut room = Self { taken: 0 };
        for (index, table) in tables.iter().enumerate() {
            if let Some([columns, rows]) = squares(table) {
                let count = (u64::from(columns) + 1) * (u64::from(rows) + 1);
                room.take(count, format!("cloths.{index}.spacing"), "expected a larger distance", vectors)?;
            }
        }
        Some(room)
    }

    /// Takes room for `count` vertices; `None` if there is not enough, which is a fault at `path`.
    fn take(&mut self, count: u64, path: String, label: &str, vectors: &mut Vectors) -> Option<()> {
        let before = self.taken;
        self.taken += count;
        if self.taken <= MAX_VERTICES as u64 {
            return Some(());
        }
        let message = match count > MAX_VERTICES as u64 || before == 0 {
            true => format!("the cloth would have {count} vertices, but at most {MAX_VERTICES} are possible"),
            false => {
                let all = self.taken;
                format!("the cloths would have {all} vertices or more together, but at most {MAX_VERTICES} are possible")
            }
        };
        vectors.faults.push(Fault::at_path(path, message, label.to_owned()));
        None
    }
}

/// Squares along and across a rectangular sheet; `None` for a mesh, and for a sheet with a missing key.
fn squares(table: &ClothTable) -> Option<[u32; 2]> {
    let ClothTable { file: None, along: Some(along), across: Some(across), spacing: Some(spacing), .. } = table else {
        return None;
    };
    let length = |side: &[f64]| side.iter().map(|&part| part * part).sum::<f64>().sqrt();
    Some([along, across].map(|side| (length(side) / spacing).round().clamp(1.0, MAX_VERTICES as f64) as u32))
}

/// A remark on the cloth `name`, in a sentence.
fn remark(name: &str, remark: &ClothRemark) -> String {
    match remark {
        ClothRemark::NonManifold { edges } => {
            format!("{name}: {edges} edges join more than two triangles; the cloth does not resist bending there")
        }
        ClothRemark::ThickerThanEdges { edges, shortest } => {
            format!(
                "{name}: {edges} edges are shorter than the thickness, the shortest {shortest} m; their ends keep that distance"
            )
        }
        ClothRemark::CoarserThanThickness { longest, advised } => format!(
            "{name}: with edges up to {longest} m a fold can slip through the cloth; make it at least {advised} m thick, or refine it"
        ),
        ClothRemark::Adrift => format!("{name}: nothing holds the cloth and nothing pulls it, so it does not move"),
        ClothRemark::StartsTooClose { pairs } => {
            format!("{name}: {pairs} pairs of vertices start closer than the thickness and are pushed apart")
        }
    }
}

/// The cloth of the table at `cloths.index`; `None` if its keys do not fit together, which is added to the faults of `vectors`.
fn cloth(
    table: &ClothTable,
    index: usize,
    folder: Option<&Path>,
    room: &mut Room,
    vectors: &mut Vectors,
) -> Option<ClothSetup> {
    let path = |key: &str| format!("cloths.{index}.{key}");
    let name = table.name.clone().unwrap_or_else(|| format!("cloth {}", index + 1));
    let sheet = match &table.file {
        Some(file) => from_file(table, file, &name, index, folder, room, vectors),
        None => from_grid(table, &name, index, vectors),
    }?;
    let number = |value: Option<f64>, usual: f32| value.map_or(usual, |value| value as f32);
    let velocity = table.velocity.as_ref().map_or(Vec3::ZERO, |numbers| vectors.read(numbers, path("velocity")));
    let mut cloth = ClothSetup {
        velocity,
        areal_density: number(table.areal_density, sheet.areal_density),
        thickness: number(table.thickness, sheet.thickness),
        stretch_compliance: number(table.stretch_compliance, sheet.stretch_compliance),
        bending_compliance: number(table.bending_compliance, sheet.bending_compliance),
        damping: number(table.damping, sheet.damping),
        friction: number(table.friction, sheet.friction),
        drag: number(table.drag, sheet.drag),
        tear_strain: number(table.tear_strain, sheet.tear_strain),
        ..sheet
    };
    let mut pinned = vec![false; cloth.vertices.len()];
    for (number, pins) in table.pins.iter().enumerate() {
        pin(&mut cloth, &mut pinned, pins, &path(&format!("pins.{number}")), folder, vectors);
    }
    Some(cloth)
}

/// A rectangular sheet.
fn from_grid(table: &ClothTable, name: &str, index: usize, vectors: &mut Vectors) -> Option<ClothSetup> {
    let path = format!("cloths.{index}");
    let ClothTable { corner, along, across, spacing, scale, orientation, translation, .. } = table;
    let of_meshes =
        [("scale", scale.is_some()), ("orientation", orientation.is_some()), ("translation", translation.is_some())];
    for (key, _) in of_meshes.into_iter().filter(|(_, given)| *given) {
        let message = format!("a cloth without `file` has no `{key}`");
        vectors.faults.push(Fault::at_path(
            format!("{path}.{key}"),
            message,
            "expected `corner`, `along` and `across` instead",
        ));
    }
    let (Some(corner), Some(along), Some(across), Some(_)) = (corner, along, across, spacing) else {
        let message = format!("`{path}` has neither a grid nor a mesh");
        vectors.faults.push(Fault::at_path(path, message, "expected `corner`, `along`, `across` and `spacing`, or `file`"));
        return None;
    };
    let [corner, along, across] = [("corner", corner), ("along", along), ("across", across)]
        .map(|(key, numbers)| vectors.read(numbers, format!("{path}.{key}")));
    for (key, side) in [("along", along), ("across", across)] {
        if side == Vec3::ZERO {
            let message = format!("`{path}.{key}` has no length");
            vectors.faults.push(Fault::at_path(format!("{path}.{key}"), message, "expected a side of the sheet"));
            return None;
        }
    }
    let [a, b] = [along.as_dvec3(), across.as_dvec3()];
    if a.cross(b).length() < PARALLEL * a.length() * b.length() {
        let message = format!("`{path}.across` is parallel to `along`, so the sheet would have no area");
        vectors.faults.push(Fault::at_path(format!("{path}.across"), message, "expected another direction"));
        return None;
    }
    let [columns, rows] = squares(table)?;
    let grid =
        Grid { corner, along: along / columns as f32, across: across / rows as f32, columns: columns + 1, rows: rows + 1 };
    Some(ClothSetup::grid(name, &grid))
}

/// A sheet from a file.
fn from_file(
    table: &ClothTable,
    file: &str,
    name: &str,
    index: usize,
    folder: Option<&Path>,
    room: &mut Room,
    vectors: &mut Vectors,
) -> Option<ClothSetup> {
    let path = |key: &str| format!("cloths.{index}.{key}");
    let ClothTable { corner, along, across, spacing, .. } = table;
    let of_grids = [
        ("corner", corner.is_some()),
        ("along", along.is_some()),
        ("across", across.is_some()),
        ("spacing", spacing.is_some()),
    ];
    for (key, _) in of_grids.into_iter().filter(|(_, given)| *given) {
        let message = format!("a cloth from a file has no `{key}`");
        vectors.faults.push(Fault::at_path(path(key), message, "expected no such key with `file`"));
    }
    let scale = table.scale.as_ref().map_or(Vec3::ONE, |numbers| vectors.read(numbers, path("scale"))).as_dvec3();
    let translation = table.translation.as_ref().map_or(Vec3::ZERO, |numbers| vectors.read(numbers, path("translation")));
    let orientation = table.orientation.as_ref().map(|table| rotation(table, &path("orientation"), vectors));
    let orientation = orientation.unwrap_or(DMat3::IDENTITY);
    let read = mesh::read(&in_folder(folder, file), &mut vectors.files);
    let fault = |message| Fault::at_path(path("file"), message, "expected a mesh");
    let mesh::Triangles { vertices, triangles } = read.map_err(|message| vectors.faults.push(fault(message))).ok()?;
    room.take(vertices.len() as u64, path("file"), "expected a smaller mesh", vectors)?;
    let place = |at: &DVec3| (orientation * (scale * *at) + translation.as_dvec3()).as_vec3();
    Some(ClothSetup::new(name, vertices.iter().map(place).collect(), triangles))
}

/// Pins the vertices of `cloth` in the box of the table at `path` that are not `pinned` yet.
fn pin(
    cloth: &mut ClothSetup,
    pinned: &mut [bool],
    table: &PinTable,
    path: &str,
    folder: Option<&Path>,
    vectors: &mut Vectors,
) {
    let [min, max] =
        [("min", &table.min), ("max", &table.max)].map(|(key, numbers)| vectors.read(numbers, format!("{path}.{key}")));
    let PinTable { velocity, motion: rows, motion_file, rotation, .. } = table;
    let keys = MotionKeys { velocity, rows, file: motion_file, rotation };
    let moves = velocity.is_some() || rows.is_some() || motion_file.is_some() || rotation.is_some();
    let motion = moves.then(|| motion(&keys, path, 0.5 * (min + max), folder, vectors));
    let is_inside = |at: &Vec3| at.cmpge(min).all() && at.cmple(max).all();
    let before = cloth.pins.len();
    for (vertex, (at, is_pinned)) in cloth.vertices.iter().zip(pinned).enumerate() {
        if !*is_pinned && is_inside(at) {
            *is_pinned = true;
            cloth.pins.push(Pin { vertex: vertex as u32, motion: motion.clone() });
        }
    }
    if cloth.pins.len() == before {
        let message = "no vertex of the cloth is in the box".to_owned();
        vectors.faults.push(Fault::at_path(path, message, "expected a box with vertices that are not pinned yet"));
    }
}
