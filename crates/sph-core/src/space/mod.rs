//! Space: periodic domains, their images and minimum-image differences, compensated positions, the initial lattice, principal axes.

mod compensated;
mod domain;
pub(crate) mod geometry;
mod images;
mod lattice;
mod principal_axes;
mod wrap;

pub use domain::{Domain, DomainError};
pub use images::Images;
pub use lattice::lattice_sum;

pub(crate) use compensated::two_sum;
pub(crate) use lattice::{lattice_counts, lattice_neighbors, lattice_points, product};
pub(crate) use principal_axes::principal_axes;
pub(crate) use wrap::Wrap;
