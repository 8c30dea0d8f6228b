//! File that keeps the layout of the panels from one start to the next.

use crate::app::background;
use crate::app::event::UserEvent;
use crate::app::handler::App;
use crate::session::Notice;
use crate::ui::{self, State};

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

impl App {
    /// Writes the layout in the background if it has changed since it was last written.
    pub(in crate::app) fn save_layout(&mut self) {
        if let Some(text) = self.changed_layout() {
            background::run(&self.proxy, move || match sph_io::write_settings(NAME, &text) {
                Ok(()) => UserEvent::News,
                Err(error) => UserEvent::Notice(Notice::warning("Cannot save the layout of the panels", error.to_string())),
            });
        }
    }

    /// Writes the layout before the program ends, if it has changed. A window that is gone shows no message of a failure.
    pub(in crate::app) fn save_layout_at_the_end(&mut self) {
        if let Some(Err(error)) = self.changed_layout().map(|text| sph_io::write_settings(NAME, &text)) {
            log::warn!("cannot save the layout of the panels: {error}");
        }
    }

    /// Text of the layout, if it has changed. The arrangement of a first start needs no file.
    fn changed_layout(&mut self) -> Option<String> {
        let text = ui::layout_text(&self.state).filter(|text| Some(text) != self.layout.as_ref())?;
        self.layout.replace(text.clone()).map(|_| text)
    }
}
