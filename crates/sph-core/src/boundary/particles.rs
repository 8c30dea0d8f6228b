//! Boundary particles: walls sampled as particles.

use crate::parameters::Slip;
use crate::passes::sweep;
use crate::report::held;
use glam::Vec3;
use std::ops::Range;

/// Boundary particles. Arrays have one entry for each boundary particle or are empty, except `at_planes`.
#[derive(Clone, Debug, Default)]
pub struct BoundaryParticles {
    /// Positions, m.
    pub positions: Vec<Vec3>,
    /// Rest volumes V_b, m³ (m² in two dimensions).
    pub volumes: Vec<f32>,
    /// Velocities of the wall, m/s; empty if all walls are always at rest.
    pub(crate) velocities: Vec<Vec3>,
    /// Accelerations of the wall, m/s²; empty if no particle moves.
    accelerations: Vec<Vec3>,
    /// True for particles of no-slip walls.
    pub no_slip: Vec<bool>,
    /// Velocities of no-slip walls in the viscous force, m/s: those of the fluid, mirrored at the face, so that the velocity at
    /// the face is the wall's (Adami2012, eq. 23). Empty before the first step, and without no-slip walls or laminar viscosity.
    /// Out of date where no fluid is in reach.
    pub mirrored: Vec<Vec3>,
    /// Pressures extrapolated from the fluid in the last step, Pa; 0 without fluid in reach.
    pub pressures: Vec<f32>,
    /// Pressures of analytic walls, Pa, extrapolated to the position of each fluid particle: one entry for each fluid particle;
    /// empty without analytic walls.
    pub(crate) at_planes: Vec<f32>,
    /// Index of the first particle of moving bodies and containers; they come last.
    pub(crate) moving_from: usize,
    /// Highest speed of the walls before `moving_from`, m/s.
    fixed_speed: f32,
    has_no_slip: bool,
}

impl BoundaryParticles {
    /// Number of boundary particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// True if there are no boundary particles.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// True if any wall is no-slip.
    pub fn has_no_slip(&self) -> bool {
        self.has_no_slip
    }

    /// True if no particle changes its position.
    pub(crate) fn are_fixed(&self) -> bool {
        self.moving_from == self.len()
    }

    /// Velocity of the wall at boundary particle b, m/s.
    #[inline]
    pub fn velocity(&self, b: usize) -> Vec3 {
        self.velocities().map_or(Vec3::ZERO, |velocities| velocities[b])
    }

    /// Velocities of the wall at all boundary particles, m/s; `None` if all walls are always at rest.
    pub(crate) fn velocities(&self) -> Option<&[Vec3]> {
        (!self.velocities.is_empty()).then_some(&self.velocities)
    }

    /// Acceleration of the wall at boundary particle b, m/s².
    #[inline]
    pub(crate) fn acceleration(&self, b: usize) -> Vec3 {
        if self.accelerations.is_empty() { Vec3::ZERO } else { self.accelerations[b] }
    }

    /// Sets the velocities, m/s, and accelerations, m/s², of the particles of a moving body or container: `motion` returns both
    /// for the k-th of them.
    pub(crate) fn set_motion(&mut self, particles: Range<usize>, motion: impl Fn(usize) -> [Vec3; 2]) {
        for (k, b) in particles.enumerate() {
            [self.velocities[b], self.accelerations[b]] = motion(k);
        }
    }

    /// Bytes on the heap, without `at_planes`, which grows with the fluid.
    pub(crate) fn memory(&self) -> usize {
        let Self { positions, volumes, velocities, accelerations, no_slip, mirrored, pressures, .. } = self;
        let vectors = held(positions) + held(velocities) + held(accelerations) + held(mirrored);
        vectors + held(volumes) + held(no_slip) + held(pressures)
    }

    /// Moves the particles of moving bodies and containers on by `dt` (s), to their positions within a step.
    pub(crate) fn drift(&mut self, dt: f32) {
        let Self { positions, velocities, moving_from, .. } = self;
        for (position, velocity) in positions.iter_mut().zip(velocities).skip(*moving_from) {
            *position += dt * *velocity;
        }
    }

    /// Highest speed of any wall, m/s. Valid after [`BoundaryParticles::finish`].
    pub(crate) fn max_speed(&self) -> f32 {
        let moving = self.len() - self.moving_from;
        self.fixed_speed.max(sweep::max(moving, |k| self.velocity(self.moving_from + k).length()))
    }

    /// Ends the sampling, after the last particle is added: computes constants and frees arrays that would hold zeros only.
    pub(crate) fn finish(&mut self) {
        self.fixed_speed = sweep::max(self.moving_from, |b| self.velocity(b).length());
        self.has_no_slip = self.no_slip.contains(&true);
        if self.are_fixed() {
            self.accelerations = Vec::new();
            if self.fixed_speed == 0.0 {
                self.velocities = Vec::new();
            }
        }
    }

    /// Sets the pressures of `particles` to 0.
    pub(crate) fn clear_pressures(&mut self, particles: &[u32]) {
        particles.iter().for_each(|&b| self.pressures[b as usize] = 0.0);
    }

    /// Appends particles, which have velocities already, at `positions` (m) with `volumes`, each times `factor`, m³.
    pub(super) fn extend(&mut self, positions: Vec<Vec3>, volumes: Vec<f32>, factor: f32, slip: Slip) {
        self.positions.extend(positions);
        self.volumes.extend(volumes.into_iter().map(|volume| factor * volume));
        self.complete(0.0, slip);
    }

    /// Extends the other arrays for particles added to `positions` and `velocities`, which have the volume `volume` (m³) unless
    /// it is set.
    pub(super) fn complete(&mut self, volume: f32, slip: Slip) {
        let count = self.positions.len();
        self.volumes.resize(count, volume);
        self.accelerations.resize(count, Vec3::ZERO);
        self.no_slip.resize(count, slip == Slip::NoSlip);
        self.pressures.resize(count, 0.0);
    }

    /// Appends particles that have been sampled apart, before [`BoundaryParticles::finish`].
    pub(crate) fn append(&mut self, other: Self) {
        let Self { positions, volumes, velocities, accelerations, no_slip, pressures, .. } = other;
        self.positions.extend(positions);
        self.volumes.extend(volumes);
        self.velocities.extend(velocities);
        self.accelerations.extend(accelerations);
        self.no_slip.extend(no_slip);
        self.pressures.extend(pressures);
    }

    /// Permutes the particles into `order`, before the first step: pressures are all 0 and need no permutation.
    pub(crate) fn sort(&mut self, order: &[u32]) {
        let mut scratch = Vec::new();
        sweep::permute(order, &mut self.positions, &mut scratch);
        sweep::permute(order, &mut self.velocities, &mut scratch);
        sweep::permute(order, &mut self.accelerations, &mut scratch);
        sweep::permute(order, &mut self.volumes, &mut Vec::new());
        sweep::permute(order, &mut self.no_slip, &mut Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two boundary particles; the second belongs to a moving body if `body_moves`.
    fn walls(velocity: Vec3, body_moves: bool) -> BoundaryParticles {
        let mut walls = BoundaryParticles {
            positions: vec![Vec3::ZERO, Vec3::X],
            velocities: vec![velocity, Vec3::ZERO],
            moving_from: if body_moves { 1 } else { 2 },
            ..BoundaryParticles::default()
        };
        walls.complete(1e-3, Slip::Free);
        walls.finish();
        walls
    }

    #[test]
    fn walls_at_rest_keep_neither_velocities_nor_accelerations() {
        let still = walls(Vec3::ZERO, false);
        assert!(still.velocities().is_none() && still.accelerations.is_empty());
        assert_eq!((still.velocity(1), still.acceleration(1), still.max_speed()), (Vec3::ZERO, Vec3::ZERO, 0.0));
        let sliding = walls(Vec3::Y, false);
        assert!(sliding.velocities().is_some_and(|velocities| velocities.len() == 2) && sliding.accelerations.is_empty());
        assert_eq!((sliding.velocity(0), sliding.max_speed()), (Vec3::Y, 1.0));
        for wall in [Vec3::ZERO, Vec3::Y] {
            let mut moving = walls(wall, true);
            moving.set_motion(1..2, |_| [2.0 * Vec3::X, Vec3::Z]);
            assert_eq!((moving.velocity(0), moving.velocity(1), moving.acceleration(1)), (wall, 2.0 * Vec3::X, Vec3::Z));
            assert_eq!(moving.max_speed(), 2.0);
        }
    }
}
