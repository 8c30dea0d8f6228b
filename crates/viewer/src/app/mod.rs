//! The window: joins the session, the panels and the renderer. The only place that sees winit.
//!
//! `handler` receives events, `actions` executes the panels' actions, `window` draws with the modules of `drawing` when `frame_timing` says
//! so. `pictures` saves pictures and films, `unsaved` saves edits before they are lost, `layout` keeps the layout of the panels; slow work
//! is done in the `background`.

mod actions;
mod background;
mod drawing;
mod frame_timing;
mod handler;
mod pictures;
mod scene_list;
mod window;

pub mod layout;
pub mod platform;
pub mod unsaved;

pub use platform::PlatformError;

use std::path::PathBuf;
use std::sync::Arc;

use crate::session::{self, Session};
use handler::{App, UserEvent};
use sph_io::Override;
use sph_render::GpuError;
use winit::event_loop::EventLoop;

/// Opens the window, runs until it is closed, and completes the statistics file.
///
/// # Errors
/// [`AppError`] if there is no display or driver; other errors as they are.
pub fn run(options: AppOptions) -> anyhow::Result<()> {
    platform::check().map_err(AppError::from)?;
    platform::give_back_large_blocks();
    let no_display = |error| AppError::Platform(PlatformError::NoDisplay(error));
    let event_loop = EventLoop::with_user_event().build().map_err(no_display)?;
    let proxy = event_loop.create_proxy();
    let wake = proxy.clone();
    // An event loop that has ended needs no waking.
    let wake: session::Wake = Arc::new(move || drop(wake.send_event(UserEvent::News)));
    let AppOptions { threads, stats, record, .. } = options.clone();
    let session_options = session::Options { threads, stats, record, ..session::Options::default() };
    let session = Session::start(&session_options, wake)?;
    let quit = proxy.clone();
    if let Err(error) = ctrlc::set_handler(move || drop(quit.send_event(UserEvent::Quit))) {
        log::warn!("Ctrl-C will end the program without completing its files: {error}");
    }
    let mut app = App::new(options, proxy, session);
    event_loop.run_app(&mut app).map_err(no_display)?;
    app.finish()
}

/// Options of the window from the command line.
#[derive(Clone, Debug, Default)]
pub struct AppOptions {
    /// The first scene; `None` for the dam break.
    pub scene: Option<PathBuf>,
    /// Values that replace the first scene's own.
    pub overrides: Vec<Override>,
    /// Number of threads that compute a step; all cores if `None`.
    pub threads: Option<usize>,
    /// File that receives one line of statistics a step.
    pub stats: Option<PathBuf>,
    /// True to print the times of the window's frames.
    pub frame_stats: bool,
    /// True to arrange the panels as in a first start.
    pub reset_layout: bool,
    /// File that receives the recording of the session at its end.
    pub record: Option<PathBuf>,
}

/// Requirement of a window that the machine lacks.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// No display, or a library that belongs to one is missing.
    #[error(transparent)]
    Platform(#[from] PlatformError),
    /// No graphics driver.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}
