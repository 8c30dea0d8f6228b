//! The file of a session's recording.

use super::Runner;
use crate::session::thread::event::Event;
use crate::session::{Notice, Subject};
use anyhow::Context as _;
use std::path::{Path, PathBuf};

impl Runner {
    /// Saves the recording of the running scene at `path`, on a thread of its own.
    pub(super) fn save_recording(&mut self, path: PathBuf) {
        let Some(running) = &self.running else { return };
        if let Some(input) = running.input_at(&path) {
            let title = format!("The session recording was not saved: {} is a file of the scene", input.display());
            return self.publisher.notify(Notice::warning(title, "Choose another name.").about(Subject::Save));
        }
        let (recording, ended) = running.recording();
        let sender = self.sender.clone();
        let save = move || {
            let notice = match recording.save(&path) {
                Ok(()) => {
                    let steps = recording.end.map_or(0, |(step, _)| step - recording.start);
                    let ending = ended.map(|reason| format!(", where it ends because {reason}")).unwrap_or_default();
                    Notice::info(format!("Session recording of {steps} steps saved to {}{ending}", path.display()))
                }
                Err(error) => {
                    Notice::error(format!("Cannot save the session recording to {}", path.display()), error.to_string())
                }
            };
            // A closed window needs no notice.
            let _ = sender.send(Event::Notice(notice.about(Subject::Save)));
        };
        if let Err(error) = std::thread::Builder::new().name("recording writer".into()).spawn(save) {
            self.publisher.notify(Notice::error("Cannot start a thread", error.to_string()));
        }
    }

    /// Writes the recording that the command line has asked for.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish_recording(&self) -> anyhow::Result<()> {
        let (Some(path), Some(running)) = (&self.recording, &self.running) else { return Ok(()) };
        let cannot = |path: &Path| format!("cannot write the session recording to {}", path.display());
        running.recording().0.save(path).with_context(|| cannot(path))
    }
}
