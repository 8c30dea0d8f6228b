//! The fluid particles of a frame.

use glam::Vec3;
use sph_core::View;
use std::collections::BTreeSet;

/// Fluid particles at one instant, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParticleFrame {
    /// Simulated time, s.
    pub time: f64,
    /// Positions, m.
    pub positions: Vec<Vec3>,
    /// Velocities, m/s; empty if they are not known.
    pub velocities: Vec<Vec3>,
    /// Number of the fluid of each particle; empty for one fluid.
    pub fluids: Vec<u8>,
}

impl ParticleFrame {
    /// Particles of `view`.
    pub fn of_view(view: &View<'_>) -> Self {
        let particles = view.particles;
        let order = particles.order_by_id();
        let order = || order.iter().map(|&index| index as usize);
        Self {
            time: view.time,
            positions: order().map(|i| particles.positions[i]).collect(),
            velocities: order().map(|i| particles.velocities[i]).collect(),
            fluids: if particles.fluids.is_empty() { Vec::new() } else { order().map(|i| particles.fluids[i]).collect() },
        }
    }

    /// True if there are several particles and all are and stay in the plane of simulations in two dimensions.
    pub fn is_flat(&self) -> bool {
        self.positions.len() > 1 && self.positions.iter().chain(&self.velocities).all(|vector| vector.z == 0.0)
    }

    /// Numbers of the fluids that have particles, ascending; `None` for the only one.
    pub fn fluid_numbers(&self) -> Vec<Option<u8>> {
        let numbers: BTreeSet<u8> = self.fluids.iter().copied().collect();
        if numbers.is_empty() { vec![None] } else { numbers.into_iter().map(Some).collect() }
    }

    /// Particles of the fluid with number `fluid`.
    #[must_use]
    pub fn of_fluid(&self, fluid: u8) -> Self {
        let chosen = |vectors: &[Vec3]| {
            let pairs = vectors.iter().zip(&self.fluids);
            pairs.filter(|&(_, &other)| other == fluid).map(|(vector, _)| *vector).collect()
        };
        let (positions, velocities) = (chosen(&self.positions), chosen(&self.velocities));
        Self { time: self.time, positions, velocities, fluids: Vec::new() }
    }
}

/// Vectors of three little-endian floats each.
pub(super) fn vectors(bytes: &[u8]) -> Vec<Vec3> {
    let (vectors, _) = bytes.as_chunks::<12>();
    vectors.iter().map(vector).collect()
}

/// A vector of three little-endian floats.
pub(super) fn vector(bytes: &[u8; 12]) -> Vec3 {
    let (floats, _) = bytes.as_chunks::<4>();
    Vec3::from_array(std::array::from_fn(|axis| f32::from_le_bytes(floats[axis])))
}
