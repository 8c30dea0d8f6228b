//! The program under trial, its virtual display, and what it says.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
pub struct Display {
    _server: Process,
    name: String,
}

impl Display {
    pub fn start(size: [u32; 2]) -> Result<Self, String> {
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
    pub fn xdotool(&self, arguments: &[String]) -> Option<String> {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// What the program has said on its standard error.
pub struct Said {
    /// The latest line about frames; empty before the first.
    pub frames: String,
    /// When it came, or the program was started.
    pub since: Instant,
    /// Longest time without a line about frames.
    pub longest_silence: Duration,
    /// Number of panics.
    pub panics: u32,
    /// The latest other lines.
    pub lines: VecDeque<String>,
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
pub struct Program {
    process: Process,
    /// Number of the X window.
    pub id: String,
    said: Arc<Mutex<Said>>,
}

impl Program {
    /// Starts the program in `folder`, which is its home, and waits for its window.
    pub fn start(program: &Path, scene: &str, folder: &Path, display: &Display) -> Result<Self, String> {
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
    pub fn ended(&mut self) -> Result<Option<ExitStatus>, String> {
        self.process.0.try_wait().map_err(|error| format!("the program cannot be asked: {error}"))
    }

    /// What it has said so far.
    pub fn said(&self) -> MutexGuard<'_, Said> {
        lock(&self.said)
    }

    /// Resident memory now and at most so far, MiB.
    pub fn memory(&self) -> Result<[f64; 2], String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let mut said = Said::new();
        said.take("12.0 frames/s, 3.0 layouts/s".to_owned());
        said.take("thread 'simulation' panicked at a.rs".to_owned());
        assert!(!said.frames.is_empty() && said.panics == 1 && said.lines.len() == 1);
        assert_eq!(kibibytes("VmPeak:\t 9 kB\nVmRSS:\t  2048 kB\n", "VmRSS:"), 2048.0);
    }
}
