//! Writing of the layout when it has changed.

use super::layout_file;
use super::layout_writer::LayoutWriter;
use crate::app::event::UserEvent;
use crate::app::handler::App;
use crate::session::Notice;
use crate::ui;

impl App {
    /// Writes the layout in the background if it has changed since it was last written.
    pub(in crate::app) fn save_layout(&mut self) {
        let Some(text) = self.changed_layout() else { return };
        if self.layout_writer.is_none() {
            let proxy = self.proxy.clone();
            let report = move |error: std::io::Error| {
                log::warn!("cannot save the layout of the panels: {error}");
                let notice = Notice::warning("Cannot save the layout of the panels", error.to_string());
                // A closed window needs no notice.
                let _ = proxy.send_event(UserEvent::Notice(notice));
            };
            match LayoutWriter::start(layout_file::write, report) {
                Ok(writer) => self.layout_writer = Some(writer),
                Err(error) => self.state.notices.push(Notice::error("Cannot start a thread", error.to_string())),
            }
        }
        if let Some(writer) = &self.layout_writer {
            writer.write(text);
        }
    }

    /// Writes the layout if it has changed, and waits until it is in its file: before the program ends.
    pub(in crate::app) fn save_layout_at_the_end(&mut self) {
        self.save_layout();
        if let Some(writer) = self.layout_writer.take() {
            writer.finish();
        }
    }

    /// Text of the layout, if it has changed. The arrangement of a first start needs no file.
    fn changed_layout(&mut self) -> Option<String> {
        let text = ui::layout_text(&self.state).filter(|text| Some(text) != self.layout.as_ref())?;
        self.layout.replace(text.clone()).map(|_| text)
    }
}
