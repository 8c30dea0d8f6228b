//! The pressure of the walls, which they have from the fluid.

use super::BoundaryParticles;
use crate::forces::ExternalForces;
use crate::kernel::SmoothingKernel;
use crate::parameters::WallPressure;
use crate::passes::{StepContext, sweep};
use crate::report::held;
use glam::{Mat3, Vec3};

/// Added to the spread of the fluid next to a boundary particle, in support radii squared, of which a wall's half of a neighbourhood has 0.01 to
/// 0.05: slopes are damped by about half. Undamped (1e-4), the noise of the slopes feeds itself from iteration to iteration of an implicit solver, and
/// a column of still water swells by a sixth.
const DAMPING: f32 = 0.02;

/// How the pressure of the fluid, where it is now, goes on into the walls: `p_b = max(floor, Σ_f c_bf q_f)` with
/// `q_f = p_f + ρ_f (g − a_b)·(x_b − x_f)`. Either `c_bf = W_bf / Σ_f W_bf`, the mean; or what gives the value at x_b of the linear field
/// that fits the q_f best. 0 without fluid in reach.
///
/// With g, taken half way between the two, the gradient that holds fluid at the wall goes on into the wall; without it the lowest row of
/// fluid feels too little support.
#[derive(Clone, Debug, Default)]
pub(crate) struct WallPressureExtrapolation {
    /// Of every pair of [`StepContext::wall_neighbors`]; none where walls have no pressure.
    shares: Vec<Share>,
}

/// What a fluid particle has to say in the pressure of a boundary particle.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    /// c_bf.
    pressure: f32,
    /// `c_bf (g − a_b)·(x_b − x_f)`, m²/s².
    density: f32,
}

impl WallPressureExtrapolation {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        held(&self.shares)
    }

    /// For fluid at `fluid`, m. `external` has g, m/s²; `None` for pressures that hold nothing, continued as they are.
    pub fn prepare<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        fluid: &[Vec3],
        walls: &BoundaryParticles,
        external: Option<ExternalForces<'_>>,
    ) {
        let linear = match ctx.parameters.solver.walls {
            WallPressure::OneSided => return self.shares.clear(),
            WallPressure::Extrapolated => false,
            WallPressure::Mls => true,
        };
        let radius = ctx.discretization.support_radius;
        ctx.wall_neighbors.fill_pairs(&mut self.shares, |row, shares| {
            let (b, near) = ctx.wall_neighbors.row(row);
            let from_wall = |f: u32| -ctx.minimum_image(walls.positions[b], fluid[f as usize]);
            let mut fit = Fit::EMPTY;
            for (&f, share) in near.iter().zip(shares.iter_mut()) {
                let place = from_wall(f);
                share.pressure = kernel.w(place.length());
                fit.add(share.pressure, place / radius);
            }
            let slope = if linear { fit.slope(DAMPING) } else { Vec3::ZERO };
            for (&f, share) in near.iter().zip(shares) {
                let place = from_wall(f);
                share.pressure = fit.share(slope, share.pressure, place / radius);
                let rise = external
                    .map_or(0.0, |external| walls.acceleration(b).dot(place) - external.along(fluid[f as usize], place));
                share.density = share.pressure * rise;
            }
        });
    }

    /// Gives the `walls` within reach their pressures, none below `floor` ≤ 0; those of all others are left alone. `state` is pressure and
    /// density of particle f, in Pa and kg/m³ or any other units that go together.
    pub fn extend(
        &self,
        ctx: &StepContext<'_>,
        walls: &mut BoundaryParticles,
        floor: f32,
        state: impl Fn(usize) -> (f32, f32) + Sync,
    ) {
        if self.shares.is_empty() {
            // One-sided walls, which may have had a pressure before they were switched to.
            return ctx.wall_neighbors.update(&mut walls.pressures, |_, pressure| *pressure = 0.0);
        }
        ctx.wall_neighbors.update(&mut walls.pressures, |row, wall_pressure| {
            let mut sum = 0.0;
            for (&f, share) in ctx.wall_neighbors.row(row).1.iter().zip(&self.shares[ctx.wall_neighbors.range(row)]) {
                let (pressure, density) = state(f as usize);
                sum += pressure * share.pressure + density * share.density;
            }
            *wall_pressure = sum.max(floor);
        });
    }
}

/// The same as [`WallPressureExtrapolation`] for walls that are not particles: the mean of the fluid around each particle that touches one, continued to its place. From there
/// [`WallIntegral::push`](super::WallIntegral::push) continues it into the wall, in closed form. The particle's own pressure alone would answer the noise between two rows
/// with as much noise, and shake an implicit solver.
pub(crate) fn extend_to_planes<K: SmoothingKernel>(
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

/// A linear field through values at weighted places, by least squares: which share each value has in the field at the origin.
#[derive(Clone, Copy, Debug)]
struct Fit {
    weight: f32,
    place: Vec3,
    /// Σ w x xᵀ.
    places: Mat3,
}

impl Fit {
    /// Through nothing. Not `Default`: a matrix' default is the identity.
    const EMPTY: Self = Self { weight: 0.0, place: Vec3::ZERO, places: Mat3::ZERO };

    fn add(&mut self, weight: f32, place: Vec3) {
        self.weight += weight;
        self.place += weight * place;
        self.places += square(place) * weight;
    }

    /// S⁻¹m: what the field's slopes have to do with its value at the origin, with the middle m and the spread S of the places, damped.
    /// Where the places do not spread along an axis, as one row along a wall, there is no slope: the mean is all that they tell.
    fn slope(&self, damping: f32) -> Vec3 {
        if self.weight <= 0.0 {
            return Vec3::ZERO;
        }
        let spread = self.places * (1.0 / self.weight) - square(self.middle());
        (spread + Mat3::from_diagonal(Vec3::splat(damping))).inverse() * self.middle()
    }

    /// The share of the value at `place`; they add up to 1, or 0 without any weight.
    fn share(&self, slope: Vec3, weight: f32, place: Vec3) -> f32 {
        if self.weight <= 0.0 { 0.0 } else { weight / self.weight * (1.0 - (place - self.middle()).dot(slope)) }
    }

    fn middle(&self) -> Vec3 {
        self.place / self.weight
    }
}

/// v vᵀ.
fn square(v: Vec3) -> Mat3 {
    Mat3::from_cols(v.x * v, v.y * v, v.z * v)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The field at the origin through (weight, place, value).
    fn at_origin(values: &[(f32, Vec3, f32)], damping: f32) -> f32 {
        let mut fit = Fit::EMPTY;
        values.iter().for_each(|&(weight, place, _)| fit.add(weight, place));
        let slope = fit.slope(damping);
        values.iter().map(|&(weight, place, value)| fit.share(slope, weight, place) * value).sum()
    }

    #[test]
    fn a_linear_field_is_met() {
        let field = |x: Vec3| 3.0 + x.dot(Vec3::new(1.0, -4.0, 0.5));
        let values: Vec<_> = (0..40u16)
            .map(|n| {
                let random = |factor: f32| (f32::from(n) * factor).fract() - 0.5;
                let place = Vec3::new(random(0.819_172_5), 0.6 + 0.5 * random(0.671_043_6), random(0.549_700_5));
                (1.0 + random(0.3), place, field(place))
            })
            .collect();
        let value = at_origin(&values, 1e-6);
        assert!((value - 3.0).abs() < 1e-3, "{value}");
        // Damped, it is between that and the mean, about 0.8.
        let damped = at_origin(&values, DAMPING);
        assert!((1.5..2.5).contains(&damped), "{damped}");
    }

    #[test]
    fn what_does_not_spread_has_no_slope() {
        let row = [-0.5, 0.0, 0.5].map(|x| (1.0, Vec3::new(x, 0.8, 0.0), 7.0 + x));
        assert!((at_origin(&row, DAMPING) - 7.0).abs() < 1e-5, "{}", at_origin(&row, DAMPING));
        let single = [(0.3, Vec3::new(0.1, 0.2, 0.3), 5.0)];
        assert!((at_origin(&single, DAMPING) - 5.0).abs() < 1e-5);
        assert_eq!(at_origin(&[], DAMPING), 0.0);
        assert_eq!(at_origin(&[(0.0, Vec3::X, 5.0)], DAMPING), 0.0);
    }
}
