//! Fingerprint of the fluid, by which a replay knows that it starts and ends as the recorded session did.

use sph_core::Particles;
use twox_hash::XxHash64;

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
