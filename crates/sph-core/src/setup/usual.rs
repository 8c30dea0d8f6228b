//! Usual values of a setup: those that follow from its fluid.

use super::{FluidBlock, Setup};
use crate::boundary::Container;
use crate::boundary::Openings;
use crate::parameters::{Discretization, MAX_TABLE_SIZE, Parameters, WallSampling};
use crate::space::Domain;
use glam::Vec3;

/// Buckets per fluid particle in a hash table: most buckets then hold the particles of one cell or none.
const BUCKETS_PER_PARTICLE: u64 = 2;

impl Setup {
    /// Setup of `blocks` of fluid in `containers` with usual parameters: no bodies, no external forces, no periodic axes.
    pub fn new(discretization: Discretization, blocks: Vec<FluidBlock>, containers: Vec<Container>) -> Self {
        let mut setup = Self {
            discretization,
            parameters: Parameters::usual(&discretization),
            curves: Vec::new(),
            fluids: Vec::new(),
            blocks,
            containers,
            bodies: Vec::new(),
            joints: Vec::new(),
            external_forces: Vec::new(),
            domain: Domain::default(),
            openings: Openings::default(),
            wall_sampling: WallSampling::default(),
        };
        setup.parameters.fluid.sound_speed = setup.usual_sound_speed();
        setup.parameters.grid.table_size = setup.usual_table_size();
        setup.parameters.foam.speed = setup.usual_foam_speed();
        setup
    }

    /// Usual speed of sound, `10 √(v² + 2 |g| H)`, at least 1 m/s; H is the extent of all the fluid along gravity, emitters and the floors
    /// below them included, v the highest speed in an opening. Of a gravity that changes, the strongest counts.
    ///
    /// `√(2 |g| H)` is the speed of fluid that has fallen through H; ten times the highest speed keeps the density within 1 %
    /// (Monaghan1994).
    pub fn usual_sound_speed(&self) -> f32 {
        let gravity = self.strongest_gravity();
        let Some(down) = gravity.try_normalize() else {
            return (10.0 * self.openings.top_speed(&self.discretization)).max(1.0);
        };
        let extent = |(min, max): (Vec3, Vec3)| {
            // Least and greatest coordinate along gravity, axis by axis.
            let (a, b) = (min * down, max * down);
            (a.min(b).element_sum(), a.max(b).element_sum())
        };
        let points = self.openings.emitters.iter().map(|emitter| (emitter.center, emitter.center));
        // The fluid of an emitter falls to the floor.
        let floors = self.containers.iter().filter(|_| !self.openings.emitters.is_empty());
        let floors =
            floors.map(|container| (container.min * down).max(container.max * down).element_sum()).map(|low| (low, low));
        let extents = self.blocks.iter().map(|block| (block.min, block.max)).chain(points).map(extent).chain(floors);
        let (low, high) = extents.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), (a, b)| (low.min(a), high.max(b)));
        let inflow = self.openings.top_speed(&self.discretization);
        let speed = 10.0 * (inflow * inflow + 2.0 * gravity.length() * (high - low)).sqrt();
        // The validation refuses corners that are not finite; its error names them, not this speed.
        if speed.is_finite() { speed.max(1.0) } else { 1.0 }
    }

    /// Usual speed scale of the foam, m/s: the highest speed to expect.
    pub fn usual_foam_speed(&self) -> f32 {
        let speed = self.expected_speed();
        // The validation names what is not finite.
        if speed.is_finite() { speed.clamp(1e-6, 1e6) } else { 1.0 }
    }

    /// Usual size of the hash table: two buckets per fluid particle.
    pub fn usual_table_size(&self) -> u32 {
        if self.discretization.validate().is_err() {
            return 1;
        }
        let size = self.particle_counts().fluid.saturating_mul(BUCKETS_PER_PARTICLE).clamp(1, MAX_TABLE_SIZE.into());
        u32::try_from(size).unwrap_or(MAX_TABLE_SIZE)
    }
}
