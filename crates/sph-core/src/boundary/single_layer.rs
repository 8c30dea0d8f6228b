//! Walls of one layer (Akinci2012), with the factor that makes the first row of fluid as dense as all other.

use super::BoundaryParticles;
use crate::kernel::{Kernel, SmoothingKernel};
use crate::neighbors::{NeighborLists, Pairing, Search};
use crate::parameters::{Discretization, GridParameters, HashFunction, Structure};
use crate::passes::sweep;
use crate::space::{Domain, Images, lattice_places, lattice_sum};

/// `V_b = γ / Σ_b' W_bb'`, with the sum over the layer, b itself included; sparse places get more, corners less.
///
/// Akinci2012 has γ = 1, with which fluid next to a plane is 4 to 26 % too dense.
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
    // A hash table takes any number of cells.
    if search.update(points, names).is_err() {
        return;
    }
    // Across: itself and images included.
    search.fill(&mut lists, &walls.positions, Pairing::Across);
    let (positions, volumes) = (&walls.positions, &mut walls.volumes);
    sweep::map(positions.len(), volumes, |b| {
        factor / lists.of(b).iter().map(|&other| kernel.w(positions[b].distance(points[other as usize]))).sum::<f32>()
    });
}

/// γ: with it a full lattice of fluid half a spacing before a plane, and a layer half a spacing behind it, give the first row of fluid
/// exactly rest density.
fn factor(discretization: &Discretization) -> f64 {
    let Discretization { kernel, dimensions, support_radius, particle_spacing, .. } = *discretization;
    let kernel = Kernel::new(kernel, dimensions, support_radius);
    let rows = |wanted: fn(i32) -> bool| -> f64 {
        let row = |y: f32| (y / particle_spacing).round() as i32;
        lattice_places(discretization)
            .filter(|place| wanted(row(place.y)))
            .map(|place| f64::from(kernel.w(place.length())))
            .sum()
    };
    let volume = f64::from(discretization.particle_volume()) / f64::from(lattice_sum(discretization));
    let lacking = 1.0 - volume * rows(|row| row >= 0);
    lacking / rows(|row| row == -1) * rows(|row| row == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Dimensions, KernelKind};

    /// Values that were computed by another program, for both dimensions and support radii of 2, 2.6 and 3 spacings.
    #[test]
    fn factors_are_known() {
        let known = [
            (KernelKind::CubicSpline, Dimensions::Two, [0.6815, 0.5487, 0.5079]),
            (KernelKind::CubicSpline, Dimensions::Three, [0.7006, 0.5568, 0.5142]),
            (KernelKind::WendlandC2, Dimensions::Two, [0.7382, 0.5846, 0.5370]),
            (KernelKind::WendlandC2, Dimensions::Three, [0.7527, 0.5872, 0.5359]),
        ];
        for (kernel, dimensions, factors) in known {
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
