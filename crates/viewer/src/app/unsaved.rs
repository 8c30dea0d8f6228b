//! Unsaved edits of the scene: the question before it is left, and the saves of its file.

use std::path::Path;
use std::sync::Arc;

use super::handler::App;
use crate::command::Command;
use crate::session::{Notice, Request, Severity, Subject};
use crate::ui::{Answer, Leaving};
use sph_io::Scene;
use winit::event_loop::ActiveEventLoop;

// Closing the window and opening another scene, after a question where unsaved edits would be lost.

impl App {
    /// Leaves the scene, or asks first if what is unsaved would be missed.
    pub(super) fn leave(&mut self, event_loop: &ActiveEventLoop, leaving: Leaving) {
        let scene = self.session.snapshot().scene.as_ref();
        if scene.is_some_and(|scene| self.state.edited.would_be_missed(scene)) {
            self.state.leaving = Some(leaving);
        } else {
            if self.has_unsaved() {
                let title = "Changed settings of the grid were not saved";
                let details = "They change the cost only, never the motion. To keep such changes, press Ctrl+S before you open another scene.";
                self.state.notices.push(Notice { details: details.to_owned(), ..Notice::info(title) });
            }
            self.go(event_loop, leaving);
        }
    }

    /// True if edits of parameters are not saved.
    pub(super) fn has_unsaved(&self) -> bool {
        let snapshot = self.session.snapshot();
        snapshot.scene.as_ref().is_some_and(|scene| !self.state.edited.unsaved(scene).is_empty())
    }

    fn go(&mut self, event_loop: &ActiveEventLoop, leaving: Leaving) {
        match leaving {
            Leaving::Quit => event_loop.exit(),
            Leaving::Open(source) => {
                self.source = source.clone();
                self.session.send(Request::Load(source));
            }
        }
    }

    /// Does what the answer to the question says.
    pub(super) fn answer(&mut self, event_loop: &ActiveEventLoop, answer: Answer) {
        let is_under_way = answer == Answer::Save && self.save();
        let leaving = self.pending_leave.answer(&mut self.state.leaving, answer, is_under_way);
        self.go_on(event_loop, leaving);
    }

    /// Goes on with what the question was about, once all edits of `scene`, which is `saved` now, have been saved.
    pub(super) fn go_on_when_saved(&mut self, event_loop: &ActiveEventLoop, scene: &Arc<Scene>, saved: Arc<Scene>) {
        if self.saves.end() && self.is_open(scene) && self.save_over(saved) {
            return;
        }
        let leaving = self.pending_leave.saved(&mut self.state.leaving);
        self.go_on(event_loop, leaving);
    }

    /// True if `scene` is the one that runs.
    pub(super) fn is_open(&self, scene: &Arc<Scene>) -> bool {
        self.session.snapshot().scene.as_ref().is_some_and(|open| Arc::ptr_eq(open, scene))
    }

    fn go_on(&mut self, event_loop: &ActiveEventLoop, leaving: Option<Leaving>) {
        if let Some(leaving) = leaving {
            self.go(event_loop, leaving);
        }
    }

    /// Stays, where the edits could not be saved: the message must be read.
    pub(super) fn stay_since_not_saved(&mut self) {
        self.pending_leave.not_saved(&mut self.state.leaving);
        if self.saves.end() {
            self.save();
        }
    }
}

// The way out of a scene with unsaved edits: the question, and the saving that its answer has begun.

/// What happens once edits are saved: a save leaves the scene only if the latest answer to the question was to save, and nothing
/// has come between.
#[derive(Debug, Default)]
pub struct PendingLeave {
    /// True while edits are saved so that the scene can be left.
    is_saving: bool,
}

impl PendingLeave {
    /// Takes an answer to `question`; a save that it asks for `is_under_way`, or could not begin. Returns what to do now.
    pub fn answer(&mut self, question: &mut Option<Leaving>, answer: Answer, is_under_way: bool) -> Option<Leaving> {
        self.is_saving = answer == Answer::Save && is_under_way;
        match answer {
            Answer::Discard => question.take(),
            Answer::Save if is_under_way => None,
            // A save that could not begin has left a message, which must be read.
            Answer::Save | Answer::Cancel => {
                *question = None;
                None
            }
        }
    }

    /// Takes note that edits have been saved. Returns what to do now.
    pub fn saved(&mut self, question: &mut Option<Leaving>) -> Option<Leaving> {
        if std::mem::take(&mut self.is_saving) { question.take() } else { None }
    }

    /// Stays, where edits could not be saved: the message must be read.
    pub fn not_saved(&mut self, question: &mut Option<Leaving>) {
        if std::mem::take(&mut self.is_saving) {
            *question = None;
        }
    }
}

// Saves of the scene's file: one at a time, so that the file holds the latest values and never older ones after them.

/// The save that is under way, and whether another must follow.
#[derive(Debug, Default)]
pub struct Saves {
    is_under_way: bool,
    follows: bool,
}

impl Saves {
    /// Returns true if a save may begin now; else another follows the one that is under way.
    pub fn begin(&mut self) -> bool {
        self.follows = self.is_under_way;
        !std::mem::replace(&mut self.is_under_way, true)
    }

    /// True while a save is under way.
    pub fn is_under_way(&self) -> bool {
        self.is_under_way
    }

    /// Takes note that the save has ended. Returns true if another must follow.
    pub fn end(&mut self) -> bool {
        self.is_under_way = false;
        std::mem::take(&mut self.follows)
    }
}

// Messages about saves of the scene's file: what was written, and what a scene's file does not hold.

/// Message that parameters and view have been written to `path`, but for the keys `left` to an included file, and without the bodies that
/// have been `dropped`.
pub fn saved(path: Option<&Path>, left: &[&str], dropped: usize) -> Notice {
    let path = path.map(|path| path.display().to_string()).unwrap_or_default();
    let left = (!left.is_empty()).then(|| format!("An included file sets {}, which was not changed.", left.join(", ")));
    let severity = if left.is_some() { Severity::Warning } else { Severity::Info };
    let details: Vec<_> = left.into_iter().chain(not_in_file(dropped)).collect();
    let notice = Notice::info(format!("Saved to {path}")).about(Subject::Save);
    Notice { severity, details: details.join("\n"), ..notice }
}

/// Message that there is nothing to save.
pub fn nothing_to_save(dropped: usize) -> Notice {
    let notice = Notice::info("Nothing to save: parameters and view are those of the scene").about(Subject::Save);
    Notice { details: not_in_file(dropped).unwrap_or_default(), ..notice }
}

/// Sentence on bodies that have been dropped, if there are any.
fn not_in_file(dropped: usize) -> Option<String> {
    let subject = match dropped {
        0 => return None,
        1 => "The dropped body is",
        _ => "The dropped bodies are",
    };
    let places = [Command::SaveState, Command::SaveRecording].map(|command| format!("File › {}", command.label()));
    Some(format!("{subject} not part of the scene file; {} keep what you did with the tools.", places.join(" and ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_leaves_if_the_answer_was_to_save() {
        let (mut pending_leave, mut question) = (PendingLeave::default(), Some(Leaving::Quit));
        assert!(pending_leave.answer(&mut question, Answer::Save, true).is_none() && question.is_some());
        assert!(matches!(pending_leave.saved(&mut question), Some(Leaving::Quit)) && question.is_none());
        question = Some(Leaving::Quit);
        assert!(pending_leave.answer(&mut question, Answer::Discard, false).is_some() && question.is_none());
    }

    #[test]
    fn a_later_save_leaves_nothing_after_one_that_was_cancelled_failed_or_could_not_begin() {
        let stays = |pending_leave: &mut PendingLeave, why: &str| {
            // The question may be open again while edits are saved by the menu.
            let mut question = Some(Leaving::Quit);
            assert!(pending_leave.saved(&mut question).is_none() && question.is_some(), "{why}");
        };
        let mut pending_leave = PendingLeave::default();
        let mut question = Some(Leaving::Quit);
        assert!(pending_leave.answer(&mut question, Answer::Save, true).is_none());
        assert!(pending_leave.answer(&mut question, Answer::Cancel, false).is_none() && question.is_none());
        stays(&mut pending_leave, "cancelled");
        question = Some(Leaving::Quit);
        assert!(pending_leave.answer(&mut question, Answer::Save, true).is_none());
        pending_leave.not_saved(&mut question);
        assert!(question.is_none());
        stays(&mut pending_leave, "failed");
        question = Some(Leaving::Quit);
        assert!(pending_leave.answer(&mut question, Answer::Save, false).is_none() && question.is_none());
        stays(&mut pending_leave, "could not begin");
    }

    #[test]
    fn one_save_runs_at_a_time_and_the_latest_request_is_served() {
        let mut saves = Saves::default();
        assert!(saves.begin() && !saves.begin() && !saves.begin());
        assert!(saves.end() && saves.begin());
        assert!(!saves.end() && saves.begin());
        assert!(!saves.end());
    }

    #[test]
    fn dropped_bodies_are_said_to_be_left_out() {
        let path = Some(Path::new("a.toml"));
        assert_eq!(saved(path, &[], 0), Notice::info("Saved to a.toml").about(Subject::Save));
        let sentence = "The dropped bodies are not part of the scene file; File › Save state… and File › Save session recording… keep what you did with the tools.";
        assert_eq!(saved(path, &[], 2).details, sentence);
        assert_eq!(nothing_to_save(2).details, sentence);
        assert!(nothing_to_save(0).details.is_empty());
        let both = saved(path, &["view.look"], 1);
        assert_eq!(both.severity, Severity::Warning);
        assert!(both.details.starts_with("An included file sets view.look") && both.details.contains("\nThe dropped body is"));
    }
}
