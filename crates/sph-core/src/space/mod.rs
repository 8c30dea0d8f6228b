//! Space: where it repeats, what is seen beyond its periodic faces, places kept more exactly than one f32 can.

mod compensated;
mod domain;
mod images;

pub use domain::{Domain, DomainError};
pub use images::Images;

pub(crate) use compensated::two_sum;
pub(crate) use domain::Wrap;
