//! `[[bodies]]`: solid bodies in the fluid, and `[[joints]]` between them.

use std::path::Path;

use super::keys::{Keys, Named, Vectors, check_keys};
use super::{MAX_FILE_BYTES, MotionKeys, Region, RotationTable, ShapeKeys, keep_order, motion, region, with_solid_keys};
use crate::scene::error::Fault;
use crate::words::list;
use glam::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Body, Dimensions, Dynamics, FreeAxis, Freedom, Joint, JointEnd, JointKind, MAX_SPEED, Motor, Slip};

with_solid_keys! {
    /// A solid body in the fluid.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[schemars(transform = keep_order::<Self>)]
    pub(crate) struct BodyTable {
        /// Name by which probes and joints refer to the body.
        #[schemars(extend("x-default" = "none"))]
        pub name: Option<String>,
        /// Boundary condition for the velocity along its surface.
        #[serde(default)]
        pub slip: Named<Slip>,
        /// Density, from which its mass and moments of inertia follow.
        #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "kg/m³", "default" = 1000.0))]
        pub density: Option<f64>,
        /// Constant velocity; that of the pivot if the body rotates.
        #[schemars(length(min = 2, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "at rest"))]
        pub velocity: Option<Vec<f64>>,
        /// Velocity over time: each row is a time and a velocity, linear between rows and constant before the first and after the last.
        /// `motion = [[0.0, 0.0, 0.0], [1.0, 2.0, 0.0]]` accelerates for a second.
        #[schemars(extend("x-unit" = "s, m/s", "x-range" = "rows of 3 or 4 numbers, times ascending"))]
        pub motion: Option<Vec<Vec<f64>>>,
        /// File with such rows, comma-separated, relative to the scene's folder. Lines that begin with `#` and a header line are skipped.
        #[schemars(extend("x-range" = format!("a file name; at most {} MiB", MAX_FILE_BYTES >> 20)))]
        pub motion_file: Option<String>,
        /// Rotation about an axis through a point that moves with the body; default: none.
        pub rotation: Option<RotationTable>,
        /// Motion by the forces of fluid, gravity, contacts and joints instead of a prescribed one; `dynamics = {}` uses all
        /// defaults.
        pub dynamics: Option<DynamicsTable>,
    }
}

/// The body of the table at `bodies.index`. Adds its faults to those of `vectors`.
pub(crate) fn body(table: &BodyTable, index: usize, folder: Option<&Path>, vectors: &mut Vectors) -> Body {
    let path = format!("bodies.{index}");
    let keys = ShapeKeys { may_be_open: table.dynamics.is_none(), ..table.shape_keys() };
    let Region { shape, min, max } = region(&keys, [&table.unite, &table.subtract], &path, folder, vectors);
    let BodyTable { velocity, motion: rows, motion_file, rotation, .. } = table;
    let keys = MotionKeys { velocity, rows, file: motion_file, rotation };
    let motion = motion(&keys, &path, 0.5 * (min + max), folder, vectors);
    let density = table.density.unwrap_or_else(default_density);
    let body = Body { min, max, shape, slip: table.slip.0, motion, density: density as f32, dynamics: None };
    let Some(free) = &table.dynamics else { return body };
    let prescribed = [
        ("velocity", velocity.is_some()),
        ("motion", rows.is_some()),
        ("motion_file", motion_file.is_some()),
        ("rotation", rotation.is_some()),
    ];
    for (key, _) in prescribed.into_iter().filter(|(_, given)| *given) {
        let message = format!("`{path}` has both `dynamics` and a prescribed motion");
        vectors.faults.push(Fault::at_path(format!("{path}.{key}"), message, "expected no such key with `dynamics`"));
    }
    if free.mass.is_some() && table.density.is_some() {
        let message = format!("`{path}` has both a density and a mass");
        vectors.faults.push(Fault::at_path(format!("{path}.density"), message, "expected no such key with `dynamics.mass`"));
    }
    dynamics(free, body, &path, vectors)
}

/// Adds a fault to those of `vectors` for each body with the name of one before it.
pub(crate) fn check_names(bodies: &[BodyTable], vectors: &mut Vectors) {
    for (index, body) in bodies.iter().enumerate() {
        let Some(name) = &body.name else { continue };
        if bodies[..index].iter().any(|other| other.name.as_ref() == Some(name)) {
            let message = format!("two bodies are called `{name}`");
            vectors.faults.push(Fault::at_path(format!("bodies.{index}.name"), message, "expected another name"));
        }
    }
}

/// Index of the body called `name`. Adds a fault at `path` to those of `vectors` if there is none.
pub(crate) fn body_called(name: &str, bodies: &[BodyTable], path: String, vectors: &mut Vectors) -> Option<usize> {
    let found = bodies.iter().position(|body| body.name.as_deref() == Some(name));
    if found.is_none() {
        let known: Vec<&str> = bodies.iter().filter_map(|body| body.name.as_deref()).collect();
        let label = if known.is_empty() {
            "expected the `name` of one of the `[[bodies]]`, none of which has one".to_owned()
        } else {
            format!("expected {}", list(known))
        };
        vectors.faults.push(Fault::at_path(path, format!("no body is called `{name}`"), label));
    }
    found
}

fn default_density() -> f64 {
    Body::default().density.into()
}

// `dynamics` of a body: motion by forces.

/// Motion of a body by the forces of fluid, gravity, contacts and joints.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct DynamicsTable {
    /// Initial velocity of the centre of mass.
    #[schemars(length(min = 2, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "at rest"))]
    pub velocity: Option<Vec<f64>>,
    /// Initial angular velocity about each axis; in two dimensions about z, as one number or the last of three.
    #[schemars(length(min = 1, max = 3), inner(range(min = -1e6, max = 1e6)), extend("x-unit" = "°/s", "x-default" = "0"))]
    pub angular_velocity: Option<Vec<f64>>,
    /// Mass, instead of a density, which then follows from mass and shape.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "kg", "x-default" = "from `density`"))]
    pub mass: Option<f64>,
    /// Coefficient of friction at contacts with solids; that of a contact is the mean of both sides. Walls have 0.5.
    #[serde(default = "default_friction")]
    #[schemars(range(min = 0, max = 10))]
    pub friction: f64,
    /// Coefficient of restitution at contacts with solids: 0 for no rebound, 1 for a rebound at full speed. That of a contact
    /// is the mean of both sides. Walls have 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub restitution: f64,
    /// Translations and rotations that are locked.
    #[serde(default)]
    #[schemars(extend("x-default" = "none"))]
    pub locked: Vec<Named<FreeAxis>>,
}

/// `body`, which moves by forces as the table in the one at `path` says. Adds its faults to those of `vectors`.
fn dynamics(table: &DynamicsTable, body: Body, path: &str, vectors: &mut Vectors) -> Body {
    let DynamicsTable { velocity, angular_velocity, mass, friction, restitution, locked } = table;
    let path = format!("{path}.dynamics");
    let velocity = velocity.as_ref().map(|numbers| vectors.read(numbers, format!("{path}.velocity"))).unwrap_or_default();
    let planar = vectors.dimensions == Dimensions::Two;
    let angular_velocity = match angular_velocity.as_deref() {
        None => Vec3::ZERO,
        Some(&[.., about_z]) if planar => (about_z as f32).to_radians() * Vec3::Z,
        Some(&[x, y, z]) => Vec3::new(x as f32, y as f32, z as f32).map(f32::to_radians),
        Some(numbers) => {
            let message = format!("`{path}.angular_velocity` has {} numbers in a scene of 3 dimensions", numbers.len());
            vectors.faults.push(Fault::at_path(format!("{path}.angular_velocity"), message, "expected 3 numbers"));
            Vec3::ZERO
        }
    };
    let freedom = locked.iter().fold(Freedom::ALL, |freedom, axis| freedom.without(axis.0));
    let dynamics =
        Dynamics { velocity, angular_velocity, friction: *friction as f32, restitution: *restitution as f32, freedom };
    let body = Body { dynamics: Some(dynamics), ..body };
    match mass {
        Some(mass) => {
            let volume = Body { density: 1.0, ..body.clone() }.mass(vectors.dimensions);
            Body { density: (mass / f64::from(volume)) as f32, ..body }
        }
        None => body,
    }
}

fn default_friction() -> f64 {
    Dynamics::default().friction.into()
}

// `[[joints]]`: joints between bodies, and between a body and space.

/// A joint between a body that moves by forces and another one, or space. Points and directions are those at the start.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct JointTable {
    /// Kind, which determines the other keys.
    pub kind: Named<JointKind>,
    /// Name of the body.
    pub body: String,
    /// Name of the body at the other end.
    #[schemars(extend("x-default" = "a point in space"))]
    pub to: Option<String>,
    /// Point at which the body is attached.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub anchor: Vec<f64>,
    /// Point at the other end of a rope or a spring.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub to_anchor: Option<Vec<f64>>,
    /// Axis of a hinge or a slider, of any length: required, except for a hinge in two dimensions, which is along z.
    #[schemars(length(min = 2, max = 3))]
    pub axis: Option<Vec<f64>>,
    /// Minimum and maximum angle of a hinge (°) or displacement of a slider (m), from the start.
    #[schemars(length(min = 2, max = 2), extend("x-unit" = "° or m", "x-default" = "none"))]
    pub limits: Option<[f64; 2]>,
    /// Motor of a hinge or a slider; default: none.
    pub motor: Option<MotorTable>,
    /// Maximum length of a rope, or rest length of a spring.
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
    /// Target angular velocity of a hinge (°/s) or velocity of a slider (m/s).
    #[schemars(extend("x-unit" = "°/s or m/s"))]
    pub velocity: f64,
    /// Maximum torque (N m) or force (N).
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
