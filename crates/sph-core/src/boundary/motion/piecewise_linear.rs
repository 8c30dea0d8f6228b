//! Velocities that are piecewise linear in time, and their exact integral.

use super::MotionError;
use glam::DVec3;
use std::ops::{Add, Div, Mul, Sub};

/// Linear velocities (m/s) and angular ones (rad/s).
pub(crate) trait Velocity:
    Copy + Default + PartialEq + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self> + Div<f64, Output = Self>
{
    /// Absolute value.
    fn magnitude(self) -> f64;
}

impl Velocity for DVec3 {
    fn magnitude(self) -> f64 {
        self.length()
    }
}

impl Velocity for f64 {
    fn magnitude(self) -> f64 {
        self.abs()
    }
}

/// A velocity that is piecewise linear in time, and constant before the first point and after the last; 0 without points.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PiecewiseLinear<V> {
    /// Times, s, ascending.
    times: Vec<f64>,
    /// Velocity at each time.
    velocities: Vec<V>,
    /// Displacement from the first time to each.
    displacements: Vec<V>,
}

impl<V: Velocity> PiecewiseLinear<V> {
    /// The velocity through the given points: times (s) and velocities.
    pub fn through(points: impl IntoIterator<Item = (f64, V)>) -> Result<Self, MotionError> {
        let mut table = Self::default();
        for (index, (time, velocity)) in points.into_iter().enumerate() {
            if !time.is_finite() || !velocity.magnitude().is_finite() {
                return Err(MotionError::NotFinite(index));
            }
            let displacement = match table.times.last() {
                Some(&before) if time <= before => return Err(MotionError::NotLater(index)),
                Some(_) => table.integral(time, Some(velocity)),
                None => V::default(),
            };
            table.times.push(time);
            table.velocities.push(velocity);
            table.displacements.push(displacement);
            // Times that are too close give an infinite acceleration, times that are too far apart an infinite displacement.
            if !displacement.magnitude().is_finite() || !table.slope(index.saturating_sub(1)).magnitude().is_finite() {
                return Err(MotionError::NotFinite(index));
            }
        }
        // Displacements are counted from time 0, which may be far from the points.
        if table.integral(0.0, None).magnitude().is_finite() { Ok(table) } else { Err(MotionError::NotFinite(0)) }
    }

    /// Highest speed at any time.
    pub fn top_speed(&self) -> f64 {
        self.velocities.iter().map(|velocity| velocity.magnitude()).fold(0.0, f64::max)
    }

    /// Velocities at the points.
    pub fn values(&self) -> impl Iterator<Item = V> + '_ {
        self.velocities.iter().copied()
    }

    /// True if the velocity is nonzero at any time.
    pub fn moves(&self) -> bool {
        self.velocities.iter().any(|&velocity| velocity != V::default())
    }

    /// Velocity at `time`, s.
    pub fn velocity(&self, time: f64) -> V {
        let Some(piece) = self.piece(time) else { return V::default() };
        self.velocities[piece] + self.slope(piece) * (time - self.times[piece]).max(0.0)
    }

    /// Acceleration at `time` (s), per second: right-continuous, so at a point it is the one after it.
    pub fn acceleration(&self, time: f64) -> V {
        match self.piece(time) {
            Some(piece) if time >= self.times[piece] => self.slope(piece),
            _ => V::default(),
        }
    }

    /// Displacement from time 0 to `time` (s): the exact integral of the velocity.
    pub fn displacement(&self, time: f64) -> V {
        self.integral(time, None) - self.integral(0.0, None)
    }

    /// Displacement from the first point to `time`. With `next`, the velocity after the last point is not constant but goes
    /// linearly to `next` at `time`.
    fn integral(&self, time: f64, next: Option<V>) -> V {
        let Some(piece) = self.piece(time) else { return V::default() };
        let begin = self.velocities[piece];
        let duration = time - self.times[piece];
        let end = next.unwrap_or(begin + self.slope(piece) * duration.max(0.0));
        self.displacements[piece] + (begin + end) * (0.5 * duration)
    }

    /// Index of the last point at or before `time`, or of the first point.
    fn piece(&self, time: f64) -> Option<usize> {
        let later = self.times.partition_point(|&point| point <= time);
        (!self.times.is_empty()).then(|| later.saturating_sub(1))
    }

    /// Acceleration between a point and the next.
    fn slope(&self, piece: usize) -> V {
        if piece + 1 >= self.times.len() {
            return V::default();
        }
        (self.velocities[piece + 1] - self.velocities[piece]) / (self.times[piece + 1] - self.times[piece])
    }
}
