//! A folder of PNG files.

use super::sink::PictureSink;
use crate::render::Picture;
use std::io;
use std::path::{Path, PathBuf};

/// Writes `frame_0000.png` and so on into a folder.
#[derive(Debug)]
pub struct Frames {
    folder: PathBuf,
    count: u64,
}

impl Frames {
    /// Creates the folder if it is missing.
    pub fn create(folder: &Path) -> io::Result<Self> {
        sph_io::make_folder(folder)?;
        Ok(Self { folder: folder.to_owned(), count: 0 })
    }
}

impl PictureSink for Frames {
    fn add(&mut self, picture: &Picture) -> io::Result<()> {
        picture.save_png(&self.folder.join(format!("frame_{:04}.png", self.count)))?;
        self.count += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<PathBuf> {
        Ok(self.folder)
    }
}
