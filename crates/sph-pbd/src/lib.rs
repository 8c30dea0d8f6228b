//! Cloth and balls by position-based dynamics (Muller2007, Macklin2016), on the neighbour searches of `sph-core`.
//!
//! A step is cut into *substeps*. Each moves the points by their velocities, then moves them again until constraints hold: edges have their
//! lengths, spheres do not overlap, nothing is inside a solid. Velocities follow from where the points have come. Substeps that are short
//! need one pass over the constraints each (Macklin2019). Pairs that may touch are searched once a step, within a distance grown by what
//! points can travel in it.

#![warn(missing_docs)]

pub mod balls;
pub mod cloth;

mod corners;
mod four;
mod setup;
mod substep;
mod together;

pub use setup::{BallSettings, PbdError, PbdSetup};
pub use substep::{MAX_SUBSTEPS, Substep};
