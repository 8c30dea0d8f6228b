//! Analytic walls: the faces of containers as planes, with integrals over the wall behind them (after Koschier2017).
//!
//! The wall adds the relative density λ(s) to a particle at distance s from a plane, and `∇λ = λ′(s) n` replaces `Σ_b V_b ∇W`.
//! Where planes meet at right angles, the region behind several of them counts once.

mod smeared;

use super::{Container, Face};
use crate::forces::ExternalForces;
use crate::parameters::{Discretization, WallPressure};
use crate::passes::sweep;
use crate::report::held;
use glam::{Mat3, Vec3};
use smeared::{Layers, Sums};

/// Walls of containers as planes; see [`WallSampling::Analytic`](super::WallSampling::Analytic).
#[derive(Clone, Debug, Default)]
pub struct Planes {
    /// `None` if walls are particles.
    integrals: Option<Integrals>,
}

#[derive(Clone, Debug)]
struct Integrals {
    containers: Vec<Container>,
    layers: Layers,
    /// Number of dimensions.
    axes: usize,
    /// m.
    support_radius: f32,
}

/// Integrals over the wall in reach of a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WallIntegral {
    /// Relative density of the wall: λ = ∫ W.
    pub density: f32,
    /// ∇λ, 1/m: towards the wall.
    pub gradient: Vec3,
    /// `∫ γ·r ∇W`, m/s², with r from the particle to the wall and the external acceleration γ that pressure balances: the
    /// effect of a hydrostatic pressure in the wall, which is ρ γ·r above that at the particle. γ is that at the particle: of a
    /// force linear in the position with slope s (1/s²), the term ½ ρ s r² is left out.
    hydrostatic: Vec3,
    /// `−∫ r·∇W`: the wall's part of the position divergence D in the surface indicator.
    pub filling: f32,
    /// Hydrostatic rise of p/ρ over half a support radius, `½ R |γ|`, m²/s².
    rise: f32,
}

impl Planes {
    /// The faces of `containers`.
    pub(crate) fn new(discretization: &Discretization, containers: Vec<Container>) -> Self {
        let Discretization { dimensions, support_radius, .. } = *discretization;
        let layers = Layers::new(discretization);
        Self { integrals: Some(Integrals { containers, layers, axes: dimensions.count(), support_radius }) }
    }

    /// Wall integrals of a particle at `position`, m. `external` gives γ, which pressure balances in fluid at rest.
    #[inline]
    pub(crate) fn wall_integral(&self, position: Vec3, external: ExternalForces<'_>) -> WallIntegral {
        self.integrals.as_ref().map_or_else(WallIntegral::default, |integrals| integrals.wall_integral(position, external))
    }

    /// Computes the wall integrals of all particles; without planes, leaves `wall_integrals` as it is.
    pub(crate) fn integrate_all(
        &self,
        positions: &[Vec3],
        external: ExternalForces<'_>,
        wall_integrals: &mut Vec<WallIntegral>,
    ) {
        if self.integrals.is_some() {
            sweep::map(positions.len(), wall_integrals, |i| self.wall_integral(positions[i], external));
        }
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.integrals.as_ref().map_or(0, |Integrals { containers, layers, .. }| held(containers) + layers.memory())
    }

    /// Relative density λ of the wall at `position` (m).
    pub fn density(&self, position: Vec3) -> f32 {
        self.wall_integral(position, ExternalForces::NONE).density
    }
}

impl Integrals {
    fn wall_integral(&self, position: Vec3, external: ExternalForces<'_>) -> WallIntegral {
        let Self { axes, support_radius, ref layers, .. } = *self;
        let Some(container) = self.container_of(position) else { return WallIntegral::default() };
        // Walls in reach: axis, normal into the fluid, distance in support radii. At most one for each axis, as containers are
        // wider than two support radii.
        let (mut near, mut count) = ([(0, 0.0, 0.0); 3], 0);
        for axis in 0..axes {
            for (face, normal, room) in [
                (Face::ALL[2 * axis], 1.0, position[axis] - container.min[axis]),
                (Face::ALL[2 * axis + 1], -1.0, container.max[axis] - position[axis]),
            ] {
                let distance = (room / support_radius).max(0.0);
                if distance < 1.0 && container.faces.contains(face) {
                    near[count] = (axis, normal, distance);
                    count += 1;
                    break;
                }
            }
        }
        if count == 0 {
            return WallIntegral::default();
        }
        let gamma = external.balanced_at(position);
        let mut wall_integral = WallIntegral { rise: 0.5 * support_radius * gamma.length(), ..WallIntegral::default() };
        // Inclusion–exclusion over all sets of planes, so that the region behind several of them counts once.
        for set in 1..1u8 << count {
            let (mut planes, mut size) = ([(0, 0.0); 3], 0);
            let mut distances = [0.0; 3];
            for (number, &(axis, normal, distance)) in near[..count].iter().enumerate() {
                if set >> number & 1 == 1 {
                    (planes[size], distances[size]) = ((axis, normal), distance);
                    size += 1;
                }
            }
            let sums = layers.behind(&distances[..size]);
            let sign = if size.is_multiple_of(2) { -1.0 } else { 1.0 };
            wall_integral.add(sign, (&planes[..size], axes), (&sums, support_radius), gamma);
        }
        wall_integral
    }

    /// Container of a position (m). Beyond an open face, walls extend by a support radius, as layers do. Positions up to a
    /// quarter of that behind a wall, which particles do not reach but predictions of a solver may, also belong to the
    /// container.
    fn container_of(&self, position: Vec3) -> Option<&Container> {
        let within = |container: &Container, [behind, beyond]: [f32; 2]| {
            (0..self.axes).all(|axis| {
                let [low, high] = [Face::ALL[2 * axis], Face::ALL[2 * axis + 1]]
                    .map(|face| if container.faces.contains(face) { behind } else { beyond });
                (container.min[axis] - low..=container.max[axis] + high).contains(&position[axis])
            })
        };
        let find = |slack| self.containers.iter().find(move |container| within(container, slack));
        find([0.0; 2]).or_else(|| find([0.25 * self.support_radius, self.support_radius]))
    }
}

impl WallIntegral {
    /// Adds the sums behind some planes, which are given by axis and normal into the fluid.
    fn add(&mut self, sign: f32, (planes, axes): (&[(usize, f32)], usize), (sums, support_radius): (&Sums, f32), gamma: Vec3) {
        self.density += sign * sums.density;
        // Along axes without a plane, ∫ r ∂W/∂r is −∫ W.
        let mut moments = sums.density * Mat3::IDENTITY;
        for (a, &(i, n_i)) in planes.iter().enumerate() {
            self.gradient[i] -= sign * n_i * sums.slopes[a] / support_radius;
            for (b, &(j, n_j)) in planes.iter().enumerate() {
                moments.col_mut(i)[j] = n_i * n_j * sums.moments[a][b];
            }
        }
        self.hydrostatic += sign * (moments * gamma);
        self.filling += sign * (0..axes).map(|axis| moments.col(axis)[axis]).sum::<f32>();
    }

    /// Pressure force of the wall, N/m³: `−∫ (p + p_wall) ∇W` for fluid of `density` (kg/m³, or 1 for pressures in m²/s²), with
    /// p = `own` (Pa). At the particle p_wall is `continued` (Pa); one-sided walls have p_wall = 0. [`WallPressure::Mls`] is
    /// the same as [`WallPressure::Extrapolated`], because the gradient is known here.
    ///
    /// With `bears`, p_wall is hydrostatic: it rises by ρ γ·r. The rise is scaled down with `continued` where that is less than
    /// the hydrostatic pressure of half a support radius, so that fluid without pressure gets no force.
    #[inline]
    pub fn push(&self, walls: WallPressure, (own, continued): (f32, f32), density: f32, bears: bool) -> Vec3 {
        if walls == WallPressure::OneSided {
            return -own * self.gradient;
        }
        let uniform = -(own + continued) * self.gradient;
        let rise = density * self.rise;
        if !bears || rise <= 0.0 {
            return uniform;
        }
        let fade = (continued / rise).clamp(0.0, 1.0);
        uniform - density * fade * self.hydrostatic
    }
}

#[cfg(test)]
mod tests;
