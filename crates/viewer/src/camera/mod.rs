//! The camera, and its path through keyframes. Plain data.

mod orbit;
mod path;

pub use orbit::{Camera, Ray};
pub use path::{CameraPath, Keyframe};
