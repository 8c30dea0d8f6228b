//! Forecast of a run before its first step: numbers of particles, time step, number of steps, computing time, memory.

use std::f64::consts::PI;

use super::block::{BlockShape, FluidBlock};
use super::{Setup, sampling};
use crate::boundary::{Body, Container};
use crate::parameters::{Dimensions, Method, WallSampling};
use crate::solver::{StepBound, search_radius};
use crate::space::{lattice_counts, product};
use glam::Vec3;

/// Forecast of a run: orders of magnitude, for a decision before it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Time step to expect and the limit that sets it.
    pub step: StepBound,
    /// Computing time of a step on one processor core, s.
    pub seconds_per_step: f64,
}

impl Forecast {
    /// Number of steps of `duration`, s.
    pub fn steps(&self, duration: f64) -> f64 {
        (duration / f64::from(self.step.dt)).ceil()
    }
}

impl Setup {
    /// Forecast of a run of a valid setup.
    ///
    /// The time step is that of the limits. With WCSPH, whose steps follow from sound, it counts in the highest speed to expect; with the
    /// other solvers, whose steps follow the fluid, the speed that lasts. The computing time is that of a current core.
    pub fn forecast(&self) -> Forecast {
        self.forecast_of(self.particle_counts())
    }

    /// Such a forecast for as many fluid particles as `counts` has.
    pub fn forecast_of(&self, counts: ParticleCounts) -> Forecast {
        let discretization = &self.discretization;
        let solver = &self.parameters.solver;
        let speed = match solver.method {
            Method::Wcsph => self.expected_speed(),
            Method::Pcisph | Method::Iisph | Method::Dfsph | Method::Pbf => self.lasting_speed(),
        };
        let radius = f64::from(search_radius(solver, discretization) / discretization.particle_spacing);
        let neighbors = match discretization.dimensions {
            Dimensions::Two => PI * radius.powi(2),
            Dimensions::Three => 4.0 / 3.0 * PI * radius.powi(3),
        };
        // Measured with walls and surface tension on two cores, `sph run` of shipped scenes: 14 to 27 ns with WCSPH; with the others 32 ns in a dam break
        // with the preset live. Fluid at rest took 48 ns with the defaults.
        let seconds_per_pair = match solver.method {
            Method::Wcsph => 18e-9,
            Method::Pcisph | Method::Iisph | Method::Dfsph | Method::Pbf => 45e-9,
        };
        let step = self.shortest_step(speed);
        let points = self.points.as_ref().map_or(0.0, |points| points.source().seconds_per_step(f64::from(step.dt)));
        let fluid = counts.fluid as f64 * neighbors * seconds_per_pair;
        Forecast { step, seconds_per_step: fluid + points }
    }

    /// Highest initial speed of the fluid, m/s: an upper bound.
    pub(super) fn initial_speed(&self) -> f32 {
        let speed = |block: &super::FluidBlock| {
            let corners = [block.min, block.max].map(|corner| self.flat(corner));
            self.flat(block.velocity).length() + block.field.top_speed(corners, block.water(self.parameters.gravity))
        };
        let of_sets = self.particle_sets.iter().flat_map(|set| set.velocities()).map(|&velocity| self.flat(velocity).length());
        self.blocks.iter().map(speed).chain(of_sets).fold(0.0, f32::max)
    }

    /// Highest speed of solids, m/s.
    pub(super) fn solid_speed(&self) -> f32 {
        let containers = self.containers.iter().map(|container| container.top_speed());
        containers.chain(self.bodies.iter().map(|body| body.top_speed())).fold(0.0, f32::max)
    }

    /// Highest speed to expect, m/s: of the fluid at the start, of its fall, of openings and of solids.
    pub fn expected_speed(&self) -> f32 {
        // The usual speed of sound is ten times that of the fall and of the openings.
        self.initial_speed().max(self.solid_speed()).max(0.1 * self.usual_sound_speed())
    }
}

/// Numbers of particles of a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParticleCounts {
    /// Fluid particles; an upper bound unless all blocks are boxes.
    pub fluid: u64,
    /// Boundary particles; an upper bound.
    pub boundary: u64,
    /// Points of cloths and balls, with those that come later.
    pub points: u64,
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
    /// Sum of all; saturates.
    pub fn total(self) -> u64 {
        self.fluid.saturating_add(self.boundary).saturating_add(self.points)
    }
}

impl Setup {
    /// Numbers of particles, computed without sampling; saturates.
    pub fn particle_counts(&self) -> ParticleCounts {
        let solids = self.containers.iter().map(|container| self.container_count(container));
        let solids = solids.chain(self.bodies.iter().map(|body| self.body_count(body)));
        let of_sets = self.particle_sets.iter().map(|set| set.positions().len() as u64);
        // Without fluid points have none.
        let coats = self.has_fluid().then(|| self.coat_count());
        ParticleCounts {
            fluid: self.blocks.iter().map(|block| self.block_count(block)).chain(of_sets).fold(0, u64::saturating_add),
            boundary: solids.chain(coats).fold(0, u64::saturating_add),
            points: self.points.as_ref().map_or(0, |points| points.source().count()),
        }
    }

    /// Largest numbers of particles within `duration`, s, of a valid setup: with those that emitters add. Where drains remove some, those at
    /// the start stand for all times, if there are any.
    pub fn most_particles(&self, duration: f64) -> ParticleCounts {
        let counts = self.particle_counts();
        if !self.openings.drains.is_empty() && counts.fluid > 0 {
            return counts;
        }
        let emitted = self.openings.emitted(duration, &self.discretization);
        let most = self.openings.particle_limit.unwrap_or(u64::MAX).max(counts.fluid);
        ParticleCounts { fluid: counts.fluid.saturating_add(emitted).min(most), ..counts }
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
        for set in &self.particle_sets {
            fluids[set.fluid] += set.positions().len() as u64;
        }
        CountsByKind {
            fluids,
            containers: self.containers.iter().map(|container| self.container_count(container)).collect(),
            bodies: self.bodies.iter().map(|body| self.body_count(body)).collect(),
        }
    }

    pub(super) fn block_count(&self, block: &FluidBlock) -> u64 {
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

// Estimate of the memory of a simulation before it exists.

/// Bytes of a fluid particle without its neighbours: its state, twice, its share of the search, and what the forces keep of it.
const FLUID: f64 = 400.0;

/// Bytes of a boundary particle.
const BOUNDARY: f64 = 260.0;

/// Bytes of a point of a cloth: three states, constraints, and the candidates of a step. A ball takes about a third.
const POINT: f64 = 2000.0;

/// Bytes of a place in a bucket of fixed capacity.
const BYTES_PER_PLACE: f64 = 4.0;

/// Neighbours in a splash, or beside walls, over those of a full lattice.
const CROWDING: f64 = 1.25;

impl Setup {
    /// Memory that the simulation is going to hold at most, bytes; saturates.
    ///
    /// It follows from the numbers of particles and of neighbours within the search radius, and from what the solver keeps of
    /// each pair.
    pub fn memory_estimate(&self) -> u64 {
        self.memory_of(self.particle_counts())
    }

    /// Such an estimate for these numbers of particles.
    pub fn memory_of(&self, counts: ParticleCounts) -> u64 {
        let ParticleCounts { fluid, boundary, points } = counts;
        let solver = &self.parameters.solver;
        let radius = f64::from(search_radius(solver, &self.discretization) / self.discretization.particle_spacing);
        let neighbors = CROWDING
            * match self.discretization.dimensions {
                Dimensions::Two => PI * radius.powi(2),
                Dimensions::Three => 4.0 / 3.0 * PI * radius.powi(3),
            };
        // Neighbour lists, and what solvers keep of each pair.
        const BYTES_OF_PAIR: f64 = 15.0;
        let grid = &self.parameters.grid;
        let places = f64::from(grid.table_size) * f64::from(grid.bucket_capacity);
        let buckets = if grid.structure.has_fixed_buckets() { places * BYTES_PER_PLACE } else { 0.0 };
        let fluid = fluid as f64 * (FLUID + neighbors * BYTES_OF_PAIR);
        (fluid + boundary as f64 * BOUNDARY + points as f64 * POINT + buckets) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary::{Aperture, Drain, Emitter, Openings, Rate, Schedule};
    use crate::parameters::{Dimensions, Discretization, Fluid, ViscosityModel};
    use crate::setup::{FluidBlock, Interface};
    use crate::{Container, Simulation, TimeStepLimit};
    use glam::{Vec2, Vec3};

    fn pool() -> Setup {
        let water = FluidBlock::new(Vec3::ZERO, Vec3::new(0.5, 0.5, 0.0));
        let tank = Container::new(Vec3::ZERO, Vec3::ONE);
        Setup::new(Discretization::new(Dimensions::Two, 0.05), vec![water], vec![tank])
    }

    #[test]
    fn the_first_step_is_as_long_as_forecast() {
        let viscous = |model| {
            let mut setup = pool();
            setup.parameters.fluid.kinematic_viscosity = 10.0;
            setup.parameters.fluid.viscosity_model = model;
            setup
        };
        let still = |method| {
            let mut setup = pool();
            // From wall to wall, so that nothing falls; without the user's bound only that of the waves is near.
            setup.containers[0].max.x = 0.5;
            (setup.parameters.solver.method, setup.parameters.time_step.max_dt) = (method, 0.02);
            setup
        };
        let solved = [Method::Iisph, Method::Dfsph, Method::Pcisph, Method::Pbf].map(still);
        let explicit = [pool(), viscous(ViscosityModel::Morris), viscous(ViscosityModel::Implicit)];
        for setup in explicit.into_iter().chain(solved) {
            let forecast = setup.forecast().step;
            let first = Simulation::new(&setup).unwrap().step();
            assert_eq!(first.dt_limit, forecast.limit);
            // The forecast counts in the speed of the fall, a tenth of the speed of sound.
            let ratio = forecast.dt / first.dt;
            assert!((0.85..=1.02).contains(&ratio), "{forecast:?} {}", first.dt);
        }
    }

    #[test]
    fn explicit_viscosity_is_forecast_to_take_the_most_steps() {
        let mut setup = pool();
        setup.parameters.fluid.kinematic_viscosity = 1e6;
        let forecast = setup.forecast();
        assert_eq!(forecast.step.limit, TimeStepLimit::Viscous);
        let h = f64::from(0.5 * setup.discretization.support_radius);
        // dt = 0.125 h²/ν.
        let steps = 2.0 / (0.125 * h * h / 1e6);
        assert!((forecast.steps(2.0) / steps - 1.0).abs() < 1e-4, "{}", forecast.steps(2.0));
    }

    #[test]
    fn emitters_add_particles_up_to_the_limit() {
        let mut setup = pool();
        let start = setup.particle_counts();
        assert_eq!(setup.most_particles(2.0), start);
        // Four particles a sheet, and 1 m/s over sheets of 0.05 m.
        setup.openings.emitters = vec![Emitter {
            center: Vec3::new(0.2, 0.9, 0.0),
            direction: Vec3::NEG_Y,
            aperture: Aperture::Rectangle { size: Vec2::new(0.2, 0.0) },
            rate: Rate::Speed(Schedule::constant(1.0).unwrap()),
            fluid: 0,
        }];
        let fluid = |setup: &Setup| setup.most_particles(2.0).fluid - start.fluid;
        assert_eq!(fluid(&setup), 4 * 40);
        setup.openings.particle_limit = Some(start.fluid + 7);
        assert_eq!(fluid(&setup), 7);
        setup.openings.particle_limit = Some(1);
        assert_eq!(fluid(&setup), 0);
        setup.openings = Openings { particle_limit: None, drains: vec![Drain::default()], ..setup.openings };
        assert_eq!(fluid(&setup), 0);
        setup.blocks.clear();
        assert_eq!(setup.most_particles(2.0).fluid, 4 * 40);
    }

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
