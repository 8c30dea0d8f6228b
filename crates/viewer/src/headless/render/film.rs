//! Where the pictures of `sph render` go: to numbered files, to a video, or to both.

use crate::headless::Failure;
use crate::headless::output::Claims;
use crate::render::Picture;
use crate::render::recording::{self, PictureSink, VideoFormat};
use sph_io::FrameFiles;
use std::path::{Path, PathBuf};

/// The outputs of a run's pictures.
pub struct Film {
    out: Option<(PathBuf, FrameFiles)>,
    video: Option<(PathBuf, Option<Box<dyn PictureSink>>)>,
}

impl Film {
    /// Claims the outputs of `--out` and `--video`.
    ///
    /// # Errors
    /// If there is none, or one of them would overwrite something else.
    pub fn claim(out: Option<&Path>, video: Option<&Path>, transparent: bool, mut claims: Claims) -> Result<Self, Failure> {
        if out.is_none() && video.is_none() {
            return Err(Failure::Input("give --out DIR for PNG files, --video FILE, or both".to_owned()));
        }
        let out = out.map(|out| (out.to_owned(), FrameFiles::new(out, "png")));
        if let Some((_, frames)) = &out {
            claims.frames("--out", frames)?;
        }
        if let Some(video) = video {
            let format = VideoFormat::of(video).map_err(|error| Failure::Input(format!("--video: {error}")))?;
            if transparent && !format.keeps_transparency() {
                let text = "--transparent: a video has no transparency; give --video a name that ends in .png";
                return Err(Failure::Input(text.to_owned()));
            }
            claims.file("--video", video)?;
        }
        Ok(Self { out, video: video.map(|video| (video.to_owned(), None)) })
    }

    /// Opens the outputs for pictures of `size` pixels, `fps` a second.
    ///
    /// # Errors
    /// If one of them cannot be opened.
    pub fn open(&mut self, size: [u32; 2], fps: f64) -> Result<(), Failure> {
        if let Some((folder, frames)) = &self.out {
            sph_io::make_folder(folder).map_err(|error| Failure::output("into", folder, &error))?;
            frames.remove_abandoned();
        }
        if let Some((path, sink)) = &mut self.video {
            let opened = VideoFormat::of(path).map_err(std::io::Error::other);
            let opened = opened.and_then(|format| recording::open(format, path, size, fps));
            *sink = Some(opened.map_err(|error| Failure::output("the video", path, &error))?);
        }
        Ok(())
    }

    /// Writes the picture `number`; the `first` replaces those of an earlier run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, picture: &Picture, number: u64, first: bool) -> Result<(), Failure> {
        if let Some((folder, frames)) = &self.out {
            let path = folder.join(format!("frame_{number:04}.png"));
            picture.save_png(&path).map_err(|error| Failure::output("the picture", &path, &error))?;
            if first {
                crate::headless::output::replace_later(frames, number)?;
            }
        }
        if let Some((path, Some(sink))) = &mut self.video {
            sink.add(picture).map_err(|error| Failure::output("the video", path, &error))?;
        }
        Ok(())
    }

    /// Completes the video.
    ///
    /// # Errors
    /// If it cannot be completed.
    pub fn finish(&mut self) -> Result<(), Failure> {
        let Some((path, sink)) = &mut self.video else { return Ok(()) };
        let outcome = sink.take().map_or(Ok(()), |sink| sink.finish().map(drop));
        outcome.map_err(|error| Failure::output("the video", path, &error))
    }

    /// Names of the outputs.
    pub fn names(&self) -> String {
        let out = self.out.iter().map(|(folder, _)| folder);
        let names = out.chain(self.video.iter().map(|(path, _)| path)).map(|path| path.display().to_string());
        names.collect::<Vec<_>>().join(" and ")
    }
}
