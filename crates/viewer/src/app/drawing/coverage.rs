//! Parts of the 3D views that panels cover, such as the legend and open menus.

use crate::render::Area;
use egui::epaint::{ClippedPrimitive, Primitive, Vertex};
use egui::{Pos2, Rect};

/// Length of a tile, pixels: small tiles follow the panels closely, large ones are few.
const TILE: u32 = 32;

/// Tiles of `view` that `primitives` touch, joined to rectangles; all in pixels.
pub fn covered(view: Area, primitives: &[ClippedPrimitive], pixels_per_point: f32) -> Vec<Area> {
    let [columns, rows] = view.size.map(|length| length.div_ceil(TILE) as usize);
    let mut touched = vec![false; columns * rows];
    let mut mark = |rect: Rect| {
        // Half a pixel more on every side: the rasteriser's rounding. Rust's conversions saturate.
        let tile = |at: f32, corner: u32| ((at - corner as f32) / TILE as f32).max(0.0);
        let first = [tile(rect.min.x - 0.5, view.corner[0]), tile(rect.min.y - 0.5, view.corner[1])].map(|at| at as usize);
        let end = [tile(rect.max.x + 0.5, view.corner[0]), tile(rect.max.y + 0.5, view.corner[1])].map(|at| at.ceil() as usize);
        for row in first[1]..end[1].min(rows) {
            if first[0] < end[0].min(columns) {
                touched[row * columns..][first[0]..end[0].min(columns)].fill(true);
            }
        }
    };
    for ClippedPrimitive { clip_rect, primitive } in primitives {
        let clip = *clip_rect * pixels_per_point;
        match primitive {
            Primitive::Mesh(mesh) => {
                for triangle in mesh.indices.chunks_exact(3) {
                    let corners = [0, 1, 2].map(|corner| mesh.vertices[triangle[corner] as usize]);
                    let bounds = Rect::from_points(&corners.map(|Vertex { pos, .. }: Vertex| scaled(pos, pixels_per_point)));
                    let seen = bounds.intersect(clip);
                    if seen.is_positive() {
                        mark(seen);
                    }
                }
            }
            Primitive::Callback(_) => mark(clip),
        }
    }
    joined(&touched, columns, view)
}

fn scaled(position: Pos2, factor: f32) -> Pos2 {
    (position.to_vec2() * factor).to_pos2()
}

/// Rectangles of touched tiles: runs along rows, joined with equal runs in the rows below.
fn joined(touched: &[bool], columns: usize, view: Area) -> Vec<Area> {
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
    let area = |[left, right, top, bottom]: [usize; 4]| {
        let low = [left, top].map(|tile| tile as u32 * TILE);
        let high = [(right as u32 * TILE).min(view.size[0]), (bottom as u32 * TILE).min(view.size[1])];
        Area { corner: [view.corner[0] + low[0], view.corner[1] + low[1]], size: [high[0] - low[0], high[1] - low[1]] }
    };
    rectangles.into_iter().map(area).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::{Color32, Mesh};
    use egui::{pos2, vec2};

    const VIEW: Area = Area { corner: [100, 40], size: [320, 200] };

    fn painted(rect: Rect, clip: Rect) -> ClippedPrimitive {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(rect, Color32::WHITE);
        ClippedPrimitive { clip_rect: clip, primitive: Primitive::Mesh(mesh) }
    }

    #[test]
    fn every_painted_pixel_is_covered_and_little_else() {
        let legend = Rect::from_min_size(pos2(301.0, 47.0), vec2(90.0, 60.0));
        let panel = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 240.0));
        let areas = covered(VIEW, &[painted(panel, Rect::EVERYTHING), painted(legend, Rect::EVERYTHING)], 1.0);
        let inside = |x: u32, y: u32| {
            areas.iter().any(|Area { corner, size }| {
                (corner[0]..corner[0] + size[0]).contains(&x) && (corner[1]..corner[1] + size[1]).contains(&y)
            })
        };
        for (x, y) in [(301, 47), (390, 106), (345, 80)] {
            assert!(inside(x, y), "{x} {y} in {areas:?}");
        }
        let pixels: u32 = areas.iter().map(|area| area.size[0] * area.size[1]).sum();
        assert!((90 * 60..=160 * 128).contains(&pixels), "{pixels} pixels in {areas:?}");
        assert!(!inside(200, 200) && !inside(180, 60), "{areas:?}");
    }

    #[test]
    fn what_is_clipped_covers_nothing_and_scaled_points_are_pixels() {
        let all = Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 1000.0));
        assert_eq!(covered(VIEW, &[painted(all, Rect::from_min_size(pos2(0.0, 0.0), vec2(99.0, 900.0)))], 1.0), []);
        assert_eq!(covered(VIEW, &[painted(all, Rect::EVERYTHING)], 2.0), [VIEW]);
        assert_eq!(covered(Area { size: [0, 0], ..VIEW }, &[painted(all, Rect::EVERYTHING)], 1.0), []);
    }
}
