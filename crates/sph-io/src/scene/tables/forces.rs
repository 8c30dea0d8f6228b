//! `[[forces]]`: external forces, added to gravity.

use super::keep_order;
use super::keys::{Keys, Vectors, check_keys};
use crate::scene::error::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sph_core::{CentralLaw, ExternalForce, Keyframe, Parameters};
use std::sync::LazyLock;

/// Most entries of a schedule: an hour at a tenth of a second.
const MAX_ENTRIES: u32 = 36_000;

/// Largest acceleration along an axis, m/s², and largest strength of a central force: that of gravity.
static MAX_ACCELERATION: LazyLock<f64> = LazyLock::new(|| Parameters::entry("gravity").bounds.high);

/// An external force, added to gravity.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct ForceTable {
    /// Dependence on position and time.
    pub kind: ForceName,
    /// `constant`: acceleration of the fluid.
    #[schemars(length(min = 2, max = 3), inner(range(min = -*MAX_ACCELERATION, max = *MAX_ACCELERATION)), extend("x-unit" = "m/s²"))]
    pub acceleration: Option<Vec<f64>>,
    /// `central`: point towards which the force pulls.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "the origin"))]
    pub center: Option<Vec<f64>>,
    /// `central`: dependence on the distance.
    #[schemars(extend("x-default" = LawName::default()))]
    pub law: Option<LawName>,
    /// `central`: acceleration per metre of distance with the law `linear`, acceleration with `constant`; negative pushes away.
    #[schemars(range(min = -*MAX_ACCELERATION, max = *MAX_ACCELERATION), extend("x-unit" = "1/s² or m/s²"))]
    pub strength: Option<f64>,
    /// `scheduled`: times of the entries, ascending.
    #[schemars(length(min = 1, max = MAX_ENTRIES), extend("x-unit" = "s"))]
    pub times: Option<Vec<f64>>,
    /// `scheduled`: acceleration at each of the times, linear between them and constant before the first and after the last.
    #[schemars(
        length(min = 1, max = MAX_ENTRIES),
        inner(inner(range(min = -*MAX_ACCELERATION, max = *MAX_ACCELERATION))),
        extend("x-unit" = "m/s²")
    )]
    pub accelerations: Option<Vec<Vec<f64>>>,
}

/// Kinds of forces.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ForceName {
    /// The same everywhere and always.
    Constant,
    /// Towards a point.
    Central,
    /// The same everywhere, changing with time.
    Scheduled,
}

/// Dependence of a central force on the distance.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LawName {
    /// Proportional to the distance.
    #[default]
    Linear,
    /// The same at any distance.
    Constant,
}

impl ForceName {
    fn keys(self) -> Keys {
        match self {
            Self::Constant => Keys { kind: "constant", required: &["acceleration"], optional: &[] },
            Self::Central => Keys { kind: "central", required: &["strength"], optional: &["center", "law"] },
            Self::Scheduled => Keys { kind: "scheduled", required: &["times", "accelerations"], optional: &[] },
        }
    }
}

/// The forces of the file. Adds their faults to those of `vectors`.
pub(crate) fn forces(tables: &[ForceTable], vectors: &mut Vectors) -> Vec<ExternalForce> {
    tables.iter().enumerate().map(|(index, table)| force(table, &format!("forces.{index}"), vectors)).collect()
}

fn force(table: &ForceTable, path: &str, vectors: &mut Vectors) -> ExternalForce {
    let ForceTable { kind, acceleration, center, law, strength, times, accelerations } = table;
    let given = [
        ("acceleration", acceleration.is_some()),
        ("center", center.is_some()),
        ("law", law.is_some()),
        ("strength", strength.is_some()),
        ("times", times.is_some()),
        ("accelerations", accelerations.is_some()),
    ];
    check_keys("force", kind.keys(), &given, path, vectors);
    let mut read = |numbers: &Option<Vec<f64>>, key: &str| {
        numbers.as_ref().map_or(glam::Vec3::ZERO, |numbers| vectors.read(numbers, format!("{path}.{key}")))
    };
    match kind {
        ForceName::Constant => ExternalForce::Constant(read(acceleration, "acceleration")),
        ForceName::Central => {
            let strength = strength.unwrap_or(0.0) as f32;
            let law = match law.unwrap_or_default() {
                LawName::Linear => CentralLaw::Linear(strength),
                LawName::Constant => CentralLaw::Constant(strength),
            };
            ExternalForce::Central { center: read(center, "center"), law }
        }
        ForceName::Scheduled => {
            let (times, rows) = (times.as_deref().unwrap_or_default(), accelerations.as_deref().unwrap_or_default());
            ExternalForce::Scheduled(schedule(times, rows, path, vectors))
        }
    }
}

fn schedule(times: &[f64], rows: &[Vec<f64>], path: &str, vectors: &mut Vectors) -> Vec<Keyframe> {
    let axes = vectors.dimensions.count();
    if times.len() != rows.len() && !times.is_empty() && !rows.is_empty() {
        let message = format!("`{path}` has {} times and {} accelerations", times.len(), rows.len());
        vectors.faults.push(Fault::at_path(format!("{path}.accelerations"), message, "expected one for each time"));
    }
    if let Some(index) = (1..times.len()).find(|&index| times[index] <= times[index - 1]) {
        let message = format!("the time {} s comes after {} s", times[index], times[index - 1]);
        vectors.faults.push(Fault::at_path(format!("{path}.times.{index}"), message, "expected a later time"));
    }
    if let Some(index) = rows.iter().position(|row| !(axes..=3).contains(&row.len())) {
        let place = format!("{path}.accelerations.{index}");
        let message = format!("`{place}` has {} numbers in a scene of {axes} dimensions", rows[index].len());
        vectors.faults.push(Fault::at_path(place, message, format!("expected {axes} numbers")));
        return Vec::new();
    }
    let keyframe = |(&time, row): (&f64, &Vec<f64>)| Keyframe { time, acceleration: vectors.read(row, path) };
    times.iter().zip(rows).map(keyframe).collect()
}
