//! The real window, under a display of its own: the mouse drags both grid sliders, chooses every structure and clicks a particle, while
//! the statistics of the running simulation are followed.
//!
//! Needs Xvfb, xdotool and ImageMagick (`cargo xtask test` installs them), and fails where they are missing.
#![cfg(target_os = "linux")]

#[path = "../panels/mod.rs"]
mod panels;
#[path = "../ui/trials.rs"]
#[allow(dead_code, reason = "shared with the tests of the panels")]
mod trials;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SIZE: [u32; 2] = [1280, 800];

/// Longest wait for anything. Generous: the machine may draw with one busy processor.
const PATIENCE: Duration = Duration::from_secs(120);

/// A process that does not outlive the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command) -> Process {
    let name = command.get_program().to_string_lossy().into_owned();
    Process(command.spawn().unwrap_or_else(|error| panic!("cannot start {name}: {error}; {PACKAGES}")))
}

const PACKAGES: &str = "this test needs the Debian packages xvfb, xdotool, imagemagick, mesa-vulkan-drivers, libxcursor1, libxi6 \
                        and libxkbcommon-x11-0, which `cargo xtask test` installs";

/// A virtual display with a number that was free.
fn display() -> (Process, String) {
    let [width, height] = SIZE;
    let mut command = Command::new("Xvfb");
    command.args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", &format!("{width}x{height}x24")]);
    let mut server = start(command.stdout(Stdio::piped()).stderr(Stdio::null()));
    let mut number = String::new();
    let output = server.0.stdout.take().expect("the output is piped");
    BufReader::new(output).read_line(&mut number).expect("Xvfb says its number");
    assert!(!number.trim().is_empty(), "Xvfb started no display");
    (server, format!(":{}", number.trim()))
}

/// The window under test, and the hands and eyes on it.
struct Window {
    program: Process,
    display: String,
    folder: PathBuf,
}

impl Window {
    fn open(display: &str, folder: &Path, scene_text: &str) -> Self {
        let scene = folder.join("drop.toml");
        std::fs::write(&scene, scene_text).expect("the scene is written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_sph"));
        command.arg(&scene).arg("--stats").arg(folder.join("stats.jsonl")).current_dir(folder);
        command.env("DISPLAY", display).env("WINIT_X11_SCALE_FACTOR", "1").env("RUST_LOG", "warn");
        command.env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        Self { program: start(&mut command), display: display.to_owned(), folder: folder.to_owned() }
    }

    /// Presses the left button at `place`, briefly.
    fn click(&self, place: egui::Pos2) {
        self.mouse(place);
        self.tool("xdotool", &["mousedown", "1"]);
        self.breathe();
        self.tool("xdotool", &["mouseup", "1"]);
        self.breathe();
    }

    /// Does `hands` again and again until `done`: a slow machine may miss a click.
    fn until(&mut self, what: &str, hands: impl Fn(&Self), done: impl Fn(&mut Self) -> bool) {
        let start = Instant::now();
        loop {
            hands(self);
            let wait = Instant::now();
            while wait.elapsed() < Duration::from_secs(6) {
                if done(self) {
                    return;
                }
                self.breathe();
            }
            assert!(start.elapsed() < PATIENCE, "{what} did not come about: {:?}", self.stats().last());
        }
    }

    /// Runs a tool on the display; what it printed.
    fn tool(&self, program: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(program);
        let output = command.args(arguments).env("DISPLAY", &self.display).output();
        let output = output.unwrap_or_else(|error| panic!("cannot run {program}: {error}; {PACKAGES}"));
        assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn mouse(&self, place: egui::Pos2) {
        self.tool("xdotool", &["mousemove", &place.x.round().to_string(), &place.y.round().to_string()]);
        self.breathe();
    }

    /// Time for a frame or two.
    fn breathe(&self) {
        std::thread::sleep(Duration::from_millis(150));
    }

    /// Drags from `from` to `to` as a hand does, until `done` or patience is at an end. A slow machine may miss a drag.
    fn drag(&mut self, from: egui::Pos2, to: egui::Pos2, what: &str, done: impl Fn(&Value) -> bool) {
        let start = Instant::now();
        let mut place = from;
        loop {
            self.mouse(place);
            self.tool("xdotool", &["mousedown", "1"]);
            self.breathe();
            for step in 1..=4 {
                self.mouse(place + (to - place) * (step as f32 / 4.0));
            }
            self.tool("xdotool", &["mouseup", "1"]);
            let wait = Instant::now();
            while wait.elapsed() < Duration::from_secs(4) {
                if self.stats().last().is_some_and(&done) {
                    return;
                }
                self.breathe();
            }
            assert!(start.elapsed() < PATIENCE, "dragging did not change {what}: {:?}", self.stats().last());
            // The handle may be on its way.
            place = place + (to - place) * 0.5;
        }
    }

    /// The statistics so far: of the file that is being written, under its temporary name.
    fn stats(&mut self) -> Vec<Value> {
        if let Some(status) = self.program.0.try_wait().expect("the program can be asked") {
            panic!("the program ended early: {status}");
        }
        partial(&self.folder).map(|path| read(&path)).unwrap_or_default()
    }

    fn wait_for_steps(&mut self, least: usize) -> Vec<Value> {
        let start = Instant::now();
        loop {
            let stats = self.stats();
            if stats.len() >= least {
                return stats;
            }
            assert!(start.elapsed() < PATIENCE, "the simulation makes no steps: {}", stats.len());
            self.breathe();
        }
    }

    /// The colour at a place.
    fn pixel(&self, place: egui::Pos2) -> [u8; 3] {
        let path = self.folder.join("pixel.ppm");
        let path = path.to_str().expect("the folder has a plain name");
        let crop = format!("1x1+{}+{}", place.x.round(), place.y.round());
        self.tool("import", &["-window", "root", "-crop", &crop, "-depth", "8", path]);
        let picture = std::fs::read(path).expect("the picture was saved");
        *picture.last_chunk().expect("there is a pixel")
    }

    /// Waits until the window can be seen; its number.
    fn id(&self) -> String {
        let pid = self.program.0.id().to_string();
        let start = Instant::now();
        loop {
            let output = Command::new("xdotool")
                .args(["search", "--onlyvisible", "--pid", &pid])
                .env("DISPLAY", &self.display)
                .output()
                .unwrap_or_else(|error| panic!("cannot run xdotool: {error}; {PACKAGES}"));
            let found = String::from_utf8_lossy(&output.stdout).lines().last().map(str::to_owned);
            match found {
                Some(id) => return id,
                None => assert!(start.elapsed() < PATIENCE, "no window appeared"),
            }
            self.breathe();
        }
    }

    /// A picture of the whole display.
    fn photograph(&self, name: &str) {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let path = path.to_str().expect("the target folder has a plain name");
        self.tool("import", &["-window", "root", path]);
        let colors: usize = self.tool("identify", &["-format", "%k", path]).trim().parse().expect("a number of colours");
        assert!(colors > 200, "{path} shows next to nothing: {colors} colours");
        println!("picture of the window: {path}");
    }

    /// Pixels of the display that have this colour.
    fn count_pixels(&self, [r, g, b]: [u8; 3]) -> usize {
        let path = self.folder.join("display.ppm");
        self.tool("import", &["-window", "root", "-depth", "8", path.to_str().expect("the folder has a plain name")]);
        let picture = std::fs::read(&path).expect("the picture was saved");
        // A header in text, then three bytes a pixel.
        let [width, height] = SIZE.map(|length| length as usize);
        let pixels = &picture[picture.len() - 3 * width * height..];
        pixels.as_chunks::<3>().0.iter().filter(|&&pixel| pixel == [r, g, b]).count()
    }

    fn wait_for_end(mut self) -> std::process::ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.program.0.try_wait().expect("the program can be asked") {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the program does not end");
            self.breathe();
        }
    }
}

/// The file in `folder` that is being written.
fn partial(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be listed").filter_map(Result::ok);
    entries.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|extension| extension == "partial"))
}

/// The complete lines of a file of statistics.
fn read(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let complete = text.rfind('\n').map_or("", |end| &text[..end]);
    complete.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn number(line: &Value, pointer: &str) -> f64 {
    line.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("no {pointer} in {line}"))
}

/// The panels at the size of the real window, to find out where things are there.
fn laid_out() -> egui_kittest::Harness<'static, panels::Panels> {
    panels::harness(SIZE.map(|length| length as f32 + 2.0 * MARGIN), panels::snapshot())
}

/// What kittest leaves free around the panels.
const MARGIN: f32 = 8.0;

fn in_window(rect: egui::Rect) -> egui::Rect {
    rect.translate(-egui::vec2(MARGIN, MARGIN))
}

/// Where a slider is in the real window.
fn slider_in_window(label: &str) -> egui::Rect {
    in_window(panels::slider(&laid_out(), label))
}

/// Where a choice is in the real window, and where `item` is once it is open.
fn choice_in_window(label: &str, item: &str) -> [egui::Pos2; 2] {
    let mut harness = laid_out();
    let button = harness.get_by_role_and_label(Role::ComboBox, label).rect();
    harness.get_by_role_and_label(Role::ComboBox, label).click();
    harness.run_ok();
    // The box itself may show the item's name too.
    let mut items = harness.query_all_by_label(item).map(|node| node.rect());
    let item = items.rfind(|rect| !button.contains_rect(*rect)).expect("the choice has this item");
    [in_window(button).center(), in_window(item).center()]
}

/// Where a particle of the fluid is in the real window, at the start.
fn particle_in_window() -> egui::Pos2 {
    let harness = laid_out();
    let panels::Panels { snapshot, area, .. } = harness.state();
    let scene = snapshot.scene.as_ref().expect("there is a scene");
    let camera = viewer::render::first_camera(&scene.setup, None, None, area.aspect_ratio());
    let particles = &snapshot.particles.positions;
    let middle = particles.iter().sum::<glam::Vec3>() / particles.len() as f32;
    let place = camera.project(middle, area.aspect_ratio()).expect("the fluid is in view");
    let center = in_window(*area).center();
    center + 0.5 * egui::vec2(place.x * area.width(), -place.y * area.height())
}

fn choose_every_structure(window: &mut Window) {
    let structures = [
        ("Uniform grid", "uniform_grid"),
        ("Cell hash", "cell_hash"),
        ("Bucket hash", "bucket_hash"),
        ("Block map", "block_map"),
        ("Sorted cells", "sorted_cells"),
        ("Brute force", "brute_force"),
        ("Spatial hash", "spatial_hash"),
    ];
    for (item, name) in structures {
        let [button, item] = choice_in_window("Structure", item);
        let chosen = |window: &mut Window| {
            let last = window.stats().pop();
            last.is_some_and(|line| line.pointer("/search/structure").is_some_and(|found| found == name))
        };
        // What is chosen now is marked in the open menu. A click that comes before the menu is there would be lost.
        let closed = window.count_pixels(MARKED);
        let choose = |window: &Window| {
            window.click(button);
            let start = Instant::now();
            while window.count_pixels(MARKED) < closed + 1000 && start.elapsed() < Duration::from_secs(5) {
                window.breathe();
            }
            window.click(item);
        };
        window.until(name, choose, chosen);
    }
}

/// What is chosen in an open menu.
const MARKED: [u8; 3] = rgb(viewer::ui::theme::ACCENT_DIM);

/// A button.
const CONTROL: [u8; 3] = rgb(viewer::ui::theme::CONTROL);

const fn rgb(color: egui::Color32) -> [u8; 3] {
    let [r, g, b, _] = color.to_array();
    [r, g, b]
}

/// The particles that its query meets appear in their colours, with their counts; and go when the selection does.
fn click_a_particle(window: &mut Window) {
    let neighbor = viewer::color::VERDICT_COLORS[viewer::color::verdict_index(sph_core::neighbors::Verdict::Neighbor)];
    let place = particle_in_window();
    window.until("a query", |window| window.click(place), |window| window.count_pixels(neighbor) > 20);
    window.photograph("query.png");
    let clear = |window: &Window| drop(window.tool("xdotool", &["key", "Escape"]));
    window.until("no query", clear, |window| window.count_pixels(neighbor) == 0);
}

/// Tests that measure what a window does take turns.
static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());

#[test]
fn auto_tune_finds_a_grid_and_a_click_applies_it() {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    // Where its parts are, before it starts and at the end.
    let mut harness = laid_out();
    harness.state_mut().state.tuning.open = true;
    harness.run_ok();
    // It keeps its distance from the right edge, and a tenth of the height from the upper one, of a display that kittest makes larger.
    let shift = egui::vec2(-2.0 * MARGIN, -0.2 * MARGIN);
    let place =
        |harness: &egui_kittest::Harness<'_, panels::Panels>, label: &str| harness.get_by_label(label).rect().translate(shift);
    let (only, start) = (place(&harness, "Spatial hash only"), place(&harness, "Start"));
    let parameters = harness.state().snapshot.parameters.expect("there are parameters");
    let mut place_at = |stage, share, label: &str| {
        let tuning = trials::tuning(&parameters, &[parameters.grid.structure], stage, share);
        harness.state_mut().snapshot.tuning = Some(tuning);
        harness.run_ok();
        place(&harness, label)
    };
    let cancel = place_at(viewer::session::Stage::Running, 0.5, "Cancel");
    let apply = place_at(viewer::session::Stage::Done, 1.0, "Apply best");

    let (_server, display) = display();
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = Window::open(&display, folder.path(), &panels::SCENE.replace("table_size = 1000", "table_size = 2"));
    let id = window.id();
    window.tool("xdotool", &["windowfocus", &id]);
    window.wait_for_steps(10);
    window.tool("xdotool", &["key", "a"]);
    std::thread::sleep(Duration::from_secs(1));
    window.click(only.center());
    // There is a button to cancel while it runs.
    let corner = cancel.left_top() + egui::vec2(3.0, 3.0);
    let begun = |window: &mut Window| window.pixel(corner) == CONTROL;
    window.until("a search", |window| window.click(start.center()), begun);
    window.until("its end", Window::breathe, |window| window.pixel(corner) != CONTROL);
    window.photograph("auto_tune.png");
    let before = window.stats().pop().expect("there are steps");
    assert_eq!(number(&before, "/search/table_size"), 2.0);
    let applied = |window: &mut Window| {
        let last = window.stats().pop();
        last.is_some_and(|line| number(&line, "/search/table_size") > 2.0)
    };
    window.until("another grid", |window| window.click(apply.center()), applied);
    let after = window.stats().pop().expect("there are steps");
    assert!((number(&after, "/search/table_size") as u32).is_power_of_two(), "{after}");
    assert!(number(&after, "/time") > number(&before, "/time"));
    assert_eq!(number(&after, "/audit/missed"), 0.0);
}

#[test]
fn the_mouse_reaches_the_running_simulation() {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (_server, display) = display();
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = Window::open(&display, folder.path(), panels::SCENE);
    let id = window.id();
    window.tool("xdotool", &["windowfocus", &id]);
    let first = window.wait_for_steps(10);
    assert_eq!(number(&first[0], "/search/table_size"), 1000.0);
    assert!((number(&first[0], "/search/cell_size") - 0.1).abs() < 1e-6);

    let table = slider_in_window("Hash table size");
    window.drag(table.center(), table.left_center() + egui::vec2(40.0, 0.0), "the table size", |line| {
        number(line, "/search/table_size") < 100.0
    });
    let cell = slider_in_window("Cell spacing");
    window.drag(cell.center(), cell.right_center() - egui::vec2(20.0, 0.0), "the cell size", |line| {
        number(line, "/search/cell_size") > 0.2
    });
    window.photograph("window.png");
    let seen = window.stats().len();
    window.wait_for_steps(seen + 10);
    choose_every_structure(&mut window);
    click_a_particle(&mut window);

    window.tool("xdotool", &["windowfocus", &id]);
    window.tool("xdotool", &["key", "ctrl+q"]);
    let status = window.wait_for_end();
    assert!(status.success(), "{status}");

    assert_eq!(partial(folder.path()), None, "a temporary file is left");
    let lines = read(&folder.path().join("stats.jsonl"));
    assert!(lines.len() > seen);
    for (before, after) in lines.iter().zip(&lines[1..]) {
        assert!(number(after, "/time") > number(before, "/time"), "time went back: {before} {after}");
        assert_eq!(number(after, "/step"), number(before, "/step") + 1.0, "a step is missing");
    }
    let last = lines.last().expect("there are lines");
    assert!(number(last, "/search/table_size") < 100.0 && number(last, "/search/cell_size") > 0.2, "{last}");
    // A change of the grid leaves the water alone: neighbours do not depend on it, only candidates.
    assert!(number(last, "/search/candidates") > number(last, "/search/neighbors"));
}
