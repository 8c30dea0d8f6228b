//! Event handler: forwards window events to the window, notices to the panels, and executes actions.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::actions::Other;
use super::frame_timing::Cause;
use super::layout::LayoutWriter;
use super::unsaved::{self, PendingLeave, Saves};
use super::window::Window;
use super::{AppError, AppOptions, layout, pictures};
use crate::command::Command;
use crate::session::{Notice, Request, SceneSource, Session};
use crate::ui::{Action, FilePurpose, Framing, Leaving, OpenedResult, PathPrompt, SceneEntry, State};
use egui_winit::accesskit_winit;
use sph_commands::scenes;
use sph_io::Scene;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::WindowId;

/// Least time between two looks at whether the layout has changed, so that a drag does not write a file for every frame.
const LAYOUT_INTERVAL: Duration = Duration::from_secs(1);

/// The running program.
pub struct App {
    pub(super) proxy: EventLoopProxy<UserEvent>,
    pub(super) session: Session,
    /// Scene that was opened last, whether or not it could be used.
    pub(super) source: SceneSource,
    pub(super) state: State,
    pub(super) window: Option<Window>,
    /// The scenes in the menu.
    pub(super) scenes: Vec<SceneEntry>,
    /// True while a file dialog is open.
    pub(super) dialog: bool,
    pub(super) pending_leave: PendingLeave,
    pub(super) saves: Saves,
    /// Title of the window.
    title: String,
    /// Layout of the panels as it is in its file, or as it was at the start.
    pub(super) layout: Option<String>,
    /// Writer of that file, from the first change on.
    pub(super) layout_writer: Option<LayoutWriter>,
    /// Time of the next look at whether the layout has changed.
    layout_due: Instant,
    /// True while the window is hidden.
    hidden: bool,
    pub(super) film: pictures::Film,
    /// True to print the times of frames.
    frame_stats: bool,
    /// True if the end of the simulation thread has been reported.
    crash_reported: bool,
    /// Reason why the window could not be opened.
    failure: Option<AppError>,
}

impl App {
    /// Starts with the scene in `options`.
    pub fn new(options: AppOptions, proxy: EventLoopProxy<UserEvent>, session: Session) -> Self {
        let source = match options.scene.or_else(scenes::default_path) {
            Some(path) => SceneSource::File(path, options.overrides),
            None => SceneSource::Text("dam_break", scenes::DEFAULT_TEXT, options.overrides),
        };
        let given = match &source {
            SceneSource::File(path, _) => Some(path.clone()),
            _ => None,
        };
        session.send(Request::Load(source.clone()));
        let mut state = State::default();
        let layout = layout::restore(&mut state, options.reset_layout);
        let mut app = Self {
            proxy,
            session,
            source,
            state,
            window: None,
            scenes: Vec::new(),
            dialog: false,
            pending_leave: PendingLeave::default(),
            saves: Saves::default(),
            title: String::new(),
            layout,
            layout_writer: None,
            layout_due: Instant::now(),
            hidden: false,
            film: pictures::Film::default(),
            frame_stats: options.frame_stats,
            crash_reported: false,
            failure: None,
        };
        app.state.pictures.folder = pictures::folder().unwrap_or_default();
        app.list_scenes();
        // A result is compared with its own scene on this machine. A file that cannot be used is reported as a scene.
        if let Some(path) = given.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
            app.open_result(path, Other::Ignore);
        }
        app
    }

    /// Ends the session.
    ///
    /// # Errors
    /// The reason why the window could not be opened, or that the simulation thread panicked.
    pub fn finish(self) -> anyhow::Result<()> {
        let ended = self.session.quit();
        match self.failure {
            Some(error) => Err(error.into()),
            None => ended,
        }
    }

    /// Receives notices and the latest snapshot of the session.
    fn receive(&mut self) {
        while let Some(notice) = self.session.next_notice() {
            self.state.notices.push(notice);
        }
        if !self.session.is_alive() && !self.crash_reported {
            self.crash_reported = true;
            let advice = "This is a defect of the program. Save your work and restart it.";
            self.state.notices.push(Notice::error("The simulation has crashed", advice));
        }
        self.session.update();
        let snapshot = self.session.snapshot();
        if self.state.follow(snapshot) {
            self.frame();
        }
        self.show_title();
    }

    /// Shows the scene in the window's title, with a mark where it has unsaved edits.
    fn show_title(&mut self) {
        let (Some(scene), Some(window)) = (&self.session.snapshot().scene, &self.window) else { return };
        let mark = if self.has_unsaved() { "● " } else { "" };
        let title = format!("{mark}{} – sph", scene.title);
        if title != self.title {
            window.winit().set_title(&title);
            self.title = title;
        }
    }

    /// Positions the camera as the framing demands.
    pub(super) fn frame(&mut self) {
        let (Some(scene), Some(window)) = (&self.session.snapshot().scene, &self.window) else { return };
        self.state.display.frame(scene, window.aspect());
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) {
        self.receive();
        if let Some(camera) = self.state.pictures.camera_at(self.session.snapshot().time) {
            self.state.display.camera = camera;
            self.state.display.framing = Framing::Free;
        }
        self.record();
        let Some(window) = &mut self.window else { return };
        let (aspect, panes) = (window.aspect(), self.state.display.panes.clone());
        let actions = window.draw(event_loop, &mut self.state, self.session.snapshot(), &self.scenes);
        if window.aspect() != aspect || self.state.display.panes != panes {
            self.frame();
            self.request(Cause::Input);
        }
        for action in actions {
            self.perform(event_loop, action);
        }
        if Instant::now() > self.layout_due {
            self.save_layout();
            self.layout_due = Instant::now() + LAYOUT_INTERVAL;
        }
    }

    pub(super) fn request(&mut self, cause: Cause) {
        if let Some(window) = &mut self.window {
            window.repaint.request(cause, Instant::now());
        }
    }
}

impl ApplicationHandler<UserEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.window.is_none() {
            match Window::open(event_loop, &self.proxy, self.frame_stats) {
                Ok(window) => {
                    self.state.display.usual_look = window.usual_look();
                    self.state.display.smooth = !window.is_software();
                    self.window = Some(window);
                }
                Err(error) => {
                    self.failure = Some(error);
                    event_loop.exit();
                }
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(window) = &mut self.window else { return };
        window.take_event(&event);
        match event {
            WindowEvent::CloseRequested => self.perform(event_loop, Action::Command(Command::Quit)),
            WindowEvent::RedrawRequested => self.draw(event_loop),
            WindowEvent::DroppedFile(path)
                if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) =>
            {
                self.open_result(path, Other::Load);
            }
            WindowEvent::DroppedFile(path) => self.perform(event_loop, Action::Load(path)),
            WindowEvent::Occluded(hidden) => {
                self.hidden = hidden;
                self.request(Cause::Input);
            }
            _ => {}
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: UserEvent) {
        match event {
            UserEvent::News => self.request(Cause::News),
            UserEvent::Notice(notice) => {
                self.state.notices.push(notice);
                self.request(Cause::Input);
            }
            UserEvent::NotSaved(notice) => {
                self.stay_since_not_saved();
                self.state.notices.push(notice);
                self.request(Cause::Input);
            }
            UserEvent::Saved { scene, saved: written, left } => {
                let dropped = self.session.snapshot().dropped.len();
                self.state.notices.push(unsaved::saved(written.path.as_deref(), &left, dropped));
                if let Some(path) = written.path.clone().filter(|_| written.path != scene.path) {
                    if self.is_open(&scene) {
                        self.source = SceneSource::File(path, written.overrides.clone());
                    }
                    self.list_scenes();
                }
                self.session.send(Request::Saved { scene: scene.clone(), saved: written.clone() });
                self.go_on_when_saved(event_loop, &scene, written);
                self.request(Cause::Input);
            }
            UserEvent::Scenes(scenes) => {
                self.scenes = scenes;
                self.request(Cause::Input);
            }
            UserEvent::DialogClosed(answer) => {
                self.dialog = false;
                if let Some(answer) = answer {
                    self.take_file(event_loop, answer);
                }
                self.request(Cause::Input);
            }
            UserEvent::NoDialog(purpose, folder) => {
                self.dialog = false;
                self.state.path_prompt = Some(PathPrompt::new(purpose, folder.as_deref()));
                self.request(Cause::Input);
            }
            UserEvent::Load(path) => {
                self.leave(event_loop, Leaving::Open(SceneSource::at(path)));
                self.request(Cause::Input);
            }
            UserEvent::Result(opened) => {
                self.state.result.show(opened);
                self.state.dock.show("result");
                self.request(Cause::Input);
            }
            UserEvent::Quit => event_loop.exit(),
            UserEvent::Access(event) => {
                if let Some(window) = &mut self.window {
                    window.take_access_event(event.window_event);
                }
            }
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(window) = self.window.as_ref().filter(|_| !self.hidden) else {
            event_loop.set_control_flow(ControlFlow::Wait);
            return;
        };
        match window.repaint.due() {
            Some(due) if due <= Instant::now() => {
                window.winit().request_redraw();
                event_loop.set_control_flow(ControlFlow::Wait);
            }
            Some(due) => event_loop.set_control_flow(ControlFlow::WaitUntil(due)),
            None => event_loop.set_control_flow(ControlFlow::Wait),
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        self.save_layout_at_the_end();
        // The surface must be dropped while the display connection still exists.
        self.window = None;
    }
}

/// An event sent to the window's thread by another.
#[derive(Debug)]
pub enum UserEvent {
    /// The session has a snapshot or a notice.
    News,
    /// A notice from background work.
    Notice(Notice),
    /// Parameters and view have been written to the file of `scene`, which is `saved` now, but for the
    /// keys that are `left` as an included file has them.
    Saved { scene: Arc<Scene>, saved: Arc<Scene>, left: Vec<&'static str> },
    /// They could not be written, for this reason.
    NotSaved(Notice),
    /// The scenes in the folder, listed again.
    Scenes(Vec<SceneEntry>),
    /// The file dialog is closed, with an answer or without.
    DialogClosed(Option<Answer>),
    /// There is no file dialog: a path for this purpose is asked for otherwise, beginning in this folder.
    NoDialog(FilePurpose, Option<PathBuf>),
    /// A file that is no result, to be opened as a scene.
    Load(PathBuf),
    /// A result has been read.
    Result(OpenedResult),
    /// The process was asked to end.
    Quit,
    /// A screen reader, or another aid, asks for something.
    Access(accesskit_winit::Event),
}

impl From<accesskit_winit::Event> for UserEvent {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Access(event)
    }
}

/// Answer of a file dialog.
#[derive(Debug)]
pub enum Answer {
    /// A request to the session.
    Request(Request),
    /// Place of the scene that runs.
    Scene(PathBuf),
    /// Place of a picture.
    Picture(PathBuf),
    /// Folder of the pictures and films to come.
    PicturesFolder {
        /// Its path.
        path: PathBuf,
        /// True if a film begins at once.
        films: bool,
    },
    /// Place of a table of the plots.
    Plot(PathBuf),
    /// Result to open.
    Result(PathBuf),
}
