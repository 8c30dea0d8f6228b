//! The window: joins the session, the panels and the renderer. The only place that sees winit.

mod actions;
mod background;
pub mod display;
mod handler;
mod overlay;
mod painter;
mod platform;
mod repaint;
mod scene_picture;
mod surface;
mod window;

pub use platform::PlatformError;

use crate::render::GpuError;
use crate::session::{self, Notice, Session};
use crate::ui::SceneEntry;
use handler::App;
use sph_core::Parameters;
use sph_io::{Override, Scene};
use std::path::PathBuf;
use std::sync::Arc;
use winit::event_loop::EventLoop;

/// What the command line asks of the window.
#[derive(Clone, Debug, Default)]
pub struct AppOptions {
    /// The first scene; `None` for the dam break.
    pub scene: Option<PathBuf>,
    /// Values that replace the first scene's own.
    pub overrides: Vec<Override>,
    /// Threads that compute a step; all cores when `None`.
    pub threads: Option<usize>,
    /// File that receives one line of statistics a step.
    pub stats: Option<PathBuf>,
}

/// What the machine lacks for a window.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// No display, or a library that belongs to one is missing.
    #[error(transparent)]
    Platform(#[from] PlatformError),
    /// No graphics driver.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// What reaches the window's thread from the others.
#[derive(Debug)]
enum UserEvent {
    /// The session has a snapshot or a notice.
    News,
    /// Something that ran in the background has this to say.
    Notice(Notice),
    /// The parameters are in the scene's file.
    Saved(Arc<Scene>, Parameters),
    /// The scenes in the folder, listed anew.
    Scenes(Vec<SceneEntry>),
    /// The file dialog is closed, with a scene or without.
    DialogClosed(Option<PathBuf>),
    /// The process was asked to end.
    Quit,
}

/// Opens the window, runs until it is closed, and completes the statistics file.
///
/// # Errors
/// [`AppError`] when there is no display or driver; anything else as its own.
pub fn run(options: AppOptions) -> anyhow::Result<()> {
    platform::check().map_err(AppError::from)?;
    let no_display = |error| AppError::Platform(PlatformError::NoDisplay(error));
    let event_loop = EventLoop::with_user_event().build().map_err(no_display)?;
    let proxy = event_loop.create_proxy();
    let wake = proxy.clone();
    // A loop that has ended needs no waking.
    let wake: session::Wake = Arc::new(move || drop(wake.send_event(UserEvent::News)));
    let session = Session::start(&session::Options { threads: options.threads, stats: options.stats.clone() }, wake)?;
    let quit = proxy.clone();
    if let Err(error) = ctrlc::set_handler(move || drop(quit.send_event(UserEvent::Quit))) {
        log::warn!("Ctrl-C will end the program without completing its files: {error}");
    }
    let mut app = App::new(options, proxy, session);
    event_loop.run_app(&mut app).map_err(no_display)?;
    app.finish()
}
