//! Drawing into a window: its surface, the picture of the 3D view with its overlay, egui's panels over both.

mod coverage;
mod damage;
mod overlay;
mod painter;
mod resolution;
mod scene_picture;
mod surface;
mod tiles;

pub use painter::{Layout, Painter};
pub use resolution::Resolution;
pub use scene_picture::{ScenePicture, View};
pub use surface::Surface;
