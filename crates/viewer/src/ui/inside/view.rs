//! Looking into the grid: which of its cells are shown, where it is cut, whose query is followed.

use super::map_view::MapView;
use crate::grid_boxes::{CellColoring, Slice};
use crate::render::scene_bounds;
use crate::session::{Inspect, Inspection};
use crate::ui::Action;
use glam::Vec3;
use sph_core::Dimensions;
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
