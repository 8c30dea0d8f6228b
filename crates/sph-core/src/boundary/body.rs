//! Solid bodies in the fluid, sampled with layers of boundary particles inside their surface.

mod inertia;

use super::{BoundaryParticles, Motion};
use crate::parameters::{Dimensions, Discretization, Slip, WallSampling};
use crate::setup::BlockShape;
use crate::space::{lattice_counts, product};
use glam::{BVec3, DMat3, U64Vec3, Vec3};
use std::f32::consts::{PI, TAU};

/// A solid box, or the ellipsoid inside one. In two dimensions z is ignored. The default is an empty box, which cannot be
/// simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Lowest corner before any rotation, at time 0, m.
    pub min: Vec3,
    /// Highest corner before any rotation, at time 0, m.
    pub max: Vec3,
    /// Shape: the whole box, or the ellipsoid that touches its faces.
    pub shape: BlockShape,
    /// Slip condition at the surface.
    pub slip: Slip,
    /// Prescribed motion.
    pub motion: Motion,
    /// Density, kg/m³.
    pub density: f32,
}

impl Default for Body {
    fn default() -> Self {
        let (min, max, density) = (Vec3::ZERO, Vec3::ZERO, 1000.0);
        Self { min, max, shape: BlockShape::default(), slip: Slip::default(), motion: Motion::default(), density }
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
    /// Centre at time 0, m.
    pub fn middle(&self) -> Vec3 {
        0.5 * (self.min + self.max)
    }

    /// Half the extent along each axis, m.
    pub fn half_extent(&self) -> Vec3 {
        0.5 * (self.max - self.min)
    }

    /// Highest speed of any of its points at any time, m/s: an upper bound.
    pub fn top_speed(&self) -> f32 {
        self.motion.top_speed(corners(self.min, self.max))
    }

    /// Distance (m) of `position` (m) from the surface at time 0, to a supporting plane; negative inside the body.
    pub(crate) fn distance_at_start(&self, dimensions: Dimensions, position: Vec3) -> f32 {
        let described = match self.motion.rotation() {
            Some(_) => self.motion.pose(0.0).start(position.as_dvec3()).as_vec3(),
            None => position,
        };
        self.support(dimensions, described - self.middle()).distance
    }

    /// Supporting plane next to `position` (m from the centre, along the axes of the box).
    pub(crate) fn support(&self, dimensions: Dimensions, position: Vec3) -> Support {
        let (position, half) = flat(dimensions, position, self.half_extent());
        match self.shape {
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
        }
    }

    /// True if the segment from `position` (m from the centre) by `step` (m) enters the body enlarged by `clearance` (m) along
    /// each axis: exact beside faces, an estimate around corners and ellipsoids.
    fn is_hit(&self, dimensions: Dimensions, clearance: f32, position: Vec3, step: Vec3) -> bool {
        let (position, half) = flat(dimensions, position, self.half_extent() + clearance);
        match self.shape {
            BlockShape::Box => {
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
            BlockShape::Box => (0..dimensions.count()).all(|axis| nearest[axis].abs() < half[axis]),
            BlockShape::Ellipsoid => (nearest / half).length_squared() < 1.0,
        }
    }

    /// Box around the body at time 0, if it is turned then.
    fn turned_bounds(&self) -> Option<Self> {
        let pose = self.motion.pose(0.0);
        if pose.rotation == DMat3::IDENTITY {
            return None;
        }
        let turned = corners(self.min, self.max).map(|corner| pose.point(corner.as_dvec3()).as_vec3());
        let (min, max) =
            turned.into_iter().fold((turned[0], turned[0]), |(min, max), corner| (min.min(corner), max.max(corner)));
        Some(Self { min, max, ..Self::default() })
    }

    /// Upper bound on the number of boundary particles of this body; saturates.
    pub fn particle_count(&self, discretization: &Discretization) -> u64 {
        let Discretization { dimensions, particle_spacing, .. } = *discretization;
        let counts = lattice_counts(self.min, self.max, particle_spacing, dimensions);
        if self.shape == BlockShape::Ellipsoid {
            // Rings may hold a few more than the lattice.
            return product(counts).saturating_add(100);
        }
        let layers = 2 * u64::from(WallSampling::Layers.layers(discretization));
        let axes = dimensions.count();
        let hollow: [u64; 3] = std::array::from_fn(|axis| if axis < axes { counts[axis].saturating_sub(layers) } else { 1 });
        product(counts).saturating_sub(product(hollow))
    }

    /// Positions of its boundary particles before any motion, m; its [`Pose`](super::Pose) takes them to where they are.
    pub fn particles(&self, discretization: &Discretization) -> Vec<Vec3> {
        let mut particles = BoundaryParticles::default();
        self.sample(discretization, WallSampling::Layers, discretization.particle_volume(), &mut particles);
        particles.positions
    }

    /// Appends this body's boundary particles before any motion. A particle of a lattice with the particle spacing has the volume
    /// `volume` (m³).
    pub(crate) fn sample(
        &self,
        discretization: &Discretization,
        sampling: WallSampling,
        volume: f32,
        particles: &mut BoundaryParticles,
    ) {
        let layers = sampling.layers(discretization);
        match (self.shape, discretization.dimensions) {
            (BlockShape::Ellipsoid, Dimensions::Two) => self.sample_rings(discretization, layers, volume, particles),
            _ => self.sample_lattice(discretization, layers, volume, particles),
        }
        particles.velocities.resize(particles.positions.len(), self.motion.velocity(0.0));
        particles.complete(volume, self.slip);
    }

    /// Samples the body at the cell centres of a lattice that fills its box.
    fn sample_lattice(&self, discretization: &Discretization, layers: u32, volume: f32, particles: &mut BoundaryParticles) {
        let Discretization { dimensions, particle_spacing, .. } = *discretization;
        let counts = U64Vec3::from_array(lattice_counts(self.min, self.max, particle_spacing, dimensions));
        let axes = dimensions.count();
        let spacing = (self.max - self.min) / counts.as_vec3();
        let stretch: f32 = (0..axes).map(|axis| spacing[axis] / particle_spacing).product();
        let solid = |cell: U64Vec3, position: Vec3| match self.shape {
            BlockShape::Box => (0..axes).any(|axis| cell[axis].min(counts[axis] - 1 - cell[axis]) < u64::from(layers)),
            BlockShape::Ellipsoid => {
                let (position, half) = flat(dimensions, position - self.middle(), self.half_extent());
                let hollow = half - (layers as f32 + 0.5) * particle_spacing;
                let deep = hollow.min_element() > 0.0 && (position / hollow).length_squared() < 1.0;
                (position / half).length_squared() <= 1.0 && !deep
            }
        };
        for z in 0..counts.z {
            for y in 0..counts.y {
                for x in 0..counts.x {
                    let cell = U64Vec3::new(x, y, z);
                    let position = self.min + (cell.as_vec3() + 0.5) * spacing;
                    if solid(cell, position) {
                        particles.positions.push(if dimensions == Dimensions::Two { position.with_z(0.0) } else { position });
                        particles.volumes.push(stretch * volume);
                    }
                }
            }
        }
    }

    /// Samples an ellipse with rings a spacing apart, the first half a spacing inside the surface, so that the surface has no
    /// lattice steps. The particles of a ring share its area.
    fn sample_rings(&self, discretization: &Discretization, layers: u32, volume: f32, particles: &mut BoundaryParticles) {
        let spacing = discretization.particle_spacing;
        let (middle, half) = (self.middle(), self.half_extent());
        for layer in 0..layers {
            let axes = |depth: f32| [half.x - depth * spacing, half.y - depth * spacing].map(|axis| axis.max(0.0));
            let ([a, b], [outer, inner]) = (axes(layer as f32 + 0.5), [0.0, 1.0].map(|side| axes(layer as f32 + side)));
            if a <= 0.0 || b <= 0.0 {
                return;
            }
            let area = PI * (outer[0] * outer[1] - inner[0] * inner[1]);
            let points = ring([a, b], spacing);
            let share = volume * area / (points.len() as f32 * spacing * spacing);
            particles.volumes.resize(particles.volumes.len() + points.len(), share);
            particles.positions.extend(points.into_iter().map(|position| (middle + position).with_z(0.0)));
        }
    }
}

/// Points on an ellipse around the origin, equidistant along it, about `spacing` (m) apart.
fn ring([a, b]: [f32; 2], spacing: f32) -> Vec<Vec3> {
    let at = |angle: f32| Vec3::new(a * angle.cos(), b * angle.sin(), 0.0);
    // Chords much shorter than the spacing.
    let chords = ((16.0 * TAU * a.max(b) / spacing) as usize).clamp(64, 1 << 20);
    let angle = |chord: usize| TAU * chord as f32 / chords as f32;
    let mut lengths = vec![0.0f64; chords + 1];
    for chord in 0..chords {
        lengths[chord + 1] = lengths[chord] + f64::from(at(angle(chord)).distance(at(angle(chord + 1))));
    }
    let count = ((lengths[chords] / f64::from(spacing)).round() as usize).max(1);
    let position = |number: usize| {
        let length = lengths[chords] * number as f64 / count as f64;
        let chord = lengths.partition_point(|&end| end <= length).clamp(1, chords) - 1;
        let share = (length - lengths[chord]) / (lengths[chord + 1] - lengths[chord]);
        at(TAU * (chord as f32 + share as f32) / chords as f32)
    };
    (0..count).map(position).collect()
}

/// Corners of a box.
pub(super) fn corners(min: Vec3, max: Vec3) -> [Vec3; 8] {
    std::array::from_fn(|corner| Vec3::select(BVec3::from_array([0, 1, 2].map(|axis| corner >> axis & 1 == 1)), max, min))
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
