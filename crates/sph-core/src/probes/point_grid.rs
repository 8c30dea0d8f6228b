//! Points at which a field is read: one, a line of them, or a plane.

use glam::Vec3;

/// Points at even distances: one, a line, or a plane of lines beside each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointGrid {
    /// First point, m.
    pub from: Vec3,
    /// Last point of the first line, m.
    pub to: Vec3,
    /// Number of points on a line, at least 1.
    pub points: u32,
    /// First point of the last line, m.
    pub across: Vec3,
    /// Number of lines, at least 1.
    pub rows: u32,
}

impl PointGrid {
    /// A point, m.
    pub fn point(at: Vec3) -> Self {
        Self::line(at, at, 1)
    }

    /// Points of a line, both ends included, m.
    pub fn line(from: Vec3, to: Vec3, points: u32) -> Self {
        Self { from, to, points, across: from, rows: 1 }
    }

    /// Number of points.
    pub fn count(&self) -> usize {
        self.points as usize * self.rows as usize
    }

    /// Point of this index, m: those of the first line come first.
    pub fn at(&self, index: usize) -> Vec3 {
        let part = |index: usize, count: u32| index as f32 / count.saturating_sub(1).max(1) as f32;
        let (row, point) = (index / self.points as usize, index % self.points as usize);
        self.from.lerp(self.to, part(point, self.points)) + part(row, self.rows) * (self.across - self.from)
    }

    /// Label of this index: the number of the point on its line, before it that of the line, if there are several; empty for one point.
    pub fn label(&self, index: usize) -> String {
        let (row, point) = (index / self.points as usize, index % self.points as usize);
        match (self.count(), self.rows) {
            (1, _) => String::new(),
            (_, 1) => point.to_string(),
            _ => format!("{row}.{point}"),
        }
    }
}
