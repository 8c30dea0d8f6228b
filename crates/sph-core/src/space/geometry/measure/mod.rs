//! Volumes of solids and of layers at their surfaces.

mod band;
mod moments;

pub(crate) use moments::Moments;
pub(super) use moments::layer_volume;
