//! `Emitters`: openings whose sizes are counted in particles.

use super::configuration::Space;
use super::materials::USUAL;
use super::placement::Rotation;
use super::report::Report;
use super::table::{Known, Table};
use super::writing::{Section, number, numbers, text};
use glam::DVec3;

/// Keys of an emitter without an equivalent.
const WITHOUT: Known<'_> = &[
    ("display only", &["comment", "tag"]),
    ("sheets follow each other at one spacing", &["emitsPerSecond"]),
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
        let speed =
            if older.is_some() && table.get("velocity").is_some_and(|node| matches!(node.value, super::json::Json::List(_))) {
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
            report.remark(path, "rotationAxis: the opening is not turned about the direction of the flow");
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
