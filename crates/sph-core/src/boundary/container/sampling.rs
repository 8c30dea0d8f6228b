//! Sampling of containers with layers of particles outside their faces (Adami, Hu and Adams, Adami2012).

use super::{Container, Face};
use crate::boundary::BoundaryParticles;
use crate::parameters::{Dimensions, Discretization, WallSampling};
use crate::space::geometry::{Layers, Side, sample_layers};
use crate::space::{Domain, lattice_counts, product};
use glam::{IVec3, UVec3, Vec3};

/// Lattice of a container: its inner cells and the layers of boundary particles around them.
struct WallLattice {
    /// Cells inside the box along each axis.
    inner: UVec3,
    /// Layers outside the faces normal to each axis: enough for a support radius, or one.
    layers: UVec3,
    spacing: Vec3,
}

impl WallLattice {
    /// Direction out of the box at `cell`: −1, 0 or 1 along each axis.
    fn outward(&self, cell: IVec3) -> Vec3 {
        let above = IVec3::from(cell.cmpge(self.inner.as_ivec3()));
        (above - IVec3::from(cell.cmplt(IVec3::ZERO))).as_vec3()
    }
}

impl Container {
    fn lattice(&self, discretization: &Discretization, domain: &Domain, layers: u32) -> WallLattice {
        let Discretization { dimensions, particle_spacing, .. } = *discretization;
        let inner = lattice_counts(self.min, self.max, particle_spacing, dimensions).map(|count| count.min(1 << 30) as u32);
        let layers = match dimensions {
            Dimensions::Two => UVec3::new(layers, layers, 0),
            Dimensions::Three => UVec3::splat(layers),
        };
        // Beyond a periodic face lies the other end of the domain, which is sampled already.
        let layers = UVec3::select(domain.periodic, UVec3::ZERO, layers);
        let inner = UVec3::from_array(inner);
        WallLattice { inner, layers, spacing: (self.max - self.min) / inner.as_vec3() }
    }

    /// Upper bound on the number of boundary particles of this container, exact if every face is a wall of layers; saturates.
    pub fn particle_count(&self, discretization: &Discretization, domain: &Domain) -> u64 {
        if let Some(region) = &self.region {
            return Layers::of(discretization, WallSampling::Layers, Side::Outside).estimate(region);
        }
        let layers = WallSampling::Layers.layers(discretization);
        let WallLattice { inner, layers, .. } = self.lattice(discretization, domain, layers);
        let inner = inner.to_array().map(u64::from);
        let outer = (UVec3::from_array(inner.map(|count| count as u32)) + 2 * layers).to_array().map(u64::from);
        product(outer).saturating_sub(product(inner))
    }

    /// Appends this container's boundary particles at time 0, with the volume `volume` (m³): cell centres of its lattice,
    /// continued outside its walls; a single layer lies a little deeper.
    pub(crate) fn sample(
        &self,
        discretization: &Discretization,
        (domain, sampling): (&Domain, WallSampling),
        volume: f32,
        particles: &mut BoundaryParticles,
    ) {
        if let Some(region) = &self.region {
            let (positions, volumes) = sample_layers(region, Layers::of(discretization, sampling, Side::Outside));
            particles.velocities.resize(particles.velocities.len() + positions.len(), Vec3::ZERO);
            particles.extend(positions, volumes, volume / discretization.particle_volume(), self.slip);
            return;
        }
        let layers = sampling.layers(discretization);
        let lattice = self.lattice(discretization, domain, layers);
        let WallLattice { inner, layers, spacing } = lattice;
        let shift = sampling.shift(discretization);
        let planar = discretization.dimensions == Dimensions::Two;
        let (inner, layers) = (inner.as_ivec3(), layers.as_ivec3());
        for z in -layers.z..inner.z + layers.z {
            for y in -layers.y..inner.y + layers.y {
                // Rows through the inside have boundary particles at both ends only.
                let crosses = (0..inner.y).contains(&y) && (0..inner.z).contains(&z);
                let (left, right) = (-layers.x..0, inner.x..inner.x + layers.x);
                let middle = if crosses { 0..0 } else { 0..inner.x };
                for x in left.chain(middle).chain(right) {
                    if self.is_wall([x, y, z], inner.to_array()) {
                        let cell = IVec3::new(x, y, z);
                        let position = self.min + (cell.as_vec3() + 0.5) * spacing + shift * lattice.outward(cell);
                        particles.positions.push(if planar { position.with_z(0.0) } else { position });
                        particles.velocities.push(self.velocity([x, y, z], inner.to_array()));
                    }
                }
            }
        }
        particles.complete(volume, self.slip);
    }

    /// True if the lattice cell lies beyond at least one face that is a wall. At the edge of an open face the wall therefore
    /// extends by its layers, so that fluid in the corner has full support.
    fn is_wall(&self, cell: [i32; 3], inner: [i32; 3]) -> bool {
        self.walls_at(cell, inner).next().is_some()
    }

    /// Velocity of the wall at a cell, m/s: the sum over the faces that it lies beyond. Each face then extends past its edges,
    /// so that as much wall moves away from fluid in the corner as towards it, and the fluid there is not compressed.
    fn velocity(&self, cell: [i32; 3], inner: [i32; 3]) -> Vec3 {
        self.walls_at(cell, inner).map(|face| self.face_velocities[face as usize]).sum()
    }

    /// Walls that the lattice cell lies beyond.
    fn walls_at(&self, cell: [i32; 3], inner: [i32; 3]) -> impl Iterator<Item = Face> {
        Face::ALL.into_iter().filter(move |&face| {
            let (axis, upper) = (face as usize / 2, face as usize % 2 == 1);
            let beyond = if upper { cell[axis] >= inner[axis] } else { cell[axis] < 0 };
            beyond && self.faces.contains(face)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Faces;
    use super::*;
    use crate::parameters::KernelKind;

    fn discretization(dimensions: Dimensions) -> Discretization {
        let kernel = KernelKind::CubicSpline;
        Discretization { dimensions, particle_spacing: 0.1, kernel, support_radius: 0.2, rest_density: 1000.0 }
    }

    fn sample(container: &Container, dimensions: Dimensions) -> BoundaryParticles {
        let mut particles = BoundaryParticles::default();
        container.sample(&discretization(dimensions), (&Domain::default(), WallSampling::Layers), 1e-3, &mut particles);
        particles
    }

    #[test]
    fn layers_surround_the_box_once() {
        let container = Container { min: Vec3::ZERO, max: Vec3::new(1.0, 0.5, 0.4), faces: Faces::ALL, ..Container::default() };
        for (dimensions, count) in [(Dimensions::Two, 14 * 9 - 10 * 5), (Dimensions::Three, 14 * 9 * 8 - 10 * 5 * 4)] {
            let particles = sample(&container, dimensions);
            assert_eq!(particles.len(), count);
            assert_eq!(container.particle_count(&discretization(dimensions), &Domain::default()), count as u64);
            for (index, &a) in particles.positions.iter().enumerate() {
                let inside = a.cmpgt(container.min).all() && a.cmplt(container.max).all();
                assert!(!inside, "{a} is inside");
                assert!(particles.positions[..index].iter().all(|b| b.distance(a) > 0.09), "{a} twice");
            }
        }
    }

    #[test]
    fn open_faces_have_no_layers() {
        let faces = Face::ALL.into_iter().filter(|&face| face != Face::YMax).collect();
        let container = Container { min: Vec3::ZERO, max: Vec3::ONE, faces, ..Container::default() };
        let particles = sample(&container, Dimensions::Three);
        let above_the_fluid = |p: &&Vec3| p.y > 1.0 && p.x > 0.0 && p.x < 1.0 && p.z > 0.0 && p.z < 1.0;
        assert_eq!(particles.positions.iter().filter(above_the_fluid).count(), 0);
        assert_eq!(particles.len(), 14 * 14 * 14 - 10 * 12 * 10);
    }

    #[test]
    fn a_lid_extends_past_its_edges() {
        let mut container = Container { max: Vec3::ONE, ..Container::default() };
        container.face_velocities[Face::YMax as usize] = Vec3::X;
        container.face_velocities[Face::XMax as usize] = Vec3::Y;
        let particles = sample(&container, Dimensions::Two);
        for (position, &velocity) in particles.positions.iter().zip(&particles.velocities) {
            let lid = if position.y > 1.0 { Vec3::X } else { Vec3::ZERO };
            let belt = if position.x > 1.0 { Vec3::Y } else { Vec3::ZERO };
            assert_eq!(velocity, lid + belt, "{position}");
        }
    }
}
