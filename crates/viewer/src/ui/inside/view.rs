//! State of the grid inspection: shown cells, slice, bucket map, selected particle.

use super::map_view::MapView;
use crate::color::{ColorField, VERDICTS, is_computed};
use crate::grid_boxes::{CellColoring, Slice, occupancy_top};
use crate::render::scene_bounds;
use crate::session::{Inspect, Inspection};
use crate::ui::Action;
use glam::Vec3;
use sph_core::Dimensions;
use sph_io::{Look, Scene};

/// State of the grid inspection.
#[derive(Clone, Debug, PartialEq)]
pub struct GridView {
    /// True to draw the occupied cells.
    pub cells: bool,
    /// Colouring of the cells.
    pub coloring: CellColoring,
    /// True to show only one layer of cells and its particles.
    pub sliced: bool,
    /// Axis normal to the layer: 0, 1 or 2.
    pub axis: usize,
    /// Number of particles of a cell with the last colour of occupancy: held at the highest so far while the cells keep their size.
    pub top: u32,
    /// Cell size for which it is held, m.
    top_size: f32,
    /// Kinds of particles that a query visits, in the order of their colours: true for those that are not shown.
    pub hidden: [bool; VERDICTS.len()],
    /// Position of the layer along each axis, m; in metres, so that it is independent of the cell size.
    pub place: Vec3,
    /// True while the bucket map is open.
    pub map: bool,
    /// Visible part of the bucket map.
    pub map_view: MapView,
    /// Stable id of the selected particle, whose query is shown.
    pub selected: Option<u32>,
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
            coloring: CellColoring::Occupancy,
            sliced: false,
            axis: 2,
            top: 0,
            top_size: 0.0,
            hidden: [false; VERDICTS.len()],
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
    /// Resets selection and slice position for another scene; the switches stay.
    pub fn enter(&mut self, scene: &Scene) {
        let (min, max) = scene_bounds(&scene.setup);
        self.place = 0.5 * (min + max);
        self.selected = None;
        self.pinned = None;
        self.top = 0;
        if scene.setup.discretization.dimensions == Dimensions::Two {
            self.axis = self.axis.min(1);
        }
    }

    /// Clears the selected particle and the pinned bucket.
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
        Self { map: false, map_view: MapView::default(), ..self.clone() }
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

    /// Requests the inspected parts, and what a fluid that shows `field` in `look` needs to have computed, from the simulation if they
    /// have changed.
    pub fn ask(&mut self, field: ColorField, look: Option<Look>, actions: &mut Vec<Action>) {
        let contents = self.cells || self.map || self.pinned.is_some();
        let field = look.filter(|look| look.has_colors() && is_computed(field)).map(|_| field);
        let inspect = Inspect { contents, particle: self.selected, field, ellipsoids: look == Some(Look::Water) };
        if inspect != self.asked {
            self.asked = inspect;
            actions.push(Action::Inspect(inspect));
        }
    }
}
