//! The hand: one of the things that a user does to the fluid.

use super::{Grab, HandError, Pour, Push};
use crate::parameters::Discretization;

/// Action of a user's hand during a step. See [`Engine::apply_hand`](crate::Engine::apply_hand).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hand {
    /// Pushes or pulls fluid.
    Push(Push),
    /// Adds fluid.
    Pour(Pour),
    /// Moves a body.
    Grab(Grab),
}

impl Hand {
    /// Checks the numbers.
    ///
    /// # Errors
    /// A number outside its range, or in two dimensions out of the plane.
    pub fn validate(&self, discretization: &Discretization) -> Result<(), HandError> {
        match self {
            Self::Push(push) => push.validate(discretization.dimensions),
            Self::Pour(pour) => pour.validate(discretization),
            Self::Grab(grab) => grab.validate(discretization.dimensions),
        }
    }
}
