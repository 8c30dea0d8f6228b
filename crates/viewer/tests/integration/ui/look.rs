//! Look of the fluid: foam, the scale of its colours, clip plane and arrows.

use super::last_parameters;
use super::panels::{Panels, harness, snapshot, snapshot_of};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_color::{ColorField, ColorMapName, Scale};
use sph_core::parameters::Choice as _;
use sph_core::{Dimensions, FoamModel};
use sph_io::{Look, PointColors, SolidStyle};
use std::sync::Arc;
use viewer::session::Snapshot;
use viewer::ui::{Action, Aids, State, Tool};

const WINDOW: [f32; 2] = [1280.0, 3200.0];

#[test]
fn foam_is_switched_on_and_its_number_shown() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.fluid.all = true;
    harness.run_ok();
    let choose = |harness: &mut Harness<'static, Panels>, model: &str| {
        harness.get_by_role_and_label(Role::ComboBox, "Foam model").click();
        harness.run_ok();
        harness.get_by_label(model).click();
        harness.run_ok();
    };
    assert!(harness.query_by_label("Trapped-air rate").is_none());
    choose(&mut harness, "Ihmsen 2012");
    assert_eq!(last_parameters(&harness).foam.model, FoamModel::Ihmsen);
    for label in ["Trapped-air rate", "Crest rate", "0 of 100,000"] {
        assert!(harness.query_all_by_label(label).next().is_some(), "{label}");
    }
}

#[test]
fn the_scale_of_the_colours_is_held_and_released() {
    let mut harness = harness(WINDOW, snapshot());
    harness.get_by_label("Lock range").click();
    harness.run_ok();
    assert!(harness.state().state.display.scale.range.is_some());
    harness.get_by_label("Lock range").click();
    harness.run_ok();
    assert_eq!(harness.state().state.display.scale.range, None);
    // Ends in m/s are not held for another quantity.
    harness.state_mut().state.display.scale.range = Some([0.0, 2.0]);
    harness.get_by_role_and_label(Role::ComboBox, "Colour").click();
    harness.run_ok();
    harness.get_by_label("Id").click();
    harness.run_ok();
    assert_eq!((harness.state().state.display.color, harness.state().state.display.scale.range), (ColorField::Id, None));
}

/// The arrow keys begin at what is chosen, and Enter closes the list.
#[test]
fn a_list_is_used_with_the_keyboard() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.display.color = ColorField::Pressure;
    harness.run_ok();
    harness.get_by_role_and_label(Role::ComboBox, "Colour").focus();
    harness.run_ok();
    let after =
        ColorField::ALL[1 + ColorField::ALL.iter().position(|&field| field == ColorField::Pressure).expect("it is one")];
    for key in [Key::Enter, Key::ArrowDown, Key::Enter] {
        assert_eq!(harness.state().state.display.color, ColorField::Pressure);
        harness.key_press(key);
        harness.run_ok();
    }
    assert_eq!(harness.state().state.display.color, after);
    assert!(harness.query_by_label("Id").is_none(), "the list is closed");
}

/// Home and End go to the first and the last entry; a letter goes to the next entry that begins with it, and from the last one to the first.
#[test]
fn keys_go_to_an_entry_of_a_list() {
    let mut harness = harness(WINDOW, snapshot());
    let chosen_by = |harness: &mut Harness<'_, Panels>, keys: &[Event]| {
        harness.get_by_role_and_label(Role::ComboBox, "Colour").focus();
        harness.run_ok();
        harness.key_press(Key::Enter);
        harness.run_ok();
        for key in keys {
            harness.event(key.clone());
            harness.run_ok();
        }
        harness.key_press(Key::Enter);
        harness.run_ok();
        harness.state().state.display.color
    };
    let press = |key| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
    let letter = |letter: &str| Event::Text(letter.to_owned());
    let Snapshot { scene: Some(scene), parameters: Some(parameters), .. } = &harness.state().snapshot else {
        panic!("no scene")
    };
    let is_offered = |field: &ColorField| sph_color::is_offered(*field, &scene.setup, parameters);
    let offered: Vec<ColorField> = ColorField::ALL.into_iter().filter(is_offered).collect();
    let [first, last] = [offered[0], offered[offered.len() - 1]];
    assert_eq!(chosen_by(&mut harness, &[press(Key::End)]), last);
    assert_eq!(chosen_by(&mut harness, &[press(Key::Home)]), first);
    let with_d: Vec<ColorField> = offered.into_iter().filter(|&field| sph_color::label(field).starts_with('D')).collect();
    assert!(with_d.len() > 1, "{with_d:?}");
    for (presses, &expected) in (1..=with_d.len() + 1).zip(with_d.iter().cycle()) {
        let keys: Vec<Event> = [press(Key::Home)].into_iter().chain(vec![letter("d"); presses]).collect();
        assert_eq!(chosen_by(&mut harness, &keys), expected, "{presses} times");
    }
}

/// A click beside an open list closes it, and reaches nothing below; the next one does.
#[test]
fn a_click_beside_a_list_only_closes_it() {
    let mut harness = harness([1280.0, 800.0], snapshot());
    let before = last_grid(&harness);
    let place = super::panels::slider(&harness, "Hash table size");
    let place = place.left_center() + egui::vec2(0.4 * place.width(), 0.0);
    harness.get_by_role_and_label(Role::ComboBox, "Structure").click();
    harness.run_ok();
    let is_open = |harness: &Harness<'_, Panels>| harness.query_by_label("Sorted cells").is_some();
    assert!(is_open(&harness));
    super::inside::click(&mut harness, place);
    assert!(!is_open(&harness) && last_grid(&harness) == before, "{:?}", last_grid(&harness));
    super::inside::click(&mut harness, place);
    assert_ne!(last_grid(&harness), before);
}

fn last_grid(harness: &Harness<'_, Panels>) -> sph_core::neighbors::GridParameters {
    harness.state().state.edited.parameters.expect("there is a scene").grid
}

#[test]
fn a_colour_map_is_chosen_at_the_gradient() {
    let mut harness = harness(WINDOW, snapshot());
    harness.get_by_label("Colour map").click();
    harness.run_ok();
    harness.get_by_label("Viridis").click();
    harness.run_ok();
    assert_eq!(harness.state().state.display.scale, Scale { map: Some(ColorMapName::Viridis), range: None });
}

#[test]
fn arrows_and_clip_plane_are_switched() {
    let mut harness = harness(WINDOW, snapshot());
    assert_eq!(harness.state().state.display.aids.clip(), None);
    for label in ["Rendering", "Velocity arrows", "Clip plane"] {
        harness.get_by_label(label).click();
        harness.run_ok();
    }
    harness.get_by_label("Other side").click();
    harness.run_ok();
    let Aids { arrows, plane, clips, .. } = harness.state().state.display.aids;
    assert!(arrows && clips && plane.flipped);
}

#[test]
fn walls_are_shaded_edges_or_hidden() {
    let mut harness = harness(WINDOW, snapshot());
    harness.get_by_label("Rendering").click();
    harness.run_ok();
    for (label, style) in [("Shaded", SolidStyle::Shaded), ("Hidden", SolidStyle::Hidden), ("Wireframe", SolidStyle::Wireframe)]
    {
        harness.get_by_role_and_label(Role::ComboBox, "Walls").click();
        harness.run_ok();
        harness.get_by_role_and_label(Role::Button, label).click();
        harness.run_ok();
        assert_eq!(harness.state().state.display.aids.walls, style);
    }
}

#[test]
fn cloth_shows_a_quantity_that_is_chosen_and_its_own_colour_again() {
    let cloth = "format = 1\n[particles]\nspacing = 0.05\n[[cloths]]\nname = 'sheet'\ncorner = [0, 1, 0]\nalong = [1, 0, 0]\n\
                 across = [0, 0, 1]\nspacing = 0.25\n";
    let mut harness = harness(WINDOW, snapshot_of(cloth));
    let has_legend = |harness: &Harness<'_, Panels>| harness.query_by_label("Lock range").is_some();
    assert!(!has_legend(&harness), "the sheet has its own colour");
    let color_by = |harness: &mut Harness<'static, Panels>, field: ColorField| {
        harness.state_mut().state.palette.toggle();
        harness.run_ok();
        harness.event(egui::Event::Text(format!("Colour: {}", field.option().documentation)));
        harness.run_ok();
        harness.key_press(egui::Key::Enter);
        harness.run_ok();
    };
    for field in [ColorField::Stretch, ColorField::Speed] {
        color_by(&mut harness, field);
        assert!(harness.state().state.display.color == field && has_legend(&harness), "{field:?}");
    }
    assert_eq!(harness.state().state.display.aids.points, Some(PointColors::Quantity));
    harness.get_by_label("Rendering").click();
    harness.run_ok();
    for (label, points) in [("Own colours", Some(PointColors::Own)), ("Automatic", None)] {
        harness.get_by_role_and_label(Role::ComboBox, "Cloth and balls").click();
        harness.run_ok();
        harness.get_by_role_and_label(Role::Button, label).click();
        harness.run_ok();
        assert_eq!(harness.state().state.display.aids.points, points);
        assert!(!has_legend(&harness));
    }
}

#[test]
fn typed_ends_of_the_colours_are_judged() {
    let mut harness = harness(WINDOW, snapshot());
    let mut typed = |end: &str, text: &str| {
        let label = format!("{end} end of the colour range");
        harness.get_by_role_and_label(Role::SpinButton, &label).click();
        harness.run_ok();
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.event(egui::Event::Text(text.to_owned()));
        harness.key_press(egui::Key::Enter);
        harness.run_ok();
        let says = |text: &str| harness.query_all_by_label_contains(text).next().is_some();
        (harness.state().state.display.scale.range, says("beyond ±"), says("must be below"), says("so wide"))
    };
    assert_eq!(typed("Upper", "1e20"), (None, true, false, false));
    assert_eq!(typed("Upper", "2").0, Some([0.0, 2.0]));
    let (range, _, below, _) = typed("Lower", "5");
    assert!(range == Some([0.0, 2.0]) && below);
    let (range, _, _, wide) = typed("Upper", "1e6");
    assert!(range == Some([0.0, 1e6]) && wide);
}

#[test]
fn a_quantity_is_chosen_in_the_palette_and_computed_when_asked_for() {
    let mut harness = harness(WINDOW, snapshot());
    let asked = |harness: &Harness<'static, Panels>| {
        harness.state().actions.iter().rev().find_map(|action| match action {
            Action::Inspect(inspect) => Some(inspect.field),
            _ => None,
        })
    };
    assert_eq!(asked(&harness).flatten(), None);
    harness.state_mut().state.palette.toggle();
    harness.run_ok();
    harness.event(egui::Event::Text("magnitude of the curl".to_owned()));
    harness.run_ok();
    harness.key_press(egui::Key::Enter);
    harness.run_ok();
    assert_eq!(harness.state().state.display.color, ColorField::Vorticity);
    assert_eq!(asked(&harness), Some(Some(ColorField::Vorticity)));
}

#[test]
fn ellipsoids_are_computed_while_water_is_drawn() {
    let mut harness = harness(WINDOW, snapshot());
    let mut asked = |look: Look, dimensions: Dimensions| {
        let Panels { state, snapshot, actions, .. } = harness.state_mut();
        actions.clear();
        state.display.look = look;
        let mut scene = (**snapshot.scene.as_ref().expect("there is a scene")).clone();
        scene.setup.discretization.dimensions = dimensions;
        snapshot.scene = Some(Arc::new(scene));
        harness.run_ok();
        harness.state().actions.iter().rev().find_map(|action| match action {
            Action::Inspect(inspect) => Some(inspect.ellipsoids),
            _ => None,
        })
    };
    assert_eq!(asked(Look::Spheres, Dimensions::Three), None);
    assert_eq!(asked(Look::Water, Dimensions::Three), Some(true));
    assert_eq!(asked(Look::Points, Dimensions::Three), Some(false));
    // Flat scenes have spheres for water.
    assert_eq!(asked(Look::Water, Dimensions::Two), None);
}

/// The whole one, one line, or none.
#[test]
fn a_narrow_view_has_a_legend_in_a_line() {
    for (width, whole, line) in [
        (860.0, true, false),
        (800.0, false, true),
        (360.0, false, true),
        (290.0, false, true),
        (230.0, false, true),
        (170.0, false, false),
    ] {
        let mut harness = harness([width, 640.0], snapshot());
        harness.state_mut().state.display.color = ColorField::Pressure;
        harness.run_ok();
        let view = harness.state().area;
        assert_eq!(harness.query_by_label("Lock range").is_some(), whole, "{width}: {view}");
        let lines: Vec<_> = harness.query_all_by_label("Pressure: from 0 to ≥ 3.00 Pa").map(|node| node.rect()).collect();
        assert_eq!(lines.len(), usize::from(line), "{width}: {view}");
        assert!(lines.iter().all(|line| view.contains_rect(*line)), "{lines:?} in {view}");
    }
}

/// The tools of a small window reach as far as the scale of the arrows, which is then below them.
#[test]
fn the_scale_of_the_arrows_is_clear_of_the_tools() {
    let panels: [fn(&mut State); 3] = [|_| (), |state| state.view.map = true, |state| state.tuning.open = true];
    let mut shown = 0;
    for (opens, size) in panels.into_iter().flat_map(|opens| [[800.0, 600.0], [1280.0, 800.0]].map(|size| (opens, size))) {
        let mut harness = harness(size, snapshot());
        let state = &mut harness.state_mut().state;
        (state.display.aids.arrows, state.tools.tool) = (true, Tool::Drop);
        opens(state);
        harness.run_ok();
        let Some(scale) = harness.query_by_label_contains("Velocity arrow:").map(|node| node.rect()) else { continue };
        shown += 1;
        for label in ["Rotate", "Tilt gravity", "Drop", "Size", "Box", "Density"] {
            for tool in harness.query_all_by_label(label).map(|node| node.rect()) {
                assert!(!scale.expand(2.0).intersects(tool), "{size:?}: {label} at {tool} under {scale}");
            }
        }
    }
    assert!(shown > 2, "shown {shown} times");
}
