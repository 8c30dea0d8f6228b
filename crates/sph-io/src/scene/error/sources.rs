//! Sources of a scene: the file, the files that it includes, and the overrides as the user typed them.
//!
//! Places are byte offsets into all sources joined end to end: first the file, then each included one, then each override. So errors of a value from the command
//! line point there, and later stages need not know of overrides.

use super::fault::{Fault, Place};
use super::scene_error::{Diagnostic, Excerpt, SceneError};
use std::ops::Range;

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
        let fault = Fault::new(Place::Span(span), format!("not valid TOML: {message}"), label);
        self.error(vec![fault], |_| 0..0)
    }
}
