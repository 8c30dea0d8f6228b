//! Heat map: cost of one structure over table size and cell spacing.

use super::widgets::format::describe;
use crate::session::Stage;
use crate::ui::theme;
use crate::ui::widgets::{format, hint_ui};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use sph_color;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::tuning::{Cost, Results, Trial, Verdict};

/// Width of the labels at the left, and height of the labels below, points.
const LEFT: f32 = 124.0;
const BELOW: f32 = 18.0;

/// Height of a cell, its largest width, and the least width for a number, points.
const HEIGHT: f32 = 21.0;
const WIDEST: f32 = 96.0;
const LEGIBLE: f32 = 37.0;

/// Lays out the map of `structure`: table size along x, cell spacing along y, colour and number for the time of build and
/// query; `present` is the current grid. Returns the clicked configuration.
pub fn tuning_map_ui(
    ui: &mut Ui,
    (results, stage): (&Results, Stage),
    structure: Structure,
    present: &GridParameters,
) -> Option<GridParameters> {
    let (tables, sizes) = (results.plan.table_sizes_of(structure), results.plan.cell_sizes_of(structure));
    let width = ((ui.available_width() - LEFT) / tables.len().max(1) as f32).clamp(8.0, WIDEST);
    let size = vec2(LEFT + width * tables.len() as f32, HEIGHT * sizes.len() as f32 + BELOW);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let best = results.best_of(structure).map(|(grid, _)| grid);
    let costs = combinations(tables, sizes).filter_map(|(table, size)| results.trial(structure, table, size)?.cost());
    let least = costs.map(Cost::total_ms).reduce(f64::min).unwrap_or(1.0);
    let is_of_fluid = results.plan.discretization.is_some();
    let map = Map { rect, width, tables, sizes, structure, support_radius: results.support_radius, is_of_fluid, least };
    let mut clicked = None;
    for (column, row) in (0..tables.len()).flat_map(|column| (0..sizes.len()).map(move |row| (column, row))) {
        let Some(trial) = results.trial(structure, tables[column], sizes[row]) else {
            ui.painter().rect_filled(map.cell(column, row).shrink(0.5), 0.0, theme::of(ui).background);
            continue;
        };
        let response = map.trial_ui(ui, column, row, trial, best == Some(trial.grid));
        if response.clicked() && !matches!(trial.verdict, Verdict::Refused(_)) {
            clicked = Some(trial.grid);
        }
        response.on_hover_ui(|ui| hover_ui(ui, trial, is_of_fluid));
    }
    map.axes_ui(ui);
    let tip = map.mark_tip(present);
    if let Some(tip) = tip {
        mark_ui(ui, tip);
    }
    let fastest = match stage {
        _ if results.has_finals() => "fastest of this structure, re-timed",
        Stage::Running => "fastest of this structure so far",
        _ => "fastest of this structure",
    };
    let chance = if results.has_finals() { ". Those without an outline were timed once, and may be low by chance" } else { "" };
    hint_ui(ui, map.axes_text() + chance);
    legend_ui(ui, least, fastest, tip.is_some());
    clicked
}

/// All combinations of table size and cell size.
fn combinations<'a>(tables: &'a [u32], sizes: &'a [f32]) -> impl Iterator<Item = (u32, f32)> + 'a {
    tables.iter().flat_map(move |&table| sizes.iter().map(move |&size| (table, size)))
}

/// Paints an outline of this width, points, inside `rect`: white in black, which is seen on every colour of the map.
fn outline(painter: &Painter, rect: Rect, width: f32) {
    painter.rect_stroke(rect, 0.0, Stroke::new(width + 1.5, Color32::BLACK), StrokeKind::Inside);
    painter.rect_stroke(rect, 0.0, Stroke::new(width, Color32::WHITE), StrokeKind::Inside);
}

/// Paints the mark of the current grid, a triangle that points down.
fn mark_ui(ui: &Ui, tip: Pos2) {
    let points = vec![tip, tip + vec2(-5.0, -5.0), tip + vec2(5.0, -5.0)];
    ui.painter().add(Shape::convex_polygon(points, Color32::WHITE, Stroke::new(1.0, Color32::BLACK)));
}

struct Map<'a> {
    rect: Rect,
    /// Width of a cell, points.
    width: f32,
    tables: &'a [u32],
    sizes: &'a [f32],
    structure: Structure,
    /// Support radius, m.
    support_radius: f32,
    /// True for the search of the fluid, false for one of point sets, whose radius is not the support radius.
    is_of_fluid: bool,
    /// Least time on the map, ms.
    least: f64,
}

impl Map<'_> {
    /// Rectangle of a configuration; rows count from the bottom.
    fn cell(&self, column: usize, row: usize) -> Rect {
        let top = self.rect.top() + HEIGHT * (self.sizes.len() - 1 - row) as f32;
        Rect::from_min_size(pos2(self.rect.left() + LEFT + self.width * column as f32, top), vec2(self.width, HEIGHT))
    }

    fn trial_ui(&self, ui: &Ui, column: usize, row: usize, trial: &Trial, best: bool) -> egui::Response {
        let cell = self.cell(column, row);
        let response = ui.interact(cell, ui.scope_id().with(("trial", column, row)), Sense::click());
        let name = || egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Try {}", describe(&trial.grid)));
        response.widget_info(name);
        let (fill, text) = match &trial.verdict {
            Verdict::Measured(cost) => {
                let [r, g, b] = sph_color::cost(cost.total_ms() / self.least);
                (Color32::from_rgb(r, g, b), milliseconds(cost.total_ms()))
            }
            Verdict::TooSlow { .. } => (theme::of(ui).control, "slow".to_owned()),
            Verdict::Refused(_) => (theme::of(ui).control, "–".to_owned()),
        };
        let painter = ui.painter();
        painter.rect_filled(cell.shrink(0.5), 0.0, fill);
        if self.width >= LEGIBLE {
            let ink = if luma(fill) > 130.0 { Color32::BLACK } else { Color32::WHITE };
            painter.text(cell.center(), Align2::CENTER_CENTER, text, FontId::monospace(11.0), ink);
        }
        if best || response.hovered() {
            outline(painter, cell.shrink(1.0), if best { 2.0 } else { 1.0 });
        }
        response
    }

    fn axes_ui(&self, ui: &Ui) {
        let (painter, font) = (ui.painter(), FontId::monospace(11.0));
        for (row, &size) in self.sizes.iter().enumerate() {
            let ratio = size / self.support_radius;
            let text = match self.structure {
                Structure::BruteForce => "no cells".to_owned(),
                _ => format!("{} m · {ratio:4.2} r", format::length(size.into())),
            };
            let place = pos2(self.rect.left() + LEFT - 6.0, self.cell(0, row).center().y);
            painter.text(place, Align2::RIGHT_CENTER, text, font.clone(), theme::of(ui).text_quiet);
        }
        let floor = self.rect.bottom() - BELOW;
        if self.structure.has_table() {
            for (column, &table) in self.tables.iter().enumerate() {
                // In narrow cells, every second number is left out.
                if self.width >= 44.0 || column % 2 == 0 {
                    let place = pos2(self.cell(column, 0).center().x, floor + 3.0);
                    painter.text(place, Align2::CENTER_TOP, short(table), font.clone(), theme::of(ui).text_quiet);
                }
            }
        }
    }

    /// Names of the axes and of the colours.
    fn axes_text(&self) -> String {
        let radius = if self.is_of_fluid { "support" } else { "search" };
        let across = if self.structure.has_table() { "x: table size (buckets); " } else { "" };
        format!("{across}y: cell spacing (r = {radius} radius); colour: build and query, ms per step")
    }

    /// Tip of the mark of a configuration: interpolated between columns, at the top of the nearest row, clear of its number.
    /// `None` for other structures and outside the map.
    fn mark_tip(&self, grid: &GridParameters) -> Option<Pos2> {
        if grid.structure != self.structure || self.structure == Structure::BruteForce {
            return None;
        }
        let x = if self.structure.has_table() {
            along(self.tables.iter().map(|&table| table as f32), grid.table_size as f32)?
        } else {
            0.0
        };
        let y = along(self.sizes.iter().copied(), grid.cell_size)?;
        let origin = self.cell(0, 0).center();
        Some(origin + vec2(x * self.width, 5.0 - HEIGHT * (y.round() + 0.5)))
    }
}

/// Logarithmic position of `value` among ascending `ticks`, in ticks from the first; `None` outside.
fn along(ticks: impl Iterator<Item = f32> + Clone, value: f32) -> Option<f32> {
    let pairs = ticks.clone().zip(ticks.clone().skip(1)).enumerate();
    let inside = |low: f32, high: f32| (0.999 * low..=1.001 * high).contains(&value);
    let (index, (low, high)) = pairs.into_iter().find(|&(_, (low, high))| inside(low, high))?;
    Some(index as f32 + ((value / low).ln() / (high / low).ln()).clamp(0.0, 1.0))
}

/// Lays out what a trial has found; searches of points find pairs, that of the fluid neighbours.
fn hover_ui(ui: &mut Ui, trial: &Trial, is_of_fluid: bool) {
    let candidates = if is_of_fluid { "Candidates per neighbour" } else { "Candidates per pair" };
    ui.label(describe(&trial.grid));
    match &trial.verdict {
        Verdict::Measured(cost) => {
            let mut rows = vec![
                ("Build", format!("{:.3} ms", cost.build_ms)),
                ("Query", format!("{:.3} ms", cost.query_ms)),
                (candidates, format::ratio(cost.candidates_per_neighbor())),
                ("Load factor", format!("{:.3}", cost.load_factor)),
                ("Spills", format::count(cost.spills as u64)),
                ("Memory", format::bytes(cost.bytes)),
            ];
            if !trial.grid.structure.has_table() {
                rows.retain(|(name, _)| *name != "Load factor");
            }
            egui::Grid::new("trial").num_columns(2).spacing([2.0 * theme::SPACE, 2.0]).show(ui, |ui| {
                for (name, value) in rows {
                    ui.label(egui::RichText::new(name).color(theme::of(ui).text_quiet));
                    ui.monospace(value);
                    ui.end_row();
                }
            });
        }
        Verdict::TooSlow { predicted_ms } => {
            ui.label(format!("Skipped: estimated time {} ms.", milliseconds(*predicted_ms)));
        }
        Verdict::Refused(reason) => {
            ui.label(format!("Not possible: {reason}."));
        }
    }
}

/// Lays out the legend of colours and marks; `has_current`: true if the current grid is marked.
fn legend_ui(ui: &mut Ui, least: f64, fastest: &str, has_current: bool) {
    ui.horizontal_wrapped(|ui| {
        let color = theme::of(ui).text_quiet;
        let small = |text: String| egui::RichText::new(text).monospace().size(11.0).color(color);
        ui.label(small(format!("{} ms", milliseconds(least))));
        let (bar, _) = ui.allocate_exact_size(vec2(96.0, 10.0), Sense::hover());
        let step = bar.width() / 32.0;
        for index in 0..32 {
            let [r, g, b] = sph_color::cost(sph_color::DEAREST.powf((f64::from(index) + 0.5) / 32.0));
            let left = bar.left() + step * index as f32;
            let part = Rect::from_min_max(pos2(left, bar.top()), pos2(left + step + 0.5, bar.bottom()));
            ui.painter().rect_filled(part, 0.0, Color32::from_rgb(r, g, b));
        }
        ui.label(small(format!("≥ {} ms", milliseconds(sph_color::DEAREST * least))));
        ui.add_space(theme::SPACE);
        wrap_before(ui, fastest);
        let (mark, _) = ui.allocate_exact_size(vec2(14.0, 12.0), Sense::hover());
        outline(ui.painter(), mark, 2.0);
        ui.label(small(fastest.to_owned())).on_hover_text(
            "Fastest configuration of this structure. At the end, the fastest of each structure are timed again, alternately, and \
                only these times count: a single measurement may be low by chance.",
        );
        ui.add_space(theme::SPACE);
        wrap_before(ui, "current");
        let (mark, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
        // Where it is not marked, the line keeps its height, so that the layout does not move.
        if has_current {
            mark_ui(ui, mark.center() + vec2(0.0, 3.0));
            ui.label(small("current".to_owned()));
        }
    });
}

/// Begins a line, unless this one has room for a mark and its `label`, which belong together.
fn wrap_before(ui: &mut Ui, label: &str) {
    let font = FontId::monospace(11.0);
    let label = ui.painter().layout_no_wrap(label.to_owned(), font, Color32::PLACEHOLDER).size().x;
    if ui.available_size_before_wrap().x < label + 14.0 + 2.0 * ui.spacing().item_spacing.x {
        ui.end_row();
    }
}

/// Formats a time with three digits, ms, without the unit.
fn milliseconds(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}

/// Formats a power of two: `512`, `64 Ki`.
fn short(table: u32) -> String {
    match table {
        table if table >= 1 << 20 => format!("{} Mi", table >> 20),
        table if table >= 1 << 10 => format!("{} Ki", table >> 10),
        table => table.to_string(),
    }
}

fn luma(color: Color32) -> f32 {
    0.299 * f32::from(color.r()) + 0.587 * f32::from(color.g()) + 0.114 * f32::from(color.b())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_ticks_are_interpolated() {
        let ticks = [256.0, 512.0, 1024.0, 2048.0];
        let check = |value: f32, expected: Option<f32>| assert_eq!(along(ticks.into_iter(), value), expected, "{value}");
        check(256.0, Some(0.0));
        check(1024.0, Some(2.0));
        check(2048.0, Some(3.0));
        check(100.0, None);
        check(5000.0, None);
        let between = along(ticks.into_iter(), 724.077).expect("inside");
        assert!((between - 1.5).abs() < 1e-3, "{between}");
    }
}
