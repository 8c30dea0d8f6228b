//! Errors of a hand.

use crate::simulation::PopulationError;

/// Reason why a hand cannot act. The fluid is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HandError {
    /// A number is outside its range, not finite, or in two dimensions out of the plane.
    #[error("{name}: expected {expected}")]
    Range {
        /// Name of the number: `push.radius`.
        name: &'static str,
        /// Range in words.
        expected: &'static str,
    },
    /// No body that moves by forces has this index.
    #[error("grab.body: body {body} does not move by forces, or there is none")]
    Body {
        /// Index of the body.
        body: usize,
    },
    /// Particles cannot be added.
    #[error(transparent)]
    Population(#[from] PopulationError),
}

impl HandError {
    /// `Ok` if `is_valid`, else an error about the number `name`.
    pub(super) fn unless(is_valid: bool, name: &'static str, expected: &'static str) -> Result<(), Self> {
        if is_valid { Ok(()) } else { Err(Self::Range { name, expected }) }
    }
}
