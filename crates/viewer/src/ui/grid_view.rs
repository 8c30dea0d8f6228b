//! Looking into the grid: which of its cells are shown, where it is cut, whose query is followed.

use super::bucket_map::MapView;
use super::widgets::{Number, choice_ui, hint_ui};
use super::{Action, Model, format, theme};
use crate::command::Command;
use crate::grid_boxes::{CellColoring, Slice};
use crate::render::scene_bounds;
use crate::session::{Inspect, Inspection};
use egui::{RichText, Ui};
use glam::Vec3;
use sph_core::Dimensions;
use sph_core::neighbors::Structure;
use sph_io::Scene;

/// What the user looks at.
#[derive(Clone, Debug, PartialEq)]
pub struct GridView {
    /// Whether occupied cells are drawn.
    pub cells: bool,
    /// What their colours mean.
    pub coloring: CellColoring,
    /// Whether only one layer of cells is shown, with the particles in it.
    pub sliced: bool,
    /// Axis across which the layer lies: 0, 1 or 2.
    pub axis: usize,
    /// Where the layer lies along each axis, m. Kept in metres, so that it stays when the cells change their size.
    pub place: Vec3,
    /// Whether the map of buckets is open.
    pub map: bool,
    /// Which part of the map is seen.
    pub map_view: MapView,
    /// The particle whose query is followed, by its stable id.
    pub selected: Option<u32>,
    /// The bucket whose cells stay highlighted.
    pub pinned: Option<u32>,
    /// The bucket under the pointer, in the map or in the fluid.
    pub pointed: Option<u32>,
    /// Whether it was pointed at in the map.
    pub pointed_in_map: bool,
    /// What was last asked of the simulation.
    asked: Inspect,
}

impl Default for GridView {
    fn default() -> Self {
        Self {
            cells: false,
            coloring: CellColoring::Occupancy,
            sliced: false,
            axis: 2,
            place: Vec3::ZERO,
            map: false,
            map_view: MapView::default(),
            selected: None,
            pinned: None,
            pointed: None,
            pointed_in_map: false,
            asked: Inspect::default(),
        }
    }
}

impl GridView {
    /// Starts afresh for another scene; what is shown stays shown.
    pub fn enter(&mut self, scene: &Scene) {
        let (min, max) = scene_bounds(&scene.setup);
        self.place = 0.5 * (min + max);
        self.selected = None;
        self.pinned = None;
        if scene.setup.discretization.dimensions == Dimensions::Two {
            self.axis = self.axis.min(1);
        }
    }

    /// Follows no particle and pins no bucket.
    pub fn clear_selection(&mut self) {
        self.selected = None;
        self.pinned = None;
    }

    /// The bucket to highlight: the one under the pointer, else the pinned one.
    pub fn shown_bucket(&self) -> Option<u32> {
        self.pointed.or(self.pinned)
    }

    /// The same whichever part of the map is seen: what the picture of the fluid depends on.
    #[must_use]
    pub fn without_map(&self) -> Self {
        Self { map: false, map_view: MapView::default(), ..self.clone() }
    }

    /// Lets go of a bucket that the table no longer has.
    pub fn follow(&mut self, inspection: Option<&Inspection>) {
        if let Some(contents) = inspection.and_then(|inspection| inspection.contents.as_ref()) {
            self.pinned = self.pinned.filter(|&bucket| (bucket as usize) < contents.bucket_lengths.len());
        }
    }

    /// Whether the fluid is faint, so that the cells of a bucket are seen wherever they are in it.
    pub fn looks_through(&self) -> bool {
        self.pinned.is_some() || self.pointed_in_map
    }

    /// The layer of cells of side `cell_size`, m, that is shown; all of them when `None`.
    pub fn slice(&self, cell_size: f32) -> Option<Slice> {
        let layer = (self.place[self.axis] / cell_size).floor() as i32;
        (self.sliced && cell_size > 0.0).then_some(Slice { axis: self.axis, layer })
    }

    /// Asks the simulation for what is looked at now, if that is something else than before.
    pub fn ask(&mut self, actions: &mut Vec<Action>) {
        let inspect =
            Inspect { contents: self.cells || self.map || self.pinned.is_some() || self.sliced, particle: self.selected };
        if inspect != self.asked {
            self.asked = inspect;
            actions.push(Action::Inspect(inspect));
        }
    }
}

/// The section of the side panel.
pub fn grid_view_ui(ui: &mut Ui, view: &mut GridView, model: &Model<'_>) {
    let Some(scene) = &model.snapshot.scene else {
        hint_ui(ui, "No scene is loaded.");
        return;
    };
    toggle_ui(ui, &mut view.cells, Command::ToggleCells);
    ui.add_enabled_ui(view.cells, |ui| {
        let all = [
            (CellColoring::Occupancy, "Particles"),
            (CellColoring::Bucket, "Bucket"),
            (CellColoring::Collision, "Collisions"),
        ];
        let tooltip = "By how many particles a cell holds; by its bucket, so that cells which share one have the same colour; or by \
                       whether it has to share.";
        choice_ui(ui, "Coloured by", tooltip, &mut view.coloring, &all);
    });
    toggle_ui(ui, &mut view.sliced, Command::ToggleSlice);
    ui.add_enabled_ui(view.sliced, |ui| slice_ui(ui, view, scene));
    toggle_ui(ui, &mut view.map, Command::ToggleBucketMap);
    hint_ui(ui, hint(view, model));
    if let Some(costs) = model.overlay {
        ui.add_space(0.5 * theme::SPACE);
        ui.label(RichText::new(costs.text()).small().color(theme::TEXT_QUIET)).on_hover_text(
            "What looking costs: reading the grid takes time of the simulation's thread, drawing its cells is a part of each frame. \
             Drawing the particles is given for comparison.",
        );
    }
}

/// What there is to do, or why there is nothing to see.
fn hint(view: &GridView, model: &Model<'_>) -> String {
    let structure = model.snapshot.inspection.as_ref().map(|inspection| inspection.grid.structure);
    match view.selected {
        Some(id) => format!("Following the query of particle {}; Esc lets it go.", format::count(id.into())),
        None if view.cells && structure == Some(Structure::BruteForce) => "Brute force has no cells to show.".to_owned(),
        None => "Click a particle to follow its query.".to_owned(),
    }
}

/// What looking into the grid costs a frame, ms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlayCosts {
    /// Drawing the particles.
    pub particles: f32,
    /// Drawing the cells.
    pub cells: f32,
    /// Reading the grid, on the simulation's thread.
    pub reading: f32,
}

impl OverlayCosts {
    fn text(self) -> String {
        let Self { particles, cells, reading } = self;
        format!("Cells {cells:.1} ms, particles {particles:.1} ms a frame; reading the grid {reading:.1} ms")
    }
}

fn toggle_ui(ui: &mut Ui, on: &mut bool, command: Command) {
    let tooltip = format!("{} ({})", command.tooltip(), command.shortcut_text(ui.ctx()));
    ui.checkbox(on, command.label()).on_hover_text(tooltip);
}

fn slice_ui(ui: &mut Ui, view: &mut GridView, scene: &Scene) {
    let (min, max) = scene_bounds(&scene.setup);
    let axes = [(0, "x"), (1, "y"), (2, "z")];
    let usable = scene.setup.discretization.dimensions.count();
    choice_ui(ui, "Cut across", "The axis that the layer is perpendicular to.", &mut view.axis, &axes[..usable]);
    let axis = view.axis.min(usable - 1);
    let range = f64::from(min[axis])..=f64::from(max[axis]);
    let number = Number {
        label: "At",
        tooltip: "Where the layer lies. It is one cell thick; the particles outside it are hidden.",
        unit: " m",
        slider: range.clone(),
        allowed: range,
        logarithmic: false,
        finest: 1e-3,
        scene: f64::from(0.5 * (min[axis] + max[axis])),
        format: format::length,
    };
    let mut value = f64::from(view.place[axis]);
    if number.ui(ui, &mut value) {
        view.place[axis] = value as f32;
    }
}
