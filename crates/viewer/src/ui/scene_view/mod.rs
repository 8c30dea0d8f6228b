//! 3D view: camera control, picking, status line, notices, the bar of playback below. The overlays of the grid are in `inside`.

mod aids;
pub mod arrow_scale;
mod badges;
pub mod looks;
mod messages;
mod notices;
mod playback;
mod refusal;
mod status;
mod tools;
mod view;

pub use aids::{Aids, aids_ui};
pub use messages::Notices;
pub use notices::cards_ui;
pub use playback::{PlaybackView, playback_ui};
pub use tools::{Tool, Tools};
pub use view::{SceneArea, scene_view_ui};
