//! A box that contains fluid.

mod sampling;

use super::Motion;
use crate::parameters::{Dimensions, Slip, choice};
use crate::space::Domain;
use crate::space::geometry::{Solid, clear_step};
use glam::{DVec3, Vec3};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
