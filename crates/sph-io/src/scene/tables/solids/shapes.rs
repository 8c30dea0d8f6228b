//! Keys of shapes, which fluid blocks, bodies and containers have in common.

use crate::scene::tables::kinds::{Keys, check_keys};
use crate::scene::tables::named::Named;
use crate::scene::tables::order::keep_order;
use crate::scene::tables::vectors::Vectors;
use glam::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Axis, ShapeKind};

/// Defines the table of a shape, or of something that has one: the keys of the shape, then its own.
macro_rules! with_shape_keys {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($own:tt)* }) => {
        $(#[$meta])*
        $vis struct $name {
            /// Lowest corner of the shape's box, before it is placed. Every shape needs its box, except a mesh.
            #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "none"))]
            pub min: Option<Vec<f64>>,
            /// Highest corner of the shape's box.
            #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "none"))]
            pub max: Option<Vec<f64>>,
            /// Shape within the box.
            #[serde(default)]
            pub shape: Named<sph_core::ShapeKind>,
            /// File of a mesh, relative to the scene's folder: OBJ, STL, PLY, glTF or GLB, with closed surfaces. Of a heightfield: a greyscale PNG of 8 or 16 bits, or a CSV table of heights above `min` (m).
            #[schemars(extend("x-range" = format!("a file's name; at most {} MiB", $crate::mesh::MAX_FILE_BYTES >> 20), "x-default" = "none"))]
            pub file: Option<String>,
            /// Axis of a cylinder, a capsule or a cone, before it is turned.
            #[schemars(extend("x-default" = "y"))]
            pub axis: Option<Named<sph_core::Axis>>,
            /// Factors by which the shape is enlarged along its axes, before it is turned.
            #[schemars(length(min = 2, max = 3), inner(range(min = 1e-6, max = 1e6)), extend("x-default" = "1"))]
            pub scale: Option<Vec<f64>>,
            /// Orientation: the rotation of the shape about the centre of its box, of a mesh about the origin of its file; default: none.
            pub orientation: Option<$crate::scene::tables::solids::shapes::OrientationTable>,
            /// Displacement, after it is turned.
            #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "0"))]
            pub translation: Option<Vec<f64>>,
            $($own)*
        }

        impl $name {
            pub(in crate::scene::tables) fn shape_keys(&self) -> $crate::scene::tables::solids::shapes::ShapeKeys<'_> {
                let Self { min, max, shape, file, axis, scale, orientation, translation, .. } = self;
                let (kind, axis) = (shape.0, axis.map(|axis| axis.0));
                $crate::scene::tables::solids::shapes::ShapeKeys { min, max, kind, is_fitted: true, file, axis, scale, orientation, translation }
            }
        }
    };
}

pub(in crate::scene::tables) use with_shape_keys;

/// A table with the keys of a solid: those of its first shape, the shapes that are added and taken away, and those that follow.
macro_rules! with_solid_keys {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($own:tt)* }) => {
        $crate::scene::tables::solids::shapes::with_shape_keys! {
            $(#[$meta])*
            $vis struct $name {
                /// Shapes to add to the first, each with keys of its own, from `min` to `translation`; default: none.
                #[serde(default)]
                #[schemars(extend("x-repeated" = true))]
                pub unite: Vec<$crate::scene::tables::solids::shapes::ShapeTable>,
                /// Shapes to take away, each with keys of its own, from `min` to `translation`; default: none.
                #[serde(default)]
                #[schemars(extend("x-repeated" = true))]
                pub subtract: Vec<$crate::scene::tables::solids::shapes::ShapeTable>,
                $($own)*
            }
        }
    };
}

pub(in crate::scene::tables) use with_solid_keys;

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
pub(in crate::scene::tables) struct ShapeKeys<'t> {
    pub min: &'t Option<Vec<f64>>,
    pub max: &'t Option<Vec<f64>>,
    pub kind: ShapeKind,
    /// True if a plain box or ellipsoid stays one, with the lattice that fits it.
    pub is_fitted: bool,
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
