//! Curves over simulated time, of the scene's probes, of the whole fluid, or of the user's choice: a plot for each unit.

use super::{ChosenCurves, LEAST_WIDTH, LEGEND_WIDTH, Shown, choice_ui, column_ui, nice_step, plot, title_ui};
use crate::session::Snapshot;
use crate::ui::theme;
use crate::ui::widgets::{format, hint_ui};
use egui::{Align, Button, Layout, RichText, ScrollArea, Sense, Stroke, Ui, vec2};
use egui_plot::{FilledArea, HoverPosition, Line, PlotPoints, VLine};

/// Probe that every scene can have, as its file describes it.
const EXAMPLE: &str = "[[probes]]\nname = \"energy\"\nkind = \"energy\"\n";

/// Lays out the names of the readings and their plots, or an example of a probe.
pub fn probes_ui(ui: &mut Ui, shown: &[Shown<'_>], snapshot: &Snapshot, hovered: &mut Option<f64>) {
    if shown.is_empty() {
        ui.vertical(|ui| {
            hint_ui(ui, "This scene has no probes. Add some at the end of its file, such as this one, and reload it:");
            ui.horizontal_top(|ui| {
                ui.label(RichText::new(EXAMPLE.trim_end()).monospace().size(11.0));
                let copy = Button::new(RichText::new("Copy").small());
                if ui.add(copy).on_hover_text("Copy the example to the clipboard.").clicked() {
                    ui.copy_text(EXAMPLE.to_owned());
                }
            });
            hint_ui(
                ui,
                "Kinds: pressure, density, water_height, front, velocity, region, flux, energy, force, motion and others.",
            );
        });
        return;
    }
    readings_ui(ui, (shown, snapshot.readings.omitted()), snapshot.time, hovered, |_| ());
}

/// Lays out the choice of curves, and how particles are chosen.
pub fn nothing_ui(ui: &mut Ui, chosen: &mut ChosenCurves, snapshot: &Snapshot) {
    ui.vertical(|ui| {
        choice_ui(ui, chosen, snapshot);
        hint_ui(
            ui,
            "Plot any statistic of a step and any reading of a probe. To plot values of particles, click some in the 3D view with \
             Ctrl held, or drag a box around them.",
        );
    });
}

/// Lays out the names of the curves `shown`, with how many others there are, and their plots, with lines at the `present` time, s, if the view
/// has gone back to it, and at the time under the pointer. Beside the names are the values at that time, or else the latest. What `above`
/// lays out is above them.
pub fn readings_ui(
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
    // In a narrow panel the names and values of many curves come first: the plots would be strips.
    let is_narrow = ui.available_width() < LEAST_FOR_PLOTS && shown.len() > FEW;
    let legend_width = if is_narrow { ui.available_width() } else { legend_width(ui, shown) };
    let time = hovered.take();
    let latest = shown.iter().filter_map(|shown| shown.readings.span()).map(|(_, end)| end).fold(f64::NEG_INFINITY, f64::max);
    // After going back, the values are those of the moment in the view.
    let of_moment = time.or((present < latest).then_some(present));
    column_ui(ui, legend_width, |ui| {
        above(ui);
        legend_ui(ui, shown, of_moment, omitted);
    });
    if is_narrow {
        return;
    }
    ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        let share = ui.available_width() / units.len() as f32 - theme::SPACE;
        // In a narrow panel a plot is seen as a whole.
        let least = LEAST_WIDTH.min(ui.available_width());
        ui.horizontal_top(|ui| {
            for unit in units {
                column_ui(ui, share.max(least), |ui| {
                    // Beside the values of the legend, a unit alone would seem to be theirs.
                    let title = if unit.is_empty() { "Number".to_owned() } else { format!("Readings in {unit}") };
                    title_ui(ui, &title, "");
                    if let Some(under) = unit_ui(ui, shown, unit, (present, time)) {
                        *hovered = Some(under);
                    }
                });
            }
        });
    });
}

/// Least width of the legend of more than a few curves with plots beside it, points.
const LEAST_FOR_PLOTS: f32 = 250.0;
const FEW: usize = 2;

/// Width of the legend, points, in which no name is cut unless it is longer than a third of the panel, or there would be no room for a plot.
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
    let room = ui.available_width();
    // A plot beside it comes first.
    widest.clamp(least, least.max(room / 3.0)).min((room - LEAST_WIDTH).max(0.4 * room))
}

/// Least width of a legend with values, points.
const LEAST_FOR_VALUES: f32 = 120.0;

/// Lays out the names of the curves with their colours and their values at `time`, s, or else the latest.
fn legend_ui(ui: &mut Ui, shown: &[Shown<'_>], time: Option<f64>, omitted: usize) {
    // In a narrow one the names come first: the plots show the values under the pointer.
    let has_values = ui.available_width() >= LEAST_FOR_VALUES;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        if let Some(time) = time.filter(|_| has_values) {
            title_ui(ui, "at", &format!("{time:.4} s"));
        }
        for shown in shown {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
                ui.painter().rect_filled(rect, 2.0, theme::of(ui).curve(shown.color));
                let name = egui::Label::new(RichText::new(shown.name()).small()).truncate();
                if !has_values {
                    ui.add(name);
                    return;
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let latest = || shown.readings.samples(shown.number).next_back().map_or(f64::NAN, |[_, value]| value);
                    let value = time.map_or_else(latest, |time| shown.readings.at(shown.number, time));
                    let value = RichText::new(with_unit(value, shown.unit())).monospace().size(11.0);
                    ui.label(value);
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.add(name);
                    });
                });
            });
        }
        if omitted > 0 {
            hint_ui(ui, format!("and {} more: Chosen, or sph run --probes", format::count(omitted as u64)));
        }
    });
}

/// Least time that a plot spans, s: of less, the labels of its ticks would be alike.
const LEAST_SPAN: f64 = 0.1;

/// Width of a label of the time axis with the space around it, points.
const TICK_WIDTH: f32 = 64.0;

/// Lays out the plot of all curves with this unit, with lines at the present time and at `time`, s. Returns the time under the pointer.
fn unit_ui(ui: &mut Ui, shown: &[Shown<'_>], unit: &'static str, (present, time): (f64, Option<f64>)) -> Option<f64> {
    let label = move |position: &HoverPosition<'_>| match position {
        HoverPosition::NearDataPoint { plot_name, position, .. } => {
            Some(format!("{plot_name}\n{} at {:.4} s", with_unit(position.y, unit), position.x))
        }
        HoverPosition::Elsewhere { .. } => None,
    };
    let colors = theme::of(ui);
    // As many as have room side by side.
    let ticks = f64::from((ui.available_width() / TICK_WIDTH).floor().clamp(2.0, 5.0));
    let plot =
        plot(ui, &format!("curves in {unit}"), move |(low, high)| nice_step((high - low) / ticks)).label_formatter(label);
    let (mut first, mut latest) = (f64::INFINITY, f64::NEG_INFINITY);
    for (start, end) in shown.iter().filter_map(|shown| shown.readings.span()) {
        (first, latest) = (start.min(first), end.max(latest));
    }
    if first > latest {
        (first, latest) = (0.0, 0.0);
    }
    let column = COLUMN * (latest - first) / f64::from(ui.available_width().max(1.0));
    let drawn = plot.show(ui, |plot| {
        for (number, shown) in shown.iter().enumerate().filter(|(_, shown)| shown.unit() == unit) {
            // Breaks of a curve are lines of their own, so that no line crosses a time without fluid.
            let samples: Vec<[f64; 2]> = shown.readings.samples(shown.number).collect();
            for part in samples.split(|[_, value]| value.is_nan()).filter(|part| !part.is_empty()) {
                let color = colors.curve(shown.color);
                let columns = columns(part, column);
                let means = columns.iter().map(|column| [column.time, column.mean]).collect::<Vec<_>>();
                if means.len() < part.len() {
                    let all = |of: fn(&Column) -> f64| columns.iter().map(of).collect::<Vec<_>>();
                    let (times, low, high) = (all(|column| column.time), all(|column| column.low), all(|column| column.high));
                    let band = FilledArea::new(shown.name(), &times, &low, &high).fill_color(color.gamma_multiply(BAND));
                    plot.add(band.stroke(Stroke::NONE).allow_hover(false));
                }
                let line = Line::new(shown.name(), PlotPoints::from(means));
                plot.line(line.id((number, part[0][0].to_bits())).color(color).width(1.5));
            }
        }
        if let Some(time) = time {
            plot.vline(VLine::new("", time).color(colors.text_quiet).width(1.0).allow_hover(false));
        }
        // After going back, what came later is still there.
        if present < latest {
            plot.vline(VLine::new("", present).color(colors.warning).width(1.0).allow_hover(false));
        }
        plot.set_plot_bounds_x(first..=latest.max(first + LEAST_SPAN));
    });
    let pointer = drawn.response.hover_pos()?;
    Some(drawn.transform.value_from_position(pointer).x.clamp(first, latest))
}

// Curves that swing within a few points of the screen: their mean, and a band from the lowest to the highest value. A line through all values
// would fill areas.

/// Width of a column, points, and opacity of the band.
const COLUMN: f64 = 3.0;
const BAND: f32 = 0.35;

/// Samples that fall into one column.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Column {
    /// Mean time, s.
    time: f64,
    mean: f64,
    low: f64,
    high: f64,
}

/// The `samples`, times ascending, in columns of `width` s; those of a column that has only one as they are.
fn columns(samples: &[[f64; 2]], width: f64) -> Vec<Column> {
    let number = |[time, _]: &[f64; 2]| if width > 0.0 { (time / width).floor() } else { *time };
    let columns = samples.chunk_by(|a, b| number(a) == number(b));
    let column = |samples: &[[f64; 2]]| {
        let mean = |of: usize| samples.iter().map(|sample| sample[of]).sum::<f64>() / samples.len() as f64;
        let fold = |start, pick: fn(f64, f64) -> f64| samples.iter().map(|sample| sample[1]).fold(start, pick);
        Column { time: mean(0), mean: mean(1), low: fold(f64::INFINITY, f64::min), high: fold(f64::NEG_INFINITY, f64::max) }
    };
    columns.map(column).collect()
}

/// A value with its unit; a dash without fluid.
fn with_unit(value: f64, unit: &str) -> String {
    if value.is_nan() { "–".to_owned() } else { format!("{} {unit}", format::grouped(value).replace('-', "−")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_of_a_column_become_their_mean_and_range() {
        let samples = [[0.0, 1.0], [0.1, 3.0], [0.2, 2.0], [1.0, 7.0], [2.5, 4.0]];
        let found = columns(&samples, 0.5);
        let one = |time, value| Column { time, mean: value, low: value, high: value };
        assert_eq!(found[1..], [one(1.0, 7.0), one(2.5, 4.0)]);
        assert!((found[0].time - 0.1).abs() < 1e-12 && found[0].mean == 2.0);
        assert_eq!([found[0].low, found[0].high], [1.0, 3.0]);
        assert_eq!(columns(&samples, 0.0).len(), samples.len(), "a span without length");
    }
}
