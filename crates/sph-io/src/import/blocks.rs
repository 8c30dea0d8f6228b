//! `FluidBlocks`: boxes of fluid.

use super::configuration::Space;
use super::materials::USUAL;
use super::report::Report;
use super::table::Table;
use super::writing::{Section, text};

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
            report.remark(&self.path, "reaches into the walls; ends there");
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
            report.remark(&self.path, "is not a whole number of particles long; ends at the last whole one");
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
