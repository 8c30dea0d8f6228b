//! Tests of the program `sph` as a process: its exit status, its messages and its files. Here a temporary folder, the program to start
//! in it, and a scene that takes a fraction of a second.

mod bad_input;
mod commands;
mod endings;
mod measuring;
mod outputs;
mod pictures;
mod resuming;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A 2D dam break of 100 particles: about 80 steps of well under a millisecond.
pub const COLUMN: &str = r#"
format = 1
title = "Small column"
dimensions = 2

[particles]
spacing = 0.05

[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.5, 0.5]

[[containers]]
min = [0.0, 0.0]
max = [1.0, 1.0]
open = ["y_max"]

[run]
duration = 0.05
"#;

/// A temporary folder, removed at the end of the test.
pub struct Sandbox(TempDir);

/// Exit status and output of a finished program.
pub struct Run {
    /// Exit status; `None` after a signal.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Sandbox {
    /// A folder that contains only `column.toml`.
    pub fn new() -> Self {
        let sandbox = Self(tempfile::tempdir().expect("a temporary folder"));
        sandbox.write("column.toml", COLUMN);
        sandbox
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect("the folder is writable");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Names of the entries of `folder`, sorted.
    pub fn list(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    /// The program with its arguments, not started yet, without a display.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sph"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET").env_remove("RUST_LOG");
        command
    }

    /// Runs the program to its end.
    pub fn sph(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).output().expect("the program starts"))
    }

    /// Starts the program.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    }
}

impl Run {
    pub fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        let run = Self { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        run
    }

    /// Asserts the exit status; prints the output if it differs.
    #[track_caller]
    pub fn expect(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Asserts that standard error contains every one of `parts`.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stderr.contains(part), "no {part:?} in:\n{}", self.stderr);
        }
        self
    }
}

/// Waits until `is_so`, for at most two minutes, as the machine may be busy.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(120), "{what} did not come about");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Asserts that the file is a complete binary PLY, of the length that its header implies.
#[track_caller]
pub fn assert_complete_ply(path: &Path) {
    const END: &[u8] = b"end_header\n";
    let bytes = std::fs::read(path).expect("the file is readable");
    let end = bytes.windows(END.len()).position(|window| window == END).expect("a header") + END.len();
    let header = std::str::from_utf8(&bytes[..end]).expect("a header in ASCII");
    assert!(header.starts_with("ply\nformat binary_little_endian 1.0\n"), "{header}");
    let vertices: usize =
        header.lines().find_map(|line| line.strip_prefix("element vertex ")).expect("vertices").parse().unwrap();
    // All properties are floats or 32-bit integers.
    let stride = 4 * header.lines().filter(|line| line.starts_with("property ")).count();
    assert_eq!(bytes.len(), end + vertices * stride, "{}", path.display());
}
