//! Slow work outside the window's thread: dialogs and files.

use super::handler::{Answer, UserEvent};
use crate::session::{CHECKPOINT, Notice, Request, SceneSource};
use crate::ui::FilePurpose;
use std::future::Future;
use std::path::PathBuf;
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
        FilePurpose::OpenState | FilePurpose::SaveState(_) => dialog.add_filter("State", &[CHECKPOINT]),
        FilePurpose::SavePicture(_) => dialog.add_filter("Picture", &["png"]),
        FilePurpose::ExportPlot(_) => dialog.add_filter("Table", &["csv"]),
        FilePurpose::OpenResult | FilePurpose::SaveResult(_) => dialog.add_filter("Result", &["json"]),
        FilePurpose::SaveRecording(_) => dialog.add_filter("Session recording", &["jsonl"]),
    };
    // Created on this thread, as some systems demand; awaited on another.
    match purpose.name() {
        None => wait_for(proxy.clone(), dialog.pick_file(), purpose, folder),
        Some(_) => wait_for(proxy.clone(), dialog.save_file(), purpose, folder),
    }
}

/// Answer to a question for `purpose`: a file to be written has its extension.
pub fn answer(purpose: &FilePurpose, path: PathBuf) -> Answer {
    let with = |extension: &str| if path.extension().is_none() { path.with_extension(extension) } else { path.clone() };
    match purpose {
        FilePurpose::OpenScene => Answer::Request(Request::Load(SceneSource::at(path))),
        FilePurpose::OpenState => Answer::Request(Request::Load(SceneSource::Checkpoint(path))),
        FilePurpose::SaveRecording(_) => Answer::Request(Request::SaveRecording(with("jsonl"))),
        FilePurpose::ExportPlot(_) => Answer::Plot(with("csv")),
        FilePurpose::OpenResult => Answer::Result(path),
        FilePurpose::SaveResult(_) => Answer::Request(Request::SaveResult(with("json"))),
        FilePurpose::SaveState(_) => Answer::Request(Request::SaveState(with(CHECKPOINT))),
        FilePurpose::SavePicture(_) => Answer::Picture(path.with_extension("png")),
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
    fn files_that_are_written_have_their_extension() {
        let name = String::new;
        let path = |purpose: FilePurpose, path: &str| match answer(&purpose, path.into()) {
            Answer::Picture(path)
            | Answer::Result(path)
            | Answer::Plot(path)
            | Answer::Request(Request::SaveState(path) | Request::SaveRecording(path) | Request::SaveResult(path))
            | Answer::Request(Request::Load(SceneSource::Checkpoint(path))) => path.display().to_string(),
            answer => panic!("{answer:?}"),
        };
        assert_eq!(path(FilePurpose::SavePicture(name()), "a"), "a.png");
        assert_eq!(path(FilePurpose::SavePicture(name()), "a.jpg"), "a.png", "no other format is written");
        assert_eq!(path(FilePurpose::SaveState(name()), "a"), format!("a.{CHECKPOINT}"));
        assert_eq!(path(FilePurpose::SaveState(name()), "a.b"), "a.b");
        assert_eq!(path(FilePurpose::SaveRecording(name()), "a"), "a.jsonl");
        assert_eq!(path(FilePurpose::ExportPlot(name()), "a"), "a.csv");
        assert_eq!(path(FilePurpose::SaveResult(name()), "a"), "a.json");
        assert_eq!(path(FilePurpose::OpenState, "a"), "a");
        assert_eq!(path(FilePurpose::OpenResult, "a"), "a");
    }
}
