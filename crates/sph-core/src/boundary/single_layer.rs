//! Volumes of walls of a single layer (Akinci2012), calibrated to rest density in the first row of fluid.

use super::BoundaryParticles;
use crate::kernel::{Kernel, SmoothingKernel};
use crate::neighbors::{NeighborLists, Pairing, Search};
use crate::parameters::{Discretization, GridParameters, HashFunction, Structure};
use crate::passes::sweep;
use crate::space::{Domain, Images, lattice_points, lattice_sum};

/// Sets the volumes of boundary particles, m³: `V_b = γ / Σ_b' W_bb'`, with the sum over the layer, b itself included. Volumes
/// are larger where the layer is sparse and smaller in corners.
///
/// Akinci2012 has γ = 1, which makes fluid next to a plane 4 to 26 % too dense.
pub(crate) fn calibrate(discretization: &Discretization, domain: &Domain, walls: &mut BoundaryParticles) {
    let Discretization { kernel, dimensions, support_radius, .. } = *discretization;
    let kernel = Kernel::new(kernel, dimensions, support_radius);
    let factor = factor(discretization) as f32;
    let grid = GridParameters {
        structure: Structure::SpatialHash,
        table_size: (2 * walls.len()).clamp(1, 1 << 20) as u32,
        cell_size: support_radius,
        hash: HashFunction::Muller,
        bucket_capacity: 1,
    };
    let mut search = Search::new(&grid, support_radius);
    let (mut lists, names) = (NeighborLists::default(), (0..walls.len() as u32).collect::<Vec<_>>());
    let mut images = Images::default();
    let (points, names) = images.behind(domain, support_radius, &walls.positions, &names);
    // Never an error: a hash table has no limit on cells.
    if search.update(points, names).is_err() {
        return;
    }
    // `Across` includes the particle itself and periodic images.
    search.fill(&mut lists, &walls.positions, Pairing::Across);
    let (positions, volumes) = (&walls.positions, &mut walls.volumes);
    sweep::map(positions.len(), volumes, |b| {
        factor / lists.of(b).iter().map(|&other| kernel.w(positions[b].distance(points[other as usize]))).sum::<f32>()
    });
}

/// Factor γ with which the first row of a full lattice, half a spacing before a plane, has exactly rest density beside a layer
/// half a spacing behind the plane.
fn factor(discretization: &Discretization) -> f64 {
    let Discretization { kernel, dimensions, support_radius, particle_spacing, .. } = *discretization;
    let kernel = Kernel::new(kernel, dimensions, support_radius);
    let sum_of_rows = |wanted: fn(i32) -> bool| -> f64 {
        let row = |y: f32| (y / particle_spacing).round() as i32;
        lattice_points(discretization)
            .filter(|offset| wanted(row(offset.y)))
            .map(|offset| f64::from(kernel.w(offset.length())))
            .sum()
    };
    let volume = f64::from(discretization.particle_volume()) / f64::from(lattice_sum(discretization));
    let deficit = 1.0 - volume * sum_of_rows(|row| row >= 0);
    deficit / sum_of_rows(|row| row == -1) * sum_of_rows(|row| row == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Dimensions, KernelKind};

    /// γ as computed by another program, for support radii of 2, 2.6 and 3 spacings.
    #[test]
    fn factors_agree_with_reference() {
        let reference = [
            (KernelKind::CubicSpline, Dimensions::Two, [0.6815, 0.5487, 0.5079]),
            (KernelKind::CubicSpline, Dimensions::Three, [0.7006, 0.5568, 0.5142]),
            (KernelKind::WendlandC2, Dimensions::Two, [0.7382, 0.5846, 0.5370]),
            (KernelKind::WendlandC2, Dimensions::Three, [0.7527, 0.5872, 0.5359]),
        ];
        for (kernel, dimensions, factors) in reference {
            for (ratio, expected) in [2.0, 2.6, 3.0].into_iter().zip(factors) {
                let spacing = 0.1;
                let support_radius = ratio * spacing;
                let discretization =
                    Discretization { dimensions, particle_spacing: spacing, kernel, support_radius, rest_density: 1000.0 };
                let factor = factor(&discretization);
                assert!((factor - expected).abs() < 1e-3, "{kernel:?} {dimensions:?} {ratio}: {factor}, not {expected}");
            }
        }
    }
}
