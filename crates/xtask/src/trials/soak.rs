//! `cargo xtask soak`: the window used by chance for an hour, on a display of its own.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::Random;
use crate::arguments::SoakArguments;
use crate::workspace::{Failure, Workspace};

/// Size of the screen, and of the window at the start and at the end, pixels.
const SCREEN: [u32; 2] = [1600, 1000];
const WINDOW: [u32; 2] = [1280, 800];

/// Scene at the start and at the end: file and title.
const FIRST: (&str, &str) = ("scenes/dam_break.toml", "Dam break");

/// Time between two measurements.
const INTERVAL: Duration = Duration::from_secs(10);

/// Time between two rows of the table.
const ROW: Duration = Duration::from_secs(5 * 60);

/// Time that the first scene runs before its memory is measured.
const SETTLING: Duration = Duration::from_secs(20);

/// Longest time without a frame while there is input: a window that stands still longer fails the trial.
const STILL: Duration = Duration::from_secs(120);

/// Age of pictures and recordings that are removed, and bytes of a recording after which it is ended.
const OLD: Duration = Duration::from_secs(30);
const RECORDING: u64 = 256 << 20;

/// Runs the trial, prints its table, and fails if the program has ended or stood still or has exceeded a bound.
pub fn run(workspace: &Workspace, arguments: &SoakArguments) -> Result<ExitCode, Failure> {
    super::build(workspace)?;
    let mut soak = Soak::new(workspace, arguments).map_err(Failure::unready)?;
    println!("  minute  resident MiB  kept MiB  inputs  scene");
    let ended = soak.use_for(Duration::from_secs(60 * arguments.minutes));
    print!("seed {}, {} inputs\n{}", arguments.seed, soak.inputs, soak.record.summary());
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
    /// Time of the table's next row, since the beginning.
    next_row: Duration,
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
        Ok(Self {
            program,
            display,
            file,
            folder,
            scenes,
            random,
            size: WINDOW,
            inputs: 0,
            begin,
            next_row: Duration::ZERO,
            record,
        })
    }

    fn use_for(&mut self, time: Duration) -> Result<(), String> {
        self.hand(&["windowfocus", "{id}"]);
        self.measure_first_scene()?;
        let mut next_sample = Instant::now();
        while self.begin.elapsed() < time {
            let (input, pause) = next_input(&mut self.random, self.size, &self.scenes);
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
        let [resident, most] = self.program.memory()?;
        let said = self.program.said();
        let still = said.since.elapsed();
        if still > STILL {
            return Err(format!("the window has not drawn a frame for {:.0} s", still.as_secs_f64()));
        }
        let kept = kept(&said.frames).unwrap_or_default();
        drop(said);
        self.record.add(most, kept);
        if self.begin.elapsed() >= self.next_row {
            self.next_row = self.begin.elapsed() + ROW;
            let (minutes, inputs, title) = (self.begin.elapsed().as_secs_f64() / 60.0, self.inputs, self.title());
            println!("  {minutes:6.1}  {resident:12.0}  {:8.1}  {inputs:6}  {title}", kept[0]);
        }
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

/// Keys of the window's commands. Left out are those that leave the window or write into a scene file; the question whether to save is
/// answered by `ctrl+d` and Escape.
const KEYS: &str = "space space space period comma Home End s r ctrl+z ctrl+shift+z f c p g t v x b a F1 F11 F12 Escape Escape ctrl+d \
                    Tab shift+Tab Return Up Down Left Right Prior Next";

/// Texts for fields: numbers that are usual, far off, or none.
const TEXTS: &[&str] = &["0", "1", "0.01", "25", "-3", "1e9", "99999999", "abc", "1e-30", "0.5", "nan", "2000"];

/// Least and greatest sizes of the window, pixels. The least is below the least that the window asks for.
const SIZES: [[u32; 2]; 2] = [[240, 160], [1600, 1000]];

/// Something that a hand does.
#[derive(Debug, PartialEq)]
enum Input {
    /// Arguments of one call of xdotool; `{id}` is the window's number.
    Hand(Vec<String>),
    /// Title of a scene to open by the palette.
    Scene(String),
    /// Taking the window off the screen and, after so many milliseconds, back.
    Minimise(u64),
    /// A recording of so many milliseconds.
    Record(u64),
}

/// The next input to a window of `size` pixels, and the time to wait after it, ms.
fn next_input(random: &mut Random, size: [u32; 2], scenes: &[String]) -> (Input, u64) {
    let place = |random: &mut Random| size.map(|length| random.whole(0..length).to_string());
    let hand = |words: &[&str]| Input::Hand(words.iter().map(|&word| word.to_owned()).collect());
    let input = match random.whole(0..100) {
        0..28 => {
            let [x, y] = place(random);
            let button = random.one_of(&["1", "1", "1", "1", "1", "3", "2"]);
            let times = random.one_of(&["1", "1", "1", "2"]);
            hand(&["mousemove", &x, &y, "click", "--repeat", times, "--delay", "20", button])
        }
        28..46 => {
            let [[x0, y0], [x1, y1], [x2, y2]] = [place(random), place(random), place(random)];
            let button = random.one_of(&["1", "1", "1", "2", "3"]);
            let pause = random.one_of(&["0", "0.05", "0.2"]);
            let way = ["mousemove", &x1, &y1, "sleep", pause, "mousemove", &x2, &y2, "sleep", pause];
            hand(&[&["mousemove", &x0, &y0, "mousedown", button, "sleep", pause], &way[..], &["mouseup", button]].concat())
        }
        46..52 => {
            let [x, y] = place(random);
            let times = random.whole(1..8).to_string();
            hand(&["mousemove", &x, &y, "click", "--repeat", &times, "--delay", "10", random.one_of(&["4", "5"])])
        }
        52..82 => hand(&["key", random.one_of(&KEYS.split_whitespace().collect::<Vec<_>>())]),
        82..88 => {
            let [x, y] = place(random);
            let (text, end) = (random.one_of(TEXTS), random.one_of(&["Return", "Tab", "Escape"]));
            hand(&["mousemove", &x, &y, "click", "1", "key", "ctrl+a", "type", "--args", "1", text, "key", end])
        }
        88..92 => {
            let text = random.one_of(&["sl", "visc", "cell", "plot", "speed", "x"]);
            hand(&["key", "Escape", "ctrl+k", "type", "--args", "1", text, "key", "Down", random.one_of(&["Return", "Escape"])])
        }
        92..95 => {
            let size = [0, 1].map(|axis| random.whole(SIZES[0][axis]..SIZES[1][axis]).to_string());
            hand(&["windowsize", "{id}", &size[0], &size[1]])
        }
        95..97 => Input::Minimise(u64::from(random.whole(10..3000))),
        97 => Input::Record(u64::from(random.whole(100..3000))),
        _ => Input::Scene(scenes[random.whole(0..scenes.len() as u32) as usize].clone()),
    };
    (input, random.one_of(&[10, 50, 200, 400, 800]))
}

/// Lines of the program that are kept for a report.
const LINES: usize = 30;

/// Longest wait for a window.
const START: Duration = Duration::from_secs(120);

/// A process that does not outlive the trial.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An Xvfb server with a number that was free.
struct Display {
    _server: Process,
    name: String,
}

impl Display {
    fn start(size: [u32; 2]) -> Result<Self, String> {
        let [width, height] = size;
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", &format!("{width}x{height}x24")]);
        let mut server = Process(start(command.stdout(Stdio::piped()).stderr(Stdio::null()))?);
        let mut number = String::new();
        let output = server.0.stdout.take().ok_or("Xvfb has no output")?;
        BufReader::new(output).read_line(&mut number).map_err(|error| error.to_string())?;
        if number.trim().is_empty() {
            return Err("Xvfb starts no display".to_owned());
        }
        Ok(Self { _server: server, name: format!(":{}", number.trim()) })
    }

    /// Runs xdotool; its output where it succeeded.
    fn xdotool(&self, arguments: &[String]) -> Option<String> {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// What the program has said on its standard error.
struct Said {
    /// The latest line about frames; empty before the first.
    frames: String,
    /// When it came, or the program was started.
    since: Instant,
    /// Longest time without a line about frames.
    longest_silence: Duration,
    /// Number of panics.
    panics: u32,
    /// The latest other lines.
    lines: VecDeque<String>,
}

impl Said {
    fn new() -> Self {
        let (since, longest_silence) = (Instant::now(), Duration::ZERO);
        Self { frames: String::new(), since, longest_silence, panics: 0, lines: VecDeque::new() }
    }

    fn take(&mut self, line: String) {
        if line.contains("frames/s") {
            self.longest_silence = self.longest_silence.max(self.since.elapsed());
            (self.frames, self.since) = (line, Instant::now());
        } else {
            self.panics += u32::from(line.contains("panicked at"));
            self.lines.push_back(line);
            if self.lines.len() > LINES {
                self.lines.pop_front();
            }
        }
    }
}

/// The program with its window.
struct Program {
    process: Process,
    /// Number of the X window.
    id: String,
    said: Arc<Mutex<Said>>,
}

impl Program {
    /// Starts the program in `folder`, which is its home, and waits for its window.
    fn start(program: &Path, scene: &str, folder: &Path, display: &Display) -> Result<Self, String> {
        let mut command = Command::new(program);
        command.args([scene, "--frame-stats"]).current_dir(folder).stderr(Stdio::piped());
        // The user's own layout and pictures stay as they are.
        command.env("XDG_CONFIG_HOME", folder.join("config")).env("HOME", folder).env("DISPLAY", &display.name);
        command.env("WINIT_X11_SCALE_FACTOR", "1").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        let mut process = Process(start(&mut command)?);
        let said = Arc::new(Mutex::new(Said::new()));
        let errors = process.0.stderr.take().ok_or("the program has no standard error")?;
        let listener = said.clone();
        std::thread::spawn(move || {
            BufReader::new(errors).lines().map_while(Result::ok).for_each(|line| lock(&listener).take(line));
        });
        let mut started = Self { process, id: String::new(), said };
        let begin = Instant::now();
        while started.id.is_empty() {
            if begin.elapsed() > START || started.ended()?.is_some() {
                return Err(format!("no window appeared: {:?}", started.said().lines));
            }
            std::thread::sleep(Duration::from_millis(100));
            let pid = started.process.0.id().to_string();
            let found = display.xdotool(&["search", "--onlyvisible", "--pid", &pid].map(str::to_owned));
            started.id = found.and_then(|ids| ids.lines().last().map(str::to_owned)).unwrap_or_default();
        }
        Ok(started)
    }

    /// How the program ended, if it has.
    fn ended(&mut self) -> Result<Option<ExitStatus>, String> {
        self.process.0.try_wait().map_err(|error| format!("the program cannot be asked: {error}"))
    }

    /// What it has said so far.
    fn said(&self) -> MutexGuard<'_, Said> {
        lock(&self.said)
    }

    /// Resident memory now and at most so far, MiB.
    fn memory(&self) -> Result<[f64; 2], String> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.0.id())).map_err(|error| error.to_string())?;
        Ok(["VmRSS:", "VmHWM:"].map(|key| kibibytes(&status, key) / 1024.0))
    }
}

fn lock(said: &Mutex<Said>) -> MutexGuard<'_, Said> {
    said.lock().unwrap_or_else(PoisonError::into_inner)
}

fn start(command: &mut Command) -> Result<Child, String> {
    command.stdin(Stdio::null()).spawn().map_err(|error| format!("cannot start {:?}: {error}", command.get_program()))
}

/// A figure of `/proc/PID/status`, KiB; 0 where it is not there.
fn kibibytes(status: &str, key: &str) -> f64 {
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0.0)
}

/// Resident memory beyond the ring of kept moments that the program may have at any time, MiB: the driver, the largest scene with a second
/// grid beside it, and tables of millions of buckets.
const OTHER_MEMORY: f64 = 2048.0;

/// Growth that is allowed between the first scene at the start and the same scene, opened again, at the end, MiB: what the allocator keeps
/// of memory that was freed.
const GROWTH: f64 = 384.0;

/// All measurements.
#[derive(Default)]
struct Record {
    /// Most resident memory, MiB.
    resident: f64,
    /// Most memory of the kept moments and its limit, MiB.
    kept: [f64; 2],
    /// The first time that more moments were kept than the limit allowed: their memory and the limit, MiB.
    overfull: Option<[f64; 2]>,
    /// Resident memory of the first scene at the start and at the end, MiB.
    first_scene: Vec<f64>,
    /// Times that an input has closed the window.
    closed: u32,
}

/// Memory of the kept moments and its limit, MiB, in a line about frames.
fn kept(line: &str) -> Option<[f64; 2]> {
    let (kept, limit) = line.rsplit_once("kept ")?.1.strip_suffix(" MiB")?.split_once(" of ")?;
    Some([kept.parse().ok()?, limit.parse().ok()?])
}

impl Record {
    fn add(&mut self, most_resident: f64, [kept, limit]: [f64; 2]) {
        self.resident = self.resident.max(most_resident);
        self.kept = [self.kept[0].max(kept), self.kept[1].max(limit)];
        if kept > limit {
            self.overfull.get_or_insert([kept, limit]);
        }
    }

    fn summary(&self) -> String {
        let [kept, limit] = self.kept;
        let first: Vec<_> = self.first_scene.iter().map(|resident| format!("{resident:.0}")).collect();
        format!(
            "resident memory: at most {:.0} MiB; with the first scene {} MiB\n\
             kept moments: at most {kept:.1} of {limit:.0} MiB\n\
             closed by an input and started again: {}\n",
            self.resident,
            first.join(", then "),
            self.closed
        )
    }

    /// Bounds that were exceeded.
    fn breaches(&self) -> Vec<String> {
        let mut breaches = Vec::new();
        let bound = self.kept[1] + OTHER_MEMORY;
        if self.resident > bound {
            breaches.push(format!("resident memory of {:.0} MiB, at most {bound:.0}", self.resident));
        }
        if let Some([kept, limit]) = self.overfull {
            breaches.push(format!("kept moments take {kept:.1} MiB, at most {limit:.0}"));
        }
        if let [start, .., end] = self.first_scene[..]
            && end > start + GROWTH
        {
            breaches.push(format!(
                "the first scene takes {end:.0} MiB at the end and {start:.0} at the start, at most {GROWTH:.0} more"
            ));
        }
        breaches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_inputs_and_places_are_in_the_window() {
        let scenes = ["Dam break".to_owned()];
        let inputs = |seed| {
            let mut random = Random(seed);
            (0..500).map(|_| next_input(&mut random, [300, 200], &scenes).0).collect::<Vec<_>>()
        };
        assert_eq!(inputs(3), inputs(3));
        assert_ne!(inputs(3), inputs(4));
        for input in inputs(3) {
            if let Input::Hand(words) = &input
                && words[0] == "mousemove"
            {
                let [x, y]: [u32; 2] = [&words[1], &words[2]].map(|word| word.parse().expect("a number"));
                assert!(x < 300 && y < 200, "{input:?}");
            }
        }
    }

    #[test]
    fn lines_are_told_apart() {
        let mut said = Said::new();
        said.take("12.0 frames/s, 3.0 layouts/s".to_owned());
        said.take("thread 'simulation' panicked at a.rs".to_owned());
        assert!(!said.frames.is_empty() && said.panics == 1 && said.lines.len() == 1);
        assert_eq!(kibibytes("VmPeak:\t 9 kB\nVmRSS:\t  2048 kB\n", "VmRSS:"), 2048.0);
    }

    fn record(resident: f64, kept: f64, end: f64) -> Record {
        let mut record = Record { first_scene: vec![200.0, end], ..Record::default() };
        record.add(resident, [kept, 512.0]);
        record.add(100.0, [10.0, 512.0]);
        record
    }

    #[test]
    fn lines_about_frames_have_the_ring() {
        assert_eq!(kept("5.0 frames/s; kept 31.5 of 512 MiB"), Some([31.5, 512.0]));
        assert_eq!(kept("5.0 frames/s"), None);
    }

    #[test]
    fn each_bound_is_held() {
        assert!(record(900.0, 500.0, 300.0).breaches().is_empty());
        assert!(record(2600.0, 500.0, 300.0).breaches()[0].contains("2600 MiB"));
        assert!(record(900.0, 513.0, 300.0).breaches()[0].contains("kept moments"));
        assert!(record(900.0, 500.0, 700.0).breaches()[0].contains("700 MiB at the end"));
        assert!(record(900.0, 500.0, 300.0).summary().contains("at most 900 MiB; with the first scene 200, then 300 MiB"));
    }
}
