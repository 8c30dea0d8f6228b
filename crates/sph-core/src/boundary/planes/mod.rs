//! Walls without particles: the faces of containers as planes, behind which everything is integrated (after Koschier2017).
//!
//! A particle at a distance s from a plane has the density λ(s) from what lies behind it, and `∇λ = λ′(s) n` takes the place of
//! `Σ_b V_b ∇W`. Where planes meet at right angles, what is behind several of them counts once.

mod smeared;

use super::{Container, Face};
use crate::forces::ExternalForces;
use crate::parameters::{Discretization, WallPressure};
use crate::passes::sweep;
use crate::report::held;
use glam::{Mat3, Vec3};
use smeared::{Layers, Sums};

/// The walls of containers as planes; see [`WallSampling::Analytic`](super::WallSampling::Analytic).
#[derive(Clone, Debug, Default)]
pub struct Planes {
    /// `None` where walls are particles.
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

/// What the planes are to a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WallIntegral {
    /// λ, the relative density that they add.
    pub density: f32,
    /// ∇λ, 1/m: towards the wall.
    pub gradient: Vec3,
    /// `∫ γ·r ∇W` over the wall, r being the way there and γ what holds fluid, m/s²: what a pressure that rises by γ does besides.
    slope: Vec3,
    /// `−∫ r·∇W` over the wall: its part of how filled the neighbourhood is, in dimensions.
    pub filling: f32,
    /// The rise of such a pressure, as k = p/ρ, over half a support radius, m²/s².
    rise: f32,
}

impl Planes {
    /// The faces of `containers`.
    pub(crate) fn new(discretization: &Discretization, containers: Vec<Container>) -> Self {
        let Discretization { dimensions, support_radius, .. } = *discretization;
        let layers = Layers::new(discretization);
        Self { integrals: Some(Integrals { containers, layers, axes: dimensions.count(), support_radius }) }
    }

    /// What they are to a particle at `place`, m; `external` is what pressure balances in fluid at rest.
    #[inline]
    pub(crate) fn wall_integral(&self, place: Vec3, external: ExternalForces<'_>) -> WallIntegral {
        self.integrals.as_ref().map_or_else(WallIntegral::default, |integrals| integrals.wall_integral(place, external))
    }

    /// The same for every particle; nothing where there are no planes.
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

    /// λ at `place` (m): the relative density that they would add to a particle there.
    pub fn density(&self, place: Vec3) -> f32 {
        self.wall_integral(place, ExternalForces::NONE).density
    }
}

impl Integrals {
    fn wall_integral(&self, place: Vec3, external: ExternalForces<'_>) -> WallIntegral {
        let Self { axes, support_radius, ref layers, .. } = *self;
        let Some(container) = self.container_of(place) else { return WallIntegral::default() };
        // Distances in support radii, and normals into the fluid. Containers are wider than two support radii: no axis has two.
        let (mut near, mut count) = ([(0, 0.0, 0.0); 3], 0);
        for axis in 0..axes {
            for (face, normal, room) in [
                (Face::ALL[2 * axis], 1.0, place[axis] - container.min[axis]),
                (Face::ALL[2 * axis + 1], -1.0, container.max[axis] - place[axis]),
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
        let borne = external.balanced_at(place);
        let mut wall_integral = WallIntegral { rise: 0.5 * support_radius * borne.length(), ..WallIntegral::default() };
        // What is behind several planes is counted once: all sets of planes, those of an even number of them with a minus.
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
            wall_integral.add(sign, (&planes[..size], axes), (&sums, support_radius), borne);
        }
        wall_integral
    }

    /// The container that a place (m) is in. Beside an open face walls go on by a support radius, as layers do. Behind a closed one, where
    /// particles do not come but solvers look, places up to a quarter of that are taken for places in it.
    fn container_of(&self, place: Vec3) -> Option<&Container> {
        let within = |container: &Container, [behind, beyond]: [f32; 2]| {
            (0..self.axes).all(|axis| {
                let [low, high] = [Face::ALL[2 * axis], Face::ALL[2 * axis + 1]]
                    .map(|face| if container.faces.contains(face) { behind } else { beyond });
                (container.min[axis] - low..=container.max[axis] + high).contains(&place[axis])
            })
        };
        let find = |slack| self.containers.iter().find(move |container| within(container, slack));
        find([0.0; 2]).or_else(|| find([0.25 * self.support_radius, self.support_radius]))
    }
}

impl WallIntegral {
    /// Adds what is behind some planes, given by axis and normal into the fluid.
    fn add(&mut self, sign: f32, (planes, axes): (&[(usize, f32)], usize), (sums, support_radius): (&Sums, f32), borne: Vec3) {
        self.density += sign * sums.density;
        // Along axes without a plane, ∫ r ∂W/∂r is −∫ W.
        let mut levers = sums.density * Mat3::IDENTITY;
        for (a, &(i, n_i)) in planes.iter().enumerate() {
            self.gradient[i] -= sign * n_i * sums.faces[a] / support_radius;
            for (b, &(j, n_j)) in planes.iter().enumerate() {
                levers.col_mut(i)[j] = n_i * n_j * sums.levers[a][b];
            }
        }
        self.slope += sign * (levers * borne);
        self.filling += sign * (0..axes).map(|axis| levers.col(axis)[axis]).sum::<f32>();
    }

    /// `−∫ (p + p_wall) ∇W` over the wall for fluid of `density` (kg/m³, or 1 for pressures in m²/s²), with p = `own` (Pa) and p_wall that
    /// is `continued` (Pa) where the particle is; or 0, one-sided. [`WallPressure::Mls`] would have to fit what is known here, and is the same as
    /// [`WallPressure::Extrapolated`].
    ///
    /// Where the wall `bears` what is outside, its pressure rises as in fluid at rest. Fluid without pressure is held by nothing: as the pressure
    /// falls below what half a support radius of still fluid weighs, so does the rise.
    #[inline]
    pub fn push(&self, walls: WallPressure, (own, continued): (f32, f32), density: f32, bears: bool) -> Vec3 {
        if walls == WallPressure::OneSided {
            return -own * self.gradient;
        }
        let pushed = -(own + continued) * self.gradient;
        let rise = density * self.rise;
        if !bears || rise <= 0.0 {
            return pushed;
        }
        let share = (continued / rise).clamp(0.0, 1.0);
        pushed - density * share * self.slope
    }
}

#[cfg(test)]
mod tests;
