//! Errors of scene files: place, problem, expected value.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::fmt;
use std::ops::Range;

/// Reasons why a scene cannot be loaded: one problem or several, each with its place.
///
/// [`report`](Self::report) is for a terminal or a window, [`summary`](Self::summary) for one line of a log or a status bar.
/// Displayed as the report, without colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// Never empty.
    diagnostics: Vec<Diagnostic>,
    /// Number of further problems, which are not shown.
    left_out: usize,
}

/// One problem, with the part of the source that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// Name of the file, or the override as typed.
    pub origin: String,
    pub in_override: bool,
    /// Place in the source, if the problem has one.
    pub excerpt: Option<Excerpt>,
    pub message: String,
    pub label: String,
    pub help: Option<String>,
    pub note: Option<String>,
}

/// A line of a source, and the span of the problem in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// Line number, from 1.
    line: usize,
    /// Column in characters, from 1.
    column: usize,
    text: String,
    span: Range<usize>,
}

impl Excerpt {
    /// The line of `text` in which `span` (bytes) starts. The span is cut at the end of the line.
    pub fn new(text: &str, span: Range<usize>) -> Self {
        let start = text.floor_char_boundary(span.start);
        let end = text.ceil_char_boundary(span.end.max(start));
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[line_start..].lines().next().unwrap_or("");
        // A span can begin at the line break itself.
        let from = (start - line_start).min(line.len());
        let to = (end - line_start).clamp(from, line.len());
        Self {
            line: 1 + text[..line_start].matches('\n').count(),
            column: 1 + line[..from].chars().count(),
            text: line.to_owned(),
            span: from..to,
        }
    }
}

impl SceneError {
    /// The error of `diagnostics`, which must not be empty, and of the number of those left out.
    pub(crate) fn new(diagnostics: Vec<Diagnostic>, left_out: usize) -> Self {
        debug_assert!(!diagnostics.is_empty());
        Self { diagnostics, left_out }
    }

    /// An error of the file as a whole.
    pub(crate) fn of_file(origin: String, message: String, help: Option<String>) -> Self {
        let label = String::new();
        Self::new(vec![Diagnostic { origin, in_override: false, excerpt: None, message, label, help, note: None }], 0)
    }

    /// Every problem over several lines: place, offending text with a caret, expected value. No newline at the end.
    pub fn report(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let mut reports: Vec<String> =
            self.diagnostics.iter().map(|diagnostic| renderer.render(&[diagnostic.group()]).trim_end().to_owned()).collect();
        if self.left_out > 0 {
            reports.push(format!("and {} more", self.left_out));
        }
        reports.join("\n\n")
    }

    /// The first problem on one line: `scenes/a.toml:3:1: unknown key …`.
    pub fn summary(&self) -> String {
        let Some(first) = self.diagnostics.first() else { return String::new() };
        let more = self.diagnostics.len() - 1 + self.left_out;
        let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        // Keys, values and paths can contain anything, line breaks as well.
        let escaped = |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() };
        first.summary().chars().map(escaped).chain([more]).collect()
    }

    /// Line and column (in characters, both from 1) of the first problem, if it is at a place of the file.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        let first = self.diagnostics.first().filter(|first| !first.in_override)?;
        first.excerpt.as_ref().map(|excerpt| (excerpt.line, excerpt.column))
    }
}

impl Diagnostic {
    fn group(&self) -> Group<'_> {
        let Some(Excerpt { line, text, span, .. }) = &self.excerpt else {
            let title = Level::ERROR.primary_title(format!("{}: {}", self.origin, self.message));
            return Group::with_title(title).elements(self.help.iter().map(|help| Level::HELP.message(help)));
        };
        let mut annotation = AnnotationKind::Primary.span(span.clone());
        if !self.label.is_empty() {
            annotation = annotation.label(&self.label);
        }
        let origin = if self.in_override { "command line" } else { &self.origin };
        let snippet = Snippet::source(text).line_start(*line).path(origin).annotation(annotation);
        Level::ERROR
            .primary_title(&self.message)
            .element(snippet)
            .elements(self.note.iter().map(|note| Level::NOTE.message(note)))
            .elements(self.help.iter().map(|help| Level::HELP.message(help)))
    }

    fn summary(&self) -> String {
        let Self { origin, message, label, .. } = self;
        let place = match &self.excerpt {
            Some(Excerpt { line, column, .. }) if !self.in_override => format!("{origin}:{line}:{column}"),
            _ => origin.clone(),
        };
        // The message often has the label already.
        let is_in_message = message.contains(label.strip_prefix("expected ").unwrap_or(label));
        if is_in_message { format!("{place}: {message}") } else { format!("{place}: {message}: {label}") }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(false))
    }
}

impl std::error::Error for SceneError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_count_lines_and_characters() {
        let text = "a = 1\r\nρ = 2\n\nlast";
        let excerpt = |span| {
            let Excerpt { line, column, text, span } = Excerpt::new(text, span);
            (line, column, text, span)
        };
        assert_eq!(excerpt(0..1), (1, 1, "a = 1".into(), 0..1));
        assert_eq!(excerpt(12..13), (2, 5, "ρ = 2".into(), 5..6));
        // Across the line's end, at a line break, at and past the end of the text, inside a character.
        assert_eq!(excerpt(7..14), (2, 1, "ρ = 2".into(), 0..6));
        assert_eq!(excerpt(14..15), (3, 1, String::new(), 0..0));
        assert_eq!(excerpt(19..19), (4, 5, "last".into(), 4..4));
        assert_eq!(excerpt(50..60), (4, 5, "last".into(), 4..4));
        assert_eq!(excerpt(8..8), (2, 1, "ρ = 2".into(), 0..2));
    }
}
