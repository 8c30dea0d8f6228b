//! Comparison of two grids of a search side by side: edited side, areas of the two pictures, texts over the pictures.

use super::point_search::Noun;
use super::scene_view::looks;
use super::theme::{self, Colors};
use super::widgets::{badge_ui, format, legend};
use crate::session::{Comparison, ComparisonSnapshot, Inspection, Sample, Snapshot, StepCosts};
use egui::{
    Align, Color32, FontId, Frame, Label, Layout, Margin, Pos2, Rect, RichText, Sense, Sides, Ui, UiBuilder, pos2, vec2,
};
use sph_core::neighbors::{GridParameters, SearchStats};
use sph_core::{Particles, Phase, StepStats};
use sph_render::ShownSets;

// State of the comparison of two grids: the edited side, and grid B as the sliders show it.

/// State of the comparison in the panels.
#[derive(Clone, Copy, Debug, Default)]
pub struct ComparisonPanel {
    /// Grid B as the sliders show it; `None` without a comparison.
    pub grid_b: Option<GridParameters>,
    /// First set of the search that is compared; `None` for that of the fluid.
    pub set: Option<usize>,
    /// Revision number of the requests.
    pub revision: u64,
    /// Side whose grid is edited.
    pub side: Side,
    /// Search and grid B of the comparison before in this scene: the next one begins with it.
    pub before: Option<(Option<usize>, GridParameters)>,
}

impl ComparisonPanel {
    /// Takes over grid B from `snapshot`, unless a request is still pending.
    pub fn follow(&mut self, snapshot: &Snapshot, new_scene: bool) {
        if new_scene {
            self.before = None;
        }
        if new_scene || snapshot.comparison_revision == self.revision {
            self.grid_b = snapshot.grid_b.as_ref().map(|grid_b| grid_b.grid);
            self.set = snapshot.grid_b.as_ref().and_then(|grid_b| grid_b.set);
        }
        if self.grid_b.is_none() {
            self.side = Side::A;
        }
    }
}

// Sides of a comparison, and their parts of a snapshot.

/// One of the two compared grids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Grid of the simulation, on the left.
    #[default]
    A,
    /// Grid of the second simulation, on the right.
    B,
}

impl Side {
    /// Both sides, from left to right.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// Name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// Inspection of its grid; `None` unless requested.
    pub fn inspection(self, snapshot: &Snapshot) -> Option<&Inspection> {
        match self {
            Self::A => snapshot.inspection.as_deref(),
            Self::B => snapshot.grid_b.as_ref()?.inspection.as_deref(),
        }
    }

    /// Particles in its picture.
    pub fn particles(self, snapshot: &Snapshot) -> &Particles {
        match (self, &snapshot.grid_b) {
            (Self::B, Some(grid_b)) => &grid_b.particles,
            _ => &snapshot.particles,
        }
    }

    /// Cloths and balls in its picture.
    pub fn sets(self, snapshot: &Snapshot) -> &ShownSets {
        match (self, &snapshot.grid_b) {
            (Self::B, Some(grid_b)) => &grid_b.sets,
            _ => &snapshot.sets,
        }
    }

    /// The other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

// Division of the 3D view: one picture, or two side by side.

/// Width of the line between the pictures, points.
const DIVIDER: f32 = 2.0;

/// Least size of the 3D view with two pictures, points: both show the fluid and the whole of their summary.
pub const LEAST_VIEWS: [f32; 2] = [2.0 * 250.0 + DIVIDER, theme::LEAST_SCENE[1]];

/// Area of the 3D view, undivided or in two halves of equal size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Views {
    /// Whole area, points.
    pub area: Rect,
    /// True for two pictures.
    pub divided: bool,
}

impl Views {
    /// Area of picture A: the simulation.
    pub fn a(self) -> Rect {
        if self.divided {
            Rect::from_min_max(self.area.min, pos2(self.divider().left(), self.area.bottom()))
        } else {
            self.area
        }
    }

    /// Area of picture B; `None` without a comparison.
    pub fn b(self) -> Option<Rect> {
        let right = || Rect::from_min_max(pos2(self.divider().right(), self.area.top()), self.area.max);
        self.divided.then(right)
    }

    /// Line between the pictures.
    pub fn divider(self) -> Rect {
        let half = (0.5 * (self.area.width() - DIVIDER)).max(0.0).floor();
        let left = self.area.left() + half;
        Rect::from_min_max(pos2(left, self.area.top()), pos2((self.area.right() - half).max(left), self.area.bottom()))
    }

    /// Area of the picture of `side`.
    pub fn of(self, side: Side) -> Rect {
        match side {
            Side::A => self.a(),
            Side::B => self.b().unwrap_or(self.a()),
        }
    }

    /// Side whose picture contains `position`; A if neither does.
    pub fn at(self, position: Pos2) -> Side {
        // In a window of zero width the pictures coincide.
        let in_b = self.b().is_some_and(|b| b.contains(position)) && !self.a().contains(position);
        if in_b { Side::B } else { Side::A }
    }
}

// Texts over two pictures side by side: structure and cost of each grid, and the comparison of the particle states.

/// Largest width of a summary, and least width for its full texts, points.
const SUMMARY_WIDTHS: [f32; 2] = [400.0, 300.0];

/// Height of a summary, and of the short one of low views, points.
const SUMMARY_HEIGHTS: [f32; 2] = [96.0, 62.0];

/// Height of views below which a summary is short, points: it would leave little room for the fluid.
const LOW: f32 = 420.0;

/// Height of the cell legend and the space above it, points.
const CELL_LEGEND_HEIGHT: f32 = 72.0;

/// Least height of a picture that shows a summary, points.
const LEAST_HEIGHT: f32 = 160.0;

/// Relative difference below which costs count as equal: about the noise of medians on a busy machine.
const NOISE: f64 = 0.1;

/// Height of the verdict line with its frame, points.
pub const VERDICT_HEIGHT: f32 = 28.0;

/// Height of the status line at the lower edge, points.
const STATUS_HEIGHT: f32 = 34.0;

/// One of the two grids with its cost.
struct GridSummary<'a> {
    side: Side,
    grid: GridParameters,
    /// Statistics of the latest search, if it used this grid.
    search: Option<&'a SearchStats>,
    /// What it finds.
    noun: Noun,
    /// Recent time of build and query together, ms.
    ms: Option<f64>,
    failure: Option<&'a str>,
}

impl<'a> GridSummary<'a> {
    /// Uses only measurements of the search in the latest step and of `costs` that were made with `grid`. `step` is that step, of which the fluid's
    /// search is one with that of its walls.
    fn new(
        side: Side,
        (grid, noun): (GridParameters, Noun),
        (search, step): (Option<&'a SearchStats>, Option<&StepStats>),
        costs: Option<&StepCosts>,
        failure: Option<&'a str>,
    ) -> Self {
        let search = search.filter(|search| search.parameters == grid);
        let recent = costs.and_then(StepCosts::recent).filter(|recent| recent.grid == Some(grid));
        let ms = match step.filter(|_| noun == Noun::PARTICLES) {
            Some(step) => recent.map(|recent| search_ms(&recent)).or(search.map(|_| step_ms(step))),
            None => recent
                .map(|recent| f64::from(recent.build_ms) + f64::from(recent.query_ms))
                .or(search.map(|search| 1e3 * (search.build + search.query).as_secs_f64())),
        };
        Self { side, grid, search, noun, ms, failure }
    }
}

/// Paints the line between the two pictures: first of all, so that the legends and the verdict, which both share, lie over it.
pub fn divider_ui(ui: &Ui, views: Views) {
    if views.divided {
        ui.painter().rect_filled(views.divider(), 0.0, theme::of(ui).line);
    }
}

/// Lays out the summaries over both pictures, and the verdict.
pub fn compare_ui(ui: &mut Ui, views: Views, snapshot: &Snapshot) {
    let Some(right) = views.b() else { return };
    let (Some(parameters), Some(grid_b)) = (snapshot.parameters, &snapshot.grid_b) else {
        // The state of grid B arrives with the next step.
        ui.painter().rect_filled(right, 0.0, theme::of(ui).background);
        let text = "Grid B starts with the next step: play, or step once.";
        let text =
            ui.painter().layout(text.to_owned(), FontId::proportional(13.0), theme::of(ui).text_quiet, 0.8 * right.width());
        ui.painter().galley(right.center() - 0.5 * text.size(), text, theme::of(ui).text_quiet);
        return;
    };
    let set = grid_b.set;
    let noun = Noun::of(snapshot, set);
    let grid_a = set.and_then(|set| snapshot.set_grids.get(set)).copied().unwrap_or(parameters.grid);
    let of_a = (snapshot.search_of(set), snapshot.stats.as_ref());
    let a = GridSummary::new(Side::A, (grid_a, noun), of_a, snapshot.costs_of(set), None);
    let of_b = (grid_b.search(), grid_b.stats.as_ref());
    let b = GridSummary::new(Side::B, (grid_b.grid, noun), of_b, Some(&grid_b.step_costs), grid_b.failure.as_deref());
    if views.area.height() >= LEAST_HEIGHT {
        let is_low = views.area.height() < LOW;
        summary_ui(ui, (views.a(), is_low), &a, &b);
        summary_ui(ui, (right, is_low), &b, &a);
    }
    verdict_ui(ui, views.area, grid_b);
}

/// Height of a summary in `views`, points.
pub fn summary_height(views: Views) -> f32 {
    SUMMARY_HEIGHTS[usize::from(views.area.height() < LOW)]
}

/// Upper edge of what lies below the summaries.
pub fn below_summaries(views: Views) -> f32 {
    (views.area.top() + summary_height(views) + theme::SPACE).min(views.area.bottom())
}

/// Area of the legends, clear of the summaries. `cells`: true if there is a cell legend too.
pub fn legend_area(views: Views, cells: bool) -> Rect {
    let area = views.area;
    let cells = if cells { CELL_LEGEND_HEIGHT } else { 0.0 };
    // Above the choice of the look.
    let height = legend::SIZE.y + cells + looks::HEIGHT + 3.0 * theme::SPACE;
    let top = area.bottom() - height;
    // Legends are placed in the upper right corner of an area beside the verdict and below the summaries.
    let fits = area.width() >= 2.0 * legend::SIZE.x + 400.0 && top > below_summaries(views);
    let room = if fits { legend::LEAST_HEIGHT } else { 0.0 };
    Rect::from_min_size(pos2(area.left(), top), vec2(area.width(), room))
}

/// Upper edge of the legend beside the verdict or in a line above it, or of the verdict where there is no legend; cells have theirs above it
/// while they are shown.
pub fn legends_top(views: Views) -> f32 {
    let legend = legend_area(views, false);
    let verdict = views.area.bottom() - STATUS_HEIGHT - VERDICT_HEIGHT - theme::SPACE;
    let line = legend_line_area(views).map_or(verdict, |line| line.top());
    if legend::fits(legend) { legend.top().min(verdict) } else { line }
}

/// Area of a one-line legend above the verdict, for pictures without room for the full legend; `None` if it would overlap the
/// summaries.
pub fn legend_line_area(views: Views) -> Option<Rect> {
    let area = views.area;
    let bottom = area.bottom() - STATUS_HEIGHT - VERDICT_HEIGHT - 1.5 * theme::SPACE;
    let line = Rect::from_min_max(pos2(area.left(), bottom - legend::LINE_HEIGHT), pos2(area.right(), bottom));
    (line.top() >= below_summaries(views)).then_some(line.shrink2(vec2(theme::SPACE, 0.0)))
}

/// Time of build and query together, ms, as in the list of phases.
fn search_ms(recent: &Sample) -> f64 {
    f64::from(recent.phase_ms[Phase::Build as usize]) + f64::from(recent.phase_ms[Phase::Query as usize])
}

/// Time of build and query together in a single step, ms.
fn step_ms(stats: &StepStats) -> f64 {
    1e3 * (stats.phases[Phase::Build] + stats.phases[Phase::Query]).as_secs_f64()
}

/// Text and colour for the ratio of costs `own` / `other`; `None` while either is unknown.
fn ratio_text(own: Option<f64>, other: Option<f64>, colors: &Colors) -> Option<(String, Color32)> {
    let (own, other) = (own?, other?);
    if own <= 0.0 || other <= 0.0 {
        return None;
    }
    let ratio = own / other;
    let times = |ratio: f64| match ratio {
        ratio if ratio < 9.95 => format!("{ratio:.1}"),
        ratio => format::count(ratio.round() as u64),
    };
    Some(match ratio {
        ratio if ratio.max(1.0 / ratio) < 1.0 + NOISE => ("equally fast".to_owned(), colors.text_quiet),
        ratio if ratio > 1.0 => (format!("{} times slower", times(ratio)), colors.warning),
        ratio => (format!("{} times faster", times(1.0 / ratio)), colors.good),
    })
}

/// Lays out the summary of one grid: name, size and spacing, cost as a bar and as numbers; in a low view its name and its cost.
fn summary_ui(ui: &mut Ui, (view, is_low): (Rect, bool), own: &GridSummary<'_>, other: &GridSummary<'_>) {
    let [most, whole] = SUMMARY_WIDTHS;
    let width = (view.width() - 2.0 * theme::SPACE).min(most);
    if width < 80.0 {
        return;
    }
    let short = width < whole;
    let corner = view.left_top() + vec2(theme::SPACE, theme::SPACE);
    let rect = Rect::from_min_size(corner, vec2(width, view.height() - 2.0 * theme::SPACE));
    let builder = UiBuilder::new().max_rect(rect).layout(Layout::top_down(Align::Min)).id_salt(("summary", own.side.name()));
    ui.scope_builder(builder, |ui| {
        let frame =
            Frame::new().fill(theme::of(ui).background.gamma_multiply(0.85)).corner_radius(6).inner_margin(Margin::same(8));
        frame.show(ui, |ui| {
            ui.set_width(width - 2.0 * theme::SPACE);
            ui.spacing_mut().item_spacing = vec2(6.0, 3.0);
            ui.spacing_mut().interact_size.y = 14.0;
            heading_ui(ui, own, is_low);
            match own.failure {
                Some(failure) => {
                    ui.label(RichText::new(format!("Stopped: {failure}.")).small().color(theme::of(ui).error));
                }
                None => cost_ui(ui, own, other, (short, is_low)),
            }
        });
    });
}

fn heading_ui(ui: &mut Ui, own: &GridSummary<'_>, is_low: bool) {
    let color = theme::of(ui).text_quiet;
    let quiet = |text: String| RichText::new(text).small().color(color);
    ui.horizontal(|ui| {
        badge_ui(ui, own.side, 18.0);
        ui.label(RichText::new(own.grid.structure.label()).strong());
        let options = own.grid.structure.option_names();
        ui.add(Label::new(quiet(options.join(", "))).truncate());
    });
    if is_low {
        return;
    }
    let mut parts = Vec::new();
    if own.grid.structure.has_table() {
        parts.push(format::buckets(own.grid.table_size));
    }
    if own.grid.structure != sph_core::neighbors::Structure::BruteForce {
        parts.push(format!("cells of {} m", format::length(f64::from(own.grid.cell_size))));
    } else {
        parts.push("all pairs".to_owned());
    }
    ui.add(Label::new(quiet(parts.join(" · "))).truncate());
}

fn cost_ui(ui: &mut Ui, own: &GridSummary<'_>, other: &GridSummary<'_>, (short, is_low): (bool, bool)) {
    // Both bars are scaled by the larger cost.
    let (bar, _) = ui.allocate_exact_size(vec2(ui.available_width(), 6.0), Sense::hover());
    ui.painter().rect_filled(bar, 2.0, theme::of(ui).control);
    if let Some(ms) = own.ms {
        let most = other.ms.unwrap_or(ms).max(ms).max(f64::MIN_POSITIVE);
        let share = (ms / most).clamp(0.0, 1.0) as f32;
        let filled = Rect::from_min_size(bar.min, vec2((share * bar.width()).max(2.0), bar.height()));
        ui.painter().rect_filled(filled, 2.0, theme::of(ui).side(own.side));
    }
    // A dash holds the place of missing measurements, so that the layout does not move.
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
    let ms = number(own.ms);
    let candidates = number(own.search.map(SearchStats::candidates_per_neighbor));
    Sides::new().shrink_left().truncate().show(
        ui,
        |ui| {
            let text = if short { format!("{ms} ms") } else { format!("{ms} ms build + query") };
            ui.label(RichText::new(text).monospace()).on_hover_text(
                "Time to build the structure and to fill the neighbour lists: medians of the last two seconds with this grid.",
            );
        },
        |ui| {
            if own.ms.is_none() {
                ui.label(RichText::new("after the next step").small().color(theme::of(ui).text_quiet));
            } else if own.grid == other.grid {
                // Their times are of different moments until both have run for a while.
                ui.label(RichText::new("equal grids").color(theme::of(ui).text_quiet));
            } else if let Some((text, color)) = ratio_text(own.ms, other.ms, theme::of(ui)) {
                ui.label(RichText::new(text).color(color));
            }
        },
    );
    if is_low {
        return;
    }
    let text = match (own.noun == Noun::PARTICLES, short) {
        (true, true) => format!("{candidates} cand./neighb."),
        (true, false) => format!("{candidates} candidates per neighbour"),
        (false, true) => format!("{candidates} cand./pair"),
        (false, false) => format!("{candidates} candidates per pair"),
    };
    ui.add(Label::new(RichText::new(text).monospace().color(theme::of(ui).text_quiet)).truncate());
}

/// Text and colour for the comparison of the two particle states.
fn verdict(grid_b: &ComparisonSnapshot, colors: &Colors) -> (String, Color32) {
    let Comparison { steps, bits, first } = grid_b.comparison;
    if let Some(first) = first {
        return (
            format!("Motion differs: {first}; {} in {}", format::counted(bits, "bit"), format::counted(steps, "step")),
            colors.error,
        );
    }
    let identical = format!("Motion identical: {}, 0 bits different", format::counted(steps, "step"));
    match (&grid_b.failure, steps) {
        (Some(_), 0) => ("Grid B stopped: its first step failed".to_owned(), colors.error),
        (Some(_), _) => (format!("Grid B stopped. {identical}"), colors.error),
        (None, 0) => ("Same initial state: comparison after the next step".to_owned(), colors.text_quiet),
        (None, _) => (identical, colors.good),
    }
}

fn verdict_ui(ui: &mut Ui, area: Rect, grid_b: &ComparisonSnapshot) {
    let (text, color) = verdict(grid_b, theme::of(ui));
    let font = FontId::proportional(13.0);
    let most = (area.width() - 4.0 * theme::SPACE).max(0.0);
    let mut job = egui::text::LayoutJob::simple_singleline(text.clone(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(most);
    let galley = ui.painter().layout_job(job);
    let size = vec2(galley.size().x + 2.0 * theme::SPACE, VERDICT_HEIGHT);
    let bottom = area.bottom() - STATUS_HEIGHT - theme::SPACE;
    let frame = Rect::from_center_size(pos2(area.center().x, bottom - 0.5 * size.y), size);
    if frame.top() < area.top() {
        return;
    }
    ui.painter().rect_filled(frame, 6.0, theme::of(ui).background.gamma_multiply(0.92));
    let tooltip = "After every step, all particles, vertices and balls are compared bit by bit: positions, velocities, densities. \
                   Neighbours are selected by distance and summed in a fixed order, so the grid cannot change the motion.";
    let builder = UiBuilder::new().max_rect(frame).layout(Layout::centered_and_justified(egui::Direction::LeftToRight));
    ui.scope_builder(builder, |ui| ui.label(galley).on_hover_text(format!("{text}.\n\n{tooltip}")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_equal_size_and_fill_the_area() {
        for width in [960.0, 961.0, 3.0, 1.0, 0.0] {
            let area = Rect::from_min_max(pos2(320.0, 30.0), pos2(320.0 + width, 600.0));
            let whole = Views { area, divided: false };
            assert_eq!((whole.a(), whole.b()), (area, None));
            let views = Views { area, divided: true };
            let (a, b) = (views.a(), views.b().expect("it is divided"));
            assert_eq!(a.size(), b.size());
            assert!(a.left() == area.left() && b.right() == area.right() && a.right() <= b.left(), "{a} {b}");
            assert!(
                a.width() >= 0.0 && (width < 4.0 || views.at(b.center()) == Side::B) && views.at(area.left_top()) == Side::A
            );
        }
    }

    #[test]
    fn ratios_are_written_as_text() {
        let text = |own: f64, other: f64| {
            ratio_text(Some(own), Some(other), &theme::DARK).map(|(text, _)| text).expect("both are known")
        };
        assert_eq!(text(1.8, 1.0), "1.8 times slower");
        assert_eq!(text(1.0, 1.8), "1.8 times faster");
        assert_eq!(text(1.02, 1.0), "equally fast");
        // The threshold is symmetric.
        assert_eq!([text(1.101, 1.0), text(1.0, 1.101)], ["1.1 times slower", "1.1 times faster"]);
        assert_eq!([text(1.099, 1.0), text(1.0, 1.099)], ["equally fast", "equally fast"]);
        assert_eq!(text(12_345.0, 1.0), "12,345 times slower");
        assert_eq!(ratio_text(Some(0.0), Some(1.0), &theme::DARK), None);
        assert_eq!(ratio_text(None, Some(1.0), &theme::DARK), None);
    }
}
