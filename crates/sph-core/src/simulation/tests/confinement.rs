//! The account of particles that walls hold back.

use super::*;
use crate::boundary::Solid;
use crate::parameters::{WallPressure, WallSampling};

/// Fluid too soft to be stopped by pressure is held at a wall, which feels what holds it.
#[test]
fn a_held_particle_is_counted_with_its_impulse() {
    let mut setup = square();
    setup.parameters.fluid.sound_speed = 1e-3;
    setup.blocks[0].max = Vec3::new(SPACING, SPACING, 0.0);
    setup.blocks[0].velocity = Vec3::new(0.5, -3.0, 0.0);
    setup.parameters.time_step.fixed_dt = Some(1e-3);
    setup.containers.push(Container::new(Vec3::new(-0.5, -0.005, 0.0), Vec3::ONE));
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    simulation.set_wall_reaction(true);
    let mut held = 0.0;
    for _ in 0..10 {
        let stats = simulation.step();
        assert_eq!(stats.error, None);
        let contact = simulation.reactions.of(Solid::Walls).expect("it is wanted").contact;
        assert!((contact + stats.held_force * DVec3::Y).length() <= 1e-6 * stats.held_force, "{contact} N, not {stats:?}");
        assert_eq!(stats.held_particles, usize::from(stats.held_force > 0.0));
        held += stats.held_force * f64::from(stats.dt);
    }
    let impulse = f64::from(3.0 * simulation.particle_mass());
    assert!((0.999 * impulse..1.001 * impulse).contains(&held), "{held} of {impulse} N s/m");
    assert!(simulation.particles().velocities[0].y > -1e-3, "it came to rest");
}

/// The extrapolated pressure bears a column of still water: beside a single layer all but the two particles in the corners, whose
/// neighbourhood it cannot stand for. One-sided walls need help.
#[test]
fn the_default_wall_holds_still_water_by_pressure_alone() {
    let most_held = |walls, sampling| {
        let mut setup = square();
        setup.parameters.solver.walls = walls;
        setup.wall_sampling = sampling;
        setup.parameters.gravity = Vec3::new(0.0, -9.81, 0.0);
        setup.parameters.fluid.artificial_viscosity = 0.1;
        setup.parameters.fluid.density_diffusion = 0.1;
        setup.blocks[0].max = Vec3::new(0.4, 0.4, 0.0);
        setup.blocks[0].initial_pressure = InitialPressure::Hydrostatic;
        setup.containers.push(Container::new(Vec3::ZERO, Vec3::new(0.4, 0.8, 0.0)));
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let steps = std::iter::from_fn(|| Some(simulation.step())).take(600);
        steps.fold(0, |most, stats| {
            assert_eq!(stats.error, None);
            // The pressure at the bottom compresses the fluid by 1 %; beside one-sided walls it is twice that.
            assert!(stats.max_density_error < 0.02 || walls == WallPressure::OneSided, "{walls:?} {sampling:?}: {stats:?}");
            most.max(stats.held_particles)
        })
    };
    assert_eq!(most_held(WallPressure::Extrapolated, WallSampling::Layers), 0);
    assert_eq!(most_held(WallPressure::Extrapolated, WallSampling::Analytic), 0);
    assert!(most_held(WallPressure::Extrapolated, WallSampling::SingleLayer) <= 2);
    assert!(most_held(WallPressure::OneSided, WallSampling::Layers) > 10);
}
