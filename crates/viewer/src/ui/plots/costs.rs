//! Cost of the last steps, over running time: the time of each phase and one quantity of the grid; the pressure solve.

use super::{LEAST_WIDTH, LEGEND_WIDTH, column_ui, plot, title_ui};
use crate::session::{Sample, Snapshot, StepCosts};
use crate::ui::point_search::Noun;
use crate::ui::widgets::{format, hint_ui, outline};
use crate::ui::{Side, theme};
use egui::{Align, Color32, Layout, RichText, Sense, Stroke, Ui, vec2};
use egui_plot::{FilledArea, Line, PlotPoints, PlotUi};
use sph_core::Phase;
use sph_core::neighbors::SearchStats;

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

    /// Name on the screen for a search of points, which finds pairs.
    pub(super) fn label_of(self, points: Option<Noun>) -> String {
        let Some(noun) = points else { return self.label().to_owned() };
        let label = match self {
            Self::Candidates => "candidates per pair".to_owned(),
            other => {
                let mut letters = other.label().chars();
                letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
            }
        };
        format!("{}: {label}", format::capitalized(noun.many))
    }

    /// Value in the latest search, as the Grid panel shows it; `None` for times, of which a single one says little.
    fn of_search(self, search: &SearchStats) -> Option<f32> {
        let occupancy = &search.occupancy;
        match self {
            Self::Candidates => Some(search.candidates_per_neighbor() as f32),
            Self::LoadFactor => Some(occupancy.load_factor() as f32),
            Self::OccupiedCells => Some(occupancy.occupied_cells as f32),
            Self::Collisions => Some(occupancy.cells_in_collision as f32),
            Self::LongestBucket => Some(occupancy.longest_bucket as f32),
            Self::Build | Self::Query => None,
        }
    }

    /// Formats a value.
    pub fn format(self, value: f32) -> String {
        match self {
            Self::Candidates => format::ratio(value.into()),
            Self::LoadFactor | Self::Build | Self::Query => format!("{value:.3}"),
            Self::OccupiedCells | Self::Collisions | Self::LongestBucket => format::count(value.round() as u64),
        }
    }
}

// Cost of the last seconds: stacked time of each phase, and one quantity of the grid. The plots show every sample; the
// times beside them are medians of the last two seconds with the same grid, the other numbers those of the latest step.

/// Running time that the plots span, s.
const SPAN: f64 = 12.0;

/// Least width of a single plot, with its axis, points.
const LEAST_PLOT: f32 = 86.0;

/// Lays out the plots side by side, for the grid of `side`; in a comparison, a line shows the other grid. The quantity is of the search of point
/// set `set`, or of the fluid.
pub fn costs_ui(ui: &mut Ui, snapshot: &Snapshot, (side, set): (Side, Option<usize>), plotted: &mut Quantity) {
    // Both sides make the searches alike that are not compared.
    let grid_b = snapshot.grid_b.as_ref().filter(|grid_b| grid_b.set == set);
    let nothing = StepCosts::default();
    let own = snapshot.costs_of(set).unwrap_or(&nothing);
    let (samples, other) = match (side, grid_b.map(|grid_b| &grid_b.step_costs)) {
        (Side::B, Some(grid_b)) => (grid_b, Some(own)),
        (_, grid_b) => (own, grid_b),
    };
    // After going back in time the grid may be an earlier one than that of the latest sample.
    let stats = snapshot.stats.as_ref();
    let search = match (side, grid_b) {
        (Side::B, Some(grid_b)) => grid_b.search(),
        _ => snapshot.search_of(set),
    };
    let of_step = search.and_then(|search| samples.recent_of(search.parameters));
    let Some(recent) = of_step.or_else(|| samples.recent()) else {
        let points = Noun::of(snapshot, set).many;
        let text = match stats {
            Some(_) if set.is_some() => format!("The latest steps have not searched the {points}."),
            None if snapshot.scene.is_none() => "No scene is open.".to_owned(),
            _ => "Available after the first step.".to_owned(),
        };
        ui.centered_and_justified(|ui| hint_ui(ui, text));
        return;
    };
    let points = set.map(|_| Noun::of(snapshot, set));
    let of_points = set.is_some();
    let colors = theme::of(ui);
    // Costs are those of running, which going back does not undo.
    let has_gone_back = snapshot.time < snapshot.timeline.end.time;
    let time_title = match (other, has_gone_back) {
        (Some(_), _) => format!("Grid {}: time per step, ms (line: {})", side.name(), side.other().name()),
        (None, true) => "Time per step, latest steps, ms".to_owned(),
        (None, false) => "Time per step, ms".to_owned(),
    };
    let end = end_of(samples);
    let width = ui.available_width() - LEGEND_WIDTH - theme::SPACE;
    if width < LEAST_PLOT {
        // A plot would be a strip.
        column_ui(ui, ui.available_width(), |ui| phases_ui(ui, &recent, of_points));
        return;
    }
    let both = width >= 2.0 * LEAST_WIDTH + theme::SPACE;
    let widths = if both { [0.6 * width, 0.4 * width - theme::SPACE] } else { [width, 0.0] };
    ui.horizontal_top(|ui| {
        column_ui(ui, LEGEND_WIDTH, |ui| phases_ui(ui, &recent, of_points));
        column_ui(ui, widths[0].max(0.0), |ui| {
            let total: f32 = recent.phase_ms.iter().sum();
            let total = if total < 1000.0 { format!("{total:.2}") } else { format::grouped(total.into()) };
            title_ui(ui, &time_title, &total);
            plot_ui(ui, "phases", 0.0, |plot| {
                stack(plot, in_span(samples), (end, of_points));
                let total = |sample: &Sample| f64::from(sample.phase_ms.iter().sum::<f32>());
                if let Some(other) = other {
                    line(plot, side.other().name(), other, colors.side(side.other()), total);
                }
            });
        });
        if both {
            column_ui(ui, widths[1], |ui| {
                quantity_ui(ui, plotted, (points, search), &recent);
                let plotted = *plotted;
                let value = |sample: &Sample| f64::from(plotted.of(sample));
                let is_zero = in_span(samples).chain(other.into_iter().flat_map(in_span)).all(|sample| value(sample) == 0.0);
                plot_ui(ui, "quantity", if is_zero { 1.0 } else { 0.0 }, |plot| {
                    if let Some(other) = other {
                        line(plot, side.other().name(), other, colors.side(side.other()), value);
                    }
                    let color = if other.is_some() { colors.side(side) } else { colors.accent };
                    line(plot, &plotted.label_of(points), samples, color, value);
                });
            });
        }
    });
}

/// Lays out the title of the plotted quantity, of the fluid or of points, which opens a menu of all quantities, and its value in the latest search,
/// or else the recent one.
fn quantity_ui(ui: &mut Ui, plotted: &mut Quantity, (points, search): (Option<Noun>, Option<&SearchStats>), recent: &Sample) {
    let value = search.and_then(|search| plotted.of_search(search)).unwrap_or_else(|| plotted.of(recent));
    let value = plotted.format(value);
    egui::Sides::new().show(
        ui,
        |ui| {
            let name = RichText::new(plotted.label_of(points)).small().underline().color(theme::of(ui).text_quiet);
            let button = egui::Button::new(name).frame(false);
            egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
                for quantity in Quantity::ALL {
                    if ui.selectable_label(quantity == *plotted, quantity.label_of(points)).clicked() {
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
fn phases_ui(ui: &mut Ui, recent: &Sample, of_points: bool) {
    title_ui(ui, "Phase", "ms");
    let has_points = recent.phase_ms[Phase::Points as usize] > 0.0;
    let phase_ms = phases_of(recent, of_points);
    if has_points {
        // One row more, in the same height.
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().interact_size.y = 13.0;
    }
    for phase in Phase::ALL.into_iter().rev().filter(|&phase| phase != Phase::Points || has_points) {
        let row = ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
            ui.painter().rect_filled(rect, 2.0, theme::phase(phase));
            ui.label(RichText::new(format::phase(phase)).small());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let value = format!("{:.2}", phase_ms[phase as usize]);
                ui.label(RichText::new(value).monospace().size(11.0));
            });
        });
        outline::note(ui, format::phase(phase), row.response.rect);
    }
}

/// Times of the phases of a step, ms. `of_points`: the sample is of a search of points, which takes a part of the time of cloth and balls: that is
/// shown as building and querying.
fn phases_of(sample: &Sample, of_points: bool) -> [f32; Phase::ALL.len()] {
    let mut phase_ms = sample.phase_ms;
    if of_points {
        let Sample { build_ms, query_ms, .. } = *sample;
        phase_ms[Phase::Build as usize] += build_ms;
        phase_ms[Phase::Query as usize] += query_ms;
        let points = &mut phase_ms[Phase::Points as usize];
        *points = (*points - build_ms - query_ms).max(0.0);
    }
    phase_ms
}

/// Lays out a plot of the last seconds, from 0 to at least `top`.
fn plot_ui<'a>(ui: &mut Ui, id: &str, top: f64, contents: impl FnOnce(&mut PlotUi<'a>) + 'a) {
    plot(ui, id, |_| 5.0).include_y(0.0).include_y(top).show(ui, |plot| {
        plot.set_plot_bounds_x(-SPAN..=0.0);
        contents(plot);
    });
}

/// Running time at the end of the history, s.
fn end_of(costs: &StepCosts) -> f64 {
    costs.samples().next_back().map_or(0.0, |latest| latest.seconds)
}

/// Samples that a plot shows. Older ones, which a history of slow steps keeps too, would set the height of its axis unseen.
fn in_span(costs: &StepCosts) -> impl Iterator<Item = &Sample> + Clone {
    let start = end_of(costs) - SPAN;
    costs.samples().filter(move |sample| sample.seconds >= start)
}

/// Plots a value over the last seconds; time 0 is the end of the history.
fn line(plot: &mut PlotUi<'_>, name: &str, costs: &StepCosts, color: Color32, value: impl Fn(&Sample) -> f64) {
    let end = end_of(costs);
    let points = in_span(costs).map(|sample| [sample.seconds - end, value(sample)]);
    let line = Line::new(name, points.collect::<PlotPoints<'_>>());
    plot.line(line.color(color).width(1.5).allow_hover(false));
}

/// Plots one area per phase, stacked.
fn stack<'s>(plot: &mut PlotUi<'_>, samples: impl Iterator<Item = &'s Sample> + Clone, (end, of_points): (f64, bool)) {
    let seconds: Vec<f64> = samples.clone().map(|sample| sample.seconds - end).collect();
    let mut floor = vec![0.0; seconds.len()];
    for phase in Phase::ALL {
        let ms = samples.clone().map(|sample| f64::from(phases_of(sample, of_points)[phase as usize]));
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
            plot_ui(ui, title, 0.0, |plot| {
                for (number, (name, value)) in curves.into_iter().enumerate() {
                    line(plot, name, costs, colors.curve(number), value);
                }
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_of_points_is_taken_out_of_their_time() {
        let mut sample = Sample { build_ms: 1.0, query_ms: 2.0, ..Sample::default() };
        sample.phase_ms[Phase::Points as usize] = 10.0;
        sample.phase_ms[Phase::Query as usize] = 0.5;
        assert_eq!(phases_of(&sample, false), sample.phase_ms);
        let shown = phases_of(&sample, true);
        let of = |phase: Phase| shown[phase as usize];
        assert_eq!([of(Phase::Points), of(Phase::Build), of(Phase::Query)], [7.0, 1.0, 2.5]);
        assert_eq!(shown.iter().sum::<f32>(), 10.5);
    }
}
