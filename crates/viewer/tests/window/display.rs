//! A virtual display: its pixels, its mouse and its keyboard.

use egui::{Color32, Pos2};
use sph_render::Picture;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Width and height of the screen, pixels.
pub const SIZE: [u32; 2] = [1280, 800];

/// Advice for a machine that lacks a program.
const PACKAGES: &str = "this test needs the Debian packages xvfb, xdotool, mesa-vulkan-drivers, libxcursor1, libxi6 and \
                        libxkbcommon-x11-0, which `cargo xtask test` installs";

/// A process that does not outlive the test.
pub struct Process(pub Child);

impl Process {
    pub fn start(command: &mut Command) -> Self {
        let name = command.get_program().to_string_lossy().into_owned();
        Self(command.spawn().unwrap_or_else(|error| panic!("cannot start {name}: {error}; {PACKAGES}")))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An Xvfb server with a number that was free. Its screen is a file mapped into memory: a look at a pixel starts no program, and so takes
/// no longer on a busy machine.
pub struct Display {
    _server: Process,
    name: String,
    screen: File,
    _folder: TempDir,
}

impl Display {
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let [width, height] = SIZE;
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", &format!("{width}x{height}x24"), "-fbdir"]);
        let mut server = Process::start(command.arg(folder.path()).stdout(Stdio::piped()).stderr(Stdio::null()));
        let mut number = String::new();
        let output = server.0.stdout.take().expect("the output is piped");
        BufReader::new(output).read_line(&mut number).expect("Xvfb says its number");
        assert!(!number.trim().is_empty(), "Xvfb started no display");
        let screen = File::open(folder.path().join("Xvfb_screen0")).expect("Xvfb has a screen");
        Self { _server: server, name: format!(":{}", number.trim()), screen, _folder: folder }
    }

    /// The name that programs know it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs xdotool; its output where it succeeded.
    pub fn try_xdotool(&self, arguments: &[&str]) -> Result<String, String> {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).output();
        let output = output.unwrap_or_else(|error| panic!("cannot run xdotool: {error}; {PACKAGES}"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    /// Sends keys and moves of the mouse.
    pub fn xdotool(&self, arguments: &[&str]) {
        self.try_xdotool(arguments).unwrap_or_else(|error| panic!("xdotool {arguments:?}: {error}"));
    }

    /// The colour at a place.
    pub fn pixel(&self, place: Pos2) -> Color32 {
        let [x, y] = [place.x, place.y].map(|length| length.round() as u64);
        let mut bytes = [0; 4];
        let offset = self.first_pixel() + 4 * (y * u64::from(SIZE[0]) + x);
        self.screen.read_exact_at(&mut bytes, offset).expect("the place is on the screen");
        color(bytes)
    }

    /// Number of pixels that have this colour.
    pub fn count_pixels(&self, color: Color32) -> usize {
        self.pixels().into_iter().filter(|&pixel| pixel == color).count()
    }

    /// Saves a picture of the screen, in the folder that cargo has for that.
    pub fn photograph(&self, name: &str) {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let pixels = self.pixels();
        let colors = pixels.iter().collect::<HashSet<_>>().len();
        let rgba = pixels.into_iter().flat_map(|pixel| pixel.to_array()).collect();
        let [width, height] = SIZE;
        Picture { width, height, rgba }.save_png(&path).expect("the folder can be written");
        assert!(colors > 200, "{} shows next to nothing: {colors} colours", path.display());
        println!("picture of the window: {}", path.display());
    }

    fn pixels(&self) -> Vec<Color32> {
        let mut bytes = vec![0; 4 * SIZE[0] as usize * SIZE[1] as usize];
        self.screen.read_exact_at(&mut bytes, self.first_pixel()).expect("the screen can be read");
        bytes.as_chunks().0.iter().copied().map(color).collect()
    }

    /// Offset of the pixels in the file, which they end; a header and a table of colours come before.
    fn first_pixel(&self) -> u64 {
        let length = self.screen.metadata().expect("the screen is there").len();
        length - 4 * u64::from(SIZE[0]) * u64::from(SIZE[1])
    }
}

/// A pixel of an X server of 24 bits on this byte order: blue, green, red, nothing.
fn color([blue, green, red, _]: [u8; 4]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}
