//! The window's end: starts the thread, sends requests, takes snapshots and notices.

use super::thread::{Event, Outlet, Runner};
use super::{Notice, Options, Request, Snapshot, Wake};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

/// The window's end of a running simulation thread. Dropping it ends the thread after its current step.
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
    /// When the threads cannot be started or the statistics file cannot be created.
    pub fn start(options: &Options, wake: Wake) -> anyhow::Result<Self> {
        let (input, snapshots) = triple_buffer::triple_buffer(&Snapshot::default());
        let (events, incoming) = mpsc::channel();
        let (notice_sender, notices) = mpsc::channel();
        let outlet = Outlet::new(input, notice_sender, wake);
        let runner = Runner::new(options, events.clone(), incoming, outlet)?;
        let thread = std::thread::Builder::new().name("simulation".into()).spawn(move || runner.run())?;
        Ok(Self { events, snapshots, notices, thread: Some(thread) })
    }

    /// Sends a request; never blocks.
    pub fn send(&self, request: Request) {
        // A thread that ended has reported why, or `is_alive` tells.
        let _ = self.events.send(Event::Request(request));
    }

    /// Takes the latest snapshot over; whether there was a new one.
    pub fn update(&mut self) -> bool {
        self.snapshots.update()
    }

    /// The snapshot that the last [`Session::update`] took over.
    pub fn snapshot(&self) -> &Snapshot {
        self.snapshots.output_buffer()
    }

    /// The oldest notice not taken yet.
    pub fn next_notice(&self) -> Option<Notice> {
        self.notices.try_recv().ok()
    }

    /// Whether the simulation thread runs. It ends early only by a defect of the program.
    pub fn is_alive(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Ends the thread after its current step and completes the statistics file.
    ///
    /// # Errors
    /// When the statistics file could not be written or completed, or the thread had died of a panic.
    pub fn quit(mut self) -> anyhow::Result<()> {
        self.end()
    }

    fn end(&mut self) -> anyhow::Result<()> {
        let _ = self.events.send(Event::Quit);
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(result)) => result,
            Some(Err(_)) => anyhow::bail!("the simulation thread died"),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.end();
    }
}
