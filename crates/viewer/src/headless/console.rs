//! Messages for the user on standard error, data on standard output. A closed pipe causes no panic.

use super::Failure;
use std::io::{self, IsTerminal, Write};

/// Writes `text` to standard error, on lines of its own. A closed standard error is ignored.
pub fn say(text: &str) {
    if !text.is_empty() {
        let _ = writeln!(io::stderr(), "{text}");
    }
}

/// A count with its noun: `1 step`, `120 steps`.
pub fn counted(count: impl Into<u64>, name: &str) -> String {
    let count = count.into();
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

/// Writes data to standard output. A closed pipe (`sph schema | head`) is no error.
///
/// # Errors
/// If standard output cannot be written, for another reason than a closed pipe.
pub fn print(data: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = writeln!(stdout, "{}", data.trim_end()).and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Run(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// True if standard error is a terminal that shows colours (<https://no-color.org>).
pub fn wants_color() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stderr().is_terminal() && !refused && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
