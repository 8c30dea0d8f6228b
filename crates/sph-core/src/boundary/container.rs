//! A box that contains fluid, and its sampling with layers of particles outside its faces (Adami, Hu and Adams, Adami2012).

use super::BoundaryParticles;
use crate::parameters::{Dimensions, Discretization, Slip, WallSampling, choice};
use crate::space::{Domain, lattice_counts, product};
use glam::{UVec3, Vec3};

/// A box with fluid inside. In two dimensions its z is ignored, and so are its z faces. The default has no extent, which cannot be
/// simulated; all its faces are walls at rest that fluid slips along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Container {
    /// Lowest inner corner, m.
    pub min: Vec3,
    /// Highest inner corner, m.
    pub max: Vec3,
    /// Which faces are walls; the others are open.
    pub faces: Faces,
    /// Whether its walls drag the fluid along.
    pub slip: Slip,
    /// Velocity of each face within its plane, m/s, in the order of [`Face::ALL`]: a lid, a conveyor belt. The box stays where it is.
    pub face_velocities: [Vec3; 6],
}

choice! {
    /// Faces of a box, in the order of the axes that they are normal to: face `2 axis` is the lower one, face `2 axis + 1` the upper one.
    pub enum Face {
        /// Lowest x.
        XMin = "x_min", "Lowest x";
        /// Highest x.
        XMax = "x_max", "Highest x";
        /// Lowest y: the floor.
        YMin = "y_min", "Lowest y";
        /// Highest y: the ceiling.
        YMax = "y_max", "Highest y";
        /// Lowest z.
        ZMin = "z_min", "Lowest z";
        /// Highest z.
        ZMax = "z_max", "Highest z";
    }
}

/// A set of faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Faces(u8);

impl Faces {
    /// No face.
    pub const NONE: Self = Self(0);
    /// All six faces.
    pub const ALL: Self = Self(0b11_1111);

    /// Whether `face` is in the set.
    pub fn contains(self, face: Face) -> bool {
        self.0 & (1 << face as u8) != 0
    }

    /// The set with `face` in it.
    #[must_use]
    pub fn with(self, face: Face) -> Self {
        Self(self.0 | 1 << face as u8)
    }
}

impl FromIterator<Face> for Faces {
    fn from_iter<I: IntoIterator<Item = Face>>(faces: I) -> Self {
        faces.into_iter().fold(Self::NONE, Self::with)
    }
}

impl Default for Container {
    fn default() -> Self {
        let slip = Slip::default();
        Self { min: Vec3::ZERO, max: Vec3::ZERO, faces: Faces::ALL, slip, face_velocities: [Vec3::ZERO; 6] }
    }
}

/// A container's lattice: the inner cells, and the layers around them.
struct WallLattice {
    /// Cells inside the box along each axis.
    inner: UVec3,
    /// Layers outside each face: enough for a support radius.
    layers: UVec3,
    spacing: Vec3,
}

impl Container {
    /// Closed box from `min` to `max` (m), its walls at rest and without friction.
    pub fn new(min: Vec3, max: Vec3) -> Self {
        Self { min, max, ..Self::default() }
    }

    /// The container without the faces that a periodic axis passes through.
    #[must_use]
    pub fn within(self, domain: &Domain) -> Self {
        let stays = |face: &Face| self.faces.contains(*face) && !domain.periodic.test(*face as usize / 2);
        Self { faces: Face::ALL.into_iter().filter(stays).collect(), ..self }
    }

    fn lattice(&self, discretization: &Discretization, domain: &Domain, layers: u32) -> WallLattice {
        let Discretization { dimensions, particle_spacing, .. } = *discretization;
        let inner = lattice_counts(self.min, self.max, particle_spacing, dimensions).map(|count| count.min(1 << 30) as u32);
        let layers = match dimensions {
            Dimensions::Two => UVec3::new(layers, layers, 0),
            Dimensions::Three => UVec3::splat(layers),
        };
        // What is beyond a periodic face is there already, at the other.
        let layers = UVec3::select(domain.periodic, UVec3::ZERO, layers);
        let inner = UVec3::from_array(inner);
        WallLattice { inner, layers, spacing: (self.max - self.min) / inner.as_vec3() }
    }

    /// The velocity (m/s) closest to `velocity` with which a particle at `position` (m) does not come closer than `clearance` (m) to a
    /// wall within `dt` (s). Particles outside, where they can get only through an open face, keep theirs.
    ///
    /// Pressure holds fluid off the walls; this stops what pressure cannot: a droplet too small to build any up.
    pub(crate) fn confine(&self, dimensions: Dimensions, clearance: f32, dt: f32, position: Vec3, mut velocity: Vec3) -> Vec3 {
        let axes = 0..dimensions.count();
        if axes.clone().any(|axis| !(self.min[axis]..=self.max[axis]).contains(&position[axis])) {
            return velocity;
        }
        // Room up to the walls; none for a particle that is too close already.
        let below = (position - self.min - clearance).max(Vec3::ZERO);
        let above = (self.max - clearance - position).max(Vec3::ZERO);
        // Most particles are far from every wall: they need no division.
        let step = dt * velocity;
        let clear = step.cmpge(-below) & step.cmple(above);
        for axis in axes.filter(|&axis| !clear.test(axis)) {
            let (below, above) = (below[axis], above[axis]);
            if self.faces.contains(Face::ALL[2 * axis]) {
                velocity[axis] = velocity[axis].max(-below / dt);
            }
            if self.faces.contains(Face::ALL[2 * axis + 1]) {
                velocity[axis] = velocity[axis].min(above / dt);
            }
        }
        velocity
    }

    /// Whether `place` (m), inside, is closer than `distance` (m) to this face, and it is a wall. The first `axes` axes count.
    pub(crate) fn has_wall_within(&self, distance: f32, place: Vec3, face: Face, axes: usize) -> bool {
        let inside = (0..axes).all(|axis| (self.min[axis]..=self.max[axis]).contains(&place[axis]));
        let (axis, high) = (face as usize / 2, face as usize % 2 == 1);
        let room = if high { self.max[axis] - place[axis] } else { place[axis] - self.min[axis] };
        inside && self.faces.contains(face) && room < distance
    }

    /// Upper bound on the boundary particles of this container (exact when every face is a wall of layers); saturates.
    pub fn particle_count(&self, discretization: &Discretization, domain: &Domain) -> u64 {
        let layers = WallSampling::Layers.layers(discretization);
        let WallLattice { inner, layers, .. } = self.lattice(discretization, domain, layers);
        let inner = inner.to_array().map(u64::from);
        let outer = (UVec3::from_array(inner.map(|count| count as u32)) + 2 * layers).to_array().map(u64::from);
        product(outer).saturating_sub(product(inner))
    }

    /// Appends this container's boundary particles: cell centres of its lattice continued outside its walls,
    /// `volume` (m³) each.
    pub(crate) fn sample(
        &self,
        discretization: &Discretization,
        (domain, sampling): (&Domain, WallSampling),
        volume: f32,
        particles: &mut BoundaryParticles,
    ) {
        let layers = sampling.layers(discretization);
        let WallLattice { inner, layers, spacing } = self.lattice(discretization, domain, layers);
        let planar = discretization.dimensions == Dimensions::Two;
        let (inner, layers) = (inner.as_ivec3(), layers.as_ivec3());
        for z in -layers.z..inner.z + layers.z {
            for y in -layers.y..inner.y + layers.y {
                // Rows that cross the inside have particles at their two ends only.
                let crosses = (0..inner.y).contains(&y) && (0..inner.z).contains(&z);
                let (left, right) = (-layers.x..0, inner.x..inner.x + layers.x);
                let middle = if crosses { 0..0 } else { 0..inner.x };
                for x in left.chain(middle).chain(right) {
                    if self.is_wall([x, y, z], inner.to_array()) {
                        let place = self.min + (glam::IVec3::new(x, y, z).as_vec3() + 0.5) * spacing;
                        particles.positions.push(if planar { place.with_z(0.0) } else { place });
                        particles.velocities.push(self.velocity([x, y, z], inner.to_array()));
                    }
                }
            }
        }
        particles.complete(volume, self.slip);
    }

    /// Whether the lattice cell belongs to a wall: it lies beyond at least one face that is one. At the edge of an open face the wall
    /// therefore goes on by its layers, so that fluid in the corner finds full support.
    fn is_wall(&self, cell: [i32; 3], inner: [i32; 3]) -> bool {
        self.walls_at(cell, inner).next().is_some()
    }

    /// Velocity of the wall at a cell, m/s. Where two faces meet, their velocities add up: each face then goes on past the edge, so that
    /// fluid in the corner sees as much wall go as come, and is not pressed.
    fn velocity(&self, cell: [i32; 3], inner: [i32; 3]) -> Vec3 {
        self.walls_at(cell, inner).map(|face| self.face_velocities[face as usize]).sum()
    }

    /// The faces that are walls and that the lattice cell lies beyond.
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
    fn a_lid_goes_on_past_the_edges() {
        let mut container = Container { max: Vec3::ONE, ..Container::default() };
        container.face_velocities[Face::YMax as usize] = Vec3::X;
        container.face_velocities[Face::XMax as usize] = Vec3::Y;
        let particles = sample(&container, Dimensions::Two);
        for (place, &velocity) in particles.positions.iter().zip(&particles.velocities) {
            let lid = if place.y > 1.0 { Vec3::X } else { Vec3::ZERO };
            let belt = if place.x > 1.0 { Vec3::Y } else { Vec3::ZERO };
            assert_eq!(velocity, lid + belt, "{place}");
        }
    }

    #[test]
    fn confines_only_what_is_inside() {
        let faces = Faces::NONE.with(Face::XMin).with(Face::YMax);
        // Numbers that f32 holds exactly.
        let container = Container { min: Vec3::ZERO, max: Vec3::ONE, faces, ..Container::default() };
        let confine = |position, velocity| container.confine(Dimensions::Three, 0.125, 1.0, position, velocity);
        let middle = Vec3::splat(0.5);
        assert_eq!(confine(middle, Vec3::new(-3.0, 0.0, 0.0)), Vec3::new(-0.375, 0.0, 0.0));
        assert_eq!(confine(middle, Vec3::new(3.0, 3.0, -3.0)), Vec3::new(3.0, 0.375, -3.0));
        assert_eq!(confine(Vec3::new(0.05, 0.5, 0.5), Vec3::new(-1.0, 0.0, 0.0)), Vec3::ZERO);
        assert_eq!(confine(Vec3::new(0.5, 0.5, 2.0), Vec3::new(-3.0, 9.0, 0.0)), Vec3::new(-3.0, 9.0, 0.0));
    }
}
