//! Numbers of particles of a setup, before they are made.

use super::block::{BlockShape, FluidBlock};
use super::{Setup, sampling};
use crate::boundary::{Body, Container};
use crate::parameters::WallSampling;
use crate::space::{lattice_counts, product};
use glam::Vec3;

/// Numbers of particles of a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParticleCounts {
    /// Fluid particles; an upper bound unless all blocks are boxes.
    pub fluid: u64,
    /// Boundary particles; an upper bound.
    pub boundary: u64,
}

/// Numbers of particles of a setup by what they are of; upper bounds as in [`ParticleCounts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountsByKind {
    /// Fluid particles of each fluid; one entry in a setup with one fluid.
    pub fluids: Vec<u64>,
    /// Boundary particles of each container.
    pub containers: Vec<u64>,
    /// Boundary particles of each body.
    pub bodies: Vec<u64>,
}

impl ParticleCounts {
    /// Sum of fluid and boundary particles; saturates.
    pub fn total(self) -> u64 {
        self.fluid.saturating_add(self.boundary)
    }
}

impl Setup {
    /// Numbers of particles, computed without sampling; saturates.
    pub fn particle_counts(&self) -> ParticleCounts {
        let solids = self.containers.iter().map(|container| self.container_count(container));
        let solids = solids.chain(self.bodies.iter().map(|body| self.body_count(body)));
        ParticleCounts {
            fluid: self.blocks.iter().map(|block| self.block_count(block)).fold(0, u64::saturating_add),
            boundary: solids.fold(0, u64::saturating_add),
        }
    }

    /// Numbers of particles by kind, computed without sampling, of a valid setup.
    pub fn counts_by_kind(&self) -> CountsByKind {
        let mut fluids = vec![0; self.fluids.len().max(1)];
        for block in &self.blocks {
            let count = self.block_count(block);
            let below = (self.part_below_interface(block) * count as f64).round() as u64;
            fluids[block.fluid] += count - below;
            fluids[block.interface.map_or(block.fluid, |interface| interface.below)] += below;
        }
        CountsByKind {
            fluids,
            containers: self.containers.iter().map(|container| self.container_count(container)).collect(),
            bodies: self.bodies.iter().map(|body| self.body_count(body)).collect(),
        }
    }

    fn block_count(&self, block: &FluidBlock) -> u64 {
        match &block.shape {
            BlockShape::Solid(solid) => sampling::solid_count(solid, &self.discretization),
            BlockShape::Box | BlockShape::Ellipsoid => product(self.lattice_counts(block)),
        }
    }

    fn container_count(&self, container: &Container) -> u64 {
        let domain = self.domain.flat(self.discretization.dimensions);
        match self.wall_sampling {
            WallSampling::Analytic => 0,
            WallSampling::Layers | WallSampling::SingleLayer => container.particle_count(&self.discretization, &domain),
        }
    }

    fn body_count(&self, body: &Body) -> u64 {
        body.particle_count(&self.discretization)
    }

    fn lattice_counts(&self, block: &FluidBlock) -> [u64; 3] {
        lattice_counts(block.min, block.max, self.discretization.particle_spacing, self.discretization.dimensions)
    }

    /// Part of a block's box that is below its interface, from 0 to 1, by the cells of its lattice; 0 without an interface, which is
    /// the same at every z.
    fn part_below_interface(&self, block: &FluidBlock) -> f64 {
        let Some(interface) = block.interface else { return 0.0 };
        let [columns, rows, _] = self.lattice_counts(block);
        let cell = (block.max - block.min) / Vec3::new(columns as f32, rows as f32, 1.0);
        let place = |column: u64, row: u64| block.min + cell * Vec3::new(column as f32 + 0.5, row as f32 + 0.5, 0.0);
        let is_below = |&(column, row): &(u64, u64)| interface.height_above(place(column, row)) < 0.0;
        let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
        cells.filter(is_below).count() as f64 / (columns * rows) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Dimensions, Discretization, Fluid};
    use crate::setup::Interface;

    #[test]
    fn counts_by_kind_add_up_to_those_of_the_sampled_fluid() {
        let box_of = |low: f32, high: f32| FluidBlock::new(Vec3::splat(low), Vec3::splat(high));
        let wave = Interface { below: 1, height: 0.5, amplitude: 0.1, wavelength: 1.0 };
        let blocks = vec![FluidBlock { interface: Some(wave), ..box_of(0.0, 1.0) }, box_of(1.0, 1.5)];
        let containers = vec![Container::new(Vec3::ZERO, Vec3::splat(1.5))];
        let setup = Setup::new(Discretization::new(Dimensions::Two, 0.05), blocks, containers);
        let setup = setup.with_fluids(vec![Fluid::new("oil", 900.0), Fluid::new("water", 1000.0)]);
        let counts = setup.counts_by_kind();
        let sampled = sampling::sample_fluid(&setup).fluids;
        let count_of = |fluid: u8| sampled.iter().filter(|&&of| of == fluid).count() as u64;
        assert_eq!(counts.fluids, [count_of(0), count_of(1)]);
        assert_eq!(counts.containers.iter().sum::<u64>(), setup.particle_counts().boundary);
    }
}
