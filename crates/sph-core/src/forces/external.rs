//! External forces: accelerations of the fluid as functions of position and time.

use crate::parameters::Dimensions;
use crate::space::Domain;
use glam::{BVec3, DVec3, Vec3};

/// External force per mass. A scene's forces are added to its gravity.
#[derive(Clone, Debug, PartialEq)]
pub enum ExternalForce {
    /// Uniform and constant in time, m/s².
    Constant(Vec3),
    /// Directed towards a point.
    Central {
        /// The point, m.
        center: Vec3,
        /// Dependence on the distance.
        law: CentralLaw,
    },
    /// Uniform and varying in time: linear between keyframes, which are in order of time, and constant before the first and
    /// after the last.
    Scheduled(Vec<Keyframe>),
}

/// Dependence of a central force on the distance r.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CentralLaw {
    /// `s r` with s in 1/s², as of a spring, or of gravity inside a homogeneous sphere.
    Linear(f32),
    /// s at any distance, m/s²; zero at the point itself.
    Constant(f32),
}

/// Keyframe of a scheduled force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// Time, s.
    pub time: f64,
    /// Acceleration, m/s².
    pub acceleration: Vec3,
}

/// Gravity and all other external forces at one time.
#[derive(Clone, Copy, Debug)]
pub struct ExternalForces<'a> {
    gravity: Vec3,
    /// Time, s.
    time: f64,
    /// Sum of the uniform forces, gravity included, m/s².
    uniform: Vec3,
    /// All forces; the central ones are not in `uniform`.
    forces: &'a [ExternalForce],
    /// Periodic axes, along which no floor supports the fluid.
    periodic: BVec3,
}

impl<'a> ExternalForces<'a> {
    /// No force.
    pub const NONE: ExternalForces<'static> =
        ExternalForces { gravity: Vec3::ZERO, time: 0.0, uniform: Vec3::ZERO, forces: &[], periodic: BVec3::FALSE };

    /// Sum of `gravity` (m/s²) and `forces` at `time` (s) in `domain`.
    pub fn new(gravity: Vec3, forces: &'a [ExternalForce], time: f64, domain: &Domain) -> Self {
        Self::along_axes(gravity, forces, time, domain.periodic)
    }

    fn along_axes(gravity: Vec3, forces: &'a [ExternalForce], time: f64, periodic: BVec3) -> Self {
        let uniform = |force: &ExternalForce| match force {
            ExternalForce::Constant(acceleration) => *acceleration,
            ExternalForce::Central { .. } => Vec3::ZERO,
            ExternalForce::Scheduled(keyframes) => scheduled(keyframes, time),
        };
        let uniform = forces.iter().map(uniform).fold(gravity, |sum, part| sum + part);
        Self { gravity, time, uniform, forces, periodic }
    }

    /// The same forces, `dt` (s) later.
    pub(crate) fn later(&self, dt: f32) -> Self {
        Self::along_axes(self.gravity, self.forces, self.time + f64::from(dt), self.periodic)
    }

    /// Sum of the uniform forces, gravity included, m/s².
    pub fn uniform(&self) -> Vec3 {
        self.uniform
    }

    /// True without central forces.
    pub(crate) fn is_uniform(&self) -> bool {
        self.centers().next().is_none()
    }

    /// Acceleration at `position` (m), m/s².
    pub fn at(&self, position: Vec3) -> Vec3 {
        self.centers().fold(self.uniform, |sum, (center, law)| sum + law.pull(center - position))
    }

    /// Acceleration at `position` (m) without its components along periodic axes, m/s²: the part balanced by pressure in fluid
    /// at rest.
    pub fn balanced_at(&self, position: Vec3) -> Vec3 {
        Vec3::select(self.periodic, Vec3::ZERO, self.at(position))
    }

    /// Work per mass along the straight line from `position` by `displacement` (m), J/kg; exact for forces linear in the
    /// position. Times the density it is the rise of the pressure in fluid at rest. Components along periodic axes do not
    /// count.
    pub fn along(&self, position: Vec3, displacement: Vec3) -> f32 {
        self.balanced_at(position + 0.5 * displacement).dot(displacement)
    }

    /// Potential energy at `position` (m), J/kg. That of the uniform forces is zero at the origin, that of a central force at
    /// its centre. Components of the uniform forces along periodic axes do not count: there is no height along them.
    pub fn potential(&self, position: Vec3) -> f64 {
        let position = position.as_dvec3();
        let uniform = -Vec3::select(self.periodic, Vec3::ZERO, self.uniform).as_dvec3().dot(position);
        self.centers().fold(uniform, |sum, (center, law)| sum + law.potential(center.as_dvec3() - position))
    }

    fn centers(&self) -> impl Iterator<Item = (Vec3, CentralLaw)> + use<'a> {
        self.forces.iter().filter_map(|force| match force {
            ExternalForce::Central { center, law } => Some((*center, *law)),
            ExternalForce::Constant(_) | ExternalForce::Scheduled(_) => None,
        })
    }
}

impl CentralLaw {
    /// Acceleration at a point from which `to_center` (m) leads to the centre, m/s².
    fn pull(self, to_center: Vec3) -> Vec3 {
        match self {
            Self::Linear(strength) => strength * to_center,
            Self::Constant(strength) => strength * to_center.normalize_or_zero(),
        }
    }

    fn potential(self, to_center: DVec3) -> f64 {
        match self {
            Self::Linear(strength) => 0.5 * f64::from(strength) * to_center.length_squared(),
            Self::Constant(strength) => f64::from(strength) * to_center.length(),
        }
    }

    fn strength(self) -> f32 {
        match self {
            Self::Linear(strength) | Self::Constant(strength) => strength,
        }
    }
}

impl ExternalForce {
    /// True if all numbers are finite and at most 1e5 (m/s² or 1/s²), the keyframes are in order of time, and in two dimensions
    /// the force is in the plane.
    pub(crate) fn is_valid(&self, dimensions: Dimensions) -> bool {
        let planar = |vector: Vec3| dimensions == Dimensions::Three || vector.z == 0.0;
        let bounded = |vector: Vec3| vector.abs().max_element() <= 1e5 && vector.is_finite() && planar(vector);
        match self {
            Self::Constant(acceleration) => bounded(*acceleration),
            Self::Central { center, law } => center.is_finite() && planar(*center) && law.strength().abs() <= 1e5,
            Self::Scheduled(keyframes) => {
                let finite = keyframes.iter().all(|keyframe| keyframe.time.is_finite() && bounded(keyframe.acceleration));
                finite && !keyframes.is_empty() && keyframes.is_sorted_by(|a, b| a.time < b.time)
            }
        }
    }
}

/// Acceleration of a scheduled force at `time` (s), m/s².
fn scheduled(keyframes: &[Keyframe], time: f64) -> Vec3 {
    let after = keyframes.partition_point(|keyframe| keyframe.time <= time);
    match (after.checked_sub(1).and_then(|before| keyframes.get(before)), keyframes.get(after)) {
        (Some(before), Some(after)) => {
            let share = (time - before.time) / (after.time - before.time);
            before.acceleration.lerp(after.acceleration, share as f32)
        }
        (Some(nearest), None) | (None, Some(nearest)) => nearest.acceleration,
        (None, None) => Vec3::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forces() -> Vec<ExternalForce> {
        vec![
            ExternalForce::Constant(Vec3::new(0.5, 0.0, 0.0)),
            ExternalForce::Central { center: Vec3::new(1.0, 2.0, 0.0), law: CentralLaw::Linear(3.0) },
            ExternalForce::Central { center: Vec3::new(-1.0, 0.0, 0.5), law: CentralLaw::Constant(2.0) },
            ExternalForce::Scheduled(vec![
                Keyframe { time: 1.0, acceleration: Vec3::ZERO },
                Keyframe { time: 2.0, acceleration: Vec3::new(0.0, 0.0, 4.0) },
            ]),
        ]
    }

    #[test]
    fn the_force_is_the_negative_gradient_of_the_potential() {
        let forces = forces();
        let external = ExternalForces::new(Vec3::new(0.0, -9.75, 0.0), &forces, 1.5, &Domain::default());
        let position = Vec3::new(0.25, -0.5, 0.75);
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let step = 1.0 / 128.0;
            let slope = (external.potential(position - step * axis) - external.potential(position + step * axis))
                / f64::from(2.0 * step);
            assert!((slope - f64::from(external.at(position).dot(axis))).abs() < 1e-4, "{axis}: {slope}");
        }
    }

    #[test]
    fn work_along_a_line_is_the_fall_of_the_potential() {
        let forces = [ExternalForce::Central { center: Vec3::ONE, law: CentralLaw::Linear(3.0) }];
        let external = ExternalForces::new(Vec3::NEG_Y, &forces, 0.0, &Domain::default());
        let (from, displacement) = (Vec3::new(0.25, 0.5, 0.0), Vec3::new(0.5, -0.25, 1.0));
        let fall = external.potential(from) - external.potential(from + displacement);
        assert!((f64::from(external.along(from, displacement)) - fall).abs() < 1e-6);
    }

    #[test]
    fn a_schedule_is_linear_between_keyframes() {
        let forces = forces();
        let z = |time| ExternalForces::new(Vec3::ZERO, &forces, time, &Domain::default()).uniform().z;
        assert_eq!([0.0, 1.0, 1.25, 2.0, 9.0].map(z), [0.0, 0.0, 1.0, 4.0, 4.0]);
    }

    #[test]
    fn invalid_forces_are_refused() {
        assert!(forces().iter().all(|force| force.is_valid(Dimensions::Three)));
        assert!(!forces()[2].is_valid(Dimensions::Two), "the force points out of the plane");
        let keyframe = |time| Keyframe { time, acceleration: Vec3::ZERO };
        let broken = [
            ExternalForce::Constant(Vec3::new(f32::NAN, 0.0, 0.0)),
            ExternalForce::Central { center: Vec3::ZERO, law: CentralLaw::Linear(f32::INFINITY) },
            ExternalForce::Scheduled(Vec::new()),
            ExternalForce::Scheduled(vec![keyframe(1.0), keyframe(1.0)]),
            ExternalForce::Scheduled(vec![keyframe(f64::NAN)]),
        ];
        assert!(broken.iter().all(|force| !force.is_valid(Dimensions::Three)), "{broken:?}");
    }
}
