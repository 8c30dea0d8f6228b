//! Emission of foam (Ihmsen2012): potentials of fluid particles to make it, by trapped air, wave crests and kinetic energy
//! (section 3.1), and the particles that they make (section 3.2).
//!
//! The sums over neighbours are divided by the sum of the weights of a full neighbourhood, speeds are in units of the scene's speed
//! scale V, and times in units of a particle spacing over V: thresholds and rates then suit any resolution and any size.

use std::f32::consts::TAU;

use super::motion::Walls;
use super::{FoamKind, FoamParticle};
use crate::neighbors::{NeighborLists, NeighborSearch, Pairing, SortedCells};
use crate::parameters::{Dimensions, FoamParameters};
use crate::simulation::View;
use crate::space::{Domain, Images, Wrap};
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

// Particles of foam that a fluid particle makes (Ihmsen2012, section 3.2).

/// Speed of the particles on the rim of the cylinder away from its axis, in units of the speed along it.
const SPREAD: f32 = 0.1;
/// Random numbers for each particle, after the first of the sequence.
const DRAWS: u32 = 4;

/// A fluid particle that makes foam.
pub(super) struct Source<'a> {
    pub dimensions: Dimensions,
    pub domain: &'a Domain,
    /// Position, m.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Radius of the fluid particle, m.
    pub radius: f32,
    pub random: Random,
}

impl Source<'_> {
    /// Number of particles, for a mean number of `expected`: the next lower or higher whole number.
    pub fn number(&self, expected: f32) -> u32 {
        // Rust's conversion saturates.
        let whole = expected as u32;
        whole.saturating_add(u32::from(self.random.uniform(0) < expected - whole as f32))
    }

    /// The particle of this index among those of a step of `dt` (s): in a cylinder around the path of the fluid particle in that time,
    /// with a mean lifetime of `lifetime` (s).
    pub fn particle(&self, index: u32, dt: f32, lifetime: f32, walls: &Walls<'_>) -> FoamParticle {
        let [across, angle, along, age] = std::array::from_fn(|draw| self.random.uniform(1 + DRAWS * index + draw as u32));
        let direction = self.velocity.normalize_or_zero();
        let offset = match self.dimensions {
            Dimensions::Two => (2.0 * across - 1.0) * Vec3::new(-direction.y, direction.x, 0.0),
            // The root spreads the particles evenly over the disc.
            Dimensions::Three if direction != Vec3::ZERO => {
                let (first, second) = direction.any_orthonormal_pair();
                let (sin, cos) = (TAU * angle).sin_cos();
                across.sqrt() * (cos * first + sin * second)
            }
            Dimensions::Three => Vec3::ZERO,
        };
        let displacement = self.radius * offset + along * dt * self.velocity;
        FoamParticle {
            position: self.domain.wrap(self.position + dt * walls.confine(self.position, displacement / dt)),
            velocity: self.velocity + SPREAD * self.velocity.length() * offset,
            left: lifetime * (0.5 + age),
            kind: FoamKind::Spray,
        }
    }
}

// Random numbers as hashes of who draws them, when, and for what.

/// Sequence of random numbers of one fluid particle in one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// Sequence of the fluid particle with this id in this step.
    pub fn new(id: u32, step: u64) -> Self {
        Self(mix(u64::from(id) ^ mix(step)))
    }

    /// Number of this index in the sequence, uniform in [0, 1).
    pub fn uniform(self, index: u32) -> f32 {
        // 24 bits: as many as an f32 below 1 holds.
        (mix(self.0 ^ u64::from(index)) >> 40) as f32 / (1 << 24) as f32
    }
}

/// The output function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

// Fluid around points: a search of its own over the present positions.

/// Radius of the neighbourhoods, particle spacings: that of the paper's kernel, whatever the fluid's.
const REACH: f32 = 2.0;

/// Search over the positions of the fluid.
#[derive(Debug)]
pub(super) struct FluidNeighbors {
    /// Radius of the neighbourhoods, m.
    pub radius: f32,
    search: SortedCells,
    images: Images,
    count: usize,
}

impl FluidNeighbors {
    /// A search over no fluid, for a particle spacing in m.
    pub fn new(spacing: f32) -> Self {
        let radius = REACH * spacing;
        Self { radius, search: SortedCells::new(radius, radius), images: Images::default(), count: 0 }
    }

    /// Registers the fluid at its present positions. Returns false if the structure cannot hold it.
    pub fn update(&mut self, fluid: &View<'_>) -> bool {
        let particles = fluid.particles;
        self.count = particles.len();
        let (points, ids) = self.images.behind(fluid.domain, self.radius, &particles.positions, &particles.ids);
        self.search.update(points, ids).is_ok()
    }

    /// Fills `lists` with the indices of the fluid particles closer than the radius to each of `points`, m: a fluid particle is on
    /// its own list.
    pub fn around(&self, points: &[Vec3], lists: &mut NeighborLists) {
        lists.fill(&self.search, points, Pairing::Across);
        lists.resolve_images(self.count, self.images.sources());
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.search.memory() + self.images.memory()
    }
}

/// Number of fluid particles in a neighbourhood that fluid fills.
pub(super) fn full_count(axes: usize) -> f32 {
    use std::f32::consts::PI;
    if axes == 2 { PI * REACH.powi(2) } else { 4.0 / 3.0 * PI * REACH.powi(3) }
}

/// Sum of the weights `1 − r/R` in a neighbourhood that fluid fills.
pub(super) fn full_weight(axes: usize) -> f32 {
    // ∫ (1 − r/R) dV is a third of a disc, a quarter of a ball.
    full_count(axes) / (axes + 1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_uniform_over_ids_steps_and_indices() {
        let numbers = |draw: &dyn Fn(u32) -> f32| (0..10_000).map(draw).map(f64::from).collect::<Vec<_>>();
        let sequences = [
            numbers(&|n| Random::new(n, 7).uniform(0)),
            numbers(&|n| Random::new(7, n.into()).uniform(0)),
            numbers(&|n| Random::new(7, 7).uniform(n)),
        ];
        for numbers in sequences {
            assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
            // Mean 1/2 ± 1/√(12 n), mean square 1/3 ± √(4/45 n): four standard deviations.
            let count = numbers.len() as f64;
            let mean = numbers.iter().sum::<f64>() / count;
            let square = numbers.iter().map(|number| number * number).sum::<f64>() / count;
            assert!((mean - 0.5).abs() < 4.0 / (12.0 * count).sqrt(), "{mean}");
            assert!((square - 1.0 / 3.0).abs() < 4.0 * (4.0 / (45.0 * count)).sqrt(), "{square}");
        }
    }
}
