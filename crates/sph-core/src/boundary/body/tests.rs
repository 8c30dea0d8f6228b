//! Bodies: their particles fill a shell behind the surface, and confined particles stay outside.

use super::sampling::ring;
use super::*;
use crate::boundary::BoundaryParticles;
use crate::parameters::{Discretization, KernelKind, WallSampling};
use std::f32::consts::PI;

const SPACING: f32 = 0.1;

fn discretization(dimensions: Dimensions) -> Discretization {
    let kernel = KernelKind::WendlandC2;
    Discretization { dimensions, particle_spacing: SPACING, kernel, support_radius: 3.0 * SPACING, rest_density: 1000.0 }
}

fn body(shape: BlockShape) -> Body {
    Body { min: Vec3::new(-1.0, -0.6, -0.8), max: Vec3::new(1.0, 0.6, 0.8), shape, ..Body::default() }
}

fn each() -> impl Iterator<Item = (Body, Dimensions)> {
    let shapes = [BlockShape::Box, BlockShape::Ellipsoid];
    shapes
        .into_iter()
        .flat_map(|shape| [Dimensions::Two, Dimensions::Three].map(|dimensions| (body(shape.clone()), dimensions)))
}

#[test]
fn layers_fill_a_shell_of_a_support_radius() {
    for (body, dimensions) in each() {
        let mut particles = BoundaryParticles::default();
        let volume = SPACING.powi(dimensions.count() as i32);
        body.sample(&discretization(dimensions), WallSampling::Layers, volume, &mut particles);
        let count = particles.len();
        assert!(count > 0 && count as u64 <= body.particle_count(&discretization(dimensions)), "{body:?} {count}");
        assert!([particles.volumes.len(), particles.velocities.len(), particles.pressures.len()] == [count; 3]);
        for (index, &position) in particles.positions.iter().enumerate() {
            let depth = -body.support(dimensions, position).distance;
            assert!((0.0..4.0 * SPACING).contains(&depth), "{position} is {depth} m deep in {body:?}");
            let close = particles.positions[..index].iter().any(|other| other.distance(position) < 0.5 * SPACING);
            assert!(!close, "{position} twice");
        }
        // A shell three layers thick, by area or volume of the box or ellipsoid and of the hollow.
        let half = body.half_extent();
        let shape = |half: Vec3| match (&body.shape, dimensions) {
            (BlockShape::Box, Dimensions::Two) => 4.0 * half.x * half.y,
            (BlockShape::Box, Dimensions::Three) => 8.0 * half.element_product(),
            (BlockShape::Ellipsoid, Dimensions::Two) => PI * half.x * half.y,
            (BlockShape::Ellipsoid, Dimensions::Three) => 4.0 / 3.0 * PI * half.element_product(),
            (BlockShape::Solid(_), _) => unreachable!("its layers are tested with the geometry"),
        };
        let expected = shape(half) - shape(half - 3.0 * SPACING);
        let total: f32 = particles.volumes.iter().sum();
        // The shell of an ellipsoid on a lattice is up to half a layer thicker, on both sides.
        let slack = if body.shape == BlockShape::Ellipsoid && dimensions == Dimensions::Three { 0.15 } else { 1e-3 };
        assert!((total / expected - 1.0).abs() < slack, "{body:?} {dimensions:?}: {total} of {expected}");
    }
}

#[test]
fn rings_are_even() {
    let points = ring([1.0, 0.6], SPACING);
    let gaps = (0..points.len()).map(|index| points[index].distance(points[(index + 1) % points.len()]));
    let (least, most) = gaps.fold((f32::INFINITY, 0.0f32), |(least, most), gap| (least.min(gap), most.max(gap)));
    assert!(least > 0.97 * SPACING && most < 1.03 * SPACING, "{least} to {most}");
}

#[test]
fn confined_particles_stay_outside() {
    let own = Vec3::new(0.3, -0.2, 0.0);
    for (body, dimensions) in each() {
        let (clearance, dt, mut stopped) = (0.01, 0.5, 0);
        for n in 0..5000u16 {
            let random = |factor: f32| 2.0 * (f32::from(n) * factor).fract() - 1.0;
            let depth = if dimensions == Dimensions::Two { 0.0 } else { 1.0 };
            let position = 2.0 * Vec3::new(random(0.819_172_5), random(0.671_043_6), depth * random(0.549_700_5));
            let velocity = 5.0 * Vec3::new(random(0.754_877_7), random(0.569_840_3), depth * random(0.430_159_7));
            let before = body.support(dimensions, position).distance;
            if before <= clearance {
                continue;
            }
            let confined = body.confine(dimensions, clearance, dt, (position, own), velocity);
            // Along the whole path, relative to the body.
            let nearest = (0..=50u16).map(|share| position + f32::from(share) / 50.0 * dt * (confined - own));
            let least = nearest.map(|at| body.support(dimensions, at).distance).fold(f32::INFINITY, f32::min);
            assert!(least > 0.9 * clearance, "{body:?}: {position} with {velocity}, then {confined}, comes to {least}");
            if !body.is_hit(dimensions, clearance, position, dt * (velocity - own)) {
                assert_eq!(confined, velocity);
            }
            stopped += usize::from(confined != velocity);
        }
        assert!(stopped > 100, "{stopped} of 5000 would have got into {body:?}");
    }
}

#[test]
fn boxes_that_touch_do_not_overlap() {
    let solid = body(BlockShape::Box);
    let round = body(BlockShape::Ellipsoid);
    let overlaps = |body: &Body, min: [f32; 2], max: [f32; 2]| {
        let at = |[x, y]: [f32; 2]| Vec3::new(x, y, 0.0);
        body.overlaps_box(Dimensions::Two, at(min), at(max), 1e-4)
    };
    assert!(!overlaps(&solid, [1.0, -1.0], [2.0, 1.0]) && overlaps(&solid, [0.99, -1.0], [2.0, 1.0]));
    // The ellipse leaves the corners of its box free.
    assert!(overlaps(&solid, [0.9, 0.5], [2.0, 1.0]) && !overlaps(&round, [0.9, 0.5], [2.0, 1.0]));
    assert!(overlaps(&round, [0.6, 0.4], [2.0, 1.0]) && overlaps(&round, [-2.0, -2.0], [2.0, 2.0]));
}

/// Without a walk through its inside, which would take hours for the largest body that has few enough particles.
#[test]
fn a_large_box_is_sampled_as_fast_as_its_shell_is_large() {
    let half = Vec3::new(2e4, 2e4, 0.0);
    let body = Body { min: -half, max: half, ..Body::default() };
    let discretization = discretization(Dimensions::Two);
    assert_eq!(body.particles(&discretization).len() as u64, body.particle_count(&discretization));
}
