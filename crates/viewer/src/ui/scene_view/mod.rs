//! The 3D view: mouse and camera, and what stands over the picture whatever is looked at.

mod notices;
mod view;

pub use notices::{Notices, notices_ui};
pub use view::scene_view_ui;
