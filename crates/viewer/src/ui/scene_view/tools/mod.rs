//! Tools: the user's hands in the fluid. The palette over the 3D view chooses one, the pointer uses it, and lines show where it acts.

mod move_body;
mod pour;
mod use_tool;

pub(super) use pour::follow_pour;
pub(super) use use_tool::use_tool;

use crate::command::Command;
use crate::ui::widgets::{list_entry_ui, parse, tooltip_beside};
use crate::ui::{Action, theme};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Area, Button, ComboBox, DragValue, Frame, Grid, Id, Margin, Order, PopupCloseBehavior, Rect, Role, Slider, Ui, WidgetInfo,
    pos2, vec2,
};
use glam::Vec3;
use move_body::{Hold, Target};
use pour::{Pourables, Poured};
use sph_core::{DroppedShape, Hand, Push};
use use_tool::SampledBodies;

// The tools, and what each of them is set to.

/// Use of the pointer's left button in the 3D view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tool {
    /// Rotates the view, and selects particles.
    #[default]
    Look,
    /// Pushes fluid away.
    Push,
    /// Pulls fluid to the pointer.
    Pull,
    /// Pours fluid or balls.
    Pour,
    /// Tilts gravity.
    Tilt,
    /// Moves bodies, balls and vertices of cloth.
    Move,
    /// Drops bodies.
    Drop,
}

impl Tool {
    /// Every tool, in the order of the palette.
    pub const ALL: [Self; 7] = [Self::Look, Self::Push, Self::Pull, Self::Pour, Self::Tilt, Self::Move, Self::Drop];

    /// Name in the palette.
    pub fn label(self) -> &'static str {
        match self {
            Self::Look => "Rotate",
            Self::Push => "Push",
            Self::Pull => "Pull",
            Self::Pour => "Pour",
            Self::Tilt => "Tilt gravity",
            Self::Move => "Move",
            Self::Drop => "Drop",
        }
    }

    /// Description in one or two sentences.
    pub fn tooltip(self) -> &'static str {
        match self {
            Self::Look => "Drag to rotate the view; click a particle to see its neighbour query.",
            Self::Push => "Hold the button to push fluid away from the pointer. Ctrl + wheel sets the radius.",
            Self::Pull => "Hold the button to pull fluid to the pointer, and drag it along. Ctrl + wheel sets the radius.",
            Self::Pour => {
                "Hold the button to pour fluid, or balls of the scene, downwards from the pointer. Ctrl + wheel sets the radius."
            }
            Self::Tilt => "Drag to turn gravity, as if you held the tip of its arrow; its strength does not change.",
            Self::Move => {
                "Drag a body, or an arrow at its centre to move it along an axis; or drag a ball, or cloth by the ringed vertex. \
                    Bodies that no force moves stay where you drop them; all else keeps its velocity. Ctrl+Z rewinds to before it."
            }
            Self::Drop => {
                "Click to drop a body at its outline: at the pointer, or above the fluid and the bodies there. Ctrl + wheel \
                    sets the size. Ctrl+Z takes it back; once the fluid has moved, by rewinding."
            }
        }
    }

    /// Name among all commands.
    pub fn command(self) -> &'static str {
        match self {
            Self::Look => "Tool: rotate the view",
            Self::Push => "Tool: push fluid",
            Self::Pull => "Tool: pull fluid",
            Self::Pour => "Tool: pour fluid or balls",
            Self::Tilt => "Tool: tilt gravity",
            Self::Move => "Tool: move a body, a ball or cloth",
            Self::Drop => "Tool: drop a body",
        }
    }

    /// True if it has a radius.
    pub fn has_radius(self) -> bool {
        matches!(self, Self::Push | Self::Pull | Self::Pour | Self::Drop)
    }
}

/// State of the tools.
#[derive(Clone, Debug, PartialEq)]
pub struct Tools {
    /// Tool in use.
    pub tool: Tool,
    /// Radius, of a dropped box half its width, in parts of the scene's height.
    pub radius: f32,
    /// Strength of push and pull, in multiples of gravity, or of 9.81 m/s² where there is none.
    pub strength: f32,
    /// Particles or balls that are poured per second, in parts of what the whole circle pours.
    pub rate: f32,
    /// What is poured; `None` for what comes first in a scene.
    poured: Option<Poured>,
    /// What can be poured into the present scene.
    pourables: Pourables,
    /// What the whole circle pours of it, particles or balls per second.
    full_rate: f32,
    /// Shape of bodies that are dropped.
    pub shape: DroppedShape,
    /// Their density, in multiples of that of the fluid, of the densest one if there are several.
    pub density: f32,
    /// Particles of the scene's bodies, as far as bodies were moved or dropped near them.
    sampled: SampledBodies,
    /// Hand that has been asked for.
    hand: Option<Hand>,
    /// Distance from the eye at which the pointer acts while the button is held, along the direction of the view, m.
    depth: Option<f32>,
    /// How far above the pointer balls come out while the button is held, m.
    rise: Option<f32>,
    /// What the pointer means: a body, whose gizmo is shown, or a point.
    target: Option<Target>,
    /// Body that was held last: of several with one centre, it has the gizmo there.
    chosen: Option<usize>,
    /// What is held.
    hold: Option<Hold>,
    /// Place of the pointer in the last frame, m, and its time, s.
    last: Option<(Vec3, f64)>,
    /// Tip of the arrow of gravity that the pointer drags, in lengths of the arrow.
    tip: Option<Vec3>,
}

impl Default for Tools {
    fn default() -> Self {
        Self {
            tool: Tool::Look,
            radius: 0.15,
            strength: 8.0,
            rate: 1.0,
            poured: None,
            pourables: Pourables::default(),
            full_rate: 1.0,
            shape: DroppedShape::Box,
            density: 0.5,
            sampled: SampledBodies::default(),
            hand: None,
            depth: None,
            rise: None,
            target: None,
            chosen: None,
            hold: None,
            last: None,
            tip: None,
        }
    }
}

impl Tools {
    /// Range of the radius.
    pub const RADII: [f32; 2] = [0.02, 0.6];

    /// Range of the strength.
    pub const STRENGTHS: [f32; 2] = [0.5, 40.0];

    /// Range of the rate.
    pub const RATES: [f32; 2] = [0.01, 1.0];

    /// Range of the density.
    pub const DENSITIES: [f32; 2] = [0.1, 10.0];

    /// Forgets what was held, and what the pointer meant: the scene is another.
    pub fn let_go(&mut self) {
        (self.depth, self.rise, self.target, self.chosen) = (None, None, None, None);
        (self.hold, self.last, self.tip) = (None, None, None);
    }

    /// Push or pull at `center` (m) of a hand that moves with `velocity`, m/s. `gravity` is the acceleration that strengths are multiples of, m/s².
    fn push(&self, center: Vec3, radius: f32, velocity: Vec3, gravity: f32) -> Hand {
        let strength = gravity * self.strength;
        let (strength, drag) = match self.tool {
            // Pulled fluid would swing about the hand: the drag stops it within some radii.
            Tool::Pull => (strength, 2.0 * (strength / radius).sqrt()),
            _ => (-strength, 0.0),
        };
        Hand::Push(Push { center, radius, strength, drag, velocity: velocity.clamp_length_max(20.0) })
    }
}

// Palette: the tools over the upper left corner of the 3D view, with the settings of the one in use.

/// Width of the row of tools, points.
const TOOLS: f32 = 425.0;

/// Margin around the tools, points.
const MARGIN: i8 = 4;

/// Part of the 3D view in which the palette lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaletteRoom {
    /// The part, points: the whole view, or the picture on the left.
    pub view: Rect,
    /// Width that is taken at its right, points.
    pub beside: f32,
    /// True if the tools may stand in a column where they do not fit in a row, false for a list that opens.
    pub has_columns: bool,
}

/// Place of the palette, points.
#[derive(Clone, Copy, Debug)]
pub(super) struct PalettePlace {
    /// Tools with the settings of the one in use.
    pub whole: Rect,
    /// Tools alone, which stay where they are whatever is in use.
    pub tools: Rect,
}

/// Lays out the palette at the top left of `room`: a row with the settings beside or below it; in a narrow one a column or a list.
pub(super) fn palette_ui(ui: &Ui, room: PaletteRoom, tools: &mut Tools, actions: &mut Vec<Action>) -> PalettePlace {
    let PaletteRoom { view, beside, has_columns } = room;
    let place = pos2(view.left() + theme::SPACE, view.top() + theme::SPACE);
    let room = view.width() - beside - 2.0 * theme::SPACE;
    let area = Area::new(Id::unique("tools")).order(Order::Middle).fixed_pos(place).constrain(false);
    let frame =
        Frame::new().fill(theme::of(ui).background.gamma_multiply(0.85)).corner_radius(6.0).inner_margin(Margin::same(MARGIN));
    let shown = area.show(ui.ctx(), |ui| {
        let framed = frame.show(ui, |ui| {
            let width = width(tools);
            let is_low = view.height() < LOW;
            if room >= TOOLS + width && !is_low {
                let row = ui.horizontal(|ui| {
                    let row = ui.horizontal(|ui| tools_ui(ui, tools.tool, actions)).response.rect;
                    ui.add_space(theme::SPACE);
                    row_ui(ui, tools);
                    row
                });
                return row.inner;
            }
            let place = if room >= TOOLS && !is_low {
                ui.horizontal(|ui| tools_ui(ui, tools.tool, actions)).response.rect
            } else if has_columns && view.width() >= LEAST_FOR_COLUMN[0] && view.height() >= LEAST_FOR_COLUMN[1] {
                ui.vertical(|ui| tools_ui(ui, tools.tool, actions)).response.rect
            } else {
                choice_ui(ui, tools.tool, actions)
            };
            if width == 0.0 {
                return place;
            }
            // Below the text of the first tool, not the edge of its button.
            let indent = ui.spacing().button_padding.x;
            if room >= width + indent {
                // As high as its widgets, not as the palette was.
                ui.horizontal(|ui| {
                    ui.add_space(indent);
                    row_ui(ui, tools);
                });
            } else if view.height() < LEAST_FOR_SETTINGS {
                let close = PopupCloseBehavior::CloseOnClickOutside;
                let settings = MenuButton::new("Settings…").config(MenuConfig::new().close_behavior(close));
                settings.ui(ui, |ui| column_ui(ui, tools));
            } else {
                ui.horizontal_top(|ui| {
                    ui.add_space(indent);
                    column_ui(ui, tools);
                });
            }
            place
        });
        framed.inner
    });
    PalettePlace { whole: shown.response.rect, tools: shown.inner.expand(f32::from(MARGIN)) }
}

/// Least size of a view for the tools in a column, points: in a smaller one they would cover the fluid and the messages.
const LEAST_FOR_COLUMN: [f32; 2] = [250.0, 280.0];

/// Least height of a view for the settings of a tool in a column, points: a lower one has a menu.
const LEAST_FOR_SETTINGS: f32 = 420.0;

/// Height of a view below which even a row would leave little room for the fluid, points.
const LOW: f32 = 250.0;

/// Lays out the tools as a list that opens.
fn choice_ui(ui: &mut Ui, present: Tool, actions: &mut Vec<Action>) -> Rect {
    let list = ComboBox::from_id_salt("tools").selected_text(present.label()).width(100.0);
    let list = list.show_ui(ui, |ui| {
        for tool in Tool::ALL {
            let entry = list_entry_ui(ui, present == tool, tool.label());
            if tooltip_beside(entry, &tooltip(ui, tool)).clicked() {
                actions.push(Action::Command(Command::Use(tool)));
            }
        }
    });
    let response = list.response;
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Tool"));
    response.rect
}

fn tools_ui(ui: &mut Ui, present: Tool, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing = vec2(0.5 * theme::SPACE, 0.25 * theme::SPACE);
    for tool in Tool::ALL {
        let button = ui.add(Button::selectable(present == tool, tool.label()));
        if button.on_hover_text(tooltip(ui, tool)).clicked() {
            actions.push(Action::Command(Command::Use(tool)));
        }
    }
}

/// Name and key of a tool, and what it does.
fn tooltip(ui: &Ui, tool: Tool) -> String {
    format!("{} ({})\n{}", tool.label(), Command::Use(tool).shortcut_text(ui.ctx()), tool.tooltip())
}

// Settings of the tool in use: each a label, then its slider and its number.

/// Width of a slider, and least width of the number beside it, points.
const SLIDER: f32 = 70.0;
const NUMBER: f32 = 52.0;

/// Setting that is a number.
struct Setting {
    label: &'static str,
    tooltip: &'static str,
    range: [f32; 2],
    /// Number that is shown for the value 1, its decimals, and its unit.
    shown: (f64, usize, &'static str),
    logarithmic: bool,
}

const RADIUS: Setting = Setting {
    label: "Radius",
    tooltip: "Radius as a fraction of the scene's height. Ctrl + wheel changes it too.",
    range: Tools::RADII,
    shown: (100.0, 0, " %"),
    logarithmic: false,
};

/// Size of bodies, of which only balls have a radius.
const SIZE: Setting = Setting {
    label: "Size",
    tooltip: "Radius of a ball or half the width of a box, as a fraction of the scene's height. Ctrl + wheel changes it too.",
    ..RADIUS
};

const STRENGTH: Setting = Setting {
    label: "Strength",
    tooltip: "Acceleration at the centre, in multiples of gravity.",
    range: Tools::STRENGTHS,
    shown: (1.0, 1, " g"),
    logarithmic: true,
};

/// The number that is shown for the value 1 depends on scene and radius.
const RATE: Setting = Setting {
    label: "Rate",
    tooltip: "Particles poured per second of simulated time, from a hundredth of what the circle pours, a thin stream at its centre; \
        at the upper end there is no limit.",
    range: Tools::RATES,
    shown: (1.0, 0, " /s"),
    logarithmic: true,
};

const DENSITY: Setting = Setting {
    label: "Density",
    tooltip: "Density relative to the fluid (the densest one if there are several). At 0.5, in water 500 kg/m³, the body \
        floats half immersed; above 1 it sinks.",
    range: Tools::DENSITIES,
    shown: (1.0, 2, " × fluid"),
    logarithmic: true,
};

/// Width of the settings of the tool in one row, points.
fn width(tools: &Tools) -> f32 {
    match tools.tool {
        Tool::Drop => 560.0,
        Tool::Push | Tool::Pull => 400.0,
        Tool::Pour => 400.0 + tools.pourables.width(),
        Tool::Look | Tool::Tilt | Tool::Move => 0.0,
    }
}

/// Lays out the settings one beside the other.
fn row_ui(ui: &mut Ui, tools: &mut Tools) {
    lay_out(ui, tools, |_| ());
}

/// Lays out the settings one below the other, their labels in a column.
fn column_ui(ui: &mut Ui, tools: &mut Tools) {
    Grid::new("settings of the tool")
        .num_columns(2)
        .spacing([theme::SPACE, 2.0])
        .show(ui, |ui| lay_out(ui, tools, Ui::end_row));
}

/// Lays out label and controls of every setting, and `end` after each.
fn lay_out(ui: &mut Ui, tools: &mut Tools, end: fn(&mut Ui)) {
    if tools.tool.has_radius() {
        let setting = if tools.tool == Tool::Drop { &SIZE } else { &RADIUS };
        number_ui(ui, setting, &mut tools.radius);
        end(ui);
    }
    if tools.tool == Tool::Drop {
        ui.label("Shape");
        ui.horizontal(|ui| {
            for shape in DroppedShape::ALL {
                let tooltip = "Shape of the body; in two dimensions a square or a disc.";
                ui.selectable_value(&mut tools.shape, shape, shape.label()).on_hover_text(tooltip);
            }
        });
        end(ui);
        number_ui(ui, &DENSITY, &mut tools.density);
        end(ui);
    }
    if matches!(tools.tool, Tool::Push | Tool::Pull) {
        number_ui(ui, &STRENGTH, &mut tools.strength);
        end(ui);
    }
    if tools.tool == Tool::Pour {
        number_ui(ui, &pour::rate(tools), &mut tools.rate);
        end(ui);
        pour::choice_ui(ui, tools);
        end(ui);
    }
}

fn number_ui(ui: &mut Ui, setting: &Setting, value: &mut f32) {
    let Setting { label, tooltip, range: [low, high], shown: (scale, decimals, unit), logarithmic } = *setting;
    let label = ui.label(label).on_hover_text(tooltip);
    ui.horizontal(|ui| {
        ui.spacing_mut().slider_width = SLIDER;
        ui.spacing_mut().interact_size.x = NUMBER;
        let slider = Slider::new(value, low..=high).logarithmic(logarithmic).show_value(false);
        ui.add(slider).on_hover_text(tooltip).labelled_by(label.id);
        let speed = if logarithmic { 0.01 * f64::from(*value) } else { 0.002 * f64::from(high - low) };
        let number = DragValue::new(value).range(low..=high).speed(speed).suffix(unit).update_while_editing(false);
        let number = number.custom_formatter(|value, _| format!("{:.decimals$}", scale * value));
        let number = number.custom_parser(|text| parse(text, unit, false).map(|number| number / scale));
        ui.add(number).on_hover_text(tooltip).labelled_by(label.id);
    });
}
