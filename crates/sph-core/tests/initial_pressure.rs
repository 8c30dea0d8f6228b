//! The pressure of fluid that is let go, against closed forms.

mod common;

use common::setup;
use glam::{BVec3, Mat3, Vec3};
use sph_core::{
    BlockShape, Container, Dimensions, Domain, ExternalForce, Face, FluidBlock, InitialPressure, Keyframe, NegativePressure,
    Particles, Setup, Simulation, VelocityField,
};
use std::f64::consts::PI;

const SPACING: f32 = 0.02;
const RHO_G: f64 = 9810.0;

fn block(min: Vec3, max: Vec3) -> FluidBlock {
    FluidBlock { min, max, initial_pressure: InitialPressure::Released, ..FluidBlock::default() }
}

/// A tank that touches `column`'s lowest corner, open above.
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

/// The largest difference of the pressures to `expected`, Pa.
fn error(particles: &Particles, expected: impl Fn(Vec3) -> f64) -> f64 {
    let difference = |(place, pressure): (&Vec3, &f32)| (f64::from(*pressure) - expected(*place)).abs();
    particles.positions.iter().zip(&particles.pressures).map(difference).fold(0.0, f64::max)
}

/// Pressure, Pa, of a column of this width and height at x = 0, whose face at x = width is free. It is hydrostatic but for a sum of harmonic
/// functions that takes the pressure off the free face.
fn column(width: f64, height: f64, place: Vec3) -> f64 {
    let (x, y) = (f64::from(place.x), f64::from(place.y));
    let term = |n: u32| {
        let k = (f64::from(n) + 0.5) * PI / height;
        // cosh(kx)/cosh(kW) without overflow.
        let fall = (k * (x - width)).exp() * (1.0 + (-2.0 * k * x).exp()) / (1.0 + (-2.0 * k * width).exp());
        2.0 / (height * k * k) * (k * y).cos() * fall
    };
    RHO_G * (height - y - (0..2000).map(term).sum::<f64>())
}

#[test]
fn water_that_nothing_lets_go_is_hydrostatic() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let setup =
            setup(dimensions, 0.05, vec![block(Vec3::ZERO, Vec3::new(0.6, 0.5, 0.4))], vec![tank(Vec3::new(0.6, 1.0, 0.4))]);
        let error = error(&particles(&setup), |place| RHO_G * (0.5 - f64::from(place.y)));
        assert!(error < 0.1, "{dimensions:?}: {error} Pa");
    }
}

/// Gravity is one of the forces that pull everywhere alike, and in a tank that is pushed the surface to be is not level yet.
#[test]
fn forces_from_outside_press_as_gravity_does() {
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
    // Towards the wall that pushes back there is more pressure.
    let pressure = |x: f32| {
        let particles = particles(&pushed);
        let row = particles.positions.iter().zip(&particles.pressures);
        row.filter(|(place, _)| (place.x - x).abs() < 0.026).map(|(_, pressure)| *pressure).fold(0.0, f32::max)
    };
    assert!(pressure(0.575) > pressure(0.025) + 500.0, "{} {}", pressure(0.575), pressure(0.025));
}

/// Two blocks, one on the other, are one body of water.
#[test]
fn blocks_that_touch_press_on_each_other() {
    let (lower, upper) =
        (block(Vec3::ZERO, Vec3::new(0.6, 0.2, 0.0)), block(Vec3::new(0.0, 0.2, 0.0), Vec3::new(0.6, 0.5, 0.0)));
    let resting = FluidBlock { initial_pressure: InitialPressure::Hydrostatic, ..upper };
    for upper in [upper, resting] {
        let setup = setup(Dimensions::Two, 0.05, vec![lower, upper], vec![tank(Vec3::new(0.6, 1.0, 0.0))]);
        let error = error(&particles(&setup), |place| RHO_G * (0.5 - f64::from(place.y)));
        assert!(error < 0.1, "{error} Pa");
    }
}

#[test]
fn a_column_has_no_pressure_on_the_face_whose_gate_is_gone() {
    let relative_error = |spacing: f32| {
        let setup = setup(
            Dimensions::Two,
            spacing,
            vec![block(Vec3::ZERO, Vec3::new(0.4, 0.6, 0.0))],
            vec![tank(Vec3::new(2.0, 1.0, 0.0))],
        );
        error(&particles(&setup), |place| column(0.4, 0.6, place)) / (0.6 * RHO_G)
    };
    let (coarse, fine) = (relative_error(0.04), relative_error(0.02));
    // The lowest cell at the free face is worst: there the slope of the pressure grows like the logarithm of the distance.
    assert!(coarse < 0.02 && fine < 0.6 * coarse, "{coarse} {fine}");
}

/// A slab of the column in space is the column in the plane.
#[test]
fn a_slab_is_a_plane() {
    let slab = |dimensions| {
        let column = block(Vec3::ZERO, Vec3::new(0.4, 0.6, 0.2));
        let mut setup = setup(dimensions, 0.05, vec![column], vec![tank(Vec3::new(2.0, 1.0, 0.2))]);
        setup.parameters.gravity = Vec3::new(1.0, -9.81, 0.0);
        particles(&setup)
    };
    let (plane, space) = (slab(Dimensions::Two), slab(Dimensions::Three));
    for (place, pressure) in space.positions.iter().zip(&space.pressures) {
        let same = |&(other, _): &(&Vec3, &f32)| other.distance(place.with_z(0.0)) < 1e-4;
        let (_, expected) = plane.positions.iter().zip(&plane.pressures).find(same).expect("the same place");
        assert!((pressure - expected).abs() < 0.1, "{pressure} Pa where the plane has {expected} Pa");
    }
}

/// `p = ρω² Σ −32 / (mnπ² [(nπ/L)² + (mπ/L)²]) sin(mπx/L) sin(nπy/L)`, m and n odd (Colagrossi2005).
#[test]
fn a_rotating_square_is_torn() {
    const SIDE: f64 = 1.0;
    const RATE: f32 = 2.0;
    let expected = |place: Vec3| {
        let [x, y, _] = place.to_array().map(|x| f64::from(x) + 0.5 * SIDE);
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

/// A disc that is pulled apart one way and squeezed the other, at ±a: `p = ½ ρ a² (R² − r²)`.
#[test]
fn a_disc_that_is_stretched_is_squeezed() {
    let error = |spacing: f32| {
        let mut disc = block(Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, 1.0, 0.0));
        disc.shape = BlockShape::Ellipsoid;
        disc.field = VelocityField::Linear { gradient: Mat3::from_diagonal(Vec3::new(-3.0, 3.0, 0.0)), center: Vec3::ZERO };
        let mut setup = setup(Dimensions::Two, spacing, vec![disc], Vec::new());
        setup.parameters.gravity = Vec3::ZERO;
        error(&particles(&setup), |place| 4500.0 * f64::from(1.0 - place.length_squared())) / 4500.0
    };
    // Its edge is made of steps of one particle.
    let (coarse, fine) = (error(0.08), error(0.04));
    assert!(coarse < 0.1 && fine < 0.7 * coarse, "{coarse} {fine}");
}

#[test]
fn fluid_that_fills_its_box_has_pressure_differences() {
    let whole = Container { min: Vec3::ZERO, max: Vec3::new(0.6, 0.5, 0.0), ..Container::default() };
    let setup = setup(Dimensions::Two, 0.05, vec![block(Vec3::ZERO, Vec3::new(0.6, 0.5, 0.0))], vec![whole]);
    let error = error(&particles(&setup), |place| RHO_G * (0.25 - f64::from(place.y)));
    assert!(error < 0.1, "{error} Pa");
}

/// Taylor and Green's vortices in a square that repeats: `p = ¼ ρ U² (cos 2kx + cos 2ky)`, 0 on average, from corner to corner of a vortex.
#[test]
fn vortices_have_low_pressure_inside() {
    let error = |spacing: f32| {
        let mut square = block(Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0));
        square.field = VelocityField::TaylorGreen { speed: 2.0, wavelength: 1.0 };
        let mut setup = setup(Dimensions::Two, spacing, vec![square], Vec::new());
        setup.parameters.gravity = Vec3::ZERO;
        setup.domain = Domain { periodic: BVec3::new(true, true, false), min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0) };
        let wave = |x: f32| (4.0 * PI * f64::from(x)).cos();
        error(&particles(&setup), |place| 1000.0 * (wave(place.x) + wave(place.y))) / 2000.0
    };
    let (coarse, fine) = (error(0.05), error(0.025));
    assert!(coarse < 0.05 && fine < 0.3 * coarse, "{coarse} {fine}");
}

/// The density is the one that the equation of state has for the pressure, below zero as above where that is kept.
#[test]
fn densities_follow() {
    let whole = Container { min: Vec3::ZERO, max: Vec3::new(0.6, 0.5, 0.0), ..Container::default() };
    let mut setup = setup(Dimensions::Two, 0.05, vec![block(Vec3::ZERO, Vec3::new(0.6, 0.5, 0.0))], vec![whole]);
    setup.parameters.solver.wcsph.negative_pressure = NegativePressure::TensileControl;
    let particles = particles(&setup);
    for (density, pressure) in particles.densities.iter().zip(&particles.pressures) {
        let expected = 1000.0 * (1.0 + 7.0 * pressure / (1000.0 * 900.0)).powf(1.0 / 7.0);
        assert!((density - expected).abs() < 1e-3, "{density} {expected}");
    }
}
