//! 3D view: camera control, picking, status line, notices. The overlays of the grid are in `inside`.

mod aids;
mod notices;
mod view;

pub use aids::{Aids, aids_ui};
pub use notices::{Notices, notices_ui};
pub use view::scene_view_ui;
