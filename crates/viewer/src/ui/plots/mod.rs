//! Plots at the lower edge: cost of the steps (time of each phase, and one quantity of the grid), their pressure solve, or readings of the
//! scene's probes, or curves that the user has [`chosen`], with an [`export`] of what is shown.

mod chosen;
mod costs;
mod curves;
mod export;

pub use chosen::{Choice, ChosenCurves};
pub use costs::{Quantity, solve_plots_ui};
pub use export::{nothing_to_export, plot_csv};

use super::point_search::has_fluid;
use super::widgets::{format, hint_ui};
use super::{Action, Model, State, theme};
use crate::command::Command;
use crate::session::{Readings, Snapshot};
use chosen::choice_ui;
use costs::costs_ui;
use curves::{nothing_ui, probes_ui, readings_ui};
use egui::{Align, Button, Layout, Rangef, RichText, Sense, Ui, vec2};
use egui_plot::{AxisHints, GridMark, Plot};

// Panel of the plots, and the choice of what they show.

/// Width of the choice, points.
const TABS_WIDTH: f32 = 52.0;

/// Width of a panel, points, below which a scene without probes has no choice: the times of the phases need the room.
const NARROW: f32 = 200.0;

/// Lays out the plots: costs for the grid of the edited side with a quantity of the grid, the motion, or the probes.
pub fn plots_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let snapshot = model.snapshot;
    let shown_search = (state.edited_side(), state.point_search.chosen);
    let view = &mut state.plots;
    if ui.available_width() < NARROW && snapshot.readings.curves().is_empty() && view.plotted != Plotted::Chosen {
        view.plotted = Plotted::Costs;
        return costs_ui(ui, snapshot, shown_search, &mut view.quantity);
    }
    let shown = view.shown(snapshot);
    let nothing = nothing_to_export(view, state.point_search.chosen, snapshot);
    let PlotsView { plotted, quantity, chosen, hovered, .. } = view;
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            ui.set_width(TABS_WIDTH);
            let tabs = [Plotted::Costs, Plotted::Motion, Plotted::Probes, Plotted::Chosen];
            for (tab, name) in tabs.into_iter().zip(["Cost", "Motion", "Probes", "Chosen"]) {
                let button = egui::Button::selectable(*plotted == tab, RichText::new(name).small());
                if ui.add(button.min_size(vec2(TABS_WIDTH, 0.0))).clicked() {
                    *plotted = tab;
                }
            }
            let export = Button::new(RichText::new("Export").small()).min_size(vec2(TABS_WIDTH, 0.0));
            let export = ui.add_enabled(nothing.is_none(), export).on_hover_text(Command::ExportPlot.tooltip());
            if export.on_disabled_hover_text(nothing.unwrap_or_default()).clicked() {
                actions.push(Action::Command(Command::ExportPlot));
            }
        });
        ui.add_space(0.5 * theme::SPACE);
        match plotted {
            Plotted::Costs => costs_ui(ui, snapshot, shown_search, quantity),
            Plotted::Motion => readings_ui(ui, (&shown, 0), snapshot.time, hovered, |ui| {
                if lacks_fluid(snapshot) {
                    hint_ui(ui, "No fluid moves in this scene. Probes of the kind point_set read cloth and balls.");
                }
            }),
            Plotted::Probes => probes_ui(ui, &shown, snapshot, hovered),
            Plotted::Chosen if shown.is_empty() => nothing_ui(ui, chosen, snapshot),
            Plotted::Chosen => readings_ui(ui, (&shown, 0), snapshot.time, hovered, |ui| choice_ui(ui, chosen, snapshot)),
        }
    });
}

/// Choices of the plots.
#[derive(Clone, Debug, Default)]
pub struct PlotsView {
    /// Subject of the plots.
    pub plotted: Plotted,
    /// Quantity plotted beside the phases.
    pub quantity: Quantity,
    /// Curves that the user has chosen.
    pub chosen: ChosenCurves,
    /// First corner of the box of particles that is dragged in the 3D view.
    pub box_from: Option<egui::Pos2>,
    /// Simulated time under the pointer in the frame before, s.
    hovered: Option<f64>,
}

impl PlotsView {
    /// Curves that are plotted; none for the costs.
    pub fn shown<'s>(&self, snapshot: &'s Snapshot) -> Vec<Shown<'s>> {
        let overview = |readings: &'s Readings| -> Vec<Shown<'s>> {
            let numbers = readings.overview().iter().enumerate();
            numbers.map(|(color, &number)| Shown { readings, number, color }).collect()
        };
        match self.plotted {
            Plotted::Costs => Vec::new(),
            Plotted::Motion if lacks_fluid(snapshot) => {
                let of_time = |shown: &Shown<'_>| TIMES.contains(&shown.unit());
                overview(&snapshot.motion).into_iter().filter(of_time).collect()
            }
            Plotted::Motion => overview(&snapshot.motion),
            Plotted::Probes => overview(&snapshot.readings),
            Plotted::Chosen => self.chosen.shown(snapshot),
        }
    }
}

/// Units of what of the motion every scene has: time step, and simulated time over wall-clock time.
const TIMES: [&str; 2] = ["ms", "×"];

/// True in a scene of cloth or balls alone.
fn lacks_fluid(snapshot: &Snapshot) -> bool {
    snapshot.scene.is_some() && !has_fluid(snapshot)
}

/// A curve that is plotted.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'s> {
    /// Readings that it is one of.
    pub readings: &'s Readings,
    /// Its number among them.
    pub number: usize,
    /// Number of its colour.
    pub color: usize,
}

impl<'s> Shown<'s> {
    /// Name.
    pub fn name(self) -> &'s str {
        &self.readings.curves()[self.number].reading.label
    }

    /// Unit; empty for a number without one.
    pub fn unit(self) -> &'static str {
        self.readings.curves()[self.number].reading.unit
    }
}

/// What the plots show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plotted {
    /// Cost of the last steps.
    #[default]
    Costs,
    /// Motion of the whole fluid.
    Motion,
    /// Readings of the probes.
    Probes,
    /// Curves that the user has chosen.
    Chosen,
}

// Parts that all plots share: columns, titles, axes and their ticks.

/// Width of a legend beside plots, points.
const LEGEND_WIDTH: f32 = 136.0;

/// Least width of a plot, points.
const LEAST_WIDTH: f32 = 180.0;

/// Space at the right end of a plot for half of the last tick label, points.
const RIGHT_MARGIN: f32 = 12.0;

/// Share of a plot's height at its upper edge without ticks: a label there would overlap the title.
const TOP_MARGIN: f64 = 0.08;

/// Lays out a column of this width, points.
fn column_ui(ui: &mut Ui, width: f32, contents: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(width, ui.available_height()), Layout::top_down(Align::Min), |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.y = 1.0;
        // Row height of the small text.
        ui.spacing_mut().interact_size.y = 12.0;
        contents(ui);
    });
}

/// Lays out a title and the value at its right.
fn title_ui(ui: &mut Ui, title: &str, value: &str) {
    egui::Sides::new().shrink_left().truncate().show(
        ui,
        |ui| ui.label(RichText::new(title).small().color(theme::of(ui).text_quiet)),
        |ui| ui.label(RichText::new(value).monospace().size(11.0)),
    );
}

/// A plot over time that fills what is left of `ui`, without zoom and drag, with ticks each `time_step` (s) of the times shown.
fn plot<'a>(ui: &Ui, id: &str, time_step: impl Fn((f64, f64)) -> f64 + 'a) -> Plot<'a> {
    let small = egui::FontId::monospace(10.0);
    let x_axis = AxisHints::new_x()
        .formatter(|mark, _| format!("{} s", format::tick(mark.value)))
        .tick_label_font(small.clone())
        .label_spacing(Rangef::new(24.0, 32.0));
    let y_axis = AxisHints::new_y()
        .formatter(|mark, _| format::tick(mark.value))
        .tick_label_font(small)
        .label_spacing(Rangef::new(11.0, 15.0))
        .min_thickness(30.0);
    Plot::new(id)
        .custom_x_axes(vec![x_axis.tick_label_color(theme::of(ui).text_quiet)])
        .custom_y_axes(vec![y_axis.tick_label_color(theme::of(ui).text_quiet)])
        .height(ui.available_height())
        .width((ui.available_width() - RIGHT_MARGIN).max(0.0))
        .set_margin_fraction(vec2(0.0, 0.08))
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .allow_axis_zoom_drag(false)
        .show_crosshair(false)
        .show_x(false)
        .show_y(false)
        .x_grid_spacer(move |input| ticks(input.bounds, time_step(input.bounds)))
        .y_grid_spacer(|input| {
            let (low, high) = input.bounds;
            ticks((low, high - TOP_MARGIN * (high - low)), nice_step(0.25 * (high - low)))
        })
        .grid_spacing(Rangef::new(14.0, 160.0))
        .grid_color(theme::of(ui).line)
        .sense(Sense::hover())
}

/// Ticks at the multiples of `step` within the bounds.
fn ticks((low, high): (f64, f64), step: f64) -> Vec<GridMark> {
    let first = (low / step).ceil();
    // The limit of 100 ticks also ends the loop for bounds that are NaN.
    let values = (0..100).map(|index| step * (first + f64::from(index))).take_while(|&value| value <= high);
    values.map(|value| GridMark { value, step_size: step }).collect()
}

/// Smallest of 1, 2 or 5 times a power of ten that is at least `least`; 1 if `least` is not positive and finite.
fn nice_step(least: f64) -> f64 {
    if !(least > 0.0 && least.is_finite()) {
        return 1.0;
    }
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power).find(|&step| step >= least).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!([0.3, 1.0, 2.2, 70.0, 0.0].map(nice_step), [0.5, 1.0, 5.0, 100.0, 1.0]);
        let values: Vec<f64> = ticks((-12.0, 0.0), 5.0).into_iter().map(|mark| mark.value).collect();
        assert_eq!(values, [-10.0, -5.0, 0.0]);
        assert!(ticks((f64::NAN, 1.0), 5.0).is_empty() && ticks((-0.5, 5.8), 2.0).len() == 3);
    }
}
