//! Pictures without a window: `render` with films, transparency, captions and camera paths; `bench --render`; surfaces and bodies of
//! `run`, and `surface` over an earlier export. Needs a GPU driver, which `cargo xtask test` installs.

use super::{Run, Sandbox};
use serde_json::Value;

/// Width and height from the PNG header.
fn png_size(path: &std::path::Path) -> (u32, u32) {
    let bytes = std::fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.ends_with(b"IEND\xaeB\x60\x82"), "{}", path.display());
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn render_writes_pictures_of_the_given_size_and_frame_rate() {
    let sandbox = Sandbox::new();
    let arguments = ["--out", "deep/out", "--size", "160x90", "--fps", "40", "--camera", "-20,10"];
    let run = sandbox.sph(&[&["render", "column.toml"], &arguments[..]].concat());
    run.expect(0).says(&["drawing with ", "particles: speed, blue at 0 m/s to white at ", "3 pictures in deep/out"]);
    let pictures = sandbox.list("deep/out");
    assert_eq!(pictures, ["frame_0000.png", "frame_0001.png", "frame_0002.png"]);
    for picture in &pictures {
        assert_eq!(png_size(&sandbox.path("deep/out").join(picture)), (160, 90));
    }
    let read = |name: &String| std::fs::read(sandbox.path("deep/out").join(name)).unwrap();
    assert_ne!(read(&pictures[0]), read(&pictures[2]), "nothing moves");
}

/// A run that is over before the second picture shows its start and its end, and says which rate would show more.
#[test]
fn a_short_run_shows_its_start_and_its_end() {
    let sandbox = Sandbox::new();
    let arguments = ["render", "column.toml", "--out", "out", "--size", "160x90", "--until", "0.05", "--fps", "2"];
    let run = sandbox.sph(&arguments).expect(0);
    run.says(&[
        "the run of 0.05 s is shorter than the time between two pictures at 2 per second",
        "`--fps 400` draws 20",
        "2 pictures in out",
    ]);
    let read = |name: &str| std::fs::read(sandbox.path("out").join(name)).unwrap();
    assert_ne!(read("frame_0000.png"), read("frame_0001.png"), "nothing moves");
}

#[test]
fn the_grid_is_drawn_in_each_colouring_and_cut() {
    let sandbox = Sandbox::new();
    let picture = |out: &str, arguments: &[&str], legend: &str| {
        let common = ["render", "column.toml", "--out", out, "--size", "160x90", "--fps", "1", "--until", "0.001"];
        sandbox.sph(&[&common, arguments].concat()).expect(0).says(&[legend]);
        std::fs::read(sandbox.path(out).join("frame_0000.png")).unwrap()
    };
    let pictures = [
        picture("plain", &[], "2 pictures in"),
        picture("occupancy", &["--grid", "occupancy"], "pale yellow with "),
        picture("bucket", &["--grid", "bucket"], "share a bucket"),
        picture("collision", &["--grid", "collision"], "a bucket of their own"),
        picture("slice", &["--grid", "occupancy", "--slice", "x=0.1"], "pale yellow with "),
    ];
    for (index, picture) in pictures.iter().enumerate() {
        assert!(!pictures[..index].contains(picture), "picture {index} is like one before it");
    }
}

#[test]
fn a_grid_that_cannot_be_drawn_is_refused() {
    let sandbox = Sandbox::new();
    let refuses = |arguments: &[&str], words: &str| {
        sandbox.sph(&[&["render", "column.toml", "--out", "out"], arguments].concat()).expect(2).says(&[words]);
    };
    refuses(&["--grid", "rainbow"], "expected one of occupancy, bucket, collision");
    refuses(&["--slice", "x=0.1"], "--grid");
    refuses(&["--grid", "bucket", "--slice", "0.1"], "AXIS=POSITION");
    refuses(&["--grid", "bucket", "--slice", "z=0"], "only be cut across x or y");
    refuses(&["--grid", "bucket", "--slice", "x=99"], "outside of the scene");
    refuses(&["--grid", "bucket", "--set", "grid.structure=brute_force"], "brute force has no cells");
}

#[test]
fn without_a_driver_the_message_names_the_package() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["render", "column.toml", "--out", "out"]);
    command.env("VK_DRIVER_FILES", "/nonexistent").env("VK_ICD_FILENAMES", "/nonexistent").env("WGPU_BACKEND", "vulkan");
    let run = super::Run::of(command.output().unwrap());
    if cfg!(target_os = "linux") {
        run.expect(2).says(&["mesa-vulkan-drivers"]);
    }
    assert!(!sandbox.path("out").exists(), "a folder for pictures that were never drawn");
}

const SMALL: [&str; 8] = ["render", "column.toml", "--size", "192x128", "--fps", "40", "--threads", "1"];

fn decode(path: &std::path::Path) -> image::RgbaImage {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("the picture is there"));
    let mut reader = png::Decoder::new(file).read_info().expect("it is a PNG");
    let mut rgba = vec![0; reader.output_buffer_size().expect("it is small")];
    let info = reader.next_frame(&mut rgba).expect("it has a picture");
    image::RgbaImage::from_raw(info.width, info.height, rgba).expect("it has all pixels")
}

#[test]
fn an_animation_has_the_pictures_of_the_folder() {
    let sandbox = Sandbox::new();
    let run = sandbox.sph(&[&SMALL[..], &["--out", "out", "--video", "films/film.png"]].concat()).expect(0);
    run.says(&["3 pictures in out and films/film.png"]);
    let file = std::io::BufReader::new(std::fs::File::open(sandbox.path("films/film.png")).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    assert_eq!(reader.info().animation_control().unwrap().num_frames, 3);
    for number in 0..3 {
        let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut rgba).unwrap();
        assert_eq!(rgba, decode(&sandbox.path(&format!("out/frame_{number:04}.png"))).into_raw(), "picture {number}");
    }
    assert_eq!(sandbox.list("films"), ["film.png"]);
}

#[test]
fn transparent_pictures_show_only_the_scene() {
    let sandbox = Sandbox::new();
    let first = |out: &str, more: &[&str]| {
        sandbox.sph(&[&SMALL[..], &["--until", "0.001", "--out", out], more].concat()).expect(0);
        decode(&sandbox.path(out).join("frame_0000.png"))
    };
    let (opaque, clear) = (first("opaque", &[]), first("clear", &["--transparent"]));
    assert!(opaque.pixels().all(|pixel| pixel.0[3] == 255));
    assert_eq!(clear.get_pixel(1, 1).0[3], 0);
    // Where the fluid covers the picture, it is what it was.
    let solid: Vec<_> = clear.enumerate_pixels().filter(|(_, _, pixel)| pixel.0[3] == 255).collect();
    assert!(solid.len() > 200, "{} opaque pixels", solid.len());
    let differs = |(x, y, pixel): &&(u32, u32, &image::Rgba<u8>)| {
        pixel.0.iter().zip(opaque.get_pixel(*x, *y).0).any(|(&a, b)| a.abs_diff(b) > 3)
    };
    let different = solid.iter().filter(differs).count();
    assert!(different * 50 < solid.len(), "{different} of {} pixels differ", solid.len());
}

#[test]
fn captions_and_paths_change_what_they_should() {
    let sandbox = Sandbox::new();
    let pictures = |out: &str, more: &[&str]| {
        sandbox.sph(&[&SMALL[..], &["--out", out], more].concat()).expect(0);
        [0, 2].map(|number| decode(&sandbox.path(&format!("{out}/frame_{number:04}.png"))))
    };
    let [first, last] = pictures("plain", &["--camera", "0,10"]);
    let [captioned, _] = pictures("captioned", &["--camera", "0,10", "--legend"]);
    assert_ne!(captioned.get_pixel(180, 10), first.get_pixel(180, 10), "the legend");
    assert_ne!(captioned.get_pixel(10, 116), first.get_pixel(10, 116), "the time");
    assert_eq!(captioned.get_pixel(8, 8), first.get_pixel(8, 8));
    let [start, end] = pictures("path", &["--camera-path", "0:0,10; 0.04:60,10"]);
    assert_eq!(start, first, "the path begins at the camera at rest");
    assert_ne!(end, last);
}

#[test]
fn outputs_that_cannot_be_are_refused_before_anything_is_drawn() {
    let sandbox = Sandbox::new();
    let refuses = |more: &[&str], words: &str| {
        sandbox.sph(&[&SMALL[..], more].concat()).expect(2).says(&[words]);
    };
    refuses(&[], "--out DIR");
    refuses(&["--video", "film.gif"], "--video: expected a name that ends in .png");
    refuses(&["--video", "film.mp4", "--transparent"], "no transparency");
    refuses(&["--out", "a", "--camera-path", "0;1"], "TIME:YAW,PITCH");
    refuses(&["--out", "a", "--camera-path", "0:1,2", "--camera", "1,2"], "cannot be used with");
    refuses(&["--video", "column.toml"], "--video");
}

/// A program that is called ffmpeg and keeps the raw pictures that it gets.
#[cfg(unix)]
fn with_ffmpeg(sandbox: &Sandbox, script: &str) -> Run {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::create_dir_all(sandbox.path("bin")).unwrap();
    sandbox.write("bin/ffmpeg", script);
    std::fs::set_permissions(sandbox.path("bin/ffmpeg"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = sandbox.command(&[&SMALL[..], &["--out", "out", "--video", "film.mp4"]].concat());
    let path = format!("{}:{}", sandbox.path("bin").display(), std::env::var("PATH").unwrap_or_default());
    Run::of(command.env("PATH", path).output().unwrap())
}

#[cfg(unix)]
#[test]
fn ffmpeg_gets_every_picture_and_its_video_appears_complete() {
    let sandbox = Sandbox::new();
    with_ffmpeg(
        &sandbox,
        "#!/bin/sh\nfor last; do :; done\ncase \"$*\" in *'-video_size 192x128 -framerate 40'*) cat > \"$last\";; esac\n",
    )
    .expect(0);
    let raw = std::fs::read(sandbox.path("film.mp4")).expect("the video");
    let pictures: Vec<u8> =
        (0..3).flat_map(|number| decode(&sandbox.path(&format!("out/frame_{number:04}.png"))).into_raw()).collect();
    assert!(raw == pictures, "{} bytes instead of {}", raw.len(), pictures.len());
}

#[cfg(unix)]
#[test]
fn a_failure_of_ffmpeg_is_reported_with_its_words_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    with_ffmpeg(&sandbox, "#!/bin/sh\necho 'Unknown encoder of tests' >&2\nexit 3\n")
        .expect(1)
        .says(&["film.mp4", "Unknown encoder of tests"]);
    assert!(sandbox.list(".").iter().all(|name| !name.contains("mp4")), "{:?}", sandbox.list("."));
}

#[test]
fn bench_times_every_pass_and_compares_with_quads() {
    let sandbox = Sandbox::new();
    let arguments = ["bench", "column.toml", "--render", "--pictures", "2", "--size", "160x90", "--warm-up", "1"];
    let run = sandbox.sph(&arguments).expect(0);
    for row in
        ["drawn with", "times: ", "prepare", "backdrop", "particles", "picture", "quads", "100,000 particles as spheres take "]
    {
        assert!(run.stdout.lines().any(|line| line.starts_with(row)), "no {row} in:\n{}", run.stdout);
    }
    let report: Value = serde_json::from_str(&sandbox.sph(&[&arguments[..], &["--json"]].concat()).expect(0).stdout).unwrap();
    let passes = &report["looks"][0]["passes"];
    let fastest = |pass: &str| passes[pass]["fastest_ms"].as_f64().expect("a time");
    assert!(fastest("picture") >= fastest("particles") && fastest("particles") > 0.0, "{passes}");
    assert!(report["spheres_over_quads"].as_f64().is_some_and(|ratio| ratio > 0.0));
}

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
    sandbox.sph(&[&onto_itself[..], &settings].concat()).expect(2).says(&["choose another path"]);
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
