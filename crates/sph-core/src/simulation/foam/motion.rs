//! Motion of foam, spray and bubbles (Ihmsen2012, section 3.3).

use super::neighbors::full_count;
use super::particle::{FoamKind, FoamParticle};
use super::walls::Walls;
use crate::parameters::FoamParameters;
use crate::simulation::View;
use crate::space::Wrap;
use glam::Vec3;

/// Share of a full neighbourhood below which a particle is spray: 6 of 33 neighbours.
const SPRAY: f32 = 0.18;
/// Share of a full neighbourhood above which a particle is a bubble: 20 of 33 neighbours.
const BUBBLE: f32 = 0.6;

/// Step of the particles through the present fluid.
pub(super) struct Mover<'a> {
    fluid: &'a View<'a>,
    parameters: FoamParameters,
    walls: &'a Walls<'a>,
    wrap: Wrap,
    /// Radius of the neighbourhoods, m.
    radius: f32,
    full: f32,
    dt: f32,
}

impl<'a> Mover<'a> {
    /// A step of `dt`, s; `radius` (m) is that of the neighbourhoods.
    pub fn new(fluid: &'a View<'a>, walls: &'a Walls<'a>, radius: f32, dt: f32) -> Self {
        let full = full_count(fluid.discretization.dimensions.count());
        Self { fluid, parameters: fluid.parameters.foam, walls, wrap: fluid.wrap(), radius, full, dt }
    }

    /// Moves `particle`, among the fluid particles with the indices `around`.
    pub fn step(&self, particle: &mut FoamParticle, around: &[u32]) {
        let Self { fluid, parameters, walls, dt, .. } = *self;
        let FoamParticle { position, velocity, .. } = *particle;
        particle.kind = self.kind(around.len());
        let (free, end) = match particle.kind {
            // The mean velocity of a parabola, and the velocity at its end.
            FoamKind::Spray => {
                let change = dt * fluid.external.at(position);
                (velocity + 0.5 * change, velocity + change)
            }
            FoamKind::Foam => {
                let flow = self.flow(position, around);
                (flow, flow)
            }
            // dv/dt = k_d (u − v) − k_b g, implicit in v: stable for any drag, and exact once the bubble rises evenly.
            FoamKind::Bubble => {
                let lift = -parameters.buoyancy * fluid.external.balanced_at(position);
                let pull = parameters.drag * self.flow(position, around) + lift;
                let end = (velocity + dt * pull) / (1.0 + dt * parameters.drag);
                (end, end)
            }
        };
        let confined = walls.confine(position, free);
        particle.position = fluid.domain.wrap(position + dt * confined);
        particle.velocity = if confined == free { end } else { confined };
        particle.left -= dt;
    }

    /// Kind of a particle with this number of fluid particles around it.
    fn kind(&self, around: usize) -> FoamKind {
        let share = around as f32 / self.full;
        if share < SPRAY {
            FoamKind::Spray
        } else if share > BUBBLE {
            FoamKind::Bubble
        } else {
            FoamKind::Foam
        }
    }

    /// Velocity of the fluid at `position` (m): the mean of that `around` it, weighted with `1 − r/R`, m/s.
    fn flow(&self, position: Vec3, around: &[u32]) -> Vec3 {
        let particles = self.fluid.particles;
        let (mut sum, mut total) = (Vec3::ZERO, 0.0);
        for j in around.iter().map(|&j| j as usize) {
            let weight = 1.0 - self.wrap.minimum_image(position, particles.positions[j]).length() / self.radius;
            sum += weight * particles.velocities[j];
            total += weight;
        }
        if total > 0.0 { sum / total } else { Vec3::ZERO }
    }
}
