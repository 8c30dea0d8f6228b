//! Keys that several tables of solids have in common: shapes, and how they move.

mod motion;
mod region;
mod rotation;
pub(super) mod shapes;

pub(super) use motion::{MAX_FILE_BYTES, MotionKeys, motion};
pub(super) use region::{Region, region};
pub(super) use rotation::{RotationTable, expected};
pub(super) use shapes::{ShapeKeys, with_solid_keys};
