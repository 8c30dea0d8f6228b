//! Momentum and energy.

use glam::{DVec3, Vec3};
use sph_core::point_sets::PointSet;
use sph_pbd::cloth::{ClothSetup, Grid};

use crate::tank::{FRAME, Tank};

/// Position, exact to f64, m.
fn position(set: &PointSet, k: usize) -> DVec3 {
    set.positions[k].as_dvec3() + set.rounding_errors[k].as_dvec3()
}

/// Momentum and angular momentum about the origin of all sheets.
fn momenta(tank: &Tank) -> [DVec3; 2] {
    let mut sums = [DVec3::ZERO; 2];
    for set in &tank.sets {
        for k in 0..set.len() {
            let momentum = f64::from(set.masses[k]) * set.velocities[k].as_dvec3();
            sums[0] += momentum;
            sums[1] += position(set, k).cross(momentum);
        }
    }
    sums
}

/// Two sheets that fly at each other in free space, spinning and stretched.
fn collision(friction: f32) -> Tank {
    let sheet = |name: &str, corner: Vec3, velocity: Vec3| {
        let grid = Grid { corner, along: 0.02 * Vec3::X, across: 0.02 * Vec3::Y, columns: 20, rows: 20 };
        let setup = ClothSetup { velocity, friction, thickness: 0.02, ..ClothSetup::grid(name, &grid) };
        ClothSetup { bending_compliance: 1e-2, damping: 3.0, ..setup }
    };
    let mut tank = Tank::new(&[
        sheet("one", Vec3::new(-0.2, -0.2, 0.0), 0.5 * Vec3::Z),
        sheet("two", Vec3::new(-0.107, -0.07, 0.1), Vec3::new(0.1, 0.0, -0.7)),
    ]);
    tank.gravity = Vec3::ZERO;
    for k in 0..tank.sets[0].len() {
        let spin = Vec3::new(0.3, 0.4, 2.0).cross(tank.sets[0].positions[k]);
        tank.sets[0].velocities[k] += spin;
    }
    tank
}

#[test]
fn sheets_that_collide_keep_their_momentum() {
    let mut tank = collision(0.5);
    let before = momenta(&tank);
    let own = |tank: &Tank| -> DVec3 {
        let set = &tank.sets[0];
        (0..set.len()).map(|k| f64::from(set.masses[k]) * set.velocities[k].as_dvec3()).sum()
    };
    let first = own(&tank);
    tank.run(1.0);
    let after = momenta(&tank);
    let scale: f64 = tank.sets.iter().flat_map(|set| set.masses.iter()).map(|&mass| f64::from(mass)).sum();
    assert!((after[0] - before[0]).length() < 1e-5 * scale, "momentum changed by {}", after[0] - before[0]);
    // They did collide.
    assert!((own(&tank) - first).length() > 0.1 * first.length());
}

/// Of a sheet alone: contacts change angular momentum, by a quarter of a per cent in the collision above without friction, and by far more with
/// it, as it acts between centres that are a thickness apart and points have no spin to take it up.
#[test]
fn a_spinning_sheet_keeps_its_angular_momentum() {
    let mut tank = collision(0.0);
    tank.sets[1].positions.iter_mut().for_each(|position| position.z += 10.0);
    let before = momenta(&tank);
    tank.run(0.5);
    let after = momenta(&tank);
    let error = (after[1] - before[1]).length() / before[1].length();
    assert!(error < 3e-4, "angular momentum changed by {error}");
}

#[test]
fn energy_hardly_grows_in_a_frame() {
    let grid = Grid { corner: Vec3::new(-0.3, 0.4, 0.0), along: 0.02 * Vec3::X, across: 0.02 * Vec3::Y, columns: 30, rows: 15 };
    let mut setup = ClothSetup { thickness: 0.02, ..ClothSetup::grid("sheet", &grid) };
    setup.rest_shape = setup.vertices.clone();
    for vertex in &mut setup.vertices {
        vertex.z = 0.02 * (7.0 * vertex.x).sin();
    }
    let mut tank = Tank::new(&[setup]);
    tank.solids.floor = Some(0.0);
    tank.solids.spheres = vec![(Vec3::new(0.05, 0.1, 0.0), 0.1)];
    let mut last = tank.energy();
    let start = last;
    let mut most_gain = 0.0_f64;
    while tank.time < 2.0 {
        tank.step(FRAME);
        let now = tank.energy();
        most_gain = most_gain.max((now - last) / start);
        last = now;
    }
    println!("largest gain in a frame {most_gain:e} of the energy at the start, left {:.3}", last / start);
    assert!(most_gain < 1e-3, "energy grew by {most_gain} of {start} J in a frame");
    assert!(last < start);
}
