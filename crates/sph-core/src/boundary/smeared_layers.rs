//! Wall sums behind planes: layers of boundary particles, smeared out along the planes, integrated beforehand.
//!
//! Lengths are in support radii; the kernel has support radius 1.

use crate::kernel::{Kernel, SmoothingKernel};
use crate::parameters::Discretization;
use crate::report::held;
use crate::space::{lattice_points, lattice_sum};
use std::f64::consts::TAU;

/// Intervals of the tables of integrals, over distances from 0 to 1; interpolation is linear.
const STEPS: usize = 512;

/// Terms of the midpoint rule for each integral.
const TERMS: u32 = 256;

/// Wall layers: discrete along the normals of planes, continuous along all other axes.
///
/// Beside a wall that is a continuum, the first row of a lattice of fluid would be 1 to 5 % too dense, with a pressure force up
/// to 15 % too small. So walls are layers a spacing apart, the first half a spacing behind the plane: sheets behind one plane,
/// lines behind the two planes of an edge, points behind the three of a corner. They are shifted and scaled by a few percent,
/// so that a full lattice half a spacing before a plane has exactly rest density and no net force.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    /// For one, two and three planes, tables over distance: W and `−W′/r`, integrated over the axes that are not normal to a
    /// plane.
    integrals: Vec<Vec<[f32; 2]>>,
    spacing: f32,
    /// Shift of all layers away from the fluid.
    shift: f32,
    /// Factor of the volume, for each plane.
    scale: f32,
}

/// Sums over the layers behind one plane, or behind all of two or three planes at right angles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    /// `Σ V W`.
    pub density: f32,
    /// `Σ V u_a (−W′/r)` for each plane, with the distance u_a along its normal: minus the derivative of the density with
    /// respect to u_a.
    pub slopes: [f32; 3],
    /// `Σ V u_a u_b (−W′/r)` for each pair of planes.
    pub moments: [[f32; 3]; 3],
}

impl Layers {
    pub fn new(discretization: &Discretization) -> Self {
        let Discretization { dimensions, kernel, particle_spacing, support_radius, .. } = *discretization;
        let kernel = Kernel::new(kernel, dimensions, 1.0);
        let table = |along: usize| (0..=STEPS).map(|step| integrate(kernel, along, step as f64 / STEPS as f64)).collect();
        let integrals = (0..dimensions.count()).rev().map(table).collect();
        let mut layers = Self { integrals, spacing: particle_spacing / support_radius, shift: 0.0, scale: 1.0 };
        let deficit = Deficit::of(discretization);
        // Bisection: the ratio of slope to density grows with the shift, until it is that of the deficit.
        let (mut low, mut high) = (-0.2 * layers.spacing, 0.2 * layers.spacing);
        for _ in 0..24 {
            layers.shift = 0.5 * (low + high);
            let Sums { density, slopes: [slope, ..], .. } = layers.behind(&[0.5 * layers.spacing]);
            *(if slope * deficit.density < deficit.slope * density { &mut low } else { &mut high }) = layers.shift;
        }
        layers.scale = deficit.density / layers.behind(&[0.5 * layers.spacing]).density;
        layers
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        held(&self.integrals) + self.integrals.iter().map(held).sum::<usize>()
    }

    /// Sums behind planes at `distances`, one to as many as there are dimensions.
    pub fn behind(&self, distances: &[f32]) -> Sums {
        let mut sums = Sums::default();
        self.add(distances, &mut [0.0; 3], 0, &mut sums);
        sums
    }

    /// Adds all layers behind the planes from index `plane` on; `u` has the distances along the normals of those before.
    fn add(&self, distances: &[f32], u: &mut [f32; 3], plane: usize, sums: &mut Sums) {
        let squared: f32 = u[..plane].iter().map(|u| u * u).sum();
        if plane < distances.len() {
            u[plane] = distances[plane] + self.shift + 0.5 * self.spacing;
            while squared + u[plane] * u[plane] < 1.0 {
                self.add(distances, u, plane + 1, sums);
                u[plane] += self.spacing;
            }
            return;
        }
        let scaled = squared.sqrt() * STEPS as f32;
        let step = (scaled as usize).min(STEPS - 1);
        let (part, table) = (scaled - step as f32, &self.integrals[plane - 1]);
        let volume = (self.scale * self.spacing).powi(plane as i32);
        let [w, factor] = [0, 1].map(|n| volume * (table[step][n] + part * (table[step + 1][n] - table[step][n])));
        sums.density += w;
        for a in 0..plane {
            sums.slopes[a] += factor * u[a];
            for b in 0..plane {
                sums.moments[a][b] += factor * u[a] * u[b];
            }
        }
    }
}

/// Integrals of W and `−W′/r` over a line (`along` 1) or plane (2) at distance `s` from the particle; their values for 0.
fn integrate(kernel: Kernel, along: usize, s: f64) -> [f32; 2] {
    let at = |r: f64| {
        let r = r.min(1.0) as f32;
        [kernel.w(r), -kernel.dw_over_r(r)].map(f64::from)
    };
    if along == 0 {
        return at(s).map(|value| value as f32);
    }
    let dt = (1.0 - s * s).max(0.0).sqrt() / f64::from(TERMS);
    let mut sums = [0.0; 2];
    for term in 0..TERMS {
        let t = (f64::from(term) + 0.5) * dt;
        // Both directions along a line; rings of a plane.
        let measure = if along == 1 { 2.0 } else { TAU * t };
        for (sum, value) in sums.iter_mut().zip(at(s.hypot(t))) {
            *sum += measure * value * dt;
        }
    }
    sums.map(|sum| sum as f32)
}

/// Deficit of the first row of a full lattice half a spacing before a plane: the sums over the lattice points behind the plane.
#[derive(Clone, Copy, Debug)]
struct Deficit {
    /// Relative density.
    density: f32,
    /// `Σ V ∇W` along the normal, times the support radius.
    slope: f32,
}

impl Deficit {
    fn of(discretization: &Discretization) -> Self {
        let Discretization { kernel, dimensions, support_radius, particle_spacing, .. } = *discretization;
        let kernel = Kernel::new(kernel, dimensions, support_radius);
        let volume = discretization.particle_volume() / lattice_sum(discretization);
        let behind = || lattice_points(discretization).filter(|offset| offset.y < -0.5 * particle_spacing);
        let sum =
            |value: &dyn Fn(glam::Vec3) -> f32| volume * behind().map(|offset| f64::from(value(offset))).sum::<f64>() as f32;
        Self {
            density: sum(&|offset| kernel.w(offset.length())),
            slope: sum(&|offset| kernel.grad_w(offset).y * support_radius),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Dimensions, KernelKind};

    fn discretization(kernel: KernelKind, dimensions: Dimensions, ratio: f32) -> Discretization {
        Discretization { dimensions, particle_spacing: 0.1, kernel, support_radius: ratio * 0.1, rest_density: 1000.0 }
    }

    /// Exact integrals of poly6 in three dimensions, (1 − r²)³ · 315/64π: over a plane 315/256 (1 − s²)⁴ and 315/32 (1 − s²)³,
    /// over a line 9/8 (1 − s²)^3.5 · 32/35 · 315/72π.
    #[test]
    fn integrals_of_poly6_are_exact() {
        let kernel = Kernel::new(KernelKind::Poly6, Dimensions::Three, 1.0);
        let check = |name: &str, value: f32, exact: f64| {
            assert!((f64::from(value) - exact).abs() < 1e-3 * exact, "{name}: {value} for {exact}");
        };
        for s in [0.0f64, 0.1, 0.37, 0.8] {
            let rest = 1.0 - s * s;
            let [w, slope] = integrate(kernel, 2, s);
            check("plane", w, 315.0 / 256.0 * rest.powi(4));
            check("slope", slope, 315.0 / 32.0 * rest.powi(3));
            let [w, _] = integrate(kernel, 1, s);
            // ∫ (1 − x²)³ dx from −1 to 1 is 32/35.
            check("line", w, 315.0 / (64.0 * std::f64::consts::PI) * 32.0 / 35.0 * rest.powf(3.5));
        }
    }

    /// The shift and scale that this takes are small.
    #[test]
    fn the_first_row_has_no_deficit() {
        let cases = [
            (KernelKind::CubicSpline, 2.0),
            (KernelKind::WendlandC2, 2.6),
            (KernelKind::WendlandC2, 3.0),
            (KernelKind::WendlandC4, 3.0),
        ];
        for (kernel, ratio) in cases {
            for dimensions in [Dimensions::Two, Dimensions::Three] {
                let discretization = discretization(kernel, dimensions, ratio);
                let (layers, deficit) = (Layers::new(&discretization), Deficit::of(&discretization));
                let Sums { density, slopes: [slope, ..], .. } = layers.behind(&[0.5 / ratio]);
                assert!((density - deficit.density).abs() < 1e-4, "{kernel:?} {ratio}: {density} {deficit:?}");
                assert!((slope - deficit.slope).abs() < 1e-3, "{kernel:?} {ratio}: {slope} {deficit:?}");
                let Layers { shift, scale, spacing, .. } = layers;
                assert!((scale - 1.0).abs() < 0.07 && shift.abs() < 0.05 * spacing, "{kernel:?} {ratio}: {scale} {shift}");
            }
        }
    }

    #[test]
    fn slopes_are_derivatives_of_densities() {
        for (kernel, dimensions) in [(KernelKind::CubicSpline, Dimensions::Two), (KernelKind::WendlandC2, Dimensions::Three)] {
            let layers = Layers::new(&discretization(kernel, dimensions, 3.0));
            for others in [&[][..], &[0.2]] {
                let behind = |s: f32| layers.behind(&[&[s], others].concat());
                for s in [0.1f32, 0.25, 0.5, 0.7] {
                    let step = 1.0 / 128.0;
                    let slope = (behind(s - step).density - behind(s + step).density) / (2.0 * step);
                    assert!(
                        (slope - behind(s).slopes[0]).abs() < 5e-3,
                        "{kernel:?} {others:?} {s}: {slope} for {:?}",
                        behind(s)
                    );
                }
            }
            assert_eq!(layers.behind(&[1.0]), Sums::default());
        }
    }
}
