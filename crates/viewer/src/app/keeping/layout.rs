//! Writing of the layout when it has changed.

use super::layout_file;
use crate::app::background;
use crate::app::event::UserEvent;
use crate::app::handler::App;
use crate::session::Notice;
use crate::ui;

impl App {
    /// Writes the layout in the background if it has changed since it was last written.
    pub(in crate::app) fn save_layout(&mut self) {
        if let Some(text) = self.changed_layout() {
            background::run(&self.proxy, move || match layout_file::write(&text) {
                Ok(()) => UserEvent::News,
                Err(error) => UserEvent::Notice(Notice::warning("Cannot save the layout of the panels", error.to_string())),
            });
        }
    }

    /// Writes the layout before the program ends, if it has changed. A window that is gone shows no message of a failure.
    pub(in crate::app) fn save_layout_at_the_end(&mut self) {
        if let Some(Err(error)) = self.changed_layout().map(|text| layout_file::write(&text)) {
            log::warn!("cannot save the layout of the panels: {error}");
        }
    }

    /// Text of the layout, if it has changed. The arrangement of a first start needs no file.
    fn changed_layout(&mut self) -> Option<String> {
        let text = ui::layout_text(&self.state).filter(|text| Some(text) != self.layout.as_ref())?;
        self.layout.replace(text.clone()).map(|_| text)
    }
}
