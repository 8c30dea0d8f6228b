//! `render`: pictures without a window. Needs a GPU driver, which `cargo xtask test` installs.

use super::support::Sandbox;

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

#[test]
fn the_grid_is_drawn_in_each_colouring_and_cut() {
    let sandbox = Sandbox::new();
    let picture = |out: &str, arguments: &[&str], legend: &str| {
        let common = ["render", "column.toml", "--out", out, "--size", "160x90", "--fps", "1", "--until", "0.001"];
        sandbox.sph(&[&common, arguments].concat()).expect(0).says(&[legend]);
        std::fs::read(sandbox.path(out).join("frame_0000.png")).unwrap()
    };
    let pictures = [
        picture("plain", &[], "1 picture in"),
        picture("occupancy", &["--grid", "occupancy"], "pale yellow with "),
        picture("bucket", &["--grid", "bucket"], "share a bucket"),
        picture("collision", &["--grid", "collision"], "a bucket to themselves"),
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
    refuses(&["--grid", "rainbow"], "occupancy, bucket or collision");
    refuses(&["--slice", "x=0.1"], "--grid");
    refuses(&["--grid", "bucket", "--slice", "0.1"], "AXIS=POSITION");
    refuses(&["--grid", "bucket", "--slice", "z=0"], "across x and y only");
    refuses(&["--grid", "bucket", "--slice", "x=99"], "outside of the scene");
    refuses(&["--grid", "bucket", "--set", "grid.structure=brute_force"], "brute force has no cells");
}

#[test]
fn without_a_driver_the_message_names_the_package() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["render", "column.toml", "--out", "out"]);
    command.env("VK_DRIVER_FILES", "/nonexistent").env("VK_ICD_FILENAMES", "/nonexistent").env("WGPU_BACKEND", "vulkan");
    let run = super::support::Run::of(command.output().unwrap());
    if cfg!(target_os = "linux") {
        run.expect(2).says(&["mesa-vulkan-drivers"]);
    }
    assert!(!sandbox.path("out").exists(), "a folder for pictures that were never drawn");
}
