//! The part of the bucket map that is seen: nearer by the wheel, shifted by dragging.

use egui::{Rect, Response, Ui, Vec2};

/// Which part of the map is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapView {
    /// 1 shows all of it.
    pub(super) zoom: f32,
    /// What is in the middle, from 0 to 1 along each side.
    pub(super) center: Vec2,
    /// The number of buckets of the map that it is a part of. Another map is seen whole at first.
    pub(super) buckets: usize,
}

impl Default for MapView {
    fn default() -> Self {
        Self { zoom: 1.0, center: Vec2::splat(0.5), buckets: 0 }
    }
}

impl MapView {
    /// Where all of the map lies on the screen when its part is seen in `frame`.
    pub(super) fn image(self, frame: Rect, size: Vec2) -> Rect {
        let fit = (frame.size() / size).min_elem();
        let image = self.zoom * fit * size;
        Rect::from_min_size(frame.center() - self.center * image, image)
    }

    /// Wheel and pinch go nearer, dragging shifts, a double click shows all.
    pub(super) fn follow(&mut self, ui: &Ui, response: &Response, size: Vec2) {
        let image = self.image(response.rect, size);
        if response.dragged() {
            self.center -= response.drag_delta() / image.size();
        }
        if let Some(place) = response.hover_pos() {
            let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = pinch * (scroll / 200.0).exp();
            let under = (place - image.min) / image.size();
            let zoom = (self.zoom * factor).clamp(1.0, 256.0);
            // What is under the pointer stays there.
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
