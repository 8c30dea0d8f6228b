//! Cost of the last seconds: stacked time of each phase, and one quantity of the grid. The plots show every sample; the
//! numbers beside them are medians of the last two seconds with the same grid.

use super::frame::{LEAST_WIDTH, LEGEND_WIDTH, column_ui, plot, title_ui};
use crate::session::{History, Sample, Snapshot};
use crate::ui::widgets::{format, highlight, hint_ui};
use crate::ui::{Quantity, Side, theme};
use egui::{Align, Color32, Layout, RichText, Sense, Stroke, Ui, vec2};
use egui_plot::{FilledArea, Line, PlotPoints, PlotUi};
use sph_core::Phase;

/// Running time that the plots span, s.
const SPAN: f64 = 12.0;

/// Lays out the plots side by side, for the grid of `side`; in a comparison, a line shows the other grid.
pub(super) fn costs_ui(ui: &mut Ui, snapshot: &Snapshot, side: Side, plotted: &mut Quantity) {
    let rival = snapshot.rival.as_ref().map(|rival| &rival.history);
    let (samples, other) = match (side, rival) {
        (Side::B, Some(rival)) => (rival, Some(&snapshot.history)),
        (_, rival) => (&snapshot.history, rival),
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
        highlight::note(ui, format::phase(phase), row.response.rect);
    }
}

/// Lays out a plot of the last seconds.
pub(super) fn plot_ui<'a>(ui: &mut Ui, id: &str, contents: impl FnOnce(&mut PlotUi<'a>) + 'a) {
    plot(ui, id, |_| 5.0).include_y(0.0).show(ui, |plot| {
        plot.set_plot_bounds_x(-SPAN..=0.0);
        contents(plot);
    });
}

/// Plots a value over the last seconds; time 0 is the end of the history.
pub(super) fn line(plot: &mut PlotUi<'_>, name: &str, history: &History, color: Color32, value: impl Fn(&Sample) -> f64) {
    let end = history.samples().next_back().map_or(0.0, |latest| latest.seconds);
    let points = history.samples().map(|sample| [sample.seconds - end, value(sample)]);
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
