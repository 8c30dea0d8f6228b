//! Cached gradients of everything solid: pairs with boundary particles, and the integrals over planes.

use super::rows::Rows;
use crate::boundary::{PlanePressures, WallIntegral};
use crate::simd::Lanes;
use glam::{Vec3, Vec4};

/// Rows of the particles of one chunk, with fluid and with solids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BothRows<'a> {
    pub fluid: Rows<'a, i16>,
    pub solids: SolidRows<'a>,
}

/// Rows of the particles of one chunk, with solids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolidRows<'a> {
    pub(super) walls: Rows<'a, f32>,
    /// Integrals over planes, one entry for each fluid particle; empty without planes.
    pub(super) planes: &'a [WallIntegral],
}

impl SolidRows<'_> {
    /// Returns `−(sum + Σ_b V_b (k_i + k_b) ∇W)` with k_i = `own` and k_b = `walls`, plus the push of the planes: the
    /// acceleration by pressure, if `sum` is `Σ_j V (k_i + k_j) ∇W`; w is unused.
    #[inline(always)]
    pub fn acceleration<L: Lanes>(
        self,
        i: usize,
        mut sum: Vec4,
        own: f32,
        (walls, planes): (&[f32], PlanePressures<'_>),
    ) -> Vec4 {
        let row = self.walls.of(i);
        // The case of most particles is an empty row.
        if !row.is_empty() {
            sum += row.weighted::<L>(own, walls);
        }
        if self.planes.is_empty() { -sum } else { -sum + planes.push(i, own).extend(0.0) }
    }

    /// Adds to `sum` the compression of particle i against the solids, `Σ_b V_b (f_i − f_b)·∇W + f_i·∇λ`, with f_i = `own` and
    /// f_b = `wall`, or 0 without.
    #[inline(always)]
    pub fn add_compression<L: Lanes>(self, i: usize, sum: f32, own: Vec3, wall: Option<&[Vec3]>) -> f32 {
        let row = self.walls.of(i);
        let solid = match wall {
            // The case of most particles.
            _ if row.is_empty() => 0.0,
            Some(wall) => row.difference::<L>(own, wall),
            None => row.difference::<L>(own, Vec3::ZERO),
        };
        // Planes move along themselves only: their v_b·∇λ is 0.
        sum + solid + self.planes.get(i).map_or(0.0, |integral| own.dot(integral.gradient))
    }
}
