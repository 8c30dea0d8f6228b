//! Sampling of fluid blocks: particles on a lattice, with initial velocities, pressures and densities.

use crate::parameters::Dimensions;
use crate::particles::Particles;
use crate::setup::{FluidBlock, InitialPressure, Setup};
use crate::solver::EquationOfState;
use cells::BlockCells;
use glam::Vec3;

mod cells;
mod conjugate_gradients;
mod filling;
mod relaxation;
mod released;

pub(super) use cells::is_inside;
pub(super) use filling::count as solid_count;

/// Fluid particles of a valid `setup`: cell centres of each block's lattice, ids in the order of blocks.
pub(crate) fn sample_fluid(setup: &Setup) -> Particles {
    let Setup { discretization, parameters, blocks, domain, fluids, .. } = setup;
    let gravity = domain.flat(discretization.dimensions).balanced(parameters.gravity);
    let mut particles = Particles::default();
    let (mut cells, mut first) = (Vec::new(), Vec::new());
    for block in blocks {
        first.push(particles.positions.len());
        let (lattice, positions) = BlockCells::new(block, setup, particles.positions.len());
        cells.push(lattice);
        particles.velocities.extend(positions.iter().map(|&position| velocity(block, setup, position)));
        particles.pressures.extend(positions.iter().map(|&position| match block.initial_pressure {
            InitialPressure::Hydrostatic => hydrostatic_pressure(setup, block, gravity, position),
            InitialPressure::Zero | InitialPressure::Released => 0.0,
        }));
        if !fluids.is_empty() {
            particles.fluids.extend(positions.iter().map(|&position| block.fluid_at(position) as u8));
        }
        particles.positions.extend(positions);
    }
    if blocks.iter().any(|block| block.initial_pressure == InitialPressure::Released) {
        released::release(setup, &cells, &particles.positions, &first, &mut particles.pressures);
    }
    let state = EquationOfState::of(discretization, parameters);
    let rest_density = |i: usize| particles.fluids.get(i).map(|&fluid| setup.rest_density(fluid.into()));
    let density = |(i, &pressure): (usize, &f32)| {
        let reference = state.density(pressure);
        rest_density(i).map_or(reference, |rest| reference / discretization.rest_density * rest)
    };
    particles.densities = particles.pressures.iter().enumerate().map(density).collect();
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

/// Hydrostatic pressure of `block` at `position` (m), Pa: `ρ₀ |g|` times the depth below its upper face, and, if there are
/// several fluids, the weight of the hydrostatic blocks that lie on it, straight above `position`.
fn hydrostatic_pressure(setup: &Setup, block: &FluidBlock, gravity: Vec3, position: Vec3) -> f32 {
    let head = head(block, gravity, position);
    let (Some(up), false) = ((-gravity).try_normalize(), setup.fluids.is_empty()) else {
        return setup.rest_density(block.fluid) * head;
    };
    // The point of the upper face straight above `position`.
    let top = position + head / gravity.length() * up;
    let spacing = setup.discretization.particle_spacing;
    let density = block.interface.map_or(setup.rest_density(block.fluid), |interface| {
        let [below, above] = [interface.below, block.fluid].map(|fluid| setup.rest_density(fluid));
        above + (below - above) * interface.part_below(position, top, spacing)
    });
    let covers = |other: &&FluidBlock| {
        let (min, max) = (setup.flat(other.min), setup.flat(other.max));
        let above = top + 0.25 * spacing * up;
        let in_box = above.cmpge(min).all() && above.cmple(max).all();
        other.initial_pressure == InitialPressure::Hydrostatic && in_box && is_inside(&other.shape, above, min, max)
    };
    let weight_above = setup.blocks.iter().find(covers).map(|other| hydrostatic_pressure(setup, other, gravity, top));
    density * head + weight_above.unwrap_or(0.0)
}

/// Hydrostatic p/ρ₀ at `position` (m): |g| × depth below the block's upper face, m²/s².
fn head(block: &FluidBlock, gravity: Vec3, position: Vec3) -> f32 {
    // The highest corner of the block, against gravity.
    let top = Vec3::select(gravity.cmpgt(Vec3::ZERO), block.min, block.max);
    let flat = Vec3::select(gravity.cmpeq(Vec3::ZERO), Vec3::ZERO, position - top);
    gravity.dot(flat)
}
