//! Widgets shared by the panels: rows, icons, formatting, theme, legend of the particle colours, outline of the control that a
//! lesson points at. Independent of the panels.

mod rows;

pub mod format;
pub mod legend;
pub mod outline;
pub mod theme;

pub use format::parse;
pub use rows::{Field, NumberRow, ParameterRow, choice_ui, hint_ui, value_ui};

use std::f32::consts::TAU;

use super::Side;
use egui::{
    Align2, Atom, Button, Color32, Event, FontId, Id, IdSalt, InputState, Key, Painter, Pos2, Rect, RectAlign, Response, Sense,
    Shape, Stroke, Tooltip, Ui, Vec2, pos2, vec2,
};

// Icons of buttons, painted as shapes because the text fonts lack them.

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Triangle.
    Play,
    /// Two bars.
    Pause,
    /// Square.
    Stop,
    /// Triangle against a bar.
    Step,
    /// Bar against a triangle that points back.
    StepBack,
    /// Bar and two triangles that point back.
    Start,
    /// Two triangles and a bar.
    End,
    /// Circular arrow.
    Restart,
    /// Tick: on, or chosen.
    Tick,
}

/// Lays out a button of `size` points with an icon and a `name` for screen readers.
pub fn icon_button(ui: &mut Ui, icon: Icon, name: &str, size: Vec2) -> Response {
    let response = ui.add(Button::new("").min_size(size));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, ui.is_enabled(), name));
    let mut color = ui.style().interact(&response).fg_stroke.color;
    if !ui.is_enabled() {
        color = ui.visuals().disable(color);
    }
    let side = 0.55 * size.min_elem();
    icon.paint(ui.painter(), Rect::from_center_size(response.rect.center(), Vec2::splat(side)), color);
    response
}

/// Lays out a menu row with its keys. One that is on or off has a tick if on; others have the space of one, so that the rows of a menu
/// are aligned.
pub fn menu_row(ui: &mut Ui, on: Option<bool>, label: &str, keys: String) -> Response {
    let place = IdSalt::new("tick");
    let size = Vec2::splat(10.0);
    let button = Button::new((Atom::custom(place, size), label)).shortcut_text(keys).atom_ui(ui);
    if let Some(on) = on {
        button.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, ui.is_enabled(), on, label));
    }
    if let Some(rect) = button.rect(place).filter(|_| on == Some(true)) {
        let color = ui.style().interact(&button).fg_stroke.color;
        Icon::Tick.paint(ui.painter(), Rect::from_center_size(rect.center(), size), color);
    }
    button.response
}

/// Gives a row of a menu or list a tooltip beside it: below the row it would hide the next one.
pub fn tooltip_beside(row: Response, text: &str) -> Response {
    let mut tooltip = Tooltip::for_enabled(&row);
    tooltip.popup =
        tooltip.popup.align(RectAlign::RIGHT_START).align_alternatives(&[RectAlign::LEFT_START]).gap(2.0 * theme::SPACE);
    tooltip.show(|ui| ui.label(text));
    row
}

// Drop-down lists.

/// What the entries of a list know of each other in a frame.
#[derive(Clone, Copy, Debug, Default)]
struct ListFrame {
    number: u64,
    /// True if the list was not shown in the frame before.
    is_first: bool,
    /// Entry that had the keyboard focus at the start.
    focused: Option<Id>,
    /// True once that entry has been laid out.
    is_past_focused: bool,
    /// True once an entry that the typed letter begins has the focus, and true once one after the focused has it.
    found: [bool; 2],
}

/// Lays out an entry of a drop-down list, the `chosen` one or another. A click and Enter close the list. The arrow keys begin at the chosen entry;
/// Home, End and the first letter of an entry go to one as well.
pub fn list_entry_ui(ui: &mut Ui, chosen: bool, text: &str) -> Response {
    let entry = ui.selectable_label(chosen, text);
    let (place, number) = (ui.scope_id().with("list"), ui.ctx().cumulative_frame_nr());
    let before: Option<ListFrame> = ui.data_mut(|data| data.get_temp(place));
    let mut frame = before.filter(|before| before.number == number).unwrap_or_else(|| {
        let is_first = before.is_none_or(|before| before.number + 1 < number);
        let focused = ui.memory(|memory| memory.focused());
        ListFrame { number, is_first, focused, ..ListFrame::default() }
    });
    let (home, end, typed) = ui.input(|input| (input.key_pressed(Key::Home), input.key_pressed(Key::End), typed(input)));
    let begins = typed.is_some_and(|letters| text.to_lowercase().starts_with(&letters));
    let [found, found_after] = frame.found;
    let is_next = begins && (!found || frame.is_past_focused && !found_after);
    if chosen && frame.is_first || home && !found || end || is_next {
        entry.request_focus();
        entry.scroll_to_me(None);
        frame.found = [true, frame.is_past_focused];
    }
    frame.is_past_focused |= frame.focused == Some(entry.id);
    ui.data_mut(|data| data.insert_temp(place, frame));
    if entry.clicked() {
        ui.close();
    }
    entry
}

/// Letters that were typed in this frame, in lower case.
fn typed(input: &InputState) -> Option<String> {
    input.events.iter().find_map(|event| match event {
        Event::Text(text) if !text.trim().is_empty() => Some(text.to_lowercase()),
        _ => None,
    })
}

/// Lays out an entry of a drop-down list which makes `value` this `option`.
pub fn list_value_ui<T: PartialEq>(ui: &mut Ui, value: &mut T, option: T, text: &str) -> Response {
    let entry = list_entry_ui(ui, *value == option, text);
    if entry.clicked() {
        *value = option;
    }
    entry
}

impl Icon {
    /// Paints the icon into `square`.
    pub fn paint(self, painter: &Painter, square: Rect, color: Color32) {
        let place = |x: f32, y: f32| square.lerp_inside(vec2(x, y));
        let bar = |from: f32, to: f32| painter.rect_filled(Rect::from_min_max(place(from, 0.0), place(to, 1.0)), 1.0, color);
        let triangle = |from: f32, to: f32| {
            let corners = vec![place(from, 0.0), place(to, 0.5), place(from, 1.0)];
            painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
        };
        match self {
            Self::Play => triangle(0.1, 1.0),
            Self::Pause => {
                bar(0.12, 0.4);
                bar(0.6, 0.88);
            }
            Self::Stop => {
                painter.rect_filled(square.shrink(0.1 * square.width()), 1.0, color);
            }
            Self::Step => {
                triangle(0.0, 0.68);
                bar(0.76, 1.0);
            }
            Self::StepBack => {
                bar(0.0, 0.24);
                triangle(1.0, 0.32);
            }
            Self::Start => {
                bar(0.0, 0.2);
                triangle(0.6, 0.22);
                triangle(1.0, 0.62);
            }
            Self::End => {
                triangle(0.0, 0.38);
                triangle(0.4, 0.78);
                bar(0.8, 1.0);
            }
            Self::Restart => restart(painter, square, color),
            Self::Tick => {
                let points = vec![place(0.05, 0.55), place(0.38, 0.88), place(0.95, 0.15)];
                painter.add(Shape::line(points, Stroke::new((0.16 * square.width()).max(1.4), color)));
            }
        }
    }
}

/// Paints three quarters of a circle, counter-clockwise, with an arrow head.
fn restart(painter: &Painter, square: Rect, color: Color32) {
    let center = square.center();
    let radius = 0.42 * square.width();
    let on_circle = |turn: f32| -> Pos2 { center + radius * Vec2::angled(TAU * turn) };
    // Screen angles run clockwise: from the upper left over the top, right and bottom to the left.
    let arc: Vec<Pos2> = (0..=24).map(|step| on_circle(-0.36 + 0.78 * step as f32 / 24.0)).collect();
    let tip = arc[0];
    let width = (0.13 * square.width()).max(1.2);
    painter.add(Shape::line(arc, Stroke::new(width, color)));
    let reach = 0.36 * square.width();
    let head = vec![
        tip + vec2(-0.55 * reach, -0.75 * reach),
        tip + vec2(0.75 * reach, 0.15 * reach),
        pos2(tip.x - 0.6 * reach, tip.y + 0.55 * reach),
    ];
    painter.add(Shape::convex_polygon(head, color, Stroke::NONE));
}

/// Lays out a part of a panel: greyed while there is a `reason` why it has no effect, which is its tooltip then.
pub fn greyed_ui<R>(ui: &mut Ui, reason: Option<&str>, part: impl FnOnce(&mut Ui) -> R) -> R {
    let laid_out = ui.add_enabled_ui(reason.is_none(), part);
    if let Some(reason) = reason {
        let Response { rect, id, .. } = laid_out.response;
        ui.interact(rect, id.with("reason"), Sense::hover()).on_hover_text(reason);
    }
    laid_out.inner
}

/// Lays out the letter of a side on its colour.
pub fn badge_ui(ui: &mut Ui, side: Side, size: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(size, size), Sense::hover());
    ui.painter().rect_filled(rect, 4.0, theme::of(ui).side(side));
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        side.name(),
        FontId::proportional(0.72 * size),
        theme::of(ui).background,
    );
}
