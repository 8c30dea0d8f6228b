//! Rows of parameters: sliders to both ends, numbers that are typed, marks.

use super::drag;
use super::panels::{Panels, harness, snapshot};
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_core::Method;
use sph_core::parameters::{Kind, Parameters};

const WINDOW: [f32; 2] = [1280.0, 3600.0];

#[test]
fn every_slider_goes_to_both_ends() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.fluid.all = true;
    let discretization = harness.state().snapshot.scene.as_ref().expect("there is a scene").setup.discretization;
    let methods = [Method::Wcsph, Method::Dfsph, Method::Pbf];
    for (method, panel) in methods.into_iter().flat_map(|method| ["fluid", "solver", "time_step"].map(|panel| (method, panel)))
    {
        harness.state_mut().state.dock.show(panel);
        let Panels { state, actions, .. } = harness.state_mut();
        let mut parameters = state.parameters.expect("there are parameters");
        parameters.solver.method = method;
        parameters.forces.vorticity_transfer = 0.5;
        state.edit(parameters, actions);
        harness.run_ok();
        let numbers = Parameters::table().iter().filter(|parameter| !matches!(parameter.kind, Kind::Choice(_)));
        let shown: Vec<_> = numbers
            .map(|parameter| parameter.label)
            .filter(|label| harness.query_by_role_and_label(Role::Slider, label).is_some())
            .collect();
        assert!(shown.len() > 2, "{shown:?} of {panel}");
        for label in shown {
            // Forces are in a group that is closed at first: their sliders are not among these.
            for end in [0.0, 1.0, 0.5] {
                drag(&mut harness, label, end);
                let parameters = harness.state().state.parameters.expect("there are parameters");
                assert_eq!(parameters.validate(&discretization), Ok(()), "{label} at {end} with {method}");
            }
        }
    }
}

/// Types `text` into the number field of a row.
fn type_in(harness: &mut Harness<'_, Panels>, label: &str, text: &str) {
    harness.get_by_role_and_label(Role::SpinButton, label).click();
    harness.run_ok();
    harness.event(egui::Event::Text(text.to_owned()));
    harness.run_ok();
    harness.key_press(Key::Enter);
    harness.step();
    harness.step();
}

#[test]
fn what_becomes_of_a_typed_number_is_said() {
    let mut harness = harness(WINDOW, snapshot());
    let size = |harness: &Harness<'_, Panels>| harness.state().state.parameters.expect("a scene").grid.table_size;
    type_in(&mut harness, "Hash table size", "99999999");
    assert_eq!(size(&harness), 16_777_216);
    assert!(harness.query_by_label("99999999 is too high: 16,777,216 is used.").is_some());
    type_in(&mut harness, "Hash table size", "abc");
    assert_eq!(size(&harness), 16_777_216);
    assert!(harness.query_by_label("“abc” is not a number: 16,777,216 stays.").is_some());
    type_in(&mut harness, "Hash table size", "5000");
    assert!(size(&harness) == 5000 && harness.query_by_label_contains(" stays.").is_none());
}

#[test]
fn a_slider_sets_the_number_that_is_shown() {
    let mut harness = harness(WINDOW, snapshot());
    for fraction in [0.13, 0.37, 0.61, 0.88] {
        drag(&mut harness, "Cell spacing", fraction);
        let value = harness.state().state.parameters.expect("a scene").grid.cell_size;
        assert!(value.to_string().trim_start_matches(['0', '.']).len() <= 3, "{value}");
    }
}

#[test]
fn a_row_goes_back_to_the_scene() {
    let mut harness = harness(WINDOW, snapshot());
    let start = harness.state().state.parameters;
    drag(&mut harness, "Kinematic viscosity", 0.9);
    assert_ne!(harness.state().state.parameters, start);
    harness.get_by_label("Reset to the scene's value").click();
    harness.run_ok();
    assert_eq!(harness.state().state.parameters, start);
}

#[test]
fn a_search_leaves_the_rows_that_match() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.fluid.search = "adhesion".to_owned();
    harness.run_ok();
    assert!(harness.query_by_role_and_label(Role::Slider, "Adhesion to walls").is_some());
    assert!(harness.query_by_role_and_label(Role::Slider, "Kinematic viscosity").is_none());
    harness.state_mut().state.fluid.search = "no such thing".to_owned();
    harness.run_ok();
    assert!(harness.query_by_label_contains("No parameter in use").is_some());
}
