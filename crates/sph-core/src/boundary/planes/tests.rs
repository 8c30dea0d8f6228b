//! Analytic walls against the layers of particles that they replace.

use super::*;
use crate::boundary::BoundaryParticles;
use crate::kernel::{Kernel, SmoothingKernel};
use crate::parameters::{Dimensions, KernelKind, WallSampling};
use crate::space::{Domain, lattice_sum};

const SPACING: f32 = 0.1;

/// External acceleration γ, along none of the axes, m/s².
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

/// Sums over layers of particles around the tank: Σ V W, Σ V ∇W and Σ V (γ·r) ∇W.
fn layers(discretization: &Discretization, position: Vec3, gravity: Vec3) -> (f32, Vec3, Vec3) {
    let Discretization { kernel, dimensions, support_radius, .. } = *discretization;
    let volume = discretization.particle_volume() / lattice_sum(discretization);
    let mut particles = BoundaryParticles::default();
    tank().sample(discretization, (&Domain::default(), WallSampling::Layers), volume, &mut particles);
    let kernel = Kernel::new(kernel, dimensions, support_radius);
    let (mut density, mut gradient, mut hydrostatic) = (0.0, Vec3::ZERO, Vec3::ZERO);
    for r in particles.positions.iter().map(|other| *other - position).filter(|r| r.length() < support_radius) {
        let grad_w = volume * kernel.grad_w(-r);
        density += volume * kernel.w(r.length());
        gradient += grad_w;
        hydrostatic += gravity.dot(r) * grad_w;
    }
    (density, gradient, hydrostatic)
}

const CASES: [(Dimensions, KernelKind, f32); 6] = [
    (Dimensions::Two, KernelKind::CubicSpline, 2.0),
    (Dimensions::Two, KernelKind::WendlandC2, 3.0),
    (Dimensions::Two, KernelKind::WendlandC4, 3.0),
    (Dimensions::Three, KernelKind::CubicSpline, 2.0),
    (Dimensions::Three, KernelKind::WendlandC2, 2.6),
    (Dimensions::Three, KernelKind::WendlandC2, 3.0),
];

/// Largest differences between planes and layers at `points`: of the density, the gradient (times the support radius) and the
/// hydrostatic integral (over |γ|).
fn differences(discretization: &Discretization, points: &[Vec3]) -> [f32; 3] {
    let planes = planes(discretization);
    let flat = |position: Vec3| if discretization.dimensions == Dimensions::Two { position.with_z(0.0) } else { position };
    let gravity = flat(GRAVITY);
    points.iter().fold([0.0; 3], |[a, b, c], &position| {
        let position = flat(position);
        let wall_integral = planes.wall_integral(position, ExternalForces::new(gravity, &[], 0.0, &Domain::default()));
        let (density, gradient, hydrostatic) = layers(discretization, position, gravity);
        [
            a.max((wall_integral.density - density).abs()),
            b.max((wall_integral.gradient - gradient).length() * discretization.support_radius),
            c.max((wall_integral.hydrostatic - hydrostatic).length() / gravity.length()),
        ]
    })
}

/// Lattice point in this column, row and slice, m.
fn lattice(column: u8, row: u8, slice: u8) -> Vec3 {
    (Vec3::new(column.into(), row.into(), slice.into()) + 0.5) * SPACING
}

#[test]
fn planes_agree_with_layers_beside_one_plane() {
    for (dimensions, kernel, ratio) in CASES {
        let discretization = discretization(dimensions, kernel, ratio);
        let points =
            [lattice(5, 0, 5), lattice(5, 1, 5), lattice(5, 2, 5), lattice(0, 5, 5), lattice(9, 5, 5), lattice(8, 5, 5)];
        let [density, gradient, hydrostatic] = differences(&discretization, &points);
        assert!(
            density < 1e-3 && gradient < 1e-2 && hydrostatic < 2e-2,
            "{kernel:?} {ratio}: {density} {gradient} {hydrostatic}"
        );
    }
}

#[test]
fn planes_agree_roughly_with_layers_in_edges_and_corners() {
    for (dimensions, kernel, ratio) in CASES {
        let discretization = discretization(dimensions, kernel, ratio);
        let mut points = vec![lattice(0, 0, 5), lattice(1, 0, 5), lattice(1, 1, 5), lattice(9, 0, 5), lattice(8, 1, 5)];
        points.extend([lattice(0, 0, 0), lattice(1, 0, 0), lattice(1, 1, 1), lattice(9, 0, 9), lattice(8, 1, 0)]);
        let [density, gradient, hydrostatic] = differences(&discretization, &points);
        assert!(
            density < 2e-2 && gradient < 0.1 && hydrostatic < 0.1,
            "{kernel:?} {ratio}: {density} {gradient} {hydrostatic}"
        );
    }
}

/// Off the lattice points, the sums of layers depend on the position along the plane; those of planes are their mean.
#[test]
fn planes_are_the_mean_of_layers() {
    for (dimensions, kernel, ratio) in CASES {
        let discretization = discretization(dimensions, kernel, ratio);
        let planes = planes(&discretization);
        for height in [0.02, 0.08, 0.1, 0.15] {
            let (mut density, mut gradient) = (0.0, Vec3::ZERO);
            for n in 0..64u8 {
                let z = if dimensions == Dimensions::Two { 0.0 } else { 0.5 + SPACING * f32::from(n / 8) / 8.0 };
                let position = Vec3::new(0.5 + SPACING * f32::from(n % 8) / 8.0, height, z);
                let sums = layers(&discretization, position, Vec3::ZERO);
                density += sums.0 / 64.0;
                gradient += sums.1 / 64.0;
            }
            let wall_integral = planes.wall_integral(
                Vec3::new(0.5, height, if dimensions == Dimensions::Two { 0.0 } else { 0.5 }),
                ExternalForces::NONE,
            );
            let error = (wall_integral.gradient - gradient).length() * discretization.support_radius;
            assert!(
                (wall_integral.density - density).abs() < 1e-2 && error < 8e-2,
                "{dimensions:?} {kernel:?} {ratio} {height}: {wall_integral:?}"
            );
        }
    }
}

#[test]
fn density_is_zero_at_open_faces_and_in_the_middle() {
    let discretization = discretization(Dimensions::Three, KernelKind::CubicSpline, 2.0);
    let planes = planes(&discretization);
    for position in [Vec3::splat(0.5), Vec3::new(0.5, 0.99, 0.5), Vec3::new(0.5, 3.0, 0.5), Vec3::new(-0.5, 0.5, 0.5)] {
        assert_eq!(planes.density(position), 0.0, "{position}");
    }
    // Above the open face the wall extends by a support radius, as layers do.
    assert!(planes.density(Vec3::new(0.05, 1.1, 0.5)) > 0.1);
    assert_eq!(Planes::default().density(Vec3::ZERO), 0.0);
}

/// Predicted positions of a solver may lie a little behind a wall.
#[test]
fn density_a_little_behind_a_wall_is_that_at_the_wall() {
    let discretization = discretization(Dimensions::Three, KernelKind::CubicSpline, 2.0);
    let planes = planes(&discretization);
    let at = planes.density(Vec3::new(0.5, 0.0, 0.5));
    assert!(at > 0.3, "{at}");
    assert_eq!(planes.density(Vec3::new(0.5, -0.04, 0.5)), at);
}

#[test]
fn wall_pressure_is_hydrostatic_and_zero_for_fluid_without_pressure() {
    let discretization = discretization(Dimensions::Two, KernelKind::WendlandC2, 3.0);
    let external = ExternalForces::new(Vec3::new(0.0, -9.75, 0.0), &[], 0.0, &Domain::default());
    let wall_integral = planes(&discretization).wall_integral(Vec3::new(0.05, 0.5, 0.0), external);
    assert_eq!(wall_integral.push(WallPressure::Extrapolated, (0.0, 0.0), 1000.0, true), Vec3::ZERO);
    let one_sided = wall_integral.push(WallPressure::OneSided, (50.0, 50.0), 1000.0, true);
    assert_eq!(wall_integral.push(WallPressure::Extrapolated, (50.0, 50.0), 1000.0, false), 2.0 * one_sided);
    // Along a vertical wall, the acceleration is that part of g that the wall is of the neighbourhood: λ g.
    let acceleration = wall_integral.push(WallPressure::Extrapolated, (1e4, 1e4), 1000.0, true).y / 1000.0;
    assert!((acceleration - 9.75 * wall_integral.density).abs() < 1e-3, "{acceleration}");
}
