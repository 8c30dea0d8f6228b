//! Video through ffmpeg, which reads raw pictures from a pipe.

use super::PictureSink;
use crate::Picture;
use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

/// A running ffmpeg.
#[derive(Debug)]
pub struct Ffmpeg {
    program: Child,
    pipe: Option<ChildStdin>,
    /// Collects what ffmpeg says.
    messages: Option<JoinHandle<String>>,
    /// Name of the video while it is incomplete.
    partial: PathBuf,
    path: PathBuf,
    size: [u32; 2],
}

impl Ffmpeg {
    /// Starts ffmpeg for the video `path`.
    pub fn start(path: &Path, [width, height]: [u32; 2], fps: f64) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(Ok(()), sph_io::make_folder)?;
        let partial = partial(path);
        let mut command = Command::new("ffmpeg");
        command.args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgba"]);
        command.args(["-video_size", &format!("{width}x{height}"), "-framerate", &fps.to_string(), "-i", "-"]);
        // Most encoders want even lengths and colours at half the resolution; most players nothing else.
        command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"]).arg(&partial);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // Ctrl-C goes to the program, which completes the video.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut program = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => io::Error::new(
                error.kind(),
                "ffmpeg is not on the PATH; install it, or choose an animated PNG (a name that ends in .png)",
            ),
            _ => error,
        })?;
        let stderr = program.stderr.take();
        let collect = move || {
            let mut text = String::new();
            // What cannot be read is left out.
            let _ = stderr.map(|stderr| stderr.take(1 << 16).read_to_string(&mut text));
            text
        };
        let messages = std::thread::Builder::new().name("ffmpeg".to_owned()).spawn(collect)?;
        let pipe = program.stdin.take();
        Ok(Self { program, pipe, messages: Some(messages), partial, path: path.to_owned(), size: [width, height] })
    }

    /// Waits for ffmpeg; the last line of what it said, if it failed.
    fn end(&mut self) -> io::Result<()> {
        drop(self.pipe.take());
        let status = self.program.wait()?;
        let said = self.messages.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        if status.success() {
            return Ok(());
        }
        let reason = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no message");
        Err(io::Error::other(format!("ffmpeg failed ({status}): {}", reason.trim())))
    }
}

impl PictureSink for Ffmpeg {
    fn add(&mut self, picture: &Picture) -> io::Result<()> {
        if [picture.width, picture.height] != self.size {
            return Err(io::Error::other("a picture has a different size from the first"));
        }
        let Some(pipe) = &mut self.pipe else { return Err(io::ErrorKind::BrokenPipe.into()) };
        // A pipe that ffmpeg has closed: it says why.
        pipe.write_all(&picture.rgba).or_else(|error| self.end().and(Err(error)))
    }

    fn finish(mut self: Box<Self>) -> io::Result<PathBuf> {
        self.end()?;
        std::fs::rename(&self.partial, &self.path)?;
        Ok(self.path.clone())
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        // A finished video has its name, and the program has ended.
        drop(self.pipe.take());
        let _ = self.program.kill();
        let _ = self.program.wait();
        let _ = std::fs::remove_file(&self.partial);
    }
}

/// Name beside `path` with its extension, by which ffmpeg chooses the format; another one each time.
fn partial(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut name = OsString::from(".");
    name.push(path.file_stem().unwrap_or_default());
    name.push(format!(".{}-{number}.partial.", std::process::id()));
    name.push(path.extension().unwrap_or_default());
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn videos_of_one_name_have_different_names_while_incomplete() {
        let path = Path::new("films/dam.mp4");
        let names = [partial(path), partial(path)];
        assert_ne!(names[0], names[1]);
        for name in names {
            assert_eq!((name.parent(), name.extension()), (path.parent(), path.extension()));
        }
    }
}
