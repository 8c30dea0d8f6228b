//! Rotations: an axis of any length and an angle in radians.

use super::configuration::Space;
use super::report::Report;
use super::table::Table;
use super::writing::{number, numbers};
use glam::{DMat3, DVec3};

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
            report.remark(&table.path, "rotationAxis: in the plane all turns about z; it is not turned");
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
