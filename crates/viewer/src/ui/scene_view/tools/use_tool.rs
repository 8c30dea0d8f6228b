//! Use of a tool: from the pointer to the hand of the next steps, or to another gravity.

use super::move_body::move_body;
use super::{Tool, Tools, aim, marks};
use crate::camera::Ray;
use crate::session::Subject;
use crate::ui::{Action, Model, State};
use egui::{PointerButton, Rect, Response, Ui};
use glam::{Vec2, Vec3};
use sph_core::{Body, Dimensions, DropSite, DroppedBody, Hand, Parameters, Pour};
use sph_io::Scene;

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
        return tool != Tool::Look;
    };
    let ndc = (position - view.center()) / (0.5 * view.size());
    let ray = state.camera.ray(Vec2::new(ndc.x, -ndc.y), view.aspect_ratio());
    let painter = ui.painter().with_clip_rect(view);
    let asked = actions.len();
    match tool {
        Tool::Tilt => {
            if held && response.drag_delta() != egui::Vec2::ZERO {
                tilt(state, scene.setup.discretization.dimensions, position - view.center(), actions);
            }
            if let Some(parameters) = &state.parameters {
                marks::gravity_arrow(&painter, &state.camera, view, parameters.gravity);
            }
        }
        Tool::Drop => {
            release(&mut state.tools, actions);
            if let Some((dropped, fits)) = dropped(state, (scene, model), ray) {
                let flat = scene.setup.discretization.dimensions == Dimensions::Two;
                marks::body(&painter, &state.camera, view, &dropped, flat, fits);
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
                marks::ring(&painter, &state.camera, view, (center, radius), held);
                hand
            });
            ask(&mut state.tools, hand.filter(|_| held), actions);
            if !held {
                release(&mut state.tools, actions);
            }
        }
    }
    // In a pause the edits follow the bodies that are there: a drop may be refused. While the fluid moves, a step follows at once.
    let acts = |action: &Action| match action {
        Action::UseHand(hand) => hand.is_some(),
        Action::DropBody(_) => !model.snapshot.paused,
        _ => false,
    };
    if actions[asked..].iter().any(acts) {
        state.edits.note_hand();
    }
    if held {
        if state.tools.hand.is_some() && model.snapshot.paused {
            marks::note(&painter, position, "Paused: it acts in the next step");
        }
        ui.ctx().request_repaint();
    }
    true
}

/// Body that a click at `ray` drops, at the first free place above the pointer, and true if there is one; else at the pointer, where the
/// simulation says why not.
fn dropped(state: &mut State, (scene, model): (&Scene, &Model<'_>), ray: Ray) -> Option<(DroppedBody, bool)> {
    let State { tools, camera, parameters, .. } = state;
    let snapshot = model.snapshot;
    let depth = aim::depth(scene, snapshot, camera, ray);
    let (setup, center) = (&scene.setup, aim::place(scene, camera, ray, depth)?);
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

/// Radius of the tool, m.
fn radius_of(tools: &Tools, scene: &Scene) -> f32 {
    let (min, max) = aim::bounds(&scene.setup);
    (tools.radius * (max.y - min.y)).max(2.0 * scene.setup.discretization.particle_spacing)
}

/// Centre (m), radius (m) and hand of a push, a pull or a pour at `ray`.
fn aimed(ui: &Ui, held: bool, state: &mut State, (scene, model): (&Scene, &Model<'_>), ray: Ray) -> Option<(Vec3, f32, Hand)> {
    let State { tools, camera, parameters, .. } = state;
    let depth = tools.depth.unwrap_or_else(|| aim::depth(scene, model.snapshot, camera, ray));
    let center = aim::place(scene, camera, ray, depth)?;
    let (min, max) = aim::bounds(&scene.setup);
    let spacing = scene.setup.discretization.particle_spacing;
    let radius = radius_of(tools, scene);
    let time = ui.input(|input| input.time);
    let velocity = match tools.last.filter(|(_, before)| held && time > *before) {
        Some((place, before)) => (center - place) / (time - before) as f32,
        None => Vec3::ZERO,
    };
    if held {
        (tools.depth, tools.last) = (Some(depth), Some((center, time)));
    }
    let gravity = gravity_of(parameters.as_ref());
    let hand = match tools.tool {
        Tool::Pour => {
            // As fast as after a fall of a fifth of the scene's height.
            let speed = (0.4 * gravity.length() * (max.y - min.y)).sqrt().max(spacing);
            // Of several fluids, the first.
            Hand::Pour(Pour { center, radius, velocity: speed * gravity.normalize_or(Vec3::NEG_Y), fluid: 0 })
        }
        _ => tools.push(center, radius, velocity, gravity.length()),
    };
    Some((center, radius, hand))
}

/// Gravity, m/s²; downwards where there is none.
fn gravity_of(parameters: Option<&Parameters>) -> Vec3 {
    let gravity = parameters.map(|parameters| parameters.gravity);
    gravity.filter(|gravity| *gravity != Vec3::ZERO).unwrap_or(USUAL_GRAVITY * Vec3::NEG_Y)
}

/// Turns gravity in the plane of the view towards a pointer at `offset` (points) from its middle; in two dimensions in the scene's plane,
/// however the view is turned.
fn tilt(state: &mut State, dimensions: Dimensions, offset: egui::Vec2, actions: &mut Vec<Action>) {
    let Some(mut parameters) = state.parameters else { return };
    let (right, up, _) = state.camera.axes();
    let strength = gravity_of(Some(&parameters)).length();
    let direction = offset.x * right - offset.y * up;
    let direction = if dimensions == Dimensions::Two { direction.with_z(0.0) } else { direction }.normalize_or_zero();
    if direction != Vec3::ZERO {
        parameters.gravity = strength * direction;
        state.edit(parameters, actions);
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
    (tools.depth, tools.hold, tools.last) = (None, None, None);
}
