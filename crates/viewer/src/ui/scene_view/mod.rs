//! The 3D view: camera under the mouse, picking, status line, notices. What looking into the grid lays over it is in `inside`.

mod notices;
mod view;

pub use notices::{Notices, notices_ui};
pub use view::scene_view_ui;
