//! Surfaces and bodies of `run`, and `surface` over an earlier export.

use super::support::Sandbox;

/// A pool of 216 particles, two bodies of which one turns.
const POOL: &str = r#"
format = 1
[particles]
spacing = 0.1
[[fluid.blocks]]
min = [0.0, 0.0, 0.0]
max = [0.6, 0.6, 0.6]
[[containers]]
min = [0.0, 0.0, 0.0]
max = [1.6, 1.0, 0.6]
[[bodies]]
name = "paddle"
min = [0.9, 0.3, 0.2]
max = [1.1, 0.7, 0.4]
rotation = { axis = [0.0, 0.0, 1.0], angular_velocity = 90 }
[[bodies]]
min = [1.3, 0.0, 0.2]
max = [1.5, 0.2, 0.4]
[run]
duration = 0.02
"#;

/// Bytes of the frames in a folder.
fn frames(sandbox: &Sandbox, folder: &str) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| {
        let bytes = std::fs::read(sandbox.path(folder).join(&name)).unwrap();
        (name, bytes)
    };
    sandbox.list(folder).into_iter().map(read).collect()
}

#[test]
fn a_surface_of_an_export_is_that_of_the_run() {
    let sandbox = Sandbox::new();
    sandbox.write("pool.toml", POOL);
    let run = ["run", "pool.toml", "--every", "0.01", "--threads", "2", "--surface", "cube_size=1,smoothing=2"];
    let exports =
        ["--export", "surface=out/surface", "--export", "npz=out/npz", "--export", "vtk=out/vtk", "--export", "ply=out/ply"];
    sandbox.sph(&[&run[..], &exports].concat()).expect(0).says(&["3 frames in out/surface"]);
    let expected = frames(&sandbox, "out/surface");
    let names: Vec<_> = expected.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["frame_000000.ply", "frame_000001.ply", "frame_000002.ply"]);
    for kind in ["npz", "vtk", "ply"] {
        let (from, to) = (format!("out/{kind}"), format!("again/{kind}"));
        let surface = ["surface", &from, "--out", &to, "--threads", "1", "--surface", "radius=0.05,cube_size=1,smoothing=2"];
        sandbox.sph(&surface).expect(0).says(&["3 surfaces in again/"]);
        assert!(frames(&sandbox, &to) == expected, "{kind}");
    }
    // A mesh is no export of particles, and no mesh replaces what it is made of.
    let settings = ["--surface", "radius=0.05,cube_size=1,smoothing=2"];
    let of_mesh = ["surface", "out/surface", "--out", "meshes"];
    sandbox.sph(&[&of_mesh[..], &settings].concat()).expect(1).says(&["frame_000000.ply", "it is a mesh"]);
    let onto_itself = ["surface", "out/ply", "--out", "out/./ply"];
    sandbox.sph(&[&onto_itself[..], &settings].concat()).expect(2).says(&["choose another place"]);
    sandbox.sph(&["surface", "out/npz", "--out", "meshes"]).expect(2).says(&["radius"]);
}

#[test]
fn a_resumed_run_goes_on_with_the_bodies_of_the_first() {
    let sandbox = Sandbox::new();
    sandbox.write("pool.toml", POOL);
    let outputs = |folder: &'static str| ["--every", "0.005", "--export", folder];
    sandbox.sph(&[&["run", "pool.toml"][..], &outputs("gltf=whole")].concat()).expect(0).says(&["frames in whole"]);
    let first = ["run", "pool.toml", "--until", "0.012", "--checkpoint", "a.checkpoint"];
    sandbox.sph(&[&first[..], &outputs("gltf=parts")].concat()).expect(0);
    let rest = ["run", "--resume", "a.checkpoint", "--until", "0.02"];
    sandbox.sph(&[&rest[..], &outputs("gltf=parts")].concat()).expect(0);
    let (whole, parts) = (frames(&sandbox, "whole"), frames(&sandbox, "parts"));
    assert_eq!((whole.len(), whole[0].0.as_str()), (1, "bodies.glb"));
    assert!(whole[0].1.starts_with(b"glTF") && whole == parts);
}
