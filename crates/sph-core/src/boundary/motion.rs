//! Prescribed motion of a body: velocities at given times, linear in between.

use glam::{DVec3, Vec3};

/// Prescribed motion without rotation: a velocity that is piecewise linear in time, and constant before the first point and
/// after the last. The default is at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Times, s, ascending.
    times: Vec<f64>,
    /// Velocity at each time, m/s.
    velocities: Vec<DVec3>,
    /// Displacement from the first time to each, m.
    displacements: Vec<DVec3>,
}

/// Error in the points of a [`Motion`]; points are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MotionError {
    /// A time or a velocity is not finite.
    #[error("point {0} of a motion is not finite")]
    NotFinite(usize),
    /// A time is not later than the one before.
    #[error("point {0} of a motion is not later than the one before")]
    NotLater(usize),
}

impl Motion {
    /// Motion at a constant velocity (m/s).
    ///
    /// # Errors
    /// The velocity is not finite.
    pub fn steady(velocity: Vec3) -> Result<Self, MotionError> {
        Self::through([(0.0, velocity)])
    }

    /// Motion through the given points: times (s) and velocities (m/s).
    ///
    /// # Errors
    /// A time or velocity is not finite, or the times do not ascend.
    pub fn through(points: impl IntoIterator<Item = (f64, Vec3)>) -> Result<Self, MotionError> {
        let mut motion = Self::default();
        for (index, (time, velocity)) in points.into_iter().enumerate() {
            let velocity = velocity.as_dvec3();
            if !time.is_finite() || !velocity.is_finite() {
                return Err(MotionError::NotFinite(index));
            }
            let displacement = match motion.times.last() {
                Some(&before) if time <= before => return Err(MotionError::NotLater(index)),
                Some(_) => motion.integral(time, Some(velocity)),
                None => DVec3::ZERO,
            };
            motion.times.push(time);
            motion.velocities.push(velocity);
            motion.displacements.push(displacement);
        }
        Ok(motion)
    }

    /// Highest speed at any time, m/s.
    pub fn top_speed(&self) -> f32 {
        self.velocities.iter().map(|velocity| velocity.length()).fold(0.0, f64::max) as f32
    }

    /// True if the velocity is nonzero at any time.
    pub fn moves(&self) -> bool {
        self.velocities.iter().any(|&velocity| velocity != DVec3::ZERO)
    }

    /// Velocity at `time` (s), m/s.
    pub fn velocity(&self, time: f64) -> Vec3 {
        let Some(piece) = self.piece(time) else { return Vec3::ZERO };
        (self.velocities[piece] + self.slope(piece) * (time - self.times[piece]).max(0.0)).as_vec3()
    }

    /// Acceleration at `time` (s), m/s²: right-continuous, so at a point it is the one after it.
    pub fn acceleration(&self, time: f64) -> Vec3 {
        match self.piece(time) {
            Some(piece) if time >= self.times[piece] => self.slope(piece).as_vec3(),
            _ => Vec3::ZERO,
        }
    }

    /// Displacement from time 0 to `time` (s), m: the exact integral of the velocity.
    pub fn displacement(&self, time: f64) -> DVec3 {
        self.integral(time, None) - self.integral(0.0, None)
    }

    /// Displacement from the first point to `time`, m. With `next`, the velocity after the last point is not constant but goes
    /// linearly to `next` at `time`.
    fn integral(&self, time: f64, next: Option<DVec3>) -> DVec3 {
        let Some(piece) = self.piece(time) else { return DVec3::ZERO };
        let begin = self.velocities[piece];
        let duration = time - self.times[piece];
        let end = next.unwrap_or(begin + self.slope(piece) * duration.max(0.0));
        self.displacements[piece] + 0.5 * duration * (begin + end)
    }

    /// Index of the last point at or before `time`, or of the first point.
    fn piece(&self, time: f64) -> Option<usize> {
        let later = self.times.partition_point(|&point| point <= time);
        (!self.times.is_empty()).then(|| later.saturating_sub(1))
    }

    /// Acceleration between a point and the next, m/s².
    fn slope(&self, piece: usize) -> DVec3 {
        if piece + 1 >= self.times.len() {
            return DVec3::ZERO;
        }
        (self.velocities[piece + 1] - self.velocities[piece]) / (self.times[piece + 1] - self.times[piece])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displacement_integrates_velocity_and_velocity_integrates_acceleration() {
        let points = [(-1.0, Vec3::X), (0.5, Vec3::Y), (1.0, Vec3::new(2.0, -3.0, 1.0)), (4.0, Vec3::ZERO)];
        let motion = Motion::through(points).expect("ascending times");
        let fine = 1e-4;
        let (mut displacement, mut time) = (DVec3::ZERO, 0.0);
        while time < 6.0 {
            let middle = time + 0.5 * fine;
            displacement += fine * motion.velocity(middle).as_dvec3();
            time += fine;
            assert!(motion.displacement(time).distance(displacement) < 1e-5, "{time}");
            let [before, after] = [-0.25, 0.25].map(|offset| motion.velocity(middle + offset * fine).as_dvec3());
            let slope = (after - before) / (0.5 * fine);
            assert!(motion.acceleration(middle).as_dvec3().distance(slope) < 1e-2, "{time}");
        }
        assert_eq!(motion.velocity(-9.0), Vec3::X);
        assert_eq!(motion.top_speed(), 14f32.sqrt());
        assert_eq!(motion.acceleration(-9.0), Vec3::ZERO);
        assert_eq!(motion.displacement(0.0), DVec3::ZERO);
        assert!(
            (motion.displacement(-2.0) - DVec3::new(-5.0 / 3.0, -1.0 / 3.0, 0.0)).length() < 1e-6,
            "{}",
            motion.displacement(-2.0)
        );
    }

    #[test]
    fn simple_motions() {
        assert!(!Motion::default().moves() && Motion::default().displacement(3.0) == DVec3::ZERO);
        let steady = Motion::steady(Vec3::X).expect("finite");
        assert!(steady.moves());
        assert_eq!((steady.velocity(7.0), steady.displacement(3.0)), (Vec3::X, DVec3::new(3.0, 0.0, 0.0)));
        assert_eq!(Motion::through([(1.0, Vec3::X), (1.0, Vec3::X)]), Err(MotionError::NotLater(1)));
        assert_eq!(Motion::steady(Vec3::NAN), Err(MotionError::NotFinite(0)));
    }
}
