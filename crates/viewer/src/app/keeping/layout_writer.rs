//! The thread that writes the layout: one, so that the file holds the latest text and never an older one after it.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

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
    use super::*;
    use std::time::Duration;

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
