//! Walls as particles.

use crate::parameters::Slip;
use crate::passes::sweep;
use crate::report::held;
use glam::Vec3;
use std::ops::Range;

/// Particles that stand for walls: one entry a particle in every array that is not empty, but for one of the fluid's.
#[derive(Clone, Debug, Default)]
pub struct BoundaryParticles {
    /// Positions, m.
    pub positions: Vec<Vec3>,
    /// Rest volumes V_b, m³ (m² in two dimensions).
    pub volumes: Vec<f32>,
    /// Velocities of the wall itself, m/s; empty where all walls are at rest for good.
    pub(crate) velocities: Vec<Vec3>,
    /// Accelerations of the wall itself, m/s²; empty where no body moves.
    accelerations: Vec<Vec3>,
    /// Whether the wall drags the fluid along.
    pub no_slip: Vec<bool>,
    /// Velocities, m/s, with which walls that drag take part in viscosity, so that the fluid has the wall's velocity at its face; empty
    /// before the first step, and where no wall drags or the fluid has no laminar viscosity. Of no meaning where no fluid is near.
    pub mirrored: Vec<Vec3>,
    /// Pressures extrapolated from the fluid in the last step, Pa; 0 where no fluid is near.
    pub pressures: Vec<f32>,
    /// Pressures, Pa, with which walls that are not particles continue those of the fluid, one for each particle of the fluid, at its place;
    /// empty where there are no such walls.
    pub(crate) at_planes: Vec<f32>,
    /// Particles from here on are of bodies that move.
    pub(crate) moving_from: usize,
    /// The highest speed before them, m/s.
    still_speed: f32,
    drag: bool,
}

impl BoundaryParticles {
    /// Number of boundary particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no wall.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Whether any wall drags the fluid along.
    pub fn drag(&self) -> bool {
        self.drag
    }

    /// Whether no particle ever moves.
    pub(crate) fn stay(&self) -> bool {
        self.moving_from == self.len()
    }

    /// Velocity of the wall itself at its particle b, m/s.
    #[inline]
    pub fn velocity(&self, b: usize) -> Vec3 {
        self.velocities().map_or(Vec3::ZERO, |velocities| velocities[b])
    }

    /// Velocities of the wall itself, m/s, of all particles; `None` where all walls are at rest for good.
    pub(crate) fn velocities(&self) -> Option<&[Vec3]> {
        (!self.velocities.is_empty()).then_some(&self.velocities)
    }

    /// Acceleration of the wall itself at its particle b, m/s².
    #[inline]
    pub(crate) fn acceleration(&self, b: usize) -> Vec3 {
        if self.accelerations.is_empty() { Vec3::ZERO } else { self.accelerations[b] }
    }

    /// Gives the particles of a body that moves its velocity, m/s, and acceleration, m/s².
    pub(crate) fn set_motion(&mut self, particles: Range<usize>, velocity: Vec3, acceleration: Vec3) {
        self.velocities[particles.clone()].fill(velocity);
        self.accelerations[particles].fill(acceleration);
    }

    /// Bytes on the heap, but for what is kept of each particle of the fluid.
    pub(crate) fn memory(&self) -> usize {
        let Self { positions, volumes, velocities, accelerations, no_slip, mirrored, pressures, .. } = self;
        let vectors = held(positions) + held(velocities) + held(accelerations) + held(mirrored);
        vectors + held(volumes) + held(no_slip) + held(pressures)
    }

    /// VelocityUpdate what moves on by `dt` (s), to where it will be during a step.
    pub(crate) fn drift(&mut self, dt: f32) {
        let Self { positions, velocities, moving_from, .. } = self;
        for (position, velocity) in positions.iter_mut().zip(velocities).skip(*moving_from) {
            *position += dt * *velocity;
        }
    }

    /// The highest speed of any wall, m/s, once all of them are there ([`BoundaryParticles::drop_unused`]).
    pub(crate) fn max_speed(&self) -> f32 {
        let moving = self.len() - self.moving_from;
        self.still_speed.max(sweep::max(moving, |k| self.velocity(self.moving_from + k).length()))
    }

    /// Looks once at what never changes: no more particles will come.
    pub(crate) fn drop_unused(&mut self) {
        self.still_speed = sweep::max(self.moving_from, |b| self.velocity(b).length());
        self.drag = self.no_slip.contains(&true);
        if self.stay() {
            self.accelerations = Vec::new();
            if self.still_speed == 0.0 {
                self.velocities = Vec::new();
            }
        }
    }

    /// Takes the pressure from `particles`, which the fluid has left.
    pub(crate) fn dry(&mut self, particles: &[u32]) {
        particles.iter().for_each(|&b| self.pressures[b as usize] = 0.0);
    }

    /// Gives the particles that have been added, which have positions and velocities, what they lack: `volume` (m³) each.
    pub(super) fn complete(&mut self, volume: f32, slip: Slip) {
        let count = self.positions.len();
        self.volumes.resize(count, volume);
        self.accelerations.resize(count, Vec3::ZERO);
        self.no_slip.resize(count, slip == Slip::NoSlip);
        self.pressures.resize(count, 0.0);
    }

    /// Puts the particles, of which nothing is known yet but what they began with, into `order`.
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

    /// Two walls, of which the second moves on if it is of a body that moves.
    fn settled(velocity: Vec3, body_moves: bool) -> BoundaryParticles {
        let mut walls = BoundaryParticles {
            positions: vec![Vec3::ZERO, Vec3::X],
            velocities: vec![velocity, Vec3::ZERO],
            moving_from: if body_moves { 1 } else { 2 },
            ..BoundaryParticles::default()
        };
        walls.complete(1e-3, Slip::Free);
        walls.drop_unused();
        walls
    }

    #[test]
    fn walls_at_rest_keep_neither_velocities_nor_accelerations() {
        let still = settled(Vec3::ZERO, false);
        assert!(still.velocities().is_none() && still.accelerations.is_empty());
        assert_eq!((still.velocity(1), still.acceleration(1), still.max_speed()), (Vec3::ZERO, Vec3::ZERO, 0.0));
        let sliding = settled(Vec3::Y, false);
        assert!(sliding.velocities().is_some_and(|velocities| velocities.len() == 2) && sliding.accelerations.is_empty());
        assert_eq!((sliding.velocity(0), sliding.max_speed()), (Vec3::Y, 1.0));
        for wall in [Vec3::ZERO, Vec3::Y] {
            let mut moving = settled(wall, true);
            moving.set_motion(1..2, 2.0 * Vec3::X, Vec3::Z);
            assert_eq!((moving.velocity(0), moving.velocity(1), moving.acceleration(1)), (wall, 2.0 * Vec3::X, Vec3::Z));
            assert_eq!(moving.max_speed(), 2.0);
        }
    }
}
