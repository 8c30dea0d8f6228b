//! Potentials of fluid particles to make foam: trapped air, wave crests, kinetic energy (Ihmsen2012, section 3.1).
//!
//! The sums over neighbours are divided by the sum of the weights of a full neighbourhood, speeds are in units of the scene's speed
//! scale V, and times in units of a particle spacing over V: thresholds and rates then suit any resolution and any size.

use super::neighbors::full_weight;
use crate::parameters::FoamParameters;
use crate::simulation::View;
use crate::space::Wrap;
use glam::Vec3;

/// Length of a normal, in weights of a full neighbourhood, below which a particle is inside the fluid; 0.25 on a plane surface.
const LEAST_NORMAL: f32 = 0.15;
/// Least cosine between the velocity of a particle on a crest and its normal.
const LEAST_ADVANCE: f32 = 0.6;
/// Curvatures of a crest between which the rate grows: the paper's 2 and 8, over the sum of weights of a full neighbourhood.
const CURVATURE: [f32; 2] = [0.24, 0.95];

/// Potentials of the particles of a fluid.
pub(super) struct Potentials<'a> {
    positions: &'a [Vec3],
    velocities: &'a [Vec3],
    parameters: FoamParameters,
    wrap: Wrap,
    /// Radius of the neighbourhoods, m.
    radius: f32,
    full: f32,
    /// Unit of the rates, 1/s.
    unit: f32,
}

impl<'a> Potentials<'a> {
    /// Potentials in `fluid`, with neighbourhoods of `radius`, m.
    pub fn new(fluid: &View<'a>, radius: f32) -> Self {
        let full = full_weight(fluid.discretization.dimensions.count());
        let particles = fluid.particles;
        let (positions, velocities) = (&particles.positions[..], &particles.velocities[..]);
        Self {
            positions,
            velocities,
            unit: fluid.parameters.foam.speed / fluid.discretization.particle_spacing,
            parameters: fluid.parameters.foam,
            wrap: fluid.wrap(),
            radius,
            full,
        }
    }

    /// Positions of the fluid particles, m.
    pub fn positions(&self) -> &'a [Vec3] {
        self.positions
    }

    /// True if crests make foam, for which normals are needed.
    pub fn has_crests(&self) -> bool {
        self.parameters.crest_rate > 0.0
    }

    /// Potential of the kinetic energy of particle i, 0 to 1.
    pub fn energy(&self, i: usize) -> f32 {
        let FoamParameters { speed, energy_from, energy_to, .. } = self.parameters;
        ramp(0.5 * (self.velocities[i] / speed).length_squared(), energy_from, energy_to)
    }

    /// Particles of foam that particle i makes in a second, with its neighbours and `normals` as of [`Self::normal`].
    pub fn rate(&self, i: usize, neighbors: &[u32], normals: &[Vec3]) -> f32 {
        let FoamParameters { trapped_air_rate, crest_rate, trapped_air_from, trapped_air_to, speed, .. } = self.parameters;
        let trapped = ramp(self.trapped_air(i, neighbors) / speed, trapped_air_from, trapped_air_to);
        let crest =
            if normals.is_empty() { 0.0 } else { ramp(self.curvature(i, neighbors, normals), CURVATURE[0], CURVATURE[1]) };
        self.unit * self.energy(i) * (trapped_air_rate * trapped + crest_rate * crest)
    }

    /// Approach of the neighbours, Σ |v_ij| (1 − v̂_ij·x̂_ij) w_ij, with `w = 1 − r/R`, m/s.
    pub fn trapped_air(&self, i: usize, neighbors: &[u32]) -> f32 {
        let sum = self.around(i, neighbors).map(|(j, from, distance)| {
            let relative = self.velocities[i] - self.velocities[j];
            // |v| (1 − v̂·x̂) = |v| − v·x̂.
            (relative.length() - relative.dot(from / distance)) * self.weight(distance)
        });
        sum.sum::<f32>() / self.full
    }

    /// Unit normal of the surface at particle i, out of the fluid; 0 inside it.
    pub fn normal(&self, i: usize, neighbors: &[u32]) -> Vec3 {
        let sum = self.around(i, neighbors).map(|(_, from, distance)| self.weight(distance) / distance * from);
        let sum = sum.sum::<Vec3>() / self.full;
        if sum.length() < LEAST_NORMAL { Vec3::ZERO } else { sum.normalize_or_zero() }
    }

    /// Curvature of a crest at particle i, Σ (1 − n̂_i·n̂_j) w_ij over the neighbours on the surface and behind the plane of n̂_i; 0
    /// unless the particle moves out of the surface.
    fn curvature(&self, i: usize, neighbors: &[u32], normals: &[Vec3]) -> f32 {
        let normal = normals[i];
        if self.velocities[i].normalize_or_zero().dot(normal) < LEAST_ADVANCE {
            return 0.0;
        }
        let bent = self.around(i, neighbors).map(|(j, from, distance)| {
            let on_crest = from.dot(normal) > 0.0 && normals[j] != Vec3::ZERO;
            if on_crest { (1.0 - normal.dot(normals[j])) * self.weight(distance) } else { 0.0 }
        });
        bent.sum::<f32>() / self.full
    }

    /// Neighbours of particle i: index j, `x_i − x_j` (m) and its length.
    fn around(&self, i: usize, neighbors: &[u32]) -> impl Iterator<Item = (usize, Vec3, f32)> {
        neighbors.iter().map(|&j| j as usize).filter_map(move |j| {
            let from = self.wrap.minimum_image(self.positions[i], self.positions[j]);
            let distance = from.length();
            (distance > 0.0).then_some((j, from, distance))
        })
    }

    fn weight(&self, distance: f32) -> f32 {
        1.0 - distance / self.radius
    }
}

/// 0 at `from` and below, 1 at `to` and above, linear between; a step at `from` unless `to` is greater.
pub(super) fn ramp(value: f32, from: f32, to: f32) -> f32 {
    if value <= from {
        0.0
    } else if value >= to {
        1.0
    } else {
        (value - from) / (to - from)
    }
}
