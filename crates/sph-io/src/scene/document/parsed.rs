//! A scene as parsed, every key and value with its place, in the file or in an override.
//!
//! Places are byte offsets into all sources laid end to end: first the file, then each override as the user typed it. So a
//! value that came from the command line is pointed at there, and nothing downstream has to know of overrides.

use super::overrides::{self, Override};
use crate::scene::error::{Diagnostic, Excerpt, SceneError};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Most problems that one error tells: enough to work through, not a flood.
const MAX_DIAGNOSTICS: usize = 10;

/// Something wrong with a scene, before its place is looked up.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Where.
    pub place: Place,
    /// What is wrong: a clause that starts in lower case.
    pub message: String,
    /// What belongs there instead, shown beside the caret.
    pub label: String,
    /// What else helps.
    pub help: Option<String>,
}

/// Where a fault lies.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// Bytes of the sources.
    Span(Range<usize>),
    /// The value at a dotted path such as `fluid.blocks.1.max`, or what comes nearest to it in the document: for faults of what
    /// the values mean together.
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

/// The texts that a scene is made of.
#[derive(Debug)]
pub(crate) struct Sources<'a> {
    /// How the file is called in messages.
    origin: &'a str,
    text: &'a str,
    /// For each override, where it starts and its text.
    overrides: Vec<(usize, String)>,
}

impl<'a> Sources<'a> {
    pub fn new(origin: &'a str, text: &'a str) -> Self {
        Self { origin, text, overrides: Vec::new() }
    }

    /// Adds an override; returns where its text starts.
    pub fn add_override(&mut self, text: String) -> usize {
        let end = self.overrides.last().map_or(self.text.len(), |(start, text)| start + text.len());
        // One byte apart, so that an empty span at the end of one source is not the start of the next.
        self.overrides.push((end + 1, text));
        end + 1
    }

    /// The line that a span starts in, and how to name it.
    fn excerpt(&self, span: Range<usize>) -> (&str, Excerpt) {
        match self.overrides.iter().rev().find(|(start, _)| *start <= span.start) {
            Some((start, text)) => (text, Excerpt::new(text, span.start - start..span.end.saturating_sub(*start))),
            None => (self.origin, Excerpt::new(self.text, span)),
        }
    }

    fn overrides_in_words(&self) -> String {
        let texts: Vec<&str> = self.overrides.iter().map(|(_, text)| text.as_str()).collect();
        format!("with {}", texts.join(" "))
    }

    /// The error that tells `faults`, in the order of their places; `locate` finds a path's place.
    pub fn error(&self, faults: Vec<Fault>, locate: impl Fn(&str) -> Range<usize>) -> SceneError {
        let place = |fault: Fault| match &fault.place {
            Place::Span(span) => (span.clone(), fault, false),
            Place::Path(path) => (locate(path), fault, true),
        };
        let mut faults: Vec<(Range<usize>, Fault, bool)> = faults.into_iter().map(place).collect();
        faults.sort_by_key(|(span, ..)| span.start);
        let left_out = faults.len().saturating_sub(MAX_DIAGNOSTICS);
        let diagnose = |(span, fault, of_values): (Range<usize>, Fault, bool)| {
            let in_override = span.start > self.text.len() && !self.overrides.is_empty();
            // What makes no sense in the file may have made sense before an override changed something else.
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
        // The parser's message has its expectation on a second line.
        let (message, label) = error.message().split_once('\n').unwrap_or((error.message(), ""));
        let fault = Fault::new(Place::Span(span), format!("not valid TOML: {message}"), label);
        self.error(vec![fault], |_| 0..0)
    }
}

/// A scene as parsed.
pub(crate) struct Document<'a> {
    sources: Sources<'a>,
    root: Spanned<DeTable<'a>>,
}

impl<'a> Document<'a> {
    /// Parses `text` and lays `overrides` over it. `origin` is how messages call the file.
    pub fn parse(origin: &'a str, text: &'a str, overrides: &'a [Override]) -> Result<Self, SceneError> {
        let mut sources = Sources::new(origin, text);
        let mut root = DeTable::parse(text).map_err(|error| sources.syntax_error(&error, 0))?;
        for change in overrides {
            overrides::apply(change, root.get_mut(), &mut sources)?;
        }
        Ok(Self { sources, root })
    }

    pub fn root(&self) -> &Spanned<DeTable<'a>> {
        &self.root
    }

    /// A place near the end of the file: where a missing table could be added.
    pub fn end(&self) -> Range<usize> {
        let end = self.sources.text.trim_end().len();
        end..end
    }

    /// The place of a value, or of the table it is missing from.
    fn locate(&self, path: &str) -> Range<usize> {
        let mut segments = path.split('.');
        let Some(mut value) = segments.next().and_then(|key| self.root.get_ref().get(key)) else {
            return self.end();
        };
        for segment in segments {
            let inner = match value.get_ref() {
                DeValue::Table(table) => table.get(segment),
                DeValue::Array(items) => segment.parse().ok().and_then(|index: usize| items.get(index)),
                _ => None,
            };
            match inner {
                Some(inner) => value = inner,
                None => break,
            }
        }
        value.span()
    }

    /// The error that tells `faults`.
    pub fn error(&self, faults: Vec<Fault>) -> SceneError {
        self.sources.error(faults, |path| self.locate(path))
    }

    /// Reads the document into serde types.
    pub fn deserialize<T: serde::de::DeserializeOwned>(&self) -> Result<T, SceneError> {
        T::deserialize(toml::de::Deserializer::from(self.root.clone())).map_err(|error| {
            let span = error.span().unwrap_or_else(|| self.end());
            self.error(vec![Fault::new(Place::Span(span), error.message(), "")])
        })
    }
}
