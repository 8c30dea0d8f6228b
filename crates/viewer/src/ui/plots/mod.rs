//! Plots at the lower edge: cost of the steps (time of each phase, and one quantity of the grid), their pressure solve, or readings of the
//! scene's probes, or curves that the user has [`chosen`], with an [`export`] of what is shown.

mod chosen;
mod export;

pub use chosen::{Choice, ChosenCurves};
pub use export::plot_csv;

use super::widgets::{format, hint_ui, outline};
use super::{Action, Model, Side, State, theme};
use crate::command::Command;
use crate::session::{Readings, Sample, Snapshot, StepCosts};
use chosen::choice_ui;
use egui::{Align, Button, Color32, Layout, Rangef, RichText, ScrollArea, Sense, Stroke, Ui, vec2};
use egui_plot::{AxisHints, FilledArea, GridMark, HoverPosition, Line, Plot, PlotPoints, PlotUi, VLine};
use sph_core::Phase;

// Panel of the plots, and the choice of what they show.

/// Width of the choice, points.
const TABS_WIDTH: f32 = 52.0;

/// Width of a panel, points, below which a scene without probes has no choice: the costs need the room.
const NARROW: f32 = 400.0;

/// Lays out the plots: costs for the grid of the edited side with a quantity of the grid, the motion, or the probes.
pub fn plots_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let (snapshot, side) = (model.snapshot, state.comparing.side);
    let view = &mut state.plots;
    if ui.available_width() < NARROW && snapshot.readings.curves().is_empty() && view.plotted != Plotted::Chosen {
        view.plotted = Plotted::Costs;
        return costs_ui(ui, snapshot, side, &mut view.quantity);
    }
    let shown = view.shown(snapshot);
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
            if ui.add(export).on_hover_text(Command::ExportPlot.tooltip()).clicked() {
                actions.push(Action::Command(Command::ExportPlot));
            }
        });
        ui.add_space(0.5 * theme::SPACE);
        match plotted {
            Plotted::Costs => costs_ui(ui, snapshot, side, quantity),
            Plotted::Motion => readings_ui(ui, (&shown, 0), snapshot.time, hovered, |_| ()),
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
        let overview = |readings: &'s Readings| {
            let numbers = readings.overview().iter().enumerate();
            numbers.map(|(color, &number)| Shown { readings, number, color }).collect()
        };
        match self.plotted {
            Plotted::Costs => Vec::new(),
            Plotted::Motion => overview(&snapshot.motion),
            Plotted::Probes => overview(&snapshot.readings),
            Plotted::Chosen => self.chosen.shown(snapshot),
        }
    }
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

/// A quantity of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quantity {
    /// Distance tests per neighbour found.
    #[default]
    Candidates,
    /// Occupied cells / table size.
    LoadFactor,
    /// Number of cells that contain particles.
    OccupiedCells,
    /// Number of occupied cells that share their bucket.
    Collisions,
    /// Number of particles in the fullest bucket.
    LongestBucket,
    /// Wall-clock time to build the structure, ms.
    Build,
    /// Wall-clock time to fill the neighbour lists, ms.
    Query,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Self; 7] = [
        Self::Candidates,
        Self::LoadFactor,
        Self::OccupiedCells,
        Self::Collisions,
        Self::LongestBucket,
        Self::Build,
        Self::Query,
    ];

    /// Name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Candidates => "Candidates per neighbour",
            Self::LoadFactor => "Load factor",
            Self::OccupiedCells => "Occupied cells",
            Self::Collisions => "Cells in collision",
            Self::LongestBucket => "Longest bucket",
            Self::Build => "Build, ms",
            Self::Query => "Query, ms",
        }
    }

    /// Value in a sample.
    pub fn of(self, sample: &Sample) -> f32 {
        match self {
            Self::Candidates => sample.candidates_per_neighbor,
            Self::LoadFactor => sample.load_factor,
            Self::OccupiedCells => sample.occupied_cells,
            Self::Collisions => sample.cells_in_collision,
            Self::LongestBucket => sample.longest_bucket,
            Self::Build => sample.build_ms,
            Self::Query => sample.query_ms,
        }
    }

    /// Formats a value.
    pub fn format(self, value: f32) -> String {
        match self {
            Self::Candidates => format!("{value:.2}"),
            Self::LoadFactor | Self::Build | Self::Query => format!("{value:.3}"),
            Self::OccupiedCells | Self::Collisions | Self::LongestBucket => format::count(value.round() as u64),
        }
    }
}

// Cost of the last seconds: stacked time of each phase, and one quantity of the grid. The plots show every sample; the
// numbers beside them are medians of the last two seconds with the same grid.

/// Running time that the plots span, s.
const SPAN: f64 = 12.0;

/// Lays out the plots side by side, for the grid of `side`; in a comparison, a line shows the other grid.
fn costs_ui(ui: &mut Ui, snapshot: &Snapshot, side: Side, plotted: &mut Quantity) {
    let grid_b = snapshot.grid_b.as_ref().map(|grid_b| &grid_b.step_costs);
    let (samples, other) = match (side, grid_b) {
        (Side::B, Some(grid_b)) => (grid_b, Some(&snapshot.step_costs)),
        (_, grid_b) => (&snapshot.step_costs, grid_b),
    };
    let Some(recent) = samples.recent() else {
        ui.centered_and_justified(|ui| hint_ui(ui, "Available after the first step."));
        return;
    };
    let colors = theme::of(ui);
    let end = recent.seconds;
    let width = ui.available_width() - LEGEND_WIDTH - theme::SPACE;
    let both = width >= 2.0 * LEAST_WIDTH + theme::SPACE;
    let widths = if both { [0.6 * width, 0.4 * width - theme::SPACE] } else { [width, 0.0] };
    ui.horizontal_top(|ui| {
        column_ui(ui, LEGEND_WIDTH, |ui| phases_ui(ui, &recent));
        column_ui(ui, widths[0].max(0.0), |ui| {
            let total: f32 = recent.phase_ms.iter().sum();
            title_ui(ui, "Time per step, ms", &format!("{total:.2}"));
            plot_ui(ui, "phases", |plot| {
                stack(plot, samples.samples(), end);
                let total = |sample: &Sample| f64::from(sample.phase_ms.iter().sum::<f32>());
                if let Some(other) = other {
                    line(plot, side.other().name(), other, colors.side(side.other()), total);
                }
            });
        });
        if both {
            column_ui(ui, widths[1], |ui| {
                quantity_ui(ui, plotted, &recent);
                let plotted = *plotted;
                plot_ui(ui, "quantity", |plot| {
                    let value = |sample: &Sample| f64::from(plotted.of(sample));
                    if let Some(other) = other {
                        line(plot, side.other().name(), other, colors.side(side.other()), value);
                    }
                    let color = if other.is_some() { colors.side(side) } else { colors.accent };
                    line(plot, plotted.label(), samples, color, value);
                });
            });
        }
    });
}

/// Lays out the title of the plotted quantity, which opens a menu of all quantities, and its recent value.
fn quantity_ui(ui: &mut Ui, plotted: &mut Quantity, recent: &Sample) {
    let value = plotted.format(plotted.of(recent));
    egui::Sides::new().show(
        ui,
        |ui| {
            let name = RichText::new(plotted.label()).small().underline().color(theme::of(ui).text_quiet);
            let button = egui::Button::new(name).frame(false);
            egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
                for quantity in Quantity::ALL {
                    if ui.selectable_label(quantity == *plotted, quantity.label()).clicked() {
                        *plotted = quantity;
                        ui.close();
                    }
                }
            });
        },
        |ui| ui.label(RichText::new(value).monospace().size(11.0)),
    );
}

/// Lays out the legend of the stacked plot, from top to bottom, with the recent times.
fn phases_ui(ui: &mut Ui, recent: &Sample) {
    title_ui(ui, "Phase", "ms");
    for phase in Phase::ALL.into_iter().rev() {
        let row = ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
            ui.painter().rect_filled(rect, 2.0, theme::phase(phase));
            ui.label(RichText::new(format::phase(phase)).small());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let value = format!("{:.2}", recent.phase_ms[phase as usize]);
                ui.label(RichText::new(value).monospace().size(11.0));
            });
        });
        outline::note(ui, format::phase(phase), row.response.rect);
    }
}

/// Lays out a plot of the last seconds.
fn plot_ui<'a>(ui: &mut Ui, id: &str, contents: impl FnOnce(&mut PlotUi<'a>) + 'a) {
    plot(ui, id, |_| 5.0).include_y(0.0).show(ui, |plot| {
        plot.set_plot_bounds_x(-SPAN..=0.0);
        contents(plot);
    });
}

/// Plots a value over the last seconds; time 0 is the end of the history.
fn line(plot: &mut PlotUi<'_>, name: &str, costs: &StepCosts, color: Color32, value: impl Fn(&Sample) -> f64) {
    let end = costs.samples().next_back().map_or(0.0, |latest| latest.seconds);
    let points = costs.samples().map(|sample| [sample.seconds - end, value(sample)]);
    let line = Line::new(name, points.collect::<PlotPoints<'_>>());
    plot.line(line.color(color).width(1.5).allow_hover(false));
}

/// Plots one area per phase, stacked.
fn stack<'s>(plot: &mut PlotUi<'_>, samples: impl Iterator<Item = &'s Sample> + Clone, end: f64) {
    let seconds: Vec<f64> = samples.clone().map(|sample| sample.seconds - end).collect();
    let mut floor = vec![0.0; seconds.len()];
    for phase in Phase::ALL {
        let ms = samples.clone().map(|sample| f64::from(sample.phase_ms[phase as usize]));
        let ceiling: Vec<f64> = floor.iter().zip(ms).map(|(floor, ms)| floor + ms).collect();
        let area = FilledArea::new(format::phase(phase), &seconds, &floor, &ceiling);
        plot.add(area.fill_color(theme::phase(phase)).stroke(Stroke::NONE).allow_hover(false));
        floor = ceiling;
    }
}

// Plots of the pressure solve of the last seconds' steps: iterations, and the residual that they left.

/// Height of a plot, points.
const HEIGHT: f32 = 96.0;

/// Lays out the plots one below the other.
pub fn solve_plots_ui(ui: &mut Ui, costs: &StepCosts) {
    let value = |name: &'static str, value: fn(&Sample) -> f64| (name, value);
    let density = value("density solve", |sample| sample.stepping.mean(f64::from(sample.stepping.iterations[0])));
    let divergence = value("divergence solve", |sample| sample.stepping.mean(f64::from(sample.stepping.iterations[1])));
    let residual = value("residual", |sample| 100.0 * sample.stepping.mean(f64::from(sample.stepping.residual)));
    let has_two = costs.samples().any(|sample| sample.stepping.iterations[1] > 0);
    let iterations = if has_two { vec![density, divergence] } else { vec![density] };
    let colors = theme::of(ui);
    for (title, curves) in [("Iterations per step", iterations), ("Residual, %", vec![residual])] {
        ui.add_space(0.5 * theme::SPACE);
        ui.horizontal(|ui| {
            ui.label(RichText::new(title).small().color(colors.text_quiet));
            for (number, (name, _)) in curves.iter().enumerate().filter(|_| curves.len() > 1) {
                ui.label(RichText::new(*name).small().color(colors.curve(number)));
            }
        });
        ui.allocate_ui(vec2(ui.available_width(), HEIGHT), |ui| {
            plot_ui(ui, title, |plot| {
                for (number, (name, value)) in curves.into_iter().enumerate() {
                    line(plot, name, costs, colors.curve(number), value);
                }
            });
        });
    }
}

// Readings over simulated time, of the scene's probes or of the whole fluid: a plot for each unit.

/// Place of the guide's chapter on probes.
const GUIDE: &str = "docs/guide/scene-files.md, “[[probes]]: instruments”";

/// Lays out the names of the readings and their plots.
fn probes_ui(ui: &mut Ui, shown: &[Shown<'_>], snapshot: &Snapshot, hovered: &mut Option<f64>) {
    if shown.is_empty() {
        let text = format!("This scene has no [[probes]]; {GUIDE} shows how to add them.");
        ui.centered_and_justified(|ui| hint_ui(ui, text));
        return;
    }
    readings_ui(ui, (shown, snapshot.readings.omitted()), snapshot.time, hovered, |_| ());
}

/// Lays out the choice of curves, and how particles are chosen.
fn nothing_ui(ui: &mut Ui, chosen: &mut ChosenCurves, snapshot: &Snapshot) {
    ui.vertical(|ui| {
        choice_ui(ui, chosen, snapshot);
        hint_ui(
            ui,
            "Plot any statistic of a step and any reading of a probe. To plot values of particles, click some in the 3D view with \
             Ctrl held, or drag a box around them.",
        );
    });
}

/// Lays out the names of the curves `shown`, with how many others there are, and their plots, with lines at the `present` time, s, and at the
/// one under the pointer, whose values are then beside the names. What `above` lays out is above these.
fn readings_ui(
    ui: &mut Ui,
    (shown, omitted): (&[Shown<'_>], usize),
    present: f64,
    hovered: &mut Option<f64>,
    above: impl FnOnce(&mut Ui),
) {
    let mut units: Vec<&str> = Vec::new();
    for unit in shown.iter().map(|shown| shown.unit()) {
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    let legend_width = legend_width(ui, shown);
    let time = hovered.take();
    column_ui(ui, legend_width, |ui| {
        above(ui);
        legend_ui(ui, shown, time, omitted);
    });
    ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        let share = ui.available_width() / units.len() as f32 - theme::SPACE;
        ui.horizontal_top(|ui| {
            for unit in units {
                column_ui(ui, share.max(LEAST_WIDTH), |ui| {
                    title_ui(ui, if unit.is_empty() { "number" } else { unit }, "");
                    if let Some(under) = unit_ui(ui, shown, unit, (present, time)) {
                        *hovered = Some(under);
                    }
                });
            }
        });
    });
}

/// Width of the legend, points, in which no name is cut unless it is longer than a third of the panel.
fn legend_width(ui: &Ui, shown: &[Shown<'_>]) -> f32 {
    let (name, value) = (egui::TextStyle::Small.resolve(ui.style()), egui::FontId::monospace(11.0));
    let width = |text: &str, font: &egui::FontId| {
        ui.painter().layout_no_wrap(text.to_owned(), font.clone(), theme::of(ui).text).size().x
    };
    let rows = shown.iter().map(|shown| {
        // The longest number, so that the width does not change with the values.
        width(shown.name(), &name) + width(&format!("−0.00000 {}", shown.unit()), &value)
    });
    let widest = rows.fold(0.0, f32::max) + 8.0 + 3.0 * 6.0 + theme::SPACE;
    let least = 1.5 * LEGEND_WIDTH;
    widest.clamp(least, least.max(ui.available_width() / 3.0))
}

/// Lays out the names of the curves with their colours and their values at `time`, s, or else the latest.
fn legend_ui(ui: &mut Ui, shown: &[Shown<'_>], time: Option<f64>, omitted: usize) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        if let Some(time) = time {
            title_ui(ui, "at", &format!("{time:.4} s"));
        }
        for shown in shown {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
                ui.painter().rect_filled(rect, 2.0, theme::of(ui).curve(shown.color));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let latest = || shown.readings.samples(shown.number).next_back().map_or(f64::NAN, |[_, value]| value);
                    let value = time.map_or_else(latest, |time| shown.readings.at(shown.number, time));
                    let value = RichText::new(with_unit(value, shown.unit())).monospace().size(11.0);
                    ui.label(value);
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.add(egui::Label::new(RichText::new(shown.name()).small()).truncate());
                    });
                });
            });
        }
        if omitted > 0 {
            hint_ui(ui, format!("and {} more: Chosen, or sph run --probes", format::count(omitted as u64)));
        }
    });
}

/// Lays out the plot of all curves with this unit, with lines at the present time and at `time`, s. Returns the time under the pointer.
fn unit_ui(ui: &mut Ui, shown: &[Shown<'_>], unit: &'static str, (present, time): (f64, Option<f64>)) -> Option<f64> {
    let label = move |position: &HoverPosition<'_>| match position {
        HoverPosition::NearDataPoint { plot_name, position, .. } => {
            Some(format!("{plot_name}\n{} at {:.4} s", with_unit(position.y, unit), position.x))
        }
        HoverPosition::Elsewhere { .. } => None,
    };
    let colors = theme::of(ui);
    let plot = plot(ui, &format!("curves in {unit}"), |(low, high)| nice_step(0.2 * (high - low))).label_formatter(label);
    let (mut first, mut latest) = (f64::INFINITY, f64::NEG_INFINITY);
    for (start, end) in shown.iter().filter_map(|shown| shown.readings.span()) {
        (first, latest) = (start.min(first), end.max(latest));
    }
    if first > latest {
        (first, latest) = (0.0, 0.0);
    }
    let drawn = plot.show(ui, |plot| {
        for (number, shown) in shown.iter().enumerate().filter(|(_, shown)| shown.unit() == unit) {
            // Breaks of a curve are lines of their own, so that no line crosses a time without fluid.
            let samples: Vec<[f64; 2]> = shown.readings.samples(shown.number).collect();
            for part in samples.split(|[_, value]| value.is_nan()).filter(|part| !part.is_empty()) {
                let line = Line::new(shown.name(), PlotPoints::from(part.to_vec()));
                plot.line(line.id((number, part[0][0].to_bits())).color(colors.curve(shown.color)).width(1.5));
            }
        }
        if let Some(time) = time {
            plot.vline(VLine::new("", time).color(colors.text_quiet).width(1.0).allow_hover(false));
        }
        // After going back, what came later is still there.
        if present < latest {
            plot.vline(VLine::new("", present).color(colors.warning).width(1.0).allow_hover(false));
        }
        plot.set_plot_bounds_x(first..=latest.max(first + 1e-3));
    });
    let pointer = drawn.response.hover_pos()?;
    Some(drawn.transform.value_from_position(pointer).x.clamp(first, latest))
}

/// A value with its unit; a dash without fluid.
fn with_unit(value: f64, unit: &str) -> String {
    if value.is_nan() { "–".to_owned() } else { format!("{} {unit}", format::grouped(value).replace('-', "−")) }
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
