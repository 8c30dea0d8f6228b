//! Probes against known fields, on lattices, at walls and without fluid; ellipsoids of the particles against closed forms.

use crate::common::setup;
use glam::{BVec3, EulerRot, Mat3, Vec3};
use sph_core::probes::{
    Ellipsoid, Gauge, PointGrid, Probe, Quantity, Vicinity, front, kinetic_energy, potential_energy, pressure_at, velocity_at,
    water_height, water_height_in,
};
use sph_core::{
    AngleLaw, Axis, Container, Dimensions, Discretization, Domain, Engine as _, ExternalForces, Face, FluidBlock,
    InitialPressure, Method, Motion, Particles, Rotation, Setup, Shape, ShapeKind, Simulation, View,
};

const SPACING: f32 = 0.02;

/// A tank of 0.8 × 0.6 (× 0.4) m, filled to 0.4 m, at rest.
fn tank(dimensions: Dimensions) -> Simulation {
    let block = FluidBlock {
        min: Vec3::ZERO,
        max: Vec3::new(0.8, 0.4, 0.4),
        velocity: Vec3::ZERO,
        initial_pressure: InitialPressure::Hydrostatic,
        ..FluidBlock::default()
    };
    let container = Container { min: Vec3::ZERO, max: Vec3::new(0.8, 0.6, 0.4), ..Container::default() };
    Simulation::new(&setup(dimensions, SPACING, vec![block], vec![container])).expect("a valid setup")
}

/// Reading of `read` in the tank after its particles are changed by `change`.
fn reading<T>(dimensions: Dimensions, change: impl Fn(&mut Particles), read: impl Fn(&View<'_>) -> T) -> T {
    let simulation = tank(dimensions);
    let mut particles = simulation.particles().clone();
    change(&mut particles);
    read(&View { particles: &particles, ..simulation.view() })
}

const BOTH: [Dimensions; 2] = [Dimensions::Two, Dimensions::Three];

/// Inside, on the floor, in a corner, and off the lattice.
const POINTS: [Vec3; 4] =
    [Vec3::new(0.4, 0.2, 0.2), Vec3::new(0.4, 0.0, 0.2), Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.331, 0.117, 0.093)];

#[test]
fn hydrostatic_pressure_is_read_everywhere() {
    for dimensions in BOTH {
        for point in POINTS {
            let pressure = reading(dimensions, |_| (), |fluid| pressure_at(fluid, point)).expect("fluid in reach");
            let expected = 1000.0 * 9.81 * (0.4 - f64::from(point.y));
            // The water at the floor is compressed by 0.06 %, and its density higher by as much.
            assert!((pressure / expected - 1.0).abs() < 1e-3, "{pressure} Pa at {point}, expected {expected}");
        }
    }
}

#[test]
fn constant_pressure_is_read_without_gravity() {
    for dimensions in BOTH {
        let constant = |particles: &mut Particles| particles.pressures.fill(250.0);
        let read = |fluid: &View<'_>| pressure_at(&View { external: ExternalForces::NONE, ..*fluid }, POINTS[2]);
        let pressure = reading(dimensions, constant, read).expect("fluid in reach");
        assert!((pressure - 250.0).abs() < 1e-6, "{pressure}");
    }
}

/// A column that fills its tank from side to side strikes the floor at 1 m/s. A gauge in the middle of the floor reads what stops the column:
/// the impulse is the change of momentum, over the area. With DFSPH it is the divergence solve that gives it.
#[test]
fn the_pressure_of_an_impact_is_its_impulse() {
    for method in [Method::Dfsph, Method::Wcsph, Method::Iisph] {
        let block = FluidBlock {
            min: Vec3::new(0.0, 0.05, 0.0),
            max: Vec3::new(0.2, 0.85, 0.0),
            velocity: Vec3::new(0.0, -1.0, 0.0),
            initial_pressure: InitialPressure::Zero,
            ..FluidBlock::default()
        };
        let tank = Container { min: Vec3::ZERO, max: Vec3::new(0.2, 1.2, 0.0), ..Container::default() };
        let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![tank]);
        setup.parameters.solver.method = method;
        setup.parameters.time_step.max_dt = 1e-3;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let momentum = |fluid: &View<'_>| {
            fluid.particles.velocities.iter().map(|velocity| f64::from(velocity.y)).sum::<f64>() * f64::from(fluid.mass)
        };
        let before = momentum(&simulation.view());
        let weight = 9.81 * 1000.0 * 0.2 * 0.8;
        let gauge = Gauge { face: Some(Face::YMin), diameter: 0.04, ..Gauge::default() };
        let (mut read, mut of_density_solve) = (0.0, 0.0);
        while simulation.time() < 0.1 {
            assert_eq!(simulation.step().error, None);
            let view = simulation.view();
            let read_by = |view: &View<'_>| gauge.read(view, Vec3::new(0.1, 0.0, 0.0)).unwrap_or(0.0);
            let area_dt = 0.2 * f64::from(view.last_dt);
            read += area_dt * read_by(&view);
            of_density_solve += area_dt * read_by(&View { divergence_dt: 0.0, ..view });
        }
        let expected = momentum(&simulation.view()) - before + weight * simulation.time();
        assert!((read / expected - 1.0).abs() < 0.05, "{method:?}: {} of the impulse", read / expected);
        if method == Method::Dfsph {
            assert!(of_density_solve < 0.5 * expected, "{}", of_density_solve / expected);
        }
    }
}

/// A gauge in a wall reads the hydrostatic pressure, also in a corner and near the floor, and nothing above the water.
#[test]
fn gauges_in_walls_read_hydrostatic_pressure() {
    for dimensions in BOTH {
        let gauge = Gauge { face: Some(Face::XMax), diameter: 0.02, ..Gauge::default() };
        for (y, z) in [(0.011, 0.2), (0.1, 0.011), (0.25, 0.2)] {
            let pressure =
                reading(dimensions, |_| (), |fluid| gauge.read(fluid, Vec3::new(0.8, y, z))).expect("fluid in reach");
            let expected = 1000.0 * 9.81 * (0.4 - f64::from(y));
            // The kernel's sum over a lattice is not exactly 1 between the particles.
            assert!((pressure / expected - 1.0).abs() < 0.03, "{pressure} Pa at {y}, {z}, expected {expected}");
        }
        assert_eq!(reading(dimensions, |_| (), |fluid| gauge.read(fluid, Vec3::new(0.8, 0.5, 0.2))), None);
    }
}

#[test]
fn linear_velocity_is_read_exactly_on_walls_too() {
    let gradient = Mat3::from_cols(Vec3::new(1.0, -2.0, 0.5), Vec3::new(3.0, -1.0, 0.25), Vec3::new(0.75, 2.0, -1.5));
    for dimensions in BOTH {
        let field = |x: Vec3| Vec3::new(0.5, -0.25, 0.125) + gradient * x;
        let set = |particles: &mut Particles| {
            particles.velocities = particles.positions.iter().map(|&x| field(x)).collect();
        };
        for point in POINTS {
            let velocity = reading(dimensions, set, |fluid| velocity_at(fluid, point)).expect("fluid in reach");
            let point = if dimensions == Dimensions::Two { point.with_z(0.0) } else { point };
            assert!(velocity.as_vec3().abs_diff_eq(field(point), 1e-5), "{velocity} at {point}, expected {}", field(point));
        }
    }
}

#[test]
fn a_lone_particle_gives_its_own_velocity() {
    let alone = |particles: &mut Particles| {
        particles.positions.truncate(1);
        particles.velocities = vec![Vec3::new(1.0, 2.0, 3.0)];
    };
    let velocity = reading(Dimensions::Three, alone, |fluid| velocity_at(fluid, fluid.particles.positions[0] + 0.01));
    assert_eq!(velocity, Some(glam::DVec3::new(1.0, 2.0, 3.0)));
}

#[test]
fn the_surface_of_water_at_rest_is_at_its_height() {
    for dimensions in BOTH {
        for x in [0.4, 0.405, 0.0, 0.8] {
            for z in [0.2, 0.0] {
                let point = Vec3::new(x, -7.0, z);
                let height = reading(dimensions, |_| (), |fluid| water_height(fluid, point, None)).expect("water");
                assert!((height - 0.4).abs() < 0.05 * f64::from(SPACING), "{height} m at x = {x}, z = {z}");
            }
        }
    }
}

#[test]
fn a_droplet_is_not_the_surface_but_is_the_front() {
    for dimensions in BOTH {
        let splash = |particles: &mut Particles| particles.positions[0] = Vec3::new(0.5, 0.55, 0.2);
        let point = Vec3::new(0.5, 0.0, 0.2);
        let height = reading(dimensions, splash, |fluid| water_height(fluid, point, None)).expect("water");
        assert!((height - 0.4).abs() < 0.05 * f64::from(SPACING), "{height} m");
        let top = reading(dimensions, splash, |fluid| front(fluid, Face::YMax, None)).expect("fluid");
        assert!((top - 0.56).abs() < 1e-6, "{top} m");
    }
}

/// What flies above the water is not its surface, if more than a support radius of air is between; nor is what flies above dry ground.
#[test]
fn a_splash_is_not_the_surface() {
    // In the middle, and along a wall.
    for (dimensions, x) in [(BOTH[0], 0.5), (BOTH[1], 0.5), (BOTH[0], 0.0), (BOTH[1], 0.0)] {
        let radius = 2.0 * f64::from(SPACING);
        let height = |change: &dyn Fn(&mut Vec3)| {
            let change = |particles: &mut Particles| particles.positions.iter_mut().for_each(change);
            reading(dimensions, change, |fluid| water_height(fluid, Vec3::new(x, 0.0, 0.2), None))
        };
        let in_column = move |position: &Vec3| (position.x - x).abs() < 0.1;
        let raised = |by: f32| {
            height(&move |position| {
                if in_column(position) && position.y > 0.3 {
                    position.y += by;
                }
            })
            .expect("water")
        };
        for (by, surface) in [(0.0, 0.4), (0.6 * radius, 0.4 + 0.6 * radius), (2.0 * radius, 0.3), (0.19, 0.3)] {
            let found = raised(by as f32);
            assert!((found - surface).abs() < 0.3 * f64::from(SPACING), "raised by {by}: {found} m instead of {surface} m");
        }
        let above_dry_ground = height(&|position| {
            if in_column(position) && position.y < 0.3 {
                position.x = 0.7;
            }
        });
        assert_eq!(above_dry_ground, None);
    }
}

#[test]
fn fronts_are_the_edges_of_the_block() {
    for (face, edge) in [(Face::XMin, 0.0), (Face::XMax, 0.8), (Face::YMin, 0.0), (Face::YMax, 0.4), (Face::ZMax, 0.4)] {
        let position = reading(Dimensions::Three, |_| (), |fluid| front(fluid, face, None)).expect("fluid");
        assert!((position - edge).abs() < 1e-6, "{face:?}: {position}");
    }
}

/// Fluid 0 below a height of 0.2 m and fluid 1 above, with strays of fluid 0 at cells of the lattice, x and y.
#[test]
fn strays_are_not_the_front_of_their_fluid() {
    let top = |strays: &[[u32; 2]], of: Option<usize>| {
        let cell = |position: &Vec3| [position.x, position.y].map(|x| (x / SPACING) as u32);
        let fluid = |position: &Vec3| u8::from(position.y > 0.2 && !strays.contains(&cell(position)));
        let divide = |particles: &mut Particles| particles.fluids = particles.positions.iter().map(fluid).collect();
        reading(Dimensions::Two, divide, |fluid| front(fluid, Face::YMax, of)).expect("fluid")
    };
    let check = |strays: &[[u32; 2]], of: Option<usize>, expected: f64| {
        let found = top(strays, of);
        assert!((found - expected).abs() < 1e-6, "{strays:?} {of:?}: {found} m instead of {expected} m");
    };
    check(&[], None, 0.4);
    check(&[], Some(0), 0.2);
    check(&[], Some(1), 0.4);
    check(&[[20, 15], [3, 18], [4, 18]], Some(0), 0.2);
    // Each of four in a square has three others in reach.
    check(&[[20, 15], [21, 15], [20, 16], [21, 16], [3, 18]], Some(0), 0.34);
    let alone = |particles: &mut Particles| particles.fluids = (0..particles.len()).map(|i| u8::from(i != 7)).collect();
    assert_eq!(reading(Dimensions::Two, alone, |fluid| front(fluid, Face::YMax, Some(0))), None);
}

#[test]
fn readings_without_fluid_are_none() {
    let simulation = tank(Dimensions::Three);
    let (far, none) = (Vec3::new(5.0, 5.0, 5.0), Particles::default());
    let fluid = simulation.view();
    let empty = View { particles: &none, ..fluid };
    for (fluid, point) in [(&fluid, far), (&empty, Vec3::ZERO), (&fluid, Vec3::INFINITY), (&fluid, Vec3::NAN)] {
        assert_eq!(pressure_at(fluid, point), None);
        assert_eq!(velocity_at(fluid, point), None);
        assert_eq!(water_height(fluid, point, None), None);
    }
    assert_eq!(front(&empty, Face::XMax, None), None);
    assert_eq!((kinetic_energy(&empty), potential_energy(&empty)), (0.0, 0.0));
}

#[test]
fn energies_are_those_of_a_rigid_body() {
    let dive = |particles: &mut Particles| particles.velocities.fill(Vec3::new(0.0, -2.0, 0.0));
    let (kinetic, potential) = reading(Dimensions::Three, dive, |fluid| (kinetic_energy(fluid), potential_energy(fluid)));
    // The mass of the particles, because the lattice sum of the kernel is not exactly 1.
    let mass = f64::from(tank(Dimensions::Three).particle_mass()) * 40.0 * 20.0 * 20.0;
    assert!((kinetic / (0.5 * mass * 4.0) - 1.0).abs() < 1e-6, "{kinetic}");
    assert!((potential / (mass * 9.81 * 0.2) - 1.0).abs() < 1e-5, "{potential}");
}

#[test]
fn a_probe_gives_as_many_readings_as_labels() {
    let simulation = tank(Dimensions::Two);
    let probes = [
        Probe::Pressure { at: Vec3::ZERO, gauge: Gauge::default() },
        Probe::WaterHeight { at: Vec3::ZERO, fluid: None, container: None },
        Probe::Front { toward: Face::XMax, fluid: None },
        Probe::Field { quantity: Quantity::Velocity, points: PointGrid::line(Vec3::ZERO, Vec3::new(0.8, 0.0, 0.0), 2) },
        Probe::Field { quantity: Quantity::Velocity, points: PointGrid::point(Vec3::ONE) },
        Probe::Field { quantity: Quantity::Density, points: PointGrid { rows: 2, ..PointGrid::line(Vec3::ZERO, Vec3::X, 3) } },
        Probe::Region(shape().into()),
        Probe::WallForce,
        Probe::Energy,
    ];
    for probe in &probes {
        let readings = probe.readings(Dimensions::Two);
        assert_eq!(probe.read(&simulation.view()).len(), readings.len(), "{readings:?}");
    }
    let labels = |probe: &Probe| probe.readings(Dimensions::Two).into_iter().map(|reading| reading.label).collect::<Vec<_>>();
    assert_eq!(labels(&probes[3]), ["0.x", "0.y", "1.x", "1.y"]);
    assert_eq!(labels(&probes[4]), ["x", "y"]);
    assert_eq!(labels(&probes[5]), ["0.0", "0.1", "0.2", "1.0", "1.1", "1.2"]);
}

/// A disc, in space a cylinder, of 0.2 m in the middle of the water.
fn shape() -> Shape {
    let (min, max) = (Vec3::new(0.3, 0.1, 0.1), Vec3::new(0.5, 0.3, 0.3));
    Shape::in_box(ShapeKind::Cylinder, Dimensions::Three, min, max, Axis::Z).expect("a shape")
}

#[test]
fn a_region_has_the_mass_and_the_means_of_its_particles() {
    let swirl = |particles: &mut Particles| {
        particles.velocities = particles.positions.iter().map(|x| Vec3::new(-x.y, x.x, x.z)).collect();
    };
    let (readings, expected) = reading(Dimensions::Three, swirl, |fluid| {
        let particles = fluid.particles;
        let inside = |x: &Vec3| (x.x - 0.4).hypot(x.y - 0.2) <= 0.1 && (0.1..=0.3).contains(&x.z);
        let indices: Vec<usize> = (0..particles.len()).filter(|&i| inside(&particles.positions[i])).collect();
        let mean =
            |value: &dyn Fn(usize) -> f32| indices.iter().map(|&i| f64::from(value(i))).sum::<f64>() / indices.len() as f64;
        let velocity = [0, 1, 2].map(|axis| mean(&|i| particles.velocities[i][axis]));
        let means = [mean(&|i| particles.pressures[i]), mean(&|i| particles.densities[i])];
        let expected: Vec<f64> =
            [indices.len() as f64 * f64::from(fluid.mass)].into_iter().chain(means).chain(velocity).collect();
        (Probe::Region(shape().into()).read(fluid), expected)
    });
    for (reading, expected) in readings.iter().zip(&expected) {
        let reading = reading.expect("fluid");
        assert!((reading - expected).abs() < 1e-6 * expected.abs().max(1.0), "{readings:?}, expected {expected:?}");
    }
    // Its volume, less what a lattice of 50 µm misses at the rim.
    let volume = 0.2 * std::f64::consts::PI * 0.01;
    assert!((expected[0] / (1000.0 * volume) - 1.0).abs() < 0.05, "{} kg", expected[0]);
}

#[test]
fn a_line_through_still_water_is_hydrostatic_and_a_plane_is_level() {
    for dimensions in BOTH {
        let simulation = tank(dimensions);
        let line = PointGrid::line(Vec3::new(0.4, 0.0, 0.2), Vec3::new(0.4, 0.36, 0.2), 10);
        let plane = PointGrid { across: line.from + 0.2 * Vec3::X, rows: 3, ..line };
        let read = |quantity, points| Probe::Field { quantity, points }.read(&simulation.view());
        for (index, pressure) in read(Quantity::Pressure, plane).into_iter().enumerate() {
            let expected = 1000.0 * 9.81 * (0.4 - 0.04 * (index % 10) as f64);
            let pressure = pressure.expect("fluid in reach");
            assert!((pressure / expected - 1.0).abs() < 2e-3, "{pressure} Pa at {}, expected {expected}", plane.at(index));
        }
        for (index, density) in read(Quantity::Density, line).into_iter().enumerate() {
            // ρ₀ + p/c₀², with a speed of sound of 30 m/s.
            let expected = 1000.0 + 1000.0 * 9.81 * (0.4 - 0.04 * index as f64) / 900.0;
            let density = density.expect("fluid in reach");
            assert!((density - expected).abs() < 0.5, "{density} kg/m³ at {}, expected {expected}", line.at(index));
        }
        let level = PointGrid::line(Vec3::new(0.1, 0.0, 0.2), Vec3::new(0.7, 0.0, 0.2), 4);
        for height in read(Quantity::WaterHeight(None), level) {
            assert!((height.expect("water") - 0.4).abs() < 0.1 * f64::from(SPACING), "{height:?}");
        }
    }
}

/// Values that `read` computes for the particles of the tank after they are changed by `change`.
fn near(dimensions: Dimensions, change: impl Fn(&mut Particles), read: fn(&Vicinity, &View<'_>, &mut Vec<f32>)) -> Vec<f32> {
    reading(dimensions, change, |fluid| {
        let (mut vicinity, mut values) = (Vicinity::default(), Vec::new());
        vicinity.update(fluid).expect("a small tank");
        read(&vicinity, fluid, &mut values);
        values
    })
}

#[test]
fn a_rigid_rotation_has_twice_its_angular_velocity_as_vorticity() {
    let scattered = |particles: &mut Particles| {
        // Off the lattice, by up to a fifth of a spacing.
        for (position, &id) in particles.positions.iter_mut().zip(&particles.ids) {
            let shift = Vec3::new((id % 7) as f32, (id % 5) as f32, (id % 3) as f32) / 10.0 - Vec3::splat(0.3);
            let shift = if position.z == 0.0 { shift.with_z(0.0) } else { shift };
            *position += 0.5 * SPACING * shift;
        }
    };
    for (dimensions, omega) in [(Dimensions::Two, Vec3::new(0.0, 0.0, -3.0)), (Dimensions::Three, Vec3::new(1.0, -2.0, 2.0))] {
        let rotating = |particles: &mut Particles| {
            scattered(particles);
            let Particles { positions, velocities, .. } = particles;
            let about = Vec3::new(0.4, 0.2, 0.0);
            velocities.iter_mut().zip(positions).for_each(|(velocity, &mut x)| *velocity = omega.cross(x - about));
        };
        // Surface and corners are no exception.
        let values = near(dimensions, rotating, Vicinity::vorticity);
        assert!(values.iter().all(|value| (value / 6.0 - 1.0).abs() < 1e-3), "{dimensions:?}: {values:?}");
        let translating = |particles: &mut Particles| {
            scattered(particles);
            particles.velocities.fill(Vec3::X);
        };
        assert!(near(dimensions, translating, Vicinity::vorticity).iter().all(|&value| value == 0.0));
    }
}

#[test]
fn particles_in_a_row_have_a_finite_vorticity() {
    let in_row = |particles: &mut Particles| {
        let Particles { positions, velocities, .. } = particles;
        positions.iter_mut().enumerate().for_each(|(i, x)| *x = Vec3::X * (SPACING * i as f32));
        velocities.iter_mut().enumerate().for_each(|(i, v)| *v = Vec3::Y * i as f32);
    };
    for dimensions in BOTH {
        let values = near(dimensions, in_row, Vicinity::vorticity);
        assert!(values.iter().all(|value| value.is_finite()) && values.iter().any(|&value| value > 0.0));
    }
}

#[test]
fn neighbours_are_counted_as_by_brute_force() {
    for dimensions in BOTH {
        let simulation = tank(dimensions);
        let radius = simulation.view().discretization.support_radius;
        let positions = &simulation.particles().positions;
        let counts = near(dimensions, |_| (), Vicinity::counts);
        for (i, count) in counts.iter().enumerate().step_by(17) {
            let expected =
                positions.iter().enumerate().filter(|&(j, x)| j != i && (*x - positions[i]).length() < radius).count();
            assert_eq!(*count, expected as f32, "particle {i}");
        }
    }
}

/// Largest difference of an entry of the matrices, and of a centre in spacings. Positions below 0.5 m are rounded by 1.5e-8 m, a spacing by
/// 1.5e-6 of itself, and squares of it, and weights with its third power, by a few times that.
const ROUNDING: f32 = 2e-5;

/// Ellipsoids of particles at `positions` (m).
fn ellipsoids(positions: &[Vec3]) -> Vec<Ellipsoid> {
    ellipsoids_in(Domain::default(), positions)
}

fn ellipsoids_in(domain: Domain, positions: &[Vec3]) -> Vec<Ellipsoid> {
    let block =
        FluidBlock { min: Vec3::ZERO, max: Vec3::splat(0.1), initial_pressure: InitialPressure::Zero, ..FluidBlock::default() };
    let container = Container { min: Vec3::splat(-1.0), max: Vec3::ONE, ..Container::default() };
    // A container may not reach beyond periodic faces.
    let containers = if domain.periodic.any() { Vec::new() } else { vec![container] };
    let mut setup = setup(Dimensions::Three, SPACING, vec![block], containers);
    setup.domain = domain;
    let simulation = Simulation::new(&setup).expect("a valid setup");
    let count = positions.len();
    let particles = Particles {
        positions: positions.to_vec(),
        velocities: vec![Vec3::ZERO; count],
        densities: vec![1000.0; count],
        pressures: vec![0.0; count],
        ids: (0..count as u32).collect(),
        ..Particles::default()
    };
    let mut out = vec![Ellipsoid::default(); 3];
    Vicinity::default().read_ellipsoids(&View { particles: &particles, ..simulation.view() }, &mut out);
    assert_eq!(out.len(), count);
    out
}

fn matrix(ellipsoid: &Ellipsoid) -> Mat3 {
    let [xx, yy, zz, xy, xz, yz] = ellipsoid.axes;
    Mat3::from_cols(Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz))
}

/// Points of a lattice around the origin, m, up to `counts` spacings along each axis; the origin is the middle one.
fn lattice(counts: [i32; 3]) -> Vec<Vec3> {
    let [x, y, z] = counts.map(|count| -count..=count);
    let row = |x: i32, y: i32| z.clone().map(move |z| SPACING * Vec3::new(x as f32, y as f32, z as f32));
    x.flat_map(|x| y.clone().flat_map(move |y| row(x, y))).collect()
}

/// Ellipsoid of the middle one of `points`, which are turned by `rotation` and moved off the lattice of the search.
fn in_the_middle(points: &[Vec3], rotation: Mat3) -> (Mat3, Vec3) {
    let origin = Vec3::new(0.031, -0.017, 0.053);
    let turned: Vec<Vec3> = points.iter().map(|&point| origin + rotation * point).collect();
    let ellipsoid = ellipsoids(&turned)[points.len() / 2];
    (matrix(&ellipsoid), (ellipsoid.center - origin) / SPACING)
}

fn rotations() -> impl Iterator<Item = Mat3> {
    (0..20).map(|turn| Mat3::from_euler(EulerRot::XYZ, 0.7 * turn as f32, 1.3 * turn as f32, 2.1 * turn as f32))
}

/// Matrix with these axes, turned by `rotation`.
fn turned(axes: Vec3, rotation: Mat3) -> Mat3 {
    rotation * Mat3::from_diagonal(axes) * rotation.transpose()
}

#[test]
fn inside_a_lattice_ellipsoids_are_spheres() {
    for rotation in rotations() {
        let (axes, center) = in_the_middle(&lattice([4; 3]), rotation);
        assert!(axes.abs_diff_eq(Mat3::IDENTITY, ROUNDING), "{axes}");
        assert!(center.length() < ROUNDING, "{center}");
    }
}

#[test]
fn in_a_sheet_they_are_flat_and_in_a_filament_long() {
    // Variances (1, 1, 0) and (1, 0, 0), the ratios limited to 4 and 2, with unit volume.
    let (long, short) = (4f32.cbrt(), 4f32.cbrt() / 4.0);
    let cases = [([4, 4, 0], Vec3::new(long, long, short)), ([4, 0, 0], Vec3::new(long, long / 2.0, long / 2.0))];
    for (counts, expected) in cases {
        for rotation in rotations() {
            let (axes, center) = in_the_middle(&lattice(counts), rotation);
            // The square root of a rounding error is larger than it is, but it is taken of 1/15 at least.
            assert!(axes.abs_diff_eq(turned(expected, rotation), 4.0 * ROUNDING), "{axes}");
            assert!(center.length() < ROUNDING, "{center}");
        }
    }
}

#[test]
fn a_sheet_is_smoothed_across_and_stays_where_it_is() {
    // One particle stands out of a sheet by a third of a spacing.
    let mut sheet = lattice([4, 4, 0]);
    let middle = sheet.len() / 2;
    sheet[middle].z = SPACING / 3.0;
    let before = ellipsoids(&sheet);
    let [height, beside] = [middle, middle + 1].map(|index| before[index].center.z / SPACING);
    assert!(height > 0.0 && height < 0.15 && beside > 0.0 && beside < 0.15, "{height} {beside}");
    // A pool ends where it did: at its surface the centres stay.
    let pool = lattice([4, 4, 4]);
    let top = pool.iter().zip(ellipsoids(&pool)).filter(|(position, _)| position.y > 3.9 * SPACING);
    for (position, ellipsoid) in top.filter(|(position, _)| position.x.abs().max(position.z.abs()) < 1.9 * SPACING) {
        assert!(ellipsoid.center.distance(*position) < ROUNDING * SPACING, "{ellipsoid:?} of {position}");
        // Drawn with spheres of 0.75 spacings, water rises half a spacing above its outermost particles, for that is where it ends.
        let rises = 0.75 * matrix(&ellipsoid).y_axis.length();
        assert!((rises - 0.5).abs() < 0.1, "{rises} spacings");
    }
}

#[test]
fn a_particle_alone_is_a_small_sphere() {
    let positions = [Vec3::ZERO, Vec3::new(0.0, 10.0 * SPACING, 0.0)];
    for (ellipsoid, position) in ellipsoids(&positions).into_iter().zip(positions) {
        assert_eq!(ellipsoid.center, position);
        let size = ellipsoid.axes[0];
        assert!(size < 1.0 && ellipsoid.axes == [size, size, size, 0.0, 0.0, 0.0], "{ellipsoid:?}");
    }
}

/// Points anywhere in a cube of `side` (m) around the origin, the same each time (Knuth's MMIX generator).
fn cloud(count: usize, side: f32) -> Vec<Vec3> {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32 - 0.5
    };
    (0..count).map(|_| side * Vec3::new(random(), random(), random())).collect()
}

/// A splash: particles anywhere in a cube, ten spacings wide and of an eighth of the density of the fluid at rest.
fn splash() -> Vec<Vec3> {
    cloud(125, 10.0 * SPACING)
}

#[test]
fn ellipsoids_turn_with_the_fluid() {
    let points = splash();
    let before = ellipsoids(&points);
    for rotation in rotations() {
        let turned: Vec<Vec3> = points.iter().map(|&point| rotation * point).collect();
        for (before, after) in before.iter().zip(ellipsoids(&turned)) {
            let expected = rotation * matrix(before) * rotation.transpose();
            // Shapes depend on the differences of variances, up to (2 lengths)⁻¹ ≤ 2 for each.
            assert!(matrix(&after).abs_diff_eq(expected, 20.0 * ROUNDING), "{} {expected}", matrix(&after));
            assert!(after.center.abs_diff_eq(rotation * before.center, 20.0 * ROUNDING * SPACING));
        }
    }
}

#[test]
fn axes_are_bounded_and_the_volume_is_that_of_the_particle() {
    let mut points = splash();
    points.extend([Vec3::ZERO; 30]);
    for ellipsoid in ellipsoids(&points) {
        assert!(ellipsoid.axes.iter().all(|entry| entry.abs() <= 2.0), "{ellipsoid:?}");
        let volume = matrix(&ellipsoid).determinant();
        assert!(volume > 0.42 - ROUNDING && volume < 1.0 + ROUNDING, "{volume}");
    }
}

#[test]
fn periodic_faces_do_not_change_a_shape() {
    let size = 10.0 * SPACING;
    let domain = Domain { periodic: BVec3::TRUE, min: Vec3::splat(-0.5 * size), max: Vec3::splat(0.5 * size) };
    let points = splash();
    let before = ellipsoids_in(domain, &points);
    let open = ellipsoids(&points);
    assert!(before.iter().zip(&open).any(|(periodic, open)| periodic.axes != open.axes), "some are near a face");
    let shift = Vec3::new(0.3, -0.45, 0.2) * size;
    let inside = |point: Vec3| point - size * (point / size).round();
    let moved: Vec<Vec3> = points.iter().map(|&point| inside(point + shift)).collect();
    for (before, after) in before.iter().zip(ellipsoids_in(domain, &moved)) {
        assert!(matrix(&after).abs_diff_eq(matrix(before), 20.0 * ROUNDING), "{} {}", matrix(&after), matrix(before));
        let apart = inside(after.center - before.center - shift);
        assert!(apart.length() < 20.0 * ROUNDING * SPACING, "{apart}");
    }
}

#[test]
fn shapes_do_not_jump_when_a_neighbour_comes() {
    let at = |distance: f32| {
        let points = [Vec3::ZERO, distance * SPACING * Vec3::new(0.6, 0.0, 0.8), 1.4 * SPACING * Vec3::Y];
        let ellipsoid = ellipsoids(&points)[0];
        (matrix(&ellipsoid), ellipsoid.center / SPACING)
    };
    let steps = 300;
    let mut before = at(3.0);
    for step in (0..steps).rev() {
        let after = at(3.0 * step as f32 / steps as f32);
        // A hundredth of a spacing changes an entry by a twentieth at most.
        assert!(after.0.abs_diff_eq(before.0, 0.05), "step {step}: {} {}", before.0, after.0);
        assert!(after.1.abs_diff_eq(before.1, 0.05), "step {step}: {} {}", before.1, after.1);
        before = after;
    }
}

#[test]
fn positions_that_are_none_change_nothing_beside_them() {
    let points = splash();
    let bad = [points.as_slice(), &[Vec3::NAN, Vec3::INFINITY]].concat();
    assert_eq!(ellipsoids(&bad)[..points.len()], ellipsoids(&points));
}

#[test]
fn threads_do_not_change_a_bit() {
    let points = cloud(3000, 0.3);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        pool.install(|| ellipsoids(&points))
    };
    let expected = on(1);
    for threads in [2, 3, 8] {
        assert!(on(threads) == expected, "{threads} threads");
    }
}

/// Water that moves with its tank, without gravity, has the height in the tank that it had at the start, wherever the tank is.
#[test]
fn a_height_in_a_container_is_along_its_own_axes() {
    let velocity = Vec3::new(2.0, 1.0, 0.0);
    let water = FluidBlock {
        velocity,
        initial_pressure: InitialPressure::Zero,
        ..FluidBlock::new(Vec3::ZERO, Vec3::new(1.0, 0.5, 0.0))
    };
    let motion = Motion::steady(velocity).unwrap();
    let tank = Container { motion, ..Container::new(Vec3::ZERO, Vec3::ONE) };
    let mut setup = Setup::new(Discretization::new(Dimensions::Two, 0.05), vec![water], vec![tank]);
    setup.parameters.gravity = Vec3::ZERO;
    let mut simulation = Simulation::new(&setup).unwrap();
    let at = Vec3::new(0.4, 0.0, 0.0);
    let read =
        |simulation: &Simulation, container| Probe::WaterHeight { at, fluid: None, container }.read(&simulation.view())[0];
    let before = read(&simulation, Some(0)).expect("water");
    assert_eq!(read(&simulation, None), Some(before));
    while simulation.time() < 0.5 {
        assert_eq!(simulation.step().error, None);
    }
    let after = read(&simulation, Some(0)).expect("water");
    assert!((after - before).abs() < 0.02, "{after}, and {before} at the start");
    // The tank has left the place where it was.
    assert_eq!(read(&simulation, None), None);
}

/// In a tank turned by a quarter, what was its side is up.
#[test]
fn a_height_in_a_turned_container_is_turned_with_it() {
    let turned = AngleLaw::through([(0.0, 0.0), (0.1, 90.0f64.to_radians())]).unwrap();
    let rotation = Rotation::new(Vec3::ZERO, Vec3::Z, turned).unwrap();
    let tank = Container { motion: Motion::default().with_rotation(rotation), ..Container::new(Vec3::ZERO, Vec3::ONE) };
    // At the place where the lower half of the tank is after the turn.
    let water = FluidBlock::new(Vec3::new(-0.5, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0));
    let setup = Setup::new(Discretization::new(Dimensions::Two, 0.05), vec![water], Vec::new());
    let simulation = Simulation::new(&setup).unwrap();
    let containers = [tank];
    let view = View { containers: &containers, time: 1.0, ..simulation.view() };
    let height = water_height_in(&view, 0, Vec3::new(0.5, 0.0, 0.0), None).expect("water");
    assert!((height - 0.5).abs() < 0.02, "{height}");
}
