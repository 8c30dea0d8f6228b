//! Curves of a setup: parameters at a time, extremes over all times, validation.

use super::{Setup, SetupError};
use crate::parameters::{Parameters, Value};
use crate::solver::{StepBound, expected_step};
use glam::Vec3;

impl Setup {
    /// Parameters at `time`, s: those of the setup, and the values of the curves then.
    pub fn parameters_at(&self, time: f64) -> Parameters {
        let mut parameters = self.parameters;
        self.curves.iter().for_each(|curve| curve.apply(time, &mut parameters));
        parameters
    }

    /// Gravity when it is strongest, m/s².
    pub(super) fn strongest_gravity(&self) -> Vec3 {
        let points = self.curves.iter().filter(|curve| curve.key() == "gravity").flat_map(|curve| curve.points());
        let on_curve = points.filter_map(|&(_, value)| if let Value::Vector(gravity) = value { Some(gravity) } else { None });
        on_curve.reduce(|a, b| if b.length() > a.length() { b } else { a }).unwrap_or(self.parameters.gravity)
    }

    /// The shortest of the time steps to expect at `speed`, m/s, with the parameters at the points of all curves.
    pub(super) fn shortest_step(&self, speed: f32) -> StepBound {
        let step = |parameters: &Parameters| expected_step((&self.discretization, parameters), &self.fluids, speed);
        let on_curves = self.point_times().map(|time| step(&self.parameters_at(time)));
        on_curves.fold(step(&self.parameters), |shortest, other| if other.dt < shortest.dt { other } else { shortest })
    }

    /// Checks that each parameter has at most one curve, and the parameters at the points of all of them. Between points values are linear,
    /// and so are their bounds.
    pub(super) fn validate_curves(&self) -> Result<(), SetupError> {
        for (index, curve) in self.curves.iter().enumerate() {
            if self.curves[..index].iter().any(|other| other.key() == curve.key()) {
                return Err(SetupError::TwoCurves { key: curve.key() });
            }
        }
        for time in self.point_times() {
            let result = self.parameters_at(time).validate(&self.discretization);
            result.map_err(|error| SetupError::Curve { time, error })?;
        }
        Ok(())
    }

    /// Times of the points of all curves, s, ascending, each once.
    fn point_times(&self) -> impl Iterator<Item = f64> {
        let mut times: Vec<f64> = self.curves.iter().flat_map(|curve| curve.points()).map(|&(time, _)| time).collect();
        times.sort_unstable_by(f64::total_cmp);
        // Curves often have points at the same times.
        times.dedup();
        times.into_iter()
    }
}
