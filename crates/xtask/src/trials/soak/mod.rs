//! `cargo xtask soak`: the window used by chance for an hour, on a display of its own.

mod inputs;
mod program;
mod record;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use super::random::Random;
use crate::arguments::SoakArguments;
use crate::workspace::{Failure, Workspace};
use inputs::Input;
use program::{Display, Program};
use record::{Record, Sample};

/// Size of the screen, and of the window at the start and at the end, pixels.
const SCREEN: [u32; 2] = [1600, 1000];
const WINDOW: [u32; 2] = [1280, 800];

/// Scene at the start and at the end: file and title.
const FIRST: (&str, &str) = ("scenes/dam_break.toml", "Dam break");

/// Time between two measurements.
const INTERVAL: Duration = Duration::from_secs(10);

/// Time that the first scene runs before its memory is measured.
const SETTLING: Duration = Duration::from_secs(20);

/// Longest time without a frame while there is input: a window that stands still longer fails the trial.
const STILL: Duration = Duration::from_secs(120);

/// Age of pictures and recordings that are removed, and bytes of a recording after which it is ended.
const OLD: Duration = Duration::from_secs(30);
const RECORDING: u64 = 256 << 20;

/// Runs the trial, prints its table, and fails if the program has ended or stood still or has exceeded a bound.
pub fn run(workspace: &Workspace, arguments: &SoakArguments) -> Result<ExitCode, Failure> {
    let built =
        workspace.cargo_at_root().args(["build", "--release", "--locked", "--package", "viewer", "--bin", "sph"]).status();
    if !built.map_err(|error| Failure::unready(format!("cannot run cargo: {error}")))?.success() {
        return Err(Failure::unready("the program cannot be built".to_owned()));
    }
    let mut soak = Soak::new(workspace, arguments).map_err(Failure::unready)?;
    let ended = soak.use_for(Duration::from_secs(60 * arguments.minutes));
    print!("seed {}, {} inputs\n{}", arguments.seed, soak.inputs, soak.record.table());
    let said = soak.program.said();
    println!("longest time without a frame: {:.0} s", said.longest_silence.as_secs_f64());
    let mut breaches = soak.record.breaches();
    breaches.extend(ended.err());
    if said.panics > 0 {
        breaches.push(format!("{} panics", said.panics));
    }
    if breaches.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    said.lines.iter().for_each(|line| eprintln!("  sph: {line}"));
    Err(Failure { status: 1, message: breaches.join("; ") })
}

struct Soak {
    program: Program,
    display: Display,
    /// A copy, so that the trial does not depend on what is built meanwhile.
    file: PathBuf,
    folder: PathBuf,
    scenes: Vec<String>,
    random: Random,
    size: [u32; 2],
    inputs: u32,
    begin: Instant,
    record: Record,
}

impl Soak {
    fn new(workspace: &Workspace, arguments: &SoakArguments) -> Result<Self, String> {
        let folder = workspace.root().join("target/soak");
        let prepared = prepare(workspace.root(), &folder);
        let (file, scenes) = prepared.map_err(|error| format!("cannot prepare {}: {error}", folder.display()))?;
        let display = Display::start(SCREEN)?;
        let program = Program::start(&file, FIRST.0, &folder, &display)?;
        let (random, begin, record) = (Random(arguments.seed), Instant::now(), Record::default());
        Ok(Self { program, display, file, folder, scenes, random, size: WINDOW, inputs: 0, begin, record })
    }

    fn use_for(&mut self, time: Duration) -> Result<(), String> {
        self.hand(&["windowfocus", "{id}"]);
        self.measure_first_scene()?;
        let mut next_sample = Instant::now();
        while self.begin.elapsed() < time {
            let (input, pause) = inputs::next(&mut self.random, self.size, &self.scenes);
            self.perform(&input);
            self.inputs += 1;
            wait(pause);
            if let Some(status) = self.program.ended()? {
                if !status.success() {
                    return Err(format!(
                        "the program ended after {} inputs, the last of which was {input:?}: {status}",
                        self.inputs
                    ));
                }
                self.record.closed += 1;
                println!("closed after {} inputs, the last of which was {input:?}", self.inputs);
                self.program = Program::start(&self.file, FIRST.0, &self.folder, &self.display)?;
                self.size = WINDOW;
                self.hand(&["windowfocus", "{id}"]);
            }
            if Instant::now() >= next_sample {
                next_sample = Instant::now() + INTERVAL;
                self.sample()?;
                self.tidy();
            }
        }
        self.measure_first_scene()
    }

    fn perform(&mut self, input: &Input) {
        match input {
            Input::Hand(words) => {
                if let [name, _, width, height] = &words[..]
                    && name == "windowsize"
                {
                    self.size = [width, height].map(|length| length.parse().unwrap_or(1));
                }
                self.hand(&words.iter().map(String::as_str).collect::<Vec<_>>());
            }
            Input::Scene(title) => self.open(title),
            Input::Minimise(time) => {
                self.hand(&["windowunmap", "{id}"]);
                wait(*time);
                // A window that is not shown yet takes no keys.
                self.hand(&["windowmap", "--sync", "{id}", "windowfocus", "{id}"]);
            }
            Input::Record(time) => {
                self.hand(&["key", "F10"]);
                wait(*time);
                self.hand(&["key", "F10"]);
            }
        }
    }

    /// Runs xdotool. It fails where the window is just gone, which shows elsewhere.
    fn hand(&self, words: &[&str]) -> Option<String> {
        let words: Vec<_> = words.iter().map(|word| word.replace("{id}", &self.program.id)).collect();
        self.display.xdotool(&words)
    }

    /// Opens a scene by the palette, and leaves unsaved edits behind.
    fn open(&self, title: &str) {
        self.hand(&["key", "Escape", "Escape", "ctrl+d", "ctrl+k", "sleep", "0.3", "type", "--args", "1", title]);
        wait(300);
        self.hand(&["key", "Return", "sleep", "0.5", "key", "ctrl+d"]);
    }

    /// Measures the memory of the first scene in the usual size, after it has run for a while.
    fn measure_first_scene(&mut self) -> Result<(), String> {
        let [width, height] = WINDOW.map(|length| length.to_string());
        self.hand(&["windowsize", "{id}", &width, &height]);
        self.size = WINDOW;
        let begin = Instant::now();
        loop {
            // In a list of its own it is found by its title; a question or a field may have taken the keys.
            if !self.record.first_scene.is_empty() {
                self.hand(&["windowfocus", "{id}"]);
                self.open(FIRST.1);
            }
            wait(2000);
            if self.title().starts_with(&format!("{} –", FIRST.1)) {
                break;
            }
            if begin.elapsed() > STILL {
                return Err(format!("the first scene cannot be opened again; the window shows {:?}", self.title()));
            }
        }
        std::thread::sleep(SETTLING);
        let [resident, _] = self.program.memory()?;
        self.record.first_scene.push(resident);
        self.sample()
    }

    fn title(&self) -> String {
        self.hand(&["getwindowname", "{id}"]).unwrap_or_default()
    }

    fn sample(&mut self) -> Result<(), String> {
        let resident = self.program.memory()?;
        let said = self.program.said();
        let still = said.since.elapsed();
        if still > STILL {
            return Err(format!("the window has not drawn a frame for {:.0} s", still.as_secs_f64()));
        }
        let kept = record::kept(&said.frames).unwrap_or_default();
        drop(said);
        let (seconds, inputs, title) = (self.begin.elapsed().as_secs_f64(), self.inputs, self.title());
        self.record.samples.push(Sample { seconds, resident, inputs, kept, title });
        Ok(())
    }

    /// Removes the pictures and recordings of a while ago, and ends a recording that a click has started.
    fn tidy(&self) {
        if remove_old(&self.folder.join("pictures")) > RECORDING {
            self.hand(&["key", "F10"]);
        }
    }
}

/// Makes the folder with copies of the program and the scenes; the program's place and the titles of the scenes.
fn prepare(root: &Path, folder: &Path) -> std::io::Result<(PathBuf, Vec<String>)> {
    let _ = fs::remove_dir_all(folder);
    for inside in ["scenes/meshes", "pictures", "config"] {
        fs::create_dir_all(folder.join(inside))?;
    }
    fs::write(folder.join("config/user-dirs.dirs"), "XDG_PICTURES_DIR=\"$HOME/pictures\"\n")?;
    let mut titles = Vec::new();
    for inside in ["scenes", "scenes/meshes"] {
        for entry in fs::read_dir(root.join(inside))? {
            let path = entry?.path();
            let Some(name) = path.file_name().filter(|_| path.is_file()) else { continue };
            fs::copy(&path, folder.join(inside).join(name))?;
            let text = fs::read_to_string(&path)?;
            let title = text.lines().find_map(|line| line.strip_prefix("title = \"")?.strip_suffix('"'));
            // What has other letters cannot be typed on every keyboard.
            titles.extend(title.filter(|title| title.is_ascii()).map(str::to_owned));
        }
    }
    titles.sort();
    let file = folder.join("sph");
    fs::copy(root.join("target/release/sph"), &file)?;
    Ok((fs::canonicalize(file)?, titles))
}

/// Removes old files below a folder; bytes of those that stay.
fn remove_old(folder: &Path) -> u64 {
    let mut bytes = 0;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, Ok(data)) = (entry.path(), entry.metadata()) else { continue };
        let is_old = data.modified().is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > OLD));
        match (data.is_dir(), is_old) {
            (true, _) => bytes += remove_old(&path),
            (false, true) => drop(fs::remove_file(path)),
            (false, false) => bytes += data.len(),
        }
    }
    bytes
}

fn wait(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}
