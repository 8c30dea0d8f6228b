//! Panels "Inspector", "Bucket map" and "Query", and the cell legend over the 3D view.

mod bucket_map;
mod dragged_cells;
mod query;

pub use HEIGHT as CELL_LEGEND_HEIGHT;
pub use bucket_map::{bucket_map_ui, describe_cell};
pub use query::{query_line_ui, query_panel_ui};

use std::borrow::Cow;

use super::point_search::Noun;
use super::widgets::{NumberRow, choice_ui, format, greyed_ui, hint_ui, legend};
use super::{Action, Model, State, theme};
use crate::command::Command;
use crate::session::{Inspect, Inspection, Queried, Snapshot};
use bucket_map::MapView;
use dragged_cells::DraggedCells;
use egui::{Align, Color32, Frame, Layout, Margin, Rect, RichText, Sense, Ui, UiBuilder, vec2};
use glam::Vec3;
use sph_color::{ColorField, VERDICTS, is_computed};
use sph_core::Dimensions;
use sph_core::neighbors::Structure;
use sph_io::{Look, Scene};
use sph_render::grid_boxes::{self, CellColoring, Slice, occupancy_top};
use sph_render::scene_bounds;

/// Text in place of a part of the grid that the simulation has not delivered yet.
const NOT_YET: &str = "Available after the next step.";

/// Lays out the contents of the panel.
pub fn grid_view_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, _: &mut Vec<Action>) {
    let set = state.point_search.chosen;
    let noun = Noun::of(model.snapshot, set);
    let view = &mut state.view;
    let Some(scene) = &model.snapshot.scene else {
        hint_ui(ui, "No scene is open.");
        return;
    };
    toggle_ui(ui, &mut view.cells, Command::ToggleCells);
    let no_cells = (!view.cells).then_some("Turn on “Show cells” first.");
    greyed_ui(ui, no_cells, |ui| {
        let many = format::capitalized(noun.many);
        let all =
            [(CellColoring::Occupancy, &*many), (CellColoring::Bucket, "Bucket"), (CellColoring::Collision, "Collisions")];
        let tooltip = format!(
            "{many}: number of {} in the cell. Bucket: cells of the same bucket have the same colour. Collisions: number of cells in \
             the same bucket.",
            noun.many
        );
        choice_ui(ui, "Cell colour", &tooltip, &mut view.coloring, &all);
    });
    greyed_ui(ui, no_cells, |ui| toggle_ui(ui, &mut view.sliced, Command::ToggleSlice));
    let no_slice = no_cells.or_else(|| (!view.sliced).then_some("Turn on “One layer only” first."));
    greyed_ui(ui, no_slice, |ui| slice_ui(ui, view, scene));
    toggle_ui(ui, &mut view.map, Command::ToggleBucketMap);
    hint_ui(ui, hint(view, set.map(|_| noun), model));
    if let Some(costs) = model.overlay {
        ui.add_space(0.5 * theme::SPACE);
        ui.label(RichText::new(costs.text()).small().color(theme::of(ui).text_quiet)).on_hover_text(
            "Cost of this view: drawing the cells, in each frame, and copying the contents of the grid, on the simulation \
             thread. The time for the particles is given for comparison.",
        );
    }
}

/// Hint on the next action, or the reason for an empty view. `points`: what is searched, if it is no fluid.
fn hint(view: &GridView, points: Option<Noun>, model: &Model<'_>) -> String {
    let structure = model.snapshot.inspection.as_ref().map(|inspection| inspection.grid.structure);
    match view.selected {
        Some(queried) => {
            let place = if view.cells { "; the other cells are faint" } else { "" };
            format!("Showing the query of {}{place}. Esc closes it.", query::name_of(queried, model.snapshot))
        }
        None if view.cells && structure == Some(Structure::BruteForce) => "Brute force has no cells.".to_owned(),
        None => match points {
            None => "Click a particle to show its query.".to_owned(),
            Some(Noun { one, many }) => format!(
                "Cells and buckets are those of the {many}: “Search of” in the Grid panel. Click a {one} to show its query."
            ),
        },
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
    choice_ui(ui, "Slice normal", "Axis perpendicular to the slice.", &mut view.axis, &axes[..usable]);
    let axis = view.axis.min(usable - 1);
    if scene.setup.discretization.dimensions == Dimensions::Three {
        view.axis_in_space = axis;
    }
    let range = f64::from(min[axis])..=f64::from(max[axis]);
    let number = NumberRow {
        label: "Slice position",
        tooltip: "Position of the slice along its normal. It is one cell thick; particles outside it are hidden.",
        unit: " m",
        slider: range.clone(),
        allowed: range,
        logarithmic: false,
        finest: 1e-3,
        scene: f64::from(view.first_place[axis]),
        usual: None,
        format: format::length,
    };
    let mut value = f64::from(view.place[axis]);
    if number.ui(ui, &mut value) {
        view.place[axis] = value as f32;
    }
}

/// Place in the middle of the particles, or of balls and cloth without any, along each axis where one of them is; that of the scene if it is empty, m.
fn middle(scene: &Scene, snapshot: &Snapshot) -> Vec3 {
    let mut points = Cow::Borrowed(&snapshot.particles.positions[..]);
    if points.is_empty() {
        let vertices = snapshot.sets.triangles().flatten();
        points = snapshot.sets.balls().map(|(center, _)| center).chain(vertices).collect();
    }
    let (min, max) = points.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), &at| (min.min(at), max.max(at)));
    let (min, max) = if points.is_empty() { scene_bounds(&scene.setup) } else { (min, max) };
    let middle = 0.5 * (min + max);
    // Between two columns of fluid there is none.
    let nearer =
        |axis: usize| move |a: &Vec3, b: &Vec3| (a[axis] - middle[axis]).abs().total_cmp(&(b[axis] - middle[axis]).abs());
    let nearest = |axis: usize| points.iter().copied().min_by(nearer(axis)).map_or(middle[axis], |at| at[axis]);
    Vec3::from_array([0, 1, 2].map(nearest))
}

/// State of the grid inspection: shown cells, slice, bucket map, whose query is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct GridView {
    /// True to draw the occupied cells.
    pub cells: bool,
    /// Cells that are drawn because a size of the grid changes.
    pub dragged: DraggedCells,
    /// Colouring of the cells.
    pub coloring: CellColoring,
    /// True to show only one layer of cells and its particles.
    pub sliced: bool,
    /// Axis normal to the layer: 0, 1 or 2.
    pub axis: usize,
    /// The same in scenes of three dimensions, which one of two leaves as it is.
    axis_in_space: usize,
    /// Number of particles of a cell with the last colour of occupancy: held at the highest so far while the cells keep their size.
    pub top: u32,
    /// Cell size for which it is held, m.
    top_size: f32,
    /// Kinds of particles that a query visits, in the order of their colours: true for those that are not shown.
    pub hidden: [bool; VERDICTS.len()],
    /// Position of the layer along each axis, m; in metres, so that it is independent of the cell size.
    pub place: Vec3,
    /// Position when the scene was opened, m.
    first_place: Vec3,
    /// True while the bucket map is open.
    pub map: bool,
    /// Visible part of the bucket map.
    pub map_view: MapView,
    /// Selected particle, ball or vertex, whose query is shown.
    pub selected: Option<Queried>,
    /// Pinned bucket, whose cells stay highlighted.
    pub pinned: Option<u32>,
    /// Hovered bucket, in the map or in the fluid.
    pub pointed: Option<u32>,
    /// True if the hovered bucket is in the map.
    pub pointed_in_map: bool,
    /// Latest request to the simulation.
    asked: Inspect,
}

impl Default for GridView {
    fn default() -> Self {
        Self {
            cells: false,
            dragged: DraggedCells::default(),
            coloring: CellColoring::Occupancy,
            sliced: false,
            axis: 2,
            axis_in_space: 2,
            top: 0,
            top_size: 0.0,
            hidden: [false; VERDICTS.len()],
            place: Vec3::ZERO,
            first_place: Vec3::ZERO,
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
    /// Resets selection and slice position for another scene, which `snapshot` shows; the switches stay.
    pub fn enter(&mut self, scene: &Scene, snapshot: &Snapshot) {
        self.first_place = middle(scene, snapshot);
        self.place = self.first_place;
        self.selected = None;
        self.pinned = None;
        self.top = 0;
        self.axis = match scene.setup.discretization.dimensions {
            Dimensions::Two => self.axis.min(1),
            Dimensions::Three => self.axis_in_space,
        };
    }

    /// Clears what is selected, and the pinned bucket.
    pub fn clear_selection(&mut self) {
        self.selected = None;
        self.pinned = None;
    }

    /// Bucket to highlight: the hovered one, else the pinned one.
    pub fn shown_bucket(&self) -> Option<u32> {
        self.pointed.or(self.pinned)
    }

    /// Copy without the state of the bucket map: the part that the 3D picture depends on.
    #[must_use]
    pub fn without_map(&self) -> Self {
        Self { map: false, map_view: MapView::default(), dragged: self.dragged.without_times(), ..self.clone() }
    }

    /// Cells that are drawn of a grid of `structure`, alone or beside a `compared` one; `None` if no cells are.
    pub fn drawn_cells(&self, structure: Structure, compared: bool) -> Option<DrawnCells> {
        if self.cells {
            return Some(DrawnCells { coloring: self.coloring, opacity: 1.0 });
        }
        // Without a table nothing collides: the number of points is of more use. Compared grids have one legend.
        let coloring = if structure.has_table() || compared { CellColoring::Collision } else { CellColoring::Occupancy };
        self.dragged.opacity().map(|opacity| DrawnCells { coloring, opacity })
    }

    /// True if cells are drawn, of whatever structure.
    pub fn draws_cells(&self) -> bool {
        self.cells || self.dragged.opacity().is_some()
    }

    /// Shows one layer of the cells, and the cells with it, or all of them again.
    pub fn toggle_slice(&mut self) {
        self.sliced = !(self.sliced && self.cells);
        self.cells |= self.sliced;
    }

    /// Clears a pinned bucket that the table no longer has, and holds the scale of the cells' colours.
    pub fn follow(&mut self, inspection: Option<&Inspection>) {
        if let Some(contents) = inspection.and_then(|inspection| inspection.contents.as_ref()) {
            if contents.cell_size != self.top_size {
                (self.top, self.top_size) = (0, contents.cell_size);
            }
            self.top = self.top.max(occupancy_top(contents));
            self.pinned = self.pinned.filter(|&bucket| (bucket as usize) < contents.bucket_lengths.len());
        }
    }

    /// True if the fluid is drawn faint, so that the highlighted cells are visible inside it.
    pub fn looks_through(&self) -> bool {
        self.pinned.is_some() || self.pointed_in_map
    }

    /// Shown layer of cells of side `cell_size` (m); `None` for all cells, or none.
    pub fn slice(&self, cell_size: f32) -> Option<Slice> {
        let layer = (self.place[self.axis] / cell_size).floor() as i32;
        (self.cells && self.sliced && cell_size > 0.0).then_some(Slice { axis: self.axis, layer })
    }

    /// True if particles themselves are looked at: a query, or the bucket inside faint fluid.
    pub fn looks_at_particles(&self, inspection: Option<&Inspection>) -> bool {
        let Some(inspection) = inspection else { return false };
        let bucket = self.shown_bucket().filter(|_| self.looks_through());
        let cells = bucket.zip(inspection.contents.as_ref());
        let is_bucket = cells.is_some_and(|(bucket, all)| all.cell_size > 0.0 && !all.cells_of(bucket).is_empty());
        is_bucket || inspection.query_of(self.selected).is_some()
    }

    /// Requests the inspected parts, those of the search of point set `set` or of the fluid, with the numbers of its grid if they are wanted, and what a
    /// fluid that shows `field` in `look` needs to have computed, from the simulation if they have changed.
    pub fn ask(
        &mut self,
        (set, wants_numbers): (Option<usize>, bool),
        field: ColorField,
        look: Option<Look>,
        actions: &mut Vec<Action>,
    ) {
        let contents = self.draws_cells() || self.map || self.pinned.is_some() || wants_numbers;
        let of_point = matches!(self.selected, Some(Queried::Point(_)));
        let set = set.filter(|_| contents || of_point);
        let field = look.filter(|look| look.has_colors() && is_computed(field)).map(|_| field);
        let inspect = Inspect { contents, set, queried: self.selected, field, ellipsoids: look == Some(Look::Water) };
        if inspect != self.asked {
            self.asked = inspect;
            actions.push(Action::Inspect(inspect));
        }
    }
}

/// Colouring and opacity of the cells that are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnCells {
    /// Quantity that their colours show.
    pub coloring: CellColoring,
    /// Opacity relative to that of cells that stay, 0 to 1.
    pub opacity: f32,
}

/// Times of the grid overlay, ms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlayCosts {
    /// Drawing the particles, per frame.
    pub particles: f32,
    /// Drawing the cells, per frame.
    pub cells: f32,
    /// Copying the grid's contents, on the simulation thread.
    pub reading: f32,
}

impl OverlayCosts {
    /// The times as one line of text.
    pub fn text(self) -> String {
        let Self { particles, cells, reading } = self;
        format!("Per frame: cells {cells:.1} ms, particles {particles:.1} ms; grid copy {reading:.1} ms")
    }
}

// Legend of the cell colours, below the legend of the particle colours.

/// Height of the legend, points.
pub const HEIGHT: f32 = 60.0;

/// Number of steps of the gradient.
const STEPS: u32 = 24;

/// Lays out the legend while cells are drawn, `below` the upper edge of `area` (points); if it does not fit there, as one line centred in
/// `line`.
///
/// Returns true if it is in the line.
pub fn cell_legend_ui(ui: &mut Ui, (area, below): (Rect, f32), line: Option<Rect>, state: &State, model: &Model<'_>) -> bool {
    let view = &state.view;
    let inspection = state.comparing.side.inspection(model.snapshot);
    let drawn = inspection.and_then(|inspection| view.drawn_cells(inspection.grid.structure, state.is_comparing()));
    let contents = inspection.and_then(|inspection| inspection.contents.as_ref());
    let (Some(DrawnCells { coloring, opacity }), Some(contents)) = (drawn, contents) else { return false };
    if contents.cell_size <= 0.0 || contents.cells.is_empty() {
        return false;
    }
    let noun = Noun::of(model.snapshot, inspection.and_then(|inspection| inspection.asked.set));
    if !legend::fits(area) {
        return line.is_some_and(|line| line_ui(ui, line, coloring, view.top, noun));
    }
    let corner = area.right_top() + vec2(-theme::SPACE - legend::SIZE.x, theme::SPACE + below);
    let rect = Rect::from_min_size(corner, vec2(legend::SIZE.x, HEIGHT));
    ui.scope_builder(UiBuilder::new().max_rect(rect).layout(Layout::top_down(Align::Min)), |ui| {
        let frame =
            Frame::new().fill(theme::of(ui).background.gamma_multiply(0.85)).corner_radius(6).inner_margin(Margin::same(8));
        frame.multiply_with_opacity(opacity).show(ui, |ui| {
            ui.multiply_opacity(opacity);
            ui.set_width(legend::SIZE.x - 2.0 * theme::SPACE);
            ui.label(RichText::new(title(coloring, noun)).color(theme::of(ui).text_quiet));
            match coloring {
                CellColoring::Occupancy => occupancy_ui(ui, view.top),
                CellColoring::Bucket => {}
                CellColoring::Collision => collision_ui(ui),
            }
        });
    });
    false
}

/// Lays out the legend as one line. Returns true if it fits.
fn line_ui(ui: &mut Ui, line: Rect, coloring: CellColoring, top: u32, noun: Noun) -> bool {
    // With the title, and without it for narrow views.
    let [named, bare] = match coloring {
        CellColoring::Occupancy => [244.0, 140.0],
        CellColoring::Bucket => [170.0; 2],
        CellColoring::Collision => [322.0, 206.0],
    };
    let has_title = line.width() >= named;
    let width = if has_title { named } else { bare };
    if line.width() < width {
        return false;
    }
    let frame_rect = Rect::from_center_size(line.center(), vec2(width, line.height()));
    ui.painter().rect_filled(frame_rect, 6.0, theme::of(ui).background.gamma_multiply(0.85));
    let layout = Layout::left_to_right(Align::Center);
    let builder = UiBuilder::new().max_rect(frame_rect.shrink2(vec2(theme::SPACE, 0.0))).layout(layout);
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 0.75 * theme::SPACE;
        if has_title {
            ui.label(RichText::new(title(coloring, noun)).color(theme::of(ui).text_quiet));
        }
        match coloring {
            CellColoring::Occupancy => {
                ui.label(RichText::new("1").monospace().size(11.0));
                gradient_ui(ui, 84.0, top);
                ui.label(RichText::new(top.to_string()).monospace().size(11.0));
            }
            CellColoring::Bucket => {}
            CellColoring::Collision => collision_ui(ui),
        }
    });
    true
}

fn title(coloring: CellColoring, noun: Noun) -> String {
    match coloring {
        CellColoring::Occupancy => format!("{} per cell", format::capitalized(noun.many)),
        CellColoring::Bucket => "Bucket of the cell".to_owned(),
        CellColoring::Collision => "Cells per bucket".to_owned(),
    }
}

fn occupancy_ui(ui: &mut Ui, top: u32) {
    gradient_ui(ui, ui.available_width(), top);
    egui::Sides::new().show(
        ui,
        |ui| ui.label(RichText::new("1").monospace().size(11.0)),
        |ui| ui.label(RichText::new(top.to_string()).monospace().size(11.0)),
    );
}

fn gradient_ui(ui: &mut Ui, width: f32, top: u32) {
    let (bar, _) = ui.allocate_exact_size(vec2(width, 10.0), Sense::hover());
    for step in 0..STEPS {
        let edge = |step: u32| bar.left() + bar.width() * step as f32 / STEPS as f32;
        let points = 1.0 + (top.max(2) - 1) as f32 * (step as f32 + 0.5) / STEPS as f32;
        let part = Rect::from_x_y_ranges(edge(step)..=edge(step + 1), bar.y_range());
        ui.painter().rect_filled(part, 0.0, color(grid_boxes::occupancy_color(points.round() as u32, top)));
    }
}

fn collision_ui(ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.5 * theme::SPACE;
        for (sharing, name) in [(1, "1"), (2, "2"), (3, "3"), (4, "4"), (5, "5 or more")] {
            let (swatch, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().rect_filled(swatch, 2.0, color(grid_boxes::collision_color(sharing)));
            ui.label(RichText::new(name).size(11.0));
        }
    });
}

fn color([r, g, b]: [u8; 3]) -> Color32 {
    Color32::from_rgb(r, g, b)
}
