//! Negative and background pressure, density diffusion and particle shifting, in closed flows and at surfaces.

use super::*;
use crate::parameters::{DensityDiffusion, NegativePressure};
use crate::setup::VelocityField;
use glam::{BVec3, Mat3};

/// The square under tension: a negative pressure of −500 Pa, or falling from it along x by `slope`, Pa/m.
fn under_tension(negative_pressure: NegativePressure, slope: f32) -> Probe {
    let mut setup = square();
    setup.parameters.solver.wcsph.negative_pressure = negative_pressure;
    let state = EquationOfState::new(StateEquation::Tait, REST_DENSITY, SOUND_SPEED);
    Probe::new(&setup, 0.0, |_| Vec3::ZERO, |x| state.density(-500.0 - slope * x.x))
}

#[test]
fn negative_pressure_accelerates_along_its_gradient() {
    let probe = under_tension(NegativePressure::TensileControl, 300.0);
    probe.compare("-∇p/ρ along x", 0.02, |i| probe.acceleration(i).x, |_| 0.3);
    probe.compare("-∇p/ρ along y", 0.02, |i| probe.acceleration(i).y + 0.3, |_| 0.3);
    let clamped = under_tension(NegativePressure::None, 300.0);
    clamped.compare("nothing", 0.0, |i| clamped.acceleration(i).length(), |_| 0.0);
    assert!(clamped.simulation.state.particles.pressures.iter().all(|&pressure| pressure == 0.0));
}

/// Under uniform tension, particles inside the fluid do not accelerate; the sum `p_i + p_j` would make them clump. Particles at
/// the surface are pulled in.
#[test]
fn uniform_tension_does_not_clump() {
    let probe = under_tension(NegativePressure::TensileControl, 0.0);
    probe.compare("1 and nothing", 1e-3, |i| 1.0 + probe.acceleration(i).length(), |_| 1.0);
    for (i, position) in probe.simulation.state.particles.positions.iter().enumerate().filter(|(_, x)| x.x < SPACING) {
        assert!(probe.acceleration(i).x > 1.0, "{} at {position}", probe.acceleration(i));
    }
}

/// Sums of the forces and of the torques on all particles, over the sums of their magnitudes.
fn net_force_and_torque(probe: &Probe) -> [f64; 2] {
    let positions = &probe.simulation.state.particles.positions;
    let (mut force, mut torque, mut forces, mut torques) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
    for (i, position) in positions.iter().enumerate() {
        let acceleration = probe.acceleration(i).as_dvec3();
        let moment = position.as_dvec3().cross(acceleration);
        (force, forces) = (force + acceleration, forces + acceleration.length());
        (torque, torques) = (torque + moment, torques + moment.length());
    }
    [force.length() / forces, torque.length() / torques]
}

/// Momentum and angular momentum of a free square under tension stay: pair forces are opposite, along the line between the
/// particles. Tensile control breaks this.
#[test]
fn kept_negative_pressure_conserves_momentum_and_angular_momentum() {
    let kept = net_force_and_torque(&under_tension(NegativePressure::Kept, 300.0));
    assert!(kept.into_iter().all(|net| net < 1e-6), "{kept:?}");
    let controlled = net_force_and_torque(&under_tension(NegativePressure::TensileControl, 300.0));
    assert!(controlled.into_iter().all(|net| net > 1e-3), "{controlled:?}");
}

/// A closed box full of fluid.
pub(super) fn full_box() -> Setup {
    let mut setup = square();
    setup.containers = vec![Container { min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0), ..Container::default() }];
    setup
}

#[test]
fn walls_continue_negative_pressure() {
    let mut setup = full_box();
    setup.parameters.gravity = Vec3::new(0.0, -2.0, 0.0);
    setup.parameters.solver.wcsph.negative_pressure = NegativePressure::TensileControl;
    let state = EquationOfState::new(StateEquation::Tait, REST_DENSITY, SOUND_SPEED);
    // Fluid suspended from the ceiling.
    let probe = Probe::new(&setup, 0.0, |_| Vec3::ZERO, |x| state.density(-2000.0 * x.y - 1000.0));
    let mut compared = 0;
    for (position, pressure) in probe.simulation.walls.positions.iter().zip(&probe.simulation.walls.pressures) {
        let expected = -2000.0 * position.y - 1000.0;
        let depth = (-*position).max(*position - 1.0).truncate();
        // Corners and the third layer have no fluid in reach.
        let alone = depth.min_element() > 0.0 || depth.max_element() > 2.0 * SPACING;
        assert!(alone || (pressure - expected).abs() < 10.0, "{pressure} Pa at {position}, where {expected} is expected");
        compared += usize::from(!alone);
    }
    // Two layers along four walls of 50 particles.
    assert_eq!(compared, 2 * 4 * 50);
    let scale = probe.simulation.state.particles.positions.iter().enumerate().map(|(i, _)| probe.acceleration(i).length());
    // At rest, except for the error in the corners.
    assert!(scale.fold(0.0, f32::max) < 0.1);
}

/// Background pressure accelerates particles where they are unevenly spread, and only there.
#[test]
fn background_pressure_evens_particles_out() {
    let mut setup = full_box();
    setup.parameters.solver.wcsph.background_pressure = 1e4;
    let even = Probe::new(&setup, 0.0, |_| Vec3::ZERO, |_| REST_DENSITY);
    even.compare("1 and nothing", 1e-2, |i| 1.0 + even.acceleration(i).length(), |_| 1.0);
    let mut simulation = even.simulation;
    let displaced =
        simulation.state.particles.positions.iter().position(|x| x.distance(Vec3::new(0.51, 0.51, 0.0)) < 0.5 * SPACING);
    let displaced = displaced.expect("a particle in the middle");
    simulation.state.particles.positions[displaced].x += 0.2 * SPACING;
    let mut phases = Clock::default();
    simulation.find_neighbors(&mut phases).expect("an unbounded structure");
    simulation.solve(&mut phases, None);
    let Solver::Wcsph(solver) = &simulation.solver else { panic!("another solver") };
    assert!(solver.accelerations()[displaced].x < -1.0, "{}", solver.accelerations()[displaced]);
}

// The forms of density diffusion: what they smooth, and what they leave alone.

impl Probe {
    /// Largest |dρ/dt|, surfaces included, but not the corners of the square, which count as spray.
    fn worst_density_rate(&self) -> f32 {
        let is_corner = |x: Vec3| (x - Vec3::new(0.5, 0.5, 0.0)).abs().truncate().min_element() > 0.5 - 2.0 * SMOOTHING_LENGTH;
        let positions = &self.simulation.state.particles.positions;
        let sides = (0..positions.len()).filter(|&i| !is_corner(positions[i]));
        sides.map(|i| self.density_rate(i).abs()).fold(0.0, f32::max)
    }
}

#[test]
fn density_diffuses() {
    let mut setup = square();
    setup.parameters.fluid.density_diffusion = 0.1;
    let k = std::f32::consts::TAU;
    let probe = Probe::new(&setup, DT, |_| Vec3::ZERO, |x| REST_DENSITY * (1.0 + 0.01 * (k * x.x).sin()));
    let rate = 0.1 * SMOOTHING_LENGTH * SOUND_SPEED * k * k;
    let expected = |x: Vec3| -rate * REST_DENSITY * 0.01 * (k * x.x).sin();
    // 3 % is the error of the smoothed Laplacian at a wavelength of 11 support radii.
    probe.compare("δ h c₀ ∇²ρ", 0.05, |i| probe.density_rate(i), expected);
}

#[test]
fn molteni_and_antuono_diffuse_noise_alike() {
    let k = std::f32::consts::TAU / (4.0 * SPACING);
    for diffusion in DensityDiffusion::ALL {
        let mut setup = square();
        setup.parameters.fluid.density_diffusion = 0.1;
        setup.parameters.solver.wcsph.diffusion = diffusion;
        // A wave of four spacings: the mean gradient over the neighbourhood is zero.
        let probe = Probe::new(&setup, DT, |_| Vec3::ZERO, |x| REST_DENSITY * (1.0 + 0.01 * (k * x.x).sin()));
        let crest = probe.density_before.iter().zip(0..).filter(|(density, _)| **density > 1006.0).map(|(_, i)| i);
        assert!(crest.clone().count() > 100);
        let inside =
            |&i: &usize| (probe.simulation.state.particles.positions[i] - Vec3::new(0.5, 0.5, 0.0)).abs().max_element() < 0.3;
        for i in crest.filter(inside) {
            assert!(probe.density_rate(i) < 0.0, "{diffusion:?}: {}", probe.density_rate(i));
        }
    }
}

/// A uniform density gradient is not diffused by Antuono's form, but at a surface it is by Molteni's.
#[test]
fn antuono_leaves_uniform_gradients_alone() {
    let worst = |diffusion| {
        let mut setup = square();
        setup.parameters.fluid.density_diffusion = 0.1;
        setup.parameters.solver.wcsph.diffusion = diffusion;
        let probe = Probe::new(&setup, DT, |_| Vec3::ZERO, |x| REST_DENSITY * (1.0 + 0.01 * x.x - 0.02 * x.y));
        probe.worst_density_rate()
    };
    let (molteni, antuono) = (worst(DensityDiffusion::Molteni), worst(DensityDiffusion::Antuono));
    // The rounding of a density in f32, 6e-5 kg/m³, over a millisecond.
    assert!(antuono < 0.02 * molteni + 0.13, "{antuono} against {molteni}");
}

#[test]
fn hydrostatic_density_does_not_diffuse() {
    let mut setup = square();
    setup.parameters.fluid.density_diffusion = 0.1;
    setup.parameters.gravity.y = -9.81;
    let slope = -REST_DENSITY * 9.81 / (SOUND_SPEED * SOUND_SPEED);
    let probe = Probe::new(&setup, DT, |_| Vec3::ZERO, |x| REST_DENSITY * 1.03 + slope * x.y);
    // The surface included, where Molteni's form, which ignores gravity, has its largest error.
    let scale = 0.1 * SMOOTHING_LENGTH * SOUND_SPEED * slope.abs() / SMOOTHING_LENGTH;
    let worst = probe.worst_density_rate();
    assert!(worst < 0.02 * scale, "{worst} of {scale}");
}

// Particle shifting.

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
