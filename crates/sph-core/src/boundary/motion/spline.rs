//! Clamped cubic spline through angles.

use super::MotionError;

/// Cubic spline through points, with a slope of 0 at both ends, and constant beyond them: value and slope are continuous at all
/// times, the curvature between the ends. 0 without points.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ClampedSpline {
    /// Times of the points, s, ascending.
    times: Vec<f64>,
    /// Coefficients of 1, x, x², x³ from each point on, with the time x since the point.
    coefficients: Vec<[f64; 4]>,
}

/// Value, slope and curvature of a function of time.
pub(super) type Derivatives = [f64; 3];

impl ClampedSpline {
    /// The spline through the given points: times (s) and values.
    pub fn through(points: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, MotionError> {
        let (times, values): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
        if let Some(index) = (0..times.len()).find(|&index| !times[index].is_finite() || !values[index].is_finite()) {
            return Err(MotionError::NotFinite(index));
        }
        if let Some(index) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            return Err(MotionError::NotLater(index + 1));
        }
        let slopes = slopes(&times, &values);
        let coefficients = (0..times.len()).map(|index| {
            let (value, slope) = (values[index], slopes[index]);
            let Some(&end) = times.get(index + 1) else { return [value, 0.0, 0.0, 0.0] };
            let duration = end - times[index];
            let mean = (values[index + 1] - value) / duration;
            let after = slopes[index + 1];
            let cubic = (slope + after - 2.0 * mean) / (duration * duration);
            [value, slope, (3.0 * mean - 2.0 * slope - after) / duration, cubic]
        });
        let coefficients: Vec<[f64; 4]> = coefficients.collect();
        // Times that are too close give infinite slopes. After the last point all is finite.
        match coefficients.iter().position(|piece| piece.iter().any(|coefficient| !coefficient.is_finite())) {
            Some(index) => Err(MotionError::NotFinite(index + 1)),
            None => Ok(Self { times, coefficients }),
        }
    }

    /// Value, slope and curvature at `time`, s; the curvature is right-continuous.
    pub fn at(&self, time: f64) -> Derivatives {
        let later = self.times.partition_point(|&point| point <= time);
        match later.checked_sub(1) {
            Some(piece) => polynomial(self.coefficients[piece], time - self.times[piece]),
            None => [self.coefficients.first().map_or(0.0, |first| first[0]), 0.0, 0.0],
        }
    }

    /// Largest absolute slope at any time.
    pub fn steepest(&self) -> f64 {
        let piece = |index: usize| {
            let [_, _, quadratic, cubic] = self.coefficients[index];
            let duration = self.times[index + 1] - self.times[index];
            // The slope is steepest at an end or where the curvature is 0.
            let flex = -quadratic / (3.0 * cubic);
            let inner = if flex > 0.0 && flex < duration { flex } else { 0.0 };
            [0.0, inner, duration].map(|x| polynomial(self.coefficients[index], x)[1].abs()).into_iter().fold(0.0, f64::max)
        };
        (1..self.times.len()).map(|end| piece(end - 1)).fold(0.0, f64::max)
    }
}

fn polynomial([a, b, c, d]: [f64; 4], x: f64) -> Derivatives {
    [a + x * (b + x * (c + x * d)), b + x * (2.0 * c + x * 3.0 * d), 2.0 * c + 6.0 * d * x]
}

/// Slopes at the points, 0 at both ends, with which the curvature is continuous: `s₋/h₋ + 2 s (1/h₋ + 1/h₊) + s₊/h₊ =
/// 3 (m₋/h₋ + m₊/h₊)` at each inner point, with the durations h and the mean slopes m before and after it.
fn slopes(times: &[f64], values: &[f64]) -> Vec<f64> {
    let mut slopes = vec![0.0; times.len()];
    // Tridiagonal system, solved by elimination forwards and substitution backwards.
    let mut ratios = vec![0.0; times.len()];
    for index in 1..times.len().saturating_sub(1) {
        let [before, after] = [index, index + 1].map(|end| {
            let duration = times[end] - times[end - 1];
            (1.0 / duration, (values[end] - values[end - 1]) / duration)
        });
        let pivot = 2.0 * (before.0 + after.0) - before.0 * ratios[index - 1];
        ratios[index] = after.0 / pivot;
        slopes[index] = (3.0 * (before.0 * before.1 + after.0 * after.1) - before.0 * slopes[index - 1]) / pivot;
    }
    for index in (1..times.len().saturating_sub(1)).rev() {
        slopes[index] -= ratios[index] * slopes[index + 1];
    }
    slopes
}
