//! Message of an undo that undoes nothing.

use super::edits::Edits;
use crate::command::Command;
use crate::session::{Notice, Subject};

/// Message where there is no edit to undo, or where a hand has acted since the last one.
pub(super) fn advice(edits: &Edits) -> Notice {
    let (back, reset) = (Command::StepBack.key_text(), Command::Reset.key_text());
    let title = if edits.hand_followed() {
        "What hands did is undone by going back in time"
    } else {
        "There is no change of a parameter to undo"
    };
    let mut details = format!(
        "The key {back} steps back, and a click on the timeline goes to any moment: what hands did after it is undone. The key {reset} starts \
         the fluid again."
    );
    if edits.hand_followed() && edits.can_undo() {
        details.push_str(" Undo once more takes back the last change of a parameter.");
    }
    Notice { details, ..Notice::info(title).about(Subject::Undo) }
}
