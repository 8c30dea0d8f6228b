//! Surface tension as a force on the surface, from its curvature: the continuum surface force of Brackbill1992, in a form for
//! particles like those of Morris2000 and Adami2010, for free surfaces.
//!
//! `f_i = 2σ κ_i G_i` per volume, with the gradient `G_i = Σ_j V ∇W_ij` of the fluid's own colour, which points inwards, and the
//! curvature κ (1/m), positive where the fluid is convex. With particles on one side only, the integral of |G| across a surface
//! is ½: hence the 2. The pressure jumps by σκ, which is Laplace's law, and nothing acts on a flat surface.
//!
//! The curvature is −∇·n of the normals n = G/|G|, from the derivatives along the surface: `κ_i = N_i/T_i` with
//! `N_i = −(d − 1) Σ_j V |HG_j|² W′/r (n_j − n_i)·P x`, `T_i = −Σ_j V |HG_j|² W′/r x·P x`, x = x_i − x_j, P = 1 − n_i n_iᵀ. It is
//! exact where the normals are linear along the surface. A single curvature is noisy: the force has the ratio of the means of N
//! and T over the neighbours, with the weights W |HG|². The weights leave out particles within the fluid, whose normals are noise.
//!
//! A force along G alone acts like a pressure −σκ beside the fluid's: wherever the fluid's is lower, particles near the surface
//! clump. So each particle's force is divided among its neighbours, in shares `W (|HG|² + 1)`, and does not push neighbours
//! together.
//!
//! The forces on a closed surface add up to nothing, `∮ κ n dA = 0`; those on its particles nearly so. The remainder is taken off
//! the fluid's surface in proportion to |G|², so that momentum is kept to rounding.
//!
//! Each of several fluids has a surface where another begins, with a tension of its own: colours are those of one fluid each.

mod curvature;
mod force;
mod normals;

use self::curvature::CurvaturePass;
use self::force::{ForcePass, SharePass, plane_moment};
use self::normals::NormalPass;
use super::flow::Flow;
use crate::kernel::SmoothingKernel;
use crate::passes::{GatherBuffers, StepContext, gather, sum_cells, sweep};
use crate::report::held;
use crate::simd::Lanes;
use glam::{DVec3, Vec3, Vec4};

/// Workspace of surface tension.
#[derive(Clone, Debug, Default)]
pub(super) struct SurfaceTension {
    /// Positions, with the fluid in w; and the normals n, with |HG|² in w, H the support radius.
    buffers: GatherBuffers,
    /// Numerator (x, 1/m) and denominator (y) of the curvature, times |HG|².
    curvatures: Vec<Vec4>,
    /// Force of each particle's surface, over its mass and the sum of its weights.
    forces: Vec<Vec4>,
    /// Accelerations, m/s².
    accelerations: Vec<Vec3>,
}

impl SurfaceTension {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { buffers, curvatures, forces, accelerations } = self;
        buffers.memory() + held(curvatures) + held(forces) + held(accelerations)
    }

    /// Adds the accelerations of surface tension, m/s².
    pub fn add<K: SmoothingKernel>(&mut self, kernel: K, ctx: &StepContext<'_>, flow: Flow<'_>, accelerations: &mut [Vec3]) {
        let Self { buffers, curvatures, forces, accelerations: own } = self;
        let GatherBuffers { positions, vectors: normals } = buffers;
        let count = flow.positions.len();
        sweep::map(count, positions, |i| flow.positions[i].extend(fluid_of(ctx, i) as f32));
        gather(count, normals, &NormalPass { kernel, ctx, positions });
        gather(count, curvatures, &CurvaturePass { kernel, ctx, positions, normals });
        let moment = plane_moment(kernel, ctx);
        gather(count, forces, &ForcePass { kernel, ctx, positions, normals, curvatures, moment });
        gather(count, own, &SharePass { kernel, ctx, positions, normals, forces });
        let fluids = ctx.mixture.map_or(1, |mixture| mixture.fluids().len());
        for fluid in 0..fluids {
            let [x, y, z, weight] = sum_cells(ctx.cells, |i| {
                if fluid_of(ctx, i) == fluid { own[i].extend(normals[i].w).as_dvec4().to_array() } else { [0.0; 4] }
            });
            if weight > 0.0 {
                let remainder = (DVec3::new(x, y, z) / weight).as_vec3();
                sweep::update(accelerations, |i, acceleration| {
                    if fluid_of(ctx, i) == fluid {
                        *acceleration += own[i] - normals[i].w * remainder;
                    }
                });
            }
        }
    }
}

/// Fluid of particle i.
fn fluid_of(ctx: &StepContext<'_>, i: usize) -> usize {
    ctx.mixture.map_or(0, |mixture| usize::from(mixture.of_particle[i]))
}

/// `value` where `other` is the fluid `own`, else 0.
#[inline(always)]
fn of_same<L: Lanes>(value: L, own: f32, other: L) -> L {
    (other - own).abs().select_below(L::splat(0.5), value, L::splat(0.0))
}
