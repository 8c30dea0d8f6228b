//! Two fluids: at rest, one on the other, and turning over.

pub mod layers;
pub mod rayleigh_taylor;
