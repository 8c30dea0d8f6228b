//! Pressure of walls, and mirrored velocities of no-slip walls, both extrapolated from the fluid (Adami2012).

use super::BoundaryParticles;
use crate::forces::ExternalForces;
use crate::kernel::SmoothingKernel;
use crate::parameters::WallPressure;
use crate::passes::{StepContext, sweep};
use crate::report::held;
use crate::simd::{self, Lanes, Vec3Lanes, WIDTH, Work};
use glam::{Mat3, Vec3};

/// Regularisation of the linear fit: added to the diagonal of the covariance S of fluid positions, in support radii squared.
/// Beside a wall, with half of the neighbourhood filled, S has 0.01 to 0.05 there, so gradients are damped by about half.
/// Undamped (1e-4), noise in the gradients grows from iteration to iteration of an implicit solver, and a column of still water
/// swells by a sixth.
const DAMPING: f32 = 0.02;

/// Extrapolation of the fluid's pressure to boundary particles: `p_b = max(floor, Σ_f c_bf q_f)` with
/// `q_f = p_f + ρ_f (g − a_b)·(x_b − x_f)`. Either `c_bf = W_bf / Σ_f W_bf`, a mean weighted with W (Adami2012); or the
/// coefficients of the linear least-squares fit to the q_f, evaluated at x_b (moving least squares). 0 without fluid in reach.
///
/// The term with g, taken half way between the two particles, continues the hydrostatic gradient into the wall: exactly, where g
/// is linear in the position. Without it the lowest row of fluid gets too little support.
#[derive(Clone, Debug, Default)]
pub(crate) struct WallPressureExtrapolation {
    /// One entry for each pair of [`StepContext::wall_neighbors`]; empty with one-sided walls, which have no pressure.
    coefficients: Vec<Coefficients>,
}

/// Factors of a fluid particle's pressure and density in the pressure of a boundary particle.
#[derive(Clone, Copy, Debug, Default)]
struct Coefficients {
    /// Factor of p_f: c_bf.
    pressure: f32,
    /// Factor of ρ_f: `c_bf (g − a_b)·(x_b − x_f)`, m²/s².
    density: f32,
}

impl WallPressureExtrapolation {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        held(&self.coefficients)
    }

    /// Computes the coefficients for fluid at the positions `fluid`, m; `external` gives g, m/s².
    pub fn prepare<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        fluid: &[Vec3],
        walls: &BoundaryParticles,
        external: ExternalForces<'_>,
    ) {
        let linear = match ctx.parameters.solver.walls {
            WallPressure::OneSided => return self.coefficients.clear(),
            WallPressure::Extrapolated => false,
            WallPressure::Mls => true,
        };
        ctx.wall_neighbors.fill_pairs(&mut self.coefficients, |row, coefficients| {
            let (b, near) = ctx.wall_neighbors.row(row);
            let (wall, acceleration) = (walls.positions[b], walls.acceleration(b));
            simd::widest(Pairs { kernel, ctx, fluid, external, wall, acceleration, near, coefficients });
            if linear {
                fit(ctx, (fluid, near), wall, coefficients);
            } else {
                let sum = coefficients.iter().fold(0.0, |sum, c| sum + c.pressure);
                coefficients.iter_mut().for_each(|c| c.pressure = if sum <= 0.0 { 0.0 } else { c.pressure / sum });
            }
            coefficients.iter_mut().for_each(|c| c.density *= c.pressure);
        });
    }

    /// Writes the pressures of solids with fluid in reach, none below `floor` ≤ 0; the others keep theirs. `fluid` and `external`
    /// are as in [`WallPressureExtrapolation::prepare`]; with `None` both g and a_b are left out, for pressures that balance no
    /// force. `state(f)` is the pressure and density of fluid particle f, in Pa and kg/m³ or in other consistent units.
    pub fn extend<K: SmoothingKernel>(
        &self,
        kernel: K,
        ctx: &StepContext<'_>,
        (fluid, walls): (&[Vec3], &mut BoundaryParticles),
        (external, floor): (Option<ExternalForces<'_>>, f32),
        state: impl Fn(usize) -> (f32, f32) + Sync,
    ) {
        let share = |f: u32, c: Coefficients| {
            let (pressure, density) = state(f as usize);
            pressure * c.pressure + density * c.density
        };
        match external {
            Some(_) => self.extend_to_particles(ctx, walls, floor, share),
            None => self.extend_to_particles(ctx, walls, floor, |f, c| state(f as usize).0 * c.pressure),
        }
        extend_to_planes(kernel, ctx, fluid, &mut walls.at_planes, external, floor, &state);
    }

    /// `share(f, c)` is the part of fluid particle f in the pressure of a boundary particle.
    fn extend_to_particles(
        &self,
        ctx: &StepContext<'_>,
        walls: &mut BoundaryParticles,
        floor: f32,
        share: impl Fn(u32, Coefficients) -> f32 + Sync,
    ) {
        if self.coefficients.is_empty() {
            // One-sided walls: clear the pressures of the model used before, if it was another.
            return ctx.wall_neighbors.update(&mut walls.pressures, |_, pressure| *pressure = 0.0);
        }
        ctx.wall_neighbors.update(&mut walls.pressures, |row, wall_pressure| {
            let mut sum = 0.0;
            for (&f, &c) in ctx.wall_neighbors.row(row).1.iter().zip(&self.coefficients[ctx.wall_neighbors.range(row)]) {
                sum += share(f, c);
            }
            *wall_pressure = sum.max(floor);
        });
    }
}

/// Task that writes, for all pairs of a boundary particle, W to the factors of the pressure, and to those of the density the
/// hydrostatic rise of the pressure over density from fluid to wall, `(g − a_b)·(x_b − x_f)`, m²/s².
struct Pairs<'a, K> {
    kernel: K,
    ctx: &'a StepContext<'a>,
    /// Positions of the fluid, m.
    fluid: &'a [Vec3],
    external: ExternalForces<'a>,
    /// Position of the boundary particle, m, and its acceleration, m/s².
    wall: Vec3,
    acceleration: Vec3,
    /// Fluid particles.
    near: &'a [u32],
    coefficients: &'a mut [Coefficients],
}

impl<K: SmoothingKernel> Work for Pairs<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { kernel, ctx, fluid, external, wall, acceleration, near, coefficients } = self;
        let uniform = external.is_uniform().then(|| Vec3Lanes::<L>::splat(external.balanced_at(wall)));
        let acceleration = Vec3Lanes::<L>::splat(acceleration);
        for (near, coefficients) in near.chunks(WIDTH).zip(coefficients.chunks_mut(WIDTH)) {
            let [mut x, mut y, mut z] = [[0.0; WIDTH]; 3];
            for (k, &f) in near.iter().enumerate() {
                (x[k], y[k], z[k]) = fluid[f as usize].into();
            }
            let x_f = Vec3Lanes { x: L::from_array(x), y: L::from_array(y), z: L::from_array(z) };
            let x_bf = ctx.minimum_image_lanes(wall, x_f);
            let w = kernel.w(x_bf.length_squared().sqrt()).to_array();
            let along = match uniform {
                Some(uniform) => uniform.dot(x_bf),
                None => {
                    let mut along = [0.0; WIDTH];
                    for (along, &f) in along.iter_mut().zip(near) {
                        let x_f = fluid[f as usize];
                        *along = external.along(x_f, ctx.minimum_image(wall, x_f));
                    }
                    L::from_array(along)
                }
            };
            let rise = (along - acceleration.dot(x_bf)).to_array();
            for (k, c) in coefficients.iter_mut().enumerate() {
                *c = Coefficients { pressure: w[k], density: rise[k] };
            }
        }
    }
}

/// Turns the weights W in the factors of the pressure into the coefficients of the linear fit, for the boundary particle at
/// `wall` (m) and the fluid particles `near` among `fluid` (m).
fn fit(ctx: &StepContext<'_>, (fluid, near): (&[Vec3], &[u32]), wall: Vec3, coefficients: &mut [Coefficients]) {
    let radius = ctx.discretization.support_radius;
    let from_wall = |f: u32| -ctx.minimum_image(wall, fluid[f as usize]) / radius;
    let mut fit = Fit::EMPTY;
    for (&f, c) in near.iter().zip(&*coefficients) {
        fit.add(c.pressure, from_wall(f));
    }
    let correction = fit.linear_correction(DAMPING);
    for (&f, c) in near.iter().zip(coefficients) {
        c.pressure = fit.coefficient(correction, c.pressure, from_wall(f));
    }
}

/// Wall pressure of analytic walls, at each fluid particle i within reach of a plane: the mean of `p_j + ρ_j g·(x_i − x_j)`
/// over the fluid around it, itself included, weighted with W. [`WallIntegral::push`](super::WallIntegral::push) continues it
/// from there into the wall, in closed form. The particle's own pressure instead of the mean would pass the noise between two
/// rows on to an implicit solver.
fn extend_to_planes<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    fluid: &[Vec3],
    pressures: &mut Vec<f32>,
    external: Option<ExternalForces<'_>>,
    floor: f32,
    state: impl Fn(usize) -> (f32, f32) + Sync,
) {
    sweep::map(ctx.wall_integrals.len(), pressures, |i| {
        if ctx.wall_integrals[i].density == 0.0 {
            return 0.0;
        }
        let own = kernel.w(0.0);
        let (mut weighted, mut weight) = (own * state(i).0, own);
        for &j in ctx.fluid.of(i) {
            let j = j as usize;
            let x_ij = ctx.minimum_image(fluid[i], fluid[j]);
            let (pressure, density) = state(j);
            let rise = external.map_or(0.0, |external| external.along(fluid[j], x_ij));
            let w = kernel.w(x_ij.length());
            weighted += w * (pressure + density * rise);
            weight += w;
        }
        if weight > 0.0 { (weighted / weight).max(floor) } else { 0.0 }
    });
}

/// Weighted linear least-squares fit, evaluated at the origin: moments of the points, from which each value's coefficient
/// follows.
#[derive(Clone, Copy, Debug)]
struct Fit {
    /// Σ w.
    weight: f32,
    /// Σ w x.
    first_moment: Vec3,
    /// Σ w x xᵀ.
    second_moment: Mat3,
}

impl Fit {
    /// No points. Not `Default`: a matrix' default is the identity.
    const EMPTY: Self = Self { weight: 0.0, first_moment: Vec3::ZERO, second_moment: Mat3::ZERO };

    fn add(&mut self, weight: f32, position: Vec3) {
        self.weight += weight;
        self.first_moment += weight * position;
        self.second_moment += outer_square(position) * weight;
    }

    /// S⁻¹m, with the mean m and the covariance S of the points; `damping` is added to the diagonal of S. Along an axis without
    /// variance, as for one row along a wall, the correction is zero and the fit is the weighted mean.
    fn linear_correction(&self, damping: f32) -> Vec3 {
        if self.weight <= 0.0 {
            return Vec3::ZERO;
        }
        let covariance = self.second_moment * (1.0 / self.weight) - outer_square(self.mean());
        (covariance + Mat3::from_diagonal(Vec3::splat(damping))).inverse() * self.mean()
    }

    /// Coefficient of the value at `position`: `w/Σw (1 − (x − m)·S⁻¹m)`. The coefficients add up to 1, or to 0 if all weights
    /// are 0.
    fn coefficient(&self, correction: Vec3, weight: f32, position: Vec3) -> f32 {
        if self.weight <= 0.0 { 0.0 } else { weight / self.weight * (1.0 - (position - self.mean()).dot(correction)) }
    }

    fn mean(&self) -> Vec3 {
        self.first_moment / self.weight
    }
}

/// v vᵀ.
fn outer_square(v: Vec3) -> Mat3 {
    Mat3::from_cols(v.x * v, v.y * v, v.z * v)
}

// Mirrored velocities of no-slip walls (Adami2012, eq. 23).

/// Computes the mirrored velocities of boundary particles, m/s: `v_b = 2 v_wall − Σ_f v_f W_bf / Σ_f W_bf`, the fluid's
/// velocity extrapolated linearly through v_wall at the face. Free-slip walls have v_b = v_wall. Without fluid in reach the old
/// value stays; it is not used.
pub(crate) fn mirror<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    (positions, velocities): (&[Vec3], &[Vec3]),
    walls: &mut BoundaryParticles,
) {
    let mut mirrored = std::mem::take(&mut walls.mirrored);
    if mirrored.len() != walls.len() {
        sweep::map(walls.len(), &mut mirrored, |b| walls.velocity(b));
    }
    ctx.wall_neighbors.update(&mut mirrored, |row, mirrored| {
        let (b, near) = ctx.wall_neighbors.row(row);
        let own = walls.velocity(b);
        if !walls.no_slip[b] {
            *mirrored = own;
            return;
        }
        let (mut weighted, mut weight) = (Vec3::ZERO, 0.0);
        for &f in near {
            let f = f as usize;
            let w = kernel.w(ctx.minimum_image(walls.positions[b], positions[f]).length());
            weighted += velocities[f] * w;
            weight += w;
        }
        *mirrored = if weight > 0.0 { 2.0 * own - weighted / weight } else { own };
    });
    walls.mirrored = mirrored;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Value at the origin of the linear fit to (weight, position, value).
    fn at_origin(values: &[(f32, Vec3, f32)], damping: f32) -> f32 {
        let mut fit = Fit::EMPTY;
        values.iter().for_each(|&(weight, position, _)| fit.add(weight, position));
        let correction = fit.linear_correction(damping);
        values.iter().map(|&(weight, position, value)| fit.coefficient(correction, weight, position) * value).sum()
    }

    #[test]
    fn a_linear_field_is_reproduced() {
        let field = |x: Vec3| 3.0 + x.dot(Vec3::new(1.0, -4.0, 0.5));
        let values: Vec<_> = (0..40u16)
            .map(|n| {
                let random = |factor: f32| (f32::from(n) * factor).fract() - 0.5;
                let position = Vec3::new(random(0.819_172_5), 0.6 + 0.5 * random(0.671_043_6), random(0.549_700_5));
                (1.0 + random(0.3), position, field(position))
            })
            .collect();
        let value = at_origin(&values, 1e-6);
        assert!((value - 3.0).abs() < 1e-3, "{value}");
        // Damped, it lies between that and the mean, about 0.8.
        let damped = at_origin(&values, DAMPING);
        assert!((1.5..2.5).contains(&damped), "{damped}");
    }

    #[test]
    fn points_without_variance_give_the_mean() {
        let row = [-0.5, 0.0, 0.5].map(|x| (1.0, Vec3::new(x, 0.8, 0.0), 7.0 + x));
        assert!((at_origin(&row, DAMPING) - 7.0).abs() < 1e-5, "{}", at_origin(&row, DAMPING));
        let single = [(0.3, Vec3::new(0.1, 0.2, 0.3), 5.0)];
        assert!((at_origin(&single, DAMPING) - 5.0).abs() < 1e-5);
        assert_eq!(at_origin(&[], DAMPING), 0.0);
        assert_eq!(at_origin(&[(0.0, Vec3::X, 5.0)], DAMPING), 0.0);
    }
}
