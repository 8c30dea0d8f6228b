//! Pictures and films of the real window, which is resized, hidden and shown again meanwhile.

use super::window::Window;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

const SCENE: &str = r#"
format = 1
dimensions = 2
particles.spacing = 0.02
[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.4, 0.3]
[[containers]]
min = [0.0, 0.0]
max = [0.8, 0.5]
"#;

/// Size of a PNG and its number of pictures, if it is complete.
fn measure(path: &PathBuf) -> Option<([u32; 2], u32)> {
    let file = std::io::BufReader::new(std::fs::File::open(path).ok()?);
    let reader = png::Decoder::new(file).read_info().ok()?;
    let info = reader.info();
    Some(([info.width, info.height], info.animation_control().map_or(1, |control| control.num_frames)))
}

fn pixels(path: &PathBuf) -> Vec<u8> {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("the picture is there"));
    let mut reader = png::Decoder::new(file).read_info().expect("it is a PNG");
    let mut rgba = vec![0; reader.output_buffer_size().expect("it is small")];
    reader.next_frame(&mut rgba).expect("it has a picture");
    rgba
}

/// Takes pictures until there is one of a size that `wanted` accepts; returns it.
fn take(window: &mut Window, what: &str, wanted: impl Fn([u32; 2]) -> bool) -> PathBuf {
    let before: BTreeSet<_> = window.files("png").into_iter().collect();
    let found = |window: &Window| {
        let new = window.files("png").into_iter().filter(|path| !before.contains(path));
        new.into_iter().find(|path| measure(path).is_some_and(|(size, count)| count == 1 && wanted(size)))
    };
    window.until(what, |window| window.press("F12"), |window| found(window).is_some());
    found(window).expect("it is still there")
}

#[test]
fn pictures_and_films_are_saved_whatever_becomes_of_the_window() {
    let mut window = Window::open(SCENE);
    let (size, _) = measure(&take(&mut window, "a picture", |_| true)).expect("it is complete");
    let shape = format!("{}x{}", size[0], size[1]);
    let arguments = ["render", "drop.toml", "--out", "rendered", "--until", "1e-9", "--fps", "1", "--size", &shape];
    let mut render = Command::new(env!("CARGO_BIN_EXE_sph"));
    let render = render.args(arguments).current_dir(window.folder()).output().expect("it starts");
    assert!(render.status.success(), "{}", String::from_utf8_lossy(&render.stderr));
    let rendered = pixels(&window.folder().join("rendered/frame_0000.png"));
    // A single step pauses; the reset state is the one that `sph render` begins with.
    window.press("period");
    let reset = |window: &mut Window| ["r", "F12"].into_iter().for_each(|key| window.press(key));
    window.until("the picture of `sph render`, to the bit", reset, |window| {
        let starts = window.files("png").into_iter().filter(|path| path.to_string_lossy().contains("drop_0.000s"));
        starts.filter(|path| measure(path).is_some()).any(|path| pixels(&path) == rendered)
    });

    window.until("a recording", |window| window.press("F10"), |window| window.has_thread("recording"));
    // Long enough for several pictures, of which there are 30 a second of simulated time.
    let time = window.number("/time");
    window.until("a moving fluid", |window| window.press("space"), |window| window.number("/time") > time);
    window.wait("a tenth of a second", |window| window.number("/time") >= time + 0.1);
    window.resize([1024, 640]);
    let smaller = take(&mut window, "a picture of the smaller window", |new| new[0] < size[0] && new[1] < size[1]);
    assert!(measure(&smaller).is_some());
    window.hide();
    let steps = window.number("/step");
    window.wait("steps of the hidden window", |window| window.number("/step") >= steps + 10.0);
    window.show();
    take(&mut window, "a picture of the window that is shown again", |_| true);
    window.until("the end of the recording", |window| window.press("F10"), |window| !window.has_thread("recording"));
    let films: Vec<_> = window.files("png").iter().filter_map(measure).filter(|(_, count)| *count > 1).collect();
    assert!(matches!(films[..], [(film, _)] if film == size), "one film of the first size among {films:?}");
    let (status, _folder) = window.quit();
    assert!(status.success(), "{status}");
}
