//! Moving a body, a ball or a vertex of cloth: which one the pointer means, the gizmo of a body, and the hand that holds it.

use std::sync::Arc;

use super::{Tools, use_tool};
use crate::session::Snapshot;
use crate::ui::scene_view::follow;
use crate::ui::{Display, State, theme};
use egui::{CursorIcon, Painter, Pos2, Rect, Stroke, Ui};
use glam::Vec3;
use sph_core::point_sets::PointId;
use sph_core::{Body, Dimensions, DroppedBody, Grab, Hand, MoveSite, PointGrab, Pose, Setup};
use sph_io::Scene;
use sph_render::camera::{Camera, Ray};
use sph_render::picking;

/// Farthest that the pointer may be from the centre of a body that it is not on to mean it, points.
const REACH_OF_CENTER: f32 = 60.0;

/// What the pointer means, or a hand holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Body with this index.
    Body(usize),
    /// A ball, or a vertex of cloth.
    Point(PointId),
}

/// Shows the gizmo of the body that the pointer means, or a ring around the ball or vertex, and returns the hand that holds it while the button is
/// `held`.
pub(super) fn move_body(
    ui: &Ui,
    held: bool,
    state: &mut State,
    (view, position, ray): (Rect, Pos2, Ray),
    (scene, snapshot): (&Scene, &Snapshot),
) -> Option<Hand> {
    let slab = follow::shown_slab(state, snapshot);
    let State { tools, display: Display { camera, .. }, .. } = state;
    let dimensions = scene.setup.discretization.dimensions;
    let dropped: Vec<Body> = snapshot.dropped.iter().map(DroppedBody::body).collect();
    let bodies = Bodies { dimensions, described: [&scene.setup.bodies, &dropped], poses: &snapshot.poses };
    let painter = ui.painter().with_clip_rect(view);
    if tools.hold.is_none() {
        // No hand moves what is pinned.
        let point = snapshot.sets.point_at(ray, slab, |_, set, index| set.masses[index].is_finite());
        tools.target = bodies.target(tools, (camera, view), (position, ray), point);
    }
    let target = tools.target?;
    let (center, gizmo, radius) = match target {
        Target::Body(body) => {
            let center = bodies.center(body)?;
            (center, Gizmo::new(camera, view, center, dimensions), None)
        }
        Target::Point(point) => {
            let (set, index) = snapshot.sets.point(point)?;
            (set.positions[index], None, Some(set.radii[index]))
        }
    };
    let under = gizmo.and_then(|gizmo| gizmo.handle_at(position)).unwrap_or(Handle::Free);
    if held && tools.hold.is_none() {
        tools.hold = Hold::take(target, under, center, (scene, camera, ray));
        if let Target::Body(body) = target {
            tools.chosen = Some(body);
        }
    }
    let hot = tools.hold.map_or(under, |hold| hold.handle());
    ui.ctx().set_cursor_icon(if held { CursorIcon::Grabbing } else { CursorIcon::Grab });
    let hand = tools.hold.as_mut().filter(|_| held).map(|hold| hold.hand(scene, camera, ray));
    let end = match hand {
        Some(Hand::Grab(Grab { body, point, .. })) => {
            let sampled = |sample: &dyn Fn() -> Vec<Vec3>| tools.sampled.of(snapshot.generation, body, sample);
            Some(bodies.reach(body, (scene, snapshot), point, sampled).unwrap_or(point))
        }
        Some(Hand::GrabPoint(PointGrab { target, .. })) => Some(target),
        _ => None,
    };
    if let Some(end) = end {
        tether(&painter, camera, view, [center, end]);
    }
    if let Some(gizmo) = gizmo {
        gizmo.paint(&painter, Some(hot));
    }
    if let Some(radius) = radius {
        use_tool::ring(&painter, camera, view, (center, radius), held);
    }
    hand
}

/// The bodies that are shown.
struct Bodies<'a> {
    dimensions: Dimensions,
    /// Those of the scene, then those that have been dropped.
    described: [&'a [Body]; 2],
    poses: &'a [Pose],
}

impl Bodies<'_> {
    /// Bodies as they are described, and where they are.
    fn placed(&self) -> impl Iterator<Item = (&Body, &Pose)> {
        self.described.into_iter().flatten().zip(self.poses)
    }

    /// Present centre of the box of a body, or its centre of mass if it moves by forces: what the hand moves, m.
    fn center(&self, body: usize) -> Option<Vec3> {
        let (described, pose) = self.placed().nth(body)?;
        let moves_by_forces = described.dynamics.is_some();
        let center = if moves_by_forces { pose.pivot + pose.displacement } else { pose.point(described.middle().as_dvec3()) };
        let center = center.as_vec3();
        Some(if self.dimensions == Dimensions::Two { center.with_z(0.0) } else { center })
    }

    /// Place (m) to which a hand at `point` (m) can take the centre of a body, whose particles `sampled` makes or keeps.
    fn reach(
        &self,
        body: usize,
        (scene, snapshot): (&Scene, &Snapshot),
        point: Vec3,
        sampled: impl FnOnce(&dyn Fn() -> Vec<Vec3>) -> Arc<[Vec3]>,
    ) -> Option<Vec3> {
        let (described, pose) = self.placed().nth(body)?;
        let Setup { discretization, containers, domain, .. } = &scene.setup;
        let domain = domain.flat(discretization.dimensions);
        let site = MoveSite { discretization, domain: &domain, containers, time: snapshot.time };
        Some(site.reach(described, *pose, point, || sampled(&|| described.particles(discretization))))
    }

    /// What the pointer means: the body held last, or meant before, while the pointer is on its gizmo; else the first body that it is on, unless the
    /// `point` that it is on comes first; else the nearest body; of several as near, the one held last.
    fn target(
        &self,
        tools: &Tools,
        (camera, view): (&Camera, Rect),
        (position, ray): (Pos2, Ray),
        point: Option<(PointId, f32)>,
    ) -> Option<Target> {
        let dimensions = self.dimensions;
        let is_on_gizmo = |body: &usize| {
            let gizmo = self.center(*body).and_then(|center| Gizmo::new(camera, view, center, dimensions));
            gizmo.is_some_and(|gizmo| gizmo.handle_at(position).is_some())
        };
        let on_body = |(index, (body, pose)): (usize, (&Body, &Pose))| {
            Some((Target::Body(index), picking::body_entry(body, pose, dimensions, ray)?))
        };
        let near = |index: usize| {
            let distance = use_tool::on_screen(camera, view, self.center(index)?)?.distance(position);
            // Half a point for what was held last.
            let handicap = if tools.chosen == Some(index) { 0.0 } else { 0.5 };
            (distance <= REACH_OF_CENTER).then_some((Target::Body(index), distance + handicap))
        };
        let first =
            |all: &mut dyn Iterator<Item = (Target, f32)>| all.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(target, _)| target);
        let on_gizmo = |body: Option<usize>| body.filter(is_on_gizmo).map(Target::Body);
        let meant = if let Some(Target::Body(body)) = tools.target { Some(body) } else { None };
        let point = point.map(|(id, entered)| (Target::Point(id), entered));
        on_gizmo(tools.chosen)
            .or_else(|| on_gizmo(meant))
            .or_else(|| first(&mut self.placed().enumerate().filter_map(on_body).chain(point)))
            .or_else(|| first(&mut (0..self.poses.len()).filter_map(near)))
    }
}

/// Line between two places (m), from what the hand holds to where it comes.
fn tether(painter: &Painter, camera: &Camera, view: Rect, ends: [Vec3; 2]) {
    if let [Some(from), Some(to)] = ends.map(|end| use_tool::on_screen(camera, view, end)) {
        use_tool::tether(painter, from, to);
    }
}

// What is held: to where it is drawn.

/// Time in which a held body or point comes near to the hand, s.
const TIME: f32 = 0.05;

/// What is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hold {
    target: Target,
    handle: Handle,
    /// Its centre when it was taken, m.
    center: Vec3,
    /// Distance of the centre from the eye then, along the direction of the view, m.
    depth: f32,
    /// From the place that the pointer meant then to the centre, m.
    offset: Vec3,
    /// Point to which it is drawn, m.
    point: Vec3,
}

impl Hold {
    /// Takes the `target`, whose centre is at `center` (m), by `handle`; `None` where the pointer means no place.
    pub fn take(target: Target, handle: Handle, center: Vec3, (scene, camera, ray): (&Scene, &Camera, Ray)) -> Option<Self> {
        let depth = (center - ray.origin).dot(camera.axes().2);
        let taken = Self { target, handle, center, depth, offset: Vec3::ZERO, point: center };
        taken.place(scene, camera, ray).map(|place| Self { offset: center - place, ..taken })
    }

    /// Part of the gizmo by which it is held.
    pub fn handle(&self) -> Handle {
        self.handle
    }

    /// Place that the pointer means, m, within the scene.
    fn place(&self, scene: &Scene, camera: &Camera, ray: Ray) -> Option<Vec3> {
        match self.handle {
            Handle::Free => use_tool::place(scene, camera, ray, self.depth),
            Handle::Axis(axis) => place_on_axis(self.center, axis, ray),
        }
    }

    /// Hand that draws it to the pointer, or to where the pointer was last if it means no place now.
    pub fn hand(&mut self, scene: &Scene, camera: &Camera, ray: Ray) -> Hand {
        let (min, max) = use_tool::bounds(&scene.setup);
        // It may have been outside from the start.
        let (min, max) = (min.min(self.center), max.max(self.center));
        if let Some(place) = self.place(scene, camera, ray) {
            self.point = (place + self.offset).clamp(min, max);
        }
        // Across the scene in a second: slow enough for fluid to give way.
        let (time, top_speed) = (TIME, (max - min).max_element());
        match self.target {
            Target::Body(body) => Hand::Grab(Grab { body, point: self.point, time, top_speed }),
            Target::Point(point) => Hand::GrabPoint(PointGrab { point, target: self.point, time, top_speed }),
        }
    }
}

// Gizmo: arrows at the centre of a body, by which it is moved along an axis, and a disc, by which it is moved freely.

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
        let middle = use_tool::on_screen(camera, view, center)?;
        let beside = use_tool::on_screen(camera, view, center + camera.axes().0)?;
        let length = LENGTH / middle.distance(beside);
        let tip = |axis: usize| use_tool::on_screen(camera, view, center + length * Vec3::AXES[axis]);
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
            use_tool::outlined(painter, color, |stroke: Stroke| {
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
            let at = use_tool::on_screen(&camera, view, wanted).expect("before the eye");
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
