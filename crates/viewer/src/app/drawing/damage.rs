//! Parts of the panels that have changed since they were last painted, numbers and curves most of the time, and parts of the 3D views
//! that panels cover.

use egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex};
use egui::{Rect, pos2};
use sph_render::Area;

/// Tiles in which `primitives` may look unlike `painted`, joined to rectangles of a frame of `size` pixels; `None` if too little is alike to
/// compare them.
pub fn changed(
    size: [u32; 2],
    pixels_per_point: f32,
    primitives: &[ClippedPrimitive],
    painted: &[ClippedPrimitive],
) -> Option<Vec<Area>> {
    if primitives.len() != painted.len() {
        return None;
    }
    let mut tiles = Tiles::new(Area { corner: [0, 0], size }, pixels_per_point);
    for (new, old) in primitives.iter().zip(painted) {
        let (Primitive::Mesh(mesh), Primitive::Mesh(before)) = (&new.primitive, &old.primitive) else { return None };
        let alike = new.clip_rect == old.clip_rect && mesh.texture_id == before.texture_id;
        if alike && mesh.indices.len() == before.indices.len() {
            for (triangle, other) in triangles(mesh).zip(triangles(before)).filter(|(triangle, other)| triangle != other) {
                tiles.mark_triangle(triangle, new.clip_rect);
                tiles.mark_triangle(other, old.clip_rect);
            }
        } else {
            let (front, back) = if alike { common_ends(mesh, before) } else { (0, 0) };
            for (mesh, clip) in [(mesh, new.clip_rect), (before, old.clip_rect)] {
                let between = triangles(mesh).len() - front - back;
                triangles(mesh).skip(front).take(between).for_each(|triangle| tiles.mark_triangle(triangle, clip));
            }
        }
    }
    Some(tiles.rectangles())
}

/// Numbers of triangles at the front and at the back that two meshes have in common, which do not overlap.
fn common_ends(one: &Mesh, other: &Mesh) -> (usize, usize) {
    let front = triangles(one).zip(triangles(other)).take_while(|(a, b)| a == b).count();
    let least = triangles(one).len().min(triangles(other).len());
    let back = triangles(one).rev().zip(triangles(other).rev()).take(least - front).take_while(|(a, b)| a == b).count();
    (front, back)
}

/// What of `primitives` lies in each of `areas`, clipped to it.
pub fn inside(areas: &[Area], pixels_per_point: f32, primitives: &[ClippedPrimitive]) -> Vec<ClippedPrimitive> {
    let mut parts = Vec::new();
    for Area { corner: [x, y], size: [width, height] } in areas.iter().copied() {
        let [left, top, right, bottom] = [x, y, x + width, y + height].map(|length| length as f32 / pixels_per_point);
        let area = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            let (clip_rect, Primitive::Mesh(mesh)) = (clip_rect.intersect(area), primitive) else { continue };
            let mut part = Mesh::with_texture(mesh.texture_id);
            if clip_rect.is_positive() {
                // A pixel more on every side: the rasteriser's rounding.
                let reach = clip_rect.expand(1.0 / pixels_per_point);
                part.vertices.extend(triangles(mesh).filter(|triangle| bounds(triangle).intersects(reach)).flatten());
            }
            if !part.vertices.is_empty() {
                part.indices.extend(0..part.vertices.len() as u32);
                parts.push(ClippedPrimitive { clip_rect, primitive: Primitive::Mesh(part) });
            }
        }
    }
    parts
}

// Parts of the 3D views that panels cover, such as the legend and open menus.

/// Tiles of `view` that `primitives` touch, joined to rectangles; all in pixels.
pub fn covered(view: Area, primitives: &[ClippedPrimitive], pixels_per_point: f32) -> Vec<Area> {
    let mut tiles = Tiles::new(view, pixels_per_point);
    for ClippedPrimitive { clip_rect, primitive } in primitives {
        match primitive {
            Primitive::Mesh(mesh) => triangles(mesh).for_each(|triangle| tiles.mark_triangle(triangle, *clip_rect)),
            Primitive::Callback(_) => tiles.mark(*clip_rect),
        }
    }
    tiles.rectangles()
}

// Tiles of a part of the frame, which are marked and joined to rectangles.

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

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::{Color32, Mesh};
    use egui::{Rect, pos2, vec2};

    const SIZE: [u32; 2] = [640, 320];

    fn panels(rects: &[Rect]) -> Vec<ClippedPrimitive> {
        let mut mesh = Mesh::default();
        rects.iter().for_each(|&rect| mesh.add_colored_rect(rect, Color32::WHITE));
        vec![ClippedPrimitive {
            clip_rect: Rect::from_min_size(pos2(0.0, 0.0), vec2(600.0, 320.0)),
            primitive: Primitive::Mesh(mesh),
        }]
    }

    fn rect(x: f32, y: f32, width: f32) -> Rect {
        Rect::from_min_size(pos2(x, y), vec2(width, 20.0))
    }

    fn area(corner: [u32; 2], size: [u32; 2]) -> Area {
        Area { corner, size }
    }

    #[test]
    fn what_differs_is_found_before_and_after() {
        let before = panels(&[rect(0.0, 0.0, 640.0), rect(100.0, 100.0, 20.0), rect(300.0, 200.0, 50.0)]);
        let changes = |rects: &[Rect]| changed(SIZE, 1.0, &panels(rects), &before);
        assert_eq!(changes(&[rect(0.0, 0.0, 640.0), rect(100.0, 100.0, 20.0), rect(300.0, 200.0, 50.0)]), Some(vec![]));
        // A bar that has moved, and one that has grown beyond what is clipped.
        let moved = changes(&[rect(0.0, 0.0, 640.0), rect(165.0, 100.0, 20.0), rect(300.0, 200.0, 50.0)]);
        assert_eq!(moved, Some(vec![area([96, 96], [32, 32]), area([160, 96], [32, 32])]));
        // One more in the middle leaves those at the ends.
        let more = [rect(0.0, 0.0, 640.0), rect(100.0, 100.0, 20.0), rect(10.0, 230.0, 10.0), rect(300.0, 200.0, 50.0)];
        assert_eq!(changes(&more), Some(vec![area([0, 224], [32, 32])]));
        assert_eq!(changed(SIZE, 1.0, &[], &before), None);
    }

    #[test]
    fn parts_are_clipped_to_their_areas() {
        let all = panels(&[rect(0.0, 0.0, 640.0), rect(100.0, 100.0, 20.0)]);
        let parts = inside(&[area([32, 0], [64, 32]), area([320, 160], [32, 32])], 2.0, &all);
        assert_eq!(parts.len(), 1, "nothing is painted at the second");
        assert_eq!(parts[0].clip_rect, Rect::from_min_max(pos2(16.0, 0.0), pos2(48.0, 16.0)));
        let Primitive::Mesh(mesh) = &parts[0].primitive else { panic!("a mesh") };
        assert_eq!(mesh.indices.len(), 6, "the two triangles of the first bar");
    }

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
