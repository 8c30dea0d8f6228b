//! Tiles of a part of the frame, which are marked and joined to rectangles.

use crate::render::Area;
use egui::Rect;
use egui::epaint::{Mesh, Vertex};

/// Length of a tile, pixels: small tiles follow the panels closely, large ones are few.
const TILE: u32 = 32;

/// Tiles of `area`, and which of them are marked.
pub struct Tiles {
    area: Area,
    pixels_per_point: f32,
    columns: usize,
    marked: Vec<bool>,
}

/// The triangles of a mesh.
pub fn triangles(mesh: &Mesh) -> impl ExactSizeIterator<Item = [Vertex; 3]> + DoubleEndedIterator {
    mesh.indices.as_chunks().0.iter().map(|corners: &[u32; 3]| corners.map(|corner| mesh.vertices[corner as usize]))
}

/// Smallest rectangle around a triangle, points.
pub fn bounds(triangle: &[Vertex; 3]) -> Rect {
    Rect::from_points(&triangle.map(|vertex| vertex.pos))
}

impl Tiles {
    /// Tiles without a mark, over `area` in pixels.
    pub fn new(area: Area, pixels_per_point: f32) -> Self {
        let [columns, rows] = area.size.map(|length| length.div_ceil(TILE) as usize);
        Self { area, pixels_per_point, columns, marked: vec![false; columns * rows] }
    }

    /// Marks the tiles under the visible part of a triangle, points.
    pub fn mark_triangle(&mut self, triangle: [Vertex; 3], clip: Rect) {
        let seen = bounds(&triangle).intersect(clip);
        if seen.is_positive() {
            self.mark(seen);
        }
    }

    /// Marks the tiles under a rectangle, points.
    pub fn mark(&mut self, rect: Rect) {
        let rect = rect * self.pixels_per_point;
        let Area { corner, size } = self.area;
        // Half a pixel more on every side: the rasteriser's rounding. Rust's conversions saturate.
        let tile = |at: f32, corner: u32| ((at - corner as f32) / TILE as f32).max(0.0);
        let first = [tile(rect.min.x - 0.5, corner[0]), tile(rect.min.y - 0.5, corner[1])].map(|at| at as usize);
        let end = [tile(rect.max.x + 0.5, corner[0]), tile(rect.max.y + 0.5, corner[1])].map(|at| at.ceil() as usize);
        let columns = first[0]..end[0].min(self.columns);
        for row in first[1]..end[1].min(size[1].div_ceil(TILE) as usize) {
            if !columns.is_empty() {
                self.marked[row * self.columns..][columns.clone()].fill(true);
            }
        }
    }

    /// The marked tiles as rectangles of pixels that do not overlap.
    pub fn rectangles(&self) -> Vec<Area> {
        joined(&self.marked, self.columns, self.area)
    }
}

/// Rectangles of touched tiles: runs along rows, joined with equal runs in the rows below.
fn joined(touched: &[bool], columns: usize, area: Area) -> Vec<Area> {
    // First column, end column, first row and end row of each rectangle.
    let mut rectangles: Vec<[usize; 4]> = Vec::new();
    for (row, tiles) in touched.chunks_exact(columns.max(1)).enumerate() {
        let mut column = 0;
        for run in tiles.chunk_by(|a, b| a == b) {
            let (start, end) = (column, column + run.len());
            column = end;
            if !run[0] {
                continue;
            }
            match rectangles.iter_mut().find(|rectangle| rectangle[..2] == [start, end] && rectangle[3] == row) {
                Some(above) => above[3] = row + 1,
                None => rectangles.push([start, end, row, row + 1]),
            }
        }
    }
    let pixels = |[left, right, top, bottom]: [usize; 4]| {
        let low = [left, top].map(|tile| tile as u32 * TILE);
        let high = [(right as u32 * TILE).min(area.size[0]), (bottom as u32 * TILE).min(area.size[1])];
        Area { corner: [area.corner[0] + low[0], area.corner[1] + low[1]], size: [high[0] - low[0], high[1] - low[1]] }
    };
    rectangles.into_iter().map(pixels).collect()
}
