//! Conservation of mass and momentum, water at rest, and refused steps.

use crate::common::{colliding_blocks, dam_break, setup, sum_of_velocities};
use glam::Vec3;
use sph_core::{Container, Dimensions, FluidBlock, InitialPressure, Simulation, StepError};

#[test]
fn dam_break_keeps_its_particles_inside_for_two_thousand_steps() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let rows = if dimensions == Dimensions::Two { 24 } else { 12 };
        let setup = dam_break(dimensions, rows);
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let front_before = front(&simulation);
        for _ in 0..2000 {
            let stats = simulation.step();
            assert_eq!(stats.error, None);
            let tank = &simulation.containers()[0];
            for &position in &simulation.particles().positions {
                let inside = position.cmpge(tank.min).all() && position.cmple(tank.max).all();
                assert!(inside, "{position} at t = {} s", stats.time);
            }
        }
        let particles = simulation.particles();
        let finite = particles.velocities.iter().all(|v| v.is_finite()) && particles.densities.iter().all(|d| d.is_finite());
        assert!(finite);
        // All particles have the same mass, so mass is conserved if no particle is lost.
        let mut ids = particles.ids.clone();
        ids.sort_unstable();
        assert!(ids.iter().copied().eq(0..particles.len() as u32), "particles were lost");
        assert!(front(&simulation) > 2.0 * front_before, "the column did not collapse");
    }
}

/// Largest x of the fluid, m.
fn front(simulation: &Simulation) -> f32 {
    simulation.particles().positions.iter().fold(0.0, |front, position| front.max(position.x))
}

/// Two blocks that collide in free flight, out of reach of the walls: momentum is conserved because pair forces cancel.
#[test]
fn momentum_is_conserved_without_gravity() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let mut setup = colliding_blocks(dimensions);
        setup.parameters.fluid.kinematic_viscosity = 1e-3;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let scale: f64 = simulation.particles().velocities.iter().map(|v| f64::from(v.length())).sum();
        let before = sum_of_velocities(&simulation);
        let mut compression = 0.0f32;
        for _ in 0..300 {
            let stats = simulation.step();
            assert_eq!(stats.error, None);
            compression = compression.max(stats.max_density_error);
        }
        assert!(compression > 1e-3, "the blocks did not meet");
        // Rounding changes each velocity by a relative error of up to 6e-8 a step, in either direction.
        let drift = (sum_of_velocities(&simulation) - before).length() / scale;
        assert!(drift < 1e-6, "{dimensions:?}: momentum drifted by {drift:e}");
    }
}

/// Still water that fills a third of a tank stays at rest, with hydrostatic pressure at the floor.
#[test]
fn still_water_stays_at_rest() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let size = Vec3::new(0.8, 0.4, 0.4);
        let block = FluidBlock { max: size, initial_pressure: InitialPressure::Hydrostatic, ..FluidBlock::default() };
        let tank = Container { min: Vec3::ZERO, max: size.with_y(1.2), ..Container::default() };
        let mut setup = setup(dimensions, 0.04, vec![block], vec![tank]);
        setup.parameters.fluid.sound_speed = 28.0;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        while simulation.time() < 1.0 {
            assert_eq!(simulation.step().error, None);
        }
        let particles = simulation.particles();
        // In the first second the lattice at the walls rearranges into a denser packing; nothing may move faster than that.
        let scale = (9.81f32 * 0.4).sqrt();
        let speed = particles.velocities.iter().map(|v| v.length()).fold(0.0, f32::max) / scale;
        let energy: f32 = particles.velocities.iter().map(|v| v.length_squared()).sum();
        let rms = (energy / particles.len() as f32).sqrt() / scale;
        assert!(speed < 0.1 && rms < 0.02, "{dimensions:?}: water moves at {speed} sqrt(gH), {rms} rms");
        let (mut ratio, mut count) = (0.0, 0);
        for (position, pressure) in particles.positions.iter().zip(&particles.pressures) {
            if position.y < 0.1 {
                ratio += pressure / (1000.0 * 9.81 * (0.4 - position.y));
                count += 1;
            }
        }
        let ratio = ratio / count as f32;
        assert!((ratio - 1.0).abs() < 0.06, "{dimensions:?}: pressure near the floor is {ratio} of the hydrostatic");
        let height = particles.positions.iter().map(|position| position.y).fold(0.0, f32::max);
        assert!((height - 0.38).abs() < 0.01, "{dimensions:?}: the surface stands at {height} m");
    }
}

/// A block far too fast for its time step: the step is refused, the state is kept, and the error names the particle.
#[test]
fn a_step_with_a_runaway_particle_is_refused() {
    let mut setup = dam_break(Dimensions::Two, 12);
    setup.containers.clear();
    setup.blocks[0].velocity.x = 1e6;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let before = simulation.particles().positions_by_id();
    let stats = simulation.step();
    let error = stats.error.expect("a step error");
    assert!(matches!(error, StepError::Runaway { .. }), "{error}");
    assert!(error.to_string().contains("particle"), "{error}");
    assert_eq!((stats.step, stats.time), (0, 0.0));
    assert_eq!(simulation.particles().positions_by_id(), before);

    let kept = simulation.particles().clone();
    assert_eq!(simulation.step().error, Some(error));
    assert_eq!(simulation.particles(), &kept);
}
