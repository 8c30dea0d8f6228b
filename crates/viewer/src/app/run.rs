//! Runs a window until it is closed.

use super::event::UserEvent;
use super::handler::App;
use super::{AppError, AppOptions, PlatformError, platform};
use crate::session::{self, Session};
use std::sync::Arc;
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
