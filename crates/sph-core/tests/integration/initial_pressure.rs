//! Initial pressure of released fluid, against analytic solutions.

use crate::common::setup;
use glam::{BVec3, Mat3, Vec3};
use sph_core::{
    BlockShape, Container, Dimensions, Domain, ExternalForce, Face, Fluid, FluidBlock, InitialPressure, Keyframe,
    NegativePressure, Particles, Setup, Simulation, VelocityField,
};
use std::f64::consts::PI;

const SPACING: f32 = 0.02;
const RHO_G: f64 = 9810.0;

fn block(min: Vec3, max: Vec3) -> FluidBlock {
    FluidBlock { min, max, initial_pressure: InitialPressure::Released, ..FluidBlock::default() }
}

/// A tank from the origin to `max`, open at the top.
fn tank(max: Vec3) -> Container {
    Container {
        min: Vec3::ZERO,
        max,
        faces: Face::ALL.into_iter().filter(|face| *face != Face::YMax).collect(),
        ..Container::default()
    }
}

fn particles(setup: &Setup) -> Particles {
    Simulation::new(setup).expect("a valid setup").particles().clone()
}

/// Largest difference of the pressures from `expected`, Pa.
fn error(particles: &Particles, expected: impl Fn(Vec3) -> f64) -> f64 {
    let difference = |(position, pressure): (&Vec3, &f32)| (f64::from(*pressure) - expected(*position)).abs();
    particles.positions.iter().zip(&particles.pressures).map(difference).fold(0.0, f64::max)
}

/// Pressure at `position`, Pa, in a column of the given width and height, m, between a wall at x = 0 and a free face at x =
/// width: hydrostatic plus a sum of harmonic functions that cancels it on the free face.
fn column(width: f64, height: f64, position: Vec3) -> f64 {
    let (x, y) = (f64::from(position.x), f64::from(position.y));
    let term = |n: u32| {
        let k = (f64::from(n) + 0.5) * PI / height;
        // cosh(kx)/cosh(kW) without overflow.
        let decay = (k * (x - width)).exp() * (1.0 + (-2.0 * k * x).exp()) / (1.0 + (-2.0 * k * width).exp());
        2.0 / (height * k * k) * (k * y).cos() * decay
    };
    RHO_G * (height - y - (0..2000).map(term).sum::<f64>())
}

#[test]
fn water_between_walls_is_hydrostatic() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let setup =
            setup(dimensions, 0.05, vec![block(Vec3::ZERO, Vec3::new(0.6, 0.5, 0.4))], vec![tank(Vec3::new(0.6, 1.0, 0.4))]);
        let error = error(&particles(&setup), |position| RHO_G * (0.5 - f64::from(position.y)));
        assert!(error < 0.1, "{dimensions:?}: {error} Pa");
    }
}

/// A uniform external force has the same effect as gravity.
#[test]
fn uniform_external_forces_act_like_gravity() {
    let tank = || {
        setup(Dimensions::Two, 0.05, vec![block(Vec3::ZERO, Vec3::new(0.6, 0.5, 0.0))], vec![tank(Vec3::new(0.6, 1.0, 0.0))])
    };
    let push = Vec3::new(2.5, 1.0, 0.0);
    let mut pushed = tank();
    pushed.parameters.gravity += push;
    let schedule = |time, x| Keyframe { time, acceleration: Vec3::new(x, 0.0, 0.0) };
    let forces = [
        vec![ExternalForce::Constant(push)],
        vec![
            ExternalForce::Constant(push.with_x(0.0)),
            ExternalForce::Scheduled(vec![schedule(-1.0, 0.0), schedule(1.0, 2.0 * push.x), schedule(2.0, 9.0)]),
        ],
    ];
    for external_forces in forces {
        let forced = Setup { external_forces, ..tank() };
        assert_eq!(particles(&forced).pressures, particles(&pushed).pressures);
    }
    // The pressure is higher at the wall that the force points to.
    let pressure = |x: f32| {
        let particles = particles(&pushed);
        let row = particles.positions.iter().zip(&particles.pressures);
        row.filter(|(position, _)| (position.x - x).abs() < 0.026).map(|(_, pressure)| *pressure).fold(0.0, f32::max)
    };
    assert!(pressure(0.575) > pressure(0.025) + 500.0, "{} {}", pressure(0.575), pressure(0.025));
}

/// Two blocks, one on top of the other, have the pressure of a single body of water.
#[test]
fn pressure_is_continuous_across_blocks() {
    let (lower, upper) =
        (block(Vec3::ZERO, Vec3::new(0.6, 0.2, 0.0)), block(Vec3::new(0.0, 0.2, 0.0), Vec3::new(0.6, 0.5, 0.0)));
    let resting = FluidBlock { initial_pressure: InitialPressure::Hydrostatic, ..upper.clone() };
    for upper in [upper, resting] {
        let setup = setup(Dimensions::Two, 0.05, vec![lower.clone(), upper], vec![tank(Vec3::new(0.6, 1.0, 0.0))]);
        let error = error(&particles(&setup), |position| RHO_G * (0.5 - f64::from(position.y)));
        assert!(error < 0.1, "{error} Pa");
    }
}

/// Water feels the weight of the oil on it where the oil has the pressure of its own weight, and where there is oil.
#[test]
fn only_hydrostatic_blocks_weigh_on_those_below() {
    let lower = FluidBlock::new(Vec3::ZERO, Vec3::new(0.6, 0.2, 0.0));
    let upper = FluidBlock { fluid: 1, ..FluidBlock::new(Vec3::new(0.0, 0.2, 0.0), Vec3::new(0.6, 0.5, 0.0)) };
    let check = |upper: FluidBlock, covered: fn(f32) -> bool| {
        let setup = setup(Dimensions::Two, 0.05, vec![lower.clone(), upper.clone()], vec![tank(Vec3::new(0.6, 1.0, 0.0))]);
        let particles = particles(&setup.with_fluids(vec![Fluid::new("water", 1000.0), Fluid::new("oil", 800.0)]));
        let water = (0..particles.len()).filter(|&i| particles.fluids[i] == 0);
        for (position, pressure) in water.map(|i| (particles.positions[i], particles.pressures[i])) {
            let oil = if covered(position.x) { 0.8 * 0.3 } else { 0.0 };
            let expected = RHO_G * (0.2 - f64::from(position.y) + oil);
            assert!((f64::from(pressure) - expected).abs() < 0.5, "{upper:?}, {position}: {pressure} Pa, not {expected} Pa");
        }
    };
    check(upper.clone(), |_| true);
    check(FluidBlock { initial_pressure: InitialPressure::Zero, ..upper.clone() }, |_| false);
    // A quarter of a spacing above its lowest point the ellipse is 0.24 m wide.
    check(FluidBlock { shape: BlockShape::Ellipsoid, ..upper }, |x| (x - 0.3).abs() < 0.12);
}

#[test]
fn a_column_has_zero_pressure_on_its_free_face() {
    let relative_error = |spacing: f32| {
        let setup = setup(
            Dimensions::Two,
            spacing,
            vec![block(Vec3::ZERO, Vec3::new(0.4, 0.6, 0.0))],
            vec![tank(Vec3::new(2.0, 1.0, 0.0))],
        );
        error(&particles(&setup), |position| column(0.4, 0.6, position)) / (0.6 * RHO_G)
    };
    let (coarse, fine) = (relative_error(0.04), relative_error(0.02));
    // The lowest cell at the free face has the largest error: the pressure gradient has a logarithmic singularity there.
    assert!(coarse < 0.02 && fine < 0.6 * coarse, "{coarse} {fine}");
}

/// A slab in three dimensions has the pressure of the column in two.
#[test]
fn three_dimensions_agree_with_two_for_a_slab() {
    let slab = |dimensions| {
        let column = block(Vec3::ZERO, Vec3::new(0.4, 0.6, 0.2));
        let mut setup = setup(dimensions, 0.05, vec![column], vec![tank(Vec3::new(2.0, 1.0, 0.2))]);
        setup.parameters.gravity = Vec3::new(1.0, -9.81, 0.0);
        particles(&setup)
    };
    let (plane, space) = (slab(Dimensions::Two), slab(Dimensions::Three));
    for (position, pressure) in space.positions.iter().zip(&space.pressures) {
        let same = |&(other, _): &(&Vec3, &f32)| other.distance(position.with_z(0.0)) < 1e-4;
        let (_, expected) = plane.positions.iter().zip(&plane.pressures).find(same).expect("a particle at the same x and y");
        assert!((pressure - expected).abs() < 0.1, "{pressure} Pa where the plane has {expected} Pa");
    }
}

/// `p = ρω² Σ −32 / (mnπ² [(nπ/L)² + (mπ/L)²]) sin(mπx/L) sin(nπy/L)`, m and n odd (Colagrossi2005).
#[test]
fn a_rotating_square_has_negative_pressure() {
    const SIDE: f64 = 1.0;
    const RATE: f32 = 2.0;
    let expected = |position: Vec3| {
        let [x, y, _] = position.to_array().map(|x| f64::from(x) + 0.5 * SIDE);
        let mut sum = 0.0;
        for m in (1..60).step_by(2) {
            for n in (1..60).step_by(2) {
                let [m, n] = [m, n].map(f64::from);
                let scale = 32.0 / (m * n * PI * PI * PI * PI * (m * m + n * n));
                sum -= scale * (m * PI * x).sin() * (n * PI * y).sin();
            }
        }
        1000.0 * f64::from(RATE * RATE) * sum
    };
    let mut square = block(Vec3::new(-0.5, -0.5, 0.0), Vec3::new(0.5, 0.5, 0.0));
    let gradient = Mat3::from_cols(RATE * Vec3::NEG_Y, RATE * Vec3::X, Vec3::ZERO);
    square.field = VelocityField::Linear { gradient, center: Vec3::ZERO };
    let mut setup = setup(Dimensions::Two, SPACING, vec![square], Vec::new());
    setup.parameters.gravity = Vec3::ZERO;
    let particles = particles(&setup);
    let lowest = particles.pressures.iter().copied().fold(0.0, f32::min);
    assert!((f64::from(lowest) / (-0.1473 * 4000.0) - 1.0).abs() < 0.01, "{lowest} Pa in the middle");
    let error = error(&particles, expected) / (0.1473 * 4000.0);
    assert!(error < 0.005, "{error}");
}

/// A disc in a strain flow with rates ±a: `p = ½ ρ a² (R² − r²)`.
#[test]
fn a_disc_in_strain_has_a_parabolic_pressure() {
    let error = |spacing: f32| {
        let mut disc = block(Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, 1.0, 0.0));
        disc.shape = BlockShape::Ellipsoid;
        disc.field = VelocityField::Linear { gradient: Mat3::from_diagonal(Vec3::new(-3.0, 3.0, 0.0)), center: Vec3::ZERO };
        let mut setup = setup(Dimensions::Two, spacing, vec![disc], Vec::new());
        setup.parameters.gravity = Vec3::ZERO;
        error(&particles(&setup), |position| 4500.0 * f64::from(1.0 - position.length_squared())) / 4500.0
    };
    // The edge of the disc is a staircase of lattice cells.
    let (coarse, fine) = (error(0.08), error(0.04));
    assert!(coarse < 0.1 && fine < 0.7 * coarse, "{coarse} {fine}");
}

#[test]
fn pressure_in_a_full_box_has_mean_zero() {
    let whole = Container { min: Vec3::ZERO, max: Vec3::new(0.6, 0.5, 0.0), ..Container::default() };
    let setup = setup(Dimensions::Two, 0.05, vec![block(Vec3::ZERO, Vec3::new(0.6, 0.5, 0.0))], vec![whole]);
    let error = error(&particles(&setup), |position| RHO_G * (0.25 - f64::from(position.y)));
    assert!(error < 0.1, "{error} Pa");
}

/// Taylor–Green vortices in a periodic square: `p = ¼ ρ U² (cos 2kx + cos 2ky)`, with mean 0.
#[test]
fn vortices_have_low_pressure_inside() {
    let error = |spacing: f32| {
        let mut square = block(Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0));
        square.field = VelocityField::TaylorGreen { speed: 2.0, wavelength: 1.0 };
        let mut setup = setup(Dimensions::Two, spacing, vec![square], Vec::new());
        setup.parameters.gravity = Vec3::ZERO;
        setup.domain = Domain { periodic: BVec3::new(true, true, false), min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0) };
        let wave = |x: f32| (4.0 * PI * f64::from(x)).cos();
        error(&particles(&setup), |position| 1000.0 * (wave(position.x) + wave(position.y))) / 2000.0
    };
    let (coarse, fine) = (error(0.05), error(0.025));
    assert!(coarse < 0.05 && fine < 0.3 * coarse, "{coarse} {fine}");
}

/// Initial densities follow from the pressures by the equation of state, also for negative pressures if they are allowed.
#[test]
fn densities_follow_from_the_equation_of_state() {
    let whole = Container { min: Vec3::ZERO, max: Vec3::new(0.6, 0.5, 0.0), ..Container::default() };
    let mut setup = setup(Dimensions::Two, 0.05, vec![block(Vec3::ZERO, Vec3::new(0.6, 0.5, 0.0))], vec![whole]);
    setup.parameters.solver.wcsph.negative_pressure = NegativePressure::TensileControl;
    let particles = particles(&setup);
    for (density, pressure) in particles.densities.iter().zip(&particles.pressures) {
        let expected = 1000.0 * (1.0 + 7.0 * pressure / (1000.0 * 900.0)).powf(1.0 / 7.0);
        assert!((density - expected).abs() < 1e-3, "{density} {expected}");
    }
}
