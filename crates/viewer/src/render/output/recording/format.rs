//! Formats of recordings.

use std::path::Path;

/// Format of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VideoFormat {
    /// A folder of PNG files, numbered from 0.
    Frames,
    /// An animated PNG: no other program is needed, and it keeps transparency.
    #[default]
    Apng,
    /// A video that ffmpeg writes; the extension of the file says which.
    Ffmpeg,
}

/// Extensions of videos that ffmpeg is asked for.
const VIDEOS: [&str; 5] = ["mp4", "webm", "mkv", "mov", "avi"];

impl VideoFormat {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Frames, Self::Apng, Self::Ffmpeg];

    /// Name in menus.
    pub fn label(self) -> &'static str {
        match self {
            Self::Frames => "PNG files",
            Self::Apng => "Animated PNG",
            Self::Ffmpeg => "MP4 (ffmpeg)",
        }
    }

    /// The extension of a file that the window names itself; none for a folder.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Frames => "",
            Self::Apng => "png",
            Self::Ffmpeg => "mp4",
        }
    }

    /// The format of a file with this name.
    ///
    /// # Errors
    /// If its extension is of no format; the text says which there are.
    pub fn of(path: &Path) -> Result<Self, String> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
        match extension.as_str() {
            "png" | "apng" => Ok(Self::Apng),
            video if VIDEOS.contains(&video) => Ok(Self::Ffmpeg),
            _ => {
                Err(format!("expected a name that ends in .png (animated PNG) or in .{} (through ffmpeg)", VIDEOS.join(", .")))
            }
        }
    }

    /// True if pictures keep their transparency.
    pub fn keeps_transparency(self) -> bool {
        self != Self::Ffmpeg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_says_the_format() {
        assert_eq!(VideoFormat::of(Path::new("a/b.PNG")), Ok(VideoFormat::Apng));
        assert_eq!(VideoFormat::of(Path::new("b.mp4")), Ok(VideoFormat::Ffmpeg));
        for bad in ["b", "b.gif", "mp4", ".mp4", "b.toml"] {
            assert!(VideoFormat::of(Path::new(bad)).unwrap_err().contains(".webm"), "{bad}");
        }
    }
}
