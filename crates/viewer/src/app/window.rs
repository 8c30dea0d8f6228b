//! The window on the screen with its surface, renderers and egui's input.

use super::drawing::{Layout, Painter, PictureView, Resolution, ScenePicture, StepClock, Surface};
use super::frame_timing::{Cause, FrameTimes, Repaint, Stage};
use super::handler::UserEvent;
use super::{AppError, PlatformError};
use crate::session::{Notice, Snapshot};
use crate::ui::{self, Action, Framing, Model, OverlayCosts, SceneEntry, Side, State, Views};
use egui::{Rect, ViewportId};
use egui_winit::accesskit_winit;
use sph_io::Look;
use sph_render::{self, Area, Gpu, Picture, PictureOptions, ReadError, Sheet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use winit::dpi::LogicalSize;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window as WinitWindow;

/// Size of a new window, points, on a screen that has room for it.
const SIZE: LogicalSize<f64> = LogicalSize::new(1280.0, 800.0);

/// Smallest size of the window that a user can choose, points: room for the menus and some of the 3D view.
const LEAST_SIZE: LogicalSize<f64> = LogicalSize::new(480.0, 320.0);

/// Time between two attempts to open a lost graphics device again.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(2);

/// Options of a picture of the 3D view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shot {
    /// Width and height, pixels; `None` for those of the 3D view.
    pub size: Option<[u32; 2]>,
    /// True to leave out the background.
    pub transparent: bool,
    /// True to burn in the legend and the time.
    pub captions: bool,
}

/// A window that can be drawn to.
pub struct Window {
    // Fields drop in this order: the surface must go before the window.
    surface: Surface,
    painter: Painter,
    picture: ScenePicture,
    /// Picture of grid B; created when two grids are first compared.
    grid_b: Option<ScenePicture>,
    gpu: Gpu,
    input: egui_winit::State,
    egui: egui::Context,
    pub repaint: Repaint,
    times: FrameTimes,
    resolution: Resolution,
    step_clock: StepClock,
    /// Areas of the 3D views in the latest layout, points.
    views: Option<Views>,
    adapter: String,
    window: Arc<WinitWindow>,
}

impl Window {
    /// Opens a window, which prints the times of its frames with `frame_stats`.
    pub fn open(event_loop: &ActiveEventLoop, proxy: &EventLoopProxy<UserEvent>, frame_stats: bool) -> Result<Self, AppError> {
        // AccessKit must know the window before it is shown.
        let attributes = WinitWindow::default_attributes().with_title("sph").with_visible(false);
        let attributes = attributes.with_inner_size(first_size(event_loop)).with_min_inner_size(LEAST_SIZE);
        let window = event_loop.create_window(attributes).map_err(|error| PlatformError::NoDisplay(error.into()))?;
        let window = Arc::new(window);
        let (gpu, surface) = Gpu::with_surface(event_loop.owned_display_handle(), window.clone())?;
        let surface = Surface::new(&gpu, surface, window.inner_size().into())?;
        let egui = egui::Context::default();
        ui::theme::apply(&egui);
        // Panels edit state as they are laid out: each frame must lay them out once.
        egui.options_mut(|options| options.max_passes = std::num::NonZeroUsize::MIN);
        let side = gpu.device.limits().max_texture_dimension_2d as usize;
        let scale = Some(window.scale_factor() as f32);
        let mut input = egui_winit::State::new(egui.clone(), ViewportId::ROOT, &window, scale, window.theme(), Some(side));
        input.init_accesskit(event_loop, &window, proxy.clone());
        window.set_visible(true);
        Ok(Self {
            painter: Painter::new(&gpu, surface.format()),
            picture: ScenePicture::new(&gpu),
            grid_b: None,
            repaint: Repaint::new(gpu.is_software()),
            times: FrameTimes::new(frame_stats),
            resolution: Resolution::new(gpu.is_software()),
            step_clock: StepClock::default(),
            views: None,
            adapter: gpu.description(),
            surface,
            gpu,
            input,
            egui,
            window,
        })
    }

    /// The window itself.
    pub fn winit(&self) -> &WinitWindow {
        &self.window
    }

    /// Look of scenes that name none.
    pub fn usual_look(&self) -> Look {
        self.gpu.usual_look()
    }

    /// True if the graphics driver works on this processor.
    pub fn is_software(&self) -> bool {
        self.gpu.is_software()
    }

    /// Aspect ratio (width over height) of the 3D view, or of each of two.
    pub fn aspect(&self) -> f32 {
        self.views.map_or(4.0 / 3.0, |views| views.a().width() / views.a().height().max(1.0))
    }

    /// Passes an event to egui.
    pub fn take_event(&mut self, event: &winit::event::WindowEvent) {
        let response = self.input.on_window_event(&self.window, event);
        if response.repaint && !matches!(event, winit::event::WindowEvent::RedrawRequested) {
            self.times.input();
            self.repaint.request(Cause::Input, Instant::now());
        }
    }

    /// Passes a request of a screen reader to egui, which describes the panels to it from the first one on.
    pub fn take_access_event(&mut self, event: accesskit_winit::WindowEvent) {
        match event {
            accesskit_winit::WindowEvent::InitialTreeRequested => self.egui.enable_accesskit(),
            accesskit_winit::WindowEvent::ActionRequested(request) => self.input.on_accesskit_action_request(request),
            accesskit_winit::WindowEvent::AccessibilityDeactivated => self.egui.disable_accesskit(),
        }
        self.repaint.request(Cause::Input, Instant::now());
    }

    /// Lays out and draws a frame; returns the user's actions.
    pub fn draw(
        &mut self,
        event_loop: &ActiveEventLoop,
        state: &mut State,
        snapshot: &Snapshot,
        scenes: &[SceneEntry],
    ) -> Vec<Action> {
        let start = Instant::now();
        if self.gpu.is_lost() && !self.renew_device(event_loop, state) {
            return Vec::new();
        }
        let mut panels = self.repaint.begin(start);
        self.times.begin();
        let size: [u32; 2] = self.window.inner_size().into();
        self.surface.resize(&self.gpu, size);
        panels |= self.painter.size() != Some(self.surface.size());
        let range = snapshot.scene.as_ref().map(|scene| state.display.range(scene));
        state.display.follow_values(snapshot, snapshot.inspection.as_deref(), start);
        if snapshot.scene.as_ref().map(|scene| state.display.range(scene)) != range {
            // The legend shows it.
            self.repaint.request(Cause::News, start);
        }
        let (layout, actions) = panels.then(|| self.lay_out(event_loop, state, snapshot, scenes)).unzip();
        self.times.end(Stage::Layout, &self.gpu);
        let beyond = self.beyond_range();
        let drawing = Instant::now();
        self.step_clock.follow(snapshot, drawing);
        let moving = !snapshot.stands_still() && !snapshot.loading && snapshot.failure.is_none();
        let flows = self.draw_scene(state, snapshot, moving);
        self.wait();
        let mut spent = drawing.elapsed();
        self.times.end(Stage::Scene, &self.gpu);
        if self.beyond_range() != beyond {
            // The legend shows it.
            self.repaint.request(Cause::News, Instant::now());
        }
        let frame = if size.contains(&0) { None } else { self.surface.next_frame(&self.gpu, &self.window) };
        self.times.end(Stage::Present, &self.gpu);
        match (layout, &frame) {
            (Some(layout), Some(_)) => {
                let views: Vec<_> = self.areas().into_iter().flatten().map(|area| self.pixels(area)).collect();
                self.painter.paint(&self.gpu, layout, self.surface.size(), &views);
            }
            (Some(layout), None) => self.painter.skip(&self.gpu, layout),
            (None, _) => {}
        }
        self.times.end(Stage::Panels, &self.gpu);
        if let Some(frame) = frame {
            let composing = Instant::now();
            let view = self.surface.view(&frame);
            let sheets: Vec<_> = self.sheets().collect();
            self.painter.compose(&self.gpu, (&frame.texture, &view), &sheets);
            self.window.pre_present_notify();
            self.gpu.queue.present(frame);
            self.wait();
            spent += composing.elapsed();
        }
        if moving {
            self.resolution.drawn(spent);
        }
        self.times.end(Stage::Present, &self.gpu);
        self.repaint.drawn(start);
        if flows {
            self.repaint.request(Cause::Flow, Instant::now());
        }
        if self.gpu.is_lost() {
            self.repaint.request(Cause::Input, Instant::now());
        }
        let full = self.areas()[0].map_or([0, 0], |area| self.pixels(area).size);
        let drawn = self.picture.texture().map_or([0, 0], |texture| [texture.width(), texture.height()]);
        if let Some(line) = self.times.finish(panels, [drawn, full], snapshot) {
            eprintln!("{line}");
        }
        actions.unwrap_or_default()
    }

    /// Opens the graphics device again after it was lost, and makes anew what it held; false if there is none yet. The simulation does not
    /// notice.
    fn renew_device(&mut self, event_loop: &ActiveEventLoop, state: &mut State) -> bool {
        let size = self.window.inner_size().into();
        let opened = Gpu::with_surface(event_loop.owned_display_handle(), self.window.clone());
        let opened = opened.and_then(|(gpu, surface)| Ok((Surface::new(&gpu, surface, size)?, gpu)));
        let (surface, gpu) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                log::error!("graphics: {error}");
                let now = Instant::now();
                self.repaint.drawn(now);
                self.repaint.begin(now);
                self.repaint.request(Cause::Input, now + RENEWAL_INTERVAL);
                return false;
            }
        };
        self.painter = self.painter.renewed(&gpu, surface.format());
        (self.picture, self.grid_b) = (ScenePicture::new(&gpu), None);
        (self.repaint, self.resolution) = (Repaint::new(gpu.is_software()), Resolution::new(gpu.is_software()));
        self.adapter = gpu.description();
        self.input.set_max_texture_side(gpu.device.limits().max_texture_dimension_2d as usize);
        (self.surface, self.gpu) = (surface, gpu);
        state.display.usual_look = self.usual_look();
        let details = format!("It was reopened: {}. The simulation continued meanwhile.", self.adapter);
        state.notices.push(Notice::warning("The graphics device was lost", details));
        true
    }

    fn lay_out(
        &mut self,
        event_loop: &ActiveEventLoop,
        state: &mut State,
        snapshot: &Snapshot,
        scenes: &[SceneEntry],
    ) -> (Layout, Vec<Action>) {
        let range = snapshot.scene.as_ref().map_or([0.0, 1.0], |scene| state.display.range(scene));
        let model = Model {
            snapshot,
            scenes,
            range,
            beyond_range: self.beyond_range(),
            overlay: self.overlay_costs(state.comparing.side, snapshot),
            frames_per_second: self.repaint.frames_per_second(),
            adapter: &self.adapter,
        };
        let mut actions = Vec::new();
        let raw = self.input.take_egui_input(&self.window);
        let mut area = Rect::NOTHING;
        let output = self.egui.run_ui(raw, |ui| area = ui::root_ui(ui, state, &model, &mut actions));
        // Actions that begin or end a comparison are executed after the layout.
        let views = Views { area, divided: state.is_comparing() };
        self.views = Some(views).filter(|views| views.area.is_positive());
        self.input.handle_platform_output_with_event_loop(&self.window, event_loop, output.platform_output);
        for viewport in output.viewport_output.values() {
            // egui represents "never" by the longest delay there is.
            if let Some(when) = Instant::now().checked_add(viewport.repaint_delay)
                && viewport.repaint_delay < Duration::from_secs(3600)
            {
                self.repaint.request(Cause::Input, when);
            }
        }
        let pixels_per_point = output.pixels_per_point;
        let primitives = self.egui.tessellate(output.shapes, pixels_per_point);
        (Layout { primitives, textures: output.textures_delta, pixels_per_point }, actions)
    }

    /// Cost of the inspection of `side`'s grid, if there is one.
    fn overlay_costs(&self, side: Side, snapshot: &Snapshot) -> Option<OverlayCosts> {
        let picture = match side {
            Side::A => &self.picture,
            Side::B => self.grid_b.as_ref()?,
        };
        let inspection = side.inspection(snapshot).filter(|inspection| inspection.asked.is_of_grid());
        inspection.map(|inspection| picture.overlay_costs(inspection))
    }

    /// Waits for a software driver, which works on this processor: its time is part of the frame's. A GPU works beside it.
    fn wait(&self) {
        if self.gpu.is_software() {
            // A lost device is reported by its own handler.
            let _ = self.gpu.device.poll(wgpu::PollType::wait_indefinitely());
        }
    }

    /// Draws the 3D views; true if they show a moment before the latest state, which is still to be drawn.
    fn draw_scene(&mut self, state: &State, snapshot: &Snapshot, moving: bool) -> bool {
        let sizes = self.areas().map(|area| area.map(|area| self.pixels(area).size).filter(|size| !size.contains(&0)));
        let [own, second] = sizes.map(|size| size.map(|size| self.resolution.size(size, moving)));
        let moment = self.step_clock.moment(Instant::now()).filter(|_| moving && state.display.smooth);
        if let Some(size) = own {
            self.picture.update(&self.gpu, size, &PictureView::own(snapshot, state).at(moment));
        }
        if let (Some(grid_b), Some(size)) = (&snapshot.grid_b, second) {
            let picture = self.grid_b.get_or_insert_with(|| ScenePicture::new(&self.gpu));
            picture.update(&self.gpu, size, &PictureView::second(snapshot, grid_b, state).at(moment));
        }
        moment.is_some()
    }

    /// The pictures of the 3D views with their places in the window.
    fn sheets(&self) -> impl Iterator<Item = Sheet<'_>> {
        let pictures = [Some(&self.picture), self.grid_b.as_ref()].into_iter().zip(self.areas());
        pictures.filter_map(|(picture, area)| Some(Sheet { texture: picture?.texture()?, place: self.pixels(area?) }))
    }

    /// Areas of the simulation's picture and of grid B's, points.
    fn areas(&self) -> [Option<Rect>; 2] {
        [self.views.map(Views::a), self.views.and_then(Views::b)]
    }

    /// Place of a picture, pixels.
    fn pixels(&self, area: Rect) -> Area {
        let area = area * self.egui.pixels_per_point();
        let size = area.size().round();
        let corner = area.min.round();
        Area { corner: [corner.x as u32, corner.y as u32], size: [size.x as u32, size.y as u32] }
    }

    /// True if any picture has values below, and above, the range of the colours.
    fn beyond_range(&self) -> [bool; 2] {
        let [low, high] = self.picture.beyond_range();
        let shown = self.views.is_some_and(|views| views.divided);
        let grid_b = self.grid_b.as_ref().filter(|_| shown);
        let [low_b, high_b] = grid_b.map(ScenePicture::beyond_range).unwrap_or_default();
        [low || low_b, high || high_b]
    }

    /// Takes a picture of the 3D view: the simulation's, if two are compared. `None` without a scene or a view.
    pub fn take_picture(&mut self, state: &State, snapshot: &Snapshot, shot: Shot) -> Option<Result<Picture, ReadError>> {
        let scene = snapshot.scene.as_ref()?;
        let size = self.picture_size(shot.size)?;
        let aspect = size[0] as f32 / size[1] as f32;
        // What the view shows of a scene that is framed depends on its proportions.
        let camera = match state.display.framing {
            Framing::First => sph_render::first_camera(&scene.setup, scene.view.eye, scene.view.target, aspect),
            Framing::All => {
                let (min, max) = sph_render::scene_bounds(&scene.setup);
                let mut camera = state.display.camera;
                camera.reframe(min, max, aspect);
                camera
            }
            Framing::Free => state.display.camera,
        };
        let shown = PictureView::own(snapshot, state);
        let options = PictureOptions { transparent: shot.transparent, captions: shot.captions };
        self.picture.take(&self.gpu, (size, options), camera, &shown)
    }

    /// Size of a picture, pixels: the one asked for, else that of the 3D view; `None` before the first layout.
    pub fn picture_size(&self, size: Option<[u32; 2]>) -> Option<[u32; 2]> {
        let size = size.or_else(|| self.areas()[0].map(|area| self.pixels(area).size))?;
        Some(self.gpu.usable_size(size))
    }
}

/// Size of a new window that the smallest screen has room for, points.
fn first_size(event_loop: &ActiveEventLoop) -> LogicalSize<f64> {
    let screens = event_loop.available_monitors().map(|screen| screen.size().to_logical::<f64>(screen.scale_factor()));
    let screens = screens.filter(|size| size.width > 0.0 && size.height > 0.0);
    screens.fold(SIZE, |size, screen| LogicalSize::new(size.width.min(screen.width), size.height.min(screen.height)))
}
