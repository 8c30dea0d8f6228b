//! Messages about saves of the scene's file: what was written, and what a scene's file does not hold.

use crate::command::Command;
use crate::session::{Notice, Severity, Subject};
use std::path::Path;

/// Message that parameters and view have been written to `path`, but for the keys `left` to an included file, and without the bodies that
/// have been `dropped`.
pub fn saved(path: Option<&Path>, left: &[&str], dropped: usize) -> Notice {
    let path = path.map(|path| path.display().to_string()).unwrap_or_default();
    let left = (!left.is_empty()).then(|| format!("An included file sets {}, which stays as it is there.", left.join(", ")));
    let severity = if left.is_some() { Severity::Warning } else { Severity::Info };
    let details: Vec<_> = left.into_iter().chain(not_in_file(dropped)).collect();
    let notice = Notice::info(format!("Saved to {path}")).about(Subject::Save);
    Notice { severity, details: details.join("\n"), ..notice }
}

/// Message that there is nothing to save.
pub fn nothing_to_save(dropped: usize) -> Notice {
    let notice = Notice::info("Nothing to save: neither parameters nor view differ from the scene's").about(Subject::Save);
    Notice { details: not_in_file(dropped).unwrap_or_default(), ..notice }
}

/// Sentence on bodies that have been dropped, if there are any.
fn not_in_file(dropped: usize) -> Option<String> {
    let subject = match dropped {
        0 => return None,
        1 => "The dropped body is",
        _ => "The dropped bodies are",
    };
    let places = [Command::SaveState, Command::SaveRecording].map(|command| format!("File › {}", command.label()));
    Some(format!("{subject} no part of a scene's file; {} keep what hands did.", places.join(" and ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_bodies_are_said_to_be_left_out() {
        let path = Some(Path::new("a.toml"));
        assert_eq!(saved(path, &[], 0), Notice::info("Saved to a.toml").about(Subject::Save));
        let sentence = "The dropped bodies are no part of a scene's file; File › Save state… and File › Save session recording… keep what hands did.";
        assert_eq!(saved(path, &[], 2).details, sentence);
        assert_eq!(nothing_to_save(2).details, sentence);
        assert!(nothing_to_save(0).details.is_empty());
        let both = saved(path, &["view.look"], 1);
        assert_eq!(both.severity, Severity::Warning);
        assert!(both.details.starts_with("An included file sets view.look") && both.details.contains("\nThe dropped body is"));
    }
}
