//! The palette of tools, and what the pointer does with them.

use super::on_screen;
use super::panels::{Panels, harness, slider, snapshot, snapshot_of};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;
use sph_core::point_sets::PointId;
use sph_core::{Hand, PointGrab};
use viewer::command::Command;
use viewer::session::Goal;
use viewer::ui::{Action, Tool, Tools};

const WINDOW: [f32; 2] = [1280.0, 800.0];

fn hands(harness: &Harness<'_, Panels>) -> Vec<Option<Hand>> {
    let hand = |action: &Action| if let Action::UseHand(hand) = action { Some(*hand) } else { None };
    harness.state().actions.iter().filter_map(hand).collect()
}

/// Holds the left button in the middle of the 3D view, moves it, and lets go.
fn drag_in_the_view(harness: &mut Harness<'_, Panels>) {
    let from = harness.state().area.center();
    drag(harness, from, from + egui::vec2(40.0, -20.0));
}

/// Holds the left button, moves the pointer, and lets go.
fn drag(harness: &mut Harness<'_, Panels>, from: egui::Pos2, to: egui::Pos2) {
    harness.hover_at(from);
    harness.step();
    harness.drag_at(from);
    harness.step();
    harness.hover_at(to);
    harness.step();
    harness.drop_at(to);
    harness.step();
    harness.step();
}

#[test]
fn every_tool_is_chosen_by_its_button_and_by_its_key() {
    let mut harness = harness(WINDOW, snapshot());
    for tool in Tool::ALL.into_iter().rev() {
        harness.get_by_label(tool.label()).click();
        harness.run_ok();
        assert_eq!(harness.state().actions.last(), Some(&Action::Command(Command::Use(tool))));
    }
    for tool in Tool::ALL {
        let keys = Command::Use(tool).shortcuts()[0];
        harness.key_press(keys.logical_key);
        harness.run_ok();
        assert_eq!(harness.state().actions.last(), Some(&Action::Command(Command::Use(tool))));
    }
}

#[test]
fn a_body_to_drop_has_a_size() {
    for (tool, has_radius) in [(Tool::Drop, false), (Tool::Pour, true)] {
        let mut harness = harness(WINDOW, snapshot());
        harness.state_mut().state.tools.tool = tool;
        harness.run_ok();
        let has = |label: &str| harness.query_by_role_and_label(Role::Slider, label).is_some();
        assert_eq!((has("Radius"), has("Size")), (has_radius, !has_radius), "{tool:?}");
    }
}

#[test]
fn push_pull_and_pour_act_while_the_button_is_held() {
    for (tool, sign) in [(Tool::Push, -1.0), (Tool::Pull, 1.0), (Tool::Pour, 0.0)] {
        let mut harness = harness(WINDOW, snapshot());
        harness.state_mut().state.tools.tool = tool;
        let camera = harness.state().state.display.camera;
        drag_in_the_view(&mut harness);
        let hands = hands(&harness);
        assert!(hands.len() > 2 && hands.last() == Some(&None), "{tool:?}: {hands:?}");
        let scene = harness.state().snapshot.scene.clone().unwrap();
        for hand in hands.into_iter().flatten() {
            hand.validate(&scene.setup.discretization).unwrap();
            match hand {
                Hand::Push(push) => assert!(push.strength * sign > 0.0, "{push:?}"),
                Hand::Pour(pour) => assert!(sign == 0.0 && pour.velocity.y < 0.0, "{pour:?}"),
                Hand::PourBalls(_) | Hand::Grab(_) | Hand::GrabPoint(_) => panic!("{hand:?}"),
            }
        }
        assert_eq!(harness.state().state.display.camera, camera, "the view stays");
    }
}

#[test]
fn a_rate_is_shown_and_poured_in_particles_per_second() {
    let poured = |rate: f32| {
        let mut harness = harness(WINDOW, snapshot());
        harness.state_mut().state.tools.tool = Tool::Pour;
        harness.state_mut().state.tools.rate = rate;
        drag_in_the_view(&mut harness);
        let Some(Hand::Pour(pour)) = hands(&harness).into_iter().flatten().next() else { panic!("{:?}", hands(&harness)) };
        let scene = harness.state().snapshot.scene.clone().unwrap();
        let full = pour.full_rate(&scene.setup.discretization);
        let shown = harness.get_by_role_and_label(Role::SpinButton, "Rate").accesskit_node().value().unwrap_or_default();
        assert_eq!(shown, format!("{:.0} /s", rate * full));
        (pour.rate, full)
    };
    let (rate, full) = poured(1.0);
    assert!(rate.is_none() && full > 100.0, "{rate:?} of {full}");
    let (rate, full) = poured(0.25);
    assert_eq!(rate, Some(0.25 * full));
}

/// A scene of balls alone pours them first; there and where there is fluid the list has both.
#[test]
fn balls_are_poured_in_the_sizes_of_their_set() {
    let text = |fluid: &str| {
        format!(
            "format = 1\nparticles.spacing = 0.05\n{fluid}[[containers]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
             [[balls]]\nname = \"peas\"\nradius = 0.02\ncenters = [[0.2, 0.1, 0.2]]\n\
             [[balls]]\nname = \"plums\"\nradii = [0.1, 0.2]\ncenters = [[0.5, 0.2, 0.5], [0.8, 0.2, 0.2]]\n"
        )
    };
    let water = "[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.1, 0.1, 0.1]\n";
    for (fluid, first, entries) in [("", "peas", ["plums", "fluid"]), (water, "fluid", ["peas", "plums"])] {
        let mut harness = harness(WINDOW, snapshot_of(&text(fluid)));
        harness.state_mut().state.tools.tool = Tool::Pour;
        harness.run_ok();
        let chosen =
            |harness: &Harness<'_, Panels>| harness.get_by_role_and_label(Role::ComboBox, "Of").accesskit_node().value();
        assert_eq!(chosen(&harness).as_deref(), Some(first));
        harness.get_by_role_and_label(Role::ComboBox, "Of").click();
        harness.run_ok();
        assert!(entries.iter().all(|entry| harness.query_by_label(entry).is_some()), "{first}");
        harness.get_by_label("plums").click();
        harness.run_ok();
        assert_eq!(chosen(&harness).as_deref(), Some("plums"));
        drag_in_the_view(&mut harness);
        let poured = hands(&harness).into_iter().flatten().next();
        let Some(Hand::PourBalls(pour)) = poured else { panic!("{poured:?}") };
        let scene = harness.state().snapshot.scene.clone().unwrap();
        assert_eq!(Hand::PourBalls(pour).validate(&scene.setup.discretization), Ok(()));
        assert!(pour.set == 1 && pour.radius >= 0.2 && pour.velocity.y < 0.0, "{pour:?}");
        // V = 4π/3 (0.1³ + 0.2³)/2; a fifth of the stream is balls.
        let volume = 0.018_85;
        let full = 0.2 * std::f32::consts::PI * pour.radius * pour.radius * pour.velocity.length() / volume;
        assert!((pour.rate / full.max(1.0) - 1.0).abs() < 1e-3, "{} of {full} balls per second", pour.rate);
    }
}

#[test]
fn tilting_turns_gravity_and_keeps_its_strength() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.tools.tool = Tool::Tilt;
    let before = harness.state().snapshot.parameters.unwrap().gravity;
    drag_in_the_view(&mut harness);
    let edits = harness.state().actions.iter().rev();
    let gravity = edits.filter_map(|action| if let Action::SetParameters(set, _) = action { Some(set.gravity) } else { None });
    let gravity = gravity.into_iter().next().expect("an edit was asked for");
    assert!((gravity.length() - before.length()).abs() < 1e-4 && gravity != before, "{gravity}");
    assert!(hands(&harness).is_empty());
}

#[test]
fn tilting_stays_in_the_plane_of_a_flat_scene_that_is_seen_from_the_side() {
    let flat = "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [0.5, 0.5]\n\
                [[containers]]\nmin = [0, 0]\nmax = [1, 1]";
    let mut harness = harness(WINDOW, snapshot_of(flat));
    harness.state_mut().state.tools.tool = Tool::Tilt;
    (harness.state_mut().state.display.camera.yaw, harness.state_mut().state.display.camera.pitch) = (0.6, 0.3);
    drag_in_the_view(&mut harness);
    let scene = harness.state().snapshot.scene.clone().unwrap();
    let set: Vec<_> = harness
        .state()
        .actions
        .iter()
        .filter_map(|action| if let Action::SetParameters(set, _) = action { Some(set) } else { None })
        .collect();
    assert!(!set.is_empty());
    for set in set {
        set.validate(&scene.setup.discretization).unwrap();
        assert!((set.gravity.length() - 9.81).abs() < 1e-4 && set.gravity.x > 0.0, "{}", set.gravity);
    }
}

/// Panels of a tank with room above its water, with the tool that drops bodies.
fn dropping() -> Harness<'static, Panels> {
    let tank = super::panels::SCENE.replace("[1.0, 0.6, 0.4]", "[1.0, 1.2, 0.4]");
    let mut harness = harness(WINDOW, snapshot_of(&tank));
    harness.state_mut().state.tools.tool = Tool::Drop;
    harness.state_mut().state.tools.radius = Tools::RADII[0];
    harness
}

#[test]
fn a_click_drops_a_body_where_there_is_room() {
    let mut harness = dropping();
    let camera = harness.state().state.display.camera;
    let at = harness.state().area.center();
    harness.hover_at(at);
    harness.step();
    harness.drag_at(at);
    harness.step();
    harness.drop_at(at);
    harness.step();
    harness.step();
    let actions = harness.state().actions.iter();
    let bodies: Vec<_> =
        actions.filter_map(|action| if let Action::DropBody(body) = action { Some(*body) } else { None }).collect();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    let scene = harness.state().snapshot.scene.clone().unwrap();
    bodies[0].validate(&scene.setup.discretization, &scene.setup.domain).unwrap();
    let mut simulation = sph_core::Simulation::new(&scene.setup).unwrap();
    assert_eq!(simulation.drop_body(&bodies[0]), Ok(()), "the outline is where it fits");
    assert!(hands(&harness).is_empty() && harness.state().state.display.camera == camera);
}

/// In a pause, an undo takes back the bodies that were dropped in it, the last one first; once the fluid has moved it goes back to before them.
#[test]
fn an_undo_takes_back_bodies_that_were_dropped_in_the_same_pause() {
    let mut harness = dropping();
    let undo = |harness: &mut Harness<'_, Panels>| {
        let Panels { state, actions, snapshot, .. } = harness.state_mut();
        state.follow(snapshot);
        actions.clear();
        state.undo(actions);
        actions.clone()
    };
    let at = harness.state().area.center();
    let drop_body = |harness: &mut Harness<'_, Panels>, is_accepted: bool| {
        drag(harness, at, at);
        let Panels { state, actions, snapshot, .. } = harness.state_mut();
        let dropped = actions.iter().rev().find_map(|action| match action {
            Action::DropBody(body) => Some(*body),
            _ => None,
        });
        snapshot.dropped.extend(dropped.filter(|_| is_accepted));
        assert!(dropped.is_some());
        state.follow(snapshot);
    };
    let Panels { state, snapshot, .. } = harness.state_mut();
    state.follow(snapshot);
    for steps in [0, 1] {
        [true, true, false].into_iter().for_each(|is_accepted| drop_body(&mut harness, is_accepted));
        assert_eq!(undo(&mut harness), [Action::TakeBackBody]);
        harness.state_mut().snapshot.dropped.pop();
        let before = harness.state().snapshot.steps - 1;
        harness.state_mut().snapshot.steps += steps;
        let undone = if steps == 0 { Action::TakeBackBody } else { Action::Seek(Goal::Steps(before)) };
        assert_eq!(undo(&mut harness), [undone]);
        let Panels { state, snapshot, .. } = harness.state_mut();
        snapshot.dropped.clear();
        state.follow(snapshot);
    }
}

/// By the arrow along x it moves along x only; by the body itself, with the pointer.
#[test]
fn a_drag_moves_an_obstacle_freely_or_along_an_axis() {
    let text = format!("{}\n[[bodies]]\nmin = [0.6, 0.2, 0.1]\nmax = [0.8, 0.4, 0.3]\n", super::panels::SCENE);
    let center = Vec3::new(0.7, 0.3, 0.2);
    for (along_x, free) in [(true, false), (false, true)] {
        let mut harness = harness(WINDOW, snapshot_of(&text));
        harness.state_mut().state.tools.tool = Tool::Move;
        harness.run_ok();
        let (camera, view) = (harness.state().state.display.camera, harness.state().area);
        let shown = |place: Vec3| on_screen(&camera, view, place);
        let along = (shown(center + 0.1 * Vec3::X) - shown(center)).normalized();
        let from = if along_x { shown(center) + 40.0 * along } else { shown(center) };
        let by = egui::vec2(-30.0, -25.0);
        drag(&mut harness, from, from + by);
        let hands = hands(&harness);
        let points: Vec<Vec3> = hands
            .iter()
            .filter_map(|hand| match hand {
                Some(Hand::Grab(grab)) => Some(grab.point),
                _ => None,
            })
            .collect();
        let (first, last) = (points.first().expect("it is held"), points.last().expect("it is held"));
        assert!(first.distance(center) < 1e-3, "taken, it stays: {first}");
        let moved = *last - center;
        assert_eq!(free, moved.x.abs() > 1e-3 && moved.y.abs() > 1e-3, "{moved}");
        assert_eq!(along_x, moved.x.abs() > 1e-3 && moved.with_x(0.0).length() < 1e-6, "{moved}");
        if free {
            // In the plane of the view, under the pointer.
            assert!(shown(*last).distance(from + by) < 1.0, "{last} is not under the pointer");
        }
        assert_eq!(hands.last(), Some(&None), "it is let go");
        assert_eq!(harness.state().state.display.camera, camera);
    }
}

/// A ball, and the vertex of cloth that is nearest to the pointer, but none that is pinned.
#[test]
fn a_drag_moves_the_ball_or_the_vertex_under_the_pointer() {
    let text = "format = 1\n[particles]\nspacing = 0.05\n[[containers]]\nmin = [0, 0, 0]\nmax = [1, 0.6, 0.4]\n\
                [[cloths]]\ncorner = [0.1, 0.4, 0.1]\nalong = [0.3, 0, 0]\nacross = [0, 0, 0.2]\nspacing = 0.05\n\
                [[cloths.pins]]\nmin = [0.05, 0.3, 0.05]\nmax = [0.12, 0.5, 0.35]\n\
                [[balls]]\nradius = 0.03\ncenters = [[0.8, 0.1, 0.1], [0.6, 0.3, 0.2]]\n";
    let snapshot = snapshot_of(text);
    let by = egui::vec2(-30.0, -25.0);
    for point in [PointId { set: 1, id: 1 }, PointId { set: 0, id: 10 }, PointId { set: 0, id: 7 }] {
        let (set, index) = snapshot.sets.point(point).expect("there is such a point");
        let (center, is_pinned) = (set.positions[index], set.masses[index].is_infinite());
        let mut harness = harness(WINDOW, snapshot.clone());
        harness.state_mut().state.tools.tool = Tool::Move;
        harness.run_ok();
        let (camera, view) = (harness.state().state.display.camera, harness.state().area);
        let shown = |place: Vec3| on_screen(&camera, view, place);
        // Just inside of the edge of the sheet.
        let from = shown(center + 1e-3 * (Vec3::new(0.25, center.y, 0.2) - center));
        harness.hover_at(from);
        harness.step();
        assert_eq!(harness.output().platform_output.cursor_icon, egui::CursorIcon::Grab, "{point:?}");
        drag(&mut harness, from, from + by);
        let hands = hands(&harness);
        let grabs: Vec<PointGrab> =
            hands.iter().filter_map(|hand| if let Some(Hand::GrabPoint(grab)) = hand { Some(*grab) } else { None }).collect();
        let [first, .., last] = grabs[..] else { panic!("{point:?}: {hands:?}") };
        let grabbed = first.point;
        if is_pinned {
            assert!(grabbed.set == point.set && grabbed.id != point.id, "{point:?} is pinned");
            continue;
        }
        assert!(grabs.iter().all(|grab| grab.point == point), "{grabs:?}");
        assert!(first.target.distance(center) < 1e-3, "taken, it stays: {first:?}");
        let moved = shown(last.target) - shown(center);
        assert!((moved - by).length() < 1.0, "it follows the pointer: {moved}");
        assert_eq!(hands.last(), Some(&None), "it is let go");
        assert_eq!(harness.state().state.display.camera, camera);
        // Away from all, the pointer means nothing.
        harness.hover_at(view.left_bottom() + egui::vec2(40.0, -100.0));
        harness.step();
        assert_ne!(harness.output().platform_output.cursor_icon, egui::CursorIcon::Grab);
    }
}

/// The gizmo at a centre that two bodies share is that of the one which was clicked.
#[test]
fn of_bodies_with_one_centre_the_clicked_one_has_the_gizmo() {
    let bodies = "[[bodies]]\nmin = [0.67, 0.27, 0.17]\nmax = [0.73, 0.33, 0.23]\n\
                  [[bodies]]\nmin = [0.45, 0.2, 0.1]\nmax = [0.5, 0.4, 0.3]\n\
                  unite = [{ min = [0.9, 0.2, 0.1], max = [0.95, 0.4, 0.3] }]\n";
    let mut harness = harness(WINDOW, snapshot_of(&format!("{}\n{bodies}", super::panels::SCENE)));
    harness.state_mut().state.tools.tool = Tool::Move;
    harness.run_ok();
    let (camera, view) = (harness.state().state.display.camera, harness.state().area);
    let shown = |place: Vec3| on_screen(&camera, view, place);
    let center = Vec3::new(0.7, 0.3, 0.2);
    let arrow = shown(center) + 50.0 * (shown(center + 0.1 * Vec3::Y) - shown(center)).normalized();
    for (clicked, place) in [(1, Vec3::new(0.475, 0.3, 0.2)), (0, center)] {
        // From a body to the arrow, across the place between.
        let at = shown(place);
        harness.state_mut().state.tools.let_go();
        drag(&mut harness, at, at);
        harness.hover_at(view.left_bottom() + egui::vec2(40.0, -100.0));
        harness.step();
        harness.state_mut().actions.clear();
        drag(&mut harness, arrow, arrow + egui::vec2(0.0, -20.0));
        let bodies: Vec<usize> = hands(&harness)
            .into_iter()
            .filter_map(|hand| if let Some(Hand::Grab(grab)) = hand { Some(grab.body) } else { None })
            .collect();
        assert!(!bodies.is_empty() && bodies.iter().all(|&body| body == clicked), "{clicked}: {bodies:?}");
    }
}

/// After a hand, undo goes back to before it; where there is no such moment it says how to go back. Either changes no parameter.
#[test]
fn an_undo_after_a_hand_goes_back() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().snapshot.paused = false;
    let undo = |harness: &mut Harness<'_, Panels>| {
        let Panels { state, actions, .. } = harness.state_mut();
        state.undo(actions);
        harness.run_ok();
        let title = harness.state().state.notices.iter().last().map(|notice| notice.title.clone()).unwrap_or_default();
        (title, harness.state().state.edited.parameters)
    };
    let start = harness.state().state.edited.parameters;
    assert_eq!(undo(&mut harness), ("There is no parameter change to undo".to_owned(), start));
    harness.state_mut().state.tools.tool = Tool::Tilt;
    drag_in_the_view(&mut harness);
    harness.state_mut().state.tools.tool = Tool::Push;
    drag_in_the_view(&mut harness);
    let tilted = harness.state().state.edited.parameters;
    assert_ne!(tilted, start);
    let Panels { state, snapshot, actions, .. } = harness.state_mut();
    let before = snapshot.steps;
    snapshot.steps += 5;
    state.follow(snapshot);
    actions.clear();
    assert_eq!(undo(&mut harness).1, tilted);
    assert_eq!(harness.state().actions, [Action::Seek(Goal::Steps(before))]);
    harness.state_mut().state.edited.edits.note_hand(None, true);
    assert_eq!(undo(&mut harness), ("Undo what you did with the tools by rewinding".to_owned(), tilted));
    assert!(harness.query_by_label_contains("Left arrow steps back").is_some(), "it names the key");
    assert_eq!(undo(&mut harness).1, start, "the next one is of the parameters");
}

#[test]
fn control_and_the_wheel_set_the_radius() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.tools.tool = Tool::Push;
    let (radius, camera) = (harness.state().state.tools.radius, harness.state().state.display.camera);
    harness.hover_at(harness.state().area.center());
    harness.step();
    harness.event(egui::Event::ModifiersChanged(egui::Modifiers::COMMAND));
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: egui::vec2(0.0, 2.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: egui::Modifiers::COMMAND,
    });
    harness.step();
    assert!(harness.state().state.tools.radius > radius);
    assert_eq!(harness.state().state.display.camera, camera);
}

fn number(harness: &Harness<'_, Panels>, label: &str) -> egui::Rect {
    harness.get_by_role_and_label(Role::SpinButton, label).rect()
}

#[test]
fn a_low_view_has_the_settings_in_a_menu() {
    let mut harness = harness([640.0, 604.0], snapshot());
    harness.state_mut().state.tools.tool = Tool::Drop;
    harness.run_ok();
    harness.get_by_label("Settings…").click();
    harness.run_ok();
    let density = slider(&harness, "Density").right_center();
    super::inside::click(&mut harness, density);
    assert_eq!(harness.state().state.tools.density, Tools::DENSITIES[1]);
    assert!(harness.query_by_role_and_label(Role::Slider, "Size").is_some(), "it stays open");
}

#[test]
fn labels_of_settings_stand_before_their_numbers() {
    for size in [[1920.0, 1080.0], [1280.0, 800.0], [1024.0, 760.0]] {
        let mut harness = harness(size, snapshot());
        harness.state_mut().state.tools.tool = Tool::Drop;
        harness.run_ok();
        for name in ["Size", "Density"] {
            // Other panels have such labels too.
            let area = harness.state().area;
            let mut labels = harness.query_all_by_role_and_label(Role::Label, name).map(|label| label.rect());
            let label = labels.find(|&label| area.contains_rect(label)).expect("a label in the palette");
            let (slider, number) = (slider(&harness, name), number(&harness, name));
            assert!(label.right() <= slider.left() && slider.right() <= number.left(), "{size:?}: {label} {slider} {number}");
            assert!((label.center().y - slider.center().y).abs() < 2.0, "{size:?}: {label} {slider}");
        }
        // Settings below the tools begin where the text of the first tool does.
        let tool = harness.get_by_label(Tool::Look.label()).rect();
        let area = harness.state().area;
        let mut labels = harness.query_all_by_role_and_label(Role::Label, "Size").map(|label| label.rect());
        let radius = labels.find(|&label| area.contains_rect(label)).expect("a label in the palette");
        let is_below = radius.top() >= tool.bottom() - 1.0 && tool.right() < area.left() + 100.0;
        let indent = radius.left() - tool.left();
        assert!(!is_below || (indent - harness.ctx.global_style().spacing.button_padding.x).abs() < 1.0, "{size:?}: {indent}");
        let [radius, density] = ["Size", "Density"].map(|name| slider(&harness, name));
        let is_row = (radius.center().y - density.center().y).abs() < 1.0;
        assert!(is_row || radius.left() == density.left(), "{size:?}: {radius} {density}");
    }
}

#[test]
fn the_palette_is_as_high_as_its_rows_after_a_smaller_window() {
    let mut harness = harness([640.0, 604.0], snapshot());
    harness.state_mut().state.tools.tool = Tool::Drop;
    harness.run_ok();
    harness.set_size(WINDOW.into());
    harness.run_ok();
    let gap = slider(&harness, "Size").top() - harness.get_by_label(Tool::Look.label()).rect().bottom();
    assert!(gap < 20.0, "{gap} points between tools and settings");
}

#[test]
fn the_palette_is_clear_of_the_legend_in_every_window() {
    for size in [WINDOW, [1920.0, 1080.0], [1100.0, 700.0], [1024.0, 640.0], [640.0, 604.0]] {
        let mut harness = harness(size, snapshot());
        for tool in Tool::ALL {
            harness.state_mut().state.tools.tool = tool;
            harness.run_ok();
            let area = harness.state().area;
            let legend = egui::Rect::from_min_size(egui::pos2(area.right() - 222.0, area.top() + 8.0), egui::vec2(214.0, 80.0));
            let last = match tool {
                Tool::Push | Tool::Pull => "Strength",
                Tool::Pour => "Rate",
                Tool::Drop => "Density",
                _ => "Radius",
            };
            let first = if tool == Tool::Drop { "Size" } else { "Radius" };
            let settings = match harness.query_by_label("Settings…") {
                Some(menu) => vec![menu.rect()],
                None if tool.has_radius() => vec![slider(&harness, first), number(&harness, last)],
                None => Vec::new(),
            };
            let buttons = Tool::ALL.map(|tool| harness.get_by_label(tool.label()).rect());
            for rect in buttons.into_iter().chain(settings) {
                assert!(area.contains_rect(rect) && !legend.intersects(rect), "{size:?} {tool:?}: {rect} in {area}");
            }
        }
    }
}
