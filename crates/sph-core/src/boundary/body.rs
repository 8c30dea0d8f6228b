//! A solid body in the fluid, and its sampling with layers of particles inside its surface.

use super::{BoundaryParticles, Motion};
use crate::parameters::{Dimensions, Discretization, Slip, WallSampling};
use crate::setup::BlockShape;
use crate::space::{lattice_counts, product};
use glam::{U64Vec3, Vec3};
use std::f32::consts::{PI, TAU};

/// A solid box, or an ellipsoid inside one. In two dimensions its z is ignored. The default is an empty box, which cannot be simulated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Lowest corner at time 0, m.
    pub min: Vec3,
    /// Highest corner at time 0, m.
    pub max: Vec3,
    /// What of the box is solid.
    pub shape: BlockShape,
    /// Whether it drags the fluid along.
    pub slip: Slip,
    /// How it moves, without rotation.
    pub motion: Motion,
}

/// The supporting plane of a body next to a place: all of the body is behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Support {
    /// Unit normal, out of the body.
    pub normal: Vec3,
    /// How far the place is before the plane, m; negative inside the body.
    pub distance: f32,
}

impl Body {
    /// Middle at time 0, m.
    pub fn middle(&self) -> Vec3 {
        0.5 * (self.min + self.max)
    }

    /// Half its extent along each axis, m.
    pub fn half_extent(&self) -> Vec3 {
        0.5 * (self.max - self.min)
    }

    /// The plane next to `place` (m from the middle).
    pub(crate) fn support(&self, dimensions: Dimensions, place: Vec3) -> Support {
        let (place, half) = flat(dimensions, place, self.half_extent());
        match self.shape {
            BlockShape::Box => {
                let outside = place - place.clamp(-half, half);
                let distance = outside.length();
                if distance > 0.0 {
                    return Support { normal: outside / distance, distance };
                }
                // The face that is nearest.
                let depths = half - place.abs();
                let axis = (0..dimensions.count()).min_by(|&a, &b| depths[a].total_cmp(&depths[b])).unwrap_or(0);
                let mut normal = Vec3::ZERO;
                normal[axis] = if place[axis] < 0.0 { -1.0 } else { 1.0 };
                Support { normal, distance: -depths[axis] }
            }
            BlockShape::Ellipsoid => {
                let scaled = (place / half).length();
                let normal = (place / (half * half)).try_normalize().unwrap_or(Vec3::Y);
                // The point of the surface on the way from the middle; there the normal is the same.
                let surface = if scaled > 0.0 { place / scaled } else { half * Vec3::Y };
                Support { normal, distance: (place - surface).dot(normal) }
            }
        }
    }

    /// Whether the way from `place` (m from the middle) by `step` (m) comes closer than `clearance` (m), or about so round a corner.
    fn is_met(&self, dimensions: Dimensions, clearance: f32, place: Vec3, step: Vec3) -> bool {
        let (place, half) = flat(dimensions, place, self.half_extent() + clearance);
        match self.shape {
            BlockShape::Box => {
                let (mut enter, mut leave) = (0.0f32, 1.0f32);
                for axis in 0..dimensions.count() {
                    if step[axis] == 0.0 {
                        if place[axis].abs() > half[axis] {
                            return false;
                        }
                        continue;
                    }
                    let ends = [-1.0, 1.0].map(|side: f32| (side * half[axis] - place[axis]) / step[axis]);
                    enter = enter.max(ends[0].min(ends[1]));
                    leave = leave.min(ends[0].max(ends[1]));
                }
                enter <= leave
            }
            BlockShape::Ellipsoid => {
                let (start, way) = (place / half, step / half);
                // Where on the way it is closest to the middle.
                let share = if way == Vec3::ZERO { 0.0 } else { (-start.dot(way) / way.length_squared()).clamp(0.0, 1.0) };
                (start + share * way).length_squared() <= 1.0
            }
        }
    }

    /// The velocity (m/s) closest to `velocity` with which a particle at `place` (m from the middle) does not come closer than `clearance`
    /// (m) within `dt` (s), while the body moves at `own` (m/s). One that is too close already comes no closer.
    pub(crate) fn confine(
        &self,
        dimensions: Dimensions,
        clearance: f32,
        dt: f32,
        (place, own): (Vec3, Vec3),
        velocity: Vec3,
    ) -> Vec3 {
        let relative = velocity - own;
        if !self.is_met(dimensions, clearance, place, dt * relative) {
            return velocity;
        }
        let Support { normal, distance } = self.support(dimensions, place);
        let room = (distance - clearance).max(0.0);
        let lacking = -room / dt - relative.dot(normal);
        if lacking > 0.0 { velocity + lacking * normal } else { velocity }
    }

    /// Whether a box (m) shares space with the body at time 0, by more than `slack` (m).
    pub(crate) fn meets_box(&self, dimensions: Dimensions, min: Vec3, max: Vec3, slack: f32) -> bool {
        let middle = self.middle();
        let (nearest, half) = flat(dimensions, middle.clamp(min, max.max(min)) - middle, self.half_extent() - slack);
        match self.shape {
            BlockShape::Box => (0..dimensions.count()).all(|axis| nearest[axis].abs() < half[axis]),
            BlockShape::Ellipsoid => (nearest / half).length_squared() < 1.0,
        }
    }

    /// Upper bound on the boundary particles of this body; saturates.
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

    /// Where its particles are at time 0, m.
    pub fn particles(&self, discretization: &Discretization) -> Vec<Vec3> {
        let mut particles = BoundaryParticles::default();
        self.sample(discretization, WallSampling::Layers, discretization.particle_volume(), &mut particles);
        particles.positions
    }

    /// Appends this body's particles as they are at time 0; `volume` (m³) each where they are a spacing
    /// apart.
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

    /// Cell centres of a lattice that fills the box.
    fn sample_lattice(&self, discretization: &Discretization, layers: u32, volume: f32, particles: &mut BoundaryParticles) {
        let Discretization { dimensions, particle_spacing, .. } = *discretization;
        let counts = U64Vec3::from_array(lattice_counts(self.min, self.max, particle_spacing, dimensions));
        let axes = dimensions.count();
        let spacing = (self.max - self.min) / counts.as_vec3();
        let stretch: f32 = (0..axes).map(|axis| spacing[axis] / particle_spacing).product();
        let solid = |cell: U64Vec3, place: Vec3| match self.shape {
            BlockShape::Box => (0..axes).any(|axis| cell[axis].min(counts[axis] - 1 - cell[axis]) < u64::from(layers)),
            BlockShape::Ellipsoid => {
                let (place, half) = flat(dimensions, place - self.middle(), self.half_extent());
                let hollow = half - (layers as f32 + 0.5) * particle_spacing;
                let deep = hollow.min_element() > 0.0 && (place / hollow).length_squared() < 1.0;
                (place / half).length_squared() <= 1.0 && !deep
            }
        };
        for z in 0..counts.z {
            for y in 0..counts.y {
                for x in 0..counts.x {
                    let cell = U64Vec3::new(x, y, z);
                    let place = self.min + (cell.as_vec3() + 0.5) * spacing;
                    if solid(cell, place) {
                        particles.positions.push(if dimensions == Dimensions::Two { place.with_z(0.0) } else { place });
                        particles.volumes.push(stretch * volume);
                    }
                }
            }
        }
    }

    /// Rings a spacing apart, the first half a spacing inside the surface. Their particles share the area that each ring stands for, so
    /// that no step of a lattice shows at the surface.
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
            let places = ring([a, b], spacing);
            let share = volume * area / (places.len() as f32 * spacing * spacing);
            particles.volumes.resize(particles.volumes.len() + places.len(), share);
            particles.positions.extend(places.into_iter().map(|place| (middle + place).with_z(0.0)));
        }
    }
}

/// Places on an ellipse around the origin, evenly along it, about `spacing` (m) apart.
fn ring([a, b]: [f32; 2], spacing: f32) -> Vec<Vec3> {
    let at = |angle: f32| Vec3::new(a * angle.cos(), b * angle.sin(), 0.0);
    // Chords that are much shorter than the spacing.
    let chords = ((16.0 * TAU * a.max(b) / spacing) as usize).clamp(64, 1 << 20);
    let angle = |chord: usize| TAU * chord as f32 / chords as f32;
    let mut lengths = vec![0.0f64; chords + 1];
    for chord in 0..chords {
        lengths[chord + 1] = lengths[chord] + f64::from(at(angle(chord)).distance(at(angle(chord + 1))));
    }
    let count = ((lengths[chords] / f64::from(spacing)).round() as usize).max(1);
    let place = |number: usize| {
        let length = lengths[chords] * number as f64 / count as f64;
        let chord = lengths.partition_point(|&end| end <= length).clamp(1, chords) - 1;
        let share = (length - lengths[chord]) / (lengths[chord + 1] - lengths[chord]);
        at(TAU * (chord as f32 + share as f32) / chords as f32)
    };
    (0..count).map(place).collect()
}

/// In two dimensions, without z, and with an extent along it that does not matter.
fn flat(dimensions: Dimensions, place: Vec3, half: Vec3) -> (Vec3, Vec3) {
    match dimensions {
        Dimensions::Two => (place.with_z(0.0), half.with_z(1.0)),
        Dimensions::Three => (place, half),
    }
}

#[cfg(test)]
mod tests;
