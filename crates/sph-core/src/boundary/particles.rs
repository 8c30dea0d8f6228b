//! Boundary particles: walls sampled as particles, and the volumes of those of a single layer.

use std::ops::Range;

use crate::kernel::{Kernel, SmoothingKernel};
use crate::neighbors::{NeighborLists, Pairing, Search};
use crate::parameters::{Discretization, GridParameters, HashFunction, Slip, Structure};
use crate::passes::sweep;
use crate::report::held;
use crate::space::{Domain, Images, lattice_points, lattice_sum};
use glam::Vec3;

/// Boundary particles. Arrays have one entry for each boundary particle or are empty, except `at_planes`.
#[derive(Clone, Debug, Default)]
pub struct BoundaryParticles {
    /// Positions, m.
    pub positions: Vec<Vec3>,
    /// Rest volumes V_b, m³ (m² in two dimensions).
    pub volumes: Vec<f32>,
    /// Velocities of the wall, m/s; empty if all walls have always been at rest.
    pub(crate) velocities: Vec<Vec3>,
    /// Accelerations of the wall, m/s²; empty if no particle moves.
    accelerations: Vec<Vec3>,
    /// True for particles of no-slip walls.
    pub no_slip: Vec<bool>,
    /// Velocities of no-slip walls in the viscous force, m/s: those of the fluid, mirrored at the face, so that the velocity at
    /// the face is the wall's (Adami2012, eq. 23). Empty before the first step, and without no-slip walls or laminar viscosity.
    /// Out of date where no fluid is in reach.
    pub mirrored: Vec<Vec3>,
    /// Pressures extrapolated from the fluid in the last step, Pa; 0 without fluid in reach.
    pub pressures: Vec<f32>,
    /// Pressures of analytic walls, Pa, extrapolated to the position of each fluid particle: one entry for each fluid particle;
    /// empty without analytic walls.
    pub(crate) at_planes: Vec<f32>,
    /// Index of the first particle of moving bodies and containers; they come last.
    pub(crate) moving_from: usize,
    /// Highest speed of the walls before `moving_from`, m/s.
    fixed_speed: f32,
    has_no_slip: bool,
}

impl BoundaryParticles {
    /// Number of boundary particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// True if there are no boundary particles.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// True if any wall is no-slip.
    pub fn has_no_slip(&self) -> bool {
        self.has_no_slip
    }

    /// True if no particle changes its position.
    pub(crate) fn are_fixed(&self) -> bool {
        self.moving_from == self.len()
    }

    /// Velocity of the wall at boundary particle b, m/s.
    #[inline]
    pub fn velocity(&self, b: usize) -> Vec3 {
        self.velocities().map_or(Vec3::ZERO, |velocities| velocities[b])
    }

    /// Velocities of the wall at all boundary particles, m/s; `None` if all walls are always at rest.
    pub(crate) fn velocities(&self) -> Option<&[Vec3]> {
        (!self.velocities.is_empty()).then_some(&self.velocities)
    }

    /// Acceleration of the wall at boundary particle b, m/s².
    #[inline]
    pub(crate) fn acceleration(&self, b: usize) -> Vec3 {
        if self.accelerations.is_empty() { Vec3::ZERO } else { self.accelerations[b] }
    }

    /// Sets the velocities, m/s, and accelerations, m/s², of the particles of a moving body or container: `motion` returns both
    /// for the k-th of them.
    pub(crate) fn set_motion(&mut self, particles: Range<usize>, motion: impl Fn(usize) -> [Vec3; 2]) {
        for (k, b) in particles.enumerate() {
            [self.velocities[b], self.accelerations[b]] = motion(k);
        }
    }

    /// Bytes on the heap, without `at_planes`, which grows with the fluid.
    pub(crate) fn memory(&self) -> usize {
        let Self { positions, volumes, velocities, accelerations, no_slip, mirrored, pressures, .. } = self;
        let vectors = held(positions) + held(velocities) + held(accelerations) + held(mirrored);
        vectors + held(volumes) + held(no_slip) + held(pressures)
    }

    /// Moves the particles of moving bodies and containers on by `dt` (s), to their positions within a step.
    pub(crate) fn drift(&mut self, dt: f32) {
        let Self { positions, velocities, moving_from, .. } = self;
        for (position, velocity) in positions.iter_mut().zip(velocities).skip(*moving_from) {
            *position += dt * *velocity;
        }
    }

    /// Highest speed of any wall, m/s. Valid after [`BoundaryParticles::finish`].
    pub(crate) fn max_speed(&self) -> f32 {
        let moving = self.len() - self.moving_from;
        self.fixed_speed.max(sweep::max(moving, |k| self.velocity(self.moving_from + k).length()))
    }

    /// Ends the sampling, after the last particle is added: computes constants and frees arrays that would hold zeros only.
    pub(crate) fn finish(&mut self) {
        self.fixed_speed = sweep::max(self.moving_from, |b| self.velocity(b).length());
        self.has_no_slip = self.no_slip.contains(&true);
        if self.are_fixed() {
            self.accelerations = Vec::new();
            if self.fixed_speed == 0.0 {
                self.velocities = Vec::new();
            }
        }
    }

    /// Sets the pressures of `particles` to 0.
    pub(crate) fn clear_pressures(&mut self, particles: &[u32]) {
        particles.iter().for_each(|&b| self.pressures[b as usize] = 0.0);
    }

    /// Appends particles, which have velocities already, at `positions` (m) with `volumes`, each times `factor`, m³.
    pub(super) fn extend(&mut self, positions: Vec<Vec3>, volumes: Vec<f32>, factor: f32, slip: Slip) {
        self.positions.extend(positions);
        self.volumes.extend(volumes.into_iter().map(|volume| factor * volume));
        self.complete(0.0, slip);
    }

    /// Extends the other arrays for particles added to `positions` and `velocities`, which have the volume `volume` (m³) unless
    /// it is set.
    pub(super) fn complete(&mut self, volume: f32, slip: Slip) {
        let count = self.positions.len();
        self.volumes.resize(count, volume);
        self.accelerations.resize(count, Vec3::ZERO);
        self.no_slip.resize(count, slip == Slip::NoSlip);
        self.pressures.resize(count, 0.0);
    }

    /// Appends particles that have been sampled apart, before [`BoundaryParticles::finish`].
    pub(crate) fn append(&mut self, other: Self) {
        let Self { positions, volumes, velocities, accelerations, no_slip, pressures, .. } = other;
        self.positions.extend(positions);
        self.volumes.extend(volumes);
        self.velocities.extend(velocities);
        self.accelerations.extend(accelerations);
        self.no_slip.extend(no_slip);
        self.pressures.extend(pressures);
    }

    /// Appends moving particles at rest at `positions` (m) with these `volumes` (m³), after [`BoundaryParticles::finish`].
    pub(crate) fn coat(&mut self, positions: impl Iterator<Item = Vec3>, volumes: &[f32], slip: Slip) {
        self.positions.extend(positions);
        self.volumes.extend_from_slice(volumes);
        self.velocities.resize(self.positions.len(), Vec3::ZERO);
        self.complete(0.0, slip);
        self.has_no_slip |= slip == Slip::NoSlip;
    }

    /// Removes the particles from index `count` on, all of which came by [`BoundaryParticles::coat`].
    pub(crate) fn truncate(&mut self, count: usize) {
        let Self { positions, volumes, velocities, accelerations, no_slip, mirrored, pressures, .. } = self;
        positions.truncate(count);
        velocities.truncate(count);
        accelerations.truncate(count);
        mirrored.truncate(count);
        volumes.truncate(count);
        no_slip.truncate(count);
        pressures.truncate(count);
        self.has_no_slip = self.no_slip.contains(&true);
    }

    /// Permutes the particles into `order`, before the first step: pressures are all 0 and need no permutation.
    pub(crate) fn sort(&mut self, order: &[u32]) {
        let mut scratch = Vec::new();
        sweep::permute(order, &mut self.positions, &mut scratch);
        sweep::permute(order, &mut self.velocities, &mut scratch);
        sweep::permute(order, &mut self.accelerations, &mut scratch);
        sweep::permute(order, &mut self.volumes, &mut Vec::new());
        sweep::permute(order, &mut self.no_slip, &mut Vec::new());
    }
}

// Depth and volumes of walls of a single layer (Akinci2012), calibrated to rest density and no net force in the first row of
// fluid.

/// Sets the volumes of the boundary particles of a group, m³: `V_b = γ / Σ_b' W_bb'`, with the sum over the layer of the group, b itself
/// included. Volumes are larger where the layer is sparse and smaller in corners.
///
/// Akinci2012 has γ = 1, which makes fluid next to a plane 4 to 26 % too dense.
pub(crate) fn calibrate(discretization: &Discretization, domain: &Domain, walls: &mut BoundaryParticles, group: &[usize]) {
    let Discretization { kernel, dimensions, support_radius, .. } = *discretization;
    let kernel = Kernel::new(kernel, dimensions, support_radius);
    let factor = factor(discretization, shift(discretization)) as f32;
    let grid = GridParameters {
        structure: Structure::SpatialHash,
        table_size: (2 * group.len()).clamp(1, 1 << 20) as u32,
        cell_size: support_radius,
        hash: HashFunction::Muller,
        bucket_capacity: 1,
    };
    let mut search = Search::new(&grid, support_radius);
    let (mut lists, names) = (NeighborLists::default(), (0..group.len() as u32).collect::<Vec<_>>());
    let positions: Vec<Vec3> = group.iter().map(|&b| walls.positions[b]).collect();
    let mut images = Images::default();
    let (points, names) = images.behind(domain, support_radius, &positions, &names);
    // Never an error: a hash table has no limit on cells.
    if search.update(points, names).is_err() {
        return;
    }
    // `Across` includes the particle itself and periodic images.
    search.fill(&mut lists, &positions, Pairing::Across);
    let mut volumes = vec![0.0; group.len()];
    sweep::map(positions.len(), &mut volumes, |b| {
        factor / lists.of(b).iter().map(|&other| kernel.w(positions[b].distance(points[other as usize]))).sum::<f32>()
    });
    group.iter().zip(volumes).for_each(|(&b, volume)| walls.volumes[b] = volume);
}

/// Distance by which a single layer lies deeper than half a spacing behind its surface, m: 0 for support radii of up to two
/// spacings, within which there is no second layer, and about an eighth of a spacing for three.
///
/// The layer stands for all those behind it, and beside a full lattice it must have both their density and their slope (the sum
/// of V ∇W). At half a spacing, with their density, it has too small a slope: with 3 spacings 0.88 of theirs and nowhere more
/// than 0.93, so that no pressure carries the first row of fluid. A deeper layer has a larger slope for its density.
pub(super) fn shift(discretization: &Discretization) -> f32 {
    let Discretization { particle_spacing, support_radius, .. } = *discretization;
    if support_radius <= 2.0 * particle_spacing {
        return 0.0;
    }
    let missing = Row::behind(discretization);
    // Bisection: the ratio of slope to density grows with the depth.
    let (mut low, mut high) = (0.0, particle_spacing);
    for _ in 0..24 {
        let middle = 0.5 * (low + high);
        let layer = Row::at(discretization, particle_spacing + middle);
        *(if layer.slope * missing.density < missing.slope * layer.density { &mut low } else { &mut high }) = middle;
    }
    0.5 * (low + high)
}

/// Factor γ with which the first row of a full lattice, half a spacing before a plane, has exactly rest density beside a layer
/// that is `shift` (m) deeper than half a spacing behind the plane.
fn factor(discretization: &Discretization, shift: f32) -> f64 {
    let volume = f64::from(discretization.particle_volume()) / f64::from(lattice_sum(discretization));
    let layer = Row::at(discretization, discretization.particle_spacing + shift);
    volume * Row::behind(discretization).density / layer.density * Row::at(discretization, 0.0).density
}

/// Sums over rows of a lattice, at a particle.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Σ W.
    density: f64,
    /// Σ ∇W, away from the particle.
    slope: f64,
}

impl Row {
    /// A row at `distance`, m.
    fn at(discretization: &Discretization, distance: f32) -> Self {
        let Discretization { kernel, dimensions, support_radius, .. } = *discretization;
        let kernel = Kernel::new(kernel, dimensions, support_radius);
        let mut row = Self::default();
        for offset in lattice_points(discretization).filter(|offset| offset.y == 0.0) {
            let offset = offset.with_y(-distance);
            row.density += f64::from(kernel.w(offset.length()));
            row.slope += f64::from(kernel.grad_w(offset).y);
        }
        row
    }

    /// All rows behind a plane, as the first row before it feels them.
    fn behind(discretization: &Discretization) -> Self {
        let Discretization { particle_spacing, support_radius, .. } = *discretization;
        let rows = (1..=(support_radius / particle_spacing).ceil() as u16).map(f32::from);
        rows.map(|row| Self::at(discretization, row * particle_spacing))
            .fold(Self::default(), |sum, row| Self { density: sum.density + row.density, slope: sum.slope + row.slope })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Dimensions, KernelKind};

    /// Two boundary particles; the second belongs to a moving body if `body_moves`.
    fn walls(velocity: Vec3, body_moves: bool) -> BoundaryParticles {
        let mut walls = BoundaryParticles {
            positions: vec![Vec3::ZERO, Vec3::X],
            velocities: vec![velocity, Vec3::ZERO],
            moving_from: if body_moves { 1 } else { 2 },
            ..BoundaryParticles::default()
        };
        walls.complete(1e-3, Slip::Free);
        walls.finish();
        walls
    }

    #[test]
    fn walls_at_rest_keep_neither_velocities_nor_accelerations() {
        let still = walls(Vec3::ZERO, false);
        assert!(still.velocities().is_none() && still.accelerations.is_empty());
        assert_eq!((still.velocity(1), still.acceleration(1), still.max_speed()), (Vec3::ZERO, Vec3::ZERO, 0.0));
        let sliding = walls(Vec3::Y, false);
        assert!(sliding.velocities().is_some_and(|velocities| velocities.len() == 2) && sliding.accelerations.is_empty());
        assert_eq!((sliding.velocity(0), sliding.max_speed()), (Vec3::Y, 1.0));
        for wall in [Vec3::ZERO, Vec3::Y] {
            let mut moving = walls(wall, true);
            moving.set_motion(1..2, |_| [2.0 * Vec3::X, Vec3::Z]);
            assert_eq!((moving.velocity(0), moving.velocity(1), moving.acceleration(1)), (wall, 2.0 * Vec3::X, Vec3::Z));
            assert_eq!(moving.max_speed(), 2.0);
        }
    }

    fn discretizations() -> impl Iterator<Item = (KernelKind, Dimensions, impl Fn(f32) -> Discretization)> {
        let kinds = [KernelKind::CubicSpline, KernelKind::WendlandC2].into_iter();
        kinds.flat_map(|kernel| [Dimensions::Two, Dimensions::Three].map(|dimensions| (kernel, dimensions))).map(
            |(kernel, dimensions)| {
                let of = move |ratio: f32| {
                    let (particle_spacing, rest_density) = (0.1, 1000.0);
                    let support_radius = ratio * particle_spacing;
                    Discretization { dimensions, particle_spacing, kernel, support_radius, rest_density }
                };
                (kernel, dimensions, of)
            },
        )
    }

    /// γ at half a spacing, as computed by another program, for support radii of 2, 2.6 and 3 spacings.
    #[test]
    fn factors_agree_with_reference() {
        let reference =
            [[0.6815, 0.5487, 0.5079], [0.7006, 0.5568, 0.5142], [0.7382, 0.5846, 0.5370], [0.7527, 0.5872, 0.5359]];
        for ((kernel, dimensions, of), factors) in discretizations().zip(reference) {
            for (ratio, expected) in [2.0, 2.6, 3.0].into_iter().zip(factors) {
                let factor = factor(&of(ratio), 0.0);
                assert!((factor - expected).abs() < 1e-3, "{kernel:?} {dimensions:?} {ratio}: {factor}, not {expected}");
            }
        }
    }

    /// Beside the layer the first row has rest density and feels no net force, and it is pushed away when it comes closer: the
    /// slope of the density rises.
    #[test]
    fn the_layer_bears_the_first_row() {
        for (kernel, dimensions, of) in discretizations() {
            for ratio in [1.6, 2.0, 2.3, 2.6, 3.0] {
                let case = format!("{kernel:?} {dimensions:?} {ratio}");
                let discretization = of(ratio);
                let (shift, missing) = (shift(&discretization), Row::behind(&discretization));
                // Of a particle of the layer, in volumes of a particle of the fluid.
                let own = discretization.particle_volume() / lattice_sum(&discretization);
                let volume = factor(&discretization, shift) / Row::at(&discretization, 0.0).density / f64::from(own);
                let layer = |closer: f32| Row::at(&discretization, discretization.particle_spacing * (1.0 - closer) + shift);
                assert!((volume * layer(0.0).density / missing.density - 1.0).abs() < 1e-6, "{case}");
                assert!((volume * layer(0.0).slope / missing.slope - 1.0).abs() < 1e-5, "{case}: {shift} m");
                assert!(volume * layer(0.2).slope > 1.03 * missing.slope, "{case}: {shift} m");
            }
        }
    }
}
