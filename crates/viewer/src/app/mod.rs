//! The window: joins the session, the panels and the renderer. The only place that sees winit.
//!
//! `handler` receives events, `actions` executes the panels' actions, `window` draws with the modules of `drawing`.

mod actions;
mod background;
pub mod display;
mod drawing;
mod error;
mod event;
mod frame_times;
mod handler;
mod keeping;
mod options;
mod pictures;
mod platform;
mod repaint;
mod run;
mod window;

pub use error::AppError;
pub use options::AppOptions;
pub use platform::PlatformError;
pub use run::run;
