//! Ctrl-C and termination signals: the first asks for a clean end, the second does not wait for it.

use crate::headless::Failure;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Signal handlers belong to the process, and so does the request.
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// What a shell reports for a program that SIGINT ended: 128 + 2.
const EXIT_STATUS: i32 = 130;

/// Requests that come closer together are one: `timeout`, for one, signals the program and then its whole process group.
const ECHO: Duration = Duration::from_millis(300);

/// Proof that the handler is in place.
#[derive(Clone, Copy, Debug)]
pub struct Interrupt(());

impl Interrupt {
    /// Takes over Ctrl-C, and SIGTERM and SIGHUP where there are such.
    ///
    /// # Errors
    /// The operating system refuses the handler.
    pub fn install() -> Result<Self, Failure> {
        let mut first: Option<Instant> = None;
        let handle = move || {
            REQUESTED.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > ECHO {
                // Nothing is under its final name that is not complete, so there is nothing to tidy but temporary files.
                std::process::exit(EXIT_STATUS);
            }
        };
        ctrlc::set_handler(handle).map_err(|error| Failure::Run(format!("cannot handle Ctrl-C: {error}")))?;
        Ok(Self(()))
    }

    /// Whether a clean end was asked for.
    pub fn requested(self) -> bool {
        REQUESTED.load(Ordering::Relaxed)
    }
}
