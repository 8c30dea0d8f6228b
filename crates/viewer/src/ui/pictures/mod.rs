//! Pictures and videos of the 3D view: their options, the film in progress, and the path of the camera.

mod badge;
mod view;
mod window;

pub use badge::badge_ui;
pub use view::{FilmInProgress, PicturesView};
pub use window::pictures_ui;
