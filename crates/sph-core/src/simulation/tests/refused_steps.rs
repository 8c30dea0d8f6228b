//! Invalid states: the step is refused, and the particles stay where they are.

use super::*;
use crate::StepError;

/// Error of a step from a state in which one particle has been corrupted, and the id of that particle.
fn error_after(tamper: impl FnOnce(&mut Particles, usize)) -> (Option<StepError>, u32) {
    let mut simulation = Simulation::new(&square()).expect("a valid setup");
    simulation.step();
    let victim = 1234;
    let id = simulation.state.particles.ids[victim];
    tamper(&mut simulation.state.particles, victim);
    let before = simulation.state.particles.positions_by_id();
    let error = simulation.step().error;
    let bits = |positions: Vec<Vec3>| positions.into_iter().map(|x| x.to_array().map(f32::to_bits)).collect::<Vec<_>>();
    assert_eq!(bits(simulation.state.particles.positions_by_id()), bits(before), "a refused step moved particles");
    (error, id)
}

#[test]
fn non_finite_states_are_refused() {
    let (error, _) = error_after(|particles, i| particles.densities[i] = f32::NAN);
    assert!(matches!(error, Some(StepError::NonFinite { .. })), "{error:?}");
    let (error, _) = error_after(|particles, i| particles.velocities[i].x = f32::INFINITY);
    assert!(matches!(error, Some(StepError::NonFinite { .. })), "{error:?}");
    let (error, id) = error_after(|particles, i| particles.positions[i].y = f32::NAN);
    assert!(matches!(error, Some(StepError::NonFinite { particle_id, .. }) if particle_id == id), "{error:?}");
}

#[test]
fn a_negative_density_is_refused() {
    let (error, id) = error_after(|particles, i| particles.densities[i] = -5.0);
    assert!(matches!(error, Some(StepError::Density { particle_id, .. }) if particle_id == id), "{error:?}");
}

#[test]
fn a_vanishing_time_step_is_refused() {
    // A square of a hundredth of the side, a trillion times as viscous as water.
    let mut setup = square();
    let Setup { discretization, parameters, blocks, .. } = &mut setup;
    for length in [&mut discretization.particle_spacing, &mut discretization.support_radius, &mut parameters.grid.cell_size] {
        *length *= 0.01;
    }
    blocks[0].max *= 0.01;
    parameters.fluid.kinematic_viscosity = 1e6;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let stats = simulation.step();
    assert!(matches!(stats.error, Some(StepError::Stalled { dt }) if dt < 1e-12), "{:?}", stats.error);
    assert_eq!((stats.dt_limit, stats.step), (TimeStepLimit::Viscous, 0));
}

#[test]
fn a_domain_too_large_for_the_uniform_grid_is_refused() {
    let mut setup = square();
    setup.parameters.grid.structure = Structure::UniformGrid;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    simulation.state.particles.positions[0] = Vec3::new(1e5, 1e5, 0.0);
    let error = simulation.step().error;
    assert!(matches!(error, Some(StepError::Search(_))), "{error:?}");
    let mut parameters = *simulation.parameters();
    parameters.grid.structure = Structure::SpatialHash;
    simulation.set_parameters(parameters).expect("valid parameters");
    assert_eq!(simulation.step().error, None, "another structure has no such limit");
}

#[test]
fn a_step_that_would_throw_a_particle_is_made_again_up_to_three_times() {
    let mut simulation = Simulation::new(&square()).expect("a valid setup");
    let dt = simulation.step().dt;
    let support = simulation.discretization.support_radius;
    // Alone, so that no approach limits the step.
    let throw = |simulation: &mut Simulation, supports: f32| {
        simulation.state.particles.positions[7] = Vec3::new(9.0, 9.0, 0.0);
        simulation.state.particles.velocities[7] = Vec3::new(supports * support / dt, 0.0, 0.0);
        simulation.step()
    };
    for (supports, shorter) in [(1.0, 0.25), (3.0, 0.0625)] {
        let stats = throw(&mut simulation.clone(), supports);
        assert_eq!((stats.error, stats.dt_limit), (None, TimeStepLimit::Retry));
        assert!((stats.dt / (shorter * dt) - 1.0).abs() < 0.05, "{} s after {dt} s", stats.dt);
    }
    assert!(matches!(throw(&mut simulation.clone(), 64.0).error, Some(StepError::Runaway { .. })));
    let mut fixed = *simulation.parameters();
    fixed.time_step.fixed_dt = Some(dt);
    simulation.set_parameters(fixed).expect("valid parameters");
    assert!(matches!(throw(&mut simulation, 1.0).error, Some(StepError::Runaway { .. })), "a fixed length is kept");
}
