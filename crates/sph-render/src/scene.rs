//! Drawable geometry of a scene: tanks, bounding box, initial camera.

use crate::camera::Camera;
use glam::Vec3;
use sph_core::{Container, Dimensions, Pose, Setup};
use sph_io::Look;

/// Containers of the scene, and the box between its periodic faces, m; flat in two dimensions.
pub fn scene_boxes(setup: &Setup) -> Vec<(Vec3, Vec3)> {
    let mut boxes: Vec<_> =
        setup.containers.iter().map(|container| flatten_in_2d(setup, container.min, container.max)).collect();
    boxes.extend(periodic_box(setup).filter(|periodic| !boxes.contains(periodic)));
    boxes
}

/// What is drawn, as far as it decides which looks are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Dimensions of the scene.
    pub dimensions: Dimensions,
    /// True for a picture without its background.
    pub transparent: bool,
    /// True if single particles are looked at: those of a query or of a bucket.
    pub particles: bool,
}

/// Look in which a subject is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnLook {
    /// The look: that asked for, or spheres.
    pub look: Look,
    /// Reason why it is not the one asked for, in a sentence.
    pub reason: Option<&'static str>,
}

/// Reason for which a fluid in the plane has no look of water.
pub const NO_WATER: &str = "Water is only drawn in three dimensions.";

/// Look in which `subject` is drawn if `asked` is chosen: the one place that decides, for pictures, legends and captions.
pub fn drawn_look(asked: Look, subject: Subject) -> DrawnLook {
    let reason = match (asked, subject) {
        (Look::Water, Subject { dimensions: Dimensions::Two, .. }) => NO_WATER,
        (Look::Water, Subject { transparent: true, .. }) => "Water shows what lies behind it, so it needs a background.",
        (Look::Water, Subject { particles: true, .. }) => "Water would hide the particles you are looking at.",
        _ => return DrawnLook { look: asked, reason: None },
    };
    DrawnLook { look: Look::Spheres, reason: Some(reason) }
}

/// Poses of the containers at `time` (s), in the order of [`scene_boxes`]; none if no container ever moves.
pub fn tank_poses(containers: &[Container], time: f64) -> Vec<Pose> {
    if !containers.iter().any(|container| container.motion.moves()) {
        return Vec::new();
    }
    containers.iter().map(|container| container.motion.pose(time)).collect()
}

/// Box between the periodic faces, m; along other axes the extent of containers and fluid. `None` without periodic faces.
fn periodic_box(setup: &Setup) -> Option<(Vec3, Vec3)> {
    let domain = setup.domain.flat(setup.discretization.dimensions);
    let containers = setup.containers.iter().map(|container| (container.min, container.max));
    let boxes = setup.fluid_boxes().chain(containers);
    let (low, high) = boxes.reduce(|(low, high), (min, max)| (low.min(min), high.max(max)))?;
    let corner = |face, end| Vec3::select(domain.periodic, face, end);
    domain.repeats().then(|| flatten_in_2d(setup, corner(domain.min, low), corner(domain.max, high)))
}

/// Bounding box of containers, periodic faces, and the initial fluid and bodies, m.
pub fn scene_bounds(setup: &Setup) -> (Vec3, Vec3) {
    let fluid = setup.fluid_boxes().map(|(min, max)| flatten_in_2d(setup, min, max));
    let bodies = setup.bodies.iter().map(|body| flatten_in_2d(setup, body.min, body.max));
    let points = setup.points.iter().filter_map(|points| points.source().outline()).map(|outline| outline.bounds.into());
    let boxes = scene_boxes(setup).into_iter().chain(fluid).chain(bodies).chain(points);
    boxes.reduce(|(low, high), (min, max)| (low.min(min), high.max(max))).unwrap_or((Vec3::ZERO, Vec3::ONE))
}

/// Initial camera: `eye` and `target` if the scene gives them, else a view of the whole scene at `aspect` (width over height).
pub fn first_camera(setup: &Setup, eye: Option<Vec3>, target: Option<Vec3>, aspect: f32) -> Camera {
    let (min, max) = scene_bounds(setup);
    let framed = Camera::frame(min, max, aspect);
    match (eye, target) {
        (Some(eye), target) => Camera { fov_y: framed.fov_y, ..Camera::look(eye, target.unwrap_or(0.5 * (min + max))) },
        (None, Some(target)) => Camera { target, ..framed },
        (None, None) => framed,
    }
}

fn flatten_in_2d(setup: &Setup, min: Vec3, max: Vec3) -> (Vec3, Vec3) {
    match setup.discretization.dimensions {
        Dimensions::Two => (min.with_z(0.0), max.with_z(0.0)),
        Dimensions::Three => (min, max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(dimensions: u32) -> Setup {
        let text = format!(
            "format = 1\ntitle = 'Box'\ndimensions = {dimensions}\n[particles]\nspacing = 0.05\n[[fluid.blocks]]\n\
             min = [0.0, 0.0, 0.0]\nmax = [0.5, 0.5, 0.5]\n[[containers]]\nmin = [0.0, 0.0, 0.0]\nmax = [2.0, 1.0, 0.5]\n"
        );
        sph_io::parse(&text, "box", &[]).expect("the scene is valid").setup
    }

    #[test]
    fn water_needs_depth_a_background_and_a_whole_fluid() {
        let usual = Subject { dimensions: Dimensions::Three, transparent: false, particles: false };
        let without = [
            Subject { dimensions: Dimensions::Two, ..usual },
            Subject { transparent: true, ..usual },
            Subject { particles: true, ..usual },
        ];
        assert_eq!(drawn_look(Look::Water, usual), DrawnLook { look: Look::Water, reason: None });
        let drawn = without.map(|subject| drawn_look(Look::Water, subject));
        assert!(drawn.iter().all(|drawn| drawn.look == Look::Spheres && drawn.reason.is_some()));
        for (look, subject) in [Look::Spheres, Look::Points, Look::Surface].into_iter().zip(without) {
            assert_eq!(drawn_look(look, subject), DrawnLook { look, reason: None });
        }
    }

    #[test]
    fn flat_scenes_have_flat_tanks_and_are_seen_straight_on() {
        assert_eq!(scene_boxes(&setup(3)), [(Vec3::ZERO, Vec3::new(2.0, 1.0, 0.5))]);
        assert_eq!(scene_boxes(&setup(2)), [(Vec3::ZERO, Vec3::new(2.0, 1.0, 0.0))]);
        assert_eq!(first_camera(&setup(2), None, None, 1.5).pitch, 0.0);
        assert!(first_camera(&setup(3), None, None, 1.5).pitch > 0.0);
    }

    #[test]
    fn a_camera_given_by_the_scene_is_used() {
        let (eye, target) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.5, 0.5, 0.0));
        let camera = first_camera(&setup(3), Some(eye), Some(target), 1.5);
        assert!(camera.eye().abs_diff_eq(eye, 1e-5) && camera.target == target);
        assert_eq!(first_camera(&setup(3), None, Some(target), 1.5).target, target);
    }
}
