//! Ctrl-C and termination signals: the first requests a clean end, the second exits at once.

use crate::headless::Failure;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// True after the first signal. Static, because signal handlers belong to the process.
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Exit status after the second signal, as of a program that SIGINT ended: 128 + 2.
const EXIT_STATUS: i32 = 130;

/// Signals closer together count as one: `timeout`, for example, signals the program and then its whole process group.
const SAME_SIGNAL: Duration = Duration::from_millis(300);

/// Proof that the handler is in place.
#[derive(Clone, Copy, Debug)]
pub struct Interrupt(());

impl Interrupt {
    /// Handles Ctrl-C, and SIGTERM and SIGHUP where they exist.
    ///
    /// # Errors
    /// If the operating system refuses the handler.
    pub fn install() -> Result<Self, Failure> {
        let mut first: Option<Instant> = None;
        let handle = move || {
            REQUESTED.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > SAME_SIGNAL {
                // Only complete files have their final names, so that only temporary files are left behind.
                std::process::exit(EXIT_STATUS);
            }
        };
        ctrlc::set_handler(handle).map_err(|error| Failure::Run(format!("cannot handle Ctrl-C: {error}")))?;
        Ok(Self(()))
    }

    /// True if a clean end was requested.
    pub fn requested(self) -> bool {
        REQUESTED.load(Ordering::Relaxed)
    }
}
