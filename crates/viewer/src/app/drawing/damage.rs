//! Parts of the panels that have changed since they were last painted: numbers and curves, most of the time.

use super::tiles::{Tiles, bounds, triangles};
use crate::render::Area;
use egui::epaint::{ClippedPrimitive, Mesh, Primitive};
use egui::{Rect, pos2};

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

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::Color32;
    use egui::vec2;

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
}
