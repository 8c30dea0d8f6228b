//! `[[joints]]`: joints between bodies, and between a body and space.

use super::super::kinds::{Keys, check_keys};
use super::super::named::Named;
use super::super::order::keep_order;
use super::super::vectors::Vectors;
use super::{BodyTable, body_called};
use glam::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Dimensions, Joint, JointEnd, JointKind, Motor};

/// A joint between a body that moves by forces and another one, or space. Points and directions are those at the start.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct JointTable {
    /// Kind, on which the other keys depend.
    pub kind: Named<JointKind>,
    /// Name of the body.
    pub body: String,
    /// Name of the body at the other end.
    #[schemars(extend("x-default" = "space: the joint stays where it is"))]
    pub to: Option<String>,
    /// Point at which the body is held.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub anchor: Vec<f64>,
    /// Point at the other end of a rope or a spring.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub to_anchor: Option<Vec<f64>>,
    /// Axis of a hinge or a slider, of any length: required, except of a hinge in two dimensions, which is along z.
    #[schemars(length(min = 2, max = 3))]
    pub axis: Option<Vec<f64>>,
    /// Least and greatest angle of a hinge (°) or displacement of a slider (m), from the start.
    #[schemars(length(min = 2, max = 2), extend("x-unit" = "° or m", "x-default" = "none"))]
    pub limits: Option<[f64; 2]>,
    /// Motor of a hinge or a slider; default: none.
    pub motor: Option<MotorTable>,
    /// Greatest length of a rope, or length of a spring without force.
    #[schemars(range(min = 0), extend("x-unit" = "m", "x-default" = "the distance at the start"))]
    pub length: Option<f64>,
    /// Stiffness of a spring.
    #[schemars(range(min = 0), extend("x-unit" = "N/m"))]
    pub stiffness: Option<f64>,
    /// Damping of a spring.
    #[schemars(range(min = 0), extend("x-unit" = "N s/m", "x-default" = "0"))]
    pub damping: Option<f64>,
}

/// Motor of a joint.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct MotorTable {
    /// Angular velocity of a hinge (°/s) or velocity of a slider (m/s) that it drives to.
    #[schemars(extend("x-unit" = "°/s or m/s"))]
    pub velocity: f64,
    /// Largest torque (N m) or force (N).
    #[schemars(range(min = 0), extend("x-unit" = "N m or N"))]
    pub limit: f64,
}

/// The joint of the table at `joints.index`. Adds its faults to those of `vectors`.
pub(crate) fn joint(table: &JointTable, index: usize, bodies: &[BodyTable], vectors: &mut Vectors) -> Option<Joint> {
    let JointTable { kind, body, to, anchor, to_anchor, axis, limits, motor, length, stiffness, damping } = table;
    let (kind, path, before) = (kind.0, format!("joints.{index}"), vectors.faults.len());
    let given = [
        ("to_anchor", to_anchor.is_some()),
        ("axis", axis.is_some()),
        ("limits", limits.is_some()),
        ("motor", motor.is_some()),
        ("length", length.is_some()),
        ("stiffness", stiffness.is_some()),
        ("damping", damping.is_some()),
    ];
    let planar = vectors.dimensions == Dimensions::Two;
    let (required, optional): (&[&str], &[&str]) = match kind {
        JointKind::Hinge if planar => (&[], &["axis", "limits", "motor"]),
        JointKind::Hinge | JointKind::Slider => (&["axis"], &["limits", "motor"]),
        JointKind::Ball | JointKind::Fixed => (&[], &[]),
        JointKind::Rope => (&["to_anchor"], &["length"]),
        JointKind::Spring => (&["to_anchor", "stiffness"], &["length", "damping"]),
    };
    check_keys("joint", Keys { kind: kind.name(), required, optional }, &given, &path, vectors);
    let body = body_called(body, bodies, format!("{path}.body"), vectors);
    let to = match to {
        Some(name) => body_called(name, bodies, format!("{path}.to"), vectors).map(JointEnd::Body),
        None => Some(JointEnd::Space),
    };
    let anchor = vectors.read(anchor, format!("{path}.anchor"));
    let to_anchor = to_anchor.as_ref().map_or(anchor, |point| vectors.read(point, format!("{path}.to_anchor")));
    let axis = match axis {
        // In two dimensions bodies turn about z.
        _ if planar && kind == JointKind::Hinge => Vec3::Z,
        Some(axis) => vectors.read(axis, format!("{path}.axis")),
        None => Vec3::Z,
    };
    if vectors.faults.len() > before {
        return None;
    }
    // Angles in degrees.
    let factor = if kind == JointKind::Hinge { 1f64.to_radians() } else { 1.0 };
    let scaled = |number: f64| (factor * number) as f32;
    Some(Joint {
        kind,
        body: body?,
        to: to?,
        anchor,
        to_anchor,
        axis,
        limits: limits.map(|limits| limits.map(scaled)),
        motor: motor.as_ref().map(|motor| Motor { velocity: scaled(motor.velocity), limit: motor.limit as f32 }),
        length: length.map_or(anchor.distance(to_anchor), |length| length as f32),
        stiffness: stiffness.unwrap_or(0.0) as f32,
        damping: damping.unwrap_or(0.0) as f32,
    })
}
