//! The solids that a pass sees, and the walk over those near a particle that every term shares.

use crate::boundary::BoundaryParticles;
use crate::passes::StepContext;
use glam::Vec3;

/// Everything solid that the fluid feels: boundary particles of containers and bodies, and analytic planes. Passes do not know
/// the two apart.
#[derive(Clone, Copy)]
pub(crate) struct Solids<'a, K> {
    pub kernel: K,
    pub ctx: &'a StepContext<'a>,
    pub walls: &'a BoundaryParticles,
}

impl<'a, K> Solids<'a, K> {
    /// Boundary particles b near fluid particle i at `position` (m), with `x_i − x_b`, m.
    #[inline(always)]
    pub(super) fn near(&self, i: usize, position: Vec3) -> impl Iterator<Item = (usize, Vec3)> + use<'a, K> {
        let (ctx, walls) = (self.ctx, self.walls);
        ctx.walls.of(i).iter().map(move |&b| (b as usize, ctx.minimum_image(position, walls.positions[b as usize])))
    }

    /// Those of no-slip walls.
    #[inline(always)]
    pub(super) fn near_no_slip(&self, i: usize, position: Vec3) -> impl Iterator<Item = (usize, Vec3)> + use<'a, K> {
        let (ctx, walls) = (self.ctx, self.walls);
        let no_slip = ctx.walls.of(i).iter().map(|&b| b as usize).filter(|&b| walls.no_slip[b]);
        no_slip.map(move |b| (b, ctx.minimum_image(position, walls.positions[b])))
    }
}
