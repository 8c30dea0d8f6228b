//! `[[probes]]`: the probes of a scene.

mod places;
mod table;

pub(crate) use table::ProbeTable;

use super::bodies::{BodyTable, body_called};
use super::fluids::fluid_called;
use super::named::Named;
use super::vectors::Vectors;
use crate::scene::error::{Fault, list};
use places::{gate, gauge, points};
use sph_core::probes::{Gauge, Probe, Quantity, Reading};
use sph_core::{Dimensions, Face, Fluid};
use std::path::Path;
use table::ProbeName;

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

/// The probes of the file, with its `solids`: bodies, and the number of containers. Meshes are relative to `folder`. Adds their faults to those of `vectors`.
pub(crate) fn probes(
    tables: &[ProbeTable],
    solids: (&[BodyTable], usize),
    fluids: &[Fluid],
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> Vec<NamedProbe> {
    let mut probes: Vec<NamedProbe> = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let path = format!("probes.{index}");
        if let Some(fault) = name_fault(&table.name, &probes, &path) {
            vectors.faults.push(fault);
        }
        if let Some(probe) = probe(table, &path, solids, fluids, (folder, vectors)) {
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
    fluids: &[Fluid],
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
        ProbeName::WallForce => return Some(Probe::WallForce),
    };
    let points = points(table, path, vectors)?;
    if gauge != Gauge::default() && table.at.is_none() {
        let message = "a gauge with a `face`, a `container` or an `averaging` time is at one point";
        vectors.faults.push(Fault::at_path(path, message, "expected `at` instead of `from`"));
    }
    Some(match quantity {
        Quantity::Pressure if table.at.is_some() => Probe::Pressure { at: points.from, gauge },
        Quantity::WaterHeight(fluid) if table.at.is_some() => Probe::WaterHeight { at: points.from, fluid },
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
