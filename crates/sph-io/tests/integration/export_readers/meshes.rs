//! Surfaces and bodies, read back by meshio and trimesh.

use super::{run_python, shown, vector};
use glam::{DMat4, DVec3, Vec3};
use sph_core::{Engine, Simulation};
use sph_io::export::surface::{ParticleFrame, SurfaceSeries, SurfaceSettings, surface};
use sph_io::export::{BodiesFile, FrameExport};
use std::collections::BTreeMap;
use std::path::Path;

/// A pool with a box that moves and turns, and a fixed sphere.
const SCENE: &str = r#"format = 1
[particles]
spacing = 0.1
[[fluid.blocks]]
min = [0.0, 0.0, 0.0]
max = [0.6, 0.6, 0.6]
[[containers]]
min = [0.0, 0.0, 0.0]
max = [2.0, 2.0, 2.0]
[[bodies]]
name = "paddle"
min = [1.0, 0.4, 0.4]
max = [1.2, 0.7, 0.9]
velocity = [0.2, 0.0, 0.1]
rotation = { axis = [1.0, 2.0, 0.0], angular_velocity = 300.0 }
[[bodies]]
min = [1.5, 1.0, 0.4]
max = [1.8, 1.3, 0.7]
shape = "sphere"
"#;

/// Arrays as `read_meshes.py` prints them: by file and name, the number of rows and the bytes in hexadecimal.
fn read_back(folder: &Path) -> BTreeMap<[String; 2], (usize, String)> {
    let parse = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        let mut word = || words.next().unwrap_or_default();
        ([word(), word()], (word().parse().unwrap(), word()))
    };
    run_python("read_meshes.py", folder).lines().map(parse).collect()
}

/// Numbers of an array in hexadecimal.
fn numbers<const N: usize>(array: &(usize, String)) -> Vec<[u8; N]> {
    let bytes: Vec<u8> =
        (0..array.1.len()).step_by(2).map(|at| u8::from_str_radix(&array.1[at..at + 2], 16).unwrap()).collect();
    bytes.as_chunks::<N>().0.to_vec()
}

#[test]
fn others_read_surfaces_and_bodies() {
    let scene = sph_io::parse(SCENE, "a.toml", &[]).unwrap();
    let mut simulation = Simulation::new(&scene.setup).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut bodies = BodiesFile::new(folder.path(), &scene.body_names);
    for number in 0..3 {
        assert_eq!(Engine::step(&mut simulation).error, None);
        bodies.write(number, &simulation.view()).unwrap();
    }
    let view = simulation.view();
    let frame = ParticleFrame::of_view(&view);
    for settings in ["radius=0.05,smoothing=3", "radius=0.05,smoothing=3,format=obj"] {
        SurfaceSeries::new(folder.path(), None, settings.parse().unwrap()).write_frame(3, &frame).unwrap();
    }
    let settings: SurfaceSettings = "radius=0.05,smoothing=3".parse().unwrap();
    let mesh = surface(&frame.positions, &frame.velocities, &settings).unwrap();

    let read = read_back(folder.path());
    let array = |file: &str, name: &str| read.get(&[file, name].map(str::to_owned)).unwrap_or_else(|| panic!("{file}: {name}"));
    let vectors = |vectors: &[Vec3]| shown(vectors.iter().map(|&each| vector(each)));
    let triangles = shown(mesh.triangles.iter().map(|corners| {
        let mut bytes = [0; 12];
        bytes.as_chunks_mut::<4>().0.iter_mut().zip(corners).for_each(|(bytes, corner)| *bytes = corner.to_le_bytes());
        bytes
    }));
    for file in ["ply", "obj"] {
        assert_eq!(*array(file, "vertices"), vectors(&mesh.vertices), "{file}");
        assert_eq!(*array(file, "triangles"), triangles, "{file}");
    }
    assert_eq!(*array("ply", "normals"), vectors(&mesh.normals));
    assert_eq!(*array("ply", "velocities"), vectors(&mesh.velocities));
    let volume = |file: &str| f64::from_le_bytes(numbers(array(file, "volume"))[0]);
    assert!((volume("trimesh") / mesh.volume() - 1.0).abs() < 1e-4);

    // Nodes stand as in the first frame: after the first step.
    let mut first = Simulation::new(&scene.setup).unwrap();
    first.step();
    for (placed, node, expected) in
        [(&first.view().bodies[0], "paddle", 0.2 * 0.3 * 0.5), (&first.view().bodies[1], "body_1", 0.014_137)]
    {
        assert!((volume(node) / expected - 1.0).abs() < 0.01, "{node}: {}", volume(node));
        let rows: Vec<f64> =
            numbers(array(node, "transform")).into_iter().map(|bytes| f64::from(f32::from_le_bytes(bytes))).collect();
        let transform = DMat4::from_cols_slice(&rows).transpose();
        let middle = placed.body.middle().as_dvec3();
        for offset in [DVec3::ZERO, DVec3::X, DVec3::new(0.1, -0.2, 0.3)] {
            let (read, held) = (transform.transform_point3(offset), placed.pose.point(middle + offset));
            assert!(read.distance(held) < 1e-6, "{node}: {read} is not {held}");
        }
    }
}
