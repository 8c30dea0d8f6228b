//! Planes against the layers that they stand for.

use super::*;
use crate::boundary::BoundaryParticles;
use crate::kernel::{Kernel, SmoothingKernel};
use crate::parameters::{Dimensions, KernelKind, WallSampling};
use crate::space::{Domain, lattice_sum};

const SPACING: f32 = 0.1;

/// What holds fluid: not along any axis, m/s².
const GRAVITY: Vec3 = Vec3::new(3.0, -9.0, 2.0);

fn discretization(dimensions: Dimensions, kernel: KernelKind, ratio: f32) -> Discretization {
    Discretization { dimensions, particle_spacing: SPACING, kernel, support_radius: ratio * SPACING, rest_density: 1000.0 }
}

/// A box from 0 to 1 without a lid.
fn tank() -> Container {
    let faces = Face::ALL.into_iter().filter(|&face| face != Face::YMax).collect();
    Container { max: Vec3::ONE, faces, ..Container::default() }
}

fn planes(discretization: &Discretization) -> Planes {
    Planes::new(discretization, vec![tank()])
}

/// What the layers of the closed box are to a particle: Σ V W, Σ V ∇W and Σ V (γ·r) ∇W.
fn layers(discretization: &Discretization, place: Vec3, gravity: Vec3) -> (f32, Vec3, Vec3) {
    let Discretization { kernel, dimensions, support_radius, .. } = *discretization;
    let volume = discretization.particle_volume() / lattice_sum(discretization);
    let mut particles = BoundaryParticles::default();
    tank().sample(discretization, (&Domain::default(), WallSampling::Layers), volume, &mut particles);
    let kernel = Kernel::new(kernel, dimensions, support_radius);
    let (mut density, mut gradient, mut slope) = (0.0, Vec3::ZERO, Vec3::ZERO);
    for way in particles.positions.iter().map(|position| *position - place).filter(|way| way.length() < support_radius) {
        let toward = volume * kernel.grad_w(-way);
        density += volume * kernel.w(way.length());
        gradient += toward;
        slope += gravity.dot(way) * toward;
    }
    (density, gradient, slope)
}

const CASES: [(Dimensions, KernelKind, f32); 6] = [
    (Dimensions::Two, KernelKind::CubicSpline, 2.0),
    (Dimensions::Two, KernelKind::WendlandC2, 3.0),
    (Dimensions::Two, KernelKind::WendlandC4, 3.0),
    (Dimensions::Three, KernelKind::CubicSpline, 2.0),
    (Dimensions::Three, KernelKind::WendlandC2, 2.6),
    (Dimensions::Three, KernelKind::WendlandC2, 3.0),
];

/// Largest differences of density, of gradient (times the support radius) and of slope (over γ) between planes and layers, at `places`.
fn differences(discretization: &Discretization, places: &[Vec3]) -> [f32; 3] {
    let planes = planes(discretization);
    let flat = |place: Vec3| if discretization.dimensions == Dimensions::Two { place.with_z(0.0) } else { place };
    let gravity = flat(GRAVITY);
    places.iter().fold([0.0; 3], |[a, b, c], &place| {
        let place = flat(place);
        let wall_integral = planes.wall_integral(place, ExternalForces::new(gravity, &[], 0.0, &Domain::default()));
        let (density, gradient, slope) = layers(discretization, place, gravity);
        let turned = (wall_integral.gradient - gradient).length() * discretization.support_radius;
        [
            a.max((wall_integral.density - density).abs()),
            b.max(turned),
            c.max((wall_integral.slope - slope).length() / gravity.length()),
        ]
    })
}

/// The lattice place in this column, row and slice, m.
fn lattice(column: u8, row: u8, slice: u8) -> Vec3 {
    (Vec3::new(column.into(), row.into(), slice.into()) + 0.5) * SPACING
}

#[test]
fn a_lattice_beside_a_plane_feels_what_layers_are() {
    for (dimensions, kernel, ratio) in CASES {
        let discretization = discretization(dimensions, kernel, ratio);
        let places =
            [lattice(5, 0, 5), lattice(5, 1, 5), lattice(5, 2, 5), lattice(0, 5, 5), lattice(9, 5, 5), lattice(8, 5, 5)];
        let [density, gradient, slope] = differences(&discretization, &places);
        assert!(density < 1e-3 && gradient < 1e-2 && slope < 2e-2, "{kernel:?} {ratio}: {density} {gradient} {slope}");
    }
}

#[test]
fn a_lattice_in_edges_and_corners_feels_about_what_layers_are() {
    for (dimensions, kernel, ratio) in CASES {
        let discretization = discretization(dimensions, kernel, ratio);
        let mut places = vec![lattice(0, 0, 5), lattice(1, 0, 5), lattice(1, 1, 5), lattice(9, 0, 5), lattice(8, 1, 5)];
        places.extend([lattice(0, 0, 0), lattice(1, 0, 0), lattice(1, 1, 1), lattice(9, 0, 9), lattice(8, 1, 0)]);
        let [density, gradient, slope] = differences(&discretization, &places);
        assert!(density < 2e-2 && gradient < 0.1 && slope < 0.1, "{kernel:?} {ratio}: {density} {gradient} {slope}");
    }
}

/// Between the places of a lattice layers are rough, and planes are their mean.
#[test]
fn planes_are_the_mean_of_layers() {
    for (dimensions, kernel, ratio) in CASES {
        let discretization = discretization(dimensions, kernel, ratio);
        let planes = planes(&discretization);
        for height in [0.02, 0.08, 0.1, 0.15] {
            let (mut density, mut gradient) = (0.0, Vec3::ZERO);
            for n in 0..64u8 {
                let z = if dimensions == Dimensions::Two { 0.0 } else { 0.5 + SPACING * f32::from(n / 8) / 8.0 };
                let place = Vec3::new(0.5 + SPACING * f32::from(n % 8) / 8.0, height, z);
                let sums = layers(&discretization, place, Vec3::ZERO);
                density += sums.0 / 64.0;
                gradient += sums.1 / 64.0;
            }
            let wall_integral = planes.wall_integral(
                Vec3::new(0.5, height, if dimensions == Dimensions::Two { 0.0 } else { 0.5 }),
                ExternalForces::NONE,
            );
            let turned = (wall_integral.gradient - gradient).length() * discretization.support_radius;
            assert!(
                (wall_integral.density - density).abs() < 1e-2 && turned < 8e-2,
                "{dimensions:?} {kernel:?} {ratio} {height}: {wall_integral:?}"
            );
        }
    }
}

#[test]
fn open_faces_and_the_middle_touch_nothing() {
    let discretization = discretization(Dimensions::Three, KernelKind::CubicSpline, 2.0);
    let planes = planes(&discretization);
    for place in [Vec3::splat(0.5), Vec3::new(0.5, 0.99, 0.5), Vec3::new(0.5, 3.0, 0.5), Vec3::new(-0.5, 0.5, 0.5)] {
        assert_eq!(planes.density(place), 0.0, "{place}");
    }
    // Beside the open face the wall goes on for as long as layers do.
    assert!(planes.density(Vec3::new(0.05, 1.1, 0.5)) > 0.1);
    assert_eq!(Planes::default().density(Vec3::ZERO), 0.0);
}

/// Solvers look at places that no particle will come to.
#[test]
fn a_place_a_little_behind_a_wall_is_held_as_one_at_it() {
    let discretization = discretization(Dimensions::Three, KernelKind::CubicSpline, 2.0);
    let planes = planes(&discretization);
    let at = planes.density(Vec3::new(0.5, 0.0, 0.5));
    assert!(at > 0.3, "{at}");
    assert_eq!(planes.density(Vec3::new(0.5, -0.04, 0.5)), at);
}

#[test]
fn pressure_is_continued_and_fluid_without_any_is_let_alone() {
    let discretization = discretization(Dimensions::Two, KernelKind::WendlandC2, 3.0);
    let external = ExternalForces::new(Vec3::new(0.0, -9.75, 0.0), &[], 0.0, &Domain::default());
    let wall_integral = planes(&discretization).wall_integral(Vec3::new(0.05, 0.5, 0.0), external);
    assert_eq!(wall_integral.push(WallPressure::Extrapolated, (0.0, 0.0), 1000.0, true), Vec3::ZERO);
    let one_sided = wall_integral.push(WallPressure::OneSided, (50.0, 50.0), 1000.0, true);
    assert_eq!(wall_integral.push(WallPressure::Extrapolated, (50.0, 50.0), 1000.0, false), 2.0 * one_sided);
    // Beside a wall, what is held is the part of the fluid that the wall is of the neighbourhood.
    let held = wall_integral.push(WallPressure::Extrapolated, (1e4, 1e4), 1000.0, true).y / 1000.0;
    assert!((held - 9.75 * wall_integral.density).abs() < 1e-3, "{held}");
}
