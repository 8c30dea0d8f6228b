//! Zoom and pan of the bucket map.

use egui::{Rect, Response, Ui, Vec2};

/// Visible part of the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapView {
    /// Zoom factor; 1 shows the whole map.
    pub(super) zoom: f32,
    /// Point of the map in the centre of the view, 0 to 1 along each side.
    pub(super) center: Vec2,
    /// Number of buckets of the map; a change resets the view.
    pub(super) buckets: usize,
}

impl Default for MapView {
    fn default() -> Self {
        Self { zoom: 1.0, center: Vec2::splat(0.5), buckets: 0 }
    }
}

impl MapView {
    /// Screen rectangle of the whole map, of `size` texels, when the visible part fills `frame`.
    pub(super) fn image(self, frame: Rect, size: Vec2) -> Rect {
        let fit = (frame.size() / size).min_elem();
        let image = self.zoom * fit * size;
        Rect::from_min_size(frame.center() - self.center * image, image)
    }

    /// Updates the view by the pointer: wheel and pinch zoom, dragging pans, a double click shows the whole map.
    pub(super) fn follow(&mut self, ui: &Ui, response: &Response, size: Vec2) {
        let image = self.image(response.rect, size);
        if response.dragged() {
            self.center -= response.drag_delta() / image.size();
        }
        if let Some(position) = response.hover_pos() {
            let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = pinch * (scroll / 200.0).exp();
            let under = (position - image.min) / image.size();
            let zoom = (self.zoom * factor).clamp(1.0, 256.0);
            // The point under the pointer stays fixed.
            self.center = under + (self.center - under) * (self.zoom / zoom);
            self.zoom = zoom;
        }
        if response.double_clicked() {
            *self = Self { buckets: self.buckets, ..Self::default() };
        }
        let margin = 0.5 / self.zoom;
        self.center = self.center.clamp(Vec2::splat(margin.min(0.5)), Vec2::splat((1.0 - margin).max(0.5)));
    }
}
