//! Attributes that exports write: those chosen by name, or the usual ones.

use crate::scene::{list, nearest};
use sph_core::Particles;
use std::str::FromStr;

/// Attributes of the boundary particles that the fluid has not.
pub(super) const OF_BOUNDARY: [&str; 2] = ["volume", "body"];

/// Attributes to be written beside the position, which every file has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Their names; `None` for all that have columns in the registry.
    chosen: Option<Vec<String>>,
}

/// Name of an unknown attribute.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no attribute `{name}`: {expected}")]
pub struct UnknownAttribute {
    name: String,
    expected: String,
}

impl Attributes {
    /// True if the attribute `name` is to be written; `usual` if it is written when none is chosen.
    pub(super) fn contain(&self, name: &str, usual: bool) -> bool {
        self.chosen.as_ref().map_or(usual, |chosen| chosen.iter().any(|other| other == name))
    }
}

/// Parses names with commas between them.
impl FromStr for Attributes {
    type Err = UnknownAttribute;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = || Particles::ATTRIBUTES.iter().map(|attribute| attribute.singular).chain(OF_BOUNDARY);
        let parse = |name: &str| {
            if known().any(|other| other == name) {
                return Ok(name.to_owned());
            }
            let expected = match nearest(name, known()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("expected {}", list(known())),
            };
            Err(UnknownAttribute { name: name.to_owned(), expected })
        };
        Ok(Self { chosen: Some(text.split(',').map(|name| parse(name.trim())).collect::<Result<_, _>>()?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_registry() {
        let chosen: Attributes = "velocity, spin,body".parse().unwrap();
        assert!(chosen.contain("velocity", false) && chosen.contain("body", false) && !chosen.contain("density", true));
        assert!(Attributes::default().contain("density", true) && !Attributes::default().contain("spin", false));
        let error = |text: &str| text.parse::<Attributes>().unwrap_err().to_string();
        assert_eq!(error("id,velocities"), "there is no attribute `velocities`: did you mean `velocity`?");
        assert!(
            error("temperature").starts_with("there is no attribute `temperature`: expected `position`, `rounding_error`, ")
        );
        assert!(error("").contains("expected"));
    }
}
