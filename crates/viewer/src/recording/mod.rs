//! Recordings: pictures written one after another, as PNG files, as an animation or as a video, from a thread of their own.

mod apng;
mod chunks;
mod ffmpeg;
mod format;
mod frames;
mod recorder;

pub use format::VideoFormat;
pub use recorder::{Progress, Recorder};

use crate::render::Picture;
use std::io;
use std::path::{Path, PathBuf};

/// An output of pictures of one size.
pub trait PictureSink: Send {
    /// Writes a picture.
    ///
    /// # Errors
    /// If it cannot be written, or has another size than the first.
    fn add(&mut self, picture: &Picture) -> io::Result<()>;

    /// Completes the output; returns what it is called.
    ///
    /// # Errors
    /// If it cannot be completed; nothing is then left under its name.
    fn finish(self: Box<Self>) -> io::Result<PathBuf>;
}

/// Opens the output `path` of `format` for pictures of `size` pixels, `fps` a second.
///
/// # Errors
/// If it cannot be created, or ffmpeg is not there.
pub fn open(format: VideoFormat, path: &Path, size: [u32; 2], fps: f64) -> io::Result<Box<dyn PictureSink>> {
    Ok(match format {
        VideoFormat::Frames => Box::new(frames::Frames::create(path)?),
        VideoFormat::Apng => Box::new(apng::Apng::create(path, size, fps)?),
        VideoFormat::Ffmpeg => Box::new(ffmpeg::Ffmpeg::start(path, size, fps)?),
    })
}
