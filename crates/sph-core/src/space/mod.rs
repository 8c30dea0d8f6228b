//! Space: where it repeats, what is seen beyond its periodic faces, places kept more exactly than one f32 can.

mod compensated;
mod domain;
mod images;
mod lattice;
mod wrap;

pub use domain::{Domain, DomainError};
pub use images::Images;
pub use lattice::lattice_sum;

pub(crate) use compensated::two_sum;
pub(crate) use lattice::{lattice_counts, lattice_points, product};
pub(crate) use wrap::Wrap;
