//! Moving a body: which one the pointer means, its gizmo, and the hand that holds it.

use super::gizmo::{Gizmo, Handle};
use super::hold::Hold;
use super::{Tools, marks};
use crate::camera::{Camera, Ray};
use crate::picking;
use crate::session::Snapshot;
use crate::ui::State;
use egui::{CursorIcon, Painter, Pos2, Rect, Ui};
use glam::Vec3;
use sph_core::{Body, Dimensions, DroppedBody, Grab, Hand, MoveSite, Pose, Setup};
use sph_io::Scene;
use std::sync::Arc;

/// Farthest that the pointer may be from the centre of a body that it is not on to mean it, points.
const REACH_OF_CENTER: f32 = 60.0;

/// Shows the gizmo of the body that the pointer means, and returns the hand that holds it while the button is `held`.
pub(super) fn move_body(
    ui: &Ui,
    held: bool,
    state: &mut State,
    (view, position, ray): (Rect, Pos2, Ray),
    (scene, snapshot): (&Scene, &Snapshot),
) -> Option<Hand> {
    let State { tools, camera, .. } = state;
    let dimensions = scene.setup.discretization.dimensions;
    let dropped: Vec<Body> = snapshot.dropped.iter().map(DroppedBody::body).collect();
    let bodies = Bodies { dimensions, described: [&scene.setup.bodies, &dropped], poses: &snapshot.poses };
    let painter = ui.painter().with_clip_rect(view);
    if tools.hold.is_none() {
        tools.target = bodies.target(tools, camera, view, (position, ray));
    }
    let body = tools.target?;
    let center = bodies.center(body)?;
    let gizmo = Gizmo::new(camera, view, center, dimensions);
    let under = gizmo.and_then(|gizmo| gizmo.handle_at(position)).unwrap_or(Handle::Free);
    if held && tools.hold.is_none() {
        tools.hold = Hold::take(body, under, center, (scene, camera, ray));
        tools.chosen = Some(body);
    }
    let hot = tools.hold.map_or(under, |hold| hold.handle());
    ui.ctx().set_cursor_icon(if held { CursorIcon::Grabbing } else { CursorIcon::Grab });
    let hand = tools.hold.as_mut().filter(|_| held).map(|hold| hold.hand(scene, camera, ray));
    if let Some(Hand::Grab(Grab { point, .. })) = hand {
        let sampled = |sample: &dyn Fn() -> Vec<Vec3>| tools.sampled.of(snapshot.generation, body, sample);
        let end = bodies.reach(body, (scene, snapshot), point, sampled).unwrap_or(point);
        tether(&painter, camera, view, [center, end]);
    }
    if let Some(gizmo) = gizmo {
        gizmo.paint(&painter, Some(hot));
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

    /// Body that the pointer means: the one held last, or meant before, while the pointer is on its gizmo, else the first that it is on, else
    /// the nearest; of several as near, the one held last.
    fn target(&self, tools: &Tools, camera: &Camera, view: Rect, (position, ray): (Pos2, Ray)) -> Option<usize> {
        let dimensions = self.dimensions;
        let is_on_gizmo = |body: &usize| {
            let gizmo = self.center(*body).and_then(|center| Gizmo::new(camera, view, center, dimensions));
            gizmo.is_some_and(|gizmo| gizmo.handle_at(position).is_some())
        };
        let on_body =
            |(index, (body, pose)): (usize, (&Body, &Pose))| Some((index, picking::body_entry(body, pose, dimensions, ray)?));
        let near = |index: usize| {
            let distance = marks::on_screen(camera, view, self.center(index)?)?.distance(position);
            // Half a point for what was held last.
            let handicap = if tools.chosen == Some(index) { 0.0 } else { 0.5 };
            (distance <= REACH_OF_CENTER).then_some((index, distance + handicap))
        };
        let first =
            |all: &mut dyn Iterator<Item = (usize, f32)>| all.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index);
        let on_gizmo = |body: Option<usize>| body.filter(is_on_gizmo);
        on_gizmo(tools.chosen)
            .or_else(|| on_gizmo(tools.target))
            .or_else(|| first(&mut self.placed().enumerate().filter_map(on_body)))
            .or_else(|| first(&mut (0..self.poses.len()).filter_map(near)))
    }
}

/// Line between two places (m), from what the hand holds to where it comes.
fn tether(painter: &Painter, camera: &Camera, view: Rect, ends: [Vec3; 2]) {
    if let [Some(from), Some(to)] = ends.map(|end| marks::on_screen(camera, view, end)) {
        marks::tether(painter, from, to);
    }
}
