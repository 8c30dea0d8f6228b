//! Probes against known fields: on lattices, at walls, and without fluid.

use glam::{Mat3, Vec3};
use sph_core::probes::{
    Gauge, PointGrid, Probe, Quantity, Vicinity, front, kinetic_energy, potential_energy, pressure_at, velocity_at,
    water_height,
};
use sph_core::{Axis, Dimensions, Engine as _, ExternalForces, Face, Particles, Shape, ShapeKind, Simulation, View};

const SPACING: f32 = 0.02;

/// A tank of 0.8 × 0.6 (× 0.4) m, filled to 0.4 m, at rest.
fn tank(dimensions: Dimensions) -> Simulation {
    let block = sph_core::FluidBlock {
        min: Vec3::ZERO,
        max: Vec3::new(0.8, 0.4, 0.4),
        velocity: Vec3::ZERO,
        initial_pressure: sph_core::InitialPressure::Hydrostatic,
        ..sph_core::FluidBlock::default()
    };
    let container = sph_core::Container { min: Vec3::ZERO, max: Vec3::new(0.8, 0.6, 0.4), ..sph_core::Container::default() };
    Simulation::new(&crate::common::setup(dimensions, SPACING, vec![block], vec![container])).expect("a valid setup")
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
        Probe::WaterHeight { at: Vec3::ZERO, fluid: None },
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
