//! Prescribed rotation about a fixed axis, and the spline through its angles.

use std::f64::consts::TAU;

use super::MotionError;
use super::piecewise_linear::PiecewiseLinear;
use super::pose::rotation_matrix;
use glam::{DMat3, DVec3, Vec3};

/// Prescribed rotation about an axis of fixed direction, through a pivot that moves with the body.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotation {
    /// Pivot at time 0, m.
    pivot: DVec3,
    /// Unit axis.
    axis: DVec3,
    law: AngleLaw,
}

/// Angle of a [`Rotation`] as a function of time. Positive angles turn counter-clockwise when seen from the tip of the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct AngleLaw(Law);

#[derive(Clone, Debug, PartialEq)]
enum Law {
    Velocities(PiecewiseLinear<f64>),
    Angles(ClampedSpline),
    /// Amplitude, rad; angular frequency, rad/s; phase, rad.
    Oscillation {
        amplitude: f64,
        frequency: f64,
        phase: f64,
    },
}

impl AngleLaw {
    /// Rotation at a constant angular velocity (rad/s), from angle 0 at time 0.
    ///
    /// # Errors
    /// The angular velocity is not finite.
    pub fn steady(angular_velocity: f64) -> Result<Self, MotionError> {
        Self::with_velocities([(0.0, angular_velocity)])
    }

    /// Rotation at an angular velocity that is linear between the given points, times (s) and angular velocities (rad/s), and
    /// constant before the first and after the last. The angle is its exact integral from time 0.
    ///
    /// # Errors
    /// A time or angular velocity is not finite, or the times do not ascend.
    pub fn with_velocities(points: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, MotionError> {
        PiecewiseLinear::through(points).map(|table| Self(Law::Velocities(table)))
    }

    /// Rotation through the given points, times (s) and angles (rad), along a cubic spline; at rest before the first point and
    /// after the last. The angular velocity is continuous at all times, the angular acceleration between the first point and
    /// the last. The angle at time 0 need not be 0.
    ///
    /// # Errors
    /// A time or angle is not finite, or the times do not ascend.
    pub fn through(points: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, MotionError> {
        ClampedSpline::through(points).map(|spline| Self(Law::Angles(spline)))
    }

    /// Harmonic oscillation `θ(t) = A sin(2π t/T + φ) − A sin φ` with amplitude A (rad), period T (s) and phase φ (rad).
    ///
    /// # Errors
    /// A number is not finite, or the period is not positive.
    pub fn oscillation(amplitude: f64, period: f64, phase: f64) -> Result<Self, MotionError> {
        let frequency = TAU / period;
        if !(amplitude.is_finite() && phase.is_finite() && period > 0.0 && frequency.is_finite() && frequency > 0.0) {
            return Err(MotionError::Oscillation);
        }
        Ok(Self(Law::Oscillation { amplitude, frequency, phase }))
    }

    /// Angle (rad), angular velocity (rad/s) and angular acceleration (rad/s²) at `time`, s.
    fn at(&self, time: f64) -> Derivatives {
        match &self.0 {
            Law::Velocities(table) => [table.displacement(time), table.velocity(time), table.acceleration(time)],
            Law::Angles(spline) => spline.at(time),
            &Law::Oscillation { amplitude, frequency, phase } => {
                let (sin, cos) = (frequency * time + phase).sin_cos();
                let angle = amplitude * (sin - phase.sin());
                [angle, frequency * amplitude * cos, -frequency * frequency * amplitude * sin]
            }
        }
    }

    /// Highest angular speed at any time, rad/s.
    fn top_speed(&self) -> f64 {
        match &self.0 {
            Law::Velocities(table) => table.top_speed(),
            Law::Angles(spline) => spline.steepest(),
            Law::Oscillation { amplitude, frequency, .. } => amplitude.abs() * frequency,
        }
    }
}

impl Rotation {
    /// Rotation about `axis`, of any length but 0, through `pivot` (m, at time 0). In two dimensions the axis is along z.
    ///
    /// # Errors
    /// The pivot is not finite, or the axis has no direction.
    pub fn new(pivot: Vec3, axis: Vec3, law: AngleLaw) -> Result<Self, MotionError> {
        let axis = axis.as_dvec3().try_normalize().ok_or(MotionError::Axis)?;
        if !pivot.is_finite() {
            return Err(MotionError::Pivot);
        }
        Ok(Self { pivot: pivot.as_dvec3(), axis, law })
    }

    /// Pivot at time 0, m.
    pub fn pivot(&self) -> DVec3 {
        self.pivot
    }

    /// Unit axis.
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// Angle at `time` (s), rad.
    pub fn angle(&self, time: f64) -> f64 {
        self.law.at(time)[0]
    }

    /// Angular velocity at `time` (s), rad/s.
    pub fn angular_velocity(&self, time: f64) -> DVec3 {
        self.law.at(time)[1] * self.axis
    }

    /// Angular acceleration at `time` (s), rad/s².
    pub fn angular_acceleration(&self, time: f64) -> DVec3 {
        self.law.at(time)[2] * self.axis
    }

    /// True if the angle ever changes.
    pub(super) fn turns(&self) -> bool {
        self.law.top_speed() > 0.0
    }

    /// Rotation matrix at `time`, s.
    pub(super) fn matrix(&self, time: f64) -> DMat3 {
        rotation_matrix(self.axis, self.angle(time))
    }

    /// Highest speed by rotation at any time of the point at `point` (m) at time 0, m/s.
    pub(super) fn top_speed(&self, point: DVec3) -> f64 {
        self.law.top_speed() * self.axis.cross(point - self.pivot).length()
    }
}

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
