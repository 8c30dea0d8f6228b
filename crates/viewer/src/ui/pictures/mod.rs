//! Pictures and videos of the 3D view: their options, the recording, and the path of the camera.

mod view;
mod window;

pub use view::{PicturesView, Recording};
pub use window::pictures_ui;
