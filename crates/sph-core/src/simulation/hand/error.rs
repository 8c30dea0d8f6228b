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
    /// No body has this index.
    #[error("grab.body: there is no body {body}")]
    Body {
        /// Index of the body.
        body: usize,
    },
    /// As many bodies have been dropped as is possible.
    #[error("{limit} bodies have been dropped, and more are not possible")]
    TooManyBodies {
        /// Largest number.
        limit: usize,
    },
    /// A body that is dropped would be where something else is.
    #[error("the body would be {obstacle}")]
    NoRoom {
        /// What is there.
        obstacle: Obstacle,
    },
    /// Particles cannot be added.
    #[error(transparent)]
    Population(#[from] PopulationError),
}

/// What is in the way of a body that is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// The wall of a container.
    #[error("in a wall, or closer to one than a particle spacing")]
    Wall,
    /// Another body.
    #[error("in another body, or closer to one than a particle spacing")]
    Body,
    /// Fluid.
    #[error("in the fluid, which has to give way first: drop it from above")]
    Fluid,
    /// The outside of all containers.
    #[error("outside the containers")]
    Beyond,
}

impl HandError {
    /// `Ok` if `is_valid`, else an error about the number `name`.
    pub(super) fn unless(is_valid: bool, name: &'static str, expected: &'static str) -> Result<(), Self> {
        if is_valid { Ok(()) } else { Err(Self::Range { name, expected }) }
    }
}
