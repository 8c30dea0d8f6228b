//! Shape of the fluid around each particle, as an ellipsoid: what thin sheets and filaments are drawn with.
//!
//! After Yu and Turk (YuTurk2013): the ellipsoid has the axes of the covariance of the neighbours' positions, weighted with
//!
//! ```text
//! w_ij = (1 − (|x_i − x_j| / r)⁴)²
//! ```
//!
//! Four things differ. The weight, 1 − (…)³ with them, ends without a kink, so that a neighbour comes and goes smoothly. The axes have the ratios of the
//! standard deviations, the roots of the eigenvalues, so that the outermost particles of a pool end where its water does; with the
//! eigenvalues themselves its surface would sink. Centres move to the mean of their neighbours only where fluid is on both sides, for the
//! same reason. And whether a particle is alone is a matter of degree. So no shape jumps from one step to the next.

use super::Vicinity;
use crate::parameters::Discretization;
use crate::passes::sweep;
use crate::simulation::View;
use crate::space::principal_axes;
use glam::{Mat3, Vec3, Vec4};

/// Radius r of the neighbourhood, particle spacings, at least: a sheet that has been stretched to twice its area per particle has its
/// second neighbours in reach.
const REACH: f32 = 2.6;

/// Variance that is added along all axes, over the largest: the shortest axis of a sheet is a quarter of the others (k_r = 4).
const LEAST_VARIANCE: f32 = 1.0 / 15.0;

/// Largest ratio of the longest axis to the second: that of a filament, which is as long as a sheet is wide then.
const MOST_SLENDER: f32 = 2.0;

/// Share λ of the way to the mean of the neighbours by which a centre moves in a sheet.
const SMOOTHING: f32 = 0.9;

/// Distance of that mean, in radii of the neighbourhood, up to which fluid is on both sides, and from which it is on one: it is 0.2 at
/// the level surface of a lattice.
const MEAN_DISTANCE: [f32; 2] = [0.08, 0.19];

/// Sum of the neighbours' weights up to which a particle is alone, and from which it has the shape of its neighbourhood: two in a row
/// weigh as much.
const NEIGHBOR_WEIGHT: [f32; 2] = [0.25, 1.75];

/// Distance (Frobenius) of a matrix from the unit matrix up to which it is computed to first order: the error is of its square.
const NEARLY_ROUND: f32 = 0.07;

/// Size of the sphere of a particle alone.
const SIZE_ALONE: f32 = 0.75;

/// Ellipsoid of a particle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ellipsoid {
    /// Centre, m.
    pub center: Vec3,
    /// Symmetric matrix A, whose image of a sphere it is, as its entries xx, yy, zz, xy, xz, yz. Its determinant is 1 within 0.005 for
    /// a particle among others, less, down to 0.42, for one with few neighbours or none; no entry is larger than 2.
    pub axes: [f32; 6],
}

impl Ellipsoid {
    /// A sphere of unit size at `center` (m).
    pub fn sphere(center: Vec3) -> Self {
        Self { center, axes: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0] }
    }
}

impl Vicinity {
    /// Replaces `out` by the ellipsoid of each particle of `fluid`, or by none if the search cannot cover the particles. Neighbours are
    /// searched on the rayon pool that this is called from; those of [`Self::update`] are forgotten.
    pub fn read_ellipsoids(&mut self, fluid: &View<'_>, out: &mut Vec<Ellipsoid>) {
        out.clear();
        let Discretization { support_radius, particle_spacing, .. } = *fluid.discretization;
        // Across short periods a particle would be found twice.
        let farthest = support_radius.max(0.49 * fluid.domain.period().min_element());
        if self.update_within(support_radius.max(REACH * particle_spacing).min(farthest), fluid).is_ok() {
            self.ellipsoids(fluid, out);
        }
    }

    fn ellipsoids(&self, fluid: &View<'_>, out: &mut Vec<Ellipsoid>) {
        let (positions, wrap) = (&fluid.particles.positions, fluid.wrap());
        let rate = 1.0 / self.radius();
        sweep::map(positions.len(), out, |i| {
            let mut sums = Moments::default();
            for neighbors in self.of(i).chunks(4) {
                // What fills the last four lies on the edge of the neighbourhood, where it weighs nothing.
                let mut places = [Vec3::X; 4];
                for (place, &j) in places.iter_mut().zip(neighbors) {
                    *place = -rate * wrap.minimum_image(positions[i], positions[j as usize]);
                }
                sums.add(places);
            }
            let (offset, axes) = sums.shape();
            Ellipsoid { center: positions[i] + self.radius() * offset, axes }
        });
    }
}

/// Weighted moments of the positions of a particle, with weight 1 at 0, and its neighbours, in radii of the neighbourhood; four sums each, of
/// every fourth.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    weight: Vec4,
    /// First moments along x, y, z.
    first: [Vec4; 3],
    /// Second moments xx, yy, zz, yz, xz, xy.
    second: [Vec4; 6],
}

impl Moments {
    fn add(&mut self, places: [Vec3; 4]) {
        let [x, y, z] = [0, 1, 2].map(|axis| Vec4::from_array(places.map(|place| place[axis])));
        let square = x * x + y * y + z * z;
        let near = Vec4::ONE - square * square;
        let weight = near * near;
        self.weight += weight;
        let [weighted_x, weighted_y, weighted_z] = [weight * x, weight * y, weight * z];
        for (sum, value) in self.first.iter_mut().zip([weighted_x, weighted_y, weighted_z]) {
            *sum += value;
        }
        let products = [weighted_x * x, weighted_y * y, weighted_z * z, weighted_y * z, weighted_x * z, weighted_x * y];
        for (sum, value) in self.second.iter_mut().zip(products) {
            *sum += value;
        }
    }

    /// Shift of the centre, in radii of the neighbourhood, and the matrix of the ellipsoid.
    fn shape(&self) -> (Vec3, [f32; 6]) {
        let weight = self.weight.element_sum();
        let share = 1.0 / weight;
        let mean = share * Vec3::from_array(self.first.map(Vec4::element_sum));
        let [xx, yy, zz, yz, xz, xy] = self.second.map(|sum| share * sum.element_sum());
        let squares = Vec3::new(xx, yy, zz) - mean * mean;
        let products = Vec3::new(yz, xz, xy) - Vec3::new(mean.y * mean.z, mean.x * mean.z, mean.x * mean.y);
        let covariance = Mat3::from_cols(
            Vec3::new(squares.x, products.z, products.y),
            Vec3::new(products.z, squares.y, products.x),
            Vec3::new(products.y, products.x, squares.z),
        );
        let company = smooth_step(NEIGHBOR_WEIGHT, weight - 1.0);
        let shape = nearly_round(squares, products).unwrap_or_else(|| shape_of(covariance));
        let [xx, yy, zz, xy, xz, yz] = shape.map(|entry| company * entry);
        let alone = (1.0 - company) * SIZE_ALONE;
        let offset = SMOOTHING * (1.0 - smooth_step(MEAN_DISTANCE, mean.length())) * mean;
        (company * offset, [xx + alone, yy + alone, zz + alone, xy, xz, yz])
    }
}

/// Matrix of the ellipsoid of a covariance, as in [`Ellipsoid::axes`].
fn shape_of(covariance: Mat3) -> [f32; 6] {
    let (variances, axes) = principal_axes(covariance);
    let lengths = lengths(variances);
    let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
    let entry = |a: usize, b: usize| lengths.x * x[a] * x[b] + lengths.y * y[a] * y[b] + lengths.z * z[a] * z[b];
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// [`shape_of`] a covariance near a multiple of the unit matrix, to first order: inside the fluid, where most particles are, and without their
/// axes. The variances are `squares` on the diagonal and `products` yz, xz, xy beside it.
fn nearly_round(squares: Vec3, products: Vec3) -> Option<[f32; 6]> {
    let mean = squares.element_sum() / 3.0;
    let rate = 0.5 / (mean * (1.0 + LEAST_VARIANCE));
    let [diagonal, others] = [rate * (squares - mean), rate * products];
    let distance = diagonal.length_squared() + 2.0 * others.length_squared();
    (distance < NEARLY_ROUND * NEARLY_ROUND).then_some([
        1.0 + diagonal.x,
        1.0 + diagonal.y,
        1.0 + diagonal.z,
        others.z,
        others.y,
        others.x,
    ])
}

/// Lengths of the axes of an ellipsoid of unit volume from the variances along them, the largest first.
fn lengths(variances: Vec3) -> Vec3 {
    let relative = variances.max(Vec3::ZERO) / variances.x;
    let mut lengths = (relative + LEAST_VARIANCE).map(f32::sqrt);
    lengths.x = lengths.x.min(MOST_SLENDER * lengths.y);
    let size = lengths.element_product().cbrt();
    // Written so that NaN is refused: of particles that are all in the same place.
    if size > 0.0 { lengths / size } else { Vec3::ONE }
}

/// 0 up to the first of two numbers, 1 from the second on, with a continuous slope in between.
fn smooth_step([from, to]: [f32; 2], value: f32) -> f32 {
    let share = ((value - from) / (to - from)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_are_nearly_round_are_those_of_the_axes() {
        let mut found = 0;
        for turn in 0..200 {
            let rotation = Mat3::from_euler(glam::EulerRot::XYZ, 0.7 * turn as f32, 1.3 * turn as f32, 2.1 * turn as f32);
            let variances = Vec3::new(1.0, 1.0 - 0.001 * turn as f32, 1.0 - 0.0007 * turn as f32);
            let covariance = rotation * Mat3::from_diagonal(0.2 * variances) * rotation.transpose();
            let [x, y, z] = [covariance.x_axis, covariance.y_axis, covariance.z_axis];
            let Some(round) = nearly_round(Vec3::new(x.x, y.y, z.z), Vec3::new(y.z, x.z, x.y)) else { continue };
            found += 1;
            let worst = round.iter().zip(shape_of(covariance)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst < NEARLY_ROUND * NEARLY_ROUND, "{worst} in turn {turn}");
        }
        assert!((100..200).contains(&found), "{found}");
    }
}
