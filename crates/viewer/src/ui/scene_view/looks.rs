//! Choice of the fluid's look, over the lower right corner of the 3D view and in the View menu; aids to see inside the fluid; the scale of
//! the velocity arrows.

use crate::command::Command;
use crate::session::{Notice, Snapshot};
use crate::ui::inspector::CELL_LEGEND_HEIGHT;
use crate::ui::widgets::{NumberRow, choice_ui, format, hint_ui, legend};
use crate::ui::{Display, Model, State, theme};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align, FontId, Frame, Layout, Margin, PopupCloseBehavior, Rect, RichText, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo,
    pos2, vec2,
};
use sph_core::Dimensions;
use sph_core::parameters::Choice as _;
use sph_io::{ClipPlane, Look, PointColors, Scene, SolidStyle, View};
use sph_render::{DrawnLook, NO_WATER, ReferenceArrow, scene_bounds};

/// Looks of the window; [`Look::Surface`] is for pictures without one.
pub const LOOKS: [Look; 3] = [Look::Water, Look::Spheres, Look::Points];

/// Height of the choice, points.
pub(in crate::ui) const HEIGHT: f32 = 34.0;

/// Size of the choice, points, and the width of a view that has room for it beside the status line.
const SIZE: egui::Vec2 = vec2(208.0, HEIGHT);
const LEAST_WIDTH: f32 = 620.0;

/// Width of the button that a narrow view has instead, and least height of a view with either, points.
const BUTTON_WIDTH: f32 = 64.0;
const LEAST_HEIGHT: f32 = 80.0;

/// Look in which `scene` opens, where `usual` is that of scenes that name none.
pub fn first_look(scene: &Scene, usual: Look) -> Look {
    match (scene.view.look.unwrap_or(usual), scene.setup.discretization.dimensions) {
        (Look::Water | Look::Surface, Dimensions::Two) => Look::Spheres,
        (Look::Surface, Dimensions::Three) => Look::Water,
        (look, _) => look,
    }
}

/// Width of the choice in the 3D view at `area`, points.
pub(super) fn width(area: Rect) -> f32 {
    match area.width() {
        _ if area.height() < LEAST_HEIGHT => 0.0,
        width if width >= LEAST_WIDTH => SIZE.x,
        width if width >= 2.0 * BUTTON_WIDTH => BUTTON_WIDTH,
        _ => 0.0,
    }
}

/// Lays out the choice in the lower right corner of `area`: in a narrow view as a menu, which has the colours too.
///
/// Above it stands why spheres are drawn, where `drawn` has a reason.
///
/// Returns what there is to say about ends of the colours' range that were typed.
pub(super) fn looks_ui(
    ui: &mut Ui,
    area: Rect,
    (display, drawn): (&mut Display, DrawnLook),
    model: &Model<'_>,
) -> Option<Notice> {
    let size = vec2(width(area), SIZE.y);
    if size.x == 0.0 {
        return None;
    }
    let mut refusal = None;
    let rect = Rect::from_min_size(area.right_bottom() - size - vec2(theme::SPACE, theme::SPACE), size);
    // A click on the plate, or on a look that is not possible, is none on the fluid behind it.
    ui.interact(rect, ui.scope_id().with("looks"), Sense::CLICK | Sense::DRAG);
    ui.scope_builder(UiBuilder::new().max_rect(rect).layout(Layout::right_to_left(Align::Max)), |ui| {
        let frame =
            Frame::new().fill(theme::of(ui).background.gamma_multiply(0.85)).corner_radius(6).inner_margin(Margin::same(4));
        frame.show(ui, |ui| {
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                if size == SIZE {
                    choices_ui(ui, &mut display.look, model);
                } else {
                    let stays_open = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
                    let menu = MenuButton::new("Look…").config(stays_open);
                    refusal = menu.ui(ui, |ui| menu_ui(ui, display, model)).1.and_then(|shown| shown.inner);
                }
            });
        });
    });
    if let Some(reason) = drawn.reason {
        let text = format!("Drawn as {}. {reason}", drawn.look.label().to_lowercase());
        let colors = theme::of(ui);
        let galley = ui.painter().layout_no_wrap(text, FontId::proportional(12.0), colors.text);
        let plate = galley.size() + vec2(2.0 * theme::SPACE, theme::SPACE);
        let plate = Rect::from_min_size(pos2(rect.right() - plate.x, rect.top() - plate.y - 4.0), plate);
        ui.painter().rect_filled(plate, 6.0, colors.background.gamma_multiply(0.85));
        ui.painter().galley(plate.center() - 0.5 * galley.size(), galley, colors.text);
    }
    refusal
}

/// Lays out the looks, the quantities, and the range of the colours. Returns what there is to say about ends that were typed.
fn menu_ui(ui: &mut Ui, display: &mut Display, model: &Model<'_>) -> Option<Notice> {
    ui.set_max_width(190.0);
    choices_ui(ui, &mut display.look, model);
    ui.separator();
    ui.menu_button("Colour", |ui| {
        for field in legend::offered(model) {
            if ui.selectable_label(display.color == field, sph_color::label(field)).clicked() {
                display.choose_color(field, model.snapshot);
            }
        }
    });
    if sph_color::is_category(display.color) {
        return None;
    }
    legend::range_ui(ui, display.color, &mut display.scale, model)
}

/// True if the fluid of `snapshot` can have this look.
pub fn is_possible(look: Look, snapshot: &Snapshot) -> bool {
    let dimensions = snapshot.scene.as_ref().map(|scene| scene.setup.discretization.dimensions);
    !(look == Look::Water && dimensions == Some(Dimensions::Two))
}

/// Lays out the looks one beside or below the other, as the layout of `ui` goes.
pub fn choices_ui(ui: &mut Ui, chosen: &mut Look, model: &Model<'_>) {
    for look in LOOKS {
        let button = ui.add_enabled_ui(is_possible(look, model.snapshot), |ui| {
            ui.selectable_label(*chosen == look, RichText::new(look.label()))
        });
        let button = button.inner.on_hover_text(look.option().documentation);
        if button.on_disabled_hover_text(NO_WATER).clicked() {
            *chosen = look;
        }
    }
}

// Aids to see inside the fluid: a clip plane, and arrows of velocity.

/// Clip plane and arrows, as chosen in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aids {
    /// True to clip.
    pub clips: bool,
    /// The plane.
    pub plane: ClipPlane,
    /// True to draw velocities as arrows.
    pub arrows: bool,
    /// Style of the walls.
    pub walls: SolidStyle,
    /// Style in which hidden walls are shown again.
    shown_walls: SolidStyle,
    /// Style of the bodies; `None` for the one that suits the look of the fluid.
    pub bodies: Option<SolidStyle>,
    /// Colours of cloth and balls; `None` for what suits the quantity.
    pub points: Option<PointColors>,
}

impl Default for Aids {
    fn default() -> Self {
        Self {
            clips: false,
            plane: ClipPlane { axis: 2, position: 0.0, flipped: false },
            arrows: false,
            walls: SolidStyle::Wireframe,
            shown_walls: SolidStyle::Wireframe,
            bodies: None,
            points: None,
        }
    }
}

impl Aids {
    /// What another scene asks for; a plane that it does not have lies in its middle.
    pub fn enter(&mut self, scene: &Scene) {
        let View { clip, arrows, walls, bodies, point_colors, .. } = scene.view;
        *self = Self {
            clips: clip.is_some(),
            plane: clip.unwrap_or(self.plane),
            arrows,
            walls: walls.unwrap_or(SolidStyle::Wireframe),
            shown_walls: SolidStyle::Wireframe,
            bodies,
            points: point_colors,
        };
        if clip.is_some() {
            return;
        }
        let (min, max) = scene_bounds(&scene.setup);
        if scene.setup.discretization.dimensions == Dimensions::Two {
            self.plane.axis = self.plane.axis.min(1);
        }
        self.plane.position = 0.5 * (min + max)[self.plane.axis];
    }

    /// Hides the walls, or shows them as they were before.
    pub fn toggle_walls(&mut self) {
        if self.walls == SolidStyle::Hidden {
            self.walls = self.shown_walls;
        } else {
            self.shown_walls = std::mem::replace(&mut self.walls, SolidStyle::Hidden);
        }
    }

    /// The clip plane, if it is on.
    pub fn clip(&self) -> Option<ClipPlane> {
        self.clips.then_some(self.plane)
    }
}

/// Lays out the switches of the clip plane and of the arrows, and the styles of walls and bodies.
pub fn aids_ui(ui: &mut Ui, display: &mut Display, model: &Model<'_>) {
    let Some(scene) = &model.snapshot.scene else {
        hint_ui(ui, "No scene is open.");
        return;
    };
    switch_ui(ui, &mut display.smooth, Command::ToggleSmooth);
    let aids = &mut display.aids;
    switch_ui(ui, &mut aids.arrows, Command::ToggleArrows);
    switch_ui(ui, &mut aids.clips, Command::ToggleClip);
    if aids.clips {
        plane_ui(ui, &mut aids.plane, scene);
    }
    let styles = SolidStyle::ALL.map(|style| (style, style.option().label));
    if aids.walls != SolidStyle::Hidden {
        aids.shown_walls = aids.walls;
    }
    choice_ui(ui, "Walls", "Style of the walls. T hides or shows them.", &mut aids.walls, &styles);
    let has_bodies = !scene.setup.bodies.is_empty() || !model.snapshot.dropped.is_empty();
    if has_bodies && scene.setup.discretization.dimensions == Dimensions::Three {
        let usual = [(None, "Automatic")].into_iter();
        let styles: Vec<_> = usual.chain(styles.map(|(style, label)| (Some(style), label))).collect();
        let tooltip = "Style of the bodies. Automatic: shaded, or as particles in a slice of the grid.";
        choice_ui(ui, "Bodies", tooltip, &mut aids.bodies, &styles);
    }
    if scene.setup.points.is_some() {
        let usual = [(None, "Automatic")].into_iter();
        let choices: Vec<_> = usual.chain(PointColors::ALL.map(|colors| (Some(colors), colors.option().label))).collect();
        let tooltip =
            "Colours of cloth and balls. Automatic: the quantity of the legend, but for the speed their own, if they have any.";
        choice_ui(ui, "Cloth and balls", tooltip, &mut aids.points, &choices);
    }
}

/// Lays out a switch that a command throws too.
fn switch_ui(ui: &mut Ui, is_on: &mut bool, command: Command) {
    ui.checkbox(is_on, command.label()).on_hover_text(command.tooltip());
}

fn plane_ui(ui: &mut Ui, plane: &mut ClipPlane, scene: &Scene) {
    let (min, max) = scene_bounds(&scene.setup);
    let axes = [(0, "x"), (1, "y"), (2, "z")];
    let usable = scene.setup.discretization.dimensions.count();
    if choice_ui(ui, "Clip normal", "Axis perpendicular to the plane.", &mut plane.axis, &axes[..usable]) {
        plane.position = 0.5 * (min + max)[plane.axis];
    }
    let range = f64::from(min[plane.axis])..=f64::from(max[plane.axis]);
    let mut value = f64::from(plane.position);
    // A file may place the plane outside the scene: to show it must not move it.
    let allowed = range.start().min(value)..=range.end().max(value);
    let number = NumberRow {
        label: "Clip position",
        tooltip: "Position of the plane along its normal.",
        unit: " m",
        slider: range,
        allowed,
        usual: None,
        logarithmic: false,
        finest: 1e-3,
        scene: f64::from(0.5 * (min + max)[plane.axis]),
        format: format::length,
    };
    if number.ui(ui, &mut value) {
        plane.position = value as f32;
    }
    ui.checkbox(&mut plane.flipped, "Other side").on_hover_text("Show the side above the plane instead of the side below.");
}

// Scale of the velocity arrows: a reference arrow with its speed, below the legends.

/// Size of the plate, and the most length of the arrow, points.
const ARROW_SCALE_SIZE: egui::Vec2 = vec2(128.0, 42.0);

const LONGEST_ARROW: f32 = 104.0;

/// Lays out the scale over `area`, in the upper right corner below the legends, of which that of the colours takes `below` points, and below
/// `palette` if the tools reach as far. `height` is that of the 3D view, points. Returns where it is.
pub fn arrow_scale_ui(
    ui: &mut Ui,
    (area, below, palette): (Rect, f32, Rect),
    height: f32,
    state: &State,
    snapshot: &Snapshot,
) -> Option<Rect> {
    let scene = snapshot.scene.as_ref().filter(|_| state.display.aids.arrows)?;
    let Display { color, scale, camera, .. } = &state.display;
    let arrow = ReferenceArrow::of_scene(scene, (*color, *scale), snapshot.particles.len(), camera, [LONGEST_ARROW, height])?;
    let below = below + if state.view.draws_cells() { CELL_LEGEND_HEIGHT + theme::SPACE } else { 0.0 };
    let corner = area.right_top() + vec2(-theme::SPACE - ARROW_SCALE_SIZE.x, theme::SPACE + below);
    let mut plate = Rect::from_min_size(corner, ARROW_SCALE_SIZE);
    if plate.expand(0.5 * theme::SPACE).intersects(palette) {
        plate = plate.translate(vec2(0.0, palette.bottom() + theme::SPACE - plate.top()));
    }
    if !area.contains_rect(plate) {
        return None;
    }
    let colors = theme::of(ui);
    let painter = ui.painter();
    painter.rect_filled(plate, 6.0, colors.background.gamma_multiply(0.85));
    let start = plate.left_top() + vec2(12.0, 13.0);
    painter.arrow(start, vec2(arrow.length, 0.0), Stroke::new(1.5, colors.text));
    let text = pos2(start.x, plate.bottom() - 11.0);
    painter.text(text, egui::Align2::LEFT_CENTER, arrow.label(), FontId::monospace(11.0), colors.text);
    // A screen reader says it too.
    ui.interact(plate, ui.scope_id().with("arrow scale"), Sense::HOVER)
        .widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Velocity arrow: {}", arrow.label())));
    Some(plate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(dimensions: u32, look: &str) -> Scene {
        let text = format!(
            "format = 1\ndimensions = {dimensions}\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\n\
             max = [1, 1, 1]\n[view]\n{look}\n"
        );
        sph_io::parse(&text, "look", &[]).expect("the scene is valid")
    }

    #[test]
    fn a_scene_opens_in_its_own_look_or_the_usual_one() {
        for usual in LOOKS {
            assert_eq!(first_look(&scene(3, ""), usual), usual);
            assert_eq!(first_look(&scene(3, "look = 'points'"), usual), Look::Points);
            assert_eq!(first_look(&scene(3, "look = 'surface'"), usual), Look::Water);
            assert_eq!(first_look(&scene(2, "look = 'water'"), usual), Look::Spheres);
        }
        assert_eq!(first_look(&scene(2, ""), Look::Water), Look::Spheres);
    }
}
