//! Ctrl-C and termination signals: the first requests a clean end, the second exits at once.

use crate::headless::Failure;
use sph_core::CancelFlag;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

/// Number of the first signal; 0 before it. Static, like the others, because signal handlers belong to the process.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Flag that the first signal raises.
static CANCEL: LazyLock<CancelFlag> = LazyLock::new(CancelFlag::default);

/// True while there is nothing to complete: a signal then exits at once.
static SETTING_UP: AtomicBool = AtomicBool::new(false);

/// Exit status of a program that a signal has ended: this plus its number.
const SIGNALLED: i32 = 128;

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
        let handle = move |signal: i32| {
            if SIGNAL.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                CANCEL.raise();
            }
            let is_second = first.get_or_insert_with(Instant::now).elapsed() > SAME_SIGNAL;
            if is_second || SETTING_UP.load(Ordering::Relaxed) {
                // Only complete files have their final names, so that only temporary files are left behind.
                std::process::exit(SIGNALLED + signal);
            }
        };
        listen(handle).map_err(|error| Failure::Run(format!("cannot handle Ctrl-C: {error}")))?;
        Ok(Self(()))
    }

    /// Runs `work`, during which a signal ends the program at once: nothing has been written yet.
    pub fn while_setting_up<T>(self, work: impl FnOnce() -> T) -> T {
        SETTING_UP.store(true, Ordering::Relaxed);
        let result = work();
        SETTING_UP.store(false, Ordering::Relaxed);
        result
    }

    /// True if a clean end was requested.
    pub fn requested(self) -> bool {
        CANCEL.is_raised()
    }

    /// Flag that is raised when a clean end is requested.
    pub fn cancel_flag(self) -> CancelFlag {
        CANCEL.clone()
    }

    /// Exit status of the program after a signal, 128 and its number; `None` without one.
    pub fn exit_status() -> Option<u8> {
        let signal = SIGNAL.load(Ordering::Relaxed);
        (signal > 0).then(|| (SIGNALLED + signal) as u8)
    }
}

/// Calls `handle` on a thread of its own with the number of each signal.
#[cfg(unix)]
fn listen(mut handle: impl FnMut(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // A program started by `nohup` ignores the end of its terminal. The others are obeyed even where a shell that starts the program
    // in the background has them ignored: whoever sends them by name means it.
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(signals)?;
    std::thread::Builder::new().name("signals".into()).spawn(move || signals.forever().for_each(&mut handle))?;
    Ok(())
}

/// True if the program was started with this signal ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: a null pointer sets no new action, and the present one is written to memory that is valid for it.
    let asked = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: all bytes are zero at first, which is a valid `sigaction`.
    asked == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

/// Calls `handle` on a thread of its own for Ctrl-C, Ctrl-Break and the closing of the console, as number 2.
#[cfg(not(unix))]
fn listen(mut handle: impl FnMut(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(move || handle(SIGINT))
}
