//! Readings over simulated time, of the scene's probes or of the whole fluid: a plot for each unit.

use super::frame::{LEAST_WIDTH, LEGEND_WIDTH, column_ui, nice_step, plot, title_ui};
use crate::session::{Readings, Snapshot};
use crate::ui::theme;
use crate::ui::widgets::{format, hint_ui};
use egui::{Align, Layout, RichText, ScrollArea, Sense, Ui, vec2};
use egui_plot::{HoverPosition, Line, PlotPoints, VLine};

/// Place of the guide's chapter on probes.
const GUIDE: &str = "docs/guide/scene-files.md, “[[probes]]: instruments”";

/// Lays out the names of the readings and their plots.
pub(super) fn probes_ui(ui: &mut Ui, snapshot: &Snapshot) {
    let readings = &snapshot.readings;
    if readings.curves().is_empty() {
        let text = format!("This scene has no [[probes]]; {GUIDE} shows how to add them.");
        ui.centered_and_justified(|ui| hint_ui(ui, text));
        return;
    }
    readings_ui(ui, readings, snapshot.time);
}

/// Lays out the names of `readings` and their plots, with a line at the present time, s.
pub(super) fn readings_ui(ui: &mut Ui, readings: &Readings, present: f64) {
    let mut units: Vec<&str> = Vec::new();
    for curve in readings.curves() {
        if !units.contains(&curve.reading.unit) {
            units.push(curve.reading.unit);
        }
    }
    let legend_width = legend_width(ui, readings);
    column_ui(ui, legend_width, |ui| legend_ui(ui, readings));
    ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        let share = ui.available_width() / units.len() as f32 - theme::SPACE;
        ui.horizontal_top(|ui| {
            for unit in units {
                column_ui(ui, share.max(LEAST_WIDTH), |ui| {
                    title_ui(ui, unit, "");
                    unit_ui(ui, readings, unit, present);
                });
            }
        });
    });
}

/// Width of the legend, points, in which no name is cut unless it is longer than a third of the panel.
fn legend_width(ui: &Ui, readings: &Readings) -> f32 {
    let (name, value) = (egui::TextStyle::Small.resolve(ui.style()), egui::FontId::monospace(11.0));
    let width = |text: &str, font: &egui::FontId| {
        ui.painter().layout_no_wrap(text.to_owned(), font.clone(), theme::of(ui).text).size().x
    };
    let rows = readings.curves().iter().map(|curve| {
        // The longest number, so that the width does not change with the values.
        width(&curve.reading.label, &name) + width(&format!("−0.00000 {}", curve.reading.unit), &value)
    });
    let widest = rows.fold(0.0, f32::max) + 8.0 + 3.0 * 6.0 + theme::SPACE;
    let least = 1.5 * LEGEND_WIDTH;
    widest.clamp(least, least.max(ui.available_width() / 3.0))
}

/// Lays out the names of the readings with their colours and latest values.
fn legend_ui(ui: &mut Ui, readings: &Readings) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for (number, curve) in readings.curves().iter().enumerate() {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
                ui.painter().rect_filled(rect, 2.0, theme::of(ui).curve(number));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let latest = readings.samples(number).next_back().map_or(f64::NAN, |[_, value]| value);
                    let value = RichText::new(with_unit(latest, curve.reading.unit)).monospace().size(11.0);
                    ui.label(value);
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.add(egui::Label::new(RichText::new(&curve.reading.label).small()).truncate());
                    });
                });
            });
        }
        if readings.omitted() > 0 {
            hint_ui(ui, format!("and {} more: sph run --probes", format::count(readings.omitted() as u64)));
        }
    });
}

/// Lays out the plot of all readings with this unit.
fn unit_ui(ui: &mut Ui, readings: &Readings, unit: &'static str, present: f64) {
    let label = move |position: &HoverPosition<'_>| match position {
        HoverPosition::NearDataPoint { plot_name, position, .. } => {
            Some(format!("{plot_name}\n{} at {:.4} s", with_unit(position.y, unit), position.x))
        }
        HoverPosition::Elsewhere { .. } => None,
    };
    let colors = theme::of(ui);
    let plot = plot(ui, unit, |(low, high)| nice_step(0.2 * (high - low))).label_formatter(label);
    plot.show(ui, |plot| {
        for (number, curve) in readings.curves().iter().enumerate().filter(|(_, curve)| curve.reading.unit == unit) {
            // Breaks of a curve are lines of their own, so that no line crosses a time without fluid.
            let samples: Vec<[f64; 2]> = readings.samples(number).collect();
            for part in samples.split(|[_, value]| value.is_nan()).filter(|part| !part.is_empty()) {
                let line = Line::new(&*curve.reading.label, PlotPoints::from(part.to_vec()));
                plot.line(line.id((number, part[0][0].to_bits())).color(colors.curve(number)).width(1.5));
            }
        }
        let (first, latest) = readings.span().unwrap_or_default();
        // After going back, what came later is still there.
        if present < latest {
            plot.vline(VLine::new("", present).color(colors.warning).width(1.0).allow_hover(false));
        }
        plot.set_plot_bounds_x(first..=latest.max(first + 1e-3));
    });
}

/// A value with its unit; a dash without fluid.
fn with_unit(value: f64, unit: &str) -> String {
    if value.is_nan() { "–".to_owned() } else { format!("{} {unit}", format::significant(value).replace('-', "−")) }
}
