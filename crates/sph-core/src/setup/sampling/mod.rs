//! The sampling of blocks of fluid: particles on a lattice, and the pressure that they start with.

use crate::parameters::Dimensions;
use crate::particles::Particles;
use crate::setup::{FluidBlock, InitialPressure, Setup};
use crate::solver::EquationOfState;
use cells::BlockCells;
use glam::Vec3;

mod cells;
mod conjugate_gradients;
mod released;

/// The fluid particles of `setup`, which is valid: cell centres of each block's lattice, ids in the order of blocks.
pub(crate) fn sample_fluid(setup: &Setup) -> Particles {
    let Setup { discretization, parameters, blocks, domain, .. } = setup;
    let gravity = domain.flat(discretization.dimensions).balanced(parameters.gravity);
    let mut particles = Particles::default();
    let (mut cells, mut first) = (Vec::new(), Vec::new());
    for block in blocks {
        first.push(particles.positions.len());
        let (lattice, places) = BlockCells::new(block, setup, particles.positions.len());
        cells.push(lattice);
        particles.velocities.extend(places.iter().map(|&place| velocity(block, setup, place)));
        particles.pressures.extend(places.iter().map(|&place| match block.initial_pressure {
            InitialPressure::Hydrostatic => discretization.rest_density * head(block, gravity, place),
            InitialPressure::Zero | InitialPressure::Released => 0.0,
        }));
        particles.positions.extend(places);
    }
    if blocks.iter().any(|block| block.initial_pressure == InitialPressure::Released) {
        released::release(setup, &cells, &particles.positions, &first, &mut particles.pressures);
    }
    let state = EquationOfState::of(discretization, parameters);
    particles.densities = particles.pressures.iter().map(|&pressure| state.density(pressure)).collect();
    particles.ids = (0..particles.positions.len() as u32).collect();
    particles
}

/// The velocity of a particle of `block` at `place` (m), m/s.
fn velocity(block: &FluidBlock, setup: &Setup, place: Vec3) -> Vec3 {
    let velocity = block.velocity + block.field.at(place, block.water(setup.parameters.gravity));
    match setup.discretization.dimensions {
        Dimensions::Two => velocity.with_z(0.0),
        Dimensions::Three => velocity,
    }
}

/// Gravity's potential below the block's upper face: |g| × depth of `place`, m²/s².
fn head(block: &FluidBlock, gravity: Vec3, place: Vec3) -> f32 {
    // The corner that lies highest against gravity.
    let top = Vec3::select(gravity.cmpgt(Vec3::ZERO), block.min, block.max);
    let flat = Vec3::select(gravity.cmpeq(Vec3::ZERO), Vec3::ZERO, place - top);
    gravity.dot(flat)
}
