//! A point set: named points with radii and masses, and the columns that their dynamics add.

use crate::report::held;
use glam::{DVec3, Vec3};

/// Named points that move by rules of their own. The arrays of positions, velocities, radii, masses and ids have one entry for each point.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointSet {
    /// Name, as the scene gives it; no two sets have the same.
    pub name: String,
    /// Positions, m.
    pub positions: Vec<Vec3>,
    /// Rounding errors of the positions, m: exact position minus rounded one. Empty for a set whose dynamics keep none.
    pub rounding_errors: Vec<Vec3>,
    /// Velocities, m/s.
    pub velocities: Vec<Vec3>,
    /// Radii, m: that of a ball, half the thickness of a cloth.
    pub radii: Vec<f32>,
    /// Masses, kg; infinite for a point that no force moves.
    pub masses: Vec<f32>,
    /// Stable ids, ascending; no two points of a set ever have the same.
    pub ids: Vec<u32>,
    /// Further values, such as spins, or which edges are torn.
    pub columns: Vec<Column>,
}

/// Point of one of several sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointId {
    /// Index of its set.
    pub set: usize,
    /// Its stable id in the set.
    pub id: u32,
}

/// Values that the dynamics of a set add to it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Column {
    /// Name in files, tables and pictures: `spin`.
    pub name: String,
    /// SI unit; empty without one.
    pub unit: String,
    /// Values.
    pub values: ColumnValues,
}

/// Values of a column: one for each point, or as many as its dynamics need.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ColumnValues {
    /// Vectors.
    Vectors(Vec<Vec3>),
    /// Scalars.
    Scalars(Vec<f32>),
    /// Whole numbers.
    Integers(Vec<u32>),
}

impl PointSet {
    /// Number of points.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// True without points.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Index of the point with this stable id; `None` if there is none.
    pub fn index_of(&self, id: u32) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Exact position of the point with this index, m.
    pub fn exact_position(&self, index: usize) -> DVec3 {
        self.positions[index].as_dvec3() + self.rounding_errors.get(index).copied().unwrap_or(Vec3::ZERO).as_dvec3()
    }

    /// Values of the column `name`; `None` if the set has no such column.
    pub fn column(&self, name: &str) -> Option<&ColumnValues> {
        self.columns.iter().find(|column| column.name == name).map(|column| &column.values)
    }

    /// Values of the column `name`, to be changed.
    pub fn column_mut(&mut self, name: &str) -> Option<&mut ColumnValues> {
        self.columns.iter_mut().find(|column| column.name == name).map(|column| &mut column.values)
    }

    /// Replaces the values of the column `name`, or adds it with this `unit`.
    pub fn set_column(&mut self, name: &str, unit: &str, values: ColumnValues) {
        match self.column_mut(name) {
            Some(column) => *column = values,
            None => self.columns.push(Column { name: name.to_owned(), unit: unit.to_owned(), values }),
        }
    }

    /// True if the arrays have one entry for each point, ids ascend, and all numbers are finite and in their ranges; the number of values in a
    /// column is for its dynamics to check.
    pub fn is_valid(&self) -> bool {
        let Self { name: _, positions, rounding_errors, velocities, radii, masses, ids, columns } = self;
        let count = positions.len();
        let lengths = [velocities.len(), radii.len(), masses.len(), ids.len()];
        let are_finite = |values: &[Vec3]| values.iter().all(|value| value.is_finite());
        lengths == [count; 4]
            && [0, count].contains(&rounding_errors.len())
            && [positions, rounding_errors, velocities].into_iter().all(|values| are_finite(values))
            && radii.iter().all(|radius| *radius > 0.0 && radius.is_finite())
            && masses.iter().all(|mass| *mass > 0.0)
            && ids.is_sorted_by(|a, b| a < b)
            && columns.iter().all(|column| match &column.values {
                ColumnValues::Vectors(values) => are_finite(values),
                ColumnValues::Scalars(values) => values.iter().all(|value| value.is_finite()),
                ColumnValues::Integers(_) => true,
            })
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        let Self { name, positions, rounding_errors, velocities, radii, masses, ids, columns } = self;
        name.capacity()
            + held(positions)
            + held(rounding_errors)
            + held(velocities)
            + held(radii)
            + held(masses)
            + held(ids)
            + held(columns)
            + columns.iter().map(Column::memory).sum::<usize>()
    }
}

impl ColumnValues {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Vectors(values) => values.len(),
            Self::Scalars(values) => values.len(),
            Self::Integers(values) => values.len(),
        }
    }

    /// True without values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Column {
    /// Heap memory, bytes.
    fn memory(&self) -> usize {
        let values = match &self.values {
            ColumnValues::Vectors(values) => held(values),
            ColumnValues::Scalars(values) => held(values),
            ColumnValues::Integers(values) => held(values),
        };
        self.name.capacity() + self.unit.capacity() + values
    }
}
