//! Playback: the bar below the 3D view, with the timeline of kept moments.

mod bar;
mod memory;
mod speed;
mod timeline;
mod view;

pub use bar::playback_ui;
pub use view::PlaybackView;
