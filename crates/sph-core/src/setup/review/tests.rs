use super::Remark;
use crate::boundary::{Aperture, Body, Container, Dynamics, Emitter, Joint, JointEnd, JointKind, Rate, Schedule};
use crate::parameters::{Dimensions, Discretization};
use crate::setup::{BlockShape, FluidBlock, Setup};
use glam::Vec3;

/// A pool of 10 by 5 particles of 0.1 m in a tank of 1 m by 1 m.
fn pool() -> Setup {
    let water = FluidBlock::new(Vec3::ZERO, Vec3::new(1.0, 0.5, 0.0));
    Setup::new(Discretization::new(Dimensions::Two, 0.1), vec![water], vec![Container::new(Vec3::ZERO, Vec3::ONE)])
}

fn body(min: [f32; 2], max: [f32; 2]) -> Body {
    let corner = |[x, y]: [f32; 2]| Vec3::new(x, y, 0.0);
    Body { min: corner(min), max: corner(max), ..Body::default() }
}

fn with_bodies(bodies: Vec<Body>) -> Vec<Remark> {
    let setup = Setup { bodies, ..pool() };
    setup.validate().unwrap();
    setup.review()
}

#[test]
fn nothing_is_said_of_a_usual_setup() {
    assert_eq!(pool().review(), []);
    // Touching is no overlap.
    assert_eq!(with_bodies(vec![body([0.0, 0.5], [0.3, 0.7]), body([0.3, 0.5], [0.6, 0.7])]), []);
}

#[test]
fn spacings_that_do_not_divide_are_named_with_their_effect() {
    let mut setup = pool();
    setup.blocks[0].max.x = 0.97;
    let [Remark::UnevenBlock { block: 0, rows, compression, .. }] = &setup.review()[..] else { panic!("{setup:?}") };
    assert_eq!(rows, &[('x', 0.97, 10)]);
    // Ten particles, each with the mass of 0.1 m, in 0.97 m.
    assert!((compression - (1.0 / 0.97 - 1.0)).abs() < 1e-5, "{compression}");
    let text = setup.review()[0].to_string();
    assert!(text.contains("10 particles 0.097 m apart along x, so that it starts 3.1 % more dense"), "{text}");
    let mut setup = pool();
    setup.containers[0].max.y = 1.03;
    let [Remark::UnevenContainer { container: 0, axis: 'y', of_walls, .. }] = setup.review()[..] else { panic!("{setup:?}") };
    assert!((of_walls - 0.103).abs() < 1e-5);
}

#[test]
fn shapes_thinner_than_a_particle_are_named() {
    let plate = with_bodies(vec![body([0.2, 0.6], [0.8, 0.66])]);
    assert!(matches!(plate[..], [Remark::ThinBody { body: 0, axis: 'y', .. }]), "{plate:?}");
    let mut setup = pool();
    setup.blocks[0].max.y = 0.1;
    assert!(matches!(setup.review()[..], [Remark::ThinBlock { block: 0, axis: 'y' }]));
}

#[test]
fn solids_that_overlap_are_named() {
    let crossed = with_bodies(vec![body([0.1, 0.6], [0.4, 0.8]), body([0.3, 0.7], [0.6, 0.9])]);
    assert_eq!(crossed, [Remark::BodiesOverlap { first: 0, second: 1 }]);
    // The boxes of two discs overlap, the discs do not: their centres are 0.305 m apart, their radii 0.15 m.
    let disc = |[x, y]: [f32; 2]| Body { shape: BlockShape::Ellipsoid, ..body([x, y], [x + 0.3, y + 0.3]) };
    assert_eq!(with_bodies(vec![disc([0.1, 0.5]), disc([0.33, 0.7])]), []);
    let in_ceiling = with_bodies(vec![body([0.4, 0.6], [0.6, 1.05])]);
    assert_eq!(in_ceiling, [Remark::BodyInWall { body: 0, container: 0 }]);
    let mut setup = pool();
    setup.containers.push(Container::new(Vec3::new(0.5, 0.6, 0.0), Vec3::new(1.5, 1.6, 0.0)));
    assert_eq!(setup.review(), [Remark::ContainersOverlap { first: 0, second: 1 }]);
}

#[test]
fn fluid_near_the_speed_of_sound_is_named() {
    let mut setup = pool();
    let sound_speed = setup.parameters.fluid.sound_speed;
    setup.blocks[0].velocity.x = 0.2 * sound_speed;
    assert_eq!(setup.review(), []);
    setup.blocks[0].velocity.x = 3.0 * sound_speed;
    assert!(matches!(setup.review()[..], [Remark::FastFluid { .. }]));
    assert!(setup.review()[0].to_string().contains("3 times the speed of sound"));
}

#[test]
fn solids_and_emitters_outside_the_containers_are_named() {
    assert_eq!(with_bodies(vec![body([2.0, 0.5], [2.3, 0.7])]), [Remark::BodyOutside { body: 0 }]);
    let mut setup = pool();
    let emitter = |center| Emitter {
        center,
        direction: Vec3::X,
        aperture: Aperture::Round { radius: 0.2 },
        rate: Rate::Speed(Schedule::constant(1.0).unwrap()),
        fluid: 0,
    };
    setup.openings.emitters = vec![emitter(Vec3::new(0.5, 0.8, 0.0)), emitter(Vec3::new(-0.5, 0.8, 0.0))];
    assert_eq!(setup.review(), [Remark::EmitterOutside { emitter: 1 }]);
}

#[test]
fn bodies_and_joints_that_pull_too_hard_are_named() {
    let free = |density| Body { density, dynamics: Some(Dynamics::default()), ..body([0.3, 0.6], [0.6, 0.9]) };
    assert_eq!([100.0, 1000.0, 10_000.0].map(|density| with_bodies(vec![free(density)])), [vec![], vec![], vec![]]);
    assert_eq!(with_bodies(vec![free(20.0)]), [Remark::UnusualDensity { body: 0, ratio: 0.02 }]);
    assert_eq!(with_bodies(vec![free(20_000.0)]), [Remark::UnusualDensity { body: 0, ratio: 20.0 }]);
    let (anchor, to_anchor) = (Vec3::new(0.4, 0.7, 0.0), Vec3::new(0.4, 0.9, 0.0));
    let rope = |length| Joint {
        kind: JointKind::Rope,
        body: 0,
        to: JointEnd::Space,
        anchor,
        to_anchor,
        axis: Vec3::Z,
        limits: None,
        motor: None,
        length,
        stiffness: 0.0,
        damping: 0.0,
    };
    let hinge = Joint { kind: JointKind::Hinge, limits: Some([0.5, 1.0]), ..rope(0.0) };
    let setup = Setup { bodies: vec![free(500.0)], joints: vec![rope(0.2), rope(0.1), hinge], ..pool() };
    let [Remark::StrainedJoint { joint: 1, distance: Some(distance) }, Remark::StrainedJoint { joint: 2, distance: None }] =
        setup.review()[..]
    else {
        panic!("{:?}", setup.review())
    };
    assert!((distance - 0.2).abs() < 1e-6);
}
