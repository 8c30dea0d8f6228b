//! Recordings: pictures written one after another, as PNG files, as an animation or as a video, from a thread of their own.

mod apng;
mod chunks;
mod ffmpeg;
mod format;
mod frames;
mod open;
mod recorder;
mod sink;

pub use format::VideoFormat;
pub use open::open;
pub use recorder::{Progress, Recorder};
pub use sink::PictureSink;
