//! The layout of the panels from one start to the next: its file, and the thread that writes it when it has changed.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use super::handler::{App, UserEvent};
use crate::session::Notice;
use crate::ui::{self, State};

impl App {
    /// Writes the layout in the background if it has changed since it was last written.
    pub(super) fn save_layout(&mut self) {
        let Some(text) = self.changed_layout() else { return };
        if self.layout_writer.is_none() {
            let proxy = self.proxy.clone();
            let report = move |error: std::io::Error| {
                log::warn!("cannot save the layout of the panels: {error}");
                let notice = Notice::warning("Cannot save the layout of the panels", error.to_string());
                // A closed window needs no notice.
                let _ = proxy.send_event(UserEvent::Notice(notice));
            };
            match LayoutWriter::start(write, report) {
                Ok(writer) => self.layout_writer = Some(writer),
                Err(error) => self.state.notices.push(Notice::error("Cannot start a thread", error.to_string())),
            }
        }
        if let Some(writer) = &self.layout_writer {
            writer.write(text);
        }
    }

    /// Writes the layout if it has changed, and waits until it is in its file: before the program ends.
    pub(super) fn save_layout_at_the_end(&mut self) {
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

// File that keeps the layout of the panels from one start to the next.

/// Name of the file in the user's folder for settings.
const NAME: &str = "layout.json";

/// Restores the layout of the last start, unless `reset`. A file that cannot be used is left out, with a notice.
pub fn restore(state: &mut State, reset: bool) -> Option<String> {
    if reset {
        return None;
    }
    let advice = "The panels have their default layout; the file is replaced when they change.";
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

// The thread that writes the layout: one, so that the file holds the latest text and never an older one after it.

/// Writer of texts of which the latest counts.
#[derive(Debug)]
pub struct LayoutWriter {
    texts: Sender<String>,
    thread: JoinHandle<()>,
}

impl LayoutWriter {
    /// Starts the thread, which writes by `write` and hands errors to `report`.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(
        write: impl Fn(&str) -> io::Result<()> + Send + 'static,
        report: impl Fn(io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        let (texts, incoming) = mpsc::channel();
        let thread = std::thread::Builder::new().name("layout writer".into());
        Ok(Self { texts, thread: thread.spawn(move || run(&incoming, write, report))? })
    }

    /// Writes `text` after all before it, unless another comes before its turn; never waits.
    pub fn write(&self, text: String) {
        // The thread lives as long as this handle does.
        let _ = self.texts.send(text);
    }

    /// Waits until the latest text has been written.
    pub fn finish(self) {
        drop(self.texts);
        if self.thread.join().is_err() {
            log::warn!("the thread that writes the layout has panicked");
        }
    }
}

fn run(texts: &Receiver<String>, write: impl Fn(&str) -> io::Result<()>, report: impl Fn(io::Error)) {
    while let Ok(text) = texts.recv() {
        let latest = texts.try_iter().last().unwrap_or(text);
        if let Err(error) = write(&latest) {
            report(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn texts_are_written_in_order_and_the_latest_before_the_end() {
        let (written, texts) = mpsc::channel();
        let (failed, failures) = mpsc::channel();
        let write = move |text: &str| {
            // Older texts take longer, so that threads of their own would overtake each other.
            std::thread::sleep(Duration::from_millis(if text == "0" { 50 } else { 1 }));
            written.send(text.to_owned()).unwrap();
            if text == "0" { Err(io::Error::other("full")) } else { Ok(()) }
        };
        let writer = LayoutWriter::start(write, move |error| failed.send(error.to_string()).unwrap()).unwrap();
        writer.write("0".to_owned());
        let first = texts.recv().expect("it is written");
        (1..=200).for_each(|number| writer.write(number.to_string()));
        writer.finish();
        let rest: Vec<u32> = texts.iter().map(|text| text.parse().unwrap()).collect();
        assert!(first == "0" && rest.is_sorted() && rest.last() == Some(&200), "{rest:?}");
        assert_eq!(failures.iter().collect::<Vec<_>>(), ["full"]);
    }
}
