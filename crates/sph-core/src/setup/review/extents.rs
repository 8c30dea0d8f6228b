//! Extents that the spacing does not divide, and those of less than a particle.

use super::Remark;
use crate::parameters::WallSampling;
use crate::setup::{BlockShape, Setup};

/// Largest relative difference in spacing that goes without a remark.
const TOLERANCE: f32 = 5e-3;

impl Setup {
    /// Blocks on a lattice that is strained to fit them.
    pub(super) fn uneven_blocks(&self) -> impl Iterator<Item = Remark> {
        let spacing = self.discretization.particle_spacing;
        self.blocks.iter().enumerate().filter_map(move |(block, of)| {
            if matches!(of.shape, BlockShape::Solid(_)) {
                return None;
            }
            let rows = self.extents(of.min, of.max).map(|(axis, extent)| (axis, extent, self.row(extent)));
            let (mut compression, mut uneven) = (1.0, Vec::new());
            for (axis, extent, count) in rows {
                let strain = count as f32 * spacing / extent;
                compression *= strain;
                if (strain - 1.0).abs() > TOLERANCE {
                    uneven.push((axis, extent, count));
                }
            }
            let compression = compression - 1.0;
            (!uneven.is_empty()).then_some(Remark::UnevenBlock { block, rows: uneven, spacing, compression })
        })
    }

    /// Containers whose wall particles are not a spacing apart.
    pub(super) fn uneven_containers(&self) -> impl Iterator<Item = Remark> {
        let spacing = self.discretization.particle_spacing;
        let boxes = self.containers.iter().enumerate().filter(|(_, container)| container.region.is_none());
        boxes.filter(|_| self.wall_sampling != WallSampling::Analytic).flat_map(move |(container, of)| {
            self.extents(of.min, of.max).filter_map(move |(axis, extent)| {
                let of_walls = extent / self.row(extent) as f32;
                let remark = Remark::UnevenContainer { container, axis, extent, spacing, of_walls };
                ((of_walls / spacing - 1.0).abs() > TOLERANCE).then_some(remark)
            })
        })
    }

    /// Blocks and bodies of the thickness of a particle and less.
    pub(super) fn thin_shapes(&self) -> impl Iterator<Item = Remark> {
        let spacing = self.discretization.particle_spacing;
        let blocks = self.blocks.iter().enumerate().flat_map(move |(block, of)| {
            let thin = self.extents(of.min, of.max).filter(move |&(_, extent)| self.row(extent) == 1);
            thin.map(move |(axis, _)| Remark::ThinBlock { block, axis })
        });
        let bodies = self.bodies.iter().enumerate().flat_map(move |(body, of)| {
            let thin = self.extents(of.min, of.max).filter(move |&(_, extent)| extent < spacing - self.slack());
            thin.map(move |(axis, extent)| Remark::ThinBody { body, axis, extent, spacing })
        });
        blocks.chain(bodies)
    }

    /// Particles in a row of this length, m.
    fn row(&self, extent: f32) -> u32 {
        ((extent / self.discretization.particle_spacing).round() as u32).max(1)
    }
}
