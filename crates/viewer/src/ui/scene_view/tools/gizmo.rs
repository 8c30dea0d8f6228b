//! Gizmo: arrows at the centre of a body, by which it is moved along an axis, and a disc, by which it is moved freely.

use super::marks;
use crate::camera::{Camera, Ray};
use crate::ui::theme;
use egui::{Painter, Pos2, Rect, Stroke};
use glam::Vec3;
use sph_core::Dimensions;

/// Length of an arrow that is seen from the side, points.
const LENGTH: f32 = 64.0;

/// Radius of the disc, points.
const DISC: f32 = 7.0;

/// Farthest that the pointer may be from an arrow, or from the edge of the disc, to take it, points.
const REACH: f32 = 6.0;

/// Smallest sine of the angle between an axis and the pointer's ray with which the pointer means a place on the axis.
const SMALLEST_SINE: f32 = 0.1;

/// Part of a gizmo that the pointer takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handle {
    /// Arrow along the axis with this index.
    Axis(usize),
    /// Disc: the body follows the pointer in the plane of the view.
    Free,
}

/// Gizmo of a body, as it is seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gizmo {
    /// Centre of the body in the window.
    center: Pos2,
    /// Tip of the arrow along each axis in the window, of those that the scene has.
    tips: [Option<Pos2>; 3],
}

impl Gizmo {
    /// Gizmo at `center` (m) of a scene of `dimensions`, seen in `view`; `None` behind the eye.
    pub fn new(camera: &Camera, view: Rect, center: Vec3, dimensions: Dimensions) -> Option<Self> {
        let middle = marks::on_screen(camera, view, center)?;
        let beside = marks::on_screen(camera, view, center + camera.axes().0)?;
        let length = LENGTH / middle.distance(beside);
        let tip = |axis: usize| marks::on_screen(camera, view, center + length * Vec3::AXES[axis]);
        let tips = [0, 1, 2].map(|axis| if axis < dimensions.count() { tip(axis) } else { None });
        Some(Self { center: middle, tips })
    }

    /// Handle at `position` in the window; the disc lies above the arrows.
    pub fn handle_at(&self, position: Pos2) -> Option<Handle> {
        if position.distance(self.center) <= DISC + REACH {
            return Some(Handle::Free);
        }
        let arrow = |(axis, tip): (usize, &Option<Pos2>)| Some((axis, distance(position, self.center, (*tip)?)));
        let near = self.tips.iter().enumerate().filter_map(arrow).filter(|(_, distance)| *distance <= REACH);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(axis, _)| Handle::Axis(axis))
    }

    /// Draws it, with the handle `hot` brighter.
    pub fn paint(&self, painter: &Painter, hot: Option<Handle>) {
        let colors = theme::of(painter);
        for (axis, tip) in self.tips.iter().enumerate() {
            let Some(tip) = tip else { continue };
            let color = if hot == Some(Handle::Axis(axis)) { colors.text_hovered } else { colors.axes[axis] };
            marks::outlined(painter, color, |stroke: Stroke| {
                let stroke = Stroke::new(1.4 * stroke.width, stroke.color);
                painter.arrow(self.center, *tip - self.center, stroke);
            });
        }
        let color = if hot == Some(Handle::Free) { colors.text_hovered } else { colors.text_quiet };
        painter.circle(self.center, DISC, color, Stroke::new(1.5, colors.background));
    }
}

/// Place on the axis with this index through `center` (m) that is nearest to `ray`, m; `None` for a ray along the axis, or that comes nearest
/// to it behind the eye, beyond the vanishing point of the axis.
pub(super) fn place_on_axis(center: Vec3, axis: usize, ray: Ray) -> Option<Vec3> {
    let along = Vec3::AXES[axis];
    let (offset, cosine) = (center - ray.origin, along.dot(ray.direction));
    let sine_squared = 1.0 - cosine * cosine;
    let distance = (cosine * offset.dot(ray.direction) - offset.dot(along)) / sine_squared;
    let is_ahead = offset.dot(ray.direction) > cosine * offset.dot(along);
    let is_clear = sine_squared > SMALLEST_SINE * SMALLEST_SINE && is_ahead && distance.is_finite();
    is_clear.then(|| center + distance * along)
}

/// Distance of `position` from the line between two points, points.
fn distance(position: Pos2, from: Pos2, to: Pos2) -> f32 {
    let (line, offset) = (to - from, position - from);
    let part = (offset.dot(line) / line.length_sq().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    (offset - part * line).length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Vec2, pos2};

    fn camera() -> (Camera, Rect) {
        (Camera::frame(Vec3::ZERO, Vec3::ONE, 1.0), Rect::from_min_size(pos2(100.0, 50.0), Vec2::splat(400.0)))
    }

    fn ray(camera: &Camera, view: Rect, at: Pos2) -> Ray {
        let ndc = (at - view.center()) / (0.5 * view.size());
        camera.ray(glam::Vec2::new(ndc.x, -ndc.y), view.aspect_ratio())
    }

    #[test]
    fn each_handle_is_where_it_is_drawn() {
        let (camera, view) = camera();
        let gizmo = Gizmo::new(&camera, view, Vec3::splat(0.5), Dimensions::Three).expect("before the eye");
        assert_eq!(gizmo.handle_at(gizmo.center), Some(Handle::Free));
        for axis in 0..3 {
            let tip = gizmo.tips[axis].expect("before the eye");
            assert!((10.0..=LENGTH + 1.0).contains(&tip.distance(gizmo.center)), "axis {axis}: {tip}");
            assert_eq!(gizmo.handle_at(tip), Some(Handle::Axis(axis)));
        }
        assert_eq!(gizmo.handle_at(gizmo.center + Vec2::splat(100.0)), None);
        let flat = Gizmo::new(&camera, view, Vec3::splat(0.5), Dimensions::Two).expect("before the eye");
        assert_eq!(flat.handle_at(gizmo.tips[2].expect("before the eye")), None);
    }

    /// The place found on the axis lies under the pointer if the pointer is on the axis.
    #[test]
    fn the_pointer_means_the_nearest_place_on_the_axis() {
        let (camera, view) = camera();
        let center = Vec3::new(0.3, 0.6, 0.4);
        for (axis, unit) in Vec3::AXES.into_iter().enumerate() {
            let wanted = center + 0.25 * unit;
            let at = marks::on_screen(&camera, view, wanted).expect("before the eye");
            let found = place_on_axis(center, axis, ray(&camera, view, at)).expect("from the side");
            assert!(found.distance(wanted) < 1e-3, "axis {axis}: {found} instead of {wanted}");
            let along = Ray { origin: center - 3.0 * unit, direction: unit };
            assert_eq!(place_on_axis(center, axis, along), None);
            // Beyond the vanishing point, the lines come nearest behind the eye.
            let eye = center + 2.0 * Vec3::AXES[(axis + 1) % 3] - 3.0 * unit;
            let beyond = Ray { origin: eye, direction: (unit + 0.3 * Vec3::AXES[(axis + 1) % 3]).normalize() };
            assert_eq!(place_on_axis(center, axis, beyond), None);
        }
    }
}
