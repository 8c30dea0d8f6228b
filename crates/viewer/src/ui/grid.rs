//! Panel "Grid": parameters of the neighbour search, and its statistics of the latest step. `point_search` shows the searches of cloths and balls.

use std::time::Duration;

use super::point_search::Noun;
use super::widgets::{ParameterRow, format, greyed_ui, hint_ui, outline, value_ui};
use super::{Action, Model, Side, State, point_search, theme};
use crate::command::Command;
use crate::session::Snapshot;
use egui::{Align2, Button, FontId, Id, Rect, RichText, Sense, Sides, Stroke, Ui, pos2, vec2};
use sph_core::neighbors::{Audit, GridParameters, HISTOGRAM_BINS, MAX_TABLE_SIZE, Occupancy, SearchStats, Structure};
use sph_core::parameters::Parameters;
use sph_core::point_sets::PointSetup;
use sph_core::{Dimensions, Discretization, Phase, Simd, StepStats};

/// Step time above which outdated statistics stay long enough to be marked as such.
const LONG_STEP: Duration = Duration::from_millis(250);

/// Lays out the contents of the panel.
pub fn grid_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let snapshot = model.snapshot;
    if point_search::point_search_ui(ui, state, model, actions) {
        return;
    }
    if state.is_comparing_shown() {
        sides_ui(ui, state, None, actions);
    } else if state.is_comparing() {
        compared_elsewhere_ui(ui, state, snapshot, actions);
    }
    let (Some(mut edited), Some(scene)) = (state.edited_grid(), &snapshot.scene) else {
        hint_ui(ui, "No scene is open.");
        return;
    };
    let from_scene = &scene.setup.parameters;
    let before = edited;
    // So low that all numbers are seen at once in a window of usual size.
    ui.spacing_mut().item_spacing.y = 2.0;
    let mut parameters = Parameters { grid: edited, ..*from_scene };
    let no_table = no_table_reason(edited.structure);
    let points = TablePoints { count: snapshot.particles.len(), noun: "particles", generation: snapshot.generation };
    table_ui(ui, &mut parameters, from_scene, points);
    let no_cells = (edited.structure == Structure::BruteForce).then_some("Brute force has no cells.");
    greyed_ui(ui, no_cells, |ui| cell_size_ui(ui, &mut parameters, from_scene, &scene.setup.discretization));
    greyed_ui(ui, no_table, |ui| ParameterRow::of("grid.hash").ui(ui, &mut parameters, from_scene));
    structure_ui(ui, &mut parameters, from_scene, &scene.setup.discretization);
    edited = parameters.grid.adapted_from(&before, &scene.setup.discretization);
    if (edited.table_size, edited.cell_size) != (before.table_size, before.cell_size) {
        state.view.dragged.note_change();
    }
    ui.horizontal(|ui| {
        let same = (edited == from_scene.grid).then_some("The grid already matches the scene.");
        greyed_ui(ui, same, |ui| {
            let button =
                ui.button("Reset grid to scene").on_hover_text("Reset all grid parameters to the values of the scene.");
            if button.clicked() {
                edited = from_scene.grid;
            }
        });
        if ui.button("Auto-tune…").on_hover_text(Command::ToggleTuning.tooltip()).clicked() {
            actions.push(Action::Command(Command::ToggleTuning));
        }
    });
    if edited != before {
        state.edit_grid(edited, None, actions);
    }
    let (stats, audit) = match (state.edited_side(), &snapshot.grid_b) {
        (Side::B, Some(grid_b)) => (grid_b.stats.as_ref(), grid_b.audits.of(None)),
        _ => (snapshot.stats.as_ref(), snapshot.audits.of(None)),
    };
    let outdated = stats.is_some_and(|stats| is_outdated(snapshot, stats, &stats.search, &edited));
    let costs = match (state.edited_side(), &snapshot.grid_b) {
        (Side::B, Some(grid_b)) => &grid_b.step_costs,
        _ => &snapshot.step_costs,
    };
    // A median, because the time of a single step says little.
    let recent = stats.and_then(|stats| costs.recent_of(stats.search.parameters));
    let time = recent.map(|sample| sample.search_time());
    let numbers = Numbers { outdated, now: state.present_occupancy(snapshot) };
    ui.scope(|ui| grid_numbers_ui(ui, (stats, time), audit, numbers));
    dragged_cells_ui(ui, state);
}

/// True if `search` was made in the step of `stats` with other parameters than those `edited`, and stays for long enough to be read: short steps
/// replace the numbers before.
pub(super) fn is_outdated(snapshot: &Snapshot, stats: &StepStats, search: &SearchStats, edited: &GridParameters) -> bool {
    (snapshot.stands_still() || stats.phases.total() > LONG_STEP) && search.parameters != *edited
}

/// Lays out the switch of the cells that show by themselves. Last in the panel, so that the numbers are seen without scrolling.
pub(super) fn dragged_cells_ui(ui: &mut Ui, state: &mut State) {
    ui.checkbox(&mut state.view.dragged.enabled, "Show cells while dragging").on_hover_text(format!(
        "Draw the occupied cells in the 3D view, coloured by collisions, while you drag the table size or the cell spacing. {} \
         keeps them shown ({}).",
        Command::ToggleCells.label(),
        Command::ToggleCells.shortcut_text(ui.ctx())
    ));
}

/// Lays out which search is compared, where another is shown, and the ways to show it and to end the comparison.
pub(super) fn compared_elsewhere_ui(ui: &mut Ui, state: &mut State, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let compared = Noun::of(snapshot, state.comparing.set).many;
    hint_ui(ui, format!("The two pictures compare grids of the search of {compared}."));
    ui.horizontal_wrapped(|ui| {
        if ui.button(format!("Show search of {compared}")).clicked() {
            state.show_search_of(state.comparing.set);
        }
        if ui.button("End comparison").on_hover_text("Keep grid A and the simulation as they are.").clicked() {
            actions.push(Action::Command(Command::CompareGrids));
        }
    });
    ui.separator();
}

/// Lays out the switch of the edited side, and the buttons of the comparison; `points` describes the point sets, if their search is compared.
pub(super) fn sides_ui(ui: &mut Ui, state: &mut State, points: Option<&PointSetup>, actions: &mut Vec<Action>) {
    let width = 0.5 * (ui.available_width() - theme::SPACE);
    ui.horizontal(|ui| {
        for side in Side::BOTH {
            let chosen = side == state.comparing.side;
            let (color, outline) = if chosen {
                (theme::of(ui).text, theme::of(ui).side(side))
            } else {
                (theme::of(ui).text_quiet, theme::of(ui).line)
            };
            let button = Button::new(RichText::new(format!("Grid {}", side.name())).color(color))
                .min_size(vec2(width, 24.0))
                .fill(if chosen { theme::of(ui).side(side).gamma_multiply(0.25) } else { theme::of(ui).background })
                .stroke(Stroke::new(1.0, outline));
            let tooltip = match side {
                Side::A => "Edit grid A, the grid of the simulation, on the left.",
                Side::B => "Edit grid B, the grid compared with it, on the right.",
            };
            if ui.add(button).on_hover_text(tooltip).clicked() {
                state.comparing.side = side;
            }
        }
    });
    ui.horizontal(|ui| {
        let is_copy = state.grid_a() == state.comparing.grid_b;
        let copy = ui.add_enabled(!is_copy, Button::new("Copy A to B").min_size(vec2(width, 0.0)));
        let tooltip = "Give grid B all settings of grid A, to change one thing at a time from there.";
        if copy.on_hover_text(tooltip).on_disabled_hover_text("Grid B has the settings of grid A.").clicked() {
            state.copy_grid_a(actions);
        }
        if ui.add(Button::new("Swap").min_size(vec2(width, 0.0))).on_hover_text("Swap grids A and B.").clicked() {
            state.swap_grids(points, actions);
        }
    });
    ui.horizontal(|ui| {
        let end = ui.add(Button::new("End comparison").min_size(vec2(width, 0.0)));
        let keys = Command::CompareGrids.shortcut_text(ui.ctx());
        if end.on_hover_text(format!("Keep grid A ({keys}). The next comparison begins with this grid B.")).clicked() {
            actions.push(Action::Command(Command::CompareGrids));
        }
        let keep = ui.add(Button::new("End, keep B").min_size(vec2(width, 0.0)));
        if keep.on_hover_text("End the comparison and go on with grid B in the place of grid A.").clicked() {
            state.keep_grid_b(points, actions);
        }
    });
    ui.add_space(0.5 * theme::SPACE);
}

/// Height of the row of the table size before it has been laid out, points.
const TABLE_ROW_HEIGHT: f32 = 48.0;

/// Sentence for structures without a table; `None` for the others.
pub(super) fn no_table_reason(structure: Structure) -> Option<&'static str> {
    match structure {
        Structure::SortedCells => Some("Sorted cells have no hash table."),
        Structure::UniformGrid => Some("The uniform grid has no hash table."),
        Structure::BruteForce => Some("Brute force has no hash table."),
        Structure::SpatialHash | Structure::CellHash(_) | Structure::BucketHash(..) | Structure::BlockMap(..) => None,
    }
}

/// Points that a table is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct TablePoints {
    /// Their number now.
    pub count: usize,
    /// What they are.
    pub noun: &'static str,
    /// Generation of the scene.
    pub generation: u64,
}

impl TablePoints {
    /// Upper end of the slider, at least `least`. It stays while points are added, so that the handle does not move by itself, until there are
    /// too many for it; and while the slider is dragged, after which it falls if it is far too large.
    fn slider_end(self, ui: &Ui, least: usize) -> usize {
        let id = Id::unique(("end of the slider of the table size", self.generation, self.noun));
        let end = least.max(4 * self.count).next_power_of_two();
        let is_held = ui.input(|input| input.pointer.any_down());
        let suits = |kept: &usize| *kept >= least.max(2 * self.count) && (is_held || *kept <= 2 * end);
        if let Some(kept) = ui.data(|data| data.get_temp(id)).filter(suits) {
            return kept;
        }
        ui.data_mut(|data| data.insert_temp(id, end));
        end
    }
}

/// Lays out the table size of a search among `points`, or why the structure has none, and the way to one that has.
pub(super) fn table_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters, points: TablePoints) {
    // The rows below stay where they are when the structure changes.
    let height = Id::unique("height of the row of the table size");
    match no_table_reason(parameters.grid.structure) {
        None => {
            let row = ui.scope(|ui| table_size_ui(ui, parameters, scene, points));
            ui.data_mut(|data| data.insert_temp(height, row.response.rect.height()));
        }
        Some(reason) => {
            let height = ui.data(|data| data.get_temp(height)).unwrap_or(TABLE_ROW_HEIGHT);
            ui.scope(|ui| {
                ui.set_min_height(height);
                no_table_ui(ui, reason, parameters);
            });
        }
    }
}

/// Lays out, in place of the table size, why there is none, and the way to a structure that has one.
fn no_table_ui(ui: &mut Ui, reason: &str, parameters: &mut Parameters) {
    outline::row_ui(ui, "grid.table_size", |ui| {
        ui.label(RichText::new(reason).color(theme::of(ui).text_quiet));
        let switch = ui.button("Switch to the spatial hash");
        if switch.on_hover_text("A grid with a hash table whose size and hash function you can choose.").clicked() {
            parameters.grid.structure = Structure::SpatialHash;
        }
    });
}

fn table_size_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters, points: TablePoints) {
    let [table_size, of_scene] = [&*parameters, scene].map(|parameters| parameters.grid.table_size as usize);
    let most = points.slider_end(ui, table_size.max(of_scene));
    let TablePoints { count: points, noun, .. } = points;
    let row = ParameterRow::of("grid.table_size").slider(1.0..=(most as f64).min(f64::from(MAX_TABLE_SIZE)));
    // The usual sizes of all scenes say nothing about this one.
    let usual = (points > 0).then(|| sensible_table_sizes(points));
    let mut advice = sensible_table_size(points, noun);
    if matches!(parameters.grid.structure, Structure::BlockMap(..) | Structure::CellHash(..)) {
        advice += " This structure skips what only shares a bucket before it tests a distance: a table that is too small costs time, not candidates.";
    }
    row.usual_here(usual, &advice).ui(ui, parameters, scene);
}

/// Ends of the range of table sizes between which so many points are searched equally fast, or nearly so.
fn sensible_table_sizes(points: usize) -> [f64; 2] {
    [0.5, 4.0].map(|ratio| (ratio * points as f64).max(1.0))
}

/// Sensible table size for so many `points`, in words.
fn sensible_table_size(points: usize, noun: &str) -> String {
    if points == 0 {
        return format!("Twice the number of {noun} is a good size.");
    }
    let [low, high] = sensible_table_sizes(points).map(|size| format::rough_count(size as u64));
    let best = format::rough_count(2 * points as u64);
    format!(
        "For this scene about {best}, twice the number of {noun}; anything from {low} to {high} (the green band) is about as fast."
    )
}

fn cell_size_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters, discretization: &Discretization) {
    let support = discretization.support_radius;
    let [low, high] = GridParameters::CELL_SIZE_RANGE.map(|ratio| ratio * support);
    let range = f64::from(low)..=f64::from(high);
    let usual = GridParameters::USUAL_CELL_SIZES;
    let words = format!("Range: 1/4 to 4 support radii; usually {} to {} (the green band).", usual[0], usual[1]);
    let row = ParameterRow::of("grid.cell_size").more(&words).format(format::length);
    let row = row.usual(usual.map(|ratio| f64::from(ratio * support)));
    if row.slider(range.clone()).allowed(range).ui(ui, parameters, scene) {
        parameters.grid.cell_size = parameters.grid.cell_size.clamp(low, high);
    }
    let grid = &parameters.grid;
    let radius = sph_core::search_radius(&parameters.solver, discretization);
    let cells = cells_per_query(radius, grid.cell_size, discretization.dimensions);
    // Some solvers let particles move between a search and its use.
    let beyond = if radius > support { format!(" of {:.2} radii", radius / support) } else { String::new() };
    let ratio = grid.cell_size / support;
    hint_ui(ui, format!("{ratio:.2} × support radius, up to {} cells per query{beyond}", format::count(cells)));
}

/// Lays out the choice of the structure and the options of the chosen one.
fn structure_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters, discretization: &Discretization) {
    let vectors = format!("Distance tests use {} instructions.", Simd::best().name());
    ParameterRow::of("grid.structure").more(&vectors).ui(ui, parameters, scene);
    options_ui(ui, parameters, scene);
    let structure = parameters.grid.structure;
    if structure.has_fixed_buckets() {
        capacity_ui(ui, parameters, scene, discretization);
    }
    if matches!(structure, Structure::BlockMap(..)) {
        hint_ui(
            ui,
            "Made for particles of different sizes. Where all have one size, each is still entered in several blocks, which is slow.",
        );
    }
}

/// Lays out the options of the chosen structure.
pub(super) fn options_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) {
    for key in ["grid.storage", "grid.update", "grid.registration", "grid.walk"] {
        if Parameters::entry(key).is_used(parameters) {
            ParameterRow::of(key).ui(ui, parameters, scene);
        }
    }
}

fn capacity_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters, discretization: &Discretization) {
    let grid = &mut parameters.grid;
    let most = grid.most_places_per_bucket();
    grid.bucket_capacity = grid.bucket_capacity.min(most);
    let bucket_capacity = capacity_of_scene(grid, &scene.grid, discretization);
    let scene = Parameters { grid: GridParameters { bucket_capacity, ..scene.grid }, ..*scene };
    let longest = (2 * grid.usual_bucket_capacity(discretization)).max(64);
    let row =
        ParameterRow::of("grid.bucket_capacity").slider(1.0..=f64::from(most.min(longest))).allowed(1.0..=f64::from(most));
    row.ui(ui, parameters, &scene);
}

/// Capacity that the grid of a `scene` would have if it were otherwise this `grid`: the usual one of this structure, if the scene's is the usual one
/// of its own.
pub(super) fn capacity_of_scene(grid: &GridParameters, scene: &GridParameters, discretization: &Discretization) -> u32 {
    let with_its_capacity = GridParameters { bucket_capacity: scene.bucket_capacity, ..*grid };
    with_its_capacity.adapted_from(scene, discretization).bucket_capacity
}

// Statistics of the neighbour search in the latest step.

/// Opacity of outdated numbers.
const OUTDATED: f32 = 0.4;

/// What the numbers of a search are of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers<'a> {
    /// True if the latest step used a different grid.
    pub outdated: bool,
    /// The grid of the panel, with its occupancy by the present points, where that is known without a step.
    pub now: Option<(GridParameters, &'a Occupancy)>,
}

/// Lays out the statistics and the histogram of bucket lengths. `time`: median time of building and querying with the grid of the latest step.
fn grid_numbers_ui(ui: &mut Ui, (stats, time): (Option<&StepStats>, Option<Duration>), audit: Audit, numbers: Numbers<'_>) {
    let Some(stats) = stats else {
        hint_ui(ui, "Available after the first step.");
        return;
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    when_ui(ui, numbers, |ui| audit_ui(ui, audit, Noun::PARTICLES));
    step_ui(ui, stats, time, numbers);
}

/// Lays out, at the right of `left`, which step the numbers below are of.
pub(super) fn when_ui(ui: &mut Ui, numbers: Numbers<'_>, left: impl FnOnce(&mut Ui)) {
    let when = match numbers {
        Numbers { outdated: false, .. } => "Latest step",
        Numbers { now: None, .. } => "Before the change",
        Numbers { now: Some(_), .. } => "Present grid",
    };
    Sides::new().shrink_left().truncate().show(ui, left, |ui| hint_ui(ui, when));
}

/// Lays out `contents`, faded if the numbers in it are `outdated`.
pub(super) fn fade_ui(ui: &mut Ui, outdated: bool, contents: impl FnOnce(&mut Ui)) {
    ui.scope(|ui| {
        if outdated {
            ui.multiply_opacity(OUTDATED);
        }
        contents(ui);
    });
}

/// Lays out the statistics of the search of the fluid in one step.
fn step_ui(ui: &mut Ui, stats: &StepStats, time: Option<Duration>, numbers: Numbers<'_>) {
    let search = &stats.search;
    let time = time.unwrap_or(stats.phases[Phase::Build] + stats.phases[Phase::Query]);
    let found = [
        value_row(
            "Candidates per neighbour",
            format::ratio(search.candidates_per_neighbor()),
            "Distance tests per neighbour found. 1 is the optimum; cells as wide as the support radius give about 6 in three \
             dimensions.",
        ),
        value_row(
            "Neighbours per particle",
            format!("{:.1}", search.tally.neighbors as f64 / stats.particles.max(1) as f64),
            "Mean number of particles within the support radius. Independent of the grid.",
        ),
    ];
    search_ui(ui, (search, numbers), Noun::PARTICLES, found, time);
}

/// Whether a row tells of the grid, which the present points fill, or of what only a step has.
const OF_GRID: bool = false;
const OF_STEP: bool = true;

/// Label, value and tooltip of a row of numbers.
pub(super) type Row = (&'static str, String, String);

pub(super) fn value_row(label: &'static str, value: String, tooltip: impl Into<String>) -> Row {
    (label, value, tooltip.into())
}

/// Lays out the statistics of a search among points that are called `noun`, those that answer to the sliders first, with `found` among them:
/// candidates and neighbours. `time`: time to build the structure and to query it.
pub(super) fn search_ui(
    ui: &mut Ui,
    (search, numbers): (&SearchStats, Numbers<'_>),
    noun: Noun,
    found: [Row; 2],
    time: Duration,
) {
    let points = noun.many;
    let now = numbers.now.filter(|_| numbers.outdated);
    let (occupancy, structure) = match now {
        Some((grid, occupancy)) => (occupancy, grid.structure),
        None => (&search.occupancy, search.parameters.structure),
    };
    let has_cells = structure != Structure::BruteForce;
    let count = |value: usize| format::count(value as u64);
    // Only buckets of fixed capacity overflow.
    let (has_table, has_spills) = (structure.has_table(), structure.has_fixed_buckets());
    let [candidates, neighbors] = found;
    let rows = [
        (
            has_cells,
            OF_GRID,
            value_row("Occupied cells", count(occupancy.occupied_cells), format!("Grid cells that contain {points}.")),
        ),
        (
            has_table,
            OF_GRID,
            value_row(
                "Occupied buckets",
                count(occupancy.occupied_buckets),
                format!("Buckets of the table that contain {points}."),
            ),
        ),
        (
            has_table,
            OF_GRID,
            value_row(
                "Cells in collision",
                count(occupancy.cells_in_collision),
                format!(
                    "Occupied cells that share their bucket with another cell: a query of one also tests the {points} of the other."
                ),
            ),
        ),
        (true, OF_STEP, candidates),
        (true, OF_STEP, neighbors),
        (
            true,
            OF_STEP,
            value_row(
                "Build and query",
                format!("{:.2} ms", 1e3 * time.as_secs_f64()),
                "Time to build the structure and find all neighbours.",
            ),
        ),
        (
            has_table,
            OF_GRID,
            value_row(
                "Load factor",
                format::grouped(occupancy.load_factor()),
                "Occupied cells divided by the table size. Above about 1, most cells share their bucket.",
            ),
        ),
        (
            has_table,
            OF_GRID,
            value_row(
                "Hash quality",
                if occupancy.occupied_cells > 0 { format!("{:.2}", occupancy.hash_quality()) } else { "–".to_owned() },
                "Cell comparisons needed to find every occupied cell in its bucket, relative to a random hash function: 1 equals \
                 random, below 1 is better, 2 means twice the work. Compare hash functions at the same table size.",
            ),
        ),
        (
            has_cells,
            OF_GRID,
            value_row(
                if has_table { "Longest bucket" } else { "Fullest cell" },
                count(occupancy.longest_bucket),
                format!("Number of {points} in the fullest {}.", if has_table { "bucket" } else { "cell" }),
            ),
        ),
        (
            has_spills,
            OF_GRID,
            value_row(
                "Spills",
                count(occupancy.spills),
                format!(
                    "Entries of {points} beyond the capacity of their bucket. A separate overflow list keeps them, so queries find them."
                ),
            ),
        ),
        (
            true,
            OF_GRID,
            value_row("Memory", format::bytes(occupancy.bytes), "Memory of the structure, without the neighbour lists."),
        ),
    ];
    for (_, of_step, (label, value, tooltip)) in rows.into_iter().filter(|(is_shown, ..)| *is_shown) {
        fade_ui(ui, numbers.outdated && (now.is_none() || of_step), |ui| value_ui(ui, label, &value, &tooltip));
    }
    if has_cells {
        ui.add_space(4.0);
        fade_ui(ui, numbers.outdated && now.is_none(), |ui| histogram_ui(ui, occupancy, noun, has_table));
    }
}

/// Lays out the spot checks of a search among points that are called `noun`.
pub(super) fn audit_ui(ui: &mut Ui, audit: Audit, noun: Noun) {
    let wrong = audit.false_positives > 0;
    let text = match audit {
        Audit { missed, duplicates, false_positives, .. } if wrong => {
            format!("{missed} missed, {duplicates} duplicate, {false_positives} wrong")
        }
        Audit { missed, duplicates, .. } => format!("{missed} missed, {duplicates} duplicate neighbours"),
    };
    let color = if audit.is_clean() { theme::of(ui).good } else { theme::of(ui).error };
    let tooltip = format!(
        "In every step, the neighbour lists of some {} are compared with a brute-force search: {} lists so far. With any \
         grid, no neighbour may be missed or found twice.",
        noun.many,
        format::count(audit.queries)
    );
    let badge = ui.label(RichText::new(text).color(color)).on_hover_text(tooltip);
    outline::note(ui, "Audit", badge.rect);
}

// Histogram of bucket lengths, with the expectation for random hashing.

/// Height of the bars, points.
const HEIGHT: f32 = 48.0;

/// Lays out the histogram of buckets by number of points, 1, 2, 3…, with the numbers of the hovered bar in a tooltip. Empty
/// buckets have no bar, because it would dwarf the others. If `hashed`, a line shows the expectation for random hashing.
fn histogram_ui(ui: &mut Ui, occupancy: &Occupancy, noun: Noun, hashed: bool) {
    let ideal = hashed.then(|| occupancy.ideal_histogram());
    heading_ui(ui, noun, hashed);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT + 14.0), Sense::hover());
    outline::note(ui, "Histogram", rect);
    let bars = &occupancy.bucket_histogram[1..];
    let ideal = ideal.as_ref().map(|ideal| &ideal[1..]);
    let most = bars.iter().map(|&count| count as f64).chain(ideal.unwrap_or(&[]).iter().copied()).fold(1.0, f64::max) as f32;
    let width = rect.width() / bars.len() as f32;
    let painter = ui.painter();
    let floor = rect.top() + HEIGHT;
    let hovered = response.hover_pos().map(|place| ((place.x - rect.left()) / width).max(0.0) as usize);
    for (index, &count) in bars.iter().enumerate() {
        if count == 0 {
            continue;
        }
        // Bars of non-empty bins are at least one point high.
        let height = (HEIGHT * count as f32 / most).max(1.0);
        let left = rect.left() + width * index as f32;
        let bar = Rect::from_min_max(pos2(left + 0.5, floor - height), pos2(left + width - 0.5, floor));
        let color = if hovered == Some(index) { theme::of(ui).text } else { theme::of(ui).accent };
        painter.rect_filled(bar, 0.0, color);
    }
    if let Some(ideal) = ideal {
        let place = |(index, &count): (usize, &f64)| {
            pos2(rect.left() + width * (index as f32 + 0.5), floor - HEIGHT * count as f32 / most)
        };
        painter.line(ideal.iter().enumerate().map(place).collect(), ideal_stroke(ui));
    }
    painter.hline(rect.x_range(), floor, Stroke::new(1.0, theme::of(ui).line));
    let font = FontId::monospace(10.0);
    for length in [1, 8, 16, 24, HISTOGRAM_BINS - 1] {
        let center = rect.left() + width * (length as f32 - 0.5);
        let (text, align) = match length {
            1 => ("1".to_owned(), Align2::LEFT_TOP),
            length if length == HISTOGRAM_BINS - 1 => (format!("≥{length}"), Align2::RIGHT_TOP),
            length => (length.to_string(), Align2::CENTER_TOP),
        };
        let x = if align == Align2::LEFT_TOP { rect.left() } else { center.min(rect.right()) };
        let x = if align == Align2::RIGHT_TOP { rect.right() } else { x };
        painter.text(pos2(x, floor + 2.0), align, text, font.clone(), theme::of(ui).text_quiet);
    }
    if let Some(index) = hovered.filter(|&index| index < bars.len()) {
        let bucket = if hashed { "bucket" } else { "cell" };
        let or_more = if index + 1 == bars.len() { " or more" } else { "" };
        let noun = if index == 0 { noun.one } else { noun.many };
        let chance = ideal.map_or(String::new(), |ideal| format!("\nExpected for random hashing: {}", expected(ideal[index])));
        let buckets = match bars[index] {
            1 => format!("1 {bucket} holds"),
            count => format!("{} {bucket}s hold", format::count(count as u64)),
        };
        response.on_hover_text(format!("{buckets} {}{or_more} {noun}{chance}", index + 1));
    }
}

/// Lays out the heading: the title and the legend of the line.
fn heading_ui(ui: &mut Ui, noun: Noun, hashed: bool) {
    let legend = |ui: &mut Ui| {
        if hashed {
            ui.spacing_mut().item_spacing.x = 4.0;
            let tooltip = "Expected histogram if each occupied cell were assigned to a random bucket. Bars far from the line \
                           mean that the hash function clusters cells, or spreads them more evenly than random.";
            ui.label(RichText::new("ideal").small().color(theme::of(ui).text_quiet)).on_hover_text(tooltip);
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 8.0), Sense::hover());
            ui.painter().hline(rect.x_range(), rect.center().y, ideal_stroke(ui));
        }
    };
    let title = format!("{} by number of {}", if hashed { "Buckets" } else { "Cells" }, noun.many);
    Sides::new().shrink_left().truncate().show(ui, |ui| hint_ui(ui, title), legend);
}

fn ideal_stroke(ui: &Ui) -> Stroke {
    Stroke::new(1.25, theme::of(ui).warning)
}

/// Formats an expected number of buckets, with one decimal below 10.
fn expected(buckets: f64) -> String {
    if buckets < 10.0 { format!("{buckets:.1}") } else { format::count(buckets.round() as u64) }
}

/// Maximum number of cells that overlap the bounding cube of a support sphere; in two dimensions, the bounding square.
pub fn cells_per_query(support_radius: f32, cell_size: f32, dimensions: Dimensions) -> u64 {
    // The tolerance makes a ratio that is an integer up to rounding count as an integer.
    let along_axis = (2.0 * support_radius / cell_size - 1e-3).ceil() as u64 + 1;
    along_axis.pow(dimensions.count() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_visits_as_many_cells_as_its_cube_touches() {
        assert_eq!(cells_per_query(0.1, 0.1, Dimensions::Three), 27);
        assert_eq!(cells_per_query(0.1, 0.2, Dimensions::Three), 8);
        assert_eq!(cells_per_query(0.1, 0.4, Dimensions::Two), 4);
        assert_eq!(cells_per_query(0.1, 0.025, Dimensions::Two), 81);
    }
}
