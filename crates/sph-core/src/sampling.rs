//! From blocks of fluid to particles on a lattice.

use crate::parameters::{Dimensions, Discretization};
use crate::particles::Particles;
use crate::setup::{BlockShape, FluidBlock, InitialPressure, Setup, lattice_counts};
use crate::solver::EquationOfState;
use crate::velocity_field::Water;
use glam::{U64Vec3, Vec3};

/// The fluid particles of `setup`, which is valid: cell centres of each block's lattice, ids in the order of blocks.
pub(crate) fn sample_fluid(setup: &Setup) -> Particles {
    let Setup { discretization, parameters, blocks, .. } = setup;
    let state = EquationOfState::of(discretization, parameters);
    let mut particles = Particles::default();
    for block in blocks {
        let water = Water { corner: block.min, depth: block.max.y - block.min.y, gravity: parameters.gravity.length() };
        for position in lattice(block, discretization) {
            let pressure = match block.initial_pressure {
                InitialPressure::Hydrostatic => discretization.rest_density * head(block, parameters.gravity, position),
                InitialPressure::Zero => 0.0,
            };
            particles.positions.push(position);
            let velocity = block.velocity + block.field.at(position, water);
            particles.velocities.push(match discretization.dimensions {
                Dimensions::Two => velocity.with_z(0.0),
                Dimensions::Three => velocity,
            });
            particles.densities.push(state.density(pressure));
            particles.pressures.push(pressure);
        }
    }
    particles.ids = (0..particles.positions.len() as u32).collect();
    particles
}

/// Centres of the lattice cells of the block's box that lie inside its shape, m.
fn lattice(block: &FluidBlock, discretization: &Discretization) -> impl Iterator<Item = Vec3> {
    let Discretization { dimensions, particle_spacing, .. } = *discretization;
    let (min, max) = match dimensions {
        Dimensions::Two => (block.min.with_z(0.0), block.max.with_z(0.0)),
        Dimensions::Three => (block.min, block.max),
    };
    let counts = U64Vec3::from_array(lattice_counts(min, max, particle_spacing, dimensions));
    let spacing = (max - min) / counts.as_vec3();
    let places = (0..counts.z).flat_map(move |z| {
        (0..counts.y).flat_map(move |y| (0..counts.x).map(move |x| min + (U64Vec3::new(x, y, z).as_vec3() + 0.5) * spacing))
    });
    let (middle, half) = (0.5 * (min + max), 0.5 * (max - min));
    // A plane has no extent along z: one of any size leaves the distance alone.
    let half = if dimensions == Dimensions::Two { half.with_z(1.0) } else { half };
    let shape = block.shape;
    places.filter(move |&place| shape == BlockShape::Box || ((place - middle) / half).length_squared() <= 1.0)
}

/// Gravity's potential below the block's upper face: |g| × depth of `place`, m²/s².
fn head(block: &FluidBlock, gravity: Vec3, place: Vec3) -> f32 {
    // The corner that lies highest against gravity.
    let top = Vec3::select(gravity.cmpgt(Vec3::ZERO), block.min, block.max);
    let flat = Vec3::select(gravity.cmpeq(Vec3::ZERO), Vec3::ZERO, place - top);
    gravity.dot(flat)
}
