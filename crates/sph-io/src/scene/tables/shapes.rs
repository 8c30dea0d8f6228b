//! Keys of shapes, which fluid blocks, bodies and containers have in common, and the shapes that are made of them.

use std::path::{Path, PathBuf};

use super::keep_order;
use super::keys::{Keys, Named, Vectors, check_keys};
use crate::mesh::{self, Triangles};
use crate::scene::error::Fault;
use glam::{DMat3, DVec3, Vec3};
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Axis, BlockShape, Dimensions, MeshError, Shape, ShapeError, ShapeKind, Shell, Solid, TriangleMesh};

/// Defines the table of a shape, or of something that has one: the keys of the shape, then its own.
macro_rules! with_shape_keys {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($own:tt)* }) => {
        $(#[$meta])*
        $vis struct $name {
            /// Lowest corner of the shape's box, before scaling, rotation and translation. Every shape needs its box, except a
            /// mesh.
            #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "none"))]
            pub min: Option<Vec<f64>>,
            /// Highest corner of the shape's box.
            #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "none"))]
            pub max: Option<Vec<f64>>,
            /// Shape within the box.
            #[serde(default)]
            pub shape: Named<sph_core::ShapeKind>,
            /// File of a mesh, relative to the scene's folder: OBJ, STL, PLY, glTF or GLB, with closed surfaces; those of a body without `dynamics` may be open. Of a heightfield: a greyscale PNG of 8 or 16 bits, or a CSV table of heights above `min` (m).
            #[schemars(extend("x-range" = format!("a file name; at most {} MiB", $crate::mesh::MAX_FILE_BYTES >> 20), "x-default" = "none"))]
            pub file: Option<String>,
            /// Axis of a cylinder, a capsule or a cone, before rotation.
            #[schemars(extend("x-default" = "y"))]
            pub axis: Option<Named<sph_core::Axis>>,
            /// Scale factors along the shape's own axes, applied before rotation.
            #[schemars(length(min = 2, max = 3), inner(range(min = 1e-6, max = 1e6)), extend("x-default" = "1"))]
            pub scale: Option<Vec<f64>>,
            /// Orientation: the rotation of the shape about the centre of its box, of a mesh about the origin of its file; default: none.
            pub orientation: Option<$crate::scene::tables::shapes::OrientationTable>,
            /// Displacement, applied after rotation.
            #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "0"))]
            pub translation: Option<Vec<f64>>,
            $($own)*
        }

        impl $name {
            pub(super) fn shape_keys(&self) -> $crate::scene::tables::shapes::ShapeKeys<'_> {
                let Self { min, max, shape, file, axis, scale, orientation, translation, .. } = self;
                let (kind, axis) = (shape.0, axis.map(|axis| axis.0));
                $crate::scene::tables::shapes::ShapeKeys { min, max, kind, is_fitted: true, may_be_open: false, file, axis, scale, orientation, translation }
            }
        }
    };
}

pub(super) use with_shape_keys;

/// A table with the keys of a solid: those of its first shape, the shapes that are added and taken away, and those that follow.
macro_rules! with_solid_keys {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($own:tt)* }) => {
        $crate::scene::tables::shapes::with_shape_keys! {
            $(#[$meta])*
            $vis struct $name {
                /// Shapes to add to the first, each with keys of its own, from `min` to `translation`; default: none.
                #[serde(default)]
                #[schemars(extend("x-repeated" = true))]
                pub unite: Vec<$crate::scene::tables::shapes::ShapeTable>,
                /// Shapes to subtract, each with keys of its own, from `min` to `translation`; default: none.
                #[serde(default)]
                #[schemars(extend("x-repeated" = true))]
                pub subtract: Vec<$crate::scene::tables::shapes::ShapeTable>,
                $($own)*
            }
        }
    };
}

pub(super) use with_solid_keys;

/// Orientation: a rotation by an angle about an axis.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct OrientationTable {
    /// Direction of the axis, of any length: required in three dimensions.
    #[schemars(length(min = 3, max = 3), extend("x-default" = "`[0, 0, 1]` in two dimensions"))]
    pub axis: Option<Vec<f64>>,
    /// Angle, counter-clockwise as seen from the tip of the axis.
    #[schemars(extend("x-unit" = "°"))]
    pub angle: f64,
}

with_shape_keys! {
    /// A shape to add or to take away.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[schemars(transform = keep_order::<Self>)]
    pub(crate) struct ShapeTable {}
}

/// Keys of one shape.
pub(super) struct ShapeKeys<'t> {
    pub min: &'t Option<Vec<f64>>,
    pub max: &'t Option<Vec<f64>>,
    pub kind: ShapeKind,
    /// True if a plain box or ellipsoid stays one, with the lattice that fits it.
    pub is_fitted: bool,
    /// True if a mesh may be open, and then is a shell.
    pub may_be_open: bool,
    pub file: &'t Option<String>,
    pub axis: Option<Axis>,
    pub scale: &'t Option<Vec<f64>>,
    pub orientation: &'t Option<OrientationTable>,
    pub translation: &'t Option<Vec<f64>>,
}

impl ShapeKeys<'_> {
    /// Adds a fault for each key that the shape does not have, and for each that it lacks.
    pub(super) fn check(&self, path: &str, vectors: &mut Vectors) {
        const PLACED: &[&str] = &["scale", "orientation", "translation"];
        const WITH_AXIS: &[&str] = &["axis", "scale", "orientation", "translation"];
        let optional = match self.kind {
            ShapeKind::Box | ShapeKind::Ellipsoid | ShapeKind::Sphere | ShapeKind::Mesh | ShapeKind::Heightfield => PLACED,
            ShapeKind::Cylinder | ShapeKind::Capsule | ShapeKind::Cone => WITH_AXIS,
        };
        let required: &[&str] = match self.kind {
            ShapeKind::Mesh => &["file"],
            ShapeKind::Heightfield => &["file", "min", "max"],
            _ => &["min", "max"],
        };
        let keys = Keys { kind: self.kind.name(), required, optional };
        let given = [
            ("file", self.file.is_some()),
            ("min", self.min.is_some()),
            ("max", self.max.is_some()),
            ("axis", self.axis.is_some()),
            ("scale", self.scale.is_some()),
            ("orientation", self.orientation.is_some()),
            ("translation", self.translation.is_some()),
        ];
        check_keys("shape", keys, &given, path, vectors);
    }

    pub(super) fn corners(&self, path: &str, vectors: &mut Vectors) -> [Vec3; 2] {
        [("min", self.min), ("max", self.max)]
            .map(|(key, corner)| corner.as_ref().map_or(Vec3::ZERO, |numbers| vectors.read(numbers, format!("{path}.{key}"))))
    }
}

// Shapes of scene files, made and placed.

/// A shape and its box, m.
#[derive(Default)]
pub(super) struct Region {
    pub shape: BlockShape,
    pub min: Vec3,
    pub max: Vec3,
}

/// The region of the table at `path`: its shape with others, `unite` and `subtract`. Adds its faults to those of `vectors`.
pub(super) fn region(
    keys: &ShapeKeys<'_>,
    [unite, subtract]: [&[ShapeTable]; 2],
    path: &str,
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> Region {
    let is_placed = !keys.is_fitted || keys.scale.is_some() || keys.orientation.is_some() || keys.translation.is_some();
    let plain = match keys.kind {
        ShapeKind::Box => Some(BlockShape::Box),
        ShapeKind::Ellipsoid => Some(BlockShape::Ellipsoid),
        _ => None,
    };
    if let (Some(shape), false) = (plain, is_placed || !unite.is_empty() || !subtract.is_empty()) {
        keys.check(path, vectors);
        let [min, max] = keys.corners(path, vectors);
        return Region { shape, min, max };
    }
    let mut parts = |tables: &[ShapeTable], key: &str, may_be_open: bool| -> Vec<Shape> {
        let part = |(index, table): (usize, &ShapeTable)| {
            shape(&ShapeKeys { may_be_open, ..table.shape_keys() }, &format!("{path}.{key}.{index}"), folder, vectors)
        };
        tables.iter().enumerate().filter_map(part).collect()
    };
    let (unite, subtract) = (parts(unite, "unite", keys.may_be_open), parts(subtract, "subtract", false));
    let Some(first) = shape(keys, path, folder, vectors) else { return Region::default() };
    let solid = Solid::new([first].into_iter().chain(unite), subtract);
    let [min, max] = solid.bounds().map(DVec3::as_vec3);
    Region { shape: BlockShape::Solid(solid), min, max }
}

/// The shape of the table at `path`; none if it has a fault, which is added to those of `vectors`.
fn shape(keys: &ShapeKeys<'_>, path: &str, folder: Option<&Path>, vectors: &mut Vectors) -> Option<Shape> {
    let before = vectors.faults.len();
    keys.check(path, vectors);
    let [min, max] = keys.corners(path, vectors);
    let scale = match keys.scale {
        Some(scale) => vectors.read(scale, format!("{path}.scale")),
        None => Vec3::ONE,
    };
    let rotation = keys.orientation.as_ref().map(|table| rotation(table, &format!("{path}.orientation"), vectors));
    let translation = keys.translation.as_ref().map(|numbers| vectors.read(numbers, format!("{path}.translation")));
    if vectors.faults.len() > before {
        return None;
    }
    let (rotation, translation) = (rotation.unwrap_or(DMat3::IDENTITY), translation.unwrap_or_default().as_dvec3());
    let (middle, half) = (0.5 * (min + max), 0.5 * (max - min) * scale);
    if let (Some(file), ShapeKind::Heightfield) = (keys.file, keys.kind) {
        let shape = heightfield(file, path, (folder, vectors), (max - min, half))?;
        return Some(shape.turned(rotation).moved(middle.as_dvec3() + translation));
    }
    if let Some(file) = keys.file {
        // In two dimensions it keeps its depth.
        let scale = if vectors.dimensions == Dimensions::Two { scale.with_z(1.0) } else { scale };
        return mesh((file, keys.may_be_open), path, (folder, vectors), |at| rotation * (scale.as_dvec3() * at) + translation);
    }
    let axis = keys.axis.unwrap_or_default();
    let shape = Shape::in_box(keys.kind, vectors.dimensions, middle - half, middle + half, axis);
    let shape = shape.map_err(|error| vectors.faults.push(no_box(error, path)));
    Some(shape.ok()?.turned(rotation).moved(translation))
}

/// The fault of a box that no shape fits into.
fn no_box(error: ShapeError, path: &str) -> Fault {
    let label = "expected a box, with `min` below `max`, that the shape fits into";
    Fault::at_path(format!("{path}.max"), error.to_string(), label)
}

/// The path of a file that a scene in `folder` names.
pub(super) fn in_folder(folder: Option<&Path>, file: &str) -> PathBuf {
    folder.map_or_else(|| Path::new(file).to_owned(), |folder| folder.join(file))
}

/// The solid below the heights in `file`, around the origin: in a box of `extents` (m), and enlarged to one with half extents `half` (m).
fn heightfield(
    file: &str,
    path: &str,
    (folder, vectors): (Option<&Path>, &mut Vectors),
    (extents, half): (Vec3, Vec3),
) -> Option<Shape> {
    let is_planar = vectors.dimensions == Dimensions::Two;
    // The same faults as of a box; its depth in two dimensions is any.
    let half = if is_planar { half.with_z(1.0) } else { half };
    let fitted = Shape::in_box(ShapeKind::Box, vectors.dimensions, -half, half, Axis::Y);
    fitted.map_err(|error| vectors.faults.push(no_box(error, path))).ok()?;
    let whole = in_folder(folder, file);
    let mut fault = |message: String, label: &str| {
        vectors.faults.push(Fault::at_path(format!("{path}.file"), message, label));
    };
    let field = mesh::read_heights(&whole, extents.y.into(), &mut vectors.files);
    let mut field = field.map_err(|message| fault(message, "expected heights over a grid")).ok()?;
    if is_planar {
        // The first row, twice: a prism.
        field.heights.truncate(field.columns);
        field.heights.extend_from_within(..);
    } else if field.heights.len() == field.columns {
        fault(format!("{} has one row in a scene of 3 dimensions", whole.display()), "expected at least 2 rows");
        return None;
    }
    let (vertices, triangles) = field.triangles(half.as_dvec3());
    let made = TriangleMesh::new(&vertices, &triangles);
    let (mesh, _) =
        made.map_err(|error| fault(format!("{}: {error}", whole.display()), "expected heights over a grid")).ok()?;
    Some(Shape::mesh(if is_planar { mesh.cut() } else { mesh }))
}

/// The solid of the mesh in `file`, whose vertices are placed by `place`: a shell, if it may be open and is. A remark says what has been
/// done about its faults.
fn mesh(
    (file, may_be_open): (&str, bool),
    path: &str,
    (folder, vectors): (Option<&Path>, &mut Vectors),
    place: impl Fn(DVec3) -> DVec3,
) -> Option<Shape> {
    let whole = in_folder(folder, file);
    let (planar, spacing) = (vectors.dimensions == Dimensions::Two, vectors.spacing);
    let Vectors { faults, files, .. } = &mut *vectors;
    let mut fault = |message: String| {
        let label = "expected closed surfaces; only a body without `dynamics` may have others";
        faults.push(Fault::at_path(format!("{path}.file"), message, label));
    };
    let Triangles { vertices, triangles } = mesh::read(&whole, files).map_err(&mut fault).ok()?;
    let placed: Vec<DVec3> = vertices.into_iter().map(place).collect();
    let (mesh, diagnosis) = match TriangleMesh::new(&placed, &triangles) {
        Ok(made) => made,
        Err(error @ (MeshError::Open { .. } | MeshError::NotManifold { .. })) if may_be_open => {
            let shell = Shell::new(&placed, &triangles, spacing).ok()?;
            let Some(shell) = (if planar { shell.cut() } else { Some(shell) }) else {
                fault(format!("{}: the plane z = 0 misses the mesh", whole.display()));
                return None;
            };
            let effect = "it becomes a shell, with one layer of boundary particles on its surface and no inside; the fluid on one side \
                          feels that on the other";
            vectors.remarks.push(format!("{}: {error}; {effect}", whole.display()));
            return Some(Shape::shell(shell));
        }
        Err(error) => {
            fault(format!("{}: {error}", whole.display()));
            return None;
        }
    };
    if diagnosis.is_inward {
        vectors.remarks.push(format!("{} faces inwards and has been inverted", whole.display()));
    }
    if diagnosis.self_intersections > 0 {
        let count = diagnosis.self_intersections;
        let message = "cross others of the same surface; its inside is uncertain there";
        vectors.remarks.push(format!("{}: {count} triangles {message}", whole.display()));
    }
    Some(Shape::mesh(if planar { mesh.cut() } else { mesh }))
}

/// The rotation of the table at `path`. Adds its faults to those of `vectors`.
pub(super) fn rotation(table: &OrientationTable, path: &str, vectors: &mut Vectors) -> DMat3 {
    let axis = match (&table.axis, vectors.dimensions) {
        (Some(axis), _) => DVec3::from_array([0, 1, 2].map(|k| axis.get(k).copied().unwrap_or(0.0))).try_normalize(),
        (None, Dimensions::Two) => Some(DVec3::Z),
        (None, Dimensions::Three) => {
            let message = format!("missing key `axis` in `{path}`");
            vectors.faults.push(Fault::at_path(path, message, "expected `axis`"));
            return DMat3::IDENTITY;
        }
    };
    let Some(axis) = axis else {
        let fault = Fault::at_path(format!("{path}.axis"), "the axis has no direction", "expected a direction");
        vectors.faults.push(fault);
        return DMat3::IDENTITY;
    };
    DMat3::from_axis_angle(axis, table.angle.to_radians())
}
