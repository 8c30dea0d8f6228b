//! Passes against closed forms, read back from the device.

use super::Water;
use super::passes::RESULT;
use super::resources::Sheets;
use crate::camera::Camera;
use crate::costs::Part;
use crate::draws::Meshes;
use crate::gpu::pipeline::Layer;
use crate::gpu::target::Target;
use crate::{Frame, Globals, Gpu, shaders};
use glam::{Mat3, Vec2, Vec3, Vec3Swizzles as _};
use sph_core::probes::Ellipsoid;
use sph_io::Look;

const SIZE: [u32; 2] = [160, 120];
/// Radius of the particles, m.
const RADIUS: f32 = 0.02;
/// Pool of water: its corners, m.
const POOL: (Vec3, Vec3) = (Vec3::ZERO, Vec3::new(1.6, 0.4, 1.2));

/// Water of some particles, with what its passes need.
struct Bench {
    gpu: Gpu,
    buffer: wgpu::Buffer,
    water: Water,
}

impl Bench {
    fn new(positions: &[Vec3], camera: &Camera) -> Self {
        Self::with_ellipsoids(positions, &[], camera)
    }

    fn with_ellipsoids(positions: &[Vec3], ellipsoids: &[Ellipsoid], camera: &Camera) -> Self {
        Self::of(&Frame { ellipsoids, boxes: &[POOL], ..Frame::new(positions, RADIUS, camera) }, POOL)
    }

    /// Water of a frame, in a scene with these corners, m.
    fn of(frame: &Frame<'_>, extent: (Vec3, Vec3)) -> Self {
        let gpu = Gpu::headless().expect("these tests need a graphics driver");
        let globals = Globals::new(frame.camera, SIZE, RADIUS).with_scene(extent.0, extent.1);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.queue.write_buffer(&buffer, 0, bytemuck::bytes_of(&globals));
        let mut water = Water::new(&gpu, &buffer);
        water.update(&gpu, (&buffer, &globals), SIZE, &Frame { look: Look::Water, ..*frame }, extent);
        Self { gpu, buffer, water }
    }

    fn draw(&self) {
        self.draw_parts(&Part::ALL);
    }

    fn draw_parts(&self, parts: &[Part]) {
        let (target, solids) =
            (Target::new(&self.gpu, SIZE), Meshes::new(&self.gpu, &self.buffer, shaders::MESHES, Layer::Solid));
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for &part in parts {
            self.water.record(part, &mut encoder, &target, &solids, None);
        }
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Filters a picture of distances.
    fn filtered(&self, distances: &[f32]) -> Vec<f32> {
        let sheets = &self.water.sheets;
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * SIZE[0]), rows_per_image: None };
        let source = sheets.surface[0].texture();
        self.gpu.queue.write_texture(source.as_image_copy(), bytemuck::cast_slice(distances), layout, source.size());
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.water.smoothing.draw(&mut encoder, sheets, [None, None]);
        self.gpu.queue.submit([encoder.finish()]);
        self.distances()
    }

    /// Distances along the view before they are smoothed, m: later steps overwrite them.
    fn unfiltered_distances(&self) -> Vec<f32> {
        self.draw_parts(&[Part::Surroundings, Part::Surface]);
        bytemuck::pod_collect_to_vec(&self.bytes(|sheets| &sheets.surface[0], 4))
    }

    /// Smoothed distances along the view, m.
    fn distances(&self) -> Vec<f32> {
        bytemuck::pod_collect_to_vec(&self.bytes(|sheets| &sheets.surface[RESULT], 4))
    }

    /// Mean thickness over the middle of the picture, m.
    fn thickness_in_the_middle(&self) -> f32 {
        let bytes = self.bytes(|sheets| &sheets.thickness[0], 8);
        let [width, height] = SIZE.map(|length| length.div_ceil(2) as usize);
        let at = |x: usize, y: usize| {
            let at = 8 * (y * width + x) + 6;
            from_half(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
        };
        let middle = (height / 2 - 6..height / 2 + 6).flat_map(|y| (width / 2 - 10..width / 2 + 10).map(move |x| (x, y)));
        middle.map(|(x, y)| at(x, y)).sum::<f32>() / (12.0 * 20.0)
    }

    /// Texels of a sheet, `texel` bytes each, without padding.
    fn bytes(&self, sheet: impl Fn(&Sheets) -> &wgpu::TextureView, texel: u32) -> Vec<u8> {
        let texture = sheet(&self.water.sheets).texture();
        let (row, height) = (texel * texture.width(), texture.height());
        let pitch = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("texels"),
            size: u64::from(pitch * height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch), rows_per_image: None };
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
        self.gpu.queue.submit([encoder.finish()]);
        buffer.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("the buffer is readable"));
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is well");
        let bytes = buffer.slice(..).get_mapped_range().expect("the buffer is mapped");
        bytes.chunks_exact(pitch as usize).flat_map(|line| line[..row as usize].to_vec()).collect()
    }
}

/// A number of sixteen bits; those here are normal or zero.
fn from_half(bits: u16) -> f32 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    if exponent == 0 { 0.0 } else { (1.0 + mantissa / 1024.0) * 2f32.powi(exponent - 15) }
}

/// Particles on a lattice that fill the pool.
fn pool() -> Vec<Vec3> {
    let spacing = 2.0 * RADIUS;
    let [nx, ny, nz] = ((POOL.1 - POOL.0) / spacing).round().as_uvec3().to_array();
    let place = |x, y, z| POOL.0 + (Vec3::new(x as f32, y as f32, z as f32) + 0.5) * spacing;
    (0..nx).flat_map(|x| (0..ny).flat_map(move |y| (0..nz).map(move |z| place(x, y, z)))).collect()
}

/// Place that a pixel shows at a distance along the view, m.
fn place(camera: &Camera, [x, y]: [u32; 2], distance: f32) -> Vec3 {
    let [width, height] = SIZE.map(|length| length as f32);
    let ndc = Vec2::new((x as f32 + 0.5) / width * 2.0 - 1.0, 1.0 - (y as f32 + 0.5) / height * 2.0);
    let ray = camera.ray(ndc, width / height);
    let (_, _, forward) = camera.axes();
    ray.origin + ray.direction * (distance / ray.direction.dot(forward))
}

#[test]
fn a_pool_at_rest_has_a_level_surface_that_faces_up() {
    let middle = 0.5 * (POOL.0 + POOL.1).with_y(2.0 * POOL.1.y);
    let camera = Camera::look(middle + Vec3::new(0.3, 1.2, 1.0), middle);
    let bench = Bench::new(&pool(), &camera);
    bench.draw();
    let distances = bench.distances();
    let at = |x: u32, y: u32| place(&camera, [x, y], distances[(y * SIZE[0] + x) as usize]);
    for (x, y) in (50..110).flat_map(|x| (40..80).map(move |y| (x, y))) {
        let height = at(x, y).y;
        assert!((height - POOL.1.y).abs() < RADIUS, "{height} m at {x}, {y}");
        let normal = (at(x, y + 1) - at(x, y)).cross(at(x + 1, y) - at(x, y)).normalize();
        assert!(normal.y > 0.99, "{normal} at {x}, {y}");
    }
}

#[test]
fn water_ends_flat_at_the_side_that_it_is_seen_through() {
    let middle = 0.5 * (POOL.0 + POOL.1);
    let camera = Camera { fov_y: 0.04, ..Camera::look(middle.with_z(9.0), middle) };
    let bench = Bench::new(&pool(), &camera);
    bench.draw();
    for distance in bench.distances() {
        assert!(distance < 0.0, "at a wall");
        let depth = POOL.1.z - (9.0 - distance.abs());
        assert!(depth.abs() < 1e-3 * RADIUS, "{depth} m behind the side");
    }
}

/// A ray through the surface passes from the wall to the level surface within the pixels of a particle: there is no round rim.
#[test]
fn the_rim_of_a_pool_is_an_edge() {
    let rim = Vec3::new(0.8, POOL.1.y, POOL.1.z);
    let camera = Camera { fov_y: 0.4, ..Camera::look(rim + Vec3::new(0.0, 0.6, 1.0), rim) };
    let bench = Bench::new(&pool(), &camera);
    bench.draw();
    let distances = bench.distances();
    let (mut wall, mut level) = (0, 0);
    for (x, y) in (20..140).flat_map(|x| (10..110).map(move |y| (x, y))) {
        let distance = distances[(y * SIZE[0] + x) as usize];
        let at = place(&camera, [x, y], distance.abs());
        if distance < 0.0 {
            wall += 1;
            assert!((at.z - POOL.1.z).abs() < 0.01 * RADIUS && at.y < POOL.1.y + 2.0 * RADIUS, "{at} on the wall");
        } else {
            level += 1;
            assert!((at.y - POOL.1.y).abs() < 1.2 * RADIUS, "{at} on the surface");
        }
    }
    assert!(wall > 4000 && level > 4000, "{wall} and {level} pixels");
}

/// Particles in rings that fill a round dish.
fn dish((low, high): (Vec3, Vec3)) -> Vec<Vec3> {
    let spacing = 2.0 * RADIUS;
    let (radius, layers) = (0.5 * (high.x - low.x), ((high.y - low.y) / spacing).round() as usize);
    let rings = (radius / spacing) as usize;
    let ring = move |ring: usize| {
        let radius = radius - (ring as f32 + 0.5) * spacing;
        let count = (std::f32::consts::TAU * radius / spacing).ceil().max(1.0) as usize;
        (0..count).map(move |number| radius * Vec2::from_angle(std::f32::consts::TAU * number as f32 / count as f32))
    };
    let layer =
        move |y: usize| (0..rings).flat_map(ring).map(move |at| Vec3::new(at.x, low.y + (y as f32 + 0.5) * spacing, at.y));
    (0..layers).flat_map(layer).collect()
}

/// As that of a pool, wherever the dish is seen from; at its flanks, where rays graze the wall, too.
#[test]
fn the_rim_of_a_round_dish_is_an_edge() {
    let extent = (Vec3::new(-0.6, 0.0, -0.6), Vec3::new(0.6, 0.32, 0.6));
    let positions = dish(extent);
    for angle in [0.0, 0.6, 2.2, 4.0_f32] {
        let (sin, cos) = angle.sin_cos();
        let rim = Vec3::new(0.6 * sin, extent.1.y, 0.6 * cos);
        let camera = Camera { fov_y: 0.7, ..Camera::look(rim + Vec3::new(sin, 0.5, cos), rim) };
        let shaped = Frame { shaped: &[true], boxes: &[extent], is_round: true, ..Frame::new(&positions, RADIUS, &camera) };
        let bench = Bench::of(&shaped, extent);
        bench.draw();
        let distances = bench.distances();
        let (mut wall, mut level) = (0, 0);
        for (x, y) in (0..SIZE[0]).flat_map(|x| (0..SIZE[1]).map(move |y| (x, y))) {
            let distance = distances[(y * SIZE[0] + x) as usize];
            let at = place(&camera, [x, y], distance.abs());
            if distance < 0.0 {
                wall += 1;
                let apart = at.xz().length() - 0.6;
                assert!(apart.abs() < 0.01 * RADIUS && at.y < extent.1.y + 2.0 * RADIUS, "{at} on the wall from {angle}");
            } else if distance > 0.0 && at.xz().length() < 0.6 - 2.0 * RADIUS {
                level += 1;
                assert!((at.y - extent.1.y).abs() < 1.5 * RADIUS, "{at} on the surface from {angle}");
            }
        }
        assert!(wall > 1500 && level > 2000, "{wall} and {level} pixels from {angle}");
    }
}

#[test]
fn the_thickness_of_a_slab_is_its_depth() {
    // Straight along z and along x, through whole slabs of different depth.
    for (eye, depth) in [(Vec3::new(0.8, 0.2, 9.0), POOL.1.z), (Vec3::new(9.0, 0.2, 0.6), POOL.1.x)] {
        // The pool fills the picture, so that the texels in the middle look at nothing beside it.
        let camera = Camera { fov_y: 0.04, ..Camera::look(eye, 0.5 * (POOL.0 + POOL.1)) };
        let bench = Bench::new(&pool(), &camera);
        bench.draw();
        let thickness = bench.thickness_in_the_middle();
        assert!((thickness / depth - 1.0).abs() < 0.04, "{thickness} m of {depth} m");
    }
}

/// Ellipsoid at `center` (m) with axes of these lengths, turned by the angles.
fn ellipsoid(center: Vec3, lengths: Vec3, angles: Vec3) -> (Ellipsoid, Mat3) {
    let rotation = Mat3::from_euler(glam::EulerRot::XYZ, angles.x, angles.y, angles.z);
    let axes = rotation * Mat3::from_diagonal(lengths) * rotation.transpose();
    let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
    (Ellipsoid { center, axes: [x.x, y.y, z.z, x.y, x.z, y.z] }, axes)
}

#[test]
fn ellipsoids_are_met_where_rays_meet_them() {
    let lengths = Vec3::new(1.5874, 1.5874, 0.39685);
    for turn in 0..12 {
        let center = Vec3::new(0.8, 0.3, 0.6);
        let (shape, axes) = ellipsoid(center, lengths, Vec3::new(0.5, 1.1, 1.9) * turn as f32);
        // From afar, and from as near as five radii and beside the axis of the view.
        let eye = center + if turn % 2 == 0 { Vec3::new(0.1, 0.2, 0.35) } else { Vec3::new(0.05, 0.09, 0.11) };
        let camera = Camera::look(eye, center + Vec3::new(0.01, -0.02, 0.0));
        let bench = Bench::with_ellipsoids(&[center], &[shape], &camera);
        let drawn = bench.unfiltered_distances();
        let inverse = axes.inverse() / (1.5 * RADIUS);
        let (_, _, forward) = camera.axes();
        let mut covered = 0;
        for (y, x) in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (y, x))) {
            let along = place(&camera, [x, y], 1.0) - eye;
            let (from, way) = (inverse * (eye - center), inverse * along);
            // |from + t way| = 1.
            let (a, b, c) = (way.dot(way), from.dot(way), from.dot(from) - 1.0);
            let root = b * b - a * c;
            let found = drawn[(y * SIZE[0] + x) as usize];
            // Corners of triangles are rounded to 1/256 pixel, and axes to 6e-5. Beside the outline, where the ray grazes, that decides whether a
            // pixel is covered at all.
            if root > 0.01 * a {
                covered += 1;
                let expected = (-b - root.sqrt()) / a * along.dot(forward);
                assert!((found - expected).abs() < 5e-3 * RADIUS, "{found} m for {expected} m at {x}, {y} in turn {turn}");
            } else if root < -0.01 * a {
                assert_eq!(found, 0.0, "{x}, {y} in turn {turn}");
            }
        }
        assert!(covered > 100, "{covered} pixels in turn {turn}");
    }
}

#[test]
fn the_thickness_of_a_slab_of_ellipsoids_is_its_depth() {
    let positions = pool();
    let lengths = Vec3::new(1.5874, 1.5874, 0.39685);
    let turned = |(number, &place): (usize, &Vec3)| ellipsoid(place, lengths, Vec3::new(0.7, 1.3, 2.9) * number as f32).0;
    let ellipsoids: Vec<Ellipsoid> = positions.iter().enumerate().map(turned).collect();
    let camera = Camera { fov_y: 0.04, ..Camera::look(Vec3::new(0.8, 0.2, 9.0), 0.5 * (POOL.0 + POOL.1)) };
    let bench = Bench::with_ellipsoids(&positions, &ellipsoids, &camera);
    bench.draw();
    let thickness = bench.thickness_in_the_middle();
    assert!((thickness / POOL.1.z - 1.0).abs() < 0.04, "{thickness} m of {} m", POOL.1.z);
}

/// Distances of a picture from those of its columns.
fn columns(distance: impl Fn(u32) -> f32) -> Vec<f32> {
    (0..SIZE[1]).flat_map(|_| (0..SIZE[0]).map(&distance)).collect()
}

#[test]
fn the_filter_keeps_planes_and_steps_beyond_its_range() {
    let bench = Bench::new(&[Vec3::ZERO], &Camera::look(Vec3::new(0.0, 0.0, 4.0), Vec3::ZERO));
    let range = 10.0 * RADIUS;
    let worst = |expected: &[f32]| {
        let filtered = bench.filtered(expected);
        filtered.iter().zip(expected).map(|(filtered, expected)| (filtered - expected).abs()).fold(0.0, f32::max)
    };
    assert!(worst(&columns(|_| 3.0)) < 1e-5);
    // Neighbours that lie farther away than the range are followed along the slope; at the ends of the rows one side is missing.
    let slope = 0.2 * range;
    assert!(worst(&columns(|x| 3.0 + slope * x as f32)) < 1e-4);
    // Of a step beyond the range, the near side stays as it is, and each of the two steps along rows moves the far side by half of
    // what a nearer neighbour may count for, at most. Within the range the two sides are blended.
    let step = |height: f32| columns(|x| if x < SIZE[0] / 2 { 3.0 } else { 3.0 + height });
    let moved = |height: f32| {
        let (before, after) = (step(height), bench.filtered(&step(height)));
        [SIZE[0] / 2 - 1, SIZE[0] / 2].map(|x| (after[x as usize] - before[x as usize]).abs())
    };
    let near_share = 1.5 * RADIUS;
    let [near, far] = moved(1.5 * range);
    assert!(near < 1e-5 && far < near_share, "{near} m and {far} m");
    let [near, far] = moved(0.5 * range);
    assert!(near > 0.1 * range && far > 0.1 * range, "{near} m and {far} m");
    // Nothing is drawn where there was nothing.
    let half = columns(|x| if x < SIZE[0] / 2 { 0.0 } else { 3.0 });
    assert!(bench.filtered(&half).iter().zip(&half).all(|(&after, &before)| before > 0.0 || after == 0.0));
}
