//! The window under test, and the hand and the eyes on it; the file of statistics, which the program writes while it runs; places of
//! controls and particles, found by laying out the same panels without a window.

use super::display::{Display, Process, SIZE};
use super::panels::{self, Panels};
use egui::accesskit::Role;
use egui::{Color32, Pos2, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use serde_json::Value;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use viewer::command;
use viewer::ui::theme;

/// Longest wait for anything. Generous: several programs may share a processor with the one that draws.
const PATIENCE: Duration = Duration::from_secs(300);

/// Wait for an action to show, longer than a frame takes on a busy machine. A hand that went on earlier would take the pointer away before
/// the window has seen the click.
const USUAL: Duration = Duration::from_secs(10);

/// Time between two answers to the question whether to save, which appears in a frame after the command.
const QUESTION: Duration = Duration::from_secs(1);

/// Time between two looks at what is waited for.
const GLANCE: Duration = Duration::from_millis(20);

/// The running program and its display.
pub struct Window {
    program: Process,
    /// Number of the X window.
    id: String,
    pub display: Display,
    folder: TempDir,
    landmarks: [Rect; 2],
}

impl Window {
    /// Opens a scene; waits until the window has the keyboard and the simulation makes steps.
    pub fn open(scene: &str) -> Self {
        let (display, folder) = (Display::start(), tempfile::tempdir().expect("a folder"));
        std::fs::write(folder.path().join("drop.toml"), scene).expect("the scene is written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_sph"));
        command.args(["drop.toml", "--stats", "stats.jsonl"]).current_dir(folder.path());
        // A first start, whatever layout this user has.
        command.env("XDG_CONFIG_HOME", folder.path());
        command.env("DISPLAY", display.name()).env("WINIT_X11_SCALE_FACTOR", "1").env("RUST_LOG", "warn");
        // The user's pictures go to the folder that the program works in.
        let folders = format!("XDG_PICTURES_DIR=\"{}\"\n", folder.path().display());
        std::fs::write(folder.path().join("user-dirs.dirs"), folders).expect("the folders are written");
        command.env("XDG_CONFIG_HOME", folder.path()).env("HOME", folder.path());
        command.env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        let program = Process::start(&mut command);
        let (id, landmarks) = (String::new(), Layout::new().landmarks());
        let mut window = Self { program, id, display, folder, landmarks };
        window.wait("a window", |window| window.visible().is_some());
        window.id = window.visible().expect("it is still there");
        window.until("the keyboard", Self::focus, |window| {
            window.display.try_xdotool(&["getwindowfocus"]).as_ref() == Ok(&window.id)
        });
        window.wait("ten steps", |window| window.latest().is_some_and(|line| number(&line, "/step") >= 10.0));
        window
    }

    /// Does `action` until `confirmed`, and not at all where that is so already. An action may be lost, as a click is whose press and release
    /// fall into frames far apart; or it may be late. It is repeated only once the window has dealt with everything before, so that a
    /// repetition does not close what a late click has opened.
    pub fn until(&mut self, what: &str, action: impl Fn(&mut Self), confirmed: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !confirmed(self) {
            if start.elapsed() > PATIENCE {
                self.fail(what);
            }
            action(self);
            if self.comes_within(USUAL, &confirmed) {
                return;
            }
            println!("repeated for {what}");
            self.settle();
        }
    }

    /// Waits until `confirmed`.
    pub fn wait(&mut self, what: &str, confirmed: impl Fn(&Self) -> bool) {
        if !self.comes_within(PATIENCE, confirmed) {
            self.fail(what);
        }
    }

    /// Ends the test, with a picture of what the window shows instead.
    fn fail(&self, what: &str) -> ! {
        self.display.photograph("failed.png");
        let step = self.latest().map(|line| number(&line, "/step"));
        panic!("{what} did not come about by step {step:?}: see failed.png");
    }

    fn comes_within(&mut self, time: Duration, confirmed: impl Fn(&Self) -> bool) -> bool {
        let start = Instant::now();
        while !confirmed(self) {
            if let Some(status) = self.program.0.try_wait().expect("the program can be asked") {
                panic!("the program ended early: {status}");
            }
            if start.elapsed() > time {
                return false;
            }
            std::thread::sleep(GLANCE);
        }
        true
    }

    /// Waits until the window has dealt with all that it was sent: events come in order, and the last of them, moves of the pointer over
    /// two controls in turn, show.
    fn settle(&mut self) {
        // While the button is held, nothing else answers to the pointer.
        self.release();
        for control in self.landmarks {
            self.point(control.center());
            self.wait("an answer to the pointer", |window| window.shows(fill(control), theme::DARK.control_hovered));
        }
    }

    /// True where a place has this colour.
    pub fn shows(&self, place: Pos2, color: Color32) -> bool {
        self.display.pixel(place) == color
    }

    /// Moves the pointer.
    pub fn point(&self, place: Pos2) {
        let [x, y] = coordinates(place);
        self.display.xdotool(&["mousemove", &x, &y]);
    }

    /// Clicks at a place. Press and release follow at once: egui takes what is farther apart than 0.8 s, by the clock of the frames, for no
    /// click.
    pub fn click(&self, place: Pos2) {
        let [x, y] = coordinates(place);
        self.display.xdotool(&["mousemove", &x, &y, "click", "1"]);
    }

    /// Drags the handle of a slider from one place to another until `confirmed`, and lets go only then. The pointer stays until the handle is
    /// seen to be free: what moves it in the same frame would drag on.
    pub fn drag(&mut self, what: &str, [from, to]: [Pos2; 2], confirmed: impl Fn(&Self) -> bool) {
        let ([x0, y0], [x1, y1]) = (coordinates(from), coordinates(to));
        let drag = |window: &mut Self| {
            window.display.xdotool(&["mousemove", &x0, &y0, "mousedown", "1", "mousemove", &x1, &y1]);
        };
        self.until(what, drag, |window| confirmed(window) && window.shows(to, theme::DARK.accent_dim));
        self.release();
        self.wait("a free handle", |window| window.shows(to, theme::DARK.control_hovered));
    }

    /// Lets the left button go, if it is held.
    fn release(&self) {
        self.display.xdotool(&["mouseup", "1"]);
    }

    /// Presses a key or several at once.
    pub fn press(&self, keys: &str) {
        self.display.xdotool(&["key", keys]);
    }

    /// The statistics of the latest step.
    pub fn latest(&self) -> Option<Value> {
        latest(self.folder.path())
    }

    /// The statistics of all steps so far.
    pub fn lines(&self) -> Vec<Value> {
        let file = partial(self.folder.path()).expect("the file is being written");
        let text = std::fs::read_to_string(file).expect("it is text");
        let (complete, _) = text.rsplit_once('\n').expect("there are steps");
        complete.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
    }

    /// A number of the latest step.
    pub fn number(&self, pointer: &str) -> f64 {
        number(&self.latest().expect("there are steps"), pointer)
    }

    /// The folder that the program works in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The files with this extension in the folder that the program works in.
    pub fn files(&self, extension: &str) -> Vec<PathBuf> {
        let entries = self.folder.path().read_dir().expect("the folder is there").map(|entry| entry.expect("an entry").path());
        entries.filter(|path| path.extension().is_some_and(|its| its == extension)).collect()
    }

    /// True if the program has a thread of this name.
    pub fn has_thread(&self, name: &str) -> bool {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.program.0.id())).expect("the program runs");
        let name_of =
            |thread: std::io::Result<std::fs::DirEntry>| std::fs::read_to_string(thread.ok()?.path().join("comm")).ok();
        threads.filter_map(name_of).any(|its| its.trim() == name)
    }

    /// Processor time that the program has taken, ticks of usually 10 ms.
    pub fn ticks(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.program.0.id())).expect("the program runs");
        // After the name in parentheses, the fields from the third on; user and system time are the 14th and 15th.
        let fields: Vec<&str> = text.rsplit_once(')').expect("a name").1.split_whitespace().collect();
        [fields[11], fields[12]].iter().map(|field| field.parse::<u64>().expect("a number")).sum()
    }

    /// Gives the window another size, pixels.
    pub fn resize(&mut self, size: [u32; 2]) {
        self.landmarks = Layout::of_size(size).landmarks();
        let [width, height] = size.map(|length| length.to_string());
        self.display.xdotool(&["windowsize", &self.id, &width, &height]);
    }

    /// Takes the window off the screen, as a window manager does that minimises it.
    pub fn hide(&self) {
        self.display.xdotool(&["windowunmap", &self.id]);
    }

    /// Brings the hidden window back, with the keyboard.
    pub fn show(&mut self) {
        let show = |window: &mut Self| window.display.xdotool(&["windowmap", &window.id]);
        self.until("the window", show, |window| window.visible().is_some());
        self.until("the keyboard", Self::focus, |window| {
            window.display.try_xdotool(&["getwindowfocus"]).as_ref() == Ok(&window.id)
        });
    }

    /// Closes the window as a user does; how the program ended, and the folder that it worked in.
    pub fn quit(mut self) -> (ExitStatus, TempDir) {
        self.settle();
        self.focus();
        self.press("ctrl+q");
        let start = Instant::now();
        let mut asked = Instant::now();
        loop {
            if let Some(status) = self.program.0.try_wait().expect("the program can be asked") {
                return (status, self.folder);
            }
            assert!(start.elapsed() < PATIENCE, "the program does not end");
            // The grid was changed: the window asks whether to save it. Without a question this does nothing.
            if asked.elapsed() > QUESTION {
                self.press("ctrl+d");
                asked = Instant::now();
            }
            std::thread::sleep(GLANCE);
        }
    }

    fn focus(&mut self) {
        self.display.xdotool(&["windowfocus", &self.id]);
    }

    /// The number of the program's window once it can be seen.
    fn visible(&self) -> Option<String> {
        let found = self.display.try_xdotool(&["search", "--onlyvisible", "--pid", &self.program.0.id().to_string()]);
        found.ok()?.lines().last().map(str::to_owned)
    }
}

fn coordinates(place: Pos2) -> [String; 2] {
    [place.x, place.y].map(|length| length.round().to_string())
}

/// More bytes than any line has.
const TAIL: u64 = 1 << 16;

/// The latest complete line of the file in `folder` that is being written, under its temporary name. Only the file's end is read: it grows
/// by hundreds of lines a second.
pub fn latest(folder: &Path) -> Option<Value> {
    let mut file = File::open(partial(folder)?).ok()?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let (complete, _) = text.rsplit_once('\n')?;
    let line = complete.rsplit('\n').next()?;
    Some(serde_json::from_str(line).expect("a line is JSON"))
}

/// All lines of a complete file.
pub fn read(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(text.ends_with('\n'), "{} ends in the middle of a line", path.display());
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// The file in `folder` that is being written.
pub fn partial(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be listed").filter_map(Result::ok);
    entries.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|extension| extension == "partial"))
}

pub fn number(line: &Value, pointer: &str) -> f64 {
    line.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("no {pointer} in {line}"))
}

/// Points that kittest leaves free around the panels.
const MARGIN: f32 = 8.0;

/// The panels as they lie in the real window.
pub struct Layout(pub Harness<'static, Panels>);

/// A choice: the box that opens its menu, and the items of the open menu.
pub struct Choice {
    pub button: Rect,
    pub items: Vec<Rect>,
}

impl Layout {
    /// The panels of a window that fills the screen.
    pub fn new() -> Self {
        Self::of_size(SIZE)
    }

    /// The panels of a window of this size, pixels.
    pub fn of_size(size: [u32; 2]) -> Self {
        Self(panels::harness(size.map(|length| length as f32 + 2.0 * MARGIN), panels::snapshot()))
    }

    /// The panels over the scene with this text, in a window that fills the screen.
    pub fn of_scene(text: &str) -> Self {
        Self(panels::harness(SIZE.map(|length| length as f32 + 2.0 * MARGIN), panels::snapshot_of(text)))
    }

    /// The slider with this label.
    pub fn slider(&self, label: &str) -> Rect {
        in_window(panels::slider(&self.0, label))
    }

    /// The choice with this label, and the items that are called so.
    pub fn choice(mut self, label: &str, items: &[&str]) -> Choice {
        let button = self.0.get_by_role_and_label(Role::ComboBox, label).rect();
        self.0.get_by_role_and_label(Role::ComboBox, label).click();
        self.0.run_ok();
        let place = |name: &&str| {
            // The box itself may show the item's name too.
            let mut items = self.0.query_all_by_label(name).map(|node| node.rect());
            in_window(items.rfind(|rect| !button.contains_rect(*rect)).expect("the choice has this item"))
        };
        Choice { button: in_window(button), items: items.iter().map(place).collect() }
    }

    /// Places of the first two buttons of the bar below the view, which nothing lies over. A bar that is too narrow for all buttons has others
    /// there.
    pub fn landmarks(&self) -> [Rect; 2] {
        [command::Command::GoToStart, command::Command::StepBack].map(|command| {
            let button = self.0.get_by_role_and_label(Role::Button, command.label());
            in_window(button.rect())
        })
    }

    /// A particle in the middle of the fluid, at the start.
    pub fn particle(&self) -> Pos2 {
        let Panels { snapshot, area, state, .. } = self.0.state();
        let scene = snapshot.scene.as_ref().expect("there is a scene");
        let mut display = state.display.clone();
        display.frame(scene, area.aspect_ratio());
        let camera = display.camera;
        let particles = &snapshot.particles.positions;
        let middle = particles.iter().sum::<glam::Vec3>() / particles.len() as f32;
        let place = camera.project(middle, area.aspect_ratio()).expect("the fluid is in view");
        in_window(*area).center() + 0.5 * vec2(place.x * area.width(), -place.y * area.height())
    }

    /// A part of the panel for auto-tuning.
    pub fn part_of_tuning(&self, label: &str) -> Rect {
        in_window(self.0.get_by_label(label).rect())
    }
}

fn in_window(rect: Rect) -> Rect {
    rect.translate(-vec2(MARGIN, MARGIN))
}

/// A place near the left end of a control, where its fill shows and no text.
pub fn fill(control: Rect) -> Pos2 {
    control.left_center() + vec2(3.0, 0.0)
}
