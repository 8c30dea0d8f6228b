//! The trait of all outputs of pictures.

use crate::render::Picture;
use std::io;
use std::path::PathBuf;

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
