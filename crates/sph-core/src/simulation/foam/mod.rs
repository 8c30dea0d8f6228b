//! Foam, spray and bubbles (Ihmsen2012): particles without mass that a running fluid makes and carries, to be looked at.
//!
//! [`Foam`] reads the fluid through its [`View`](crate::View) after each step and never changes it; whoever drives an engine owns
//! one. `potentials` says where particles are made, `seeding` makes them, `motion` classifies and moves them, `walls` holds them
//! back, `neighbors` finds the fluid around them. Random numbers are hashes, so the same steps give the same foam, to the bit, on
//! any number of threads.

mod carried;
mod motion;
mod neighbors;
mod particle;
mod potentials;
mod random;
mod seeding;
mod walls;

#[cfg(test)]
mod tests;

pub use carried::Foam;
pub use particle::{FoamKind, FoamParticle};
