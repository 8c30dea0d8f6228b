//! `render --video`, transparency, captions and camera paths; `bench --render`. Needs a GPU driver.

use super::support::{Run, Sandbox};
use serde_json::Value;

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
        ["drawn with", "times: ", "prepare", "backdrop", "particles", "picture", "quads", "100000 particles as spheres take "]
    {
        assert!(run.stdout.lines().any(|line| line.starts_with(row)), "no {row} in:\n{}", run.stdout);
    }
    let report: Value = serde_json::from_str(&sandbox.sph(&[&arguments[..], &["--json"]].concat()).expect(0).stdout).unwrap();
    let passes = &report["looks"][0]["passes"];
    let fastest = |pass: &str| passes[pass]["fastest_ms"].as_f64().expect("a time");
    assert!(fastest("picture") >= fastest("particles") && fastest("particles") > 0.0, "{passes}");
    assert!(report["spheres_over_quads"].as_f64().is_some_and(|ratio| ratio > 0.0));
}
