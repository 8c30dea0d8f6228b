//! Laminar and artificial viscosity, against closed forms on a lattice.

use super::*;

#[test]
fn laminar_viscosity_diffuses_momentum() {
    let mut setup = square();
    setup.parameters.fluid.kinematic_viscosity = 0.02;
    let k = std::f32::consts::TAU;
    // The central model needs fourth moments of the kernel, which are not isotropic on a lattice with so few neighbours.
    for (viscosity_model, tolerance) in [(ViscosityModel::Morris, 0.03), (ViscosityModel::Central, 0.15)] {
        setup.parameters.fluid.viscosity_model = viscosity_model;
        let probe = Probe::new(&setup, 0.0, |x| Vec3::new(0.0, (k * x.x).sin(), 0.0), |_| REST_DENSITY);
        probe.compare("ν ∇²v", tolerance, |i| probe.acceleration(i).y, |x| -0.02 * k * k * (k * x.x).sin());
    }
}

/// A rigid rotation has no deformation, even at the edge of the fluid.
#[test]
fn central_viscosity_leaves_a_rigid_rotation_alone() {
    let mut setup = square();
    setup.parameters.fluid.kinematic_viscosity = 0.02;
    let mut strongest = |viscosity_model| {
        setup.parameters.fluid.viscosity_model = viscosity_model;
        let turn = |x: Vec3| Vec3::new(-(x.y - 0.5), x.x - 0.5, 0.0);
        let probe = Probe::new(&setup, 0.0, turn, |_| REST_DENSITY);
        (0..probe.simulation.state.particles.len()).map(|i| probe.acceleration(i).length()).fold(0.0, f32::max)
    };
    assert!(strongest(ViscosityModel::Central) < 1e-4);
    assert!(strongest(ViscosityModel::Morris) > 0.1);
}

#[test]
fn artificial_viscosity_resists_approach_only() {
    let mut setup = square();
    setup.parameters.fluid.artificial_viscosity = 0.1;
    // Where all particles approach, it is a viscosity ν = α c₀ h / 8 in two dimensions. On a longitudinal wave it acts
    // threefold: (ν + 2ν) ∂²v/∂x² (Monaghan2005).
    let wave = |x: Vec3| Vec3::new(-x.x - 0.5 * x.x * x.x, 0.0, 0.0);
    let probe = Probe::new(&setup, 0.0, wave, |_| REST_DENSITY);
    let nu = 0.1 * SOUND_SPEED * SMOOTHING_LENGTH / 8.0;
    probe.compare("3ν ∂²v/∂x²", 0.05, |i| probe.acceleration(i).x, |_| -3.0 * nu);
    let receding = Probe::new(&setup, 0.0, |x| Vec3::new(x.x, x.y, 0.0), |_| REST_DENSITY);
    receding.compare("nothing", 0.0, |i| receding.acceleration(i).x + 1.0, |_| 1.0);
}
