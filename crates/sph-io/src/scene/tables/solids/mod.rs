//! Keys that several tables of solids have in common: shapes, and how they move.

mod motion;
mod rotation;
pub(super) mod shapes;

pub(super) use motion::{MAX_FILE_BYTES, MotionKeys, motion};
pub(super) use rotation::{RotationTable, expected};
pub(super) use shapes::{Region, ShapeKeys, region, with_solid_keys};
