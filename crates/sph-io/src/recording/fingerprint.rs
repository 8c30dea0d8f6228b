//! Fingerprints of fluid and bodies, by which a replay knows that it starts and ends as the recorded session did.

use sph_core::{BodyState, MovedBody, Particles, State};
use twox_hash::XxHash64;

/// Fingerprints of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// [`fingerprint`] of the fluid.
    pub fluid: u64,
    /// Hash of the poses and velocities of the bodies that move by forces, and of those that a user has moved, to the bit; `None` without
    /// any, and in recordings of older programs.
    pub bodies: Option<u64>,
}

impl Fingerprints {
    /// Those of `state`.
    pub fn of(state: &State) -> Self {
        let State { particles, bodies, moved, .. } = state;
        let is_any = !bodies.is_empty() || !moved.is_empty();
        Self { fluid: fingerprint(particles), bodies: is_any.then(|| fingerprint_of_bodies(bodies, moved)) }
    }
}

fn fingerprint_of_bodies(bodies: &[BodyState], moved: &[MovedBody]) -> u64 {
    let mut words = vec![bodies.len() as u64];
    for BodyState { position, rotation, velocity, angular_velocity, load: _, contact: _ } in bodies {
        let vectors = [position, velocity, angular_velocity].into_iter().flat_map(|vector| vector.to_array());
        words.extend(vectors.chain(rotation.to_array()).map(f64::to_bits));
    }
    for MovedBody { body, displacement, velocity } in moved {
        words.push(*body as u64);
        words.extend(displacement.to_array().into_iter().chain(velocity.to_array()).map(f64::to_bits));
    }
    let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
    XxHash64::oneshot(0, &bytes)
}

/// Sum of the hashes of all particles' ids, positions and velocities, to the bit; their order in memory does not matter.
pub fn fingerprint(particles: &Particles) -> u64 {
    let Particles { ids, positions, velocities, .. } = particles;
    let hash = |((id, position), velocity): ((&u32, &glam::Vec3), &glam::Vec3)| {
        let mut bytes = [0; 28];
        let numbers = position.to_array().into_iter().chain(velocity.to_array()).map(f32::to_bits);
        for (slot, word) in bytes.chunks_exact_mut(4).zip(std::iter::once(*id).chain(numbers)) {
            slot.copy_from_slice(&word.to_le_bytes());
        }
        XxHash64::oneshot(0, &bytes)
    };
    ids.iter().zip(positions).zip(velocities).map(hash).fold(0, u64::wrapping_add)
}
