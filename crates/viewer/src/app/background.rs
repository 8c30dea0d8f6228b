//! Slow work outside the window's thread: dialogs and files.

use super::handler::{Answer, UserEvent};
use crate::command::Command;
use crate::session::{CHECKPOINT, Notice, Request, SceneSource};
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

/// Purpose of a file dialog.
#[derive(Clone, Debug)]
pub enum Dialog {
    /// Choice of a scene to open.
    OpenScene,
    /// Choice of a state to open.
    OpenState,
    /// Place and name of a state to save, with the name to begin with.
    SaveState(String),
    /// Place and name of a picture to save, with the name to begin with.
    SavePicture(String),
    /// Place and name of a recording to save, with the name to begin with.
    SaveRecording(String),
}

impl Dialog {
    /// Way to the same end without a dialog.
    fn way_without(&self) -> String {
        match self {
            Self::OpenScene => "Drop a scene file on the window, or name it on the command line: sph FILE.toml".to_owned(),
            Self::OpenState => "Drop the state file on the window.".to_owned(),
            Self::SaveState(_) => "Without the window, `sph run SCENE --checkpoint FILE` saves the state at its end.".to_owned(),
            Self::SavePicture(_) => {
                let (key, label) = (Command::Screenshot.key_text(), Command::Screenshot.label());
                format!("{label} ({key}) needs no dialog: it saves to your pictures folder.")
            }
            Self::SaveRecording(_) => {
                "Name the file on the command line next time, sph SCENE --record FILE.jsonl: it is written when the window closes."
                    .to_owned()
            }
        }
    }
}

/// Opens a dialog for a file, starting in `folder`; the answer comes as [`UserEvent::DialogClosed`].
pub fn ask(proxy: &EventLoopProxy<UserEvent>, window: &winit::window::Window, purpose: Dialog, folder: Option<PathBuf>) {
    let mut dialog = rfd::AsyncFileDialog::new().set_parent(window);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let state = |dialog: rfd::AsyncFileDialog| dialog.add_filter("State", &[CHECKPOINT]);
    let way = purpose.way_without();
    // Created on this thread, as some systems demand; awaited on another.
    match purpose {
        Dialog::OpenScene => {
            let dialog = dialog.set_title("Open scene").add_filter("Scene", &["toml", "json"]);
            wait_for(proxy.clone(), dialog.pick_file(), way, |path| Answer::Request(Request::Load(SceneSource::at(path))));
        }
        Dialog::OpenState => {
            let dialog = state(dialog.set_title("Open state"));
            wait_for(proxy.clone(), dialog.pick_file(), way, |path| {
                Answer::Request(Request::Load(SceneSource::Checkpoint(path)))
            });
        }
        Dialog::SaveRecording(name) => {
            let dialog =
                dialog.set_title("Save session recording").add_filter("Session recording", &["jsonl"]).set_file_name(name);
            wait_for(proxy.clone(), dialog.save_file(), way, |path| {
                let path = if path.extension().is_none() { path.with_extension("jsonl") } else { path };
                Answer::Request(Request::SaveRecording(path))
            });
        }
        Dialog::SaveState(name) => {
            let dialog = state(dialog.set_title("Save state")).set_file_name(name);
            wait_for(proxy.clone(), dialog.save_file(), way, |path| {
                let path = if path.extension().is_none() { path.with_extension(CHECKPOINT) } else { path };
                Answer::Request(Request::SaveState(path))
            });
        }
        Dialog::SavePicture(name) => {
            let dialog = dialog.add_filter("Picture", &["png"]).set_title("Save picture").set_file_name(name);
            wait_for(proxy.clone(), dialog.save_file(), way, |path| Answer::Picture(path.with_extension("png")));
        }
    }
}

/// Waits for the answer to `dialog` on a thread of its own; if it is never shown, a notice says so, and the `way_without` it.
fn wait_for(
    proxy: EventLoopProxy<UserEvent>,
    dialog: impl Future<Output = Option<rfd::FileHandle>> + Send + 'static,
    way_without: String,
    answer: fn(PathBuf) -> Answer,
) {
    let sender = proxy.clone();
    let start = Instant::now();
    let wait = move || {
        let path = pollster::block_on(dialog).map(|file| file.path().to_owned());
        if path.is_none() && start.elapsed() < SHORTEST_DIALOG {
            let advice = format!("Install xdg-desktop-portal or zenity to get one.\n{way_without}");
            let _ = sender.send_event(UserEvent::Notice(Notice::warning("No file dialog is available", advice)));
        }
        let _ = sender.send_event(UserEvent::DialogClosed(path.map(answer)));
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
    fn each_dialog_has_a_way_without_it() {
        let name = String::new;
        for (dialog, way) in [
            (Dialog::OpenScene, "sph FILE.toml"),
            (Dialog::OpenState, "Drop the state file"),
            (Dialog::SaveState(name()), "--checkpoint FILE"),
            (Dialog::SavePicture(name()), "Save picture (F12)"),
            (Dialog::SaveRecording(name()), "sph SCENE --record FILE.jsonl"),
        ] {
            assert!(dialog.way_without().contains(way), "{dialog:?}: {}", dialog.way_without());
        }
    }
}
