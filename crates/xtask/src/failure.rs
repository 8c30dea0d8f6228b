//! Why a command stopped.

/// The message for the user, and the exit status.
#[derive(Debug)]
pub struct Failure {
    pub status: u8,
    pub message: String,
}

impl Failure {
    /// The machine or the command line is not as needed: nothing was attempted. Exit status 2.
    pub fn unready(message: impl Into<String>) -> Self {
        Self { status: 2, message: message.into() }
    }
}
