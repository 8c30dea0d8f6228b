//! Treatments of negative pressure, and background pressure.

use super::*;
use crate::parameters::NegativePressure;

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
