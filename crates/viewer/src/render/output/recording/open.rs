//! From a format to its output.

use super::format::VideoFormat;
use super::sink::PictureSink;
use super::{apng, ffmpeg, frames};
use std::io;
use std::path::Path;

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
