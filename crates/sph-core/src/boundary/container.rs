//! Containers of fluid: boxes or other shapes, their faces, and the layers of particles outside them.

use super::{BoundaryParticles, Motion};
use crate::parameters::{Dimensions, Discretization, Slip, WallSampling, choice};
use crate::point_sets::{SolidId, Surface};
use crate::space::geometry::{Layers, Nearest, Side, Solid, clear_step, sample_layers};
use crate::space::{Domain, lattice_counts, product};
use glam::{DVec3, IVec3, UVec3, Vec3};

/// A box, or a region of another shape, with fluid inside. In two dimensions z and the z faces are ignored. The default has no
/// extent, which cannot be simulated; all its faces are free-slip walls at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Container {
    /// Lowest inner corner at time 0, m.
    pub min: Vec3,
    /// Highest inner corner at time 0, m.
    pub max: Vec3,
    /// Region of the fluid, whose bounds the box is; none for the whole box. Its walls lie around it, except at open faces.
    pub region: Option<Solid>,
    /// Faces that are walls; the others are open.
    pub faces: Faces,
    /// Slip condition at the walls.
    pub slip: Slip,
    /// Velocity of each face within its plane, m/s, in the order of [`Face::ALL`]: a lid, a conveyor belt. Such a box
    /// cannot move as a whole.
    pub face_velocities: [Vec3; 6],
    /// Prescribed motion of the whole box, neither displaced nor rotated at time 0.
    pub motion: Motion,
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

impl Face {
    /// Unit vectors along the face; the second is missing in two dimensions.
    pub(crate) fn tangents(self, dimensions: Dimensions) -> (Vec3, Option<Vec3>) {
        let (first, second) = match self {
            Self::XMin | Self::XMax => (Vec3::Y, Vec3::Z),
            Self::YMin | Self::YMax => (Vec3::X, Vec3::Z),
            Self::ZMin | Self::ZMax => (Vec3::X, Vec3::Y),
        };
        (first, (dimensions == Dimensions::Three).then_some(second))
    }
}

impl Faces {
    /// No face.
    pub const NONE: Self = Self(0);
    /// All six faces.
    pub const ALL: Self = Self(0b11_1111);

    /// True if `face` is in the set.
    pub fn contains(self, face: Face) -> bool {
        self.0 & (1 << face as u8) != 0
    }

    /// Returns the set with `face` added.
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
        let (min, max, face_velocities) = (Vec3::ZERO, Vec3::ZERO, [Vec3::ZERO; 6]);
        Self { min, max, region: None, faces: Faces::ALL, slip, face_velocities, motion: Motion::default() }
    }
}

impl Container {
    /// Closed box from `min` to `max` (m) with free-slip walls at rest.
    pub fn new(min: Vec3, max: Vec3) -> Self {
        Self { min, max, ..Self::default() }
    }

    /// Container whose inside is `solid`, with free-slip walls at rest around it except at faces of its bounds that are not among
    /// `faces`.
    pub fn around(solid: &Solid, faces: Faces) -> Self {
        let [min, max] = solid.bounds().map(|corner| corner.as_vec3());
        let region = Some(opened(solid, |face| !faces.contains(face)));
        Self { min, max, region, faces, ..Self::default() }
    }

    /// Returns the container without walls normal to periodic axes.
    #[must_use]
    pub fn within(self, domain: &Domain) -> Self {
        let faces = self.faces_within(domain);
        let is_removed = |face| self.faces.contains(face) && !faces.contains(face);
        Self { faces, region: self.region.as_ref().map(|region| opened(region, is_removed)), ..self }
    }

    /// Faces that are walls, without those normal to periodic axes.
    pub(crate) fn faces_within(&self, domain: &Domain) -> Faces {
        let stays = |face: &Face| self.faces.contains(*face) && !domain.periodic.test(*face as usize / 2);
        Face::ALL.into_iter().filter(stays).collect()
    }

    /// Centre at time 0, m.
    pub fn middle(&self) -> Vec3 {
        0.5 * (self.min + self.max)
    }

    /// Highest speed of any of its points at any time, m/s: an upper bound.
    pub fn top_speed(&self) -> f32 {
        let faces = self.face_velocities.iter().map(|velocity| velocity.length()).fold(0.0, f32::max);
        faces.max(self.motion.top_speed(self.min, self.max))
    }

    /// Velocity (m/s) closest to `velocity` with which a particle at `position` (m) stays at least `clearance` (m) away from
    /// every wall for `dt` (s), while the box is at rest. Particles outside the box, which have left it through an open face, keep their velocity.
    ///
    /// Pressure keeps fluid off the walls; this stops what pressure does not, such as a droplet too small to build up any.
    pub(crate) fn confine(&self, dimensions: Dimensions, clearance: f32, dt: f32, position: Vec3, mut velocity: Vec3) -> Vec3 {
        if let Some(region) = &self.region {
            let front = |at: DVec3| region.nearest(at).flipped();
            let (start, step) = (position.as_dvec3(), (dt * velocity).as_dvec3());
            if front(start).distance < 0.0 {
                return velocity;
            }
            let clear = clear_step(front, clearance.into(), dimensions == Dimensions::Two, start, step);
            return if clear == step { velocity } else { (clear / f64::from(dt)).as_vec3() };
        }
        let axes = 0..dimensions.count();
        if axes.clone().any(|axis| !(self.min[axis]..=self.max[axis]).contains(&position[axis])) {
            return velocity;
        }
        // Distances that the particle may move; 0 if it is too close already.
        let below = (position - self.min - clearance).max(Vec3::ZERO);
        let above = (self.max - clearance - position).max(Vec3::ZERO);
        // Most particles are far from every wall and skip the divisions.
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

    /// Calls `visit` for each wall that is closer to `position` (m) than `reach` (m), in three dimensions and while the container is at rest: for
    /// each face of a box, for the nearest wall of another shape. `solid` is the container. A position outside, beyond an open
    /// face or a wall, meets none.
    pub(crate) fn each_wall_near(&self, solid: SolidId, position: Vec3, reach: f32, visit: &mut dyn FnMut(Surface)) {
        if let Some(region) = &self.region {
            let Nearest { distance, normal } = region.nearest(position.as_dvec3()).flipped();
            if (0.0..reach.into()).contains(&distance) {
                let (distance, normal) = (distance as f32, normal.as_vec3());
                visit(Surface { distance, normal, velocity: Vec3::ZERO, solid });
            }
            return;
        }
        if position.cmplt(self.min).any() || position.cmpgt(self.max).any() {
            return;
        }
        for face in Face::ALL.into_iter().filter(|face| self.faces.contains(*face)) {
            let (axis, is_upper) = (face as usize / 2, face as usize % 2 == 1);
            let distance = if is_upper { self.max[axis] - position[axis] } else { position[axis] - self.min[axis] };
            if distance < reach {
                let normal = if is_upper { -Vec3::AXES[axis] } else { Vec3::AXES[axis] };
                visit(Surface { distance, normal, velocity: self.face_velocities[face as usize], solid });
            }
        }
    }

    /// True if `face` is a wall and `position` (m) lies inside the box, closer than `distance` (m) to it. Only the first `axes`
    /// axes count.
    pub(crate) fn has_wall_within(&self, distance: f32, position: Vec3, face: Face, axes: usize) -> bool {
        let inside = (0..axes).all(|axis| (self.min[axis]..=self.max[axis]).contains(&position[axis]));
        let (axis, high) = (face as usize / 2, face as usize % 2 == 1);
        if let Some(region) = &self.region {
            let outward = if high { Vec3::AXES[axis] } else { -Vec3::AXES[axis] };
            return region.contains(position) && !region.contains(position + distance * outward);
        }
        let room = if high { self.max[axis] - position[axis] } else { position[axis] - self.min[axis] };
        inside && self.faces.contains(face) && room < distance
    }
}

/// `solid` without walls at the faces that are `open`.
fn opened(solid: &Solid, open: impl Fn(Face) -> bool) -> Solid {
    let faces = Face::ALL.into_iter().filter(|&face| open(face));
    faces.fold(solid.clone(), |solid, face| solid.opened(face as usize / 2, face as usize % 2 == 1))
}

// Sampling of containers with layers of particles outside their faces (Adami, Hu and Adams, Adami2012).

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
    use super::*;
    use crate::parameters::KernelKind;

    #[test]
    fn confines_only_particles_inside() {
        let faces = Faces::NONE.with(Face::XMin).with(Face::YMax);
        // Values that f32 represents exactly.
        let container = Container { min: Vec3::ZERO, max: Vec3::ONE, faces, ..Container::default() };
        let confine = |position, velocity| container.confine(Dimensions::Three, 0.125, 1.0, position, velocity);
        let middle = Vec3::splat(0.5);
        assert_eq!(confine(middle, Vec3::new(-3.0, 0.0, 0.0)), Vec3::new(-0.375, 0.0, 0.0));
        assert_eq!(confine(middle, Vec3::new(3.0, 3.0, -3.0)), Vec3::new(3.0, 0.375, -3.0));
        assert_eq!(confine(Vec3::new(0.05, 0.5, 0.5), Vec3::new(-1.0, 0.0, 0.0)), Vec3::ZERO);
        assert_eq!(confine(Vec3::new(0.5, 0.5, 2.0), Vec3::new(-3.0, 9.0, 0.0)), Vec3::new(-3.0, 9.0, 0.0));
    }

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
