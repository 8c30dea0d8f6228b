//! A session of the real window: the mouse on the panels and in the 3D view; the search for the best grid; rest; pictures and films.

use super::panels::{self, trials};
use super::window::{Choice, Layout, Window, fill, number, partial, read};
use egui::{Color32, Pos2, Rect, vec2};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use viewer::session::Stage;
use viewer::ui::theme;

/// Every structure, by its name on the panel and in the statistics. The last one is that of the scene.
const STRUCTURES: [(&str, &str); 7] = [
    ("Uniform grid", "uniform_grid"),
    ("Cell hash", "cell_hash"),
    ("Bucket hash", "bucket_hash"),
    ("Block map", "block_map"),
    ("Sorted cells", "sorted_cells"),
    ("Brute force", "brute_force"),
    ("Spatial hash", "spatial_hash"),
];

/// One session, because a window on a driver in software takes long to open.
#[test]
fn a_session() {
    let [first, second] = OTHER_SCENES;
    let mut window = Window::open(first.text);
    for scene in [first, second, DROP] {
        drag_the_sliders(&mut window, &scene);
    }
    window.display.photograph("window.png");
    choose_every_structure(&mut window);
    click_a_particle(&mut window, Layout::new().particle());
    check_statistics(&window);
    tune(&mut window);
    rest(&mut window);
    let size = compare_with_render(&mut window);
    film(&mut window, size);
    let (status, folder) = window.quit();
    assert!(status.success(), "{status}");
    assert_eq!(partial(folder.path()), None, "a temporary file is left");
    assert!(!read(&folder.path().join("stats.jsonl")).is_empty());
}

/// A scene of the session, with its number of particles, by which its steps are known.
#[derive(Clone, Copy)]
struct DraggedScene {
    text: &'static str,
    particles: f64,
}

/// The scene of the rest of the session.
const DROP: DraggedScene = DraggedScene { text: panels::SCENE, particles: 512.0 };

/// Scenes of other kinds: the plane with an implicit solver and fixed buckets; a body that moves by forces in a cell hash.
const OTHER_SCENES: [DraggedScene; 2] = [
    DraggedScene {
        text: r#"
format = 1
dimensions = 2
[particles]
spacing = 0.05
[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.5, 0.5]
[[containers]]
min = [0.0, 0.0]
max = [1.0, 0.6]
[solver]
method = "dfsph"
[grid]
structure = "bucket_hash"
table_size = 1000
"#,
        particles: 100.0,
    },
    DraggedScene {
        text: r#"
format = 1
[particles]
spacing = 0.05
[[fluid.blocks]]
min = [0.0, 0.0, 0.0]
max = [0.3, 0.3, 0.4]
[[containers]]
min = [0.0, 0.0, 0.0]
max = [1.0, 0.6, 0.4]
[[bodies]]
min = [0.6, 0.1, 0.1]
max = [0.8, 0.3, 0.3]
density = 500.0
dynamics = {}
[grid]
structure = "cell_hash"
table_size = 1000
"#,
        particles: 288.0,
    },
];

/// Saves a scene as an editor would, and drags both sliders once the window has it.
fn drag_the_sliders(window: &mut Window, &DraggedScene { text, particles }: &DraggedScene) {
    let layout = Layout::of_scene(text);
    std::fs::write(window.folder().join("drop.toml"), text).expect("the scene is written");
    let is_there = |window: &Window| window.latest().is_some_and(|line| number(&line, "/particles") == particles);
    window.wait("steps of the scene", is_there);
    let (table, cell) = (layout.slider("Hash table size"), layout.slider("Cell spacing"));
    window.drag("a small table", [table.center(), table.left_center() + vec2(40.0, 0.0)], |window| {
        window.number("/search/table_size") < 100.0
    });
    window.drag("large cells", [cell.center(), cell.right_center() - vec2(20.0, 0.0)], |window| {
        window.number("/search/cell_size") > 0.2
    });
    assert!(is_there(window), "the sliders reloaded the scene");
}

/// The steps so far follow each other, and the grid is that of the sliders.
fn check_statistics(window: &Window) {
    let mut lines = window.lines();
    lines.retain(|line| number(line, "/particles") == DROP.particles);
    let first = &lines[0];
    assert!(
        number(first, "/search/table_size") == 1000.0 && (number(first, "/search/cell_size") - 0.1).abs() < 1e-6,
        "{first}"
    );
    for (before, after) in lines.iter().zip(&lines[1..]) {
        assert!(number(after, "/time") > number(before, "/time"), "time went back: {before} {after}");
        assert_eq!(number(after, "/step"), number(before, "/step") + 1.0, "a step is missing");
    }
    let last = lines.last().expect("there are lines");
    assert!(number(last, "/search/table_size") < 100.0 && number(last, "/search/cell_size") > 0.2, "{last}");
    // A change of the grid leaves the water alone: neighbours do not depend on it, only candidates.
    assert!(number(last, "/search/candidates") > number(last, "/search/neighbors"));
}

fn choose_every_structure(window: &mut Window) {
    let Choice { button, items } = Layout::new().choice("Structure", &STRUCTURES.map(|(item, _)| item));
    // The open menu marks what is chosen: the place is right of the text, and well within the item, because a panel without a scroll bar
    // is a little wider.
    let marks = |index: usize| {
        let place = items[index].right_center() - vec2(12.0, 0.0);
        move |window: &Window| window.shows(place, theme::DARK.accent_dim)
    };
    let mut present = STRUCTURES.len() - 1;
    for (index, (_, name)) in STRUCTURES.into_iter().enumerate() {
        let choose = |window: &mut Window| {
            // A click that comes before the menu is there would be lost, or meant for something else.
            window.until("an open menu", |window| window.click(button.center()), marks(present));
            window.click(items[index].center());
        };
        window.until(name, choose, |window| window.latest().is_some_and(|line| line["search"]["structure"] == name));
        window.wait("a closed menu", |window| !marks(index)(window));
        present = index;
    }
}

/// The particles that its query meets appear in their colours, with their counts; and go when the selection does.
fn click_a_particle(window: &mut Window, place: Pos2) {
    let index = sph_color::verdict_index(sph_core::neighbors::Verdict::Neighbor);
    let [red, green, blue] = sph_color::VERDICT_COLORS[index];
    let neighbor = Color32::from_rgb(red, green, blue);
    window.until("a query", |window| window.click(place), |window| window.display.count_pixels(neighbor) > 20);
    window.display.photograph("query.png");
    window.until("no query", |window| window.press("Escape"), |window| window.display.count_pixels(neighbor) == 0);
}

/// Parts of the window for auto-tuning.
struct Parts {
    /// The choice of one structure.
    only: Rect,
    start: Rect,
    /// There while trials are made.
    cancel: Rect,
    /// There once trials have been made, in place of `start`, and wider.
    again: Rect,
    apply: Rect,
}

impl Parts {
    fn find() -> Self {
        let mut layout = Layout::new();
        layout.0.state_mut().state.tuning.open = true;
        layout.0.run_ok();
        let (only, start) = (layout.part_of_tuning("Spatial hash only"), layout.part_of_tuning("Start"));
        let mut at = |stage, share, label| {
            let panels = layout.0.state_mut();
            let parameters = panels.snapshot.parameters.expect("there are parameters");
            panels.snapshot.tuning = Some(trials::tuning(&parameters, &[parameters.grid.structure], stage, share));
            layout.0.run_ok();
            layout.part_of_tuning(label)
        };
        let cancel = at(Stage::Running, 0.5, "Stop");
        let (again, apply) = (at(Stage::Done, 1.0, "Start again"), at(Stage::Done, 1.0, "Apply best"));
        Self { only, start, cancel, again, apply }
    }

    /// The middle of the circle that is filled when one structure is chosen.
    fn dot(&self) -> Pos2 {
        self.only.left_center() + vec2(0.5 * egui::Spacing::default().icon_width, 0.0)
    }
}

/// The search for the best grid, from the key that opens its window to the grid that it finds in force.
fn tune(window: &mut Window) {
    let parts = Parts::find();
    let is_running = |window: &Window| window.shows(fill(parts.cancel), theme::DARK.control);
    let has_ended = |window: &Window| window.shows(parts.again.right_center() - vec2(3.0, 0.0), theme::DARK.accent_dim);
    window.until("the window", |window| window.press("a"), |window| window.shows(fill(parts.start), theme::DARK.accent_dim));
    window.until(
        "the choice of one structure",
        |window| window.click(parts.only.center()),
        |window| window.display.pixel(parts.dot()).intensity() > 0.8,
    );
    // Over before it was seen to have begun, perhaps.
    window.until("a search", |window| window.click(parts.start.center()), |window| is_running(window) || has_ended(window));
    window.wait("its end", has_ended);
    window.display.photograph("auto_tune.png");

    let before = window.latest().expect("there are steps");
    let apply = |window: &mut Window| window.click(parts.apply.center());
    // The cells of the best grid are not as large as the slider allows.
    window.until("another grid", apply, |window| window.number("/search/cell_size") < number(&before, "/search/cell_size"));
    let after = window.latest().expect("there are steps");
    assert!(after["search"]["table_size"].as_u64().is_some_and(u64::is_power_of_two), "{after}");
    assert_eq!((&after["search"]["structure"], &after["audit"]["missed"]), (&"spatial_hash".into(), &0.into()));
    assert!(after["time"].as_f64() > before["time"].as_f64());
}

/// Time without input.
const REST: Duration = Duration::from_secs(2);

/// Ticks of the processor (10 ms) that looking after files may take meanwhile. A single frame on a software driver takes as many.
const MOST_TICKS: u64 = 3;

/// A paused window draws nothing.
fn rest(window: &mut Window) {
    // A single step pauses.
    window.until(
        "rest",
        |window| window.press("period"),
        |window| {
            let before = window.ticks();
            std::thread::sleep(REST);
            window.ticks() - before <= MOST_TICKS
        },
    );
}

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

/// The picture of the paused window is that of `sph render`, to the bit. Returns its size.
fn compare_with_render(window: &mut Window) -> [u32; 2] {
    let (size, _) = measure(&take(window, "a picture", |_| true)).expect("it is complete");
    let shape = format!("{}x{}", size[0], size[1]);
    let arguments = ["render", "drop.toml", "--out", "rendered", "--until", "1e-9", "--fps", "1", "--size", &shape];
    let mut render = Command::new(env!("CARGO_BIN_EXE_sph"));
    let render = render.args(arguments).current_dir(window.folder()).output().expect("it starts");
    assert!(render.status.success(), "{}", String::from_utf8_lossy(&render.stderr));
    let rendered = pixels(&window.folder().join("rendered/frame_0000.png"));
    // The reset state is the one that `sph render` begins with.
    let reset = |window: &mut Window| ["r", "F12"].into_iter().for_each(|key| window.press(key));
    window.until("the picture of `sph render`, to the bit", reset, |window| {
        let starts = window.files("png").into_iter().filter(|path| path.to_string_lossy().contains("drop_0.000s"));
        starts.filter(|path| measure(path).is_some()).any(|path| pixels(&path) == rendered)
    });
    size
}

/// A film of the moving fluid has the `size` with which it began, whatever becomes of the window.
fn film(window: &mut Window, size: [u32; 2]) {
    window.until("a recording", |window| window.press("F10"), |window| window.has_thread("recording"));
    let before = window.latest();
    window.until(
        "a moving fluid",
        |window| window.press("space"),
        |window| {
            let latest = window.latest();
            latest.is_some() && latest != before
        },
    );
    // Long enough for several pictures, of which there are 30 per second of simulated time.
    let time = window.number("/time");
    window.wait("a tenth of a second", |window| window.number("/time") >= time + 0.1);
    window.resize([1024, 640]);
    let smaller = take(window, "a picture of the smaller window", |new| new[0] < size[0] && new[1] < size[1]);
    assert!(measure(&smaller).is_some());
    window.hide();
    let steps = window.number("/step");
    window.wait("steps of the hidden window", |window| window.number("/step") >= steps + 10.0);
    window.show();
    take(window, "a picture of the window that is shown again", |_| true);
    window.until("the end of the recording", |window| window.press("F10"), |window| !window.has_thread("recording"));
    let films: Vec<_> = window.files("png").iter().filter_map(measure).filter(|(_, count)| *count > 1).collect();
    assert!(matches!(films[..], [(film, _)] if film == size), "one film of the first size among {films:?}");
}
