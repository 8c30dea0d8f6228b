//! Placement of boundary particles that move with a rigid body or container.

use crate::boundary::{BoundaryParticles, Motion, RigidState};
use crate::space::Domain;
use glam::Vec3;
use std::ops::Range;

/// Sets positions, velocities and accelerations of `particles`, which are at `initial` (m) before any motion, to those at
/// `time`, s.
pub(in crate::simulation) fn place(
    motion: &Motion,
    time: f64,
    (domain, walls): (&Domain, &mut BoundaryParticles),
    particles: &Range<usize>,
    initial: &[Vec3],
) {
    if motion.rotation().is_none() {
        let present = walls.positions[particles.clone()].iter_mut().zip(initial);
        // Summed in single precision, as before bodies could turn: runs without rotation keep their bits.
        let displacement = motion.displacement(time).as_vec3();
        present.for_each(|(position, start)| *position = domain.wrap(domain.wrap(*start) + displacement));
        let (velocity, acceleration) = (motion.velocity(time), motion.acceleration(time));
        return walls.set_motion(particles.clone(), |_| [velocity, acceleration]);
    }
    place_rigidly(&motion.state(time), (domain, walls), particles, initial);
}

/// Sets positions, velocities and accelerations of `particles`, which are at `initial` (m) before any motion, to those of a rigid
/// body in `state`.
pub(super) fn place_rigidly(
    state: &RigidState,
    (domain, walls): (&Domain, &mut BoundaryParticles),
    particles: &Range<usize>,
    initial: &[Vec3],
) {
    let present = walls.positions[particles.clone()].iter_mut().zip(initial);
    let point = |start: Vec3| state.pose.point(start.as_dvec3());
    present.for_each(|(position, start)| *position = domain.wrap(point(*start).as_vec3()));
    walls.set_motion(particles.clone(), |k| {
        let point = point(initial[k]);
        [state.velocity_at(point).as_vec3(), state.acceleration_at(point).as_vec3()]
    });
}
