//! Published crates, used as their documentation recommends.

use glam::Vec3;
use rayon::prelude::*;
use salva3d::LiquidWorld;
use salva3d::math::Vector;
use salva3d::object::interaction_groups::InteractionGroups;
use salva3d::object::{Boundary, Fluid, FluidHandle};
use salva3d::solver::{DFSPHSolver, DfsphParameters, XSPHViscosity};
use sph_core::Simulation;
use zelll::CellGrid;

/// `zelll`: counts pairs within the radius, without writing lists.
pub struct Zelll {
    grid: CellGrid<(usize, [f32; 3]), 3, f32>,
    radius: f32,
}

impl Zelll {
    pub fn new(radius: f32) -> Self {
        Self { grid: CellGrid::default(), radius }
    }

    /// Rebuilds the grid and counts the pairs.
    pub fn count_pairs(&mut self, points: &[Vec3]) -> usize {
        self.grid.rebuild_mut(points.iter().map(|point| point.to_array()).enumerate(), Some(self.radius));
        let limit = self.radius * self.radius;
        let near = |(_, a): (usize, [f32; 3]), (_, b): (usize, [f32; 3])| {
            Vec3::from_array(a).distance_squared(Vec3::from_array(b)) < limit
        };
        self.grid.par_iter().map(|cell| cell.particle_pairs().filter(|&(&a, &b)| near(a, b)).count()).sum()
    }
}

/// `salva3d` with the fluid of one of our simulations, and one layer of particles for its walls.
pub struct Salva {
    world: LiquidWorld,
    fluid: FluidHandle,
    spacing: f32,
    pub time: f64,
}

impl Salva {
    /// Sets up the fluid with the tank's tolerances: 0.05 % for the density, 0.1 % for the divergence.
    pub fn new(simulation: &Simulation) -> Self {
        let spacing = simulation.discretization().particle_spacing;
        let radius = 0.5 * spacing;
        let mut parameters = DfsphParameters::default();
        (parameters.max_density_error, parameters.max_divergence_error) = (5e-4, 1e-3);
        (parameters.min_pressure_iter, parameters.min_divergence_iter) = (2, 1);
        let solver: DFSPHSolver = DFSPHSolver::with_parameters(parameters);
        let mut world = LiquidWorld::new(solver, radius, 2.0, 0.0);
        world.counters.enable();
        let positions = simulation.particles().positions.iter().map(|&place| vector(place)).collect();
        let mut fluid = Fluid::new(positions, radius, 1000.0, InteractionGroups::default());
        fluid.nonpressure_forces.push(Box::new(XSPHViscosity::new(0.01, 0.0)));
        let fluid = world.add_fluid(fluid);
        let walls = innermost_layer(simulation, spacing);
        world.add_boundary(Boundary::new(walls, InteractionGroups::default()));
        Self { world, fluid, spacing, time: 0.0 }
    }

    /// Makes one step of the tank's length: at most 5 ms, and 0.4 spacings over the highest speed.
    pub fn step(&mut self) {
        let fluid = self.world.fluids().get(self.fluid).expect("the fluid that was added");
        let speed = fluid.velocities.iter().map(|velocity| velocity.norm()).fold(0.0, f32::max);
        let dt = (0.4 * self.spacing / speed).min(5e-3);
        self.world.step(dt, &vector(Vec3::new(0.0, -9.81, 0.0)));
        self.time += f64::from(dt);
    }
}

fn vector(position: Vec3) -> Vector<f32> {
    Vector::new(position.x, position.y, position.z)
}

/// The wall particles next to the fluid: salva's walls have one layer.
fn innermost_layer(simulation: &Simulation, spacing: f32) -> Vec<Vector<f32>> {
    let tank = &simulation.containers()[0];
    let next = |place: Vec3| {
        let outside = (tank.min - place).max(place - tank.max).max_element();
        outside < 0.75 * spacing
    };
    simulation.boundary().positions.iter().filter(|&&place| next(place)).map(|&place| vector(place)).collect()
}
