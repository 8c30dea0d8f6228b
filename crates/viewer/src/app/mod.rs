//! The window: joins the session, the panels and the renderer. The only place that sees winit.
//!
//! `handler` takes events, `actions` does what the panels ask for, `window` draws with what is in `drawing`.

mod actions;
mod background;
pub mod display;
mod drawing;
mod error;
mod event;
mod handler;
mod options;
mod platform;
mod repaint;
mod run;
mod window;

pub use error::AppError;
pub use options::AppOptions;
pub use platform::PlatformError;
pub use run::run;
