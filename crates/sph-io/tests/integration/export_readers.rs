//! Exports, read back by software of others: NumPy, meshio, plyfile and trimesh, in a Python that `cargo xtask test` sets up.

use crate::tracers::{PATH, Tracers};
use glam::{DMat4, DVec3, Vec3};
use sph_core::point_sets::{ColumnValues, PointSetup};
use sph_core::{Engine, Simulation, View};
use sph_io::export::surface::{ParticleFrame, SurfaceSeries, SurfaceSettings, surface};
use sph_io::export::{Attributes, BodiesFile, FrameExport, Part, ParticleFormat, Series};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Two fluids, walls of particles, a body that moves and one that does not.
const SCENE: &str = r#"format = 1
dimensions = 2
[particles]
spacing = 0.1
[[fluids]]
name = "oil"
rest_density = 800.0
[[fluids]]
name = "water"
rest_density = 1000.0
[[fluid.blocks]]
fluid = "water"
min = [0.0, 0.0]
max = [1.0, 0.5]
around_bodies = true
[[fluid.blocks]]
fluid = "oil"
min = [0.0, 0.5]
max = [1.0, 1.0]
around_bodies = true
[[containers]]
min = [0.0, 0.0]
max = [1.5, 1.5]
[[bodies]]
name = "moving"
min = [0.4, 0.4]
max = [0.7, 0.7]
velocity = [0.1, 0.0]
[[bodies]]
name = "fixed"
min = [1.2, 0.0]
max = [1.4, 0.3]
"#;

/// The Python that is used: `SPH_PYTHON`, or that of `cargo xtask test`.
fn python() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python");
    std::env::var_os("SPH_PYTHON").map_or(own, PathBuf::from)
}

/// Arrays as `read.py` prints them: by format, part and name, the number of rows and the bytes in hexadecimal.
type Arrays = BTreeMap<[String; 3], (usize, String)>;

/// What a script of this folder prints about the files in `folder`.
fn run_python(script: &str, folder: &Path) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export_readers").join(script);
    let advice = "this test needs Python with numpy, meshio, plyfile and trimesh: `cargo xtask test` installs them into target/python, \
                  or SPH_PYTHON names a Python that has them";
    let output = Command::new(python()).arg(script).arg(folder).output();
    let output = output.unwrap_or_else(|error| panic!("cannot run {}: {error}; {advice}", python().display()));
    assert!(output.status.success(), "{}\n{advice}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn read_back(folder: &Path) -> Arrays {
    let parse = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        let mut word = || words.next().unwrap_or_default();
        ([word(), word(), word()], (word().parse().unwrap(), word()))
    };
    run_python("read.py", folder).lines().map(parse).collect()
}

/// An array as `read.py` prints it.
fn shown<const N: usize>(values: impl Iterator<Item = [u8; N]>) -> (usize, String) {
    let hexadecimal: Vec<String> =
        values.map(|bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()).collect();
    (hexadecimal.len(), hexadecimal.concat())
}

fn vector(vector: Vec3) -> [u8; 12] {
    let mut bytes = [0; 12];
    bytes
        .chunks_exact_mut(4)
        .zip(vector.to_array())
        .for_each(|(bytes, component)| bytes.copy_from_slice(&component.to_le_bytes()));
    bytes
}

/// The arrays of a part as the simulation holds them.
fn held(view: &View<'_>, part: Part) -> Vec<(&'static str, (usize, String))> {
    if part == Part::Fluid {
        let fluid = view.particles;
        let order: Vec<usize> = fluid.order_by_id().into_iter().map(|index| index as usize).collect();
        let order = || order.iter().copied();
        return vec![
            ("position", shown(order().map(|i| vector(fluid.positions[i])))),
            ("velocity", shown(order().map(|i| vector(fluid.velocities[i])))),
            ("density", shown(order().map(|i| fluid.densities[i].to_le_bytes()))),
            ("pressure", shown(order().map(|i| fluid.pressures[i].to_le_bytes()))),
            ("id", shown(order().map(|i| fluid.ids[i].to_le_bytes()))),
            ("fluid", shown(order().map(|i| [fluid.fluids[i]]))),
        ];
    }
    if part == Part::Points {
        let sets = || view.sets.iter().zip(0_u32..);
        let mut arrays = vec![
            ("position", shown(sets().flat_map(|(set, _)| &set.positions).map(|&position| vector(position)))),
            ("velocity", shown(sets().flat_map(|(set, _)| &set.velocities).map(|&velocity| vector(velocity)))),
            ("radius", shown(sets().flat_map(|(set, _)| &set.radii).map(|radius| radius.to_le_bytes()))),
            ("set", shown(sets().flat_map(|(set, number)| vec![number.to_le_bytes(); set.len()]))),
            ("id", shown(sets().flat_map(|(set, _)| &set.ids).map(|id| id.to_le_bytes()))),
        ];
        if let Some(ColumnValues::Scalars(path)) = view.sets[0].column(PATH) {
            arrays.push((PATH, shown(path.iter().map(|path| path.to_le_bytes()))));
        }
        return arrays;
    }
    let walls = view.walls;
    let body_of = |b: &usize| view.bodies.iter().position(|body| body.boundary_particles().contains(b));
    let chosen: Vec<usize> = (0..walls.len()).filter(|b| body_of(b).is_some() == (part == Part::Bodies)).collect();
    let all = || chosen.iter().copied();
    let mut arrays = vec![
        ("position", shown(all().map(|b| vector(walls.positions[b])))),
        ("velocity", shown(all().map(|b| vector(walls.velocity(b))))),
        ("pressure", shown(all().map(|b| walls.pressures[b].to_le_bytes()))),
        ("volume", shown(all().map(|b| walls.volumes[b].to_le_bytes()))),
        ("id", shown(all().map(|b| (b as u32).to_le_bytes()))),
    ];
    if part == Part::Bodies {
        arrays.push(("body", shown(all().map(|b| (body_of(&b).unwrap() as u32).to_le_bytes()))));
    }
    arrays
}

#[test]
fn others_read_what_the_simulation_holds() {
    for (text, parts) in [(SCENE, &[Part::Fluid, Part::Walls, Part::Bodies][..]), (POINTS, &[Part::Points])] {
        let scene = sph_io::parse(text, "a.toml", &[]).unwrap();
        let mut simulation = Simulation::new(&scene.setup).unwrap();
        for _ in 0..5 {
            assert_eq!(Engine::step(&mut simulation).error, None);
        }
        assert_others_read(&simulation.view(), parts);
    }
}

/// The columns of a set that no scene file can describe, in every format.
#[test]
fn others_read_the_columns_of_a_toy_set() {
    let mut setup = sph_io::parse(POOL, "a.toml", &[]).unwrap().setup;
    // Not five: meshio confuses two arrays if an offset in the file is that of another in its own copy.
    setup.points = Some(PointSetup::new(Tracers((1..10).map(|i| Vec3::splat(0.06 * i as f32)).collect())));
    let mut simulation = Simulation::new(&setup).unwrap();
    for _ in 0..5 {
        assert_eq!(Engine::step(&mut simulation).error, None);
    }
    let held = held(&simulation.view(), Part::Points);
    assert!(held.iter().any(|(name, (rows, _))| (*name, *rows) == (PATH, 9)));
    assert_others_read(&simulation.view(), &[Part::Points]);
}

/// Two balls and a sheet.
const POINTS: &str = r#"format = 1
[particles]
spacing = 0.1
[[cloths]]
corner = [0.0, 0.9, 0.0]
along = [0.4, 0.0, 0.0]
across = [0.0, 0.0, 0.2]
spacing = 0.1
[[balls]]
radii = [0.1, 0.2]
centers = [[0.3, 0.4, 0.5], [0.8, 0.4, 0.5]]
velocity = [0.0, 1.0, 0.0]
"#;

fn assert_others_read(view: &View<'_>, parts: &[Part]) {
    let folder = tempfile::tempdir().unwrap();
    for kind in ParticleFormat::ALL {
        for &part in parts {
            Series::new(kind, part, &folder.path().join(kind.name()), Attributes::default()).write(3, view).unwrap();
        }
    }
    let read = read_back(folder.path());
    for &part in parts {
        let held = held(view, part);
        for kind in ["npz", "vtk", "ply", "csv"] {
            for (name, (rows, bytes)) in &held {
                assert!(*rows > 0);
                let key = [kind, part.name(), name].map(str::to_owned);
                let (rows_read, bytes_read) = read.get(&key).unwrap_or_else(|| panic!("{key:?} is missing"));
                assert_eq!(rows_read, rows, "{key:?}");
                assert_eq!(bytes_read, bytes, "{key:?}");
            }
        }
        for kind in ["npz", "vtk"] {
            let time = &read[&[kind, part.name(), "time"].map(str::to_owned)];
            assert_eq!(*time, shown([view.time.to_le_bytes()].into_iter()), "{kind}");
        }
    }
}

/// A pool with a box that moves and turns, and a fixed sphere.
const POOL: &str = r#"format = 1
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
fn read_meshes_back(folder: &Path) -> BTreeMap<[String; 2], (usize, String)> {
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
    let scene = sph_io::parse(POOL, "a.toml", &[]).unwrap();
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

    let read = read_meshes_back(folder.path());
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
