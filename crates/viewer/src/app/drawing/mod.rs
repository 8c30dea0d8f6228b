//! Drawing into a window: its surface, the picture of the 3D view with its overlay, egui's panels over both.

mod overlay;
mod painter;
mod scene_picture;
mod surface;

pub use painter::{Layout, Painter};
pub use scene_picture::{ScenePicture, View};
pub use surface::Surface;
