//! Watch over the files of the running scene, for hot reload.
//!
//! Files are looked at by name, a few times a second: editors replace a file by renaming another, which a watch on the old one would not notice.

use super::event::Event;
use sph_io::SourceFiles;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, SystemTime};

/// Time between two looks. A change counts once it has lasted from one look to the next, so that files are not read half written.
const INTERVAL: Duration = Duration::from_millis(250);

/// Largest file that is compared; a larger one has changed.
const MAX_COMPARED: u64 = 1 << 29;

/// Handle of the watching thread, which ends with it.
#[derive(Debug)]
pub(super) struct Watcher(Sender<SourceFiles>);

impl Watcher {
    /// Starts the thread, which sends [`Event::FilesChanged`] when a file is no longer what it was.
    pub(super) fn start(events: Sender<Event>) -> std::io::Result<Self> {
        let (files, incoming) = mpsc::channel();
        std::thread::Builder::new().name("file watcher".into()).spawn(move || watch(&incoming, &events))?;
        Ok(Self(files))
    }

    /// Watches `files` in place of those before.
    pub(super) fn watch(&self, files: SourceFiles) {
        // The thread lives as long as this handle does.
        let _ = self.0.send(files);
    }
}

/// Length and time of the last change of a file.
type Stamp = (u64, Option<SystemTime>);

/// A watched file.
struct Watched {
    contents: Arc<[u8]>,
    /// Stamp at the latest look; `None` before the first.
    latest: Option<Stamp>,
    /// Stamp at which the contents were compared last.
    compared: Option<Stamp>,
}

fn watch(incoming: &Receiver<SourceFiles>, events: &Sender<Event>) {
    let mut watched: BTreeMap<PathBuf, Watched> = BTreeMap::new();
    loop {
        let files = match watched.is_empty() {
            true => incoming.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => incoming.recv_timeout(INTERVAL),
        };
        match files {
            Ok(files) => {
                let fresh = |contents: Arc<[u8]>| Watched { contents, latest: None, compared: None };
                let unread = files.unread().map(|path| (path, Arc::default()));
                watched = unread.chain(files.contents()).map(|(path, contents)| (path.to_owned(), fresh(contents))).collect();
            }
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                // Without short-circuit: each file is looked at.
                let changed = watched.iter_mut().filter_map(|(path, file)| file.look(path).then_some(())).count();
                if changed > 0 && events.send(Event::FilesChanged).is_err() {
                    return;
                }
            }
        }
    }
}

impl Watched {
    /// True if the contents have changed since the last time that this was true. A file that is missing is about to be replaced.
    fn look(&mut self, path: &Path) -> bool {
        let Ok(metadata) = path.metadata() else { return false };
        let stamp = Some((metadata.len(), metadata.modified().ok()));
        let is_settled = self.latest == stamp;
        self.latest = stamp;
        if !is_settled || self.compared == stamp || !metadata.is_file() {
            return false;
        }
        self.compared = stamp;
        if metadata.len() > MAX_COMPARED {
            return true;
        }
        match std::fs::read(path) {
            Ok(contents) if *contents != *self.contents => {
                self.contents = contents.into();
                true
            }
            _ => false,
        }
    }
}
