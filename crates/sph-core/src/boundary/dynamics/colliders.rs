//! Shapes of bodies and containers as rapier's.
//!
//! In two dimensions they are prisms along z, and bodies are kept from leaving the plane.

use crate::boundary::{Body, Container, Face};
use crate::parameters::{Dimensions, Discretization};
use crate::setup::BlockShape;
use crate::space::geometry::{Form, Shape, Solid, Triangulation, isosurface};
use glam::{DQuat, DVec3};
use rapier3d_f64::math::{Pose, Rotation, Vector};
use rapier3d_f64::parry::transformation::vhacd::{VHACD, VHACDParameters};
use rapier3d_f64::prelude::{SharedShape, TriMeshFlags};
use std::f64::consts::TAU;

/// Most cells along an axis of a surface that is made of triangles.
const MOST_CELLS: f64 = 64.0;

/// A convex shape or a surface, and its place.
pub(super) type Part = (Pose, SharedShape);

/// A vector of rapier's.
pub(super) fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

/// A vector of ours.
pub(super) fn from_vector(v: Vector) -> DVec3 {
    DVec3::from_array(v.to_array())
}

/// A rotation of rapier's.
pub(super) fn rotation(rotation: DQuat) -> Rotation {
    Rotation::from_array(rotation.to_array())
}

/// A place without rotation.
fn at(place: DVec3) -> Pose {
    Pose::from_parts(vector(place), Rotation::IDENTITY)
}

/// The shape of a body as it is described, relative to `origin`, m: convex parts, into which a shape that is not a union of simple
/// ones is cut.
pub(super) fn of_body(body: &Body, discretization: &Discretization, origin: DVec3) -> Vec<Part> {
    let planar = discretization.dimensions == Dimensions::Two;
    let (middle, mut half) = (body.middle().as_dvec3() - origin, body.half_extent().as_dvec3());
    if planar {
        half.z = half.truncate().element_sum();
    }
    let middle = if planar { middle.with_z(0.0) } else { middle };
    match &body.shape {
        BlockShape::Box => vec![(at(middle), SharedShape::cuboid(half.x, half.y, half.z))],
        BlockShape::Ellipsoid if planar => vec![(at(middle), hull(elliptic_prism(half)))],
        BlockShape::Ellipsoid => vec![(at(middle), ellipsoid(half))],
        BlockShape::Solid(solid) => of_union(solid, origin).unwrap_or_else(|| of_pieces(solid, discretization, origin)),
    }
}

/// The walls of a container as it is described: slabs of the thickness `thickness` (m) along the faces of a box, or the surface of
/// another region.
pub(super) fn of_container(container: &Container, discretization: &Discretization, thickness: f64) -> Vec<Part> {
    let planar = discretization.dimensions == Dimensions::Two;
    if let Some(region) = &container.region {
        let (vertices, triangles) = surface(region, discretization);
        let flags = TriMeshFlags::ORIENTED | TriMeshFlags::FIX_INTERNAL_EDGES;
        // The fluid's side is outside for whoever touches the wall.
        let inward: Vec<[u32; 3]> = triangles.into_iter().map(|[a, b, c]| [a, c, b]).collect();
        let vertices: Vec<Vector> = vertices.into_iter().map(vector).collect();
        // Without the flags if triangles meet in ways that have no sides.
        let mesh = SharedShape::trimesh_with_flags(vertices.clone(), inward.clone(), flags)
            .or_else(|_| SharedShape::trimesh(vertices, inward));
        return mesh.map(|mesh| (Pose::IDENTITY, mesh)).into_iter().collect();
    }
    let (min, max) = (container.min.as_dvec3(), container.max.as_dvec3());
    let (mut middle, mut half) = (0.5 * (min + max), 0.5 * (max - min));
    if planar {
        (middle.z, half.z) = (0.0, half.truncate().element_sum());
    }
    let slab = |face: Face| {
        let axis = face as usize / 2;
        let (mut center, mut extent) = (middle, half + thickness);
        let side = if face as usize % 2 == 1 { 1.0 } else { -1.0 };
        center[axis] += side * (half[axis] + 0.5 * thickness);
        extent[axis] = 0.5 * thickness;
        (at(center), SharedShape::cuboid(extent.x, extent.y, extent.z))
    };
    let walls = Face::ALL.into_iter().take(2 * discretization.dimensions.count());
    walls.filter(|&face| container.faces.contains(face)).map(slab).collect()
}

/// The parts of a union of simple shapes; `None` for any other solid.
fn of_union(solid: &Solid, origin: DVec3) -> Option<Vec<Part>> {
    let part = |shape: &Shape| {
        let (form, center, turned) = shape.placed();
        let shape = match *form {
            Form::Box { half } => SharedShape::cuboid(half.x, half.y, half.z),
            Form::Ellipsoid { half } => ellipsoid(half),
            Form::Cylinder { radius, half_height } => SharedShape::cylinder(half_height, radius),
            Form::Capsule { radius, half_length } => SharedShape::capsule_y(half_length, radius),
            Form::Cone { radius, half_height } => SharedShape::cone(half_height, radius),
            Form::Mesh(_) | Form::Shell(_) => return None,
        };
        Some((Pose::from_parts(vector(center - origin), rotation(DQuat::from_mat3(&turned))), shape))
    };
    solid.union()?.iter().map(part).collect()
}

/// A solid of any shape in convex pieces; the box around one that is too thin for the cells that it is cut by.
fn of_pieces(solid: &Solid, discretization: &Discretization, origin: DVec3) -> Vec<Part> {
    let (vertices, triangles) = surface(solid, discretization);
    let vertices: Vec<Vector> = vertices.into_iter().map(|vertex| vector(vertex - origin)).collect();
    if triangles.is_empty() {
        return vec![around(solid, discretization.dimensions, origin)];
    }
    let settings = VHACDParameters { resolution: MOST_CELLS as u32, max_convex_hulls: 32, ..VHACDParameters::default() };
    let pieces = VHACD::decompose(&settings, &vertices, &triangles, false).compute_convex_hulls(1);
    let parts: Vec<Part> =
        pieces.into_iter().filter_map(|(points, _)| Some((Pose::IDENTITY, SharedShape::convex_hull(&points)?))).collect();
    if parts.is_empty() { vec![around(solid, discretization.dimensions, origin)] } else { parts }
}

/// The box around a solid.
fn around(solid: &Solid, dimensions: Dimensions, origin: DVec3) -> Part {
    let [min, max] = solid.bounds();
    let (mut middle, mut half) = (0.5 * (min + max) - origin, 0.5 * (max - min));
    if dimensions == Dimensions::Two {
        (middle.z, half.z) = (0.0, half.truncate().element_sum());
    }
    (at(middle), SharedShape::cuboid(half.x, half.y, half.z))
}

/// Triangles of the surface of a solid, at the resolution of the fluid unless they would be too many.
fn surface(solid: &Solid, discretization: &Discretization) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let [mut min, mut max] = solid.bounds();
    let planar = discretization.dimensions == Dimensions::Two;
    if planar {
        let depth = 0.5 * (max - min).truncate().element_sum();
        (min.z, max.z) = (-depth, depth);
    }
    let pitch = f64::from(discretization.particle_spacing).max((max - min).max_element() / MOST_CELLS);
    let distance = |at: DVec3| {
        if planar { solid.nearest(at.with_z(0.0)).distance.max(at.z.abs() - max.z) } else { solid.nearest(at).distance }
    };
    isosurface([min, max], pitch, distance)
}

fn ellipsoid(half: DVec3) -> SharedShape {
    if half.max_element() - half.min_element() < 1e-6 * half.max_element() {
        return SharedShape::ball(half.x);
    }
    let surface = Triangulation::of_ellipsoid(-half.as_vec3(), half.as_vec3());
    hull(surface.vertices.into_iter().map(|vertex| vertex.as_dvec3()))
}

/// Points of an ellipse in both end faces of a prism.
fn elliptic_prism(half: DVec3) -> impl Iterator<Item = DVec3> {
    const POINTS: u32 = 64;
    (0..POINTS).flat_map(move |point| {
        let (sin, cos) = (TAU * f64::from(point) / f64::from(POINTS)).sin_cos();
        [-1.0, 1.0].map(|z| half * DVec3::new(cos, sin, z))
    })
}

fn hull(points: impl Iterator<Item = DVec3>) -> SharedShape {
    let points: Vec<Vector> = points.map(vector).collect();
    // Points in a plane have no hull: such a body touches as a point, at its centre.
    SharedShape::convex_hull(&points).unwrap_or_else(|| SharedShape::ball(1e-6))
}
