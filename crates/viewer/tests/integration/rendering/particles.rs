//! Spheres, tank edges, culling, invalid input; triangle meshes among particles, and the balls of a set of points.

use super::*;
use crate::tracers::Tracers;
use glam::{DVec3, Vec2, Vec3};
use sph_color::{ColorField, ColorMap};
use sph_core::point_sets::PointSetup;
use sph_core::{Engine as _, Particles, Pose, Simulation, Triangulation};
use sph_io::{ColorMapName, Look, PointColors};
use sph_render::camera::Camera;
use sph_render::{
    Frame, Mesh, Overlay, Picture, PictureContents, PictureOptions, Renderer, SceneFrame, ShownFluid, ShownSets, Sides,
    ViewStyle,
};
use std::sync::Arc;

#[test]
fn a_sphere_covers_its_outline_and_nothing_else() {
    let camera = straight();
    let empty = picture(SIZE, &frame(&[], &[], &camera));
    let sphere = picture(SIZE, &frame(&[Vec3::ZERO], &[1.0], &camera));
    let middle = pixel_of(Vec3::ZERO, &camera);
    // The tangent rays of a sphere of radius 1 at distance 10 pass its centre at a distance of 1 / sqrt(1 − 1/100) in its
    // plane.
    let radius = pixel_of(Vec3::X * 1.005_04, &camera).x - middle.x;
    // The pictures may differ below the horizon, by the floor under the particle; above it only by the sphere.
    for y in 0..SIZE[1] {
        for x in 0..SIZE[0] {
            let distance = (Vec2::new(x as f32, y as f32) + 0.5).distance(middle);
            let (with, without) = (sphere.pixel(x, y), empty.pixel(x, y));
            if distance < radius - 1.0 {
                assert!(warmth(with) > 10, "hole at {x}, {y}: {with:?}");
            } else if distance > radius + 1.0 {
                assert!(warmth(with) < 5, "{x}, {y} is outside: {with:?}");
                assert!((y as f32) > middle.y || with == without, "{x}, {y} is outside: {with:?} instead of {without:?}");
            }
        }
    }
}

#[test]
fn a_sphere_off_the_axis_is_an_ellipse_of_the_right_size() {
    let camera = straight();
    let center = Vec3::new(3.5, 2.0, 3.0);
    let picture = picture(SIZE, &frame(&[center], &[1.0], &camera));
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    for y in 0..SIZE[1] {
        for x in 0..SIZE[0] {
            let ndc = (Vec2::new(x as f32, y as f32) + 0.5) / Vec2::new(SIZE[0] as f32, SIZE[1] as f32) * 2.0 - 1.0;
            let ray = camera.ray(ndc * Vec2::new(1.0, -1.0), aspect);
            let distance = (center - ray.origin).cross(ray.direction).length();
            let color = picture.pixel(x, y);
            if distance < 0.93 {
                assert!(warmth(color) > 10, "hole at {x}, {y}: {color:?}");
            } else if distance > 1.07 {
                assert!(warmth(color) < 5, "{x}, {y} is outside: {color:?}");
            }
        }
    }
}

#[test]
fn the_nearer_sphere_hides_the_farther_whatever_their_order() {
    let camera = straight();
    let (near, far) = (Vec3::new(0.0, 0.0, 2.0), Vec3::new(0.0, 0.0, -2.0));
    let middle = pixel_of(Vec3::ZERO, &camera);
    let first = picture(SIZE, &frame(&[near, far], &[1.0, 0.0], &camera));
    let second = picture(SIZE, &frame(&[far, near], &[0.0, 1.0], &camera));
    assert!(warmth(at(&first, middle)) > 30);
    assert_eq!(first, second);
}

#[test]
fn spheres_intersect_in_their_symmetry_plane() {
    let camera = straight();
    // Two equal spheres intersect in their symmetry plane, here x = z, seen along z. Flat discs would show the outline of the
    // nearer one instead.
    let offset = Vec3::new(0.45, 0.0, -0.45);
    let picture = picture(SIZE, &frame(&[offset, -offset], &[1.0, 0.0], &camera));
    for height in [-0.3, 0.0, 0.3] {
        // On the circle of intersection: x² + y² + z² = 1 − |offset|², x = z > 0 towards the camera.
        let reach = ((1.0 - offset.length_squared() - height * height) / 2.0f32).sqrt();
        let crossing = pixel_of(Vec3::new(reach, height, reach), &camera);
        let (left, right) = (at(&picture, crossing - Vec2::X * 2.0), at(&picture, crossing + Vec2::X * 2.0));
        assert!(warmth(left) < -30 && warmth(right) > 30, "at height {height}: {left:?} | {right:?}");
    }
}

#[test]
fn particles_hide_tank_edges_behind_them_and_edges_can_be_switched_off() {
    let camera = straight();
    let behind = [(Vec3::new(0.0, -3.0, -3.0), Vec3::new(2.5, 3.0, -2.9))];
    let middle = pixel_of(Vec3::new(0.0, 0.0, -2.9), &camera);
    let with = picture(SIZE, &Frame { boxes: &behind, ..frame(&[Vec3::ZERO], &[1.0], &camera) });
    assert!(warmth(at(&with, middle)) > 30);
    let above = pixel_of(Vec3::new(0.0, 2.0, -2.9), &camera);
    let bright = |picture: &Picture, position: Vec2| {
        (0..5).map(|step| at(picture, position + Vec2::X * (step as f32 - 2.0))[1]).max().unwrap()
    };
    assert!(bright(&with, above) > 90, "the edge shows beside the sphere: {}", bright(&with, above));
    let without = picture(SIZE, &Frame { boxes: &behind, show_boxes: false, ..frame(&[Vec3::ZERO], &[1.0], &camera) });
    assert!(bright(&without, above) < 70, "and can be left out: {}", bright(&without, above));
}

#[test]
fn the_same_frame_gives_the_same_picture() {
    let (positions, values) = dam_break(5000);
    let camera = Camera::frame(TANK.0, TANK.1, 4.0 / 3.0);
    let frame = Frame { radius: spacing(5000) / 2.0, boxes: &[TANK], ..frame(&positions, &values, &camera) };
    let first = picture(SIZE, &frame);
    assert_eq!(first, picture(SIZE, &frame));
    let mut renderer = Renderer::new(gpu());
    renderer.draw(gpu(), [50, 70], &Frame { positions: &[], ..frame });
    renderer.draw(gpu(), SIZE, &frame);
    assert_eq!(first, renderer.read(gpu()).unwrap(), "earlier frames have no effect");
}

#[test]
fn culling_particles_changes_no_pixel() {
    let (positions, values) = dam_break(8000);
    let mut renderer = Renderer::new(gpu());
    let first = Camera::frame(TANK.0, TANK.1, 4.0 / 3.0);
    for (turn, steps) in [(Vec2::ZERO, 0.0), (Vec2::new(200.0, -40.0), 6.0), (Vec2::new(-300.0, 150.0), 16.0)] {
        let mut camera = first;
        camera.orbit(turn);
        camera.zoom(steps);
        for size in [[640, 480], [1500, 300]] {
            let frame = Frame { radius: spacing(8000) / 2.0, boxes: &[TANK], ..frame(&positions, &values, &camera) };
            let pictures = [false, true].map(|culling| {
                renderer.leave_out_hidden(culling);
                renderer.draw(gpu(), size, &frame);
                renderer.read(gpu()).unwrap()
            });
            let pairs = pictures[0].rgba.chunks_exact(4).zip(pictures[1].rgba.chunks_exact(4));
            assert_eq!(pairs.filter(|(all, culled)| all != culled).count(), 0, "{turn}, {steps} steps, {size:?}");
        }
    }
}

#[test]
fn an_empty_scene_is_an_opaque_gradient() {
    let picture = picture(SIZE, &frame(&[], &[], &straight()));
    let pixels = || picture.rgba.chunks_exact(4);
    assert!(pixels().all(|pixel| pixel[3] == 255));
    assert!(pixels().all(|pixel| pixel[..3].iter().all(|&value| (4..90).contains(&value))));
    let brightness = |y| picture.pixel(SIZE[0] / 2, y)[..3].iter().map(|&value| u32::from(value)).sum::<u32>();
    assert!(brightness(5) > brightness(SIZE[1] - 5) + 20, "lighter above");
}

#[test]
fn any_size_is_accepted() {
    let (positions, values) = dam_break(500);
    let camera = Camera::frame(TANK.0, TANK.1, 1.0);
    let frame = Frame { radius: 0.02, boxes: &[TANK], ..frame(&positions, &values, &camera) };
    let mut renderer = Renderer::new(gpu());
    for (asked, given) in [([1, 1], [1, 1]), ([0, 0], [1, 1]), ([3, 200], [3, 200]), ([64, 64], [64, 64]), ([1, 64], [1, 64])] {
        renderer.draw(gpu(), asked, &frame);
        assert_eq!(renderer.size(), given);
        let picture = renderer.read(gpu()).unwrap();
        assert_eq!(([picture.width, picture.height], picture.rgba.len() as u32), (given, 4 * given[0] * given[1]));
    }
    assert_eq!(gpu().usable_size([u32::MAX, 7])[1], 7);
}

#[test]
fn invalid_particles_are_skipped_and_the_rest_is_drawn() {
    let camera = straight();
    let plain = picture(SIZE, &Frame { boxes: &[TANK], ..frame(&[Vec3::ZERO], &[1.0], &camera) });
    let positions = [Vec3::NAN, Vec3::ZERO, Vec3::INFINITY, Vec3::new(0.0, f32::NAN, 0.0), Vec3::splat(1e30)];
    let odd = picture(SIZE, &Frame { boxes: &[TANK], ..frame(&positions, &[0.0, 1.0, 0.0, 0.0, 0.0], &camera) });
    assert_eq!(plain, odd);
    let broken = Camera { target: Vec3::NAN, ..camera };
    for radius in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e30] {
        let boxes = [(Vec3::NAN, Vec3::ONE), (Vec3::ONE, Vec3::ZERO), (Vec3::splat(-1e38), Vec3::splat(1e38))];
        for camera in [&camera, &broken] {
            picture(SIZE, &Frame { radius, boxes: &boxes, range: [f32::NAN; 2], ..frame(&positions, &[], camera) });
        }
    }
}

#[test]
fn a_particle_without_a_value_is_grey() {
    let camera = straight();
    let middle = pixel_of(Vec3::ZERO, &camera);
    for values in [&[f32::NAN][..], &[]] {
        let picture = picture(SIZE, &Frame { color_map: ColorMap::Ember, ..frame(&[Vec3::ZERO], values, &camera) });
        assert!(warmth(at(&picture, middle)).abs() < 12);
    }
}

#[test]
fn a_saved_picture_can_be_read_back() {
    let picture = picture([33, 17], &frame(&[Vec3::ZERO], &[0.2], &straight()));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    picture.save_png(&path).unwrap();
    let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgba).unwrap();
    assert_eq!((info.width, info.height, &rgba), (33, 17, &picture.rgba));
    assert!(picture.pixel(33, 0) == [0; 4]);
}

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
        colors: &[],
        shaded: false,
        sides: Sides::Both,
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
fn glass_shows_what_is_behind_it_and_mirrors_at_grazing_angles() {
    let camera = straight();
    let cube = Triangulation::of_box(Vec3::splat(-1.0), Vec3::splat(1.0));
    let particles = [Vec3::new(0.0, 0.0, -1.5)];
    let base = Frame { radius: 0.4, ..frame(&particles, &[0.0], &camera) };
    let center = pixel_of(Vec3::new(0.0, 0.0, 1.0), &camera);
    let brightness = |picture: &Picture, pixel| {
        let [red, green, blue, _] = at(picture, pixel);
        i32::from(red) + i32::from(green) + i32::from(blue)
    };
    let mesh = |turn: f64| Mesh {
        vertices: &cube.vertices,
        normals: &cube.normals,
        triangles: &cube.triangles[..],
        pose: Pose { rotation: glam::DMat3::from_rotation_y(turn), ..Pose::default() },
        color: RED,
        colors: &[],
        shaded: false,
        sides: Sides::Both,
    };
    let seen = |glass: &[Mesh<'_>]| picture(SIZE, &Frame { glass, ..base });
    let (bare, facing, turned) = (seen(&[]), seen(&[mesh(0.0)]), seen(&[mesh(0.7)]));
    assert!(warmth(at(&facing, center)) < -10, "the blue particle shows through");
    // Beside the particle, the room: two panes make it lighter, and more so at a slant.
    let beside = pixel_of(Vec3::new(0.0, 0.75, 1.0), &camera);
    let [bare, facing, turned] = [bare, facing, turned].map(|picture| brightness(&picture, beside));
    assert!(facing > bare + 15 && turned > facing, "{bare}, {facing}, {turned}");
    assert!(facing < bare + 180, "nearly clear");
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
        colors: &[],
        shaded: false,
        sides: Sides::Both,
    };
    let picture = picture(SIZE, &Frame { meshes: &[mesh], ..frame(&[], &[], &camera) });
    let brightness = |x: f32, y: f32| {
        let [red, green, blue, _] = at(&picture, pixel_of(Vec3::new(x, y, 0.0), &camera));
        u32::from(red) + u32::from(green) + u32::from(blue)
    };
    // The light comes from the upper left.
    assert!(brightness(-1.0, 1.2) > brightness(1.0, -1.2) + 60);
}

/// Points of a set that no scene file can describe are balls in the colours of their speed, as cloth and balls are.
#[test]
fn a_toy_set_has_the_colours_of_its_quantity() {
    let text = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [-1, -0.5, -0.5]\nmax = [1, 0.5, 0.5]\nvelocity = [2, 0, 0]\n\
                [view]\ncolor = \"speed\"\ncolor_map = \"diverging\"\nrange = [0, 2]\n";
    let mut scene = sph_io::parse(text, "a.toml", &[]).unwrap();
    scene.setup.parameters.gravity = Vec3::ZERO;
    // In the fluid, and out of it.
    let places = [Vec3::new(0.0, 0.2, 0.0), Vec3::new(0.0, -1.5, 0.0)];
    scene.setup.points = Some(PointSetup::new(Tracers(places.to_vec())));
    let mut simulation = Simulation::new(&scene.setup).unwrap();
    assert_eq!(simulation.step().error, None);
    let (sets, overlay) = (ShownSets::of(&simulation.view()), Overlay::default());
    let fluid = ShownFluid {
        particles: &Particles::default(),
        poses: &[],
        dropped: &[],
        sets: &sets,
        time: 0.0,
        foam: &[],
        values: None,
        ellipsoids: &[],
        surfaces: &[],
    };
    let mut style = ViewStyle::of(&scene.view, Look::Spheres);
    assert_eq!((style.color, style.scale.map), (ColorField::Speed, Some(ColorMapName::Diverging)));
    style.point_colors = Some(PointColors::Quantity);
    let camera = Camera::look(Vec3::new(0.0, -0.5, 0.3), Vec3::new(0.0, 0.2, 0.0));
    let contents = PictureContents { fluid, style, overlay: &overlay, camera };
    let mut frame = SceneFrame::new(Arc::new(scene));
    let ends = [1.0, 0.0].map(|value| ColorMap::Diverging.sample(value));
    frame.with_frame(&contents, |frame| {
        let [mesh] = frame.meshes else { panic!("{} meshes", frame.meshes.len()) };
        let (moving, resting) = mesh.colors.split_at(mesh.colors.len() / 2);
        assert_eq!(mesh.colors.len(), mesh.vertices.len());
        assert!(moving.iter().all(|color| *color == ends[0]) && resting.iter().all(|color| *color == ends[1]));
    });
    for (place, sign) in places.into_iter().zip([1, -1]) {
        let camera = Camera::look(place + Vec3::new(0.0, 0.0, 0.1), place);
        let contents = PictureContents { camera, ..contents };
        let picture =
            frame.picture((&mut Renderer::new(gpu()), gpu()), (SIZE, PictureOptions::default()), &contents).expect("a picture");
        let color = at(&picture, pixel_of(place, &camera));
        assert!(sign * warmth(color) > 30, "{color:?}");
    }
}
