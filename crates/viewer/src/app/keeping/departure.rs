//! The way out of a scene with unsaved edits: the question, and the saving that its answer has begun.

use crate::ui::{Answer, Leaving};

/// What happens once edits are saved: a save leaves the scene only if the latest answer to the question was to save, and nothing
/// has come between.
#[derive(Debug, Default)]
pub struct Departure {
    /// True while edits are saved so that the scene can be left.
    is_saving: bool,
}

impl Departure {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_leaves_if_the_answer_was_to_save() {
        let (mut departure, mut question) = (Departure::default(), Some(Leaving::Quit));
        assert!(departure.answer(&mut question, Answer::Save, true).is_none() && question.is_some());
        assert!(matches!(departure.saved(&mut question), Some(Leaving::Quit)) && question.is_none());
        question = Some(Leaving::Quit);
        assert!(departure.answer(&mut question, Answer::Discard, false).is_some() && question.is_none());
    }

    #[test]
    fn a_later_save_leaves_nothing_after_one_that_was_cancelled_failed_or_could_not_begin() {
        let stays = |departure: &mut Departure, why: &str| {
            // The question may be open again while edits are saved by the menu.
            let mut question = Some(Leaving::Quit);
            assert!(departure.saved(&mut question).is_none() && question.is_some(), "{why}");
        };
        let mut departure = Departure::default();
        let mut question = Some(Leaving::Quit);
        assert!(departure.answer(&mut question, Answer::Save, true).is_none());
        assert!(departure.answer(&mut question, Answer::Cancel, false).is_none() && question.is_none());
        stays(&mut departure, "cancelled");
        question = Some(Leaving::Quit);
        assert!(departure.answer(&mut question, Answer::Save, true).is_none());
        departure.not_saved(&mut question);
        assert!(question.is_none());
        stays(&mut departure, "failed");
        question = Some(Leaving::Quit);
        assert!(departure.answer(&mut question, Answer::Save, false).is_none() && question.is_none());
        stays(&mut departure, "could not begin");
    }
}
