//! Curves: numeric parameters that change over time.

use super::Parameters;
use super::table::{Parameter, ParameterError};
use super::value::Value;
use glam::Vec3;
use std::fmt;

/// A numeric parameter over time: linear between its points, constant before the first and after the last. Counts are rounded to the
/// nearest.
#[derive(Clone)]
pub struct Curve {
    parameter: &'static Parameter<Parameters>,
    /// Times, s, ascending, and the value at each: at least one, all of one kind.
    points: Vec<(f64, Value)>,
}

/// Error in a [`Curve`]; points are counted from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CurveError {
    /// The curve has no points, or more than [`Curve::MAX_POINTS`].
    #[error("the curve of {0} has no points, or more than {max}", max = Curve::MAX_POINTS)]
    Count(&'static str),
    /// A time is not finite.
    #[error("the time of point {0} of a curve is not finite")]
    Time(usize),
    /// A time is not later than the one before.
    #[error("point {0} of a curve is not later than the one before")]
    NotLater(usize),
    /// A value is no number, or of another kind than the parameter.
    #[error("point {0} of a curve has a value of a different type from the parameter's")]
    Kind(usize),
    /// A value is out of the range of its parameter.
    #[error("point {point} of a curve: {error}")]
    Range {
        /// Index of the point.
        point: usize,
        /// Range.
        error: ParameterError,
    },
}

impl Curve {
    /// Largest number of points.
    pub const MAX_POINTS: usize = 4096;

    /// Curve of `parameter` through points: times (s), and the values then.
    ///
    /// # Errors
    /// There is no point, a time is not after the one before it, or a value is no number of the parameter's kind and range.
    pub fn through(
        parameter: &'static Parameter<Parameters>,
        points: impl IntoIterator<Item = (f64, Value)>,
    ) -> Result<Self, CurveError> {
        let points: Vec<_> = points.into_iter().collect();
        for (index, &(time, value)) in points.iter().enumerate() {
            // Differences of times that are finite in `f32` are finite in `f64`.
            if !(time as f32).is_finite() {
                return Err(CurveError::Time(index));
            }
            if index > 0 && time <= points[index - 1].0 {
                return Err(CurveError::NotLater(index));
            }
            let mut parameters = Parameters::default();
            let is_number = !matches!(value, Value::Choice(_) | Value::Absent);
            if !is_number || !parameter.set(&mut parameters, value) {
                return Err(CurveError::Kind(index));
            }
            parameter.check(&parameters).map_err(|error| CurveError::Range { point: index, error })?;
        }
        if (1..=Self::MAX_POINTS).contains(&points.len()) {
            Ok(Self { parameter, points })
        } else {
            Err(CurveError::Count(parameter.key))
        }
    }

    /// Key of the parameter.
    pub fn key(&self) -> &'static str {
        self.parameter.key
    }

    /// Times (s) and values of the points.
    pub fn points(&self) -> &[(f64, Value)] {
        &self.points
    }

    /// Value at `time`, s.
    pub fn at(&self, time: f64) -> Value {
        let later = self.points.partition_point(|&(point, _)| point <= time);
        match (later.checked_sub(1).map(|before| self.points[before]), self.points.get(later)) {
            (Some((begin, from)), Some(&(end, to))) => between(from, to, (time - begin) / (end - begin)),
            (None, Some(&(_, value))) | (Some((_, value)), None) => value,
            (None, None) => Value::Absent,
        }
    }

    /// Sets the parameter to its value at `time`, s.
    pub fn apply(&self, time: f64, parameters: &mut Parameters) {
        self.parameter.set(parameters, self.at(time));
    }
}

impl PartialEq for Curve {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key() && self.points == other.points
    }
}

impl fmt::Debug for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Curve").field("key", &self.key()).field("points", &self.points).finish()
    }
}

/// Value at a `fraction` of the way from one value to another of its kind, never outside the two.
fn between(from: Value, to: Value, fraction: f64) -> Value {
    let number = |from: f64, to: f64| (from + (to - from) * fraction).clamp(from.min(to), from.max(to));
    let real = |from: f32, to: f32| number(from.into(), to.into()) as f32;
    match (from, to) {
        (Value::Number(from), Value::Number(to)) => Value::Number(real(from, to)),
        (Value::Count(from), Value::Count(to)) => Value::Count(number(from.into(), to.into()).round() as u32),
        (Value::Vector(from), Value::Vector(to)) => {
            Value::Vector(Vec3::new(real(from.x, to.x), real(from.y, to.y), real(from.z, to.z)))
        }
        (from, _) => from,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viscosity(points: &[(f64, f32)]) -> Result<Curve, CurveError> {
        let points = points.iter().map(|&(time, value)| (time, Value::Number(value)));
        Curve::through(Parameters::entry("fluid.kinematic_viscosity"), points)
    }

    #[test]
    fn it_is_linear_between_its_points_and_constant_beyond() {
        let curve = viscosity(&[(1.0, 0.5), (3.0, 0.0), (4.0, 0.25)]).unwrap();
        let expected = [(0.0, 0.5), (1.0, 0.5), (1.5, 0.375), (2.0, 0.25), (3.0, 0.0), (3.5, 0.125), (4.0, 0.25), (9.0, 0.25)];
        for (time, value) in expected {
            assert_eq!(curve.at(time), Value::Number(value), "{time}");
        }
        let counts = [(0.0, Value::Count(2)), (1.0, Value::Count(4))];
        let counts = Curve::through(Parameters::entry("solver.dfsph.min_iterations"), counts).unwrap();
        assert_eq!([0.2, 0.3, 0.8].map(|time| counts.at(time)), [2, 3, 4].map(Value::Count));
    }

    #[test]
    fn values_stay_between_the_points() {
        let curve = viscosity(&[(0.0, 0.1), (0.3, 0.3), (1.7, 1e-30)]).unwrap();
        for step in 0..=2000 {
            let Value::Number(value) = curve.at(1e-3 * f64::from(step)) else { panic!("a number") };
            assert!((1e-30..=0.3).contains(&value), "{value} at step {step}");
        }
    }

    #[test]
    fn points_out_of_range_or_order_are_refused() {
        assert_eq!(viscosity(&[]), Err(CurveError::Count("fluid.kinematic_viscosity")));
        assert_eq!(viscosity(&[(0.0, 1.0), (0.0, 1.0)]), Err(CurveError::NotLater(1)));
        assert_eq!(viscosity(&[(f64::NAN, 1.0)]), Err(CurveError::Time(0)));
        assert!(matches!(viscosity(&[(0.0, 1.0), (1.0, -1.0)]), Err(CurveError::Range { point: 1, .. })));
        let choice = [(0.0, Value::Choice("dfsph"))];
        assert_eq!(Curve::through(Parameters::entry("solver.method"), choice), Err(CurveError::Kind(0)));
        let count = [(0.0, Value::Count(3))];
        assert_eq!(Curve::through(Parameters::entry("fluid.kinematic_viscosity"), count), Err(CurveError::Kind(0)));
    }
}
