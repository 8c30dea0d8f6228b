//! Order of the particles in files: by id.

use sph_core::Particles;

/// Indices of the particles in the order of their ids.
pub(super) fn by_id(particles: &Particles) -> Vec<usize> {
    let mut order: Vec<usize> = (0..particles.len()).collect();
    order.sort_unstable_by_key(|&index| particles.ids[index]);
    order
}

/// Two particles in memory, in descending order of their ids.
#[cfg(test)]
pub(super) fn pair() -> Particles {
    Particles {
        positions: vec![glam::Vec3::new(1.0, 2.0, 3.0), glam::Vec3::new(0.1, -0.5, 0.0)],
        velocities: vec![glam::Vec3::X, glam::Vec3::ZERO],
        densities: vec![1000.0, 998.5],
        pressures: vec![25.0, 0.0],
        ids: vec![1, 0],
        ..Particles::default()
    }
}
