//! Shapes of scene files, made and placed.

use super::shapes::{OrientationTable, ShapeKeys, ShapeTable};
use crate::mesh::{self, Triangles};
use crate::scene::error::Fault;
use crate::scene::tables::vectors::Vectors;
use glam::{DMat3, DVec3, Vec3};
use sph_core::{Axis, BlockShape, Dimensions, Shape, ShapeError, ShapeKind, Solid, TriangleMesh};
use std::path::{Path, PathBuf};

/// A shape and its box, m.
#[derive(Default)]
pub(in crate::scene::tables) struct Region {
    pub shape: BlockShape,
    pub min: Vec3,
    pub max: Vec3,
}

/// The region of the table at `path`: its shape with others, `unite` and `subtract`. Adds its faults to those of `vectors`.
pub(in crate::scene::tables) fn region(
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
    let mut parts = |tables: &[ShapeTable], key: &str| -> Vec<Shape> {
        let part = |(index, table): (usize, &ShapeTable)| {
            shape(&table.shape_keys(), &format!("{path}.{key}.{index}"), folder, vectors)
        };
        tables.iter().enumerate().filter_map(part).collect()
    };
    let (unite, subtract) = (parts(unite, "unite"), parts(subtract, "subtract"));
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
        return mesh(file, path, (folder, vectors), |at| rotation * (scale.as_dvec3() * at) + translation);
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
fn in_folder(folder: Option<&Path>, file: &str) -> PathBuf {
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

/// The solid of the mesh in `file`, whose vertices are placed by `place`. A remark says what has been done about its faults.
fn mesh(
    file: &str,
    path: &str,
    (folder, vectors): (Option<&Path>, &mut Vectors),
    place: impl Fn(DVec3) -> DVec3,
) -> Option<Shape> {
    let whole = in_folder(folder, file);
    let Vectors { faults, files, .. } = &mut *vectors;
    let mut fault = |message: String| {
        faults.push(Fault::at_path(format!("{path}.file"), message, "expected a mesh of closed surfaces"));
    };
    let Triangles { vertices, triangles } = mesh::read(&whole, files).map_err(&mut fault).ok()?;
    let placed: Vec<DVec3> = vertices.into_iter().map(place).collect();
    let made = TriangleMesh::new(&placed, &triangles).map_err(|error| fault(format!("{}: {error}", whole.display())));
    let (mesh, diagnosis) = made.ok()?;
    if diagnosis.is_inward {
        vectors.remarks.push(format!("{} faces inwards: it has been turned round", whole.display()));
    }
    if diagnosis.self_intersections > 0 {
        let count = diagnosis.self_intersections;
        let message = "cross others of the same surface, where its inside is uncertain";
        vectors.remarks.push(format!("{}: {count} triangles {message}", whole.display()));
    }
    Some(Shape::mesh(if vectors.dimensions == Dimensions::Two { mesh.cut() } else { mesh }))
}

fn rotation(table: &OrientationTable, path: &str, vectors: &mut Vectors) -> DMat3 {
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
