//! Pictures and films of the 3D view: how they are taken, and where they go.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::background;
use super::handler::{App, UserEvent};
use super::window::Shot;
use crate::session::Notice;
use crate::ui::{FilmInProgress, film_contents};
use sph_render::Picture;
use sph_render::film::FilmWriter;

// Saving a picture.

impl App {
    /// Saves a picture to `path`, or to the folder of pictures under a free name.
    pub(super) fn save_picture(&mut self, path: Option<PathBuf>) {
        let view = &self.state.pictures;
        let shot = Shot { size: view.own_size.then_some(view.size), transparent: view.transparent, captions: view.captions };
        let Some(picture) = self.take_picture(shot) else { return };
        let (folder, stem) = (self.state.pictures.folder.clone(), self.picture_stem());
        background::run(&self.proxy, move || {
            UserEvent::Notice(match path {
                Some(path) => save(&picture, &path),
                None => match Reservation::new(&folder, &stem, "png") {
                    Ok(reservation) => save(&picture, reservation.path()),
                    Err(error) => failed(&folder, &error),
                },
            })
        });
    }

    /// Takes a picture of the 3D view; reports a failure. `None` without a scene.
    fn take_picture(&mut self, shot: Shot) -> Option<Picture> {
        let window = self.window.as_mut()?;
        match window.take_picture(&self.state, self.session.snapshot(), shot)? {
            Ok(picture) => Some(picture),
            Err(error) => {
                self.state.notices.push(Notice::error("Cannot take a picture", error.to_string()));
                None
            }
        }
    }

    /// Name of pictures of the present state, without extension.
    pub(super) fn picture_stem(&self) -> String {
        let snapshot = self.session.snapshot();
        let name = snapshot.scene.as_ref().map_or("scene", |scene| &scene.name);
        format!("{name}_{:.3}s", snapshot.time)
    }
}

fn save(picture: &Picture, path: &Path) -> Notice {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match picture.save_png(&path) {
        Ok(()) => Notice::written("picture saved", &path),
        Err(error) => failed(&path, &error),
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Notice {
    Notice::error(format!("Cannot save {}", path.display()), error.to_string())
}

// Films of the 3D view.

/// Message that the film at `path` is complete: pictures of a size in pixels, so many a second, and their number.
fn film_notice(path: &Path, (size, rate, pictures): ([u32; 2], u32, u64)) -> Notice {
    let is_png = path.extension().is_some_and(|extension| extension == "png");
    let done = if is_png { "film complete, an animated PNG" } else { "film complete" };
    // A folder of pictures has no size of its own.
    let bytes = fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len());
    Notice::written(done, path).with(film_contents(size, rate, pictures, bytes))
}

impl App {
    /// Starts a film with the options of the window for pictures, or ends the present one.
    pub(super) fn toggle_film(&mut self) {
        if let Some(current) = self.film.current.take() {
            self.end_film(current);
            return;
        }
        let view = &self.state.pictures;
        let Some(size) = self.window.as_ref().and_then(|window| window.picture_size(view.own_size.then_some(view.size))) else {
            return;
        };
        let (format, rate) = (view.format, view.fps);
        let fps = f64::from(rate);
        let shot =
            Shot { size: Some(size), transparent: view.transparent && format.keeps_transparency(), captions: view.captions };
        let reserved = Reservation::new(&view.folder, &format!("{}_film", self.picture_stem()), format.extension());
        let reservation = match reserved {
            Ok(reservation) => reservation,
            Err(error) => {
                self.state.notices.push(Notice::error("Cannot make a film", error.to_string()));
                return;
            }
        };
        let path = reservation.path().to_owned();
        let proxy = self.proxy.clone();
        let done = move |outcome: &std::io::Result<std::path::PathBuf>, pictures: u64| {
            // The output has its name, or never will.
            drop(reservation);
            let notice = match outcome {
                Ok(path) => film_notice(path, (size, rate, pictures)),
                Err(error) => Notice::error("The film failed", error.to_string()),
            };
            // A closed window needs no notice.
            let _ = proxy.send_event(UserEvent::Notice(notice));
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match FilmWriter::start(format, path, size, fps, done) {
            Ok(recorder) => {
                let clock = Clock::new(self.session.snapshot().time, fps);
                self.film.current = Some(Current { recorder, name, shot, clock, size, rate });
                self.record();
            }
            Err(error) => self.state.notices.push(Notice::error("Cannot make a film", error.to_string())),
        }
    }

    /// Takes the pictures that are due.
    pub(super) fn record(&mut self) {
        self.film.ending.retain(|recorder| !recorder.is_over());
        let Some(mut current) = self.film.current.take() else {
            self.state.pictures.film = None;
            return;
        };
        if current.recorder.is_over() {
            // The thread has reported why.
            self.state.pictures.film = None;
            return;
        }
        let due = current.clock.due(self.session.snapshot().time);
        current.recorder.leave_out(due.left_out);
        if due.pictures > 0
            && let Some(picture) = self.take_picture(current.shot)
        {
            current.recorder.offer(picture, due.pictures);
        }
        self.state.pictures.film = Some(FilmInProgress {
            name: current.name.clone(),
            size: current.size,
            rate: current.rate,
            progress: current.recorder.progress(),
        });
        self.film.current = Some(current);
    }

    fn end_film(&mut self, mut current: Current) {
        let left_out = current.recorder.close().left_out;
        if left_out > 0 {
            let title = format!("{left_out} pictures of {} were left out", current.name);
            let advice = "The disk or the encoder was too slow, or simulated time jumped. Record smaller pictures, fewer per \
                second, or PNG files.";
            self.state.notices.push(Notice::warning(title, advice));
        }
        self.film.ending.push(current.recorder);
        self.state.pictures.film = None;
    }
}

// Recordings of the window, and the instants at which their pictures are due.

/// Pictures that one state may stand for, where several were due since the one before.
const MOST_REPEATED: u64 = 50;

/// Pictures that have become due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Due {
    /// Pictures of the present state.
    pub pictures: u64,
    /// Pictures that are left out, because one state would have to stand for too many.
    pub left_out: u64,
}

/// Recordings: the present one, and those that are being completed.
#[derive(Debug, Default)]
pub struct Film {
    pub current: Option<Current>,
    /// Recordings that write what waits.
    pub ending: Vec<FilmWriter>,
}

/// A film in progress.
#[derive(Debug)]
pub(super) struct Current {
    /// Where the pictures go.
    pub recorder: FilmWriter,
    /// Name of the output.
    pub name: String,
    /// Options of the pictures.
    pub shot: Shot,
    /// Width and height of a picture, pixels.
    pub size: [u32; 2],
    /// Pictures per second of simulated time.
    pub rate: u32,
    /// When pictures are due.
    pub clock: Clock,
}

/// Instants of simulated time at which pictures are due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    /// Time of the first picture, s.
    start: f64,
    fps: f64,
    /// Pictures so far.
    count: u64,
}

impl Clock {
    /// Pictures from `start` (s) on, `fps` a second.
    pub fn new(start: f64, fps: f64) -> Self {
        Self { start, fps, count: 0 }
    }

    /// Pictures due at `time` (s). A fluid that has gone back in time starts again.
    pub fn due(&mut self, time: f64) -> Due {
        let elapsed = (time - self.start) * self.fps;
        if elapsed + 1.0 < self.count as f64 {
            *self = Self { start: time, count: 0, ..*self };
            return self.due(time);
        }
        // Steps end a little beside the instant.
        let wanted = (elapsed + 1e-6).floor().max(-1.0) as i64 + 1;
        let due = (wanted.max(0) as u64).saturating_sub(self.count);
        self.count += due;
        let pictures = due.min(MOST_REPEATED);
        Due { pictures, left_out: due - pictures }
    }
}

// Names of pictures and films.

/// Folder that pictures are saved to without a question, if the user has one.
pub fn folder() -> Option<PathBuf> {
    dirs::picture_dir().filter(|folder| folder.is_dir())
}

/// A name that no other picture or film takes, of this program or of another one that runs, until this is dropped.
///
/// The name itself stays free until the output is complete: it is held by an empty hidden file beside it, `.NAME.claim`, which only one
/// of several programs can create.
#[derive(Debug)]
struct Reservation {
    path: PathBuf,
    claim: PathBuf,
}

impl Reservation {
    /// Reserves a name in `folder` that is not taken yet: STEM, or STEM_2 and so on, with the extension unless that is empty. The
    /// folder is created if it is missing.
    ///
    /// # Errors
    /// If the folder cannot be created or not be written to.
    pub fn new(folder: &Path, stem: &str, extension: &str) -> io::Result<Self> {
        sph_io::make_folder(folder)?;
        let numbered = (2..).map(|number| format!("{stem}_{number}"));
        for stem in std::iter::once(stem.to_owned()).chain(numbered) {
            let name = if extension.is_empty() { stem } else { format!("{stem}.{extension}") };
            let claim = folder.join(format!(".{name}.claim"));
            match File::create_new(&claim) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            }
            let reservation = Self { path: folder.join(name), claim };
            // Looked at with the claim in hand: whoever held it before has completed its output, or given up.
            if fs::symlink_metadata(&reservation.path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
                return Ok(reservation);
            }
        }
        unreachable!("the numbers do not end")
    }

    /// The reserved name.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        // A claim that stays makes later names skip a number, no more.
        let _ = fs::remove_file(&self.claim);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::session::Severity;

    #[test]
    fn a_picture_that_cannot_be_saved_is_reported() {
        let picture = Picture { width: 1, height: 1, rgba: vec![0; 4] };
        let notice = save(&picture, Path::new("no such folder/picture.png"));
        assert_eq!(notice.severity, Severity::Error);
    }

    #[test]
    fn a_complete_film_says_what_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dam_film.png");
        fs::write(&path, [0; 3 << 10]).unwrap();
        let notice = film_notice(&path, ([944, 700], 30, 45));
        assert_eq!(notice.title, "dam_film.png: film complete, an animated PNG");
        assert_eq!(notice.details, "1.50 s at 30 fps, 45 pictures of 944 × 700, 3.0 KiB");
        // A folder of PNG files.
        assert_eq!(film_notice(folder.path(), ([4, 3], 24, 12)).details, "0.50 s at 24 fps, 12 pictures of 4 × 3");
    }

    #[test]
    fn pictures_are_due_at_equal_instants_of_simulated_time() {
        let mut clock = Clock { start: 1.0, fps: 10.0, count: 0 };
        let due = [1.0, 1.05, 1.1, 1.1, 1.35, 1.39, 1.4].map(|time| clock.due(time));
        assert_eq!(due, [1, 0, 1, 0, 2, 0, 1].map(|pictures| Due { pictures, left_out: 0 }));
        // 100 s later, of 1000 pictures, one state stands for some, and the rest is accounted for.
        assert_eq!(clock.due(101.4), Due { pictures: MOST_REPEATED, left_out: 1000 - MOST_REPEATED });
        assert_eq!(clock.due(101.5), Due { pictures: 1, left_out: 0 });
    }

    #[test]
    fn a_reset_fluid_is_recorded_from_its_start() {
        let mut clock = Clock { start: 0.0, fps: 10.0, count: 0 };
        assert_eq!([0.0, 0.5, 0.0, 0.1].map(|time| clock.due(time).pictures), [1, 5, 1, 1]);
    }

    fn reserve(folder: &Path, extension: &str) -> (Reservation, PathBuf) {
        let reservation = Reservation::new(folder, "dam_0.5s", extension).unwrap();
        let name = reservation.path().strip_prefix(folder).unwrap().to_owned();
        (reservation, name)
    }

    #[test]
    fn names_that_are_taken_get_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let name = |extension: &str| reserve(folder.path(), extension).1;
        assert_eq!(name("png"), Path::new("dam_0.5s.png"));
        fs::write(folder.path().join("dam_0.5s.png"), "").unwrap();
        fs::write(folder.path().join("dam_0.5s_2.png"), "").unwrap();
        assert_eq!(name("png"), Path::new("dam_0.5s_3.png"));
        assert_eq!(name(""), Path::new("dam_0.5s"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "claims are gone");
    }

    #[test]
    fn reserved_names_are_taken_before_there_is_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let (first, second) = (reserve(&path, "mp4"), reserve(&path, "mp4"));
        assert_eq!([first.1, second.1], ["dam_0.5s.mp4", "dam_0.5s_2.mp4"].map(PathBuf::from));
        drop(first.0);
        assert_eq!(reserve(&path, "mp4").1, Path::new("dam_0.5s.mp4"));
    }

    #[test]
    fn threads_that_reserve_at_once_get_different_names() {
        let folder = tempfile::tempdir().unwrap();
        let reserved: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| reserve(folder.path(), ""))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(reserved.iter().map(|(_, name)| name).collect::<BTreeSet<_>>().len(), 8);
    }

    #[test]
    fn a_folder_that_cannot_be_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(Reservation::new(&file, "dam", "png").is_err());
    }
}
