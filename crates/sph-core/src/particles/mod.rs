//! State of the fluid particles, as a structure of arrays: the one place where their attributes are listed.

mod attributes;

pub use attributes::{Attribute, Presence, Values, ValuesMut};

use crate::passes::sweep;
use crate::report::held;
use attributes::{Value, attributes};
use glam::Vec3;

attributes! {
    /// State of the fluid: every array has one entry for each particle, or none if its attribute is optional.
    ///
    /// Particles are sorted by cell so that neighbours lie near each other in memory, and by id within a cell. The order changes
    /// from step to step; [`Particles::ids`] identifies the particles.
    pub struct Particles {
        /// Positions, m.
        positions: Vec3 => Always, "position", "m", ["x", "y", "z"];
        /// Rounding errors of the positions, m: exact position minus rounded one, kept for compensation.
        rounding_errors: Vec3 => Always, "rounding_error", "m", [];
        /// Velocities, m/s.
        velocities: Vec3 => Always, "velocity", "m/s", ["vx", "vy", "vz"];
        /// Densities, kg/m³.
        densities: f32 => Always, "density", "kg/m³", ["density"];
        /// Pressures of the last step, Pa.
        pressures: f32 => Always, "pressure", "Pa", ["pressure"];
        /// Stable ids: no two particles of a simulation ever have the same. At the start they count the particles from 0.
        ids: u32 => Always, "id", "", ["id"];
        /// Index of the fluid of each particle in [`Setup::fluids`](crate::Setup::fluids); none if there is one fluid.
        fluids: u8 => Optional, "fluid", "", ["fluid"];
        /// Times at which particles came into the fluid, s; none while all are there from the start.
        births: f32 => Optional, "birth", "s", [];
        /// Angular velocities of micropolar particles, 1/s; none if `vorticity_transfer` is 0.
        spins: Vec3 => Optional, "spin", "1/s", [];
        /// Changes of the velocities by the last solve of implicit viscosity, m/s: the initial guess of the next.
        viscosity_changes: Vec3 => Optional, "viscosity_change", "m/s", [];
        /// Unknowns k of the density solve of DFSPH or IISPH before the last, m²/s²: with the last, the initial guess of the next.
        earlier_k: f32 => Optional, "earlier_k", "m²/s²", [];
        /// Unknowns k of the last divergence solve of DFSPH, m²/s²: the initial guess of the next.
        divergence_k: f32 => Optional, "divergence_k", "m²/s²", [];
        /// Offsets of the target of the relative density from 1, while a change of solver or a compressed start fades.
        density_offsets: f32 => Optional, "density_offset", "", [];
    }
}

impl Particles {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// True if there are no particles.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Indices of the particles in the order of their ids, which does not change from step to step.
    pub fn order_by_id(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|&index| self.ids[index as usize]);
        order
    }

    /// Positions in the order of the ids, m.
    pub fn positions_by_id(&self) -> Vec<Vec3> {
        self.order_by_id().into_iter().map(|index| self.positions[index as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Particles {
        let mut particles = Particles::default();
        particles.extend(3);
        particles.ids = vec![5, 2, 9];
        particles.positions = vec![Vec3::X, Vec3::Y, Vec3::Z];
        particles.divergence_k = vec![1.0, 2.0, 3.0];
        particles
    }

    #[test]
    fn every_attribute_follows_a_permutation() {
        let mut particles = three();
        particles.permute(&[2, 0, 1], &mut Particles::default());
        assert_eq!((particles.ids, particles.divergence_k), (vec![9, 5, 2], vec![3.0, 1.0, 2.0]));
        assert_eq!(particles.positions, [Vec3::Z, Vec3::X, Vec3::Y]);
        assert!(particles.spins.is_empty());
    }

    #[test]
    fn particles_are_added_and_removed_in_every_array() {
        let mut particles = three();
        particles.extend(1);
        assert_eq!((particles.len(), &particles.divergence_k[..]), (4, &[1.0, 2.0, 3.0, 0.0][..]));
        particles.retain(|index| index != 1);
        assert_eq!((&particles.ids[..], &particles.positions[..]), (&[5, 9, 0][..], &[Vec3::X, Vec3::Z, Vec3::ZERO][..]));
        for (attribute, values) in particles.attributes() {
            let absent = attribute.presence == Presence::Optional && attribute.name != "divergence_k";
            assert_eq!(values.len(), if absent { 0 } else { 3 }, "{}", attribute.name);
        }
    }

    #[test]
    fn every_component_has_a_column_or_none_has() {
        let mut particles = three();
        particles.spins = vec![Vec3::X; 3];
        for (attribute, values) in particles.attributes() {
            let components = if let Values::Vectors(_) = values { 3 } else { 1 };
            assert!([0, components].contains(&attribute.columns.len()), "{}", attribute.name);
        }
    }

    #[test]
    fn what_is_shown_is_copied_alone() {
        let (mut from, mut copy) = (three(), three());
        from.velocities[1] = Vec3::Z;
        copy.extend(2);
        copy.copy_shown(&from);
        let names: Vec<_> = copy.shown().map(|(attribute, _)| attribute.name).collect();
        assert_eq!(names, ["positions", "velocities", "densities", "pressures", "ids"]);
        assert!(copy.shown().eq(from.shown()));
        assert!(copy.divergence_k.is_empty() && copy.rounding_errors.is_empty());
    }

    #[test]
    fn ids_give_an_order() {
        assert_eq!((three().order_by_id(), three().positions_by_id()), (vec![1, 0, 2], vec![Vec3::Y, Vec3::X, Vec3::Z]));
    }
}
