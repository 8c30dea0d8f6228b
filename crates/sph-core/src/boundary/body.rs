//! Solid bodies in the fluid: their surface, and particles that must stay outside it.

mod filling;
mod inertia;
mod sampling;

use super::{Dynamics, Motion};
use crate::parameters::{Dimensions, Slip};
use crate::setup::BlockShape;
use crate::space::geometry::{Nearest, Solid, Triangulation, clear_step};
use glam::{DMat3, Vec3};

/// A solid box, the ellipsoid inside one, or any solid. In two dimensions z is ignored. The default is an empty box, which cannot be
/// simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Lowest corner before any rotation, at time 0, m.
    pub min: Vec3,
    /// Highest corner before any rotation, at time 0, m.
    pub max: Vec3,
    /// Shape: the whole box, the ellipsoid that touches its faces, or the solid whose bounds it is.
    pub shape: BlockShape,
    /// Slip condition at the surface.
    pub slip: Slip,
    /// Prescribed motion.
    pub motion: Motion,
    /// Density, kg/m³.
    pub density: f32,
    /// Properties of a body that moves by forces, which has no prescribed motion; `None` for one whose motion is prescribed.
    pub dynamics: Option<Dynamics>,
}

impl Default for Body {
    fn default() -> Self {
        let (min, max, density) = (Vec3::ZERO, Vec3::ZERO, 1000.0);
        Self {
            min,
            max,
            shape: BlockShape::default(),
            slip: Slip::default(),
            motion: Motion::default(),
            density,
            dynamics: None,
        }
    }
}

/// Supporting plane of a body next to a point: all of the body lies behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Support {
    /// Unit normal, out of the body.
    pub normal: Vec3,
    /// Signed distance of the point from the plane, m; negative inside the body.
    pub distance: f32,
}

impl Body {
    /// `solid` at rest, with the density of water.
    pub fn solid(solid: Solid) -> Self {
        let [min, max] = solid.bounds().map(|corner| corner.as_vec3());
        Self { min, max, shape: BlockShape::Solid(solid), ..Self::default() }
    }

    /// Centre of its box at time 0, m.
    pub fn middle(&self) -> Vec3 {
        0.5 * (self.min + self.max)
    }

    /// Half the extent along each axis, m.
    pub fn half_extent(&self) -> Vec3 {
        0.5 * (self.max - self.min)
    }

    /// Surface in three dimensions before any motion, m.
    pub fn triangulation(&self) -> Triangulation {
        match &self.shape {
            BlockShape::Box => Triangulation::of_box(self.min, self.max),
            BlockShape::Ellipsoid => Triangulation::of_ellipsoid(self.min, self.max),
            BlockShape::Solid(solid) => Triangulation::of_solid(solid),
        }
    }

    /// True if any point of it ever moves, or may.
    pub fn moves(&self) -> bool {
        self.dynamics.is_some() || self.motion.moves()
    }

    /// Highest speed of any of its points at any time, m/s: an upper bound. That at the start for a body that moves by forces.
    pub fn top_speed(&self) -> f32 {
        let turning = |of: &Dynamics| of.angular_velocity.length() * self.half_extent().length();
        let free = self.dynamics.as_ref().map_or(0.0, |of| of.velocity.length() + turning(of));
        free + self.motion.top_speed(self.min, self.max)
    }

    /// Distance (m) of `position` (m) from the surface at time 0, to a supporting plane; negative inside the body.
    pub(crate) fn distance_at_start(&self, dimensions: Dimensions, position: Vec3) -> f32 {
        let described = match self.motion.rotation() {
            Some(_) => self.motion.pose(0.0).start(position.as_dvec3()).as_vec3(),
            None => position,
        };
        self.distance(dimensions, described)
    }

    /// Distance of `position` (m), before any motion, from the surface, m: outside at most the true one, to a supporting plane; negative inside.
    pub fn distance(&self, dimensions: Dimensions, position: Vec3) -> f32 {
        self.support(dimensions, position - self.middle()).distance
    }

    /// Supporting plane next to `position` (m from the centre, along the axes of the box).
    pub(crate) fn support(&self, dimensions: Dimensions, position: Vec3) -> Support {
        let (position, half) = flat(dimensions, position, self.half_extent());
        match &self.shape {
            BlockShape::Box => {
                let outside = position - position.clamp(-half, half);
                let distance = outside.length();
                if distance > 0.0 {
                    return Support { normal: outside / distance, distance };
                }
                // The nearest face.
                let depths = half - position.abs();
                let axis = (0..dimensions.count()).min_by(|&a, &b| depths[a].total_cmp(&depths[b])).unwrap_or(0);
                let mut normal = Vec3::ZERO;
                normal[axis] = if position[axis] < 0.0 { -1.0 } else { 1.0 };
                Support { normal, distance: -depths[axis] }
            }
            BlockShape::Ellipsoid => {
                let scaled = (position / half).length();
                let normal = (position / (half * half)).try_normalize().unwrap_or(Vec3::Y);
                // The surface point on the ray from the centre through `position`; the normal there is the same.
                let surface = if scaled > 0.0 { position / scaled } else { half * Vec3::Y };
                Support { normal, distance: (position - surface).dot(normal) }
            }
            BlockShape::Solid(solid) => {
                let Nearest { distance, normal } = solid.nearest((self.middle() + position).as_dvec3());
                Support { normal: normal.as_vec3(), distance: distance as f32 }
            }
        }
    }

    /// True if the segment from `position` (m from the centre) by `step` (m) enters the body enlarged by `clearance` (m) along
    /// each axis: exact beside faces, an estimate around corners and ellipsoids.
    fn is_hit(&self, dimensions: Dimensions, clearance: f32, position: Vec3, step: Vec3) -> bool {
        let (position, half) = flat(dimensions, position, self.half_extent() + clearance);
        match self.shape {
            // A solid may be anywhere in its box.
            BlockShape::Box | BlockShape::Solid(_) => {
                let (mut enter, mut leave) = (0.0f32, 1.0f32);
                for axis in 0..dimensions.count() {
                    if step[axis] == 0.0 {
                        if position[axis].abs() > half[axis] {
                            return false;
                        }
                        continue;
                    }
                    let ends = [-1.0, 1.0].map(|side: f32| (side * half[axis] - position[axis]) / step[axis]);
                    enter = enter.max(ends[0].min(ends[1]));
                    leave = leave.min(ends[0].max(ends[1]));
                }
                enter <= leave
            }
            BlockShape::Ellipsoid => {
                let (start, scaled) = (position / half, step / half);
                // The part of the segment up to the point closest to the centre.
                let part =
                    if scaled == Vec3::ZERO { 0.0 } else { (-start.dot(scaled) / scaled.length_squared()).clamp(0.0, 1.0) };
                (start + part * scaled).length_squared() <= 1.0
            }
        }
    }

    /// Velocity (m/s) closest to `velocity` with which a particle at `position` (m from the centre, along the axes of the box)
    /// stays at least `clearance` (m) away for `dt` (s), while the body moves at `own` (m/s) without rotation. A particle that
    /// is too close already comes no closer.
    pub(crate) fn confine(
        &self,
        dimensions: Dimensions,
        clearance: f32,
        dt: f32,
        (position, own): (Vec3, Vec3),
        velocity: Vec3,
    ) -> Vec3 {
        let relative = velocity - own;
        if !self.is_hit(dimensions, clearance, position, dt * relative) {
            return velocity;
        }
        if let BlockShape::Solid(solid) = &self.shape {
            let (start, step) = ((self.middle() + position).as_dvec3(), (dt * relative).as_dvec3());
            let planar = dimensions == Dimensions::Two;
            let clear = clear_step(|at| solid.nearest(at), clearance.into(), planar, start, step);
            return if clear == step { velocity } else { own + (clear / f64::from(dt)).as_vec3() };
        }
        let Support { normal, distance } = self.support(dimensions, position);
        let room = (distance - clearance).max(0.0);
        let excess = -room / dt - relative.dot(normal);
        if excess > 0.0 { velocity + excess * normal } else { velocity }
    }

    /// True if a box (m) overlaps the body at time 0 by more than `slack` (m). For a body that is turned then, its bounding box
    /// counts.
    pub(crate) fn overlaps_box(&self, dimensions: Dimensions, min: Vec3, max: Vec3, slack: f32) -> bool {
        if let Some(turned) = self.turned_bounds() {
            return turned.overlaps_box(dimensions, min, max, slack);
        }
        let middle = self.middle();
        let (nearest, half) = flat(dimensions, middle.clamp(min, max.max(min)) - middle, self.half_extent() - slack);
        match self.shape {
            BlockShape::Box | BlockShape::Solid(_) => (0..dimensions.count()).all(|axis| nearest[axis].abs() < half[axis]),
            BlockShape::Ellipsoid => (nearest / half).length_squared() < 1.0,
        }
    }

    /// Lowest and highest corner of the box around the body at time 0, m.
    pub(crate) fn bounds_at_start(&self) -> (Vec3, Vec3) {
        self.turned_bounds().map_or((self.min, self.max), |turned| (turned.min, turned.max))
    }

    /// Box around the body at time 0, if it is turned then.
    fn turned_bounds(&self) -> Option<Self> {
        let pose = self.motion.pose(0.0);
        if pose.rotation == DMat3::IDENTITY {
            return None;
        }
        let (min, max) = pose.bounds(self.min, self.max);
        Some(Self { min, max, ..Self::default() })
    }
}

/// In two dimensions, `position` with z = 0 and `half` with z = 1, so that z has no effect; unchanged in three.
fn flat(dimensions: Dimensions, position: Vec3, half: Vec3) -> (Vec3, Vec3) {
    match dimensions {
        Dimensions::Two => (position.with_z(0.0), half.with_z(1.0)),
        Dimensions::Three => (position, half),
    }
}

#[cfg(test)]
mod tests;
