//! Relaxation factors ω of the pressure iterations, from the stiffest wave on a lattice.

use crate::kernel::SmoothingKernel;
use crate::parameters::{Dimensions, Discretization};
use crate::space::lattice_points;
use glam::Vec3;
use std::f32::consts::PI;

/// Relaxation ω of Bender2017 and most others.
const USUAL: f32 = 0.5;

/// Largest ω λ/D of the stiffest wave; from 2 on it grows.
const MAX_STEP: f32 = 1.8;

/// Number of wave vectors sampled along an axis or diagonal.
const WAVES: usize = 32;

/// Relaxation ω of Jacobi iterations on the pressure operator: ½, or less where the stiffest wave on the lattice would grow.
///
/// On a full lattice the operator multiplies the wave `exp(iκ·x)` by `−|G|²`, `G(κ) = Σ_j V∇W sin(κ·x_ij)`, and Jacobi divides
/// by `D = Σ_j |V∇W|²`. With many neighbours |G|²/D exceeds 4: 4.2 for Wendland C2 at 2.6 spacings in three dimensions, 6.2 at
/// 3.
pub(crate) fn relaxation<K: SmoothingKernel>(kernel: K, discretization: &Discretization) -> f32 {
    USUAL.min(MAX_STEP / stiffest(kernel, discretization))
}

/// λ/D of the stiffest wave on the lattice.
fn stiffest<K: SmoothingKernel>(kernel: K, discretization: &Discretization) -> f32 {
    let Discretization { dimensions, particle_spacing, .. } = *discretization;
    let lattice = Lattice::new(kernel, discretization);
    let diagonals: &[Vec3] = match dimensions {
        Dimensions::Two => &[Vec3::X, Vec3::new(1.0, 1.0, 0.0)],
        Dimensions::Three => &[Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::ONE],
    };
    let waves = diagonals
        .iter()
        .flat_map(|&direction| (1..=WAVES).map(move |n| n as f32 / WAVES as f32 * PI / particle_spacing * direction));
    waves.map(|wave| lattice.stiffness(wave)).fold(0.0, f32::max)
}

/// Relaxation ω of accelerated iterations: at most 1/(λ/D), the step of gradient descent. They diverge from ω λ/D = 4/3 on,
/// plain ones from 2.
pub(crate) fn accelerated<K: SmoothingKernel>(kernel: K, discretization: &Discretization) -> f32 {
    USUAL.min(stiffest(kernel, discretization).recip())
}

/// Neighbours of a particle inside a full lattice.
struct Lattice {
    /// Positions of the neighbours, m, and their ∇W, in any one unit.
    pairs: Vec<(Vec3, Vec3)>,
    /// Σ |∇W|².
    squares: f32,
}

impl Lattice {
    fn new<K: SmoothingKernel>(kernel: K, discretization: &Discretization) -> Self {
        let pairs: Vec<_> = lattice_points(discretization).map(|place| (place, kernel.grad_w(place))).collect();
        let squares = pairs.iter().map(|(_, gradient)| gradient.length_squared()).sum();
        Self { pairs, squares }
    }

    /// λ/D of the wave with wave vector `wave`, 1/m.
    fn stiffness(&self, wave: Vec3) -> f32 {
        let gradient: Vec3 = self.pairs.iter().map(|&(place, gradient)| gradient * wave.dot(place).sin()).sum();
        gradient.length_squared() / self.squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Kernel;
    use crate::parameters::KernelKind;

    fn lattice(kind: KernelKind, dimensions: Dimensions, ratio: f32) -> (Kernel, Discretization) {
        let (particle_spacing, support_radius) = (0.1, 0.1 * ratio);
        let discretization =
            Discretization { dimensions, particle_spacing, kernel: kind, support_radius, rest_density: 1000.0 };
        (Kernel::new(kind, dimensions, support_radius), discretization)
    }

    /// Power iteration on a periodic lattice of 8³ particles, from pseudo-random k: `−k·Ak / k·Dk`.
    #[test]
    fn no_field_is_stiffer_than_the_stiffest_wave() {
        const N: i32 = 8;
        for (kind, ratio) in [(KernelKind::CubicSpline, 2.0), (KernelKind::WendlandC2, 2.6), (KernelKind::WendlandC2, 3.0)] {
            let (kernel, discretization) = lattice(kind, Dimensions::Three, ratio);
            let lattice = Lattice::new(kernel, &discretization);
            let cell = |x: i32, y: i32, z: i32| (x.rem_euclid(N) + N * (y.rem_euclid(N) + N * z.rem_euclid(N))) as usize;
            let cells = || (0..N).flat_map(|z| (0..N).flat_map(move |y| (0..N).map(move |x| (x, y, z))));
            let mut k: Vec<f32> = (0..N * N * N).map(|n| (n as f32 * 12.9898).sin()).collect();
            let mut stiffest = 0.0;
            for _ in 0..60 {
                let neighbors = |(x, y, z): (i32, i32, i32)| {
                    lattice.pairs.iter().map(move |&(place, gradient)| {
                        let [i, j, l] = (place / 0.1).round().as_ivec3().to_array();
                        (cell(x - i, y - j, z - l), gradient)
                    })
                };
                let push: Vec<Vec3> = cells().map(|at| neighbors(at).map(|(j, gradient)| -k[j] * gradient).sum()).collect();
                let rate: Vec<f32> = cells().map(|at| neighbors(at).map(|(j, gradient)| push[j].dot(gradient)).sum()).collect();
                let size = k.iter().map(|k| k * k).sum::<f32>();
                stiffest = push.iter().map(|a| a.length_squared()).sum::<f32>() / (size * lattice.squares);
                let largest = rate.iter().fold(0.0f32, |most, rate| most.max(rate.abs()));
                k = rate.iter().map(|rate| rate / largest).collect();
            }
            let omega = relaxation(kernel, &discretization);
            assert!(omega * stiffest < 1.05 * MAX_STEP, "{kind:?} {ratio}: {stiffest} of {omega}");
            assert!(accelerated(kernel, &discretization) * stiffest < 1.05, "{kind:?} {ratio}: {stiffest}");
            assert!(omega == USUAL || omega * stiffest > 0.9 * MAX_STEP, "{kind:?} {ratio}: {stiffest} of {omega}");
        }
    }

    #[test]
    fn few_neighbors_allow_the_usual_relaxation() {
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            let (kernel, discretization) = lattice(KernelKind::CubicSpline, dimensions, 2.0);
            assert_eq!(relaxation(kernel, &discretization), USUAL);
        }
    }
}
