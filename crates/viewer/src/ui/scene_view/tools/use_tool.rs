//! Use of a tool: from the pointer to the hand of the next steps, or to another gravity.

use std::sync::Arc;

use super::move_body::move_body;
use super::pour::{self, reach};
use super::{Tool, Tools};
use crate::session::{Snapshot, Subject};
use crate::ui::{Action, Display, EditedParameters, Model, State, theme};
use egui::{Color32, FontId, Painter, PointerButton, Pos2, Rect, Response, Stroke, Ui, Vec2 as ScreenVec};
use glam::{Vec2, Vec3};
use sph_core::{Body, Dimensions, DropSite, DroppedBody, DroppedShape, Hand, Parameters, Setup};
use sph_io::Scene;
use sph_render::camera::{Camera, Ray};
use sph_render::picking;

/// Strength of gravity where a scene has none, m/s².
const USUAL_GRAVITY: f32 = 9.81;

/// Uses the tool in `view`, the picture under the pointer. Returns true if the left button is the tool's.
pub fn use_tool(
    ui: &Ui,
    response: &Response,
    view: Rect,
    state: &mut State,
    model: &Model<'_>,
    actions: &mut Vec<Action>,
) -> bool {
    let tool = state.tools.tool;
    if tool != Tool::Drop {
        state.notices.settle(Subject::Drop);
    }
    let scene = model.snapshot.scene.as_deref().filter(|_| tool != Tool::Look);
    let held = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.button_down(PointerButton::Primary));
    let position = response.interact_pointer_pos().or(response.hover_pos());
    let (Some(scene), Some(position)) = (scene, position) else {
        release(&mut state.tools, actions);
        // Gravity is seen before the pointer comes to the view.
        if let (Tool::Tilt, Some(_), Some(parameters)) = (tool, scene, &state.edited.parameters) {
            let painter = ui.painter().with_clip_rect(view);
            gravity_arrow(&painter, &state.display.camera, view, parameters.gravity);
        }
        return tool != Tool::Look;
    };
    let ndc = (position - view.center()) / (0.5 * view.size());
    let ray = state.display.camera.ray(Vec2::new(ndc.x, -ndc.y), view.aspect_ratio());
    let painter = ui.painter().with_clip_rect(view);
    let asked = actions.len();
    match tool {
        Tool::Tilt => {
            if !held {
                state.tools.tip = None;
            } else if response.drag_delta() != egui::Vec2::ZERO {
                let moved = response.drag_delta() / arrow_length(view);
                tilt(state, scene.setup.discretization.dimensions, moved, actions);
            }
            if let Some(parameters) = &state.edited.parameters {
                gravity_arrow(&painter, &state.display.camera, view, parameters.gravity);
                if parameters.gravity == scene.setup.parameters.gravity {
                    note(&painter, position, "Drag to turn gravity");
                }
            }
        }
        Tool::Drop => {
            release(&mut state.tools, actions);
            if let Some((dropped, fits)) = dropped(state, (scene, model), ray) {
                let flat = scene.setup.discretization.dimensions == Dimensions::Two;
                let gravity = state.edited.parameters.map_or(Vec3::ZERO, |parameters| parameters.gravity);
                let camera = &state.display.camera;
                if let Some(center) = landing(&dropped, gravity, bounds(&scene.setup), &model.snapshot.particles.positions) {
                    let lines = [dropped.center, center].map(|point| on_screen(camera, view, point));
                    if let [Some(from), Some(to)] = lines {
                        let color = theme::of(&painter).text_quiet;
                        outlined(&painter, color, |stroke| painter.line_segment([from, to], stroke));
                        body(&painter, camera, view, (&DroppedBody { center, ..dropped }, flat), color);
                    }
                }
                let color = if fits { theme::of(&painter).accent } else { theme::of(&painter).error };
                body(&painter, camera, view, (&dropped, flat), color);
                if response.clicked_by(PointerButton::Primary) {
                    state.notices.settle(Subject::Drop);
                    actions.push(Action::DropBody(dropped));
                }
            }
        }
        Tool::Move => {
            let hand = move_body(ui, held, state, (view, position, ray), (scene, model.snapshot));
            ask(&mut state.tools, hand, actions);
            if !held {
                release(&mut state.tools, actions);
            }
        }
        _ => {
            let hand = aimed(ui, held, state, (scene, model), ray).map(|(center, radius, hand)| {
                ring(&painter, &state.display.camera, view, (center, radius), held);
                hand
            });
            ask(&mut state.tools, hand.filter(|_| held), actions);
            if !held {
                release(&mut state.tools, actions);
            }
        }
    }
    // In a pause the edits follow the bodies that are there: a drop may be refused. While the fluid moves, a step follows at once.
    let steps = model.snapshot.steps;
    let moment_before = |action: &Action| match action {
        Action::UseHand(Some(_)) => Some(Some(steps)),
        // It may be a part of this moment.
        Action::DropBody(_) if !model.snapshot.stands_still() => Some(steps.checked_sub(1)),
        _ => None,
    };
    if let Some(before) = actions[asked..].iter().find_map(moment_before) {
        state.edited.edits.note_hand(before, !model.snapshot.stands_still());
    }
    if held {
        if state.tools.hand.is_some() && model.snapshot.stands_still() {
            note(&painter, position, "Paused: takes effect in the next step");
        }
        ui.ctx().request_repaint();
    }
    true
}

/// Body that a click at `ray` drops, at the first free place above the pointer, and true if there is one; else at the pointer, where the
/// simulation says why not.
fn dropped(state: &mut State, (scene, model): (&Scene, &Model<'_>), ray: Ray) -> Option<(DroppedBody, bool)> {
    let State { tools, display: Display { camera, .. }, edited: EditedParameters { parameters, .. }, .. } = state;
    let snapshot = model.snapshot;
    let depth = depth(scene, snapshot, camera, ray);
    let (setup, center) = (&scene.setup, place(scene, camera, ray, depth)?);
    let discretization = &setup.discretization;
    let size = 2.0 * radius_of(tools, scene);
    let density = tools.density * discretization.rest_density;
    let wanted = DroppedBody { center, size, shape: tools.shape, density, velocity: Vec3::ZERO };
    let domain = setup.domain.flat(discretization.dimensions);
    let gravity = parameters.map_or(Vec3::ZERO, |parameters| parameters.gravity);
    let (containers, fluid) = (&setup.containers[..], &snapshot.particles.positions[..]);
    let site = DropSite { discretization, domain: &domain, containers, time: snapshot.time, gravity, fluid };
    let others: Vec<Body> = snapshot.dropped.iter().map(DroppedBody::body).collect();
    let bodies = setup.bodies.iter().chain(&others).zip(snapshot.poses.iter().copied());
    let sampled = |index: usize, body: &Body| {
        let sample = || body.particles(discretization);
        // Dropped bodies, which come and go, are sampled at once.
        if index < setup.bodies.len() { tools.sampled.of(snapshot.generation, index, sample) } else { sample().into() }
    };
    let placed = site.place_among(wanted, bodies, sampled);
    Some((placed.unwrap_or(wanted), placed.is_some()))
}

/// Centre (m) of a dropped body where it lands: it falls along `gravity` (m/s²) onto the fluid at `positions` (m), or onto the end of the
/// `bounds` (m). `None` if it falls less than its size.
fn landing(dropped: &DroppedBody, gravity: Vec3, (min, max): (Vec3, Vec3), positions: &[Vec3]) -> Option<Vec3> {
    let down = gravity.try_normalize()?;
    let half = 0.5 * dropped.size;
    let below = |&position: &Vec3| {
        let offset = position - dropped.center;
        let depth = offset.dot(down);
        (depth > half && offset.distance_squared(depth * down) < half * half).then_some(depth)
    };
    let end = Vec3::select(down.cmplt(Vec3::ZERO), min, max);
    let to_end = Vec3::select(down.cmpeq(Vec3::ZERO), Vec3::INFINITY, (end - dropped.center) / down).min_element();
    let depth = positions.iter().filter_map(below).fold(to_end, f32::min) - half;
    (depth.is_finite() && depth > dropped.size).then(|| dropped.center + depth * down)
}

/// Radius of the tool, m.
pub(super) fn radius_of(tools: &Tools, scene: &Scene) -> f32 {
    let (min, max) = bounds(&scene.setup);
    (tools.radius * (max.y - min.y)).max(2.0 * scene.setup.discretization.particle_spacing)
}

/// Centre (m), radius (m) and hand of a push, a pull or a pour at `ray`.
fn aimed(ui: &Ui, held: bool, state: &mut State, (scene, model): (&Scene, &Model<'_>), ray: Ray) -> Option<(Vec3, f32, Hand)> {
    let State { tools, display: Display { camera, .. }, edited: EditedParameters { parameters, .. }, .. } = state;
    let depth = tools.depth.unwrap_or_else(|| depth(scene, model.snapshot, camera, ray));
    let center = place(scene, camera, ray, depth)?;
    let time = ui.input(|input| input.time);
    let velocity = match tools.last.filter(|(_, before)| held && time > *before) {
        Some((place, before)) => (center - place) / (time - before) as f32,
        None => Vec3::ZERO,
    };
    if held {
        (tools.depth, tools.last) = (Some(depth), Some((center, time)));
    }
    let gravity = gravity_of(parameters.as_ref());
    Some(match tools.tool {
        Tool::Pour => {
            // It keeps its height while the button is held: what has been poured is in the way of a higher one too.
            let rise = tools.rise.unwrap_or_else(|| pour::rise(tools, (scene, model.snapshot), gravity, center));
            tools.rise = held.then_some(rise);
            let center = center - rise * gravity.normalize_or(Vec3::NEG_Y);
            (center, reach(tools, scene), pour::pour(tools, scene, gravity, center).0)
        }
        _ => {
            let radius = radius_of(tools, scene);
            (center, radius, tools.push(center, radius, velocity, gravity.length()))
        }
    })
}

/// Gravity, m/s²; downwards where there is none.
pub(super) fn gravity_of(parameters: Option<&Parameters>) -> Vec3 {
    let gravity = parameters.map(|parameters| parameters.gravity);
    gravity.filter(|gravity| *gravity != Vec3::ZERO).unwrap_or(USUAL_GRAVITY * Vec3::NEG_Y)
}

/// Turns gravity as if the pointer, which has `moved` by so many lengths of its arrow, held the arrow's tip; in two dimensions in the scene's plane,
/// however the view is turned.
fn tilt(state: &mut State, dimensions: Dimensions, moved: egui::Vec2, actions: &mut Vec<Action>) {
    let Some(mut parameters) = state.edited.parameters else { return };
    let (right, up, _) = state.display.camera.axes();
    let gravity = gravity_of(Some(&parameters));
    let tip = state.tools.tip.unwrap_or(gravity / gravity.length()) + moved.x * right - moved.y * up;
    let tip = if dimensions == Dimensions::Two { tip.with_z(0.0) } else { tip };
    state.tools.tip = Some(tip);
    if let Some(direction) = tip.try_normalize() {
        parameters.gravity = gravity.length() * direction;
        state.edited.edit(parameters, actions);
    }
}

/// Asks for `hand` if it is another than before.
fn ask(tools: &mut Tools, hand: Option<Hand>, actions: &mut Vec<Action>) {
    if hand != tools.hand {
        tools.hand = hand;
        actions.push(Action::UseHand(hand));
    }
}

/// Lets go.
fn release(tools: &mut Tools, actions: &mut Vec<Action>) {
    ask(tools, None, actions);
    (tools.depth, tools.rise, tools.hold, tools.last, tools.tip) = (None, None, None, None, None);
}

// Aim: the place in the scene that the pointer means.

/// Corners of the box around the containers; if there are none around the fluid, or else around cloths and balls, m.
pub(super) fn bounds(setup: &Setup) -> (Vec3, Vec3) {
    let containers = setup.containers.iter().map(|container| (container.min, container.max));
    let join = |a: (Vec3, Vec3), b: (Vec3, Vec3)| (a.0.min(b.0), a.1.max(b.1));
    let points = || {
        // With as much room around cloths and balls as they are large.
        let [min, max] = setup.points.as_ref()?.source().outline()?.bounds;
        let room = (max - min).max_element();
        Some((min - room, max + room))
    };
    let (min, max) =
        containers.reduce(join).or_else(|| setup.fluid_boxes().reduce(join)).or_else(points).unwrap_or((Vec3::ZERO, Vec3::ONE));
    if setup.discretization.dimensions == Dimensions::Two { (min.with_z(0.0), max.with_z(0.0)) } else { (min, max) }
}

/// Distance along the direction of the view at which `ray` acts: that of the first particle, ball or cloth that it meets, or of the middle of
/// the scene, m.
pub(super) fn depth(scene: &Scene, snapshot: &Snapshot, camera: &Camera, ray: Ray) -> f32 {
    let forward = camera.axes().2;
    let radius = 0.5 * scene.setup.discretization.particle_spacing;
    let fluid = snapshot.particles.positions.iter().map(|&position| (position, radius));
    let spheres = fluid.chain(snapshot.sets.balls()).filter_map(|(center, radius)| {
        let entered = picking::sphere_entry(center, radius, ray)?;
        Some((entered, center))
    });
    let sheets = snapshot.sets.triangles().filter_map(|triangle| {
        let entered = picking::triangle_entry(triangle, ray)?;
        Some((entered, ray.origin + entered * ray.direction))
    });
    let first = spheres.chain(sheets).min_by(|(a, _), (b, _)| a.total_cmp(b));
    let place = first.map(|(_, place)| place).unwrap_or_else(|| {
        let (min, max) = bounds(&scene.setup);
        0.5 * (min + max)
    });
    (place - ray.origin).dot(forward).max(camera.near())
}

/// Place on `ray` at this `depth`, m; in two dimensions in the plane. Within the scene's bounds.
pub(super) fn place(scene: &Scene, camera: &Camera, ray: Ray, depth: f32) -> Option<Vec3> {
    let along = match scene.setup.discretization.dimensions {
        Dimensions::Two => -ray.origin.z / ray.direction.z,
        Dimensions::Three => depth / ray.direction.dot(camera.axes().2),
    };
    let (min, max) = bounds(&scene.setup);
    // The part of the ray within the bounds comes first, so that the place stays under the pointer.
    let along = match within(ray, min, max) {
        Some([enter, exit]) if scene.setup.discretization.dimensions == Dimensions::Three => along.clamp(enter, exit),
        _ => along,
    };
    let place = ray.origin + along * ray.direction;
    (place.is_finite() && along > 0.0 && min.cmple(max).all()).then(|| place.clamp(min, max))
}

/// Distances along `ray` where it enters and leaves the box `min`–`max`, m; `None` if it misses it.
fn within(ray: Ray, min: Vec3, max: Vec3) -> Option<[f32; 2]> {
    let (low, high) = ((min - ray.origin) / ray.direction, (max - ray.origin) / ray.direction);
    let (enter, exit) = (low.min(high).max_element(), low.max(high).min_element());
    (enter.is_finite() && exit.is_finite() && enter <= exit && exit > 0.0).then_some([enter, exit])
}

// Particles of the scene's bodies, kept while the pointer looks for a place among them.

/// Particles of bodies by index. To sample a solid takes up to a tenth of a second, too long for every movement of the pointer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SampledBodies {
    /// [`Snapshot::generation`](crate::session::Snapshot::generation) of the bodies.
    generation: u64,
    particles: Vec<Option<Arc<[Vec3]>>>,
}

impl SampledBodies {
    /// Positions of the particles of the body with this index in the scene of this generation, m; `sample` makes those that are not kept.
    pub fn of(&mut self, generation: u64, index: usize, sample: impl FnOnce() -> Vec<Vec3>) -> Arc<[Vec3]> {
        if generation != self.generation {
            *self = Self { generation, particles: Vec::new() };
        }
        if self.particles.len() <= index {
            self.particles.resize(index + 1, None);
        }
        self.particles[index].get_or_insert_with(|| sample().into()).clone()
    }
}

// Lines that show where a tool acts.

/// Position in the window of `point` (m), seen in `view`.
pub(super) fn on_screen(camera: &Camera, view: Rect, point: Vec3) -> Option<Pos2> {
    let ndc = camera.project(point, view.aspect_ratio())?;
    Some(view.center() + 0.5 * view.size() * ScreenVec::new(ndc.x, -ndc.y))
}

/// Least radius of a ring, points: it is to be seen around a point.
const LEAST_RING: f32 = 6.0;

/// Ring around the sphere of `radius` (m) about `center`, brighter while the tool acts.
pub(super) fn ring(painter: &Painter, camera: &Camera, view: Rect, (center, radius): (Vec3, f32), acts: bool) {
    let right = camera.axes().0;
    let (Some(middle), Some(edge)) = (on_screen(camera, view, center), on_screen(camera, view, center + radius * right)) else {
        return;
    };
    let color = if acts { theme::of(painter).accent } else { theme::of(painter).text };
    let radius = middle.distance(edge).max(LEAST_RING);
    outlined(painter, color, |stroke| painter.circle_stroke(middle, radius, stroke));
    painter.circle_filled(middle, 2.5, color);
}

/// Outline of a body that would be dropped, in the plane of a `flat` scene.
pub(super) fn body(painter: &Painter, camera: &Camera, view: Rect, (dropped, flat): (&DroppedBody, bool), color: Color32) {
    let half = 0.5 * dropped.size;
    if dropped.shape == DroppedShape::Ball {
        let edge = on_screen(camera, view, dropped.center + half * camera.axes().0);
        if let (Some(middle), Some(edge)) = (on_screen(camera, view, dropped.center), edge) {
            outlined(painter, color, |stroke| painter.circle_stroke(middle, middle.distance(edge), stroke));
        }
        return;
    }
    let corner = |corner: usize| {
        let sign = |axis: usize| if corner >> axis & 1 == 1 { half } else { -half };
        on_screen(camera, view, dropped.center + Vec3::new(sign(0), sign(1), if flat { 0.0 } else { sign(2) }))
    };
    let axes = if flat { 2 } else { 3 };
    let edges = (0..1 << axes).flat_map(|from| (0..axes).map(move |axis| (from, from | 1 << axis)));
    for (from, to) in edges.filter(|(from, to)| from != to) {
        if let (Some(from), Some(to)) = (corner(from), corner(to)) {
            outlined(painter, color, |stroke| painter.line_segment([from, to], stroke));
        }
    }
}

/// Arrow from the middle of `view` along `gravity` (m/s²), as the camera sees it.
pub(super) fn gravity_arrow(painter: &Painter, camera: &Camera, view: Rect, gravity: Vec3) {
    let (right, up, _) = camera.axes();
    let direction = ScreenVec::new(gravity.dot(right), -gravity.dot(up)) / gravity.length().max(f32::MIN_POSITIVE);
    let middle = view.center();
    outlined(painter, theme::of(painter).accent, |stroke| painter.arrow(middle, arrow_length(view) * direction, stroke));
}

/// Length of the arrow of gravity in `view`, points.
fn arrow_length(view: Rect) -> f32 {
    0.15 * view.size().min_elem()
}

/// Line from what the hand holds to where it comes.
pub(super) fn tether(painter: &Painter, from: Pos2, to: Pos2) {
    outlined(painter, theme::of(painter).accent, |stroke| painter.line_segment([from, to], stroke));
    painter.circle_filled(from, 4.0, theme::of(painter).accent);
}

/// Note beside a pointer at `position` that says why nothing moves.
pub(super) fn note(painter: &Painter, position: Pos2, text: &str) {
    let colors = theme::of(painter);
    let laid_out = painter.layout_no_wrap(text.to_owned(), FontId::proportional(13.0), colors.text);
    let place = Rect::from_min_size(position + ScreenVec::new(16.0, 12.0), laid_out.size());
    // Beside the right edge it comes left of the pointer.
    let left = if place.right() > painter.clip_rect().right() { -32.0 - place.width() } else { 0.0 };
    let place = place.translate(ScreenVec::new(left, 0.0));
    painter.rect_filled(place.expand2(ScreenVec::new(6.0, 3.0)), 4.0, colors.background.gamma_multiply(0.9));
    painter.galley(place.min, laid_out, colors.text);
}

/// Draws a line in `color` on one in the colour of the background, so that it shows on any fluid.
pub(super) fn outlined<T>(painter: &Painter, color: Color32, draw: impl Fn(Stroke) -> T) {
    draw(Stroke::new(4.0, theme::of(painter).background.gamma_multiply(0.6)));
    draw(Stroke::new(1.75, color));
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn the_pointer_means_the_plane_of_flat_scenes_and_the_depth_of_others() {
        for (dimensions, depth) in [(2, 0.0), (3, 0.5)] {
            let z = if dimensions == 3 { ", 1.0" } else { "" };
            let zero = if dimensions == 3 { ", 0.0" } else { "" };
            let text = format!(
                "format = 1\ndimensions = {dimensions}\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0.0, 0.0{zero}]\n\
                 max = [0.5, 0.5{z}]\n[[containers]]\nmin = [0.0, 0.0{zero}]\nmax = [1.0, 1.0{z}]"
            );
            let scene = sph_io::parse(&text, "box", &[]).unwrap();
            let camera = Camera::frame(Vec3::ZERO, Vec3::new(1.0, 1.0, 2.0 * depth), 1.0);
            let ray = camera.ray(Vec2::ZERO, 1.0);
            let distance = super::depth(&scene, &Snapshot::default(), &camera, ray);
            let found = place(&scene, &camera, ray, distance).unwrap();
            let middle = Vec3::new(0.5, 0.5, depth);
            assert!(
                (found - middle).dot(camera.axes().2).abs() < 1e-4,
                "{dimensions} dimensions: {found} is not at the depth of {middle}"
            );
            let shown = camera.project(found, 1.0).unwrap();
            assert!(shown.abs_diff_eq(Vec2::ZERO, 1e-4), "{dimensions} dimensions: {found} appears at {shown}");
            // A pointer beside the scene means its edge.
            let beside = place(&scene, &camera, camera.ray(Vec2::new(5.0, 0.0), 1.0), distance).unwrap();
            assert!((beside.x - 1.0).abs() < 1e-4, "{beside}");
        }
    }

    #[test]
    fn a_pointer_over_the_scene_stays_under_its_place() {
        let text = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.5, 0.5, 1]\n\
                    [[containers]]\nmin = [0, 0, 0]\nmax = [2, 1, 1]";
        let scene = sph_io::parse(text, "box", &[]).expect("the scene is valid");
        let (min, max) = bounds(&scene.setup);
        let camera = Camera::frame(min, max, 1.5);
        for x in [-0.7, -0.3, 0.0, 0.3, 0.7] {
            for y in [-0.4, 0.0, 0.4] {
                let ndc = Vec2::new(x, y);
                let ray = camera.ray(ndc, 1.5);
                if within(ray, min, max).is_none() {
                    continue;
                }
                for depth in [0.1, camera.distance, 10.0 * camera.distance] {
                    let found = place(&scene, &camera, ray, depth).expect("in view");
                    let shown = camera.project(found, 1.5).expect("in view");
                    assert!(shown.abs_diff_eq(ndc, 1e-3), "{ndc} at {depth}: {found} appears at {shown}");
                    assert!((min - 1e-4).cmple(found).all() && found.cmple(max + 1e-4).all(), "{found}");
                }
            }
        }
    }

    #[test]
    fn a_body_lands_on_the_fluid_below_it_or_on_the_ground() {
        let body = DroppedBody {
            center: Vec3::new(0.5, 2.0, 0.5),
            size: 0.2,
            shape: DroppedShape::Box,
            density: 500.0,
            velocity: Vec3::ZERO,
        };
        let down = 9.81 * Vec3::NEG_Y;
        let domain = (Vec3::ZERO, Vec3::splat(3.0));
        let of = |gravity, positions: &[Vec3]| landing(&body, gravity, domain, positions);
        let near = |found: Option<Vec3>, y: f32| found.is_some_and(|found| found.abs_diff_eq(body.center.with_y(y), 1e-5));
        let fluid = [Vec3::new(0.5, 0.7, 0.55), Vec3::new(0.5, 0.4, 0.5), Vec3::new(0.9, 1.5, 0.5), Vec3::new(0.5, 2.5, 0.5)];
        assert!(near(of(down, &fluid), 0.8), "on the highest particle below it");
        assert!(near(of(down, &[]), 0.1), "on the ground");
        assert!(near(of(-down, &fluid[..2]), 2.9), "gravity points up");
        assert_eq!(of(Vec3::ZERO, &fluid), None, "it floats");
        assert_eq!(of(down, &[Vec3::new(0.5, 1.85, 0.5)]), None, "it is there already");
    }

    #[test]
    fn a_body_is_sampled_once_for_each_scene() {
        let (mut bodies, mut sampled) = (SampledBodies::default(), Vec::new());
        for (generation, index) in [(1, 2), (1, 0), (1, 2), (2, 2), (2, 2)] {
            let place = Vec3::new(generation as f32, index as f32, 0.0);
            let particles = bodies.of(generation, index, || {
                sampled.push((generation, index));
                vec![place]
            });
            assert_eq!(*particles, [place]);
        }
        assert_eq!(sampled, [(1, 2), (1, 0), (2, 2)]);
    }
}
