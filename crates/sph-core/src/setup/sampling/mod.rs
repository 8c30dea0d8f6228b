//! Sampling of fluid blocks: particles on a lattice, with initial velocities, pressures and densities.

use crate::parameters::Dimensions;
use crate::particles::Particles;
use crate::setup::{FluidBlock, InitialPressure, Setup};
use crate::solver::EquationOfState;
use cells::BlockCells;
use glam::Vec3;

mod cells;
mod conjugate_gradients;
mod released;

/// Fluid particles of a valid `setup`: cell centres of each block's lattice, ids in the order of blocks.
pub(crate) fn sample_fluid(setup: &Setup) -> Particles {
    let Setup { discretization, parameters, blocks, domain, .. } = setup;
    let gravity = domain.flat(discretization.dimensions).balanced(parameters.gravity);
    let mut particles = Particles::default();
    let (mut cells, mut first) = (Vec::new(), Vec::new());
    for block in blocks {
        first.push(particles.positions.len());
        let (lattice, positions) = BlockCells::new(block, setup, particles.positions.len());
        cells.push(lattice);
        particles.velocities.extend(positions.iter().map(|&position| velocity(block, setup, position)));
        particles.pressures.extend(positions.iter().map(|&position| match block.initial_pressure {
            InitialPressure::Hydrostatic => discretization.rest_density * head(block, gravity, position),
            InitialPressure::Zero | InitialPressure::Released => 0.0,
        }));
        particles.positions.extend(positions);
    }
    if blocks.iter().any(|block| block.initial_pressure == InitialPressure::Released) {
        released::release(setup, &cells, &particles.positions, &first, &mut particles.pressures);
    }
    let state = EquationOfState::of(discretization, parameters);
    particles.densities = particles.pressures.iter().map(|&pressure| state.density(pressure)).collect();
    particles.rounding_errors = vec![Vec3::ZERO; particles.positions.len()];
    particles.ids = (0..particles.positions.len() as u32).collect();
    particles
}

/// Initial velocity of a particle of `block` at `position` (m), m/s.
fn velocity(block: &FluidBlock, setup: &Setup, position: Vec3) -> Vec3 {
    let velocity = block.velocity + block.field.at(position, block.water(setup.parameters.gravity));
    match setup.discretization.dimensions {
        Dimensions::Two => velocity.with_z(0.0),
        Dimensions::Three => velocity,
    }
}

/// Hydrostatic p/ρ₀ at `position` (m): |g| × depth below the block's upper face, m²/s².
fn head(block: &FluidBlock, gravity: Vec3, position: Vec3) -> f32 {
    // The highest corner of the block, against gravity.
    let top = Vec3::select(gravity.cmpgt(Vec3::ZERO), block.min, block.max);
    let flat = Vec3::select(gravity.cmpeq(Vec3::ZERO), Vec3::ZERO, position - top);
    gravity.dot(flat)
}
