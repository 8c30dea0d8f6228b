//! Errors of scene files: a fault and its place, the sources that it is in, and the report that shows it.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

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

/// A problem of a scene, before its place is looked up.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Place.
    pub place: Place,
    /// Problem: a clause that starts in lower case.
    pub message: String,
    /// Expected value, shown beside the caret.
    pub label: String,
    /// Further help.
    pub help: Option<String>,
}

/// Place of a fault.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// Bytes of the sources.
    Span(Range<usize>),
    /// Value at a dotted path such as `fluid.blocks.1.max`, or the innermost table of the path that the document has: for faults of valid
    /// values that do not fit together.
    Path(String),
}

impl Fault {
    pub fn new(place: Place, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { place, message: message.into(), label: label.into(), help: None }
    }

    pub fn at_path(path: impl Into<String>, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self::new(Place::Path(path.into()), message, label)
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

// Sources of a scene: the file, the files that it includes, and the overrides as the user typed them.
//
// Places are byte offsets into all sources joined end to end: first the file, then each included one, then each override. So errors of a value from the command
// line point there, and later stages need not know of overrides.

/// Maximum number of problems that one error shows.
const MAX_DIAGNOSTICS: usize = 10;

/// Sources of a scene.
#[derive(Debug)]
pub(crate) struct Sources<'a> {
    /// Name of the file in messages.
    origin: &'a str,
    text: &'a str,
    /// Offset, name and text of each included file.
    included: Vec<(usize, &'a str, &'a str)>,
    /// Offset and text of each override.
    overrides: Vec<(usize, String)>,
}

impl<'a> Sources<'a> {
    pub fn new(origin: &'a str, text: &'a str) -> Self {
        Self { origin, text, included: Vec::new(), overrides: Vec::new() }
    }

    /// Adds an included file, before any override. Returns the offset of its text.
    pub fn add_file(&mut self, origin: &'a str, text: &'a str) -> usize {
        let start = self.end_of_files() + 1;
        self.included.push((start, origin, text));
        start
    }

    fn end_of_files(&self) -> usize {
        self.included.last().map_or(self.text.len(), |(start, _, text)| start + text.len())
    }

    /// Name of the file that a span is in.
    pub fn origin_of(&self, span: &Range<usize>) -> &str {
        self.file_at(span).1
    }

    /// Offset, name and text of the file that a span is in.
    fn file_at(&self, span: &Range<usize>) -> (usize, &'a str, &'a str) {
        let included = self.included.iter().rev().find(|(start, ..)| *start <= span.start);
        included.copied().unwrap_or((0, self.origin, self.text))
    }

    /// Adds an override. Returns the offset of its text.
    pub fn add_override(&mut self, text: String) -> usize {
        let end = self.overrides.last().map_or_else(|| self.end_of_files(), |(start, text)| start + text.len());
        // One byte apart, so that an empty span at the end of one source is not the start of the next.
        self.overrides.push((end + 1, text));
        end + 1
    }

    /// The end of the scene's own text, without trailing white space.
    pub fn end_of_file(&self) -> Range<usize> {
        let end = self.text.trim_end().len();
        end..end
    }

    /// Name of the source that a span starts in, and the line.
    fn excerpt(&self, span: Range<usize>) -> (&str, Excerpt) {
        match self.overrides.iter().rev().find(|(start, _)| *start <= span.start) {
            Some((start, text)) => (text, Excerpt::new(text, span.start - start..span.end.saturating_sub(*start))),
            None => {
                let (start, origin, text) = self.file_at(&span);
                (origin, Excerpt::new(text, span.start - start..span.end.saturating_sub(start)))
            }
        }
    }

    fn overrides_in_words(&self) -> String {
        let texts: Vec<&str> = self.overrides.iter().map(|(_, text)| text.as_str()).collect();
        format!("with {}", texts.join(" "))
    }

    /// The error of `faults`, in the order of their places; `locate` finds the place of a path.
    pub fn error(&self, faults: Vec<Fault>, locate: impl Fn(&str) -> Range<usize>) -> SceneError {
        let place = |fault: Fault| match &fault.place {
            Place::Span(span) => (span.clone(), fault, false),
            Place::Path(path) => (locate(path), fault, true),
        };
        let mut faults: Vec<(Range<usize>, Fault, bool)> = faults.into_iter().map(place).collect();
        faults.sort_by_key(|(span, ..)| span.start);
        let left_out = faults.len().saturating_sub(MAX_DIAGNOSTICS);
        let diagnose = |(span, fault, of_values): (Range<usize>, Fault, bool)| {
            let in_override = self.overrides.first().is_some_and(|(start, _)| *start <= span.start);
            // A value of the file that is invalid beside the others may have been valid before an override changed one of them.
            let note = (of_values && !in_override && !self.overrides.is_empty()).then(|| self.overrides_in_words());
            let (origin, excerpt) = self.excerpt(span);
            Diagnostic {
                origin: origin.to_owned(),
                in_override,
                excerpt: Some(excerpt),
                message: fault.message,
                label: fault.label,
                help: fault.help,
                note,
            }
        };
        SceneError::new(faults.into_iter().take(MAX_DIAGNOSTICS).map(diagnose).collect(), left_out)
    }

    /// The error of a text that is not TOML.
    pub fn syntax_error(&self, error: &toml::de::Error, offset: usize) -> SceneError {
        let span = error.span().unwrap_or(self.text.len()..self.text.len());
        let span = span.start + offset..span.end + offset;
        // The second line of the parser's message is its expectation.
        let (message, label) = error.message().split_once('\n').unwrap_or((error.message(), ""));
        // Which says nothing to a reader.
        let message = message.trim_end_matches(", expected nothing");
        let fault = Fault::new(Place::Span(span), format!("not valid TOML: {message}"), label);
        self.error(vec![fault], |_| 0..0)
    }
}

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
