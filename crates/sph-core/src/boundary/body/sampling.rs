//! Sampling of bodies with layers of boundary particles.

use super::{Body, flat};
use crate::boundary::BoundaryParticles;
use crate::parameters::{Dimensions, Discretization, WallSampling};
use crate::setup::BlockShape;
use crate::space::geometry::{Layers, Side, sample_layers};
use crate::space::{lattice_counts, product};
use glam::{U64Vec3, Vec3};
use std::f32::consts::{PI, TAU};

impl Body {
    /// Upper bound on the number of boundary particles of this body; saturates.
    pub fn particle_count(&self, discretization: &Discretization) -> u64 {
        let Discretization { dimensions, particle_spacing, .. } = *discretization;
        if let BlockShape::Solid(solid) = &self.shape {
            return Layers::of(discretization, WallSampling::Layers, Side::Inside).estimate(solid);
        }
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

    /// Positions of its boundary particles before any motion, m; its [`Pose`](crate::Pose) takes them to where they are.
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
        let (layers, first) = (sampling.layers(discretization), particles.positions.len());
        if let BlockShape::Solid(solid) = &self.shape {
            let (positions, volumes) = sample_layers(solid, Layers::of(discretization, sampling, Side::Inside));
            particles.velocities.resize(particles.velocities.len() + positions.len(), self.motion.velocity(0.0));
            particles.extend(positions, volumes, volume / discretization.particle_volume(), self.slip);
            return;
        }
        self.sample_convex(discretization, layers, volume, particles);
        let shift = sampling.shift(discretization);
        if shift > 0.0 {
            let (middle, half) = (self.middle(), self.half_extent());
            let shrink = ((half - shift) / half).max(Vec3::ZERO);
            for position in &mut particles.positions[first..] {
                *position = middle + shrink * (*position - middle);
            }
        }
        particles.velocities.resize(particles.positions.len(), self.motion.velocity(0.0));
        particles.complete(volume, self.slip);
    }

    /// Samples a box or an ellipsoid with this many layers.
    pub(super) fn sample_convex(
        &self,
        discretization: &Discretization,
        layers: u32,
        volume: f32,
        particles: &mut BoundaryParticles,
    ) {
        match (&self.shape, discretization.dimensions) {
            (BlockShape::Ellipsoid, Dimensions::Two) => self.sample_rings(discretization, layers, volume, particles),
            _ => self.sample_lattice(discretization, layers, volume, particles),
        }
    }

    /// Samples the body at the cell centres of a lattice that fills its box.
    fn sample_lattice(&self, discretization: &Discretization, layers: u32, volume: f32, particles: &mut BoundaryParticles) {
        let Discretization { dimensions, particle_spacing, .. } = *discretization;
        let counts = U64Vec3::from_array(lattice_counts(self.min, self.max, particle_spacing, dimensions));
        let axes = dimensions.count();
        let spacing = (self.max - self.min) / counts.as_vec3();
        let stretch: f32 = (0..axes).map(|axis| spacing[axis] / particle_spacing).product();
        let is_deep = |axis: usize, cell: u64| axis >= axes || cell.min(counts[axis] - 1 - cell) >= u64::from(layers);
        let solid = |cell: U64Vec3, position: Vec3| match self.shape {
            BlockShape::Box | BlockShape::Solid(_) => (0..axes).any(|axis| !is_deep(axis, cell[axis])),
            BlockShape::Ellipsoid => {
                let (position, half) = flat(dimensions, position - self.middle(), self.half_extent());
                let hollow = half - (layers as f32 + 0.5) * particle_spacing;
                let deep = hollow.min_element() > 0.0 && (position / hollow).length_squared() < 1.0;
                (position / half).length_squared() <= 1.0 && !deep
            }
        };
        let end = u64::from(layers);
        for z in 0..counts.z {
            for y in 0..counts.y {
                // Rows through the inside of a box have cells at their ends only: a long walk between them would bring nothing.
                let is_hollow = self.shape == BlockShape::Box && is_deep(1, y) && is_deep(2, z) && counts.x > 2 * end;
                let [first, last] = if is_hollow { [end, counts.x - end] } else { [counts.x; 2] };
                for x in (0..first).chain(last..counts.x) {
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
pub(super) fn ring([a, b]: [f32; 2], spacing: f32) -> Vec<Vec3> {
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
