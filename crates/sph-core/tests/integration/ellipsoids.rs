//! Ellipsoids of the particles against closed forms: inside the fluid, in sheets and filaments, at the surface, alone.

use glam::{BVec3, EulerRot, Mat3, Vec3};
use sph_core::probes::{Ellipsoid, Vicinity};
use sph_core::{Container, Dimensions, Domain, Engine as _, FluidBlock, InitialPressure, Particles, Simulation, View};

const SPACING: f32 = 0.02;

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
    let mut setup = crate::common::setup(Dimensions::Three, SPACING, vec![block], containers);
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
