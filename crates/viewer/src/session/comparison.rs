//! Bitwise comparison of two motions.

use glam::Vec3;
use sph_core::Particles;
use std::fmt;

/// Bitwise comparison of two motions that should be equal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Steps after which the particles were compared.
    pub steps: u64,
    /// Number of bits of positions, velocities and densities that differed, summed over all those steps.
    pub bits: u64,
    /// The first difference found, if any.
    pub first: Option<Difference>,
}

/// A particle that differs between the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Step after which the difference was found.
    pub step: u64,
    /// Stable id of the particle.
    pub particle_id: u32,
    /// The quantity that differs, and the size of the difference.
    pub by: Differing,
}

/// The quantity that differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Differing {
    /// The order in memory, which is the same for any grid. Nothing else is compared then.
    Order,
    /// The position; distance between the two, m.
    Position(f32),
    /// The velocity; magnitude of the difference, m/s.
    Velocity(f32),
    /// The density; absolute difference, kg/m³.
    Density(f32),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, particle_id, by } = self;
        write!(f, "particle {particle_id} differs since step {step}, ")?;
        match by {
            Differing::Order => write!(f, "in its order in memory"),
            Differing::Position(distance) => write!(f, "by {distance:.1e} m"),
            Differing::Velocity(speed) => write!(f, "by {speed:.1e} m/s"),
            Differing::Density(density) => write!(f, "by {density:.1e} kg/m³"),
        }
    }
}

impl Comparison {
    /// Compares the particles `a` and `b` after `step`.
    pub(super) fn add(&mut self, step: u64, a: &Particles, b: &Particles) {
        self.steps += 1;
        let first = if a.ids == b.ids { self.add_values(a, b) } else { Some((first_reordered(a, b), Differing::Order)) };
        if let Some((index, by)) = first {
            let particle_id = a.ids.get(index).copied().unwrap_or_default();
            self.first.get_or_insert(Difference { step, particle_id, by });
        }
    }

    /// Adds the number of differing bits; returns the index of the first particle that differs, and the difference.
    fn add_values(&mut self, a: &Particles, b: &Particles) -> Option<(usize, Differing)> {
        let positions = count_differing_bits(floats(&a.positions), floats(&b.positions));
        let velocities = count_differing_bits(floats(&a.velocities), floats(&b.velocities));
        let densities = count_differing_bits(a.densities.iter().copied(), b.densities.iter().copied());
        let mut first = None;
        let found = [
            positions.map(|(bits, k)| (bits, k / 3, Differing::Position(a.positions[k / 3].distance(b.positions[k / 3])))),
            velocities.map(|(bits, k)| (bits, k / 3, Differing::Velocity(a.velocities[k / 3].distance(b.velocities[k / 3])))),
            densities.map(|(bits, k)| (bits, k, Differing::Density((a.densities[k] - b.densities[k]).abs()))),
        ];
        for (bits, index, by) in found.into_iter().flatten() {
            self.bits += bits;
            if first.is_none_or(|(earlier, _)| index < earlier) {
                first = Some((index, by));
            }
        }
        first
    }
}

/// The first index at which the ids differ.
fn first_reordered(a: &Particles, b: &Particles) -> usize {
    a.ids.iter().zip(&b.ids).position(|(a, b)| a != b).unwrap_or_default()
}

/// The coordinates of `vectors`, x, y, z of each in turn.
fn floats(vectors: &[Vec3]) -> impl Iterator<Item = f32> + Clone {
    vectors.iter().flat_map(|vector| vector.to_array())
}

/// Number of bits that differ between two sequences, and the index of the first number that differs; `None` if the sequences
/// are equal.
fn count_differing_bits(a: impl Iterator<Item = f32> + Clone, b: impl Iterator<Item = f32> + Clone) -> Option<(u64, usize)> {
    let bits = a.zip(b).map(|(a, b)| a.to_bits() ^ b.to_bits());
    // The sequences are almost always equal, and the OR of all differences shows that without counting bits.
    if bits.clone().fold(0, |all, bits| all | bits) == 0 {
        return None;
    }
    let index = bits.clone().position(|bits| bits != 0)?;
    Some((bits.map(|bits| u64::from(bits.count_ones())).sum(), index))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn particles() -> Particles {
        let place = |k: u32| Vec3::new(k as f32, 0.5, -1.0);
        Particles {
            positions: (0..9).map(place).collect(),
            velocities: (0..9).map(place).collect(),
            densities: vec![1000.0; 9],
            pressures: vec![0.0; 9],
            ids: (0..9).rev().collect(),
            ..Particles::default()
        }
    }

    fn changed(change: impl FnOnce(&mut Particles)) -> Particles {
        let mut particles = particles();
        change(&mut particles);
        particles
    }

    #[test]
    fn equal_particles_compare_equal() {
        let mut comparison = Comparison::default();
        comparison.add(1, &particles(), &particles());
        comparison.add(2, &particles(), &particles());
        assert_eq!(comparison, Comparison { steps: 2, bits: 0, first: None });
    }

    #[test]
    fn a_difference_of_one_bit_is_found_and_named() {
        let mut comparison = Comparison::default();
        comparison.add(5, &particles(), &changed(|other| other.densities[4] = 1000.0_f32.next_up()));
        comparison.add(6, &particles(), &changed(|other| other.positions[2].y = -0.5));
        // One bit of the density, one of the sign; the first difference is kept.
        let first = Difference { step: 5, particle_id: 4, by: Differing::Density(1000.0_f32.next_up() - 1000.0) };
        assert_eq!(comparison, Comparison { steps: 2, bits: 2, first: Some(first) });
        assert_eq!(first.to_string(), "particle 4 differs since step 5, by 6.1e-5 kg/m³");
    }

    #[test]
    fn equal_numbers_with_other_bits_are_different() {
        let (zero, negative) = (changed(|one| one.velocities[8].z = 0.0), changed(|other| other.velocities[8].z = -0.0));
        let mut comparison = Comparison::default();
        comparison.add(1, &zero, &negative);
        assert_eq!(comparison.first.map(|first| (first.particle_id, first.by)), Some((0, Differing::Velocity(0.0))));
    }

    #[test]
    fn another_order_is_a_difference() {
        let mut comparison = Comparison::default();
        comparison.add(3, &particles(), &changed(|other| other.ids.swap(1, 2)));
        assert_eq!(comparison.first, Some(Difference { step: 3, particle_id: 7, by: Differing::Order }));
    }
}
