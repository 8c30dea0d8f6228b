//! `[[containers]]`: the boxes whose walls hold the fluid.

use super::keys::{Named, Vectors};
use super::{MAX_FILE_BYTES, MotionKeys, Region, RotationTable, keep_order, motion, region, with_solid_keys};
use crate::scene::error::Fault;
use glam::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Axis, BlockShape, Container, Dimensions, Face, Faces, MAX_SPEED, Shape, ShapeKind, Slip};
use std::path::Path;

with_solid_keys! {
    /// A box, or another shape, whose walls hold the fluid inside. A box is at least two support radii wide along each axis.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[schemars(transform = keep_order::<Self>)]
    pub(crate) struct ContainerTable {
        /// Open faces of the box, which are not walls: `open = ["y_max"]` removes the lid. Periodic faces are open too. Other shapes are open towards the faces of their bounds.
        #[serde(default)]
        pub open: Vec<Named<Face>>,
        /// Boundary condition for the velocity along the walls.
        #[serde(default)]
        pub slip: Named<Slip>,
        /// Walls that move within their planes, such as a lid; default: none. They need `slip = "no_slip"`.
        #[serde(default)]
        pub moving: Vec<MovingFaceTable>,
        /// Constant velocity of the whole box; that of the pivot if it rotates. A box that moves or rotates needs walls of
        /// particles and a domain that is not periodic.
        #[schemars(length(min = 2, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "at rest"))]
        pub velocity: Option<Vec<f64>>,
        /// Velocity of the whole box over time, in rows as for bodies.
        #[schemars(extend("x-unit" = "s, m/s", "x-range" = "rows of 3 or 4 numbers, times ascending"))]
        pub motion: Option<Vec<Vec<f64>>>,
        /// File of such rows, as for bodies.
        #[schemars(extend("x-range" = format!("a file name; at most {} MiB", MAX_FILE_BYTES >> 20)))]
        pub motion_file: Option<String>,
        /// Rotation of the whole box about an axis through a point that moves with it, with the angle 0 at the start; default: none.
        pub rotation: Option<RotationTable>,
    }
}

/// A wall that moves within its plane.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct MovingFaceTable {
    /// Face of the wall, which must not be open; each at most once.
    pub face: Named<Face>,
    /// Velocity of the wall, within its plane.
    #[schemars(length(min = 2, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s"))]
    pub velocity: Vec<f64>,
}

/// The container of the table at `containers.index`. Adds its faults to those of `vectors`.
pub(crate) fn container(table: &ContainerTable, index: usize, folder: Option<&Path>, vectors: &mut Vectors) -> Container {
    let path = |key| format!("containers.{index}.{key}");
    let is_wall = |wall: &Face| !table.open.contains(&Named(*wall));
    let faces = Face::ALL.into_iter().filter(is_wall).collect::<Faces>();
    let table_path = format!("containers.{index}");
    let region = region(&table.shape_keys(), [&table.unite, &table.subtract], &table_path, folder, vectors);
    let Region { min, max, .. } = region;
    let shaped = match region.shape {
        BlockShape::Box => Container { min, max, faces, ..Container::default() },
        BlockShape::Solid(solid) => Container::around(&solid, faces),
        BlockShape::Ellipsoid => {
            let inside = Shape::in_box(ShapeKind::Ellipsoid, vectors.dimensions, min, max, Axis::Y);
            let inside = inside.map_err(|error| Fault::at_path(path("max"), error.to_string(), "expected `min` below `max`"));
            match inside {
                Ok(inside) => Container::around(&inside.into(), faces),
                Err(fault) => {
                    vectors.faults.push(fault);
                    Container::default()
                }
            }
        }
    };
    if shaped.region.is_some() && !table.moving.is_empty() {
        let message = "only the faces of a box can move within their planes";
        vectors.faults.push(Fault::at_path(path("moving"), message, "expected no `moving`, or `shape = \"box\"`"));
    }
    let ContainerTable { velocity, motion: rows, motion_file, rotation, .. } = table;
    let keys = MotionKeys { velocity, rows, file: motion_file, rotation };
    Container {
        slip: table.slip.0,
        face_velocities: face_velocities(table, faces, &path("moving"), vectors),
        motion: motion(&keys, &format!("containers.{index}"), 0.5 * (min + max), folder, vectors),
        ..shaped
    }
}

fn face_velocities(table: &ContainerTable, faces: Faces, path: &str, vectors: &mut Vectors) -> [Vec3; 6] {
    let mut velocities = [Vec3::ZERO; 6];
    for (index, moving) in table.moving.iter().enumerate() {
        let (wall, path) = (moving.face.0, format!("{path}.{index}"));
        let velocity = vectors.read(&moving.velocity, format!("{path}.velocity"));
        let planar = vectors.dimensions == Dimensions::Two && matches!(wall, Face::ZMin | Face::ZMax);
        let place = format!("{path}.face");
        let fault = if planar {
            Fault::at_path(place, "a scene of 2 dimensions has no faces along z", "expected a face along x or y")
        } else if !faces.contains(wall) {
            Fault::at_path(place, "an open face cannot move", "expected a face that is a wall")
        } else if table.moving[..index].iter().any(|other| other.face == moving.face) {
            Fault::at_path(place, "the face already has a velocity", "expected another face")
        } else if velocity[wall as usize / 2] != 0.0 {
            let axis = ["x", "y", "z"][wall as usize / 2];
            let message = format!("walls can only move within their planes, but this one moves along {axis}");
            Fault::at_path(format!("{path}.velocity"), message, format!("expected 0 along {axis}"))
        } else if table.slip.0 == Slip::Free {
            let message = "a moving wall does not drag fluid that slips along it";
            Fault::at_path(path, message, "expected `slip = \"no_slip\"` in its container")
        } else {
            velocities[wall as usize] = velocity;
            continue;
        };
        vectors.faults.push(fault);
    }
    velocities
}
