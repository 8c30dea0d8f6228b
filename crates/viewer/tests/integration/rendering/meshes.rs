//! Triangle meshes among particles.

use super::support::*;
use glam::{DVec3, Vec3};
use sph_core::{Pose, Triangulation};
use viewer::render::{Frame, Mesh};

const RED: [u8; 3] = [200, 40, 30];

#[test]
fn a_mesh_hides_what_is_behind_it_where_its_pose_says() {
    let camera = straight();
    let cube = Triangulation::of_box(Vec3::splat(-1.0), Vec3::splat(1.0));
    let pose = Pose { displacement: DVec3::new(2.0, 0.0, 0.0), ..Pose::default() };
    let mesh = Mesh {
        vertices: &cube.vertices,
        normals: &cube.normals,
        triangles: &cube.triangles,
        pose,
        color: RED,
        from_inside: false,
    };
    // Blue particles: before the cube, behind it, and where it was described.
    let particles = [Vec3::new(2.6, 0.6, 2.0), Vec3::new(2.0, 0.0, -4.0), Vec3::ZERO];
    let small = Frame { radius: 0.2, ..frame(&particles, &[0.0; 3], &camera) };
    let picture = picture(SIZE, &Frame { meshes: &[mesh], ..small });
    let seen = |place: Vec3| warmth(at(&picture, pixel_of(place, &camera)));
    assert!(seen(particles[0]) < -10, "the particle before the cube is hidden");
    assert!(seen(Vec3::new(2.0, 0.0, 1.0)) > 60, "the cube is missing");
    assert!(seen(particles[1]) > 60, "the particle behind the cube shows through");
    assert!(seen(particles[2]) < -10, "the cube is where it was described");
}

#[test]
fn the_side_that_faces_the_light_is_brighter() {
    let camera = straight();
    let ball = Triangulation::of_ellipsoid(Vec3::splat(-2.0), Vec3::splat(2.0));
    let pose = Pose::default();
    let mesh = Mesh {
        vertices: &ball.vertices,
        normals: &ball.normals,
        triangles: &ball.triangles,
        pose,
        color: RED,
        from_inside: false,
    };
    let picture = picture(SIZE, &Frame { meshes: &[mesh], ..frame(&[], &[], &camera) });
    let brightness = |x: f32, y: f32| {
        let [red, green, blue, _] = at(&picture, pixel_of(Vec3::new(x, y, 0.0), &camera));
        u32::from(red) + u32::from(green) + u32::from(blue)
    };
    // The light comes from the upper left.
    assert!(brightness(-1.0, 1.2) > brightness(1.0, -1.2) + 60);
}
