//! Forces that are off by default, against closed forms on the lattice.

use super::*;

/// Smoothing multiplies a wave of velocity by `1 − ε (1 − Ŵ)`, with Ŵ = Σ V W cos k·x over the lattice, and leaves the velocities that
/// particles keep alone.
#[test]
fn xsph_smooths_the_motion_only() {
    let mut setup = square();
    setup.parameters.forces.xsph = 0.5;
    let k = std::f32::consts::TAU / (10.0 * SPACING);
    let wave = |x: Vec3| Vec3::new(0.0, (k * x.x).sin(), 0.0);
    let probe = Probe::new(&setup, 0.0, wave, |_| REST_DENSITY);
    let Simulation { kernel, mass, moves, particles, .. } = &probe.simulation;
    let volume = mass / REST_DENSITY;
    let place = |x: i16, y: i16| SPACING * Vec3::new(x.into(), y.into(), 0.0);
    let lattice = (-3..=3).flat_map(|x| (-3..=3).map(move |y| (x, y)));
    let transform: f32 = lattice.map(|(x, y)| volume * kernel.w(place(x, y).length()) * (k * place(x, y).x).cos()).sum();
    assert!((0.5..0.9).contains(&transform), "{transform}");
    // The momentum of each particle is its own; pressure and viscosity there are none.
    assert!(moves.velocities.iter().zip(&particles.positions).all(|(&v, &x)| (v - wave(x)).length() < 1e-3));
    probe.compare("1 − ε (1 − Ŵ)", 1e-4, |i| moves.transport[i].y, |x| (1.0 - 0.5 * (1.0 - transform)) * wave(x).y);
    let sum = |field: &[Vec3]| field.iter().map(|v| v.as_dvec3()).sum::<DVec3>();
    let scale: f64 = moves.velocities.iter().map(|v| f64::from(v.length())).sum();
    assert!((sum(&moves.transport) - sum(&moves.velocities)).length() < 1e-7 * scale, "the fluid moves with its momentum");
}
