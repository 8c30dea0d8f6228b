//! Keys of probes.

use crate::scene::tables::named::Named;
use crate::scene::tables::order::keep_order;
use crate::scene::tables::solids::{ShapeKeys, region, with_solid_keys};
use crate::scene::tables::vectors::Vectors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sph_core::{BlockShape, Face, Solid};
use std::path::Path;

/// Most points of a probe: as fine as any lattice.
pub(super) const MAX_POINTS: u32 = 10_000;

with_solid_keys! {
/// A probe: the quantity that it measures, and where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct ProbeTable {
    /// Name of its column in tables; no two probes have the same.
    #[schemars(extend("x-range" = "letters, digits, `_`, `-`"))]
    pub name: String,
    /// Quantity that it measures.
    pub kind: ProbeName,
    /// `pressure`, `density`, `velocity`: the point. `water_height`: a point of the vertical line; its y does not matter. `flux`: the middle of
    /// the opening.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub at: Option<Vec<f64>>,
    /// `pressure`: face of the tank whose wall the gauge is let into; with `diameter`.
    #[schemars(extend("x-default" = "a point, without `diameter`"))]
    pub face: Option<Named<Face>>,
    /// `pressure`: diameter of the gauge, over which its reading is the mean; in two dimensions the length of a line along the wall.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-unit" = "m", "x-default" = 0.0))]
    pub diameter: Option<f64>,
    /// `pressure`: number of the container, from 0, with which the gauge moves; `at` is then its place at the start.
    #[schemars(range(min = 0), extend("x-default" = "fixed in space"))]
    pub container: Option<usize>,
    /// `pressure`: averaging time; a reading is the mean over this time up to its own. Waves shorter than that, as a slightly
    /// compressible fluid has at an impact, do not show.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-unit" = "s", "x-default" = 0.0))]
    pub averaging: Option<f64>,
    /// `front`: face of the tank that the fluid runs towards.
    pub toward: Option<Named<Face>>,
    /// In place of `at`: first point of a line.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub from: Option<Vec<f64>>,
    /// Last point of the line.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub to: Option<Vec<f64>>,
    /// Number of points, evenly from one end of the line to the other, both included.
    #[schemars(range(min = 2, max = MAX_POINTS))]
    pub points: Option<u32>,
    /// First point of the last line of a plane, whose first line is from `from` to `to`.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "a line only"))]
    pub across: Option<Vec<f64>>,
    /// Number of lines of the plane, evenly from `from` to `across`, both included; at most 10000 points in all.
    #[schemars(range(min = 2, max = MAX_POINTS))]
    pub rows: Option<u32>,
    /// `flux`: direction in which flow is positive, of any length.
    #[schemars(length(min = 2, max = 3))]
    pub direction: Option<Vec<f64>>,
    /// `flux`: radius of a round opening; in two dimensions half the width of a slot.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "m"))]
    pub radius: Option<f64>,
    /// `flux`: width and height of a rectangular opening, as of emitters; in two dimensions the width of a slot.
    #[schemars(length(min = 1, max = 2), inner(range(min = 0)), extend("x-unit" = "m"))]
    pub size: Option<Vec<f64>>,
    /// `force`, `motion`: name of the body.
    pub body: Option<String>,
    /// `water_height`, `front`: name of the fluid, one of several, for its surface or front instead of that of all.
    #[schemars(extend("x-default" = "all fluids"))]
    pub fluid: Option<String>,
}}

/// Quantities that probes measure.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProbeName {
    /// Pressure at a point, or as a gauge reads it, along a line or over a plane (Pa).
    Pressure,
    /// Density at a point, along a line or over a plane (kg/m³).
    Density,
    /// Height of the surface on a vertical line, or on several through a line or a plane; of one of several fluids, that of its upper interface (m).
    WaterHeight,
    /// Coordinate of the farthest fluid towards a face (m).
    Front,
    /// Velocity at a point, along a line or over a plane (m/s).
    Velocity,
    /// Mass of the fluid in a shape, from `min` to `subtract` (kg; in 2D kg/m), and its mean pressure, density and velocity.
    Region,
    /// Flow of mass through an opening (kg/s; in 2D kg/(s m)), and the mass that has passed (kg; kg/m).
    Flux,
    /// Kinetic and potential energy (J).
    Energy,
    /// Force of the fluid on a body by each cause (N; in 2D N/m), and torque about its centre (N m; in 2D N).
    Force,
    /// Place of a body (m), its rotation (rad) and its velocity (m/s): of its centre of mass if it has `dynamics`, else of the centre of its box.
    Motion,
    /// Force of the fluid on the walls of all containers, as `force`, and torque about the origin.
    WallForce,
}

impl ProbeName {
    /// Its name in scene files, and its keys besides those of shapes: those that it must have, and those that it may have.
    pub(super) fn keys(self) -> (&'static str, &'static [&'static str], &'static [&'static str]) {
        const POINTS: &[&str] = &["at", "from", "to", "points", "across", "rows"];
        const GAUGE: &[&str] = &["at", "from", "to", "points", "across", "rows", "face", "diameter", "container", "averaging"];
        const SURFACE: &[&str] = &["at", "from", "to", "points", "across", "rows", "fluid"];
        match self {
            Self::Pressure => ("pressure", &[], GAUGE),
            Self::Density => ("density", &[], POINTS),
            Self::WaterHeight => ("water_height", &[], SURFACE),
            Self::Front => ("front", &["toward"], &["fluid"]),
            Self::Velocity => ("velocity", &[], POINTS),
            Self::Region => ("region", &[], &[]),
            Self::Flux => ("flux", &["at", "direction"], &["radius", "size"]),
            Self::Energy => ("energy", &[], &[]),
            Self::Force => ("force", &["body"], &[]),
            Self::Motion => ("motion", &["body"], &[]),
            Self::WallForce => ("wall_force", &[], &[]),
        }
    }
}

impl ProbeTable {
    /// Keys besides those of shapes, and true for those that are given.
    pub(super) fn given(&self) -> [(&'static str, bool); 16] {
        [
            ("at", self.at.is_some()),
            ("face", self.face.is_some()),
            ("diameter", self.diameter.is_some()),
            ("container", self.container.is_some()),
            ("averaging", self.averaging.is_some()),
            ("toward", self.toward.is_some()),
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
            ("points", self.points.is_some()),
            ("across", self.across.is_some()),
            ("rows", self.rows.is_some()),
            ("direction", self.direction.is_some()),
            ("radius", self.radius.is_some()),
            ("size", self.size.is_some()),
            ("body", self.body.is_some()),
            ("fluid", self.fluid.is_some()),
        ]
    }

    /// The first key of a shape that is given, if there is one.
    pub(super) fn shape_key(&self) -> Option<&'static str> {
        let given = [
            ("min", self.min.is_some()),
            ("max", self.max.is_some()),
            ("file", self.file.is_some()),
            ("axis", self.axis.is_some()),
            ("scale", self.scale.is_some()),
            ("orientation", self.orientation.is_some()),
            ("translation", self.translation.is_some()),
            ("unite", !self.unite.is_empty()),
            ("subtract", !self.subtract.is_empty()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(key, _)| key)
    }

    /// Shape of a region, with the shapes that are added and taken away. Adds its faults to those of `vectors`.
    pub(super) fn solid(&self, path: &str, folder: Option<&Path>, vectors: &mut Vectors) -> Option<Solid> {
        let keys = ShapeKeys { is_fitted: false, ..self.shape_keys() };
        match region(&keys, [&self.unite, &self.subtract], path, folder, vectors).shape {
            BlockShape::Solid(solid) => Some(solid),
            _ => None,
        }
    }
}
