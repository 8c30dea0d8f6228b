//! Files that a scene is read from, within bounds of size and time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, SyncSender};
use std::time::{Duration, Instant};

/// Files that a scene is read from, with their contents: its own, and those that it names.
///
/// Whatever reads a file for a scene reads it through `SourceFiles::read`, so that no output replaces an input, and so that
/// a checkpoint can hold them all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFiles {
    contents: BTreeMap<PathBuf, Arc<[u8]>>,
    /// Files that could not be read.
    unread: BTreeSet<PathBuf>,
}

impl SourceFiles {
    /// Paths of the files, as they were opened.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.contents.keys().map(PathBuf::as_path)
    }

    /// Paths and contents of the files.
    pub fn contents(&self) -> impl Iterator<Item = (&Path, Arc<[u8]>)> {
        self.contents.iter().map(|(path, contents)| (path.as_path(), contents.clone()))
    }

    /// Paths of files that were looked for and could not be read.
    pub fn unread(&self) -> impl Iterator<Item = &Path> {
        self.unread.iter().map(PathBuf::as_path)
    }

    /// Adds a file with its contents, which is not read any more.
    pub(crate) fn hold(&mut self, path: PathBuf, contents: Vec<u8>) {
        self.contents.insert(path, contents.into());
    }

    /// The bytes of a file, at most `most` + 1: a longer result shows that it is too large. A file is read once.
    ///
    /// # Errors
    /// The file cannot be read, is no regular file, or does not end.
    pub(crate) fn read(&mut self, path: &Path, most: u64) -> io::Result<Arc<[u8]>> {
        if let Some(contents) = self.contents.get(path) {
            return Ok(contents.clone());
        }
        let result = read_regular(path, most);
        match &result {
            Ok(contents) => _ = self.contents.insert(path.to_owned(), contents.clone()),
            Err(_) => _ = self.unread.insert(path.to_owned()),
        }
        result
    }
}

fn read_regular(path: &Path, most: u64) -> io::Result<Arc<[u8]>> {
    // Reading from a pipe that nobody writes to would never end.
    if path.metadata()?.is_file() {
        Ok(read_at_most(path, most)?.into())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
    }
}

// Reading of files whose size and time are bounded.

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// Longest wait for a chunk, on average: some devices are regular files by name, such as a kernel's log, and never end.
const PATIENCE: Duration = Duration::from_secs(5);

/// The bytes of a file, at most `most` + 1: a longer result shows that the file is too large. The size that the file system states can be
/// wrong.
pub(crate) fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?.take(most + 1);
    read_with_patience(file, PATIENCE)
}

/// All that `reader` yields, read on a thread of its own, which is left behind if nothing comes.
fn read_with_patience(reader: impl Read + Send + 'static, patience: Duration) -> io::Result<Vec<u8>> {
    let (sender, chunks) = mpsc::sync_channel(4);
    std::thread::Builder::new().name("reader".into()).spawn(move || send_chunks(reader, &sender))?;
    let (mut bytes, start, mut waited) = (Vec::new(), Instant::now(), patience);
    loop {
        match chunks.recv_timeout(waited.saturating_sub(start.elapsed())) {
            Ok(Ok(chunk)) if chunk.is_empty() => return Ok(bytes),
            Ok(Ok(chunk)) => {
                waited += patience.mul_f64(chunk.len() as f64 / CHUNK as f64);
                bytes.extend(chunk);
            }
            Ok(Err(error)) => return Err(error),
            Err(_) => return Err(io::Error::new(io::ErrorKind::TimedOut, "it does not end: is it a device?")),
        }
    }
}

/// Sends the chunks of `reader`, the last one empty, or its error.
fn send_chunks(mut reader: impl Read, chunks: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut chunk = vec![0; CHUNK];
        let result = match reader.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            result => result,
        };
        let is_last = !matches!(result, Ok(1..));
        let sent = chunks.send(result.map(|length| {
            chunk.truncate(length);
            chunk
        }));
        if is_last || sent.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Yields a byte a millisecond, and never ends.
    struct Endless;

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            std::thread::sleep(Duration::from_millis(1));
            buffer[0] = b'x';
            Ok(1)
        }
    }

    #[test]
    fn a_reader_that_never_ends_is_given_up() {
        let error = read_with_patience(Endless, Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn a_file_is_read_whole_or_cut_off_past_the_limit() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let content: Vec<u8> = (0..3 * CHUNK).map(|index| index as u8).collect();
        std::fs::write(file.path(), &content).unwrap();
        assert_eq!(read_at_most(file.path(), 1 << 20).unwrap(), content);
        assert_eq!(read_at_most(file.path(), 99).unwrap(), content[..100]);
    }
}
