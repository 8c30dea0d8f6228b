//! The real window, under a display of its own: both grid sliders are dragged with the mouse while the statistics of the running
//! simulation are followed.
//!
//! Needs Xvfb, xdotool and ImageMagick (`cargo xtask test` installs them), and fails where they are missing.
#![cfg(target_os = "linux")]

mod panels;

use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SIZE: [u32; 2] = [1280, 800];

/// Longest wait for anything. Generous: the machine may draw with one busy processor.
const PATIENCE: Duration = Duration::from_secs(60);

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
    fn open(display: &str, folder: &Path) -> Self {
        let scene = folder.join("drop.toml");
        std::fs::write(&scene, panels::SCENE).expect("the scene is written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_sph"));
        command.arg(&scene).arg("--stats").arg(folder.join("stats.jsonl")).current_dir(folder);
        command.env("DISPLAY", display).env("WINIT_X11_SCALE_FACTOR", "1").env("RUST_LOG", "warn");
        command.env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        Self { program: start(&mut command), display: display.to_owned(), folder: folder.to_owned() }
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

/// Where a slider is in the real window: found by laying out the same panels at the same size.
fn slider_in_window(label: &str) -> egui::Rect {
    const MARGIN: f32 = 8.0;
    let size = SIZE.map(|length| length as f32 + 2.0 * MARGIN);
    let harness = panels::harness(size, panels::snapshot());
    panels::slider(&harness, label).translate(-egui::vec2(MARGIN, MARGIN))
}

#[test]
fn dragging_the_sliders_changes_the_running_simulation() {
    let (_server, display) = display();
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = Window::open(&display, folder.path());
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
