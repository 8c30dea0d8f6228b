//! Parts of the 3D views that panels cover, such as the legend and open menus.

use super::tiles::{Tiles, triangles};
use crate::render::Area;
use egui::epaint::{ClippedPrimitive, Primitive};

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

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::{Color32, Mesh};
    use egui::{Rect, pos2, vec2};

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
