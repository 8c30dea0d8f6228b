//! Slow work outside the window's thread: dialogs and files.

use super::handler::{Answer, UserEvent};
use crate::session::{CHECKPOINT, Notice, Request, SceneSource};
use crate::ui::FilePurpose;
use std::fs::File;
use std::future::Future;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use winit::event_loop::EventLoopProxy;

/// Shortest time in which a user can close a dialog: one that ends sooner was never shown.
const SHORTEST_DIALOG: Duration = Duration::from_millis(400);

/// Runs `work` on a new thread; its result is sent to the window as an event. Returns false if there is no such thread, which a notice says.
pub fn run(proxy: &EventLoopProxy<UserEvent>, work: impl FnOnce() -> UserEvent + Send + 'static) -> bool {
    let sender = proxy.clone();
    // A closed window needs no notice.
    let thread = std::thread::Builder::new().name("background".into());
    let started = thread.spawn(move || drop(sender.send_event(work())));
    if let Err(error) = &started {
        let _ = proxy.send_event(UserEvent::Notice(Notice::error("Cannot start a thread", error.to_string())));
    }
    started.is_ok()
}

/// Opens a dialog for a file, starting in `folder`; the answer comes as [`UserEvent::DialogClosed`], or that there is no dialog as
/// [`UserEvent::NoDialog`].
pub fn ask(proxy: &EventLoopProxy<UserEvent>, window: &winit::window::Window, purpose: FilePurpose, folder: Option<PathBuf>) {
    let mut dialog = rfd::AsyncFileDialog::new().set_parent(window).set_title(purpose.title());
    if let Some(folder) = &folder {
        dialog = dialog.set_directory(folder);
    }
    if let Some(name) = purpose.name() {
        dialog = dialog.set_file_name(name);
    }
    let dialog = match &purpose {
        FilePurpose::OpenScene => dialog.add_filter("Scene", &["toml", "json"]),
        FilePurpose::SaveScene(_) => dialog.add_filter("Scene", &["toml"]),
        FilePurpose::OpenState | FilePurpose::SaveState(_) => dialog.add_filter("State", &[CHECKPOINT]),
        FilePurpose::SavePicture(_) => dialog.add_filter("Picture", &["png"]),
        FilePurpose::ExportPlot(_) => dialog.add_filter("Table", &["csv"]),
        FilePurpose::OpenResult | FilePurpose::SaveResult(_) => dialog.add_filter("Result", &["json"]),
        FilePurpose::SaveRecording(_) => dialog.add_filter("Session recording", &["jsonl"]),
        FilePurpose::PicturesFolder | FilePurpose::FilmFolder => dialog,
    };
    // Created on this thread, as some systems demand; awaited on another.
    match purpose.name() {
        None if purpose.is_folder() => wait_for(proxy.clone(), dialog.pick_folder(), purpose, folder),
        None => wait_for(proxy.clone(), dialog.pick_file(), purpose, folder),
        Some(_) => wait_for(proxy.clone(), dialog.save_file(), purpose, folder),
    }
}

/// Answer to a question for `purpose`: a file to be written has its extension.
pub fn answer(purpose: &FilePurpose, path: PathBuf) -> Answer {
    let path = full_path(purpose, path);
    match purpose {
        FilePurpose::OpenScene => Answer::Request(Request::Load(SceneSource::at(path))),
        FilePurpose::SaveScene(_) => Answer::Scene(path),
        FilePurpose::OpenState => Answer::Request(Request::Load(SceneSource::Checkpoint(path))),
        FilePurpose::SaveRecording(_) => Answer::Request(Request::SaveRecording(path)),
        FilePurpose::ExportPlot(_) => Answer::Plot(path),
        FilePurpose::OpenResult => Answer::Result(path),
        FilePurpose::SaveResult(_) => Answer::Request(Request::SaveResult(path)),
        FilePurpose::SaveState(_) => Answer::Request(Request::SaveState(path)),
        FilePurpose::SavePicture(_) => Answer::Picture(path),
        FilePurpose::PicturesFolder => Answer::PicturesFolder { path, films: false },
        FilePurpose::FilmFolder => Answer::PicturesFolder { path, films: true },
    }
}

/// `path` with the extension of a file that is written for `purpose`, if it has none; pictures have theirs whatever the user typed.
pub fn full_path(purpose: &FilePurpose, path: PathBuf) -> PathBuf {
    let extension = match purpose {
        FilePurpose::OpenScene | FilePurpose::OpenState | FilePurpose::OpenResult => return path,
        FilePurpose::PicturesFolder | FilePurpose::FilmFolder => return path,
        FilePurpose::SavePicture(_) => return path.with_extension("png"),
        FilePurpose::SaveScene(_) => "toml",
        FilePurpose::SaveRecording(_) => "jsonl",
        FilePurpose::ExportPlot(_) => "csv",
        FilePurpose::SaveResult(_) => "json",
        FilePurpose::SaveState(_) => CHECKPOINT,
    };
    if path.extension().is_none() { path.with_extension(extension) } else { path }
}

/// Checks that `path` can be used for `purpose`: that there is a file to read, a folder to write it to, or the folder itself.
///
/// # Errors
/// The reason why not, as a sentence.
pub fn check(purpose: &FilePurpose, path: &Path) -> Result<(), String> {
    if purpose.is_folder() {
        return check_folder(path);
    }
    if path.is_dir() {
        return Err("This is a folder. Add the name of a file.".to_owned());
    }
    if purpose.name().is_none() {
        return match path.metadata() {
            // A pipe would block until someone writes to it.
            Ok(metadata) if !metadata.is_file() => Err("This is not a regular file.".to_owned()),
            Ok(_) => File::open(path).map(drop).map_err(|error| format!("The file cannot be read: {error}.")),
            Err(error) if error.kind() == ErrorKind::NotFound => Err("There is no such file.".to_owned()),
            Err(error) => Err(format!("The file cannot be read: {error}.")),
        };
    }
    check_folder(path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

fn check_folder(folder: &Path) -> Result<(), String> {
    match folder.metadata() {
        Ok(metadata) if !metadata.is_dir() => Err(format!("{} is not a folder.", folder.display())),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(format!("There is no folder {}.", folder.display())),
        Err(error) => Err(format!("The folder {} cannot be used: {error}.", folder.display())),
    }
}

/// Waits for the answer to `dialog` on a thread of its own.
fn wait_for(
    proxy: EventLoopProxy<UserEvent>,
    dialog: impl Future<Output = Option<rfd::FileHandle>> + Send + 'static,
    purpose: FilePurpose,
    folder: Option<PathBuf>,
) {
    let sender = proxy.clone();
    let start = Instant::now();
    let wait = move || {
        let path = pollster::block_on(dialog).map(|file| file.path().to_owned());
        let event = match path {
            None if start.elapsed() < SHORTEST_DIALOG => UserEvent::NoDialog(purpose, folder),
            path => UserEvent::DialogClosed(path.map(|path| answer(&purpose, path))),
        };
        // A closed window needs no answer.
        let _ = sender.send_event(event);
    };
    if let Err(error) = std::thread::Builder::new().name("file dialog".into()).spawn(wait) {
        let _ = proxy.send_event(UserEvent::Notice(Notice::error("Cannot start a thread", error.to_string())));
        let _ = proxy.send_event(UserEvent::DialogClosed(None));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_cannot_be_used_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("pool.toml");
        std::fs::write(&file, "").expect("it can be written");
        let saves = FilePurpose::SaveState("pool".to_owned());
        let reason = |purpose: &FilePurpose, path: &Path| check(purpose, path).err().unwrap_or_default();
        assert_eq!((check(&FilePurpose::OpenScene, &file), check(&saves, &folder.path().join("new"))), (Ok(()), Ok(())));
        assert_eq!(check(&saves, &file), Ok(()), "whether to replace it is asked elsewhere");
        assert_eq!(reason(&FilePurpose::OpenScene, &folder.path().join("pond.toml")), "There is no such file.");
        for purpose in [&FilePurpose::OpenResult, &saves] {
            assert_eq!(reason(purpose, folder.path()), "This is a folder. Add the name of a file.");
        }
        assert!(reason(&saves, &folder.path().join("a/b")).starts_with("There is no folder "));
        assert!(reason(&saves, &file.join("b")).ends_with(" is not a folder."));
        assert_eq!(check(&saves, Path::new("pool.checkpoint")), Ok(()), "in the present folder");
        assert_eq!(check(&FilePurpose::FilmFolder, folder.path()), Ok(()));
        assert!(reason(&FilePurpose::FilmFolder, &folder.path().join("a")).starts_with("There is no folder "));
        assert!(reason(&FilePurpose::PicturesFolder, &file).ends_with(" is not a folder."));
    }

    #[test]
    fn files_that_are_written_have_their_extension() {
        let name = String::new;
        let path = |purpose: FilePurpose, path: &str| match answer(&purpose, path.into()) {
            Answer::Scene(path)
            | Answer::Picture(path)
            | Answer::Result(path)
            | Answer::Plot(path)
            | Answer::Request(Request::SaveState(path) | Request::SaveRecording(path) | Request::SaveResult(path))
            | Answer::Request(Request::Load(SceneSource::Checkpoint(path))) => path.display().to_string(),
            answer => panic!("{answer:?}"),
        };
        assert_eq!(path(FilePurpose::SavePicture(name()), "a"), "a.png");
        assert_eq!(path(FilePurpose::SavePicture(name()), "a.jpg"), "a.png", "no other format is written");
        assert_eq!(path(FilePurpose::SaveScene(name()), "a"), "a.toml");
        assert_eq!(path(FilePurpose::SaveState(name()), "a"), format!("a.{CHECKPOINT}"));
        assert_eq!(path(FilePurpose::SaveState(name()), "a.b"), "a.b");
        assert_eq!(path(FilePurpose::SaveRecording(name()), "a"), "a.jsonl");
        assert_eq!(path(FilePurpose::ExportPlot(name()), "a"), "a.csv");
        assert_eq!(path(FilePurpose::SaveResult(name()), "a"), "a.json");
        assert_eq!(path(FilePurpose::OpenState, "a"), "a");
        assert_eq!(path(FilePurpose::OpenResult, "a"), "a");
    }
}
