//! Particle shifting.

use super::closed_flows::full_box;
use super::*;
use crate::setup::VelocityField;
use glam::{BVec3, Mat3};

/// Mean of |∇C| times the spacing in the middle of the full box, after `steps` steps of a rotation of particles displaced by up
/// to a quarter of a spacing times `disorder`.
fn unevenness(shifting: f32, disorder: f32, steps: usize) -> f32 {
    let mut setup = full_box();
    setup.parameters.solver.shifting = shifting;
    // With hardly any pressure, so that only shifting acts.
    setup.parameters.fluid.sound_speed = 1e-3;
    setup.parameters.time_step.max_dt = 2e-3;
    let gradient = Mat3::from_cols(Vec3::Y, Vec3::NEG_X, Vec3::ZERO);
    setup.blocks[0].field = VelocityField::Linear { gradient, center: Vec3::new(0.5, 0.5, 0.0) };
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    for (index, position) in simulation.state.particles.positions.iter_mut().enumerate() {
        let random = |salt: f32| ((index as f32 * salt).sin() * 1e4).fract();
        *position += 0.25 * disorder * SPACING * Vec3::new(random(12.9898), random(78.233), 0.0);
    }
    for _ in 0..steps {
        assert_eq!(simulation.step().error, None);
    }
    let mut phases = Clock::default();
    simulation.sort_particles();
    simulation.find_neighbors(&mut phases).expect("an unbounded structure");
    let (volume, kernel) = (simulation.mass / REST_DENSITY, simulation.kernel);
    let positions = &simulation.state.particles.positions;
    let (mut sum, mut count) = (0.0, 0);
    for (i, position) in positions.iter().enumerate().filter(|(_, x)| x.distance(Vec3::new(0.5, 0.5, 0.0)) < 0.3) {
        let others = simulation.neighborhood.fluid.of(i).iter().map(|&j| *position - positions[j as usize]);
        let gradient: Vec3 = crate::kernel::with_kernel!(kernel, kernel => others.map(|r| volume * kernel.grad_w(r)).sum());
        (sum, count) = (sum + SPACING * gradient.length(), count + 1);
    }
    assert!(count > 500);
    sum / count as f32
}

#[test]
fn shifting_evens_particles_out_and_leaves_a_lattice_alone() {
    let (before, without, with) = (unevenness(0.0, 1.0, 0), unevenness(0.0, 1.0, 100), unevenness(2.0, 1.0, 100));
    assert!(without > 0.8 * before && with < 0.4 * before, "{before}: {without} without, {with} with shifting");
    // In a step the lattice turns by 0.1° and stays regular.
    let lattice = unevenness(2.0, 0.0, 1);
    assert!(lattice < 1e-4, "{lattice}");
}

/// In each half of a box that slide past each other, only shifting changes the distances between particles: the densities of
/// WCSPH must change like the summed densities.
#[test]
fn densities_follow_shifts() {
    let mut setup = square();
    setup.domain = Domain { periodic: BVec3::new(true, true, false), min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0) };
    setup.parameters.solver.shifting = 2.0;
    // With hardly any pressure, and so without forces.
    setup.parameters.fluid.sound_speed = 1e-3;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    for (index, position) in simulation.state.particles.positions.iter_mut().enumerate() {
        let random = |salt: f32| ((index as f32 * salt).sin() * 1e4).fract();
        *position += 0.2 * SPACING * Vec3::new(random(12.9898), random(78.233), 0.0);
        *position = setup.domain.wrap(*position);
    }
    slide(&mut simulation);
    let summed = |simulation: &mut Simulation| {
        simulation.sort_particles();
        simulation.find_neighbors(&mut Clock::default()).expect("an unbounded structure");
        let Simulation { state: State { particles: Particles { positions, ids, .. }, .. }, neighborhood, kernel, mass, .. } =
            &*simulation;
        let wrap = Wrap::new(&setup.domain);
        let mut densities = vec![0.0; positions.len()];
        for (i, position) in positions.iter().enumerate() {
            let others =
                neighborhood.fluid.of(i).iter().map(|&j| wrap.minimum_image(*position, positions[j as usize]).length());
            let weights: f32 =
                crate::kernel::with_kernel!(*kernel, kernel => kernel.w(0.0) + others.map(|r| kernel.w(r)).sum::<f32>());
            densities[ids[i] as usize] = mass * weights;
        }
        densities
    };
    let before = summed(&mut simulation);
    for i in 0..simulation.state.particles.len() {
        simulation.state.particles.densities[i] = before[simulation.state.particles.ids[i] as usize];
    }
    for _ in 0..20 {
        assert_eq!(simulation.step().error, None);
    }
    let after = summed(&mut simulation);
    let Particles { densities, ids, positions, .. } = &simulation.state.particles;
    let (mut change, mut difference, mut count) = (0.0, 0.0, 0);
    for i in (0..ids.len()).filter(|&i| (0.1..0.4).contains(&(positions[i].y % 0.5))) {
        let id = ids[i] as usize;
        change += (after[id] - before[id]).abs();
        difference += (after[id] - densities[i]).abs();
        count += 1;
    }
    assert!(change / count as f32 > 5.0, "{change}: no change of {count} densities");
    assert!(difference < 0.15 * change, "densities differ by {difference} after a change of {change}");
}

/// Sets the velocities to ±1 m/s along x, below and above y = 0.5 m: 1 m/s is the speed of the flow.
fn slide(simulation: &mut Simulation) {
    let Particles { positions, velocities, .. } = &mut simulation.state.particles;
    for (position, velocity) in positions.iter().zip(velocities) {
        *velocity = if position.y < 0.5 { Vec3::X } else { Vec3::NEG_X };
    }
}

/// Shifting moves particles without changing their velocities, and leaves particles at a free surface in it.
#[test]
fn shifting_leaves_velocities_and_surfaces_alone() {
    let mut setup = square();
    let moved = |setup: &Setup| {
        let mut simulation = Simulation::new(setup).expect("a valid setup");
        for (index, position) in simulation.state.particles.positions.iter_mut().enumerate() {
            position.x += 0.1 * SPACING * (index as f32).sin();
        }
        slide(&mut simulation);
        assert_eq!(simulation.step().error, None);
        simulation
    };
    let without = moved(&setup);
    setup.parameters.solver.shifting = 2.0;
    let with = moved(&setup);
    assert_eq!(with.state.particles.velocities, without.state.particles.velocities);
    let (mut inside, mut farthest) = (0, 0.0f32);
    for (with, without) in with.state.particles.positions.iter().zip(&without.state.particles.positions) {
        let shift = with.distance(*without) / SPACING;
        farthest = farthest.max(shift);
        if without.y < SPACING || without.y > 1.0 - SPACING {
            assert_eq!(shift, 0.0, "{without}");
        }
        inside += usize::from(shift > 1e-4);
    }
    assert!(farthest <= 0.1001 && inside > 1000, "{inside} shifted, by up to {farthest} spacings");
}

/// Positions of the square after one step in which it [slides](slide), with all velocities raised by `drift`, m/s; and the
/// length of the step, s.
fn positions_after_sliding(shifting: f32, disorder: f32, drift: Vec3) -> (Vec<Vec3>, f32) {
    let mut setup = square();
    setup.parameters.solver.shifting = shifting;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    for (index, position) in simulation.state.particles.positions.iter_mut().enumerate() {
        position.x += disorder * SPACING * (index as f32).sin();
    }
    slide(&mut simulation);
    simulation.state.particles.velocities.iter_mut().for_each(|velocity| *velocity += drift);
    let stats = simulation.step();
    assert_eq!(stats.error, None);
    (simulation.state.particles.positions, stats.dt)
}

/// Along a plane free surface a lattice is even, and across it nothing is shifted: a lattice with free surfaces stays as it is.
#[test]
fn shifting_leaves_a_lattice_with_free_surfaces_alone() {
    let (without, _) = positions_after_sliding(0.0, 0.0, Vec3::ZERO);
    let (with, _) = positions_after_sliding(4.0, 0.0, Vec3::ZERO);
    // Corners excluded: there the normal is not that of a plane.
    let reach = 4.0 * SMOOTHING_LENGTH;
    let is_far = |x: f32| x > reach && x < 1.0 - reach;
    let compared: Vec<f32> = (with.iter().zip(&without))
        .filter(|(_, before)| is_far(before.x) || is_far(before.y))
        .map(|(with, without)| with.distance(*without) / SPACING)
        .collect();
    let farthest = compared.iter().copied().fold(0.0, f32::max);
    assert!(compared.len() > 1000 && farthest < 1e-4, "{farthest} spacings");
}

#[test]
fn shifting_does_not_depend_on_the_frame() {
    let drift = Vec3::new(3.0, 2.0, 0.0);
    let (resting, dt) = positions_after_sliding(4.0, 0.1, Vec3::ZERO);
    let (drifting, same_dt) = positions_after_sliding(4.0, 0.1, drift);
    assert_eq!(dt, same_dt);
    for (resting, drifting) in resting.iter().zip(&drifting) {
        let difference = (*drifting - dt * drift).distance(*resting) / SPACING;
        assert!(difference < 1e-3, "{difference} spacings at {resting}");
    }
}
