//! The parsed document: every key and value with its place, in the file or in an override.

use super::include::{INCLUDE, Included, merge};
use super::overrides::{self, OPTION, Override};
use crate::scene::error::{Fault, Place, SceneError, Sources};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A parsed scene.
pub(crate) struct Document<'a> {
    sources: Sources<'a>,
    root: Spanned<DeTable<'a>>,
}

impl<'a> Document<'a> {
    /// Parses `text`, adds the keys of the `included` files, and applies `overrides`. Messages call the file `origin`.
    pub fn parse(
        (origin, text): (&'a str, &'a str),
        included: &'a [Included],
        overrides: &'a [Override],
    ) -> Result<Self, SceneError> {
        let mut sources = Sources::new(origin, text);
        let mut root = DeTable::parse(text).map_err(|error| sources.syntax_error(&error, 0))?;
        let mut faults = Vec::new();
        for Included { origin, text } in included {
            let start = sources.add_file(origin, text);
            let table = DeTable::parse(text).map_err(|error| sources.syntax_error(&error, start))?;
            let table = Spanned::new(table.span(), DeValue::Table(table.into_inner()));
            if let DeValue::Table(mut table) = overrides::shifted(table, start).into_inner() {
                table.remove(INCLUDE);
                merge(root.get_mut(), table, "", &sources, &mut faults);
            }
        }
        if !faults.is_empty() {
            return Err(sources.error(faults, |_| 0..0));
        }
        for change in overrides {
            if change.path.split('.').next() == Some(INCLUDE) {
                let message = "files are included before values are replaced".to_owned();
                return Err(SceneError::of_file(format!("{OPTION}{}", change.path), message, None));
            }
            overrides::apply(change, root.get_mut(), &mut sources)?;
        }
        Ok(Self { sources, root })
    }

    pub fn root(&self) -> &Spanned<DeTable<'a>> {
        &self.root
    }

    /// The end of the file: where a missing table could be added.
    pub fn end(&self) -> Range<usize> {
        self.sources.end_of_file()
    }

    /// The place of a value, or of the table that it is missing from.
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

    /// The error of `faults`.
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
