//! `FluidBlocks`, the boxes of fluid, `FluidModels`, the files of particles, and `Emitters`, the openings through which fluid comes in.

use super::bodies::{Folders, Rotation};
use super::configuration::Space;
use super::json::Json;
use super::materials::USUAL;
use super::table::{Known, Report, Section, Table, number, numbers, text};
use crate::{SourceFiles, particle_file};
use glam::{DVec3, Vec3};

/// A box of fluid.
#[derive(Debug)]
pub(super) struct Block {
    path: String,
    pub id: String,
    min: [f64; 3],
    max: [f64; 3],
    velocity: Option<[f64; 3]>,
    dense: bool,
}

impl Block {
    /// The block of a table, if it has a start and an end.
    pub fn read(table: &Table<'_>, report: &mut Report) -> Option<Self> {
        let id = table.text("id", report).unwrap_or_else(|| USUAL.to_owned());
        let translation = table.vector("translation", report).unwrap_or_default();
        let scale = table.vector("scale", report).unwrap_or([1.0; 3]);
        let (start, end) = (table.vector("start", report), table.vector("end", report));
        let velocity = table.vector("initialVelocity", report).filter(|velocity| *velocity != [0.0; 3]);
        let dense = table.method("denseMode", report).is_some_and(|mode| mode != "0");
        if dense {
            report.remark(&table.path, "denseMode: hexagonal; the particles are no denser than the fluid's rest density");
        }
        table.report_rest(&[("display only", &["visMesh"]), ("no equivalent", &["initialAngularVelocity"])], report);
        let (Some(start), Some(end)) = (start, end) else {
            report.remark(&table.path, "without `start` and `end`, left out");
            return None;
        };
        let corner = |corner: [f64; 3]| [0, 1, 2].map(|axis| scale[axis] * corner[axis] + translation[axis]);
        let (start, end) = (corner(start), corner(end));
        let (min, max) = ([0, 1, 2].map(|axis| start[axis].min(end[axis])), [0, 1, 2].map(|axis| start[axis].max(end[axis])));
        Some(Self { path: table.path.clone(), id, min, max, velocity, dense })
    }

    pub fn center(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| 0.5 * (self.min[axis] + self.max[axis]))
    }

    /// Makes the block end at the faces of the box from `min` to `max`.
    pub fn cut(&mut self, min: [f64; 3], max: [f64; 3], space: Space, report: &mut Report) {
        let before = (self.min, self.max);
        for axis in 0..space.dimensions {
            self.min[axis] = self.min[axis].max(min[axis]);
            self.max[axis] = self.max[axis].min(max[axis]);
        }
        if before != (self.min, self.max) {
            report.remark(&self.path, "reaches into the walls; cut there");
        }
    }

    /// Shortens the block where its extents are far from a whole number of spacings.
    pub fn fit(&mut self, space: Space, report: &mut Report) {
        let mut is_shorter = false;
        for axis in 0..space.dimensions {
            let count = (self.max[axis] - self.min[axis]) / space.spacing;
            // A stretch of 5 % is left to the reader of scenes, which allows 6 %.
            if (count.round() / count - 1.0).abs() > 0.05 && !self.dense {
                self.max[axis] = self.min[axis] + count.floor().max(1.0) * space.spacing;
                is_shorter = true;
            }
        }
        if is_shorter {
            report.remark(&self.path, "is not a whole number of particles long; cut to whole particles");
        }
    }

    /// Approximate number of particles.
    pub fn particles(&self, space: Space) -> f64 {
        (0..space.dimensions).map(|axis| ((self.max[axis] - self.min[axis]) / space.spacing).round().max(1.0)).product()
    }

    pub fn write(&self, space: Space, several_fluids: bool, bodies: bool) -> String {
        let mut section = Section::new("[[fluid.blocks]]");
        section.set("min", space.vector(self.min));
        section.set("max", space.vector(self.max));
        if self.dense {
            section.set("filling", "\"hexagonal\"");
        }
        if several_fluids {
            section.set("fluid", text(&self.id));
        }
        if let Some(velocity) = self.velocity {
            section.set("velocity", space.vector(velocity));
        }
        if bodies {
            section.set("around_bodies", "true");
        }
        section.set("initial_pressure", "\"zero\"");
        section.text().to_owned()
    }
}

// `FluidModels`: particles from files.

/// A file of particles.
#[derive(Debug)]
pub(super) struct Model {
    pub id: String,
    /// The file, as the scene will name it.
    file: String,
    /// Number of particles.
    pub count: usize,
    /// Middle of the box around the particles as they are placed, m.
    pub center: [f64; 3],
    translation: [f64; 3],
    scale: [f64; 3],
    rotation: Rotation,
    velocity: Option<[f64; 3]>,
}

impl Model {
    /// The model of a table, if it names a file that can be read; the file becomes one of `files`.
    pub fn read(
        table: &Table<'_>,
        (folders, files): (Folders<'_>, &mut SourceFiles),
        space: Space,
        report: &mut Report,
    ) -> Option<Self> {
        let id = table.text("id", report).unwrap_or_else(|| USUAL.to_owned());
        let translation = table.vector("translation", report).unwrap_or_default();
        let scale = match table.get("scale").map(|node| &node.value) {
            Some(&Json::Number(factor)) => [factor; 3],
            _ => table.vector("scale", report).unwrap_or([1.0; 3]),
        };
        let rotation = Rotation::read(table, space, report);
        let velocity = table.vector("initialVelocity", report).filter(|velocity| *velocity != [0.0; 3]);
        let name = table.text("particleFile", report);
        table.report_rest(&[("display only", &["visMesh"]), ("no equivalent", &["initialAngularVelocity"])], report);
        let (Some(name), Some(node)) = (name, table.get("particleFile")) else {
            report.remark(&table.path, "without `particleFile`, left out");
            return None;
        };
        let name = name.replace('\\', "/");
        let whole = folders.file.join(&name);
        if !whole.is_file() {
            report.fault(node, format!("there is no particle file {}", whole.display()), "expected a file of particles");
            return None;
        }
        let points = particle_file::read(&whole, files);
        let points = points.map_err(|fault| report.fault(node, fault, "expected a file of particles")).ok()?;
        let ends = |[low, high]: [Vec3; 2], &at: &Vec3| [low.min(at), high.max(at)];
        let [low, high] = points.positions.iter().fold([Vec3::INFINITY, Vec3::NEG_INFINITY], ends);
        let middle = rotation.matrix() * (DVec3::from(scale) * 0.5 * (low + high).as_dvec3()) + DVec3::from(translation);
        Some(Self {
            id,
            file: folders.named(&name, &whole),
            count: points.positions.len(),
            center: middle.to_array(),
            translation,
            scale,
            rotation,
            velocity,
        })
    }

    pub fn write(&self, space: Space, several_fluids: bool) -> String {
        let mut section = Section::new("[[fluid.particles]]");
        section.set("file", text(&self.file));
        if several_fluids {
            section.set("fluid", text(&self.id));
        }
        if let Some(velocity) = self.velocity {
            section.set("velocity", space.vector(velocity));
        }
        if self.scale != [1.0; 3] {
            section.set("scale", space.vector(self.scale));
        }
        if !self.rotation.is_none() {
            section.set("orientation", self.rotation.orientation());
        }
        if self.translation != [0.0; 3] {
            section.set("translation", space.vector(self.translation));
        }
        section.text().to_owned()
    }
}

// `Emitters`: openings whose sizes are counted in particles.

/// Keys of an emitter without an equivalent.
const WITHOUT: Known<'_> = &[
    ("display only", &["comment", "tag"]),
    ("sheets are always one spacing apart", &["emitsPerSecond"]),
    ("the opening follows from width and height", &["boundingBoxMin", "boundingBoxMax"]),
];

/// Time within which an emitter opens or closes, s.
const VALVE: f64 = 1e-3;

/// Latest end that is meant as a time, s.
const LATEST: f64 = 1e5;

/// An emitter.
#[derive(Debug)]
pub(super) struct Emitter {
    pub id: String,
    pub center: [f64; 3],
    direction: DVec3,
    /// Diameter of a round opening, or width and height, m.
    opening: Opening,
    speed: f64,
    start: f64,
    end: f64,
}

#[derive(Debug)]
enum Opening {
    Round(f64),
    Rectangle([f64; 2]),
}

impl Emitter {
    pub fn read(table: &Table<'_>, space: Space, report: &mut Report) -> Self {
        let count = |key: &str, report: &mut Report| table.number(key, report).unwrap_or(5.0).clamp(1.0, 1e5);
        let rotation = Rotation::of_emitter(table, space, report);
        let matrix = rotation.matrix();
        // Before 2018, emitters had a direction, and a velocity of three numbers.
        let older = table.vector("direction", report).and_then(|direction| DVec3::from_array(direction).try_normalize());
        let direction = older.unwrap_or(matrix.x_axis);
        let speed = if older.is_some() && table.get("velocity").is_some_and(|node| matches!(node.value, Json::List(_))) {
            DVec3::from_array(table.vector("velocity", report).unwrap_or_default()).length()
        } else {
            table.number("velocity", report).unwrap_or(1.0)
        };
        // An emitter of negative speed would take fluid in.
        if speed < 0.0 {
            report.remark(&table.path, "velocity: below 0, the emitter is closed");
        }
        let round = table.method("type", report).is_some_and(|kind| kind == "1" || kind == "circle");
        let width = count("width", report) * space.spacing;
        let height = if round { width } else { count("height", report) * space.spacing };
        let opening = if round { Opening::Round(width) } else { Opening::Rectangle([width, height]) };
        let mut emitter = Self {
            id: table.text("id", report).unwrap_or_else(|| USUAL.to_owned()),
            center: table.vector("translation", report).unwrap_or_default(),
            direction,
            opening,
            speed: speed.clamp(0.0, 1e6),
            start: table.number("emitStartTime", report).unwrap_or(0.0).clamp(0.0, LATEST),
            end: table.number("emitEndTime", report).unwrap_or(LATEST),
        };
        if older.is_none() && space.dimensions == 3 {
            emitter.align(matrix.z_axis, &table.path, report);
        }
        table.report_rest(WITHOUT, report);
        emitter
    }

    /// Exchanges width and height if the width, along `across`, is not horizontal here.
    fn align(&mut self, across: DVec3, path: &str, report: &mut Report) {
        let Opening::Rectangle([width, height]) = self.opening else { return };
        let horizontal =
            self.direction.cross(DVec3::Y).try_normalize().filter(|_| self.direction.y.abs() < 0.999).unwrap_or(DVec3::X);
        let along = across.dot(horizontal).abs();
        if along < 0.5_f64.sqrt() {
            self.opening = Opening::Rectangle([height, width]);
        }
        if along > 0.05 && along < 0.998 && width != height {
            report.remark(path, "rotationAxis: the opening is not rotated about the flow direction");
        }
    }

    pub fn write(&self, space: Space, several_fluids: bool) -> String {
        let mut section = Section::new("[[emitters]]");
        section.set("center", space.vector(self.center));
        // The matrix leaves directions along an axis a little off it; the sum makes −0 a 0.
        section.set("direction", space.vector(self.direction.to_array().map(|part| (part * 1e6).round() / 1e6 + 0.0)));
        match (&self.opening, space.dimensions) {
            (Opening::Round(diameter), _) => section.set("radius", number(0.5 * diameter)),
            (Opening::Rectangle([_, height]), 2) => section.set("size", numbers(&[*height])),
            (Opening::Rectangle(size), _) => section.set("size", numbers(size)),
        }
        let mut rows = Vec::new();
        if self.start > 0.0 {
            rows.extend([[self.start, 0.0], [self.start + VALVE, self.speed]]);
        }
        if self.end < LATEST {
            let end = self.end.max(self.start + 2.0 * VALVE);
            rows.extend([[end, self.speed], [end + VALVE, 0.0]]);
        }
        match rows.as_slice() {
            [] => section.set("speed", number(self.speed)),
            rows => section.set("speeds", format!("[{}]", rows.iter().map(|row| numbers(row)).collect::<Vec<_>>().join(", "))),
        }
        if several_fluids {
            section.set("fluid", text(&self.id));
        }
        section.text().to_owned()
    }
}
