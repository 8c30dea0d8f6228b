//! The part of the panel "Grid" for cloths and balls: whose search is shown, its parameters, and its statistics of the latest step.

use std::ops::Range;
use std::time::Duration;

use super::grid::{
    Numbers, TablePoints, audit_ui, compared_elsewhere_ui, dragged_cells_ui, is_outdated, no_table_reason, options_ui,
    search_ui, sides_ui, table_ui, value_row, when_ui,
};
use super::widgets::{ParameterRow, choice_ui, format, greyed_ui, hint_ui, value_ui};
use super::{Action, Model, Side, State};
use crate::command::Command;
use crate::session::Snapshot;
use egui::Ui;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::parameters::{Group, Parameters};
use sph_core::point_sets::{PointSetup, SetSearch};
use sph_io::Scene;

/// Search that the Grid panel shows, and that the tools which look inside a search look into.
#[derive(Clone, Debug, Default)]
pub struct PointSearchView {
    /// First set of the search that is shown; `None` for that of the fluid.
    pub chosen: Option<usize>,
}

impl PointSearchView {
    /// Keeps a search chosen that there is. Without fluid it is that of the first set.
    pub(in crate::ui) fn follow(&mut self, snapshot: &Snapshot, new_scene: bool) {
        let sets = snapshot.set_grids.len();
        self.chosen = self.chosen.filter(|&set| set < sets && !new_scene);
        if sets > 0 && !has_fluid(snapshot) {
            self.chosen = self.chosen.or(Some(0));
        }
    }
}

/// Parameters of the search of each point set as the sliders show them; the simulation takes them over in its next step.
#[derive(Clone, Debug, Default)]
pub struct PointGrids {
    grids: Vec<GridParameters>,
    /// Counts edits.
    revision: u64,
}

impl PointGrids {
    /// Those of each set.
    pub fn all(&self) -> &[GridParameters] {
        &self.grids
    }

    /// Those of set `set`; `None` if there is no such set.
    pub fn get(&self, set: usize) -> Option<GridParameters> {
        self.grids.get(set).copied()
    }

    /// Labels of the parameters that saving would change in the file of `scene`: `Cell spacing (balls)`.
    pub(in crate::ui) fn unsaved(&self, scene: &Scene) -> Vec<String> {
        let Some(points) = &scene.setup.points else { return Vec::new() };
        let of_scene = points.source().grids();
        let mut labels = Vec::new();
        for sets in points.searches() {
            let (Some(&before), Some(now)) = (of_scene.get(sets.start), self.get(sets.start)) else { continue };
            if before == now {
                continue;
            }
            let noun = if points.source().is_sheet(sets.start) { "cloth" } else { "balls" };
            let [before, now] = [before, now].map(|grid| Parameters { grid, ..scene.setup.parameters });
            let of_grid = Parameters::table().iter().filter(|parameter| parameter.group == Some(Group::Grid));
            let changed = of_grid.filter(|row| row.is_used(&now) && row.get(&now) != row.get(&before));
            labels.extend(changed.map(|parameter| format!("{} ({noun})", parameter.label)));
        }
        labels
    }

    /// True if the simulation has taken over the last edit.
    pub(in crate::ui) fn are_up_to_date(&self, snapshot: &Snapshot) -> bool {
        snapshot.point_revision >= self.revision
    }

    /// Takes over the parameters of the simulation, unless an edit of them is still pending.
    pub(in crate::ui) fn follow(&mut self, snapshot: &Snapshot, new_scene: bool) {
        if new_scene || self.are_up_to_date(snapshot) {
            self.grids.clone_from(&snapshot.set_grids);
        }
    }

    /// Changes the search of set `set`, and of all that are searched with it, if `grid` is another.
    pub(in crate::ui) fn edit(&mut self, points: &PointSetup, set: usize, grid: GridParameters, actions: &mut Vec<Action>) {
        let [low, high] = points.source().cell_sizes(set);
        let grid = GridParameters { cell_size: grid.cell_size.clamp(low, high), ..grid };
        if self.get(set).is_some_and(|before| before != grid) {
            self.grids[points.source().searched_with(set)].fill(grid);
            self.request(set, grid, actions);
        }
    }

    /// Gives each set its grid of `grids`, which they have had together.
    pub(in crate::ui) fn restore(&mut self, grids: &[GridParameters], actions: &mut Vec<Action>) {
        for (set, &grid) in grids.iter().enumerate() {
            if self.get(set).is_some_and(|before| before != grid) {
                self.grids[set] = grid;
                self.request(set, grid, actions);
            }
        }
    }

    fn request(&mut self, set: usize, grid: GridParameters, actions: &mut Vec<Action>) {
        self.revision += 1;
        actions.push(Action::SetPointGrid(set, grid, self.revision));
    }
}

/// Lays out the choice of the search, and that of cloths or balls if it is chosen. Returns true if so, false if the fluid's is to follow.
pub(super) fn point_search_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> bool {
    let snapshot = model.snapshot;
    let Some((scene, points)) = snapshot.scene.as_ref().and_then(|scene| Some((scene, scene.setup.points.as_ref()?))) else {
        return false;
    };
    if snapshot.sets.len() == 0 || state.edited.point_grids.all().len() != snapshot.sets.len() {
        return false;
    }
    searches_ui(ui, state, snapshot, points);
    let Some((set, grid)) = state.point_search.chosen.zip(state.edited_grid()) else { return false };
    if state.is_comparing_shown() {
        sides_ui(ui, state, Some(points), actions);
    } else if state.is_comparing() {
        compared_elsewhere_ui(ui, state, snapshot, actions);
    }
    let grid = state.edited_grid().unwrap_or(grid);
    // So low that all numbers are seen at once in a window of usual size.
    ui.spacing_mut().item_spacing.y = 2.0;
    let edited = rows_ui(ui, grid, (points, set), &scene.setup.parameters, snapshot, actions);
    if (edited.table_size, edited.cell_size) != (grid.table_size, grid.cell_size) {
        state.view.dragged.note_change();
    }
    if edited != grid {
        state.edit_grid(edited, Some(points), actions);
    }
    ui.add_space(4.0);
    let of_b = snapshot.grid_b.as_ref().filter(|_| state.edited_side() == Side::B);
    match of_b.map_or(snapshot.set_searches.get(set), |grid_b| grid_b.set_search.as_ref()) {
        Some(search) => {
            let step = snapshot.stats.as_ref();
            let outdated = step.is_some_and(|step| is_outdated(snapshot, step, &search.stats, &edited));
            let noun = Noun::of(snapshot, Some(set));
            let count = points_searched(snapshot, points, set);
            let numbers = Numbers { outdated, now: state.present_occupancy(snapshot) };
            // A median, as in the plot: the time of a single step says little.
            let costs = of_b.map_or(snapshot.costs_of(Some(set)), |grid_b| Some(&grid_b.step_costs));
            let recent = costs.and_then(|costs| costs.recent_of(search.stats.parameters));
            let time = recent.map(|sample| sample.search_time());
            let audit = of_b.map_or(&snapshot.audits, |grid_b| &grid_b.audits).of(Some(set));
            when_ui(ui, numbers, |ui| audit_ui(ui, audit, noun));
            ui.scope(|ui| numbers_ui(ui, (search, numbers, time), noun, count));
        }
        None => hint_ui(ui, "Available after the first step."),
    }
    dragged_cells_ui(ui, state);
    true
}

/// What a search finds, in the singular and in the plural.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noun {
    /// One of them.
    pub one: &'static str,
    /// Several.
    pub many: &'static str,
}

impl Noun {
    /// Particles of fluid.
    pub const PARTICLES: Self = Self { one: "particle", many: "particles" };

    /// Balls.
    pub const BALLS: Self = Self { one: "ball", many: "balls" };

    /// Vertices of cloth.
    pub const VERTICES: Self = Self { one: "vertex", many: "vertices" };

    /// What the search of set `set` finds, or that of the fluid.
    pub fn of(snapshot: &Snapshot, set: Option<usize>) -> Self {
        match set.filter(|&set| set < snapshot.sets.len()) {
            None => Self::PARTICLES,
            Some(set) if snapshot.sets.is_sheet(set) => Self::VERTICES,
            Some(_) => Self::BALLS,
        }
    }

    /// A count of them: `1,000 balls`.
    pub fn counted(self, count: u64) -> String {
        format!("{} {}", format::count(count), if count == 1 { self.one } else { self.many })
    }
}

/// Number of points that are searched with set `set`.
pub(super) fn points_searched(snapshot: &Snapshot, points: &PointSetup, set: usize) -> usize {
    points.source().searched_with(set).map(|set| snapshot.sets.points_of(set)).sum()
}

/// True if there is fluid, or will be.
pub(super) fn has_fluid(snapshot: &Snapshot) -> bool {
    !snapshot.particles.is_empty() || snapshot.scene.as_ref().is_some_and(|scene| scene.setup.has_fluid())
}

/// Name of a search of point sets: `Balls: marbles + 2 others`.
pub(super) fn search_name(snapshot: &Snapshot, sets: Range<usize>) -> String {
    let kind = if snapshot.sets.is_sheet(sets.start) { "Cloth" } else { "Balls" };
    match (snapshot.sets.name(sets.start), sets.len()) {
        (name, 1) if name.eq_ignore_ascii_case(kind) => kind.to_owned(),
        (name, 1) => format!("{kind}: {name}"),
        (name, count) => format!("{kind}: {name} + {} {}", count - 1, if count == 2 { "other" } else { "others" }),
    }
}

/// Lays out the choice of the search.
fn searches_ui(ui: &mut Ui, state: &mut State, snapshot: &Snapshot, points: &PointSetup) {
    // Without fluid there is nothing to search for.
    let fluid = has_fluid(snapshot).then(|| (None, "Fluid and walls".to_owned()));
    let of_points = points.searches().map(|sets| (Some(sets.start), search_name(snapshot, sets)));
    let groups: Vec<_> = fluid.into_iter().chain(of_points).collect();
    let all: Vec<(Option<usize>, &str)> = groups.iter().map(|(set, name)| (*set, name.as_str())).collect();
    let tooltip = "Search that the panel shows and changes, and whose cells and buckets are shown. All cloths share one search, and all balls \
                   another. The motion is the same to the bit whatever you choose below; only its cost changes.";
    if let [(_, name)] = all[..] {
        value_ui(ui, "Search of", name, tooltip);
    } else {
        let mut chosen = state.point_search.chosen;
        choice_ui(ui, "Search of", tooltip, &mut chosen, &all);
        state.show_search_of(chosen);
    }
    ui.add_space(4.0);
}

/// Lays out the parameters of a search; returns them as edited.
fn rows_ui(
    ui: &mut Ui,
    grid: GridParameters,
    (points, set): (&PointSetup, usize),
    parameters: &Parameters,
    snapshot: &Snapshot,
    actions: &mut Vec<Action>,
) -> GridParameters {
    let source = points.source();
    let of_scene = source.grids().get(set).copied().unwrap_or(grid);
    let (mut edited, of_scene) = (Parameters { grid, ..*parameters }, Parameters { grid: of_scene, ..*parameters });
    let no_table = no_table_reason(grid.structure);
    let (count, noun) = (points_searched(snapshot, points, set), Noun::of(snapshot, Some(set)).many);
    table_ui(ui, &mut edited, &of_scene, TablePoints { count, noun, generation: snapshot.generation });
    let no_cells = (grid.structure == Structure::BruteForce).then_some("Brute force has no cells.");
    greyed_ui(ui, no_cells, |ui| {
        let [low, high] = source.cell_sizes(set);
        let range = f64::from(low)..=f64::from(high);
        let usual = f64::from(of_scene.grid.cell_size);
        let row = ParameterRow::of("grid.cell_size").format(format::length).usual([0.6, 1.5].map(|ratio| ratio * usual));
        if row.slider(range.clone()).allowed(range).ui(ui, &mut edited, &of_scene) {
            edited.grid.cell_size = edited.grid.cell_size.clamp(low, high);
        }
        if let Some(search) = snapshot.set_searches.get(set) {
            hint_ui(ui, format!("{:.2} × search radius", edited.grid.cell_size / search.radius));
        }
    });
    greyed_ui(ui, no_table, |ui| ParameterRow::of("grid.hash").ui(ui, &mut edited, &of_scene));
    ParameterRow::of("grid.structure").ui(ui, &mut edited, &of_scene);
    options_ui(ui, &mut edited, &of_scene);
    if edited.grid.structure.has_fixed_buckets() {
        ParameterRow::of("grid.bucket_capacity").ui(ui, &mut edited, &of_scene);
    }
    let most = edited.grid.most_places_per_bucket();
    edited.grid.bucket_capacity = edited.grid.bucket_capacity.min(most);
    let same = (edited.grid == of_scene.grid).then_some("The search already matches the scene.");
    ui.horizontal(|ui| {
        greyed_ui(ui, same, |ui| {
            let button =
                ui.button("Reset search to scene").on_hover_text("Reset all parameters of this search to those of the scene.");
            if button.clicked() {
                edited.grid = of_scene.grid;
            }
        });
        if ui.button("Auto-tune…").on_hover_text(Command::ToggleTuning.tooltip()).clicked() {
            actions.push(Action::Command(Command::ToggleTuning));
        }
    });
    edited.grid
}

/// Lays out the statistics of a search among so many `points`, which are `noun`: vertices or balls.
fn numbers_ui(ui: &mut Ui, (search, numbers, time): (&SetSearch, Numbers<'_>, Option<Duration>), noun: Noun, points: usize) {
    let SetSearch { radius, searches, stats, audit: _, among_others } = search;
    ui.spacing_mut().item_spacing.y = 0.0;
    let [all, per_point] = if noun == Noun::BALLS { ["Balls", "Pairs per ball"] } else { ["Vertices", "Pairs per vertex"] };
    value_ui(ui, all, &format::count(points as u64), "Number of points that are searched together.");
    value_ui(
        ui,
        "Search radius",
        &format!("{} m", format::length(f64::from(*radius))),
        "Largest distance at which two points may touch before the step ends. Two small balls are found within a smaller one.",
    );
    let found = [
        value_row(
            "Candidates per pair",
            format::ratio(stats.candidates_per_neighbor()),
            "Distances tested for each pair that is near enough to touch. 1 is the optimum. The block map and the cell hash skip what \
             only shares a bucket before they test a distance: a table that is too small costs them time, not candidates.",
        ),
        value_row(
            per_point,
            format!("{:.1}", stats.tally.neighbors as f64 / points.max(1) as f64),
            "Pairs that are near enough to touch before the step ends. Independent of the grid.",
        ),
    ];
    search_ui(ui, (stats, numbers), noun, found, time.unwrap_or(stats.build + stats.query));
    if *searches > 1 {
        value_ui(
            ui,
            "Searches in the step",
            &format::count(u64::from(*searches)),
            "How often all points were searched in the last step, because many moved farther than expected. Candidates and pairs are those of \
             the last search.",
        );
    }
    if let Some(among_balls) = among_others {
        value_ui(
            ui,
            "Queries among balls",
            &format::count(among_balls.queries),
            "How often vertices looked for balls around themselves in the last step. These queries use the grid of the balls.",
        );
        value_ui(
            ui,
            "Candidates per ball found",
            &format::ratio(among_balls.tally.candidates_per_neighbor()),
            "Distances from a vertex to a ball tested for each ball near enough to touch it before the step ends.",
        );
    }
}
