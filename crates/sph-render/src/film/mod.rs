//! Recordings: pictures written one after another, as PNG files, as an animation or as a video, from a thread of their own.

mod apng;
mod ffmpeg;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use super::Picture;

// A recording in progress: pictures go to a thread that writes them.

/// Memory for pictures that wait to be written, bytes.
const WAITING_BYTES: usize = 256 << 20;

/// Numbers of pictures that may wait, at least and at most.
const WAITING: [usize; 2] = [2, 64];

/// State of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Pictures written.
    pub written: u64,
    /// Pictures that wait to be written.
    pub waiting: u64,
    /// Pictures that were left out, because too many waited or the time jumped.
    pub left_out: u64,
}

/// Writes pictures on a thread. Dropped, it waits until the output is complete.
#[derive(Debug)]
pub struct FilmWriter {
    /// Pictures, and how often each is written.
    pictures: Option<SyncSender<(Picture, u64)>>,
    thread: Option<JoinHandle<io::Result<PathBuf>>>,
    taken: u64,
    left_out: u64,
    written: Arc<AtomicU64>,
}

impl FilmWriter {
    /// Records pictures of `size` pixels, `fps` a second, at `path`. The output is opened on the thread: `done` gets the errors, and is
    /// called when the thread ends, with the name of the complete output and the number of its pictures.
    ///
    /// # Errors
    /// If the operating system refuses the thread.
    pub fn start(
        format: VideoFormat,
        path: PathBuf,
        size: [u32; 2],
        fps: f64,
        done: impl FnOnce(&io::Result<PathBuf>, u64) + Send + 'static,
    ) -> io::Result<Self> {
        Self::start_with(size, move || open(format, &path, size, fps), done)
    }

    fn start_with(
        size: [u32; 2],
        open: impl FnOnce() -> io::Result<Box<dyn PictureSink>> + Send + 'static,
        done: impl FnOnce(&io::Result<PathBuf>, u64) + Send + 'static,
    ) -> io::Result<Self> {
        let bytes = 4 * size[0] as usize * size[1] as usize;
        let (pictures, received) = sync_channel(WAITING_BYTES.checked_div(bytes).unwrap_or(0).clamp(WAITING[0], WAITING[1]));
        let written = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&written);
        let write = move || {
            let outcome = open().and_then(|sink| write_all(sink, &received, &count));
            done(&outcome, count.load(Ordering::Relaxed));
            outcome
        };
        let thread = std::thread::Builder::new().name("recording".to_owned()).spawn(write)?;
        Ok(Self { pictures: Some(pictures), thread: Some(thread), taken: 0, left_out: 0, written })
    }

    /// Takes a picture that stands for `times` of the recording, without waiting; returns false if too many wait, and the picture is left
    /// out and counted.
    pub fn offer(&mut self, picture: Picture, times: u64) -> bool {
        match self.pictures.as_ref().map(|pictures| pictures.try_send((picture, times))) {
            Some(Ok(())) => {
                self.taken += times;
                true
            }
            Some(Err(TrySendError::Full(_))) => {
                self.leave_out(times);
                false
            }
            // The thread has failed, and has reported it.
            Some(Err(TrySendError::Disconnected(_))) | None => false,
        }
    }

    /// Counts pictures that the recording lacks.
    pub fn leave_out(&mut self, number: u64) {
        self.left_out += number;
    }

    /// True once the thread has ended, as after an error.
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// State of the recording.
    pub fn progress(&self) -> Progress {
        let written = self.written.load(Ordering::Relaxed);
        Progress { written, waiting: self.taken.saturating_sub(written), left_out: self.left_out }
    }

    /// Ends the recording; the thread writes what waits, completes the output and reports by itself.
    pub fn close(&mut self) -> Progress {
        drop(self.pictures.take());
        self.progress()
    }
}

impl Drop for FilmWriter {
    fn drop(&mut self) {
        drop(self.pictures.take());
        if let Some(thread) = self.thread.take() {
            // Reported by the thread itself; the program must not end before the file is complete.
            let _ = thread.join();
        }
    }
}

fn write_all(mut sink: Box<dyn PictureSink>, pictures: &Receiver<(Picture, u64)>, written: &AtomicU64) -> io::Result<PathBuf> {
    for (picture, times) in pictures {
        for _ in 0..times {
            sink.add(&picture)?;
            written.fetch_add(1, Ordering::Relaxed);
        }
    }
    sink.finish()
}

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

/// Opens the output `path` of `format` for pictures of `size` pixels, `fps` a second.
///
/// # Errors
/// If it cannot be created, or ffmpeg is not there.
pub fn open(format: VideoFormat, path: &Path, size: [u32; 2], fps: f64) -> io::Result<Box<dyn PictureSink>> {
    Ok(match format {
        VideoFormat::Frames => Box::new(Frames::create(path)?),
        VideoFormat::Apng => Box::new(apng::Apng::create(path, size, fps)?),
        VideoFormat::Ffmpeg => Box::new(ffmpeg::Ffmpeg::start(path, size, fps)?),
    })
}

/// Writes `frame_0000.png` and so on into a folder.
#[derive(Debug)]
struct Frames {
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    struct Gate(Receiver<()>, u64);

    impl PictureSink for Gate {
        fn add(&mut self, _: &Picture) -> io::Result<()> {
            self.0.recv().map_err(io::Error::other)?;
            self.1 += 1;
            if self.1 == 99 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }

        fn finish(self: Box<Self>) -> io::Result<PathBuf> {
            Ok(PathBuf::from(self.1.to_string()))
        }
    }

    /// A recorder of large pictures, of which few may wait, behind a gate.
    fn gated() -> (FilmWriter, std::sync::mpsc::Sender<()>, Receiver<io::Result<PathBuf>>) {
        let ((open, gate), (done, outcome)) = (channel(), channel());
        let report = move |result: &io::Result<PathBuf>, _| {
            let copy = match result {
                Ok(path) => Ok(path.clone()),
                Err(error) => Err(io::Error::from(error.kind())),
            };
            done.send(copy).expect("the test waits");
        };
        let recorder = FilmWriter::start_with([8192, 8192], move || Ok(Box::new(Gate(gate, 0))), report);
        (recorder.expect("a thread"), open, outcome)
    }

    fn picture() -> Picture {
        Picture { width: 1, height: 1, rgba: vec![0; 4] }
    }

    #[test]
    fn pictures_that_find_no_room_are_counted_and_the_others_written() {
        let (mut recorder, open, outcome) = gated();
        // One at the gate at most, two waiting.
        let taken = (0..10).filter(|_| recorder.offer(picture(), 1)).count() as u64;
        assert!((2..=3).contains(&taken), "{taken}");
        assert_eq!(recorder.progress(), Progress { written: 0, waiting: taken, left_out: 10 - taken });
        (0..taken).for_each(|_| open.send(()).unwrap());
        recorder.close();
        assert_eq!(outcome.recv().unwrap().unwrap(), PathBuf::from(taken.to_string()));
    }

    #[test]
    fn a_picture_that_stands_for_several_waits_once_and_is_written_as_often() {
        let (mut recorder, open, outcome) = gated();
        assert!(recorder.offer(picture(), 7) && recorder.offer(picture(), 5));
        recorder.leave_out(3);
        assert_eq!(recorder.progress(), Progress { written: 0, waiting: 12, left_out: 3 });
        (0..12).for_each(|_| open.send(()).unwrap());
        recorder.close();
        assert_eq!(outcome.recv().unwrap().unwrap(), PathBuf::from("12"));
    }

    #[test]
    fn an_error_ends_the_recording_and_is_reported() {
        let (mut recorder, open, outcome) = gated();
        drop(open);
        recorder.offer(picture(), 1);
        assert!(outcome.recv().unwrap().is_err());
        while !recorder.is_over() {
            std::thread::yield_now();
        }
        assert!(!recorder.offer(picture(), 1));
        assert_eq!(recorder.progress().left_out, 0, "what is not recorded any more is not left out");
    }

    #[test]
    fn the_extension_says_the_format() {
        assert_eq!(VideoFormat::of(Path::new("a/b.PNG")), Ok(VideoFormat::Apng));
        assert_eq!(VideoFormat::of(Path::new("b.mp4")), Ok(VideoFormat::Ffmpeg));
        for bad in ["b", "b.gif", "mp4", ".mp4", "b.toml"] {
            assert!(VideoFormat::of(Path::new(bad)).unwrap_err().contains(".webm"), "{bad}");
        }
    }
}
