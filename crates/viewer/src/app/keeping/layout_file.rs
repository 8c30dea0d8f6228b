//! File that keeps the layout of the panels from one start to the next.

use crate::session::Notice;
use crate::ui::{self, State};
use std::io;

/// Name of the file in the user's folder for settings.
const NAME: &str = "layout.json";

/// Restores the layout of the last start, unless `reset`. A file that cannot be used is left out, with a notice.
pub fn restore(state: &mut State, reset: bool) -> Option<String> {
    if reset {
        return None;
    }
    let advice = "The panels are arranged as in a first start; the file is replaced when they change.";
    match sph_io::read_settings(NAME) {
        Ok(None) => None,
        Ok(Some(text)) if ui::restore_layout(state, &text) => Some(text),
        Ok(Some(_)) => {
            state.notices.push(Notice::warning("The saved layout of the panels is damaged", advice));
            None
        }
        Err(error) => {
            let details = format!("{error}. {advice}");
            state.notices.push(Notice::warning("The saved layout of the panels cannot be read", details));
            None
        }
    }
}

/// Writes the layout to its file.
///
/// # Errors
/// There is no folder for settings, or the file cannot be written.
pub fn write(text: &str) -> io::Result<()> {
    sph_io::write_settings(NAME, text)
}
