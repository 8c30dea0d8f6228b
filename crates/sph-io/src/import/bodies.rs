//! `RigidBodies`: containers and bodies, boxes and meshes, and their rotations.

use std::path::{Path, PathBuf};

use super::configuration::Space;
use super::table::{Known, Report, Section, Table, number, numbers, text};
use crate::{SourceFiles, mesh};
use glam::{DMat3, DVec3};
use sph_core::{MeshError, TriangleMesh};

/// Keys of a body without an equivalent.
const WITHOUT: Known<'_> = &[
    ("display only", &["color", "isWall", "id", "visMesh", "flatShading"]),
    (
        "this program samples surfaces itself",
        &["samplingMode", "particleFile", "mapThickness", "mapResolution", "mapFile", "mapInvert", "invertSDF"],
    ),
    ("only for bodies that move by forces", &["restitution", "friction", "velocity", "angularVelocity"]),
    (
        "contacts use the shape itself",
        &[
            "collisionObjectType",
            "collisionObjectScale",
            "collisionObjectFileName",
            "resolutionSDF",
            "thicknessSDF",
            "testMesh",
        ],
    ),
    ("its script is not read", &["isAnimated"]),
];

/// Geometry of a body.
#[derive(Debug)]
enum Geometry {
    /// The unit box; `open` if it has no lid.
    Box { open: bool },
    /// A mesh, by its place as the scene will name it.
    Mesh(String),
}

/// Motion by forces: velocities at the start (m/s and rad/s), and coefficients of contacts.
#[derive(Debug)]
struct Dynamics {
    velocity: Option<[f64; 3]>,
    angular_velocity: Option<[f64; 3]>,
    friction: Option<f64>,
    restitution: Option<f64>,
}

impl Dynamics {
    fn read(table: &Table<'_>, report: &mut Report) -> Self {
        Self {
            velocity: table.vector("velocity", report),
            angular_velocity: table.vector("angularVelocity", report),
            friction: table.number("friction", report).map(|friction| friction.clamp(0.0, 10.0)),
            restitution: table.number("restitution", report).map(|restitution| restitution.clamp(0.0, 1.0)),
        }
    }

    /// The table, in one line.
    fn write(&self, space: Space) -> String {
        let turning = |[x, y, z]: [f64; 3]| match space.dimensions {
            2 => format!("[{}]", number(z.to_degrees())),
            _ => space.vector([x, y, z].map(f64::to_degrees)),
        };
        let keys = [
            ("velocity", self.velocity.map(|velocity| space.vector(velocity))),
            ("angular_velocity", self.angular_velocity.map(turning)),
            ("friction", self.friction.map(number)),
            ("restitution", self.restitution.map(number)),
        ];
        let given: Vec<String> = keys.into_iter().filter_map(|(key, value)| Some(format!("{key} = {}", value?))).collect();
        if given.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", given.join(", ")) }
    }
}

/// A body or a container.
#[derive(Debug)]
pub(super) struct Solid {
    path: String,
    geometry: Geometry,
    translation: [f64; 3],
    scale: [f64; 3],
    rotation: Rotation,
    inverted: bool,
    /// Motion by forces.
    dynamics: Option<Dynamics>,
    density: Option<f64>,
}

/// Folder of the file, and that of the scene that is written, if it is another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folders<'p> {
    pub file: &'p Path,
    pub scene: Option<&'p Path>,
}

impl Solid {
    /// The body of a table, if it has a geometry. A mesh that tells if it is a container becomes one of `files`.
    pub fn read(
        table: &Table<'_>,
        (folders, files): (Folders<'_>, &mut SourceFiles),
        space: Space,
        report: &mut Report,
    ) -> Option<Self> {
        let name = table.text("geometryFile", report);
        let geometry = match (&name, table.get("geometryFile")) {
            (Some(name), Some(node)) => {
                let file = name.replace('\\', "/");
                match Path::new(&file).file_name().and_then(|name| name.to_str()).map(str::to_lowercase).as_deref() {
                    Some("unitbox.obj") => Some(Geometry::Box { open: false }),
                    Some("unitboxopened.obj") => Some(Geometry::Box { open: true }),
                    _ => {
                        let whole = folders.file.join(&file);
                        if !whole.is_file() {
                            report.fault(node, format!("there is no mesh {}", whole.display()), "expected a mesh file");
                        }
                        Some(Geometry::Mesh(folders.named(&file, &whole)))
                    }
                }
            }
            _ => None,
        };
        let flags = ["mapInvert", "invertSDF"].map(|key| table.flag(key, report).unwrap_or(false));
        let mut is_open = || name.as_ref().is_some_and(|name| is_open_mesh(&folders.file.join(name.replace('\\', "/")), files));
        let inverted = flags.contains(&true)
            && match geometry {
                Some(Geometry::Mesh(_)) if is_open() => {
                    report.remark(
                        &table.path,
                        "the mesh is not closed and has no inside: a body around the fluid, not a container",
                    );
                    false
                }
                _ => true,
            };
        let solid = Self {
            path: table.path.clone(),
            geometry: geometry?,
            translation: table.vector("translation", report).unwrap_or_default(),
            scale: table.vector("scale", report).unwrap_or([1.0; 3]),
            rotation: Rotation::read(table, space, report),
            inverted,
            dynamics: table.flag("isDynamic", report).unwrap_or(false).then(|| Dynamics::read(table, report)),
            density: table.number("density", report).filter(|&density| density > 0.0),
        };
        table.report_rest(WITHOUT, report);
        Some(solid)
    }

    /// True if it holds fluid: turned inside out, or around the middle of fluid. All surfaces hold fluid on both sides there.
    pub fn is_container(&self, fluid: impl IntoIterator<Item = [f64; 3]>, space: Space) -> bool {
        let (min, max) = self.bounds();
        let holds = |at: [f64; 3]| (0..space.dimensions).all(|axis| min[axis] < at[axis] && at[axis] < max[axis]);
        let is_box = matches!(self.geometry, Geometry::Box { .. });
        self.dynamics.is_none() && (self.inverted || is_box && fluid.into_iter().any(holds))
    }

    /// The box that it is, before it is turned.
    pub fn bounds(&self) -> ([f64; 3], [f64; 3]) {
        let corner = |side: f64| [0, 1, 2].map(|axis| self.translation[axis] + side * 0.5 * self.scale[axis].abs());
        (corner(-1.0), corner(1.0))
    }

    /// True for a box along the axes.
    pub fn is_aligned_box(&self) -> bool {
        matches!(self.geometry, Geometry::Box { .. }) && self.rotation.is_none()
    }

    pub fn write(&self, is_container: bool, space: Space, report: &mut Report) -> String {
        let mut section = Section::new(if is_container { "[[containers]]" } else { "[[bodies]]" });
        match &self.geometry {
            Geometry::Box { open } => {
                let (min, max) = self.bounds();
                section.set("min", space.vector(min));
                section.set("max", space.vector(max));
                match (open, is_container) {
                    (true, true) => section.set("open", "[\"y_max\"]"),
                    (true, false) => {
                        report.remark(&self.path, "an open box without fluid is imported as a closed one");
                    }
                    _ => {}
                }
            }
            Geometry::Mesh(file) => {
                section.set("shape", "\"mesh\"");
                section.set("file", text(file));
                section.set("scale", space.vector(self.scale));
                section.set("translation", space.vector(self.translation));
            }
        }
        if !self.rotation.is_none() {
            section.set("orientation", self.rotation.orientation());
        }
        if let (Some(density), false) = (self.density, is_container) {
            section.set("density", number(density));
        }
        if let (Some(dynamics), false) = (&self.dynamics, is_container) {
            section.set("dynamics", dynamics.write(space));
        }
        section.text().to_owned()
    }
}

/// True for a mesh that can be read and is not made of closed surfaces.
fn is_open_mesh(path: &Path, files: &mut SourceFiles) -> bool {
    mesh::read(path, files).is_ok_and(|mesh| {
        let made = TriangleMesh::new(&mesh.vertices, &mesh.triangles);
        matches!(made, Err(MeshError::Open { .. } | MeshError::NotManifold { .. }))
    })
}

impl Folders<'_> {
    /// The name of a file for the scene: as in the imported file if both are in one folder, else the way from one folder to the other.
    pub fn named(self, file: &str, whole: &Path) -> String {
        let absolute = |path: &Path| {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            // The scene's folder may not be there yet.
            path.canonicalize().or_else(|_| std::path::absolute(path)).ok()
        };
        let (Some(scene), Some(target)) = (self.scene.and_then(absolute), absolute(whole)) else { return file.to_owned() };
        if absolute(self.file).as_ref() == Some(&scene) {
            return file.to_owned();
        }
        let (from, to): (Vec<_>, Vec<_>) = (scene.components().collect(), target.components().collect());
        let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
        if shared == 0 {
            return target.to_string_lossy().into_owned();
        }
        let up = std::iter::repeat_n("..".into(), from.len() - shared);
        let way: PathBuf = up.chain(to[shared..].iter().map(|part| PathBuf::from(part.as_os_str()))).collect();
        way.to_string_lossy().replace('\\', "/")
    }
}

// Rotations: an axis of any length and an angle in radians.

/// Rotation of a body or an emitter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rotation {
    axis: DVec3,
    /// Angle, rad.
    angle: f64,
}

impl Rotation {
    /// The rotation of a table. In two dimensions it is about z; another is left out, with a remark.
    pub fn read(table: &Table<'_>, space: Space, report: &mut Report) -> Self {
        let rotation = Self::in_space(table, report);
        let Self { axis, angle } = rotation;
        if space.dimensions == 3 {
            return rotation;
        }
        if axis.z.abs() < 0.999 && !rotation.is_none() {
            report.remark(&table.path, "rotationAxis: in 2D, rotations are about z; not rotated");
            return Self { axis: DVec3::Z, angle: 0.0 };
        }
        Self { axis: DVec3::Z, angle: angle * axis.z.signum() }
    }

    /// The rotation of an emitter, in two dimensions about z, whatever its axis.
    pub fn of_emitter(table: &Table<'_>, space: Space, report: &mut Report) -> Self {
        let rotation = Self::in_space(table, report);
        if space.dimensions == 2 { Self { axis: DVec3::Z, ..rotation } } else { rotation }
    }

    fn in_space(table: &Table<'_>, report: &mut Report) -> Self {
        let axis = table.vector("rotationAxis", report).and_then(|axis| DVec3::from_array(axis).try_normalize());
        Self { axis: axis.unwrap_or(DVec3::Z), angle: table.number("rotationAngle", report).unwrap_or(0.0) }
    }

    pub fn matrix(self) -> DMat3 {
        DMat3::from_axis_angle(self.axis, self.angle)
    }

    /// True if it turns nothing.
    pub fn is_none(self) -> bool {
        self.angle.rem_euclid(std::f64::consts::TAU).min((-self.angle).rem_euclid(std::f64::consts::TAU)) < 1e-9
    }

    /// `orientation`, whose angle is in degrees.
    pub fn orientation(self) -> String {
        let degrees = (self.angle.to_degrees() * 1e6).round() / 1e6;
        format!("{{ axis = {}, angle = {} }}", numbers(&self.axis.to_array()), number(degrees))
    }
}
