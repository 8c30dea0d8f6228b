//! Depth and volumes of walls of a single layer (Akinci2012), calibrated to rest density and no net force in the first row of
//! fluid.

use super::BoundaryParticles;
use crate::kernel::{Kernel, SmoothingKernel};
use crate::neighbors::{NeighborLists, Pairing, Search};
use crate::parameters::{Discretization, GridParameters, HashFunction, Structure};
use crate::passes::sweep;
use crate::space::{Domain, Images, lattice_points, lattice_sum};
use glam::Vec3;

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
