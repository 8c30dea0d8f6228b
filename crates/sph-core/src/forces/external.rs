//! Forces that come from outside the fluid and pull every particle by its place and time alone.

use crate::parameters::Dimensions;
use crate::space::Domain;
use glam::{BVec3, DVec3, Vec3};

/// A force per mass from outside. All of a scene's are added to its gravity.
#[derive(Clone, Debug, PartialEq)]
pub enum ExternalForce {
    /// The same everywhere and always, m/s².
    Constant(Vec3),
    /// Towards a point.
    Central {
        /// The point, m.
        center: Vec3,
        /// How the pull depends on the distance.
        law: CentralLaw,
    },
    /// The same everywhere, and changing with time: straight between the entries, which are in the order of their times; before the
    /// first and after the last as there.
    Scheduled(Vec<Keyframe>),
}

/// How the pull of a central force depends on the distance r.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CentralLaw {
    /// `s r` with s in 1/s², as of a spring, or of the middle of a body that attracts by its mass.
    Linear(f32),
    /// s everywhere, m/s²; nothing at the point itself.
    Constant(f32),
}

/// An entry of a schedule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// s.
    pub time: f64,
    /// m/s².
    pub acceleration: Vec3,
}

/// Gravity and all other forces from outside, at one moment.
#[derive(Clone, Copy, Debug)]
pub struct ExternalForces<'a> {
    gravity: Vec3,
    /// s.
    time: f64,
    /// What is the same everywhere, gravity included, m/s².
    uniform: Vec3,
    /// Of these the central ones are not in `uniform`.
    forces: &'a [ExternalForce],
    /// Axes along which there is no floor that could bear the fluid.
    periodic: BVec3,
}

impl<'a> ExternalForces<'a> {
    /// No force.
    pub const NONE: ExternalForces<'static> =
        ExternalForces { gravity: Vec3::ZERO, time: 0.0, uniform: Vec3::ZERO, forces: &[], periodic: BVec3::FALSE };

    /// `gravity` (m/s²) and `forces` at `time` (s) in `domain`.
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

    /// The same `dt` (s) later.
    pub(crate) fn later(&self, dt: f32) -> Self {
        Self::along_axes(self.gravity, self.forces, self.time + f64::from(dt), self.periodic)
    }

    /// What is the same everywhere, m/s².
    pub fn uniform(&self) -> Vec3 {
        self.uniform
    }

    /// Whether it is the same everywhere.
    pub(crate) fn is_uniform(&self) -> bool {
        self.centers().next().is_none()
    }

    /// Acceleration at `place` (m), m/s².
    pub fn at(&self, place: Vec3) -> Vec3 {
        self.centers().fold(self.uniform, |sum, (center, law)| sum + law.pull(center - place))
    }

    /// The part of it that pressure balances in fluid at rest, m/s²: along a periodic axis there is no floor.
    pub fn balanced_at(&self, place: Vec3) -> Vec3 {
        Vec3::select(self.periodic, Vec3::ZERO, self.at(place))
    }

    /// What the force does along the straight way from `place` by `way` (m), J/kg: exact where it is linear in the place. With the density
    /// it is the rise of the pressure in fluid at rest, which has none along periodic axes.
    pub fn along(&self, place: Vec3, way: Vec3) -> f32 {
        self.balanced_at(place + 0.5 * way).dot(way)
    }

    /// Potential energy at `place` (m), J/kg: that of the uniform part is zero at the origin, that of a central force at its centre. The
    /// uniform part has none along periodic axes, where nothing has a height.
    pub fn potential(&self, place: Vec3) -> f64 {
        let place = place.as_dvec3();
        let uniform = -Vec3::select(self.periodic, Vec3::ZERO, self.uniform).as_dvec3().dot(place);
        self.centers().fold(uniform, |sum, (center, law)| sum + law.potential(center.as_dvec3() - place))
    }

    fn centers(&self) -> impl Iterator<Item = (Vec3, CentralLaw)> + use<'a> {
        self.forces.iter().filter_map(|force| match force {
            ExternalForce::Central { center, law } => Some((*center, *law)),
            ExternalForce::Constant(_) | ExternalForce::Scheduled(_) => None,
        })
    }
}

impl CentralLaw {
    /// Acceleration of what has `way` (m) to go to the centre, m/s².
    fn pull(self, way: Vec3) -> Vec3 {
        match self {
            Self::Linear(strength) => strength * way,
            Self::Constant(strength) => strength * way.normalize_or_zero(),
        }
    }

    fn potential(self, way: DVec3) -> f64 {
        match self {
            Self::Linear(strength) => 0.5 * f64::from(strength) * way.length_squared(),
            Self::Constant(strength) => f64::from(strength) * way.length(),
        }
    }

    fn strength(self) -> f32 {
        match self {
            Self::Linear(strength) | Self::Constant(strength) => strength,
        }
    }
}

impl ExternalForce {
    /// Whether all its numbers are finite and none beyond all bounds (1e5 m/s² or 1/s²), its entries in the order of time, and in two
    /// dimensions nothing pulls out of the plane.
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

/// The schedule at `time` (s), m/s².
fn scheduled(keyframes: &[Keyframe], time: f64) -> Vec3 {
    let after = keyframes.partition_point(|keyframe| keyframe.time <= time);
    match (after.checked_sub(1).and_then(|before| keyframes.get(before)), keyframes.get(after)) {
        (Some(before), Some(after)) => {
            let share = (time - before.time) / (after.time - before.time);
            before.acceleration.lerp(after.acceleration, share as f32)
        }
        (Some(only), None) | (None, Some(only)) => only.acceleration,
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

    /// By differences of the potential.
    #[test]
    fn the_force_is_the_slope_of_the_potential() {
        let forces = forces();
        let external = ExternalForces::new(Vec3::new(0.0, -9.75, 0.0), &forces, 1.5, &Domain::default());
        let place = Vec3::new(0.25, -0.5, 0.75);
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let step = 1.0 / 128.0;
            let slope =
                (external.potential(place - step * axis) - external.potential(place + step * axis)) / f64::from(2.0 * step);
            assert!((slope - f64::from(external.at(place).dot(axis))).abs() < 1e-4, "{axis}: {slope}");
        }
    }

    #[test]
    fn pressure_rises_along_a_way_as_potential_falls() {
        let forces = [ExternalForce::Central { center: Vec3::ONE, law: CentralLaw::Linear(3.0) }];
        let external = ExternalForces::new(Vec3::NEG_Y, &forces, 0.0, &Domain::default());
        let (from, way) = (Vec3::new(0.25, 0.5, 0.0), Vec3::new(0.5, -0.25, 1.0));
        let fall = external.potential(from) - external.potential(from + way);
        assert!((f64::from(external.along(from, way)) - fall).abs() < 1e-6);
    }

    #[test]
    fn a_schedule_goes_straight_from_entry_to_entry() {
        let forces = forces();
        let z = |time| ExternalForces::new(Vec3::ZERO, &forces, time, &Domain::default()).uniform().z;
        assert_eq!([0.0, 1.0, 1.25, 2.0, 9.0].map(z), [0.0, 0.0, 1.0, 4.0, 4.0]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(forces().iter().all(|force| force.is_valid(Dimensions::Three)));
        assert!(!forces()[2].is_valid(Dimensions::Two), "it pulls out of the plane");
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
