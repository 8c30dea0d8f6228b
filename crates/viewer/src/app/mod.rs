//! The window: joins the session, the panels and the renderer. The only place that sees winit.

mod actions;
mod background;
pub mod display;
mod error;
mod event;
mod handler;
mod options;
mod overlay;
mod painter;
mod platform;
mod repaint;
mod run;
mod scene_picture;
mod surface;
mod window;

pub use error::AppError;
pub use options::AppOptions;
pub use platform::PlatformError;
pub use run::run;
