//! Shapes, placed in space: their names, and their signed distances.

use std::sync::Arc;

use super::mesh::{Shell, TriangleMesh};
use crate::parameters::{Dimensions, choice};
use glam::{DMat3, DVec2, DVec3, Vec3};

/// Largest relative difference of extents that count as equal: decimal fractions are rounded.
const ROUND: f64 = 1e-4;

/// A shape in space. In two dimensions it is cut by the plane z = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    form: Form,
    /// Point about which it turns, m: the origin of its own coordinates.
    center: DVec3,
    /// Rotation from its own axes to those of space.
    rotation: DMat3,
}

/// A shape in its own coordinates, around the origin. Lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    Box {
        half: DVec3,
    },
    Ellipsoid {
        half: DVec3,
    },
    /// Around y, up to `half_height` above and below the origin.
    Cylinder {
        radius: f64,
        half_height: f64,
    },
    /// Around the segment of y up to `half_length` above and below the origin.
    Capsule {
        radius: f64,
        half_length: f64,
    },
    /// Base at −`half_height`, tip at `half_height`.
    Cone {
        radius: f64,
        half_height: f64,
    },
    Mesh(Arc<TriangleMesh>),
    Shell(Arc<Shell>),
}

/// Reasons why a box contains no shape of a kind.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// An extent is not positive and finite.
    #[error("its extent along {axis} is {extent} m")]
    Extent {
        /// Axis.
        axis: Axis,
        /// Extent, m.
        extent: f32,
    },
    /// Extents differ that must be equal for the shape to be round.
    #[error("a {kind} is round, but its box is {first} m by {second} m")]
    NotRound {
        /// Kind of the shape.
        kind: ShapeKind,
        /// One extent, m.
        first: f32,
        /// The other, m.
        second: f32,
    },
    /// A kind that no box describes.
    #[error("a {kind} is not described by a box")]
    NoBox {
        /// Kind of the shape.
        kind: ShapeKind,
    },
    /// A capsule that is shorter along its axis than across.
    #[error("a capsule must be at least as long ({length} m) as it is wide ({width} m)")]
    ShortCapsule {
        /// Extent along its axis, m.
        length: f32,
        /// Extent across, m.
        width: f32,
    },
}

impl Shape {
    /// The shape of a kind that touches the faces of the box from `min` to `max` (m), with the axis `axis` if it has one. In two
    /// dimensions z is ignored, and the shape goes on along z or is as deep as it is wide.
    ///
    /// # Errors
    /// There is no such shape in the box.
    pub fn in_box(kind: ShapeKind, dimensions: Dimensions, min: Vec3, max: Vec3, axis: Axis) -> Result<Self, ShapeError> {
        let (min, max) = (min.as_dvec3(), max.as_dvec3());
        let (mut center, mut half) = (0.5 * (min + max), 0.5 * (max - min));
        let along = axis as usize;
        if dimensions == Dimensions::Two {
            center.z = 0.0;
            half.z = match (kind, axis) {
                (ShapeKind::Cylinder | ShapeKind::Capsule | ShapeKind::Cone, Axis::X) => half.y,
                (ShapeKind::Cylinder | ShapeKind::Capsule | ShapeKind::Cone, Axis::Y) => half.x,
                (ShapeKind::Cylinder | ShapeKind::Box, _) => 10.0 * half.truncate().element_sum(),
                _ => half.x.max(half.y),
            };
        }
        for axis in Axis::ALL {
            let extent = 2.0 * half[axis as usize];
            // Negated, so that NaN is refused.
            if !(extent > 0.0 && extent.is_finite()) {
                return Err(ShapeError::Extent { axis, extent: extent as f32 });
            }
        }
        let [first, second] = [(along + 1) % 3, (along + 2) % 3].map(|across| half[across]);
        let round = |a: f64, b: f64| {
            let equal = (a - b).abs() <= ROUND * a.max(b);
            if equal { Ok(a) } else { Err(ShapeError::NotRound { kind, first: (2.0 * a) as f32, second: (2.0 * b) as f32 }) }
        };
        let half_height = half[along];
        let form = match kind {
            ShapeKind::Mesh | ShapeKind::Heightfield => return Err(ShapeError::NoBox { kind }),
            ShapeKind::Box => Form::Box { half },
            ShapeKind::Ellipsoid => Form::Ellipsoid { half },
            ShapeKind::Sphere => {
                round(half.x, half.y)?;
                Form::Ellipsoid { half: DVec3::splat(round(half.x, half.z)?) }
            }
            ShapeKind::Cylinder => Form::Cylinder { radius: round(first, second)?, half_height },
            ShapeKind::Cone => Form::Cone { radius: round(first, second)?, half_height },
            ShapeKind::Capsule => {
                let radius = round(first, second)?;
                if half_height < (1.0 - ROUND) * radius {
                    return Err(ShapeError::ShortCapsule { length: (2.0 * half_height) as f32, width: (2.0 * radius) as f32 });
                }
                Form::Capsule { radius, half_length: (half_height - radius).max(0.0) }
            }
        };
        let has_axis = matches!(form, Form::Cylinder { .. } | Form::Cone { .. } | Form::Capsule { .. });
        let rotation = if has_axis { from_y(axis) } else { DMat3::IDENTITY };
        Ok(Self { form, center, rotation })
    }

    /// The solid of a mesh, where it is described.
    pub fn mesh(mesh: TriangleMesh) -> Self {
        Self { form: Form::Mesh(Arc::new(mesh)), center: DVec3::ZERO, rotation: DMat3::IDENTITY }
    }

    /// A shell, where it is described.
    pub fn shell(shell: Shell) -> Self {
        Self { form: Form::Shell(Arc::new(shell)), center: DVec3::ZERO, rotation: DMat3::IDENTITY }
    }

    /// True for a shell.
    pub(crate) fn is_shell(&self) -> bool {
        matches!(self.form, Form::Shell(_))
    }

    /// True for a shape that is convex by its kind.
    pub(crate) fn is_convex(&self) -> bool {
        !matches!(self.form, Form::Mesh(_) | Form::Shell(_))
    }

    /// Returns the shape turned by `rotation` about the centre of its box, a mesh about the origin.
    #[must_use]
    pub fn turned(self, rotation: DMat3) -> Self {
        Self { rotation: rotation * self.rotation, ..self }
    }

    /// Returns the shape moved by `displacement`, m.
    #[must_use]
    pub fn moved(self, displacement: DVec3) -> Self {
        Self { center: self.center + displacement, ..self }
    }

    /// The shape in its own coordinates, the origin of these (m), and the rotation from their axes to those of space.
    pub(crate) fn placed(&self) -> (&Form, DVec3, DMat3) {
        (&self.form, self.center, self.rotation)
    }

    /// Surface next to `at`, m.
    pub fn nearest(&self, at: DVec3) -> Nearest {
        let nearest = self.form.nearest(self.rotation.transpose() * (at - self.center));
        Nearest { normal: self.rotation * nearest.normal, ..nearest }
    }

    /// Corners of an axis-aligned box around it, m.
    pub fn bounds(&self) -> [DVec3; 2] {
        let [min, max] = self.form.bounds();
        let (middle, half) = (self.center + self.rotation * (0.5 * (min + max)), 0.5 * (max - min));
        // |R| h: the extent of the turned box along each axis.
        let columns = [self.rotation.x_axis, self.rotation.y_axis, self.rotation.z_axis].map(DVec3::abs);
        let half = columns[0] * half.x + columns[1] * half.y + columns[2] * half.z;
        [middle - half, middle + half]
    }
}

impl Form {
    fn nearest(&self, at: DVec3) -> Nearest {
        match *self {
            Self::Mesh(ref mesh) => mesh.nearest(at),
            Self::Shell(ref shell) => shell.nearest(at),
            Self::Box { half } => nearest_of_box(half, at),
            Self::Ellipsoid { half } => nearest_of_ellipsoid(half, at),
            Self::Cylinder { radius, half_height } => {
                let corners = [[0.0, -half_height], [radius, -half_height], [radius, half_height], [0.0, half_height]];
                nearest_of_revolution(corners.map(DVec2::from_array), at)
            }
            Self::Cone { radius, half_height } => {
                let corners = [[0.0, -half_height], [radius, -half_height], [0.0, half_height]];
                nearest_of_revolution(corners.map(DVec2::from_array), at)
            }
            Self::Capsule { radius, half_length } => {
                let offset = at - at.y.clamp(-half_length, half_length) * DVec3::Y;
                Nearest { distance: offset.length() - radius, normal: offset.normalize_or(DVec3::X) }
            }
        }
    }

    fn bounds(&self) -> [DVec3; 2] {
        let half = match *self {
            Self::Mesh(ref mesh) => return mesh.bounds(),
            Self::Shell(ref shell) => return shell.bounds(),
            Self::Box { half } | Self::Ellipsoid { half } => half,
            Self::Cylinder { radius, half_height } | Self::Cone { radius, half_height } => {
                DVec3::new(radius, half_height, radius)
            }
            Self::Capsule { radius, half_length } => DVec3::new(radius, half_length + radius, radius),
        };
        [-half, half]
    }
}

/// Surface of the box with half extents `half` (m) around the origin.
fn nearest_of_box(half: DVec3, at: DVec3) -> Nearest {
    let offset = at - at.clamp(-half, half);
    let distance = offset.length();
    if distance > 0.0 {
        return Nearest { distance, normal: offset / distance };
    }
    let depths = half - at.abs();
    let least = depths.min_element();
    let axis = (0..3).find(|&axis| depths[axis] <= least).unwrap_or(0);
    Nearest { distance: -least, normal: sign(at)[axis] * DVec3::AXES[axis] }
}

/// The rotation that takes y to `axis`, a cyclic permutation of the axes.
fn from_y(axis: Axis) -> DMat3 {
    match axis {
        Axis::X => DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y),
        Axis::Y => DMat3::IDENTITY,
        Axis::Z => DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X),
    }
}

// Names of shapes and axes in scene files.

choice! {
    /// Shapes of fluid, bodies and containers.
    pub enum ShapeKind, default Box {
        /// The box from `min` to `max`.
        Box = "box", "Box";
        /// The ellipsoid (in 2D the ellipse) that touches the faces of the box.
        Ellipsoid = "ellipsoid", "Ellipsoid";
        /// The sphere (in 2D the disc) that touches the faces of the box, which is a cube.
        Sphere = "sphere", "Sphere";
        /// The round cylinder along `axis` between two faces of the box.
        Cylinder = "cylinder", "Cylinder";
        /// The cylinder with round ends along `axis` that touches the faces of the box.
        Capsule = "capsule", "Capsule";
        /// The round cone along `axis`, its base on the lower face of the box and its tip on the upper one.
        Cone = "cone", "Cone";
        /// The ground below the heights of `file`, down to the lower face of the box.
        Heightfield = "heightfield", "Heightfield";
        /// The triangle mesh of `file`.
        Mesh = "mesh", "Triangle mesh";
    }
}

choice! {
    /// Axes of space.
    pub enum Axis, default Y {
        /// Along x.
        X = "x", "x";
        /// Along y, which points up.
        Y = "y", "y";
        /// Along z.
        Z = "z", "z";
    }
}

/// Surface next to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Signed distance of the point from the surface, m; negative inside.
    pub distance: f64,
    /// Unit vector out of the solid: the gradient of the distance.
    pub normal: DVec3,
}

impl Nearest {
    /// The surface next to a point of the complement: the same surface, seen from its other side.
    #[must_use]
    pub(crate) fn flipped(self) -> Self {
        Self { distance: -self.distance, normal: -self.normal }
    }
}

// Signed distance of an ellipsoid.

/// Most iterations; Newton's method needs about ten.
const MAX_ITERATIONS: u32 = 100;

/// Surface of the ellipsoid with the semi-axes `half` (m) around the origin, next to `at` (m).
///
/// The nearest point of the surface is `x_k = a_k² y_k/(t + a_k²)`, with the largest root t of `F(t) = Σ (a_k y_k/(t + a_k²))² − 1`
/// (Eberly, "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid"). F falls and is convex to the right of its
/// poles, so Newton's method from the left of the root never passes it.
pub(super) fn nearest_of_ellipsoid(half: DVec3, at: DVec3) -> Nearest {
    let squares = half * half;
    // In the first octant; a little off the planes of symmetry, where a term of F would be 0/0.
    let y = at.abs().max(1e-12 * half);
    let weighted = half * y;
    // Where one term alone is 1, F ≥ 0.
    let mut t = (weighted - squares).max_element();
    for _ in 0..MAX_ITERATIONS {
        let shifted = squares + t;
        let terms = (weighted / shifted) * (weighted / shifted);
        let (value, slope) = (terms.element_sum() - 1.0, -2.0 * (terms / shifted).element_sum());
        let next = t - value / slope;
        if next <= t || next.is_nan() {
            break;
        }
        t = next;
    }
    let foot = squares * y / (squares + t);
    let normal = (foot / squares).normalize_or(DVec3::Y);
    let distance = (y - foot).length();
    let inside = (at / half).length_squared() <= 1.0;
    Nearest { distance: if inside { -distance } else { distance }, normal: normal * sign(at) }
}

/// 1 or −1 along each axis.
pub(super) fn sign(at: DVec3) -> DVec3 {
    DVec3::select(at.cmplt(DVec3::ZERO), DVec3::NEG_ONE, DVec3::ONE)
}

/// Surface next to `at` (m) of the solid that the convex polygon through `corners` (distance from the axis and height, m) sweeps
/// out around y. The corners run counter-clockwise, from the axis to the axis.
pub(super) fn nearest_of_revolution<const N: usize>(corners: [DVec2; N], at: DVec3) -> Nearest {
    let radial = DVec3::new(at.x, 0.0, at.z);
    let outward = radial.normalize_or(DVec3::X);
    let point = DVec2::new(radial.length(), at.y);
    let (mut offset, mut beside, mut inside) = (DVec2::INFINITY, DVec2::Y, true);
    for edge in corners.windows(2) {
        let along = edge[1] - edge[0];
        let normal = DVec2::new(along.y, -along.x).normalize_or(DVec2::Y);
        let from = point - edge[0];
        inside &= from.dot(normal) <= 0.0;
        let part = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let from = from - part * along;
        if from.length_squared() < offset.length_squared() {
            (offset, beside) = (from, normal);
        }
    }
    let side = if inside { -1.0 } else { 1.0 };
    // On the edge itself the offset has no direction.
    let normal = offset.try_normalize().map_or(beside, |direction| side * direction);
    Nearest { distance: side * offset.length(), normal: normal.x * outward + normal.y * DVec3::Y }
}
