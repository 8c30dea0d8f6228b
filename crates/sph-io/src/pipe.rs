//! Writing to a pipe or a device: on a thread of its own, since a reader may keep a write waiting for ever.

use sph_core::CancelFlag;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::time::{Duration, Instant};

/// Blocks that may wait for the reader.
const QUEUE: usize = 16;

/// Time between two looks at the flag.
const POLL: Duration = Duration::from_millis(10);

/// Time for which a reader may take nothing after a cancellation.
const GRACE: Duration = Duration::from_millis(500);

/// Writer to a pipe or a device. A reader that takes nothing blocks it until its flag is raised, and [`GRACE`] longer.
#[derive(Debug)]
pub(crate) struct Pipe {
    blocks: SyncSender<Vec<u8>>,
    /// Result of the thread, once: an error at once, success after the last block.
    result: Receiver<io::Result<()>>,
    wait: Wait,
}

/// Wait for the reader, as long as it reads or nobody cancels.
#[derive(Debug)]
struct Wait {
    cancel: CancelFlag,
    /// Blocks written so far.
    written: Arc<AtomicU64>,
    /// Number of blocks written and time, when the reader was last seen to read.
    last: (u64, Instant),
}

impl Pipe {
    /// Opens a target, and waits until it is open, which for a pipe is when somebody reads from it.
    pub fn open<W: Write>(open: impl FnOnce() -> io::Result<W> + Send + 'static, cancel: &CancelFlag) -> io::Result<Self> {
        let (blocks, queue) = mpsc::sync_channel::<Vec<u8>>(QUEUE);
        let (report, result) = mpsc::channel();
        let written = Arc::new(AtomicU64::new(0));
        let count = written.clone();
        std::thread::Builder::new().name("pipe".into()).spawn(move || {
            let mut target = match open() {
                Ok(target) => target,
                Err(error) => return drop(report.send(Err(error))),
            };
            // An empty result: it is open.
            let _ = report.send(Ok(()));
            let ended = queue.into_iter().try_for_each(|block| {
                target.write_all(&block).and_then(|()| target.flush())?;
                count.fetch_add(1, Ordering::Relaxed);
                Ok(())
            });
            let _ = report.send(ended);
        })?;
        let mut pipe = Self { blocks, result, wait: Wait { cancel: cancel.clone(), written, last: (0, Instant::now()) } };
        pipe.wait_for_result()?;
        Ok(pipe)
    }

    /// Waits until everything is written.
    pub fn finish(self) -> io::Result<()> {
        let Self { blocks, result, wait } = self;
        drop(blocks);
        let (nothing, _) = mpsc::sync_channel(0);
        Self { blocks: nothing, result, wait }.wait_for_result()
    }

    fn wait_for_result(&mut self) -> io::Result<()> {
        loop {
            match self.result.recv_timeout(POLL) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) => self.wait.check()?,
                Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
            }
        }
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut block = bytes.to_vec();
        loop {
            match self.blocks.try_send(block) {
                Ok(()) => return Ok(bytes.len()),
                Err(TrySendError::Full(back)) => {
                    self.wait.check()?;
                    std::thread::sleep(POLL);
                    block = back;
                }
                Err(TrySendError::Disconnected(_)) => {
                    return Err(self.wait_for_result().err().unwrap_or_else(|| io::ErrorKind::BrokenPipe.into()));
                }
            }
        }
    }

    /// Blocks are passed on as they come.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Wait {
    /// Error if the flag is raised and the reader has taken nothing for a while since.
    fn check(&mut self) -> io::Result<()> {
        let written = self.written.load(Ordering::Relaxed);
        if !self.cancel.is_raised() || written > self.last.0 {
            self.last = (written, Instant::now());
        }
        match self.last.1.elapsed() > GRACE {
            true => Err(io::Error::new(io::ErrorKind::TimedOut, "nothing reads from it")),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Takes everything, after a signal.
    struct Slow(Receiver<()>, Arc<Mutex<Vec<u8>>>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            self.1.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn everything_arrives_in_order() {
        let (go, signal) = mpsc::channel();
        let taken = Arc::new(Mutex::new(Vec::new()));
        let slow = Slow(signal, taken.clone());
        let mut pipe = Pipe::open(|| Ok(slow), &CancelFlag::default()).unwrap();
        for number in 0..QUEUE as u8 {
            pipe.write_all(&[number; 3]).unwrap();
        }
        drop(go);
        pipe.finish().unwrap();
        let expected: Vec<u8> = (0..QUEUE as u8).flat_map(|number| [number; 3]).collect();
        assert_eq!(*taken.lock().unwrap(), expected);
    }

    #[test]
    fn a_reader_that_takes_nothing_is_given_up_after_a_cancellation() {
        let (_never, signal) = mpsc::channel();
        let slow = Slow(signal, Arc::default());
        let cancel = CancelFlag::default();
        let mut pipe = Pipe::open(|| Ok(slow), &cancel).unwrap();
        pipe.write_all(b"x").unwrap();
        cancel.raise();
        assert_eq!(pipe.finish().unwrap_err().kind(), io::ErrorKind::TimedOut);
        let never_open = Pipe::open(
            || -> io::Result<Slow> {
                loop {
                    std::thread::park();
                }
            },
            &cancel,
        );
        assert_eq!(never_open.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn the_error_of_the_target_is_told() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut pipe = Pipe::open(|| Ok(Full), &CancelFlag::default()).unwrap();
        pipe.write_all(b"x").unwrap();
        assert_eq!(pipe.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
