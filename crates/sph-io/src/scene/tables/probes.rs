//! `[[probes]]`: the probes of a scene.

use std::path::Path;

use super::bodies::{BodyTable, body_called};
use super::fluid::fluid_called;
use super::keys::{Named, Vectors};
use super::{ShapeKeys, keep_order, region, with_solid_keys};
use crate::scene::error::Fault;
use crate::words::list;
use glam::Vec2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sph_core::point_sets::PointSetup;
use sph_core::probes::{FluxGate, Gauge, PointGrid, Probe, Quantity, Reading};
use sph_core::{Aperture, BlockShape, Dimensions, Face, Fluid, Solid};

/// A probe and its name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedProbe {
    /// Its name: letters, digits, `_` and `-`; no other probe of the scene has it.
    pub name: String,
    /// The quantity that it measures, and where.
    pub probe: Probe,
}

impl NamedProbe {
    /// Name of each reading's column in tables: the probe's name, and the reading's label where there is more than one.
    pub fn columns(&self, dimensions: Dimensions) -> impl Iterator<Item = String> {
        self.readings(dimensions).map(|reading| reading.label)
    }

    /// Names of the columns, as labels of readings, and their units.
    pub fn readings(&self, dimensions: Dimensions) -> impl Iterator<Item = Reading> {
        let column = |Reading { label, unit }| {
            let label = if label.is_empty() { self.name.clone() } else { format!("{}.{label}", self.name) };
            Reading { label, unit }
        };
        self.probe.readings(dimensions).into_iter().map(column)
    }
}

/// The probes of the file, with its `solids`: bodies, and the number of containers; and what moves: fluids and point sets. Meshes are relative to `folder`. Adds their faults to those of `vectors`.
pub(crate) fn probes(
    tables: &[ProbeTable],
    solids: (&[BodyTable], usize),
    (fluids, points): (&[Fluid], Option<&PointSetup>),
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> Vec<NamedProbe> {
    let mut probes: Vec<NamedProbe> = Vec::new();
    let sets = PointNames::new(tables, points);
    for (index, table) in tables.iter().enumerate() {
        let path = format!("probes.{index}");
        if let Some(fault) = name_fault(&table.name, &probes, &path) {
            vectors.faults.push(fault);
        }
        if let Some(probe) = probe(table, &path, solids, (fluids, &sets), (folder, vectors)) {
            probes.push(NamedProbe { name: table.name.clone(), probe });
        }
    }
    probes
}

fn name_fault(name: &str, earlier: &[NamedProbe], path: &str) -> Option<Fault> {
    let path = format!("{path}.name");
    let usual = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if name.is_empty() || !name.chars().all(usual) {
        let message = format!("`{path}` cannot be a column's name");
        return Some(Fault::at_path(path, message, "expected letters, digits, `_` and `-`"));
    }
    earlier
        .iter()
        .any(|probe| probe.name == name)
        .then(|| Fault::at_path(path, format!("there are two probes called `{name}`"), "expected another name"))
}

fn probe(
    table: &ProbeTable,
    path: &str,
    (bodies, containers): (&[BodyTable], usize),
    (fluids, sets): (&[Fluid], &PointNames),
    (folder, vectors): (Option<&Path>, &mut Vectors),
) -> Option<Probe> {
    let ProbeTable { kind, toward, face, body, fluid, .. } = table;
    let before = vectors.faults.len();
    check_keys(table, path, vectors);
    for (key, face) in [("toward", toward), ("face", face)] {
        if vectors.dimensions == Dimensions::Two && matches!(face, Some(Named(Face::ZMin | Face::ZMax))) {
            let message = "a scene of 2 dimensions has no faces along z";
            vectors.faults.push(Fault::at_path(format!("{path}.{key}"), message, "expected a face along x or y"));
        }
    }
    if vectors.faults.len() > before {
        return None;
    }
    let gauge = gauge(table, path, containers, vectors);
    let body = body.as_ref().map(|name| body_called(name, bodies, format!("{path}.body"), vectors));
    if vectors.faults.len() > before {
        return None;
    }
    let gauge = gauge?;
    let of = fluid.as_ref().map(|name| fluid_called(name, fluids, format!("{path}.fluid"), vectors));
    let quantity = match kind {
        ProbeName::Pressure => Quantity::Pressure,
        ProbeName::Density => Quantity::Density,
        ProbeName::Velocity => Quantity::Velocity,
        ProbeName::WaterHeight => Quantity::WaterHeight(of),
        ProbeName::Front => return Some(Probe::Front { toward: (*toward)?.0, fluid: of }),
        ProbeName::Region => return Some(Probe::Region(table.solid(path, folder, vectors)?)),
        ProbeName::Flux => return Some(Probe::Flux(gate(table, path, vectors)?)),
        ProbeName::Energy => return Some(Probe::Energy),
        ProbeName::Force => return Some(Probe::Force { body: body?? }),
        ProbeName::Motion => return Some(Probe::Motion { body: body?? }),
        ProbeName::Point => return sets.point(table, path, vectors),
        ProbeName::PointSet => return Some(Probe::PointSet { set: sets.set(table, path, vectors)? }),
        ProbeName::WallForce => return Some(Probe::WallForce),
    };
    let points = points(table, path, vectors)?;
    if gauge != Gauge::default() && table.at.is_none() {
        let message = "a gauge with a `face`, a `container` or an `averaging` time must be at one point";
        vectors.faults.push(Fault::at_path(path, message, "expected `at` instead of `from`"));
    }
    Some(match quantity {
        Quantity::Pressure if table.at.is_some() => Probe::Pressure { at: points.from, gauge },
        Quantity::WaterHeight(fluid) if table.at.is_some() => {
            Probe::WaterHeight { at: points.from, fluid, container: table.container }
        }
        quantity => Probe::Field { quantity, points },
    })
}

/// Adds a fault for each key that the kind of the probe does not have, and for each that it lacks.
fn check_keys(table: &ProbeTable, path: &str, vectors: &mut Vectors) {
    let (kind, required, optional) = table.kind.keys();
    let no_key = |key: &str| {
        let message = format!("a probe of the kind `{kind}` has no `{key}`");
        let label = match [required, optional].concat().as_slice() {
            [] => "expected no such key".to_owned(),
            keys => format!("it has {}", list(keys.iter().copied())),
        };
        Fault::at_path(format!("{path}.{key}"), message, label)
    };
    for (key, given) in table.given() {
        match (given, required.contains(&key), optional.contains(&key)) {
            (false, true, _) => {
                vectors.faults.push(Fault::at_path(
                    path,
                    format!("missing key `{key}` in `{path}`"),
                    format!("expected `{key}`"),
                ));
            }
            (true, false, false) => vectors.faults.push(no_key(key)),
            _ => {}
        }
    }
    if table.kind != ProbeName::Region {
        vectors.faults.extend(table.shape_key().map(no_key));
    }
}

// Keys of probes.

/// Most points of a probe: as fine as any lattice.
const MAX_POINTS: u32 = 10_000;

with_solid_keys! {
/// A probe: the quantity that it measures, and where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct ProbeTable {
    /// Unique name, used for its column in tables.
    #[schemars(extend("x-range" = "letters, digits, `_`, `-`"))]
    pub name: String,
    /// Quantity that it measures.
    pub kind: ProbeName,
    /// `pressure`, `density`, `velocity`: the point. `water_height`: a point of the vertical line; its y does not matter. `flux`: the middle of
    /// the opening.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub at: Option<Vec<f64>>,
    /// `pressure`: face of the tank in whose wall the gauge is mounted; with `diameter`. If `at` lies in that wall, the gauge reads the force
    /// on it per area, which in an impact is less than the pressure at a point: fluid that strikes stops before it has come as near as fluid
    /// at rest.
    #[schemars(extend("x-default" = "a point, without `diameter`"))]
    pub face: Option<Named<Face>>,
    /// `pressure`: diameter of the gauge, over which its reading is the mean; in two dimensions the length of a line along the wall.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-unit" = "m", "x-default" = 0.0))]
    pub diameter: Option<f64>,
    /// `pressure`, `water_height`: number of the container, from 0, with which the gauge moves; `at` is then its initial position, and a height
    /// is that along the container's own axes, as it was at the start.
    #[schemars(range(min = 0), extend("x-default" = "fixed in space"))]
    pub container: Option<usize>,
    /// `pressure`: averaging time; a reading is the mean over the time before it. This hides shorter pressure waves, which a
    /// slightly compressible fluid has at an impact.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-unit" = "s", "x-default" = 0.0))]
    pub averaging: Option<f64>,
    /// `front`: face of the tank that the fluid flows towards.
    pub toward: Option<Named<Face>>,
    /// Instead of `at`: first point of a line.
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
    /// `point`, `point_set`: name of a cloth or of balls.
    pub set: Option<String>,
    /// `point`: number of the vertex or ball in its set, from 0; of balls that are poured, in the order in which they come.
    #[schemars(range(min = 0))]
    pub point: Option<u32>,
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
    /// Position of a body (m), its rotation (rad) and its velocity (m/s): of its centre of mass if it has `dynamics`, else of
    /// the centre of its box.
    Motion,
    /// Position (m) and velocity (m/s) of a vertex of a cloth or of a ball; nothing before it is there.
    Point,
    /// Mass of a cloth without its pinned vertices, or of balls (kg), centre of mass (m), momentum (kg m/s) and kinetic energy (J), with that of the
    /// balls' spin.
    PointSet,
    /// Force of the fluid on the walls of all containers, as `force`, and torque about the origin.
    WallForce,
}

impl ProbeName {
    /// Its name in scene files, and its keys besides those of shapes: those that it must have, and those that it may have.
    fn keys(self) -> (&'static str, &'static [&'static str], &'static [&'static str]) {
        const POINTS: &[&str] = &["at", "from", "to", "points", "across", "rows"];
        const GAUGE: &[&str] = &["at", "from", "to", "points", "across", "rows", "face", "diameter", "container", "averaging"];
        const SURFACE: &[&str] = &["at", "from", "to", "points", "across", "rows", "container", "fluid"];
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
            Self::Point => ("point", &["set", "point"], &[]),
            Self::PointSet => ("point_set", &["set"], &[]),
            Self::WallForce => ("wall_force", &[], &[]),
        }
    }
}

impl ProbeTable {
    /// Keys besides those of shapes, and true for those that are given.
    fn given(&self) -> [(&'static str, bool); 18] {
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
            ("set", self.set.is_some()),
            ("point", self.point.is_some()),
        ]
    }

    /// The first key of a shape that is given, if there is one.
    fn shape_key(&self) -> Option<&'static str> {
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
    fn solid(&self, path: &str, folder: Option<&Path>, vectors: &mut Vectors) -> Option<Solid> {
        let keys = ShapeKeys { is_fitted: false, ..self.shape_keys() };
        match region(&keys, [&self.unite, &self.subtract], path, folder, vectors).shape {
            BlockShape::Solid(solid) => Some(solid),
            _ => None,
        }
    }
}

// Point sets of probes.

/// Names of the point sets that probes may have, and the number of their points.
struct PointNames {
    names: Vec<String>,
    count: u64,
}

impl PointNames {
    /// Those of `points`, if any of the probes is of a set.
    fn new(tables: &[ProbeTable], points: Option<&PointSetup>) -> Self {
        let source = points.map(PointSetup::source).filter(|_| tables.iter().any(|table| table.set.is_some()));
        let names = source.map_or_else(Vec::new, |source| source.sets().into_iter().map(|set| set.name).collect());
        Self { names, count: source.map_or(0, |source| source.count()) }
    }

    /// Index of the set of a probe. Adds its fault to those of `vectors`.
    fn set(&self, table: &ProbeTable, path: &str, vectors: &mut Vectors) -> Option<usize> {
        let name = table.set.as_deref()?;
        let found = self.names.iter().position(|of| of == name);
        if found.is_none() {
            let label = if self.names.is_empty() {
                "expected the name of one of the `[[cloths]]` or `[[balls]]`, of which there are none".to_owned()
            } else {
                format!("expected {}", list(self.names.iter().map(String::as_str)))
            };
            let message = format!("no cloth and no balls are called `{name}`");
            vectors.faults.push(Fault::at_path(format!("{path}.set"), message, label));
        }
        found
    }

    /// The probe of a point. Adds its faults to those of `vectors`.
    fn point(&self, table: &ProbeTable, path: &str, vectors: &mut Vectors) -> Option<Probe> {
        let (set, id) = (self.set(table, path, vectors)?, table.point?);
        if u64::from(id) >= self.count {
            let message = format!("`{}` has no point number {id}", self.names[set]);
            let label = format!("expected a number below {}, from 0", self.count);
            vectors.faults.push(Fault::at_path(format!("{path}.point"), message, label));
            return None;
        }
        Some(Probe::Point { set, id })
    }
}

// Places of probes: gauges, points, openings.

/// The gauge of a pressure probe, in a scene with so many `containers`.
fn gauge(table: &ProbeTable, path: &str, containers: usize, vectors: &mut Vectors) -> Option<Gauge> {
    let &ProbeTable { face, diameter, container, averaging, .. } = table;
    let diameter = diameter.unwrap_or(0.0) as f32;
    if (diameter > 0.0) != face.is_some() {
        let message = "a gauge with a `diameter` above 0 needs a `face` of the tank";
        vectors.faults.push(Fault::at_path(path, message, "expected both keys or neither"));
        return None;
    }
    if let Some(number) = container.filter(|&number| number >= containers) {
        let message = format!("there is no container number {number}");
        let label = match containers {
            0 => "expected no `container`: the scene has none".to_owned(),
            _ => format!("expected a number below {containers}, from 0 in the order of `[[containers]]`"),
        };
        vectors.faults.push(Fault::at_path(format!("{path}.container"), message, label));
        return None;
    }
    Some(Gauge { face: face.map(|face| face.0), diameter, container, averaging: averaging.unwrap_or(0.0) as f32 })
}

/// The points of a probe: `at`, or a line, or a plane. Adds its faults to those of `vectors`.
fn points(table: &ProbeTable, path: &str, vectors: &mut Vectors) -> Option<PointGrid> {
    let ProbeTable { at, from, to, points, across, rows, .. } = table;
    let mut fault = |message: String, label: &str| {
        vectors.faults.push(Fault::at_path(path, message, label));
        None
    };
    if at.is_some() == from.is_some() {
        let count = if at.is_some() { "both" } else { "neither" };
        return fault(
            format!("`{path}` has {count} of `at` and `from`"),
            "expected `at` for a point, or `from`, `to` and `points`",
        );
    }
    if [to.is_some(), points.is_some()] != [from.is_some(); 2] {
        return fault(format!("a line of `{path}` is not complete"), "expected `from`, `to` and `points`");
    }
    if across.is_some() != rows.is_some() || (across.is_some() && from.is_none()) {
        return fault(format!("a plane of `{path}` is not complete"), "expected `from`, `to`, `points`, `across` and `rows`");
    }
    let count = u64::from(points.unwrap_or(1)) * u64::from(rows.unwrap_or(1));
    if count > u64::from(MAX_POINTS) {
        return fault(format!("`{path}` has {count} points"), "expected at most 10000");
    }
    let mut read =
        |numbers: &Option<Vec<f64>>, key: &str| numbers.as_ref().map(|numbers| vectors.read(numbers, format!("{path}.{key}")));
    if let Some(at) = read(at, "at") {
        return Some(PointGrid::point(at));
    }
    let line = PointGrid::line(read(from, "from")?, read(to, "to")?, (*points)?);
    Some(PointGrid { across: read(across, "across").unwrap_or(line.across), rows: rows.unwrap_or(1), ..line })
}

/// The opening of a flux probe. Adds its faults to those of `vectors`.
fn gate(table: &ProbeTable, path: &str, vectors: &mut Vectors) -> Option<FluxGate> {
    let ProbeTable { at, direction, radius, size, .. } = table;
    let mut read =
        |numbers: &Option<Vec<f64>>, key: &str| numbers.as_ref().map(|numbers| vectors.read(numbers, format!("{path}.{key}")));
    let (center, direction) = (read(at, "at")?, read(direction, "direction")?);
    let mut fault = |key: &str, message: &str, label: &str| {
        vectors.faults.push(Fault::at_path(format!("{path}{key}"), message, label));
        None
    };
    if direction.try_normalize().is_none() {
        return fault(".direction", "the direction of an opening has no length", "expected a direction");
    }
    let planar = vectors.dimensions.count() == 2;
    let aperture = match (radius, size) {
        (Some(radius), None) => Aperture::Round { radius: *radius as f32 },
        (None, Some(size)) => match (size.first(), size.get(1)) {
            (Some(&width), Some(&height)) => Aperture::Rectangle { size: Vec2::new(width as f32, height as f32) },
            (Some(&width), None) if planar => Aperture::Rectangle { size: Vec2::splat(width as f32) },
            _ => return fault(".size", "an opening in 3 dimensions needs two sizes", "expected a width and a height"),
        },
        _ => return fault("", "an opening must be round or rectangular", "expected `radius` or `size`"),
    };
    Some(FluxGate { center, direction, aperture })
}
