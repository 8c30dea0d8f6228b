//! Overlay of the grid: cells as boxes, particles in the colours of a query, the slice.

use crate::color::{VERDICT_COLORS, verdict_index};
use crate::grid_boxes;
use crate::render::{CellBox, Slab, Tint};
use crate::session::Inspection;
use crate::ui::GridView;
use glam::{IVec3, Vec3};
use sph_core::Dimensions;
use sph_core::neighbors::{Structure, Trace, Verdict};
use std::collections::{HashMap, HashSet};

/// Largest number of cells in reach that are all drawn, empty ones included. Of more, only those in which the query met
/// particles.
const MOST_OUTLINES: u64 = 343;

/// Fill and edge of the cells in reach of a query.
const IN_REACH: ([f32; 4], [f32; 4]) = ([0.30, 0.72, 0.91, 0.06], [0.30, 0.72, 0.91, 0.60]);
const OWN: ([f32; 4], [f32; 4]) = ([1.0, 1.0, 1.0, 0.12], [1.0, 1.0, 1.0, 1.0]);
/// Fill and edge of the cells of the bucket under the pointer.
const POINTED: ([f32; 4], [f32; 4]) = ([1.0, 1.0, 1.0, 0.40], [1.0, 1.0, 1.0, 1.0]);

/// Everything that the overlay depends on besides the particles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverlayKey {
    serial: u64,
    view: Option<GridView>,
}

/// The overlay of a frame. Its memory is reused.
#[derive(Debug, Default)]
pub struct Overlay {
    pub cells: Vec<CellBox>,
    pub tints: Vec<Tint>,
    pub slab: Option<Slab>,
}

impl OverlayKey {
    /// The key of the overlay that `view` shows of `inspection`.
    pub fn new(view: &GridView, inspection: Option<&Inspection>) -> Self {
        let Some(inspection) = inspection else { return Self::default() };
        Self { serial: inspection.serial, view: Some(view.without_map()) }
    }
}

impl Overlay {
    /// Updates the overlay for particles at `positions` (m).
    pub fn update(&mut self, view: &GridView, inspection: Option<&Inspection>, dimensions: Dimensions, positions: &[Vec3]) {
        let Self { cells, tints, slab } = self;
        cells.clear();
        tints.clear();
        *slab = None;
        let Some(inspection) = inspection else { return };
        if let Some(contents) = &inspection.contents {
            let slice = view.slice(contents.cell_size);
            let bucket = view.shown_bucket().map_or(&[][..], |bucket| contents.cells_of(bucket));
            let looks_through = view.looks_through() && !bucket.is_empty();
            *slab = slice.map(|slice| slice.slab(contents.cell_size));
            // A query is shown alone, and so is a bucket in faint fluid.
            if view.cells && inspection.query_of(view.selected).is_none() && !looks_through {
                grid_boxes::boxes_up_to(view.top, contents, view.coloring, slice, dimensions, cells);
            }
            for cell in bucket {
                push(cell.cell, contents.cell_size, dimensions, POINTED, cells);
            }
            if looks_through && contents.cell_size > 0.0 {
                let bucket: HashSet<IVec3> = bucket.iter().map(|cell| cell.cell).collect();
                let tint = |&position: &Vec3| match bucket.contains(&contents.cell_of(position)) {
                    true => Tint::Value,
                    false => Tint::Faint,
                };
                tints.extend(positions.iter().map(tint));
            }
        }
        if let Some(query) = inspection.query_of(view.selected) {
            *slab = None;
            query_boxes(inspection, query, dimensions, cells);
            tints.clear();
            tints.resize(positions.len(), Tint::Faint);
            for met in &query.visited {
                if let Some(tint) = tints.get_mut(met.index as usize) {
                    let kind = verdict_index(met.verdict);
                    *tint = match met.verdict {
                        _ if view.hidden[kind] => Tint::Faint,
                        Verdict::Itself | Verdict::Neighbor => Tint::Color(kind as u8),
                        // The neighbours are among them.
                        Verdict::TooFar | Verdict::Foreign | Verdict::PassedOver => Tint::Small(kind as u8),
                    };
                }
            }
        }
    }
}

/// Adds the cells that a query visits: its own, those in reach, and foreign ones that share their buckets.
fn query_boxes(inspection: &Inspection, query: &Trace, dimensions: Dimensions, cells: &mut Vec<CellBox>) {
    if inspection.grid.structure == Structure::BruteForce {
        return;
    }
    let size = inspection.grid.cell_size;
    let (low, high) = query.reach;
    let inside = |cell: IVec3| cell.cmpge(low).all() && cell.cmple(high).all();
    let mut styles: HashMap<IVec3, ([f32; 4], [f32; 4])> = HashMap::new();
    let extent = high.as_i64vec3() - low.as_i64vec3() + 1;
    if extent.min_element() > 0
        && extent.to_array().iter().fold(1, |count: u64, &length| count.saturating_mul(length as u64)) <= MOST_OUTLINES
    {
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                styles.extend((low.x..=high.x).map(|x| (IVec3::new(x, y, z), IN_REACH)));
            }
        }
    }
    for met in &query.visited {
        let style = if inside(met.cell) { IN_REACH } else { style_of(met.verdict) };
        styles.insert(met.cell, style);
    }
    styles.insert(query.cell, OWN);
    let mut styles: Vec<_> = styles.into_iter().collect();
    styles.sort_unstable_by_key(|(cell, _)| cell.to_array());
    for (cell, style) in styles {
        push(cell, size, dimensions, style, cells);
    }
}

/// Fill and edge of a cell out of reach.
fn style_of(verdict: Verdict) -> ([f32; 4], [f32; 4]) {
    let [r, g, b] = VERDICT_COLORS[verdict_index(verdict)].map(|channel| f32::from(channel) / 255.0);
    ([r, g, b, 0.10], [r, g, b, 0.85])
}

fn push(cell: IVec3, size: f32, dimensions: Dimensions, (fill, edge): ([f32; 4], [f32; 4]), cells: &mut Vec<CellBox>) {
    let (min, max) = grid_boxes::cell_bounds(cell, size, dimensions);
    cells.push(CellBox { min, max, fill, edge });
}
