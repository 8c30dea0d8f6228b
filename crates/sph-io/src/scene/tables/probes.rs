//! `[[probes]]`: the probes of a scene.

use super::bodies::BodyTable;
use super::fluids::fluid_called;
use super::named::Named;
use super::order::keep_order;
use super::vectors::Vectors;
use crate::scene::error::{Fault, list};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sph_core::probes::{Gauge, Probe};
use sph_core::{Dimensions, Face, Fluid};

/// Most points on a line: as fine as any lattice.
const MAX_POINTS: u32 = 10_000;

/// Keys that a probe may have or not.
const OPTIONAL: [&str; 4] = ["face", "diameter", "container", "averaging"];

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
        let label = |label: String| if label.is_empty() { self.name.clone() } else { format!("{}.{label}", self.name) };
        self.probe.labels(dimensions).into_iter().map(label)
    }
}

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
    /// `pressure`: the point, usually on a wall. `water_height`: a point of the vertical line; its y does not matter.
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
    /// `velocity`: first point of the line.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub from: Option<Vec<f64>>,
    /// `velocity`: last point of the line.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub to: Option<Vec<f64>>,
    /// `velocity`: number of points, evenly from one end of the line to the other, both included.
    #[schemars(range(min = 2, max = MAX_POINTS))]
    pub points: Option<u32>,
    /// `force`: name of the body.
    pub body: Option<String>,
    /// `water_height`, `front`: name of the fluid, one of several, for its surface or front instead of that of all.
    #[schemars(extend("x-default" = "all fluids"))]
    pub fluid: Option<String>,
}

/// Quantities that probes measure.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProbeName {
    /// Pressure at a point, or as a gauge reads it (Pa).
    Pressure,
    /// Height of the surface on a vertical line; of one of several fluids, that of its upper interface (m).
    WaterHeight,
    /// Coordinate of the farthest fluid towards a face (m).
    Front,
    /// Velocity along a line (m/s).
    Velocity,
    /// Kinetic and potential energy (J).
    Energy,
    /// Force of the fluid on a body by each cause (N; in 2D N/m), and torque about its centre (N m; in 2D N).
    Force,
}

impl ProbeName {
    /// Its name in scene files, and its keys, of which it must have all but those of [`OPTIONAL`].
    fn keys(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Pressure => ("pressure", &["at", "face", "diameter", "container", "averaging"]),
            Self::WaterHeight => ("water_height", &["at"]),
            Self::Front => ("front", &["toward"]),
            Self::Velocity => ("velocity", &["from", "to", "points"]),
            Self::Energy => ("energy", &[]),
            Self::Force => ("force", &["body"]),
        }
    }

    /// True if it can be of one of several fluids.
    fn has_fluid(self) -> bool {
        matches!(self, Self::WaterHeight | Self::Front)
    }
}

/// The probes of the file, with its `solids`: bodies, and the number of containers. Adds their faults to those of `vectors`.
pub(crate) fn probes(
    tables: &[ProbeTable],
    solids: (&[BodyTable], usize),
    fluids: &[Fluid],
    vectors: &mut Vectors,
) -> Vec<NamedProbe> {
    let mut probes: Vec<NamedProbe> = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let path = format!("probes.{index}");
        if let Some(fault) = name_fault(&table.name, &probes, &path) {
            vectors.faults.push(fault);
        }
        if let Some(probe) = probe(table, &path, solids, fluids, vectors) {
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

/// The gauge of a pressure probe, in a scene with so many `containers`.
fn gauge(table: &ProbeTable, path: &str, containers: usize, vectors: &mut Vectors) -> Option<Gauge> {
    let &ProbeTable { face, diameter, container, averaging, .. } = table;
    let diameter = diameter.unwrap_or(0.0) as f32;
    if (diameter > 0.0) != face.is_some() {
        let message = "a gauge with a `diameter` above 0 lies in a `face` of the tank";
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

fn probe(
    table: &ProbeTable,
    path: &str,
    (bodies, containers): (&[BodyTable], usize),
    fluids: &[Fluid],
    vectors: &mut Vectors,
) -> Option<Probe> {
    let ProbeTable { kind, at, face, diameter, container, averaging, toward, from, to, points, body, fluid, .. } = table;
    let (kind_name, wanted) = kind.keys();
    let given = [
        ("at", at.is_some()),
        ("face", face.is_some()),
        ("diameter", diameter.is_some()),
        ("container", container.is_some()),
        ("averaging", averaging.is_some()),
        ("toward", toward.is_some()),
        ("from", from.is_some()),
        ("to", to.is_some()),
        ("points", points.is_some()),
        ("body", body.is_some()),
        ("fluid", fluid.is_some() && !kind.has_fluid()),
    ];
    let mut is_valid = true;
    for (key, given) in given {
        let fault = match (given, wanted.contains(&key)) {
            (false, true) if !OPTIONAL.contains(&key) => {
                Fault::at_path(path, format!("missing key `{key}` in `{path}`"), format!("expected `{key}`"))
            }
            (true, false) => {
                let message = format!("a probe of the kind `{kind_name}` has no `{key}`");
                let label = if wanted.is_empty() {
                    "expected no such key".to_owned()
                } else {
                    format!("it has {}", list(wanted.iter().copied()))
                };
                Fault::at_path(format!("{path}.{key}"), message, label)
            }
            _ => continue,
        };
        vectors.faults.push(fault);
        is_valid = false;
    }
    for (key, face) in [("toward", toward), ("face", face)] {
        if vectors.dimensions == Dimensions::Two && matches!(face, Some(Named(Face::ZMin | Face::ZMax))) {
            let message = "a scene of 2 dimensions has no faces along z";
            vectors.faults.push(Fault::at_path(format!("{path}.{key}"), message, "expected a face along x or y"));
            is_valid = false;
        }
    }
    let gauge = gauge(table, path, containers, vectors);
    let called = |name: &String| bodies.iter().position(|body| body.name.as_ref() == Some(name));
    if let Some(name) = body.as_ref().filter(|name| called(name).is_none()) {
        let known: Vec<&str> = bodies.iter().filter_map(|body| body.name.as_deref()).collect();
        let label = if known.is_empty() {
            "expected the `name` of one of the `[[bodies]]`, none of which has one".to_owned()
        } else {
            format!("expected {}", list(known))
        };
        vectors.faults.push(Fault::at_path(format!("{path}.body"), format!("no body is called `{name}`"), label));
        is_valid = false;
    }
    if !is_valid {
        return None;
    }
    let gauge = gauge?;
    let fluid = fluid.as_ref().map(|name| fluid_called(name, fluids, format!("{path}.fluid"), vectors));
    let mut point =
        |numbers: &Option<Vec<f64>>, key: &str| numbers.as_ref().map(|numbers| vectors.read(numbers, format!("{path}.{key}")));
    Some(match kind {
        ProbeName::Pressure => Probe::Pressure { at: point(at, "at")?, gauge },
        ProbeName::WaterHeight => Probe::WaterHeight { at: point(at, "at")?, fluid },
        ProbeName::Front => Probe::Front { toward: (*toward)?.0, fluid },
        ProbeName::Velocity => Probe::Velocity { from: point(from, "from")?, to: point(to, "to")?, points: (*points)? },
        ProbeName::Energy => Probe::Energy,
        ProbeName::Force => Probe::Force { body: called(body.as_ref()?)? },
    })
}
