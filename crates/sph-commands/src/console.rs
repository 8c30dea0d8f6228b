//! Messages for the user on standard error, data on standard output, and failures of commands. A closed pipe causes no panic.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use sph_core::Setup;
use sph_io::{SceneError, grouped};

/// Writes `text` to standard error, on lines of its own. A closed standard error is ignored.
pub fn say(text: &str) {
    if !text.is_empty() {
        let _ = writeln!(io::stderr(), "{text}");
    }
}

/// A count with its noun: `1 step`, `1,200 steps`.
pub fn counted(count: impl Into<u64>, name: &str) -> String {
    let count = count.into();
    format!("{} {name}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// What a scene consists of: `3,200 fluid and 2,196 boundary particles, 441 cloth vertices, 10 balls`. `qualifier`, such as `at most `,
/// stands before the number of boundary particles.
pub fn particles(fluid: u64, qualifier: &str, boundary: u64, setup: &Setup) -> String {
    let points = setup.points.as_ref().map_or_else(Vec::new, |points| points.source().counts_by_kind());
    let kinds = [(fluid, "", "fluid"), (boundary, qualifier, "boundary")].into_iter().filter(|(count, ..)| *count > 0);
    let particles: Vec<String> =
        kinds.map(|(count, qualifier, kind)| format!("{qualifier}{} {kind}", grouped(count))).collect();
    let particles = if particles.is_empty() { None } else { Some(format!("{} particles", particles.join(" and "))) };
    let points = points.into_iter().map(|(count, kind)| format!("{} {kind}", grouped(count)));
    let parts: Vec<String> = particles.into_iter().chain(points).collect();
    if parts.is_empty() { "no particles".to_owned() } else { parts.join(", ") }
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

// Failures of commands, and their exit status.

/// Failure of a command.
#[derive(Debug)]
pub enum Failure {
    /// The scene cannot be used.
    Scene(Box<SceneError>),
    /// Bad arguments, no GPU driver, or no display: nothing was started.
    Input(String),
    /// The simulation failed, or an output could not be written.
    Run(String),
    /// The messages have been printed already; only the exit status for bad input remains.
    Reported,
    /// The reader of standard output has closed the pipe, as after `| head`: the program ends early, without an error.
    Unread,
}

impl Failure {
    /// The failure that `what` could not be written to `path`.
    pub fn output(what: &str, path: &Path, error: &io::Error) -> Self {
        Self::Run(format!("cannot write {what} {}: {}", path.display(), reason(error)))
    }

    /// The failure to do `what` with the input at `path`.
    pub fn input(what: &str, path: &Path, error: &impl Display) -> Self {
        let path_name = path.display();
        match path.try_exists() {
            Ok(false) => Self::Input(format!("cannot {what} {path_name}: there is no such file")),
            _ => Self::Input(format!("cannot {what} {path_name}: {error}")),
        }
    }

    /// The exit status: 1 if a started command failed, 2 if it could not start.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Unread => 0,
            Self::Run(_) => 1,
            Self::Scene(_) | Self::Input(_) | Self::Reported => 2,
        }
    }

    /// The whole message, without a line end.
    pub fn report(&self, color: bool) -> String {
        match self {
            Self::Scene(error) => error.report(color).trim_end().to_owned(),
            Self::Input(message) | Self::Run(message) => format!("{}: {message}", heading(color)),
            Self::Reported | Self::Unread => String::new(),
        }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self::Scene(Box::new(error))
    }
}

fn heading(color: bool) -> &'static str {
    if color { "\x1b[1;31merror\x1b[0m" } else { "error" }
}

/// The operating system's message, with advice if there is any.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            format!("{error}; free some space or choose another location")
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_error_names_the_file_and_the_reason() {
        let error = io::Error::from(io::ErrorKind::StorageFull);
        let failure = Failure::output("the statistics", Path::new("out/stats.jsonl"), &error);
        assert_eq!(failure.exit_status(), 1);
        let report = failure.report(false);
        assert!(report.starts_with("error: cannot write the statistics out/stats.jsonl: "), "{report}");
        assert!(report.contains("free some space"), "{report}");
    }
}
