//! The window's side of the session: starts the thread, sends requests, receives snapshots and notices.

use super::thread::{Event, Publisher, Runner};
use super::{Notice, Options, Request, Snapshot, Wake};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

/// Handle of a running simulation thread, held by the window. Dropping it ends the thread after its current step.
#[derive(Debug)]
pub struct Session {
    events: Sender<Event>,
    snapshots: triple_buffer::Output<Snapshot>,
    notices: Receiver<Notice>,
    thread: Option<JoinHandle<anyhow::Result<()>>>,
}

impl Session {
    /// Starts the thread, with no scene yet.
    ///
    /// # Errors
    /// If the threads cannot be started or the statistics file cannot be created.
    pub fn start(options: &Options, wake: Wake) -> anyhow::Result<Self> {
        let (input, snapshots) = triple_buffer::triple_buffer(&Snapshot::default());
        let (events, incoming) = mpsc::channel();
        let (notice_sender, notices) = mpsc::channel();
        let publisher = Publisher::new(input, notice_sender, wake);
        let runner = Runner::new(options, events.clone(), incoming, publisher)?;
        let thread = std::thread::Builder::new().name("simulation".into()).spawn(move || runner.run())?;
        Ok(Self { events, snapshots, notices, thread: Some(thread) })
    }

    /// Sends a request; never blocks.
    pub fn send(&self, request: Request) {
        // A thread that has ended has reported the reason; otherwise `is_alive` shows it.
        let _ = self.events.send(Event::Request(request));
    }

    /// Receives the latest snapshot; returns true if there was a new one.
    pub fn update(&mut self) -> bool {
        self.snapshots.update()
    }

    /// The snapshot that the last [`Session::update`] received.
    pub fn snapshot(&self) -> &Snapshot {
        self.snapshots.output_buffer()
    }

    /// The oldest notice not received yet.
    pub fn next_notice(&self) -> Option<Notice> {
        self.notices.try_recv().ok()
    }

    /// True while the simulation thread runs. Only a defect of the program ends it early.
    pub fn is_alive(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Ends the thread after its current step and completes the statistics file.
    ///
    /// # Errors
    /// If the statistics file could not be written or completed, or if the thread panicked.
    pub fn quit(mut self) -> anyhow::Result<()> {
        self.end()
    }

    fn end(&mut self) -> anyhow::Result<()> {
        let _ = self.events.send(Event::Quit);
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(result)) => result,
            Some(Err(_)) => anyhow::bail!("the simulation thread panicked"),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.end();
    }
}
