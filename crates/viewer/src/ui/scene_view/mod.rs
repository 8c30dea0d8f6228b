//! 3D view: camera control, picking, status line; over it the choice of the look, the tools and the notices, below it the bar of playback.
//! The overlays of the grid are in `inspector`.

mod follow;
mod free;
mod notices;
mod playback;
mod tools;

pub mod looks;

pub use looks::{Aids, aids_ui};
pub use notices::{Notices, cards_ui};
pub use playback::{PlaybackView, playback_ui};
pub use tools::{Tool, Tools};

use super::point_search::Noun;
use super::point_search::has_fluid;
use super::widgets::{format, legend};
use super::{Action, Display, Framing, Model, Side, State, Views, compare, inspector, theme};
use crate::command::Command;
use crate::session::{Goal, Notice, Queried, Snapshot, Timeline};
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, Event, FontId, MouseWheelUnit, PointerButton, Pos2, Rect, Response, Role, Sense, TextFormat, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};
use glam::Vec2;
use notices::badges_ui;
use sph_core::neighbors::OccupiedCell;
use sph_core::point_sets::PointId;
use sph_io::Scene;
use sph_render::camera::Ray;
use sph_render::{DrawnLook, Slab, grid_boxes, picking};

/// Height of the status line with the space around it, points.
const STATUS_HEIGHT: f32 = 40.0;

/// Least height of a view with a legend in one line, points.
const LEAST_FOR_LINE: f32 = 160.0;

/// Scroll distance of a touchpad that equals one notch of a wheel, points.
const POINTS_PER_NOTCH: f32 = 50.0;

/// Share of the height of a view without a scene in which messages are.
const SHARE_OF_MESSAGES: f32 = 0.62;

/// The 3D view on the screen, points.
#[derive(Clone, Copy, Debug)]
pub struct SceneArea {
    /// The whole view.
    pub view: Rect,
    /// Place of the sign of a film, clear of the controls over the view; and of messages, where none is below it.
    pub cards: Rect,
    /// Panel at the lower edge of the window, over which messages hide no fluid.
    pub below: Option<Rect>,
}

/// Lays out the 3D view in the remaining area of the window. Returns where it is.
pub fn scene_view_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> SceneArea {
    // The remaining size is negative in a window narrower than its panels.
    let size = ui.available_size().max(egui::Vec2::ZERO);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let whole = SceneArea { view: rect, cards: rect.shrink(theme::SPACE), below: None };
    if rect.width() < 1.0 || rect.height() < 1.0 {
        return whole;
    }
    if model.snapshot.scene.is_none() {
        ui.painter().rect_filled(rect, 0.0, theme::of(ui).background);
        if state.notices.0.is_empty() {
            empty_ui(ui, rect, model, actions);
            return whole;
        }
        // What went wrong is in the middle, above the ways on.
        let (upper, lower) = rect.split_top_bottom_at_fraction(SHARE_OF_MESSAGES);
        empty_ui(ui, lower, model, actions);
        let width = (rect.width() - 2.0 * theme::SPACE).min(notices::MOST_WIDTH_LAID_OUT);
        let cards = Rect::from_center_size(upper.center(), vec2(width, upper.height() - 2.0 * theme::SPACE));
        return SceneArea { cards, ..whole };
    }
    let views = Views { area: rect, divided: state.is_comparing() };
    compare::divider_ui(ui, views);
    let before = state.display.camera;
    // Both pictures share one camera.
    let view =
        response.interact_pointer_pos().or(response.hover_pos()).map_or(views.a(), |position| views.of(views.at(position)));
    let is_tools = tools::use_tool(ui, &response, view, state, model, actions);
    let is_box = !is_tools && follow::drag_box(ui, &response, views, state, model.snapshot);
    if !is_box {
        move_camera(ui, &response, view, state, is_tools);
    }
    if state.display.camera != before {
        state.display.framing = Framing::Free;
    }
    if response.double_clicked() && !is_tools {
        actions.push(Action::Command(Command::FrameAll));
    }
    if !is_tools {
        pick(&response, views, state, model);
    }
    // Cells that a drag shows for a while: in a comparison their legend takes the place of that of the colours, which would move away for it.
    let is_passing = views.divided && state.view.draws_cells() && !state.view.cells;
    // Below the summaries of compared grids.
    let (legend_area, top) = if views.divided {
        (compare::legend_area(views, state.view.cells), compare::below_summaries(views))
    } else {
        (rect, rect.top())
    };
    let drawn = model
        .snapshot
        .scene
        .as_ref()
        .map(|scene| state.drawn_look(scene, state.comparing.side.inspection(model.snapshot), false));
    let drawn = drawn.unwrap_or(DrawnLook { look: state.display.look, reason: None });
    let has_colors = state.display.has_colors(drawn.look, model.snapshot)
        && !is_passing
        && (views.divided || !is_all_grey(state, model.snapshot));
    let has_legend = has_colors && legend::fits(legend_area);
    if has_legend && let Some(refusal) = legend::legend_ui(ui, legend_area, &mut state.display, model) {
        state.notices.push(refusal);
    }
    let mut line = if views.divided {
        compare::legend_line_area(views).map(|line| beside_badges(line, ui, state, model.snapshot))
    } else {
        legend_line(rect)
    };
    // Where one line has room, it is that of the cells, which cover the colours.
    let has_two_lines = line.is_none_or(|line| line.top() - legend::LINE_HEIGHT - 4.0 > top);
    let has_line = has_colors && !has_legend && (has_two_lines || !state.view.draws_cells());
    let mut lines = 0.0;
    if let Some(place) = line.as_mut().filter(|place| has_line && legend::fits_in_line(**place)) {
        legend::line_ui(ui, *place, state.display.color, &state.display.scale, model);
        lines += legend::LINE_HEIGHT + 4.0;
        // That of the cells goes above it.
        *place = place.translate(vec2(0.0, -legend::LINE_HEIGHT - 4.0));
    }
    let line = line.filter(|line| line.top() > top);
    let below = if has_legend { legend::SIZE.y + theme::SPACE } else { 0.0 };
    if inspector::cell_legend_ui(ui, (legend_area, below), line, state, model) {
        lines += legend::LINE_HEIGHT + 4.0;
    }
    let room = tools::PaletteRoom {
        view: Rect::from_min_max(pos2(rect.left(), top), views.a().max),
        // Compared grids have the legend below.
        beside: if views.divided { 0.0 } else { legend::SIZE.x + theme::SPACE },
        // A column would leave less room for the fluid in one picture than in the other.
        has_columns: !views.divided,
    };
    tools::follow_pour(state, model);
    let palette = tools::palette_ui(ui, room, &mut state.tools, actions);
    state.display.panes = free::panes(views, palette.tools);
    let palette = palette.whole;
    let scale = looks::arrow_scale_ui(ui, (legend_area, below, palette), views.a().height(), state, model.snapshot);
    if !state.dock.has_room("query") {
        let particle = selected_place(views, state, model.snapshot);
        let mut room = if palette.width() > palette.height() {
            Rect::from_min_max(pos2(rect.left(), palette.bottom()), rect.max)
        } else {
            Rect::from_min_max(pos2(palette.right(), top), rect.max)
        };
        if has_legend && !views.divided {
            let cells = if state.view.draws_cells() { inspector::CELL_LEGEND_HEIGHT + theme::SPACE } else { 0.0 };
            let arrows = scale.map_or(room.min.y, |scale| scale.bottom());
            room.min.y = room.min.y.max(legend::place(legend_area).bottom() + cells).max(arrows);
        }
        let badges = notices::badges_height(ui, state, model.snapshot);
        let bottom = rect.bottom() - STATUS_HEIGHT - badges;
        let above_badges = if views.divided { 0.0 } else { badges };
        room.max.y = line.filter(|_| views.divided || !has_legend).map_or(bottom, |line| line.top() - above_badges);
        inspector::query_line_ui(ui, room, particle, state, model.snapshot);
    }
    compare::compare_ui(ui, views, model.snapshot);
    follow::marks_ui(ui, views.a(), state, model.snapshot);
    notices::mark_ui(ui, views.a(), &state.display.camera, model.snapshot);
    // Badges come and go: the lines of legends are below them, and stay where they are.
    let above = if views.divided { compare::VERDICT_HEIGHT + theme::SPACE } else { lines };
    badges_ui(ui, Rect::from_min_max(rect.min, rect.max - vec2(0.0, above)), state, model.snapshot);
    status_ui(ui, rect, model.snapshot);
    if let Some(refusal) = looks::looks_ui(ui, rect, (&mut state.display, drawn), model) {
        state.notices.push(refusal);
    }
    let legend = has_legend.then(|| legend::place(legend_area));
    SceneArea { view: rect, cards: notices::cards_area(rect, palette, legend.filter(|_| !views.divided)), below: None }
}

/// True if a query leaves no colours of the quantity: the fluid beside it is grey, or the points are, and the others have colours of their own.
fn is_all_grey(state: &State, snapshot: &Snapshot) -> bool {
    let inspection = state.comparing.side.inspection(snapshot);
    let colors_points =
        |scene: &Scene| sph_color::colors_any_points(state.display.color, state.display.aids.points, &scene.setup);
    let is_of_points = matches!(state.view.selected, Some(Queried::Point(_)));
    inspection.is_some_and(|inspection| inspection.query_of(state.view.selected).is_some())
        && (is_of_points && !has_fluid(snapshot) || !snapshot.scene.as_deref().is_some_and(colors_points))
}

/// Place of a legend in one line: above the status line of a single view at `rect`; `None` in a low one.
fn legend_line(rect: Rect) -> Option<Rect> {
    let bottom = rect.bottom() - STATUS_HEIGHT - 4.0;
    let size = vec2(rect.width() - 2.0 * theme::SPACE, legend::LINE_HEIGHT);
    let line = Rect::from_min_size(pos2(rect.left() + theme::SPACE, bottom - size.y), size);
    (rect.height() >= LEAST_FOR_LINE).then_some(line)
}

/// The part of `line`, of compared views, that the badges leave free: beside them, or above them if that is too narrow.
fn beside_badges(line: Rect, ui: &Ui, state: &State, snapshot: &Snapshot) -> Rect {
    let width = notices::badges_width(ui, state, snapshot);
    let beside = Rect { min: pos2(line.left() + width + theme::SPACE, line.top()), ..line };
    match width {
        0.0 => line,
        _ if legend::fits_in_line(beside) => beside,
        _ => line.translate(vec2(0.0, -notices::badges_height(ui, state, snapshot))),
    }
}

/// Place of the selected particle or point on the screen; `None` if there is none, or it is behind the camera.
fn selected_place(views: Views, state: &State, snapshot: &Snapshot) -> Option<Pos2> {
    let side = state.comparing.side;
    let (view, particles) = (views.of(side), side.particles(snapshot));
    let position = match state.view.selected? {
        Queried::Particle(id) => *particles.positions.get(particles.ids.iter().position(|&other| other == id)?)?,
        Queried::Point(point) => {
            let (set, index) = side.sets(snapshot).point(point)?;
            set.positions[index]
        }
    };
    let place = state.display.camera.project(position, view.aspect_ratio())?;
    Some(view.center() + 0.5 * view.size() * vec2(place.x, -place.y))
}

/// Moves the camera: left button rotates, unless it is a tool's; right or middle button, or Shift, pans; wheel and pinch zoom, or with Ctrl set
/// the radius of the tool.
fn move_camera(ui: &Ui, response: &Response, view: Rect, state: &mut State, is_tools: bool) {
    let State { display: Display { camera, .. }, tools, .. } = state;
    let delta = response.drag_delta();
    let delta = Vec2::new(delta.x, delta.y);
    let shift = ui.input(|input| input.modifiers.shift);
    if delta != Vec2::ZERO {
        if response.dragged_by(PointerButton::Primary) && (is_tools || !shift) {
            if !is_tools {
                camera.orbit(delta);
            }
        } else if response.dragged() {
            camera.pan(delta, view.height());
        }
    }
    if let Some(position) = response.hover_pos() {
        let notches = ui.input(|input| input.events.iter().map(notches).sum::<f32>());
        if notches != 0.0 && tools.tool.has_radius() && ui.input(|input| input.modifiers.command) {
            let [low, high] = Tools::RADII;
            tools.radius = (tools.radius * 1.1_f32.powf(notches)).clamp(low, high);
        } else if notches != 0.0 {
            let position = (position - view.center()) / (0.5 * view.size());
            camera.zoom_at(notches, Vec2::new(position.x, -position.y), view.aspect_ratio());
        }
    }
}

/// The ball or vertex that a click on `ray` selects, and the first set of its search: the first one of the search that is shown, through fluid;
/// where that is the fluid's, any that comes before the particle, at the distance `particle` (m).
fn point_under(
    ray: Ray,
    particle: Option<f32>,
    slab: Option<Slab>,
    (side, state): (Side, &State),
    (scene, snapshot): (&Scene, &Snapshot),
) -> Option<(PointId, usize)> {
    let source = scene.setup.points.as_ref()?.source();
    let searched = state.point_search.chosen.map(|set| source.searched_with(set));
    let may_be = |set: usize| searched.as_ref().is_none_or(|sets| sets.contains(&set));
    let (point, entered) = side.sets(snapshot).point_at(ray, slab, |set, _, _| may_be(set))?;
    let is_first = searched.is_some() || particle.is_none_or(|particle| entered < particle);
    is_first.then(|| (point, source.searched_with(point.set).start))
}

/// Picks with the pointer: a click selects the particle, ball or vertex under it, or none, and the side of the picture; hovering over a cell
/// highlights its bucket. With Ctrl held, the particle is followed in the plots.
fn pick(response: &Response, views: Views, state: &mut State, model: &Model<'_>) {
    let Some(position) = response.hover_pos() else { return };
    let Some(scene) = &model.snapshot.scene else { return };
    let side = views.at(position);
    if response.clicked() {
        state.comparing.side = side;
    }
    let rect = views.of(side);
    let position = (position - rect.center()) / (0.5 * rect.size());
    let ray = state.display.camera.ray(Vec2::new(position.x, -position.y), rect.aspect_ratio());
    // Hovered buckets belong to the side that the panels edit.
    let inspection = state.comparing.side.inspection(model.snapshot);
    let contents = inspection.and_then(|inspection| inspection.contents.as_ref());
    let discretization = &scene.setup.discretization;
    if response.clicked() {
        let particles = side.particles(model.snapshot);
        let slab = follow::shown_slab(state, model.snapshot);
        let shown = |index: usize| slab.as_ref().is_none_or(|slab| slab.contains(particles.positions[index]));
        let radius = 0.5 * discretization.particle_spacing;
        let hit = picking::particle_at(&particles.positions, radius, ray, shown);
        let particle = hit.map(|index| particles.ids[index]);
        if response.ctx.input(|input| input.modifiers.command) {
            if let Some(id) = particle {
                follow::toggle(id, state);
            } else if point_under(ray, None, slab, (side, state), (scene, model.snapshot)).is_some() {
                let details = "A probe of the kind `point` in the scene's file reads a vertex or a ball.".to_owned();
                state.notices.push(Notice { details, ..Notice::info("Only particles of fluid can be followed") });
            }
        } else {
            let entered = hit.and_then(|index| picking::sphere_entry(particles.positions[index], radius, ray));
            let point = point_under(ray, entered, slab, (side, state), (scene, model.snapshot));
            state.show_query_of(
                point
                    .map(|(point, search)| (Queried::Point(point), Some(search)))
                    .or(particle.map(|id| (Queried::Particle(id), None))),
            );
        }
    }
    let drawn = state.view.cells && state.view.selected.is_none() && side == state.comparing.side;
    let Some(contents) = contents.filter(|_| drawn && response.contains_pointer()) else {
        return;
    };
    let slice = state.view.slice(contents.cell_size);
    let shown: Vec<_> = contents.cells.iter().filter(|cell| slice.is_none_or(|slice| slice.contains(cell.cell))).collect();
    let bounds = |cell: &&OccupiedCell| grid_boxes::cell_bounds(cell.cell, contents.cell_size, discretization.dimensions);
    if let Some(index) = picking::box_at(shown.iter().map(bounds), ray) {
        let cell = shown[index];
        let noun = Noun::of(model.snapshot, inspection.and_then(|inspection| inspection.asked.set));
        state.view.pointed = Some(cell.bucket);
        response.clone().on_hover_text_at_pointer(inspector::describe_cell(cell, noun));
    }
}

/// Wheel notches of an event. Read from the events, because egui smooths scrolling over several frames, which takes long at the
/// low frame rate of a software driver.
fn notches(event: &Event) -> f32 {
    match event {
        Event::MouseWheel { unit: MouseWheelUnit::Point, delta, .. } => delta.y / POINTS_PER_NOTCH,
        Event::MouseWheel { unit: MouseWheelUnit::Line, delta, .. } => delta.y,
        Event::MouseWheel { unit: MouseWheelUnit::Page, delta, .. } => 10.0 * delta.y,
        Event::Zoom(factor) => 8.0 * factor.ln(),
        _ => 0.0,
    }
}

/// Lays out the view without a scene: a message, or buttons to open a scene.
fn empty_ui(ui: &mut Ui, rect: Rect, model: &Model<'_>, actions: &mut Vec<Action>) {
    if model.snapshot.loading || model.snapshot.threads == 0 {
        ui.painter().text(
            rect.center(),
            Align2::CENTER_CENTER,
            "Loading the scene…",
            FontId::proportional(15.0),
            theme::of(ui).text_quiet,
        );
        return;
    }
    let column = Rect::from_center_size(rect.center(), vec2(rect.width().min(280.0), rect.height().min(320.0)));
    ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
        ui.vertical_centered_justified(|ui| {
            ui.heading("No scene is open");
            ui.add_space(theme::SPACE);
            for command in [Command::ToggleGallery, Command::Open, Command::Reload] {
                if ui.button(command.label()).on_hover_text(command.tooltip()).clicked() {
                    actions.push(Action::Command(command));
                }
            }
        });
    });
}

/// Paints the status line at the lower edge of the 3D view at `rect`: as much of it as there is room for beside the looks.
fn status_ui(ui: &Ui, rect: Rect, snapshot: &Snapshot) {
    let (state, color) = match snapshot {
        snapshot if snapshot.loading => ("Loading…   ".to_owned(), theme::of(ui).accent),
        snapshot if snapshot.failure.is_some() => ("Stopped   ".to_owned(), theme::of(ui).error),
        Snapshot { timeline: Timeline { goal: Some(goal), .. }, .. } => (way_text(*goal), theme::of(ui).accent),
        snapshot if snapshot.paused => ("Paused   ".to_owned(), theme::of(ui).warning),
        _ => (String::new(), theme::of(ui).text),
    };
    let room = (rect.width() - looks::width(rect) - 4.0 * theme::SPACE).max(0.0);
    let lay_out = |text: &str, wrap: TextWrapping| {
        let format = |color: Color32| TextFormat { font_id: FontId::monospace(12.0), color, ..TextFormat::default() };
        let mut job = LayoutJob::single_section(state.clone(), format(color));
        job.append(text, 0.0, format(theme::of(ui).text));
        job.wrap = wrap;
        ui.painter().layout_job(job)
    };
    let texts = texts(snapshot);
    let fits = |text: &&String| lay_out(text, TextWrapping::no_max_width()).size().x <= room;
    let text = texts.iter().find(fits).unwrap_or(&texts[texts.len() - 1]);
    let galley = lay_out(text, TextWrapping::truncate_at_width(room));
    let margin = vec2(theme::SPACE, 0.5 * theme::SPACE);
    let corner = rect.left_bottom() + vec2(theme::SPACE, -theme::SPACE - galley.size().y - 2.0 * margin.y);
    let frame = Rect::from_min_size(corner, galley.size() + 2.0 * margin);
    // A click on it is none on the fluid behind it.
    let plate = ui.interact(frame, ui.scope_id().with("status"), Sense::CLICK | Sense::DRAG);
    plate.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{state}{text}")));
    ui.painter().rect_filled(frame, 6.0, theme::of(ui).background.gamma_multiply(0.85));
    ui.painter().galley(corner + margin, galley, theme::of(ui).text);
}

/// Text of the status line on the way to `goal`.
fn way_text(goal: Goal) -> String {
    match goal {
        Goal::Time(time) => {
            let is_short = (100.0 * time - (100.0 * time).round()).abs() < 1e-6;
            format!("Running to {time:.*} s   ", if is_short { 2 } else { 4 })
        }
        Goal::Steps(steps) => format!("Going to step {}   ", format::count(steps)),
    }
}

/// Text of the status line after the state, and shorter ones: the limit of the time step goes first, then the step, the time, the bodies, the counts.
fn texts(snapshot: &Snapshot) -> Vec<String> {
    let bodies = snapshot.scene.as_ref().map_or(0, |scene| scene.setup.bodies.len()) + snapshot.dropped.len();
    let counted: Vec<String> =
        snapshot.counts_by_kind().map(|(count, kind)| format!("{} {kind}", format::count(count as u64))).collect();
    let counted = counted.join("   ");
    let mut texts = vec![counted];
    if bodies > 0 {
        texts.push(format!("{}   {bodies} {}", texts[0], if bodies == 1 { "body" } else { "bodies" }));
    }
    texts.push(format!("{}   t {:.3} s", texts[texts.len() - 1], snapshot.time));
    if let Some(stats) = &snapshot.stats {
        let with_step = format!("{}   dt {}", texts[texts.len() - 1], format::seconds(f64::from(stats.dt)));
        let with_limit = format!("{with_step} ({})", stats.dt_limit.label());
        texts.extend([with_step, with_limit]);
    }
    texts.reverse();
    // In a very narrow view, the state alone.
    texts.push(String::new());
    texts
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use sph_core::{DroppedBody, DroppedShape, Setup};

    #[test]
    fn bodies_are_counted_where_there_are_any() {
        let body = "[[bodies]]\nmin = [1.2, 0, 0]\nmax = [1.4, 0.2, 0.2]\n";
        let scene = |bodies: usize| {
            let text = format!(
                "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n{}",
                body.repeat(bodies)
            );
            Some(Arc::new(sph_io::parse(&text, "bodies", &[]).expect("the scene is valid")))
        };
        let dropped = |scene: &Setup| DroppedBody {
            center: scene.bodies[0].min,
            size: 0.2,
            shape: DroppedShape::Box,
            density: 1.0,
            velocity: glam::Vec3::ZERO,
        };
        let mut snapshot = Snapshot { scene: scene(0), time: 1.5, ..Snapshot::default() };
        assert_eq!(texts(&snapshot)[0], "0 particles   t 1.500 s");
        snapshot.scene = scene(1);
        assert_eq!(texts(&snapshot)[0], "0 particles   1 body   t 1.500 s");
        let setup = &snapshot.scene.as_ref().expect("a scene").setup;
        snapshot.dropped = vec![dropped(setup), dropped(setup)];
        assert_eq!(texts(&snapshot), ["0 particles   3 bodies   t 1.500 s", "0 particles   3 bodies", "0 particles", ""]);
    }
}
