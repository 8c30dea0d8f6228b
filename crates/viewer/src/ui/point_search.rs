//! The part of the panel "Grid" for cloths and balls: whose search is shown, its parameters, and its statistics of the latest step.

use std::ops::Range;

use super::grid::{no_table_reason, options_ui, search_ui, table_ui, value_row};
use super::widgets::{ParameterRow, choice_ui, format, greyed_ui, hint_ui, value_ui};
use super::{Action, Model, State};
use crate::session::Snapshot;
use egui::Ui;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::parameters::Parameters;
use sph_core::point_sets::{PointSetup, SetSearch};

/// Search of cloths or balls that the panel shows and edits.
#[derive(Clone, Debug, Default)]
pub struct PointSearchView {
    /// First set of the search that is shown; `None` for that of the fluid.
    pub chosen: Option<usize>,
    /// Parameters of each set's search as the sliders show them; the simulation takes them over in its next step.
    grids: Vec<GridParameters>,
    /// Counts edits.
    revision: u64,
}

impl PointSearchView {
    /// Parameters of the search of set `set`, as the sliders show them; `None` if there is no such set.
    pub(in crate::ui) fn grid(&self, set: usize) -> Option<GridParameters> {
        self.grids.get(set).copied()
    }

    /// True if the simulation has taken over the last edit.
    pub(in crate::ui) fn is_up_to_date(&self, snapshot: &Snapshot) -> bool {
        snapshot.point_revision >= self.revision
    }

    /// Changes the search of set `set`, and of all that are searched with it, if `grid` is another.
    pub(in crate::ui) fn edit(&mut self, points: &PointSetup, set: usize, grid: GridParameters, actions: &mut Vec<Action>) {
        let [low, high] = points.source().cell_sizes(set);
        let grid = GridParameters { cell_size: grid.cell_size.clamp(low, high), ..grid };
        if self.grid(set).is_some_and(|before| before != grid) {
            self.grids[points.source().searched_with(set)].fill(grid);
            self.revision += 1;
            actions.push(Action::SetPointGrid(set, grid, self.revision));
        }
    }

    /// Takes over the parameters of the simulation, unless an edit of them is still pending. A scene without fluid shows its first set.
    pub(in crate::ui) fn follow(&mut self, snapshot: &Snapshot, new_scene: bool) {
        if new_scene || self.is_up_to_date(snapshot) {
            self.grids.clone_from(&snapshot.set_grids);
        }
        if new_scene {
            let has_points = snapshot.scene.as_ref().is_some_and(|scene| scene.setup.points.is_some());
            self.chosen = (has_points && !has_fluid(snapshot)).then_some(0);
        }
        self.chosen = self.chosen.filter(|&set| set < self.grids.len());
    }
}

/// Lays out the choice of the search, and that of cloths or balls if it is chosen. Returns true if so, false if the fluid's is to follow.
pub(super) fn point_search_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> bool {
    let snapshot = model.snapshot;
    let Some((scene, points)) = snapshot.scene.as_ref().and_then(|scene| Some((scene, scene.setup.points.as_ref()?))) else {
        return false;
    };
    if snapshot.sets.len() == 0 || state.point_search.grids.len() != snapshot.sets.len() {
        return false;
    }
    searches_ui(ui, state, snapshot, points);
    let Some(set) = state.point_search.chosen else { return false };
    let view = &mut state.point_search;
    let edited = rows_ui(ui, view.grids[set], points, set, &scene.setup.parameters, snapshot);
    view.edit(points, set, edited, actions);
    ui.add_space(4.0);
    match snapshot.set_searches.get(set) {
        Some(search) => {
            numbers_ui(ui, search, noun(snapshot, set), points_searched(snapshot, points, set));
        }
        None => hint_ui(ui, "Available after the first step."),
    }
    true
}

/// What the points of set `set` are.
fn noun(snapshot: &Snapshot, set: usize) -> &'static str {
    if snapshot.sets.is_sheet(set) { "vertices" } else { "balls" }
}

/// Number of points that are searched with set `set`.
pub(super) fn points_searched(snapshot: &Snapshot, points: &PointSetup, set: usize) -> usize {
    points.source().searched_with(set).map(|set| snapshot.sets.points_of(set)).sum()
}

/// True if there is fluid, or will be.
pub(super) fn has_fluid(snapshot: &Snapshot) -> bool {
    !snapshot.particles.is_empty() || snapshot.scene.as_ref().is_some_and(|scene| scene.setup.has_fluid())
}

/// Lays out the choice of the search.
fn searches_ui(ui: &mut Ui, state: &mut State, snapshot: &Snapshot, points: &PointSetup) {
    let names = |sets: Range<usize>| {
        let kind = if snapshot.sets.is_sheet(sets.start) { "Cloth" } else { "Balls" };
        match (snapshot.sets.name(sets.start), sets.len()) {
            (name, 1) if name.eq_ignore_ascii_case(kind) => kind.to_owned(),
            (name, 1) => format!("{kind}: {name}"),
            (name, count) => format!("{kind}: {name} and {} more", count - 1),
        }
    };
    // Without fluid there is nothing to search for.
    let fluid = has_fluid(snapshot).then(|| (None, "Fluid and walls".to_owned()));
    let mut groups: Vec<_> = fluid.into_iter().collect();
    let mut next = 0;
    while next < snapshot.sets.len() {
        let sets = points.source().searched_with(next);
        next = sets.end.max(next + 1);
        groups.push((Some(sets.start), names(sets)));
    }
    let all: Vec<(Option<usize>, &str)> = groups.iter().map(|(set, name)| (*set, name.as_str())).collect();
    let tooltip = "Search that the panel shows and changes. All cloths share one search, and all balls another.";
    choice_ui(ui, "Search of", tooltip, &mut state.point_search.chosen, &all);
    ui.add_space(4.0);
}

/// Lays out the parameters of a search; returns them as edited.
fn rows_ui(
    ui: &mut Ui,
    grid: GridParameters,
    points: &PointSetup,
    set: usize,
    parameters: &Parameters,
    snapshot: &Snapshot,
) -> GridParameters {
    let source = points.source();
    let of_scene = source.grids().get(set).copied().unwrap_or(grid);
    let (mut edited, of_scene) = (Parameters { grid, ..*parameters }, Parameters { grid: of_scene, ..*parameters });
    let no_table = no_table_reason(grid.structure);
    table_ui(ui, &mut edited, &of_scene, (points_searched(snapshot, points, set), noun(snapshot, set)));
    let no_cells = (grid.structure == Structure::BruteForce).then_some("Brute force has no cells.");
    greyed_ui(ui, no_cells, |ui| {
        let [low, high] = source.cell_sizes(set);
        let range = f64::from(low)..=f64::from(high);
        let usual = f64::from(of_scene.grid.cell_size);
        let row = ParameterRow::of("grid.cell_size").format(format::length).usual([0.6, 1.5].map(|ratio| ratio * usual));
        if row.slider(range.clone()).allowed(range).ui(ui, &mut edited, &of_scene) {
            edited.grid.cell_size = edited.grid.cell_size.clamp(low, high);
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
    greyed_ui(ui, same, |ui| {
        let button =
            ui.button("Reset search to scene").on_hover_text("Reset all parameters of this search to those of the scene.");
        if button.clicked() {
            edited.grid = of_scene.grid;
        }
    });
    hint_ui(ui, "The motion is the same to the bit whatever you choose here; only its cost changes.");
    edited.grid
}

/// Lays out the statistics of a search among so many `points`, which are `noun`: vertices or balls.
fn numbers_ui(ui: &mut Ui, search: &SetSearch, noun: &str, points: usize) {
    let SetSearch { radius, stats } = search;
    ui.spacing_mut().item_spacing.y = 2.0;
    let label = if noun == "balls" { "Balls" } else { "Vertices" };
    value_ui(ui, label, &format::count(points as u64), "All that are searched together.");
    value_ui(
        ui,
        "Search radius",
        &format!("{} m", format::length(f64::from(*radius))),
        "Largest distance at which two points may touch before the step ends. Two small balls are found within a smaller one.",
    );
    let found = [
        value_row(
            "Candidates per pair",
            format!("{:.1}", stats.candidates_per_neighbor()),
            "Distances tested for each pair that is near enough to touch. 1 is the optimum. The block map and the cell hash skip what \
             only shares a bucket before they test a distance: a table that is too small costs them time, not candidates.",
        ),
        value_row(
            if noun == "balls" { "Pairs per ball" } else { "Pairs per vertex" },
            format!("{:.1}", stats.tally.neighbors as f64 / points.max(1) as f64),
            "Pairs that are near enough to touch before the step ends. Independent of the grid.",
        ),
    ];
    search_ui(ui, stats, noun, found, stats.build + stats.query);
}
