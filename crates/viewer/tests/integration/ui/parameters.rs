//! Rows of parameters: sliders to both ends, numbers that are typed, marks; those that follow curves; several fluids in the legend, in
//! the panel and beside a particle.

use super::drag;
use super::inside::inspect;
use super::panels::{Panels, SCENE, harness, snapshot, snapshot_of};
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_color::ColorField;
use sph_core::Method;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::parameters::{Kind, Parameters};
use viewer::session::{Inspect, Queried};
use viewer::ui::Action;

const WINDOW: [f32; 2] = [1280.0, 3600.0];

#[test]
fn every_slider_goes_to_both_ends() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.fluid.all = true;
    let discretization = harness.state().snapshot.scene.as_ref().expect("there is a scene").setup.discretization;
    let others = [(Method::Wcsph, "fluid"), (Method::Dfsph, "time_step")];
    for (method, panel) in
        [Method::Wcsph, Method::Dfsph, Method::Pbf].map(|method| (method, "solver")).into_iter().chain(others)
    {
        harness.state_mut().state.dock.show(panel);
        let Panels { state, actions, .. } = harness.state_mut();
        let mut parameters = state.edited.parameters.expect("there are parameters");
        parameters.solver.method = method;
        parameters.forces.vorticity_transfer = 0.5;
        state.edited.edit(parameters, actions);
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
                let parameters = harness.state().state.edited.parameters.expect("there are parameters");
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
    let size = |harness: &Harness<'_, Panels>| harness.state().state.edited.parameters.expect("a scene").grid.table_size;
    type_in(&mut harness, "Hash table size", "99999999");
    assert_eq!(size(&harness), 16_777_216);
    assert!(harness.query_by_label("99999999 is too high: 16,777,216 is used.").is_some());
    type_in(&mut harness, "Hash table size", "abc");
    assert_eq!(size(&harness), 16_777_216);
    assert!(harness.query_by_label("“abc” is not a number: 16,777,216 is kept.").is_some());
    type_in(&mut harness, "Hash table size", "5000");
    assert!(size(&harness) == 5000 && harness.query_by_label_contains(" stays.").is_none());
}

#[test]
fn a_slider_sets_the_number_that_is_shown() {
    let mut harness = harness(WINDOW, snapshot());
    for fraction in [0.13, 0.37, 0.61, 0.88] {
        drag(&mut harness, "Cell spacing", fraction);
        let value = harness.state().state.edited.parameters.expect("a scene").grid.cell_size;
        assert!(value.to_string().trim_start_matches(['0', '.']).len() <= 3, "{value}");
    }
}

#[test]
fn a_row_goes_back_to_the_scene() {
    let mut harness = harness(WINDOW, snapshot());
    let start = harness.state().state.edited.parameters;
    drag(&mut harness, "Kinematic viscosity", 0.9);
    assert_ne!(harness.state().state.edited.parameters, start);
    harness.get_by_label("Reset to the scene's value").click();
    harness.run_ok();
    assert_eq!(harness.state().state.edited.parameters, start);
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
    assert!(harness.query_by_label_contains("No matching parameters").is_some());
}

const VISCOSITY: &str = "Kinematic viscosity follows its curve";

fn off_curve(harness: &mut Harness<'_, Panels>) -> Vec<Vec<&'static str>> {
    let actions = std::mem::take(&mut harness.state_mut().actions);
    let of = |action| if let Action::SetOffCurve(keys) = action { Some(keys) } else { None };
    actions.into_iter().filter_map(of).collect()
}

#[test]
fn an_edit_takes_a_parameter_off_its_curve() {
    let fluid = "[fluid]\nkinematic_viscosity = [[0, 0.001], [1, 0.01]]\nartificial_viscosity = [[0, 0.1], [1, 0.2]]\n";
    let mut harness = harness([1280.0, 2200.0], snapshot_of(&format!("{SCENE}\n{fluid}")));
    drag(&mut harness, "Gravity", 0.5);
    assert_eq!(off_curve(&mut harness), Vec::<Vec<&str>>::new(), "another parameter");
    drag(&mut harness, "Kinematic viscosity", 0.7);
    assert_eq!(off_curve(&mut harness)[0], ["fluid.kinematic_viscosity"]);
    harness.get_by_label(VISCOSITY).click();
    harness.run_ok();
    assert_eq!(off_curve(&mut harness), [Vec::<&str>::new()], "on it again");
    harness.get_by_label(VISCOSITY).click();
    harness.run_ok();
    assert_eq!(off_curve(&mut harness), [["fluid.kinematic_viscosity"]]);
    harness.get_by_label("Reset fluid parameters to scene").click();
    harness.run_ok();
    assert_eq!(off_curve(&mut harness), [Vec::<&str>::new()]);
}

/// The small scene with `fluids`, of which its block has the last.
fn scene(fluids: &[(&str, &str)]) -> String {
    let table = |(name, rest): &(&str, &str)| format!("[[fluids]]\nname = '{name}'\n{rest}\n");
    let tables: String = fluids.iter().map(table).collect();
    let last = fluids.last().map_or("", |fluid| fluid.0);
    SCENE.replace("[[fluid.blocks]]", &format!("{tables}[[fluid.blocks]]\nfluid = '{last}'"))
}

fn shows(harness: &Harness<'_, Panels>, text: &str) -> bool {
    harness.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn fluids_are_named_in_legend_and_panel() {
    let text = scene(&[("brine", "rest_density = 1100"), ("oil", "rest_density = 800\nkinematic_viscosity = 0.25")]);
    let mut harness = harness([1280.0, 1000.0], snapshot_of(&text));
    assert_eq!(harness.state().state.display.color, ColorField::Fluid);
    // Once in the legend, once in the panel.
    for name in ["brine", "oil"] {
        assert_eq!(harness.query_all_by_label(name).count(), 2, "{name}");
    }
    for text in ["1,100 kg/m³", "800 kg/m³", "own viscosity 0.250 m²/s"] {
        assert!(shows(&harness, text), "{text}");
    }
    harness.state_mut().state.display.color = ColorField::Speed;
    harness.run_ok();
    assert_eq!(harness.query_all_by_label("oil").count(), 1);
    assert!(shows(&harness, "m/s"));
}

#[test]
fn a_particle_says_its_fluid() {
    let text = scene(&[("brine", "rest_density = 1100"), ("oil", "rest_density = 800")]);
    let snapshot =
        inspect(snapshot_of(&text), Inspect { contents: false, queried: Some(Queried::Particle(99)), ..Inspect::default() });
    let mut harness = harness([1280.0, 1000.0], snapshot);
    harness.state_mut().state.view.selected = Some(Queried::Particle(99));
    harness.run_ok();
    assert!(shows(&harness, "Fluid: oil"));
}

#[test]
fn one_fluid_is_not_named() {
    let mut harness = harness([1280.0, 1000.0], snapshot_of(SCENE));
    assert!(!shows(&harness, "kg/m³"));
    harness.state_mut().state.view.selected = Some(Queried::Particle(99));
    harness.run_ok();
    assert!(!shows(&harness, "Fluid: "));
}

/// Sixteen fluids fit into the legend, whose list is as high as that of two.
#[test]
fn many_fluids_share_the_legend() {
    let names: Vec<String> = (0..16).map(|number| format!("fluid number {number}")).collect();
    let fluids: Vec<_> = names.iter().map(|name| (name.as_str(), "rest_density = 1000")).collect();
    let mut harness = harness([1280.0, 1000.0], snapshot_of(&scene(&fluids)));
    harness.run_ok();
    let legend = harness
        .get_all_by_label("fluid number 3")
        .map(|label| label.rect())
        .fold(egui::Rect::NOTHING, |a, b| if a.is_negative() || b.top() < a.top() { b } else { a });
    assert!(legend.bottom() < 160.0 && harness.state().area.contains_rect(legend), "{legend:?}");
}

#[test]
fn a_structure_without_a_table_says_so_and_leads_to_one_that_has_a_table() {
    for (name, reason) in [
        ("sorted_cells", "Sorted cells have no hash table."),
        ("uniform_grid", "The uniform grid has no hash table."),
        ("brute_force", "Brute force has no hash table."),
    ] {
        let mut harness = harness([1280.0, 1000.0], snapshot_of(&SCENE.replace("spatial_hash", name)));
        let grid = |harness: &Harness<'_, Panels>| harness.state().state.edited.parameters.expect("a scene").grid;
        let before = grid(&harness);
        assert!(shows(&harness, reason) && harness.query_by_label("Hash table size").is_none(), "{name}");
        harness.get_by_label("Switch to the spatial hash").click();
        harness.run_ok();
        assert_eq!(grid(&harness), GridParameters { structure: Structure::SpatialHash, ..before }, "{name}");
        assert!(!shows(&harness, reason) && harness.query_by_role_and_label(Role::Slider, "Hash table size").is_some());
        let Panels { state, actions, .. } = harness.state_mut();
        state.undo(actions);
        assert_eq!(grid(&harness), before, "{name}");
    }
}

/// The entries of a list say what they are, and hide none of the others.
#[test]
fn each_structure_is_explained_where_it_is_chosen() {
    let mut harness = harness([1280.0, 1000.0], snapshot());
    harness.get_by_role_and_label(Role::ComboBox, "Structure").click();
    harness.run_ok();
    let options = match &Parameters::entry("grid.structure").kind {
        Kind::Choice(options) => options,
        _ => panic!("a structure is a choice"),
    };
    let option = options.iter().find(|option| option.name == "sorted_cells").expect("there are sorted cells");
    let entry = harness.get_by_role_and_label(Role::Button, option.label).rect();
    harness.hover_at(entry.center());
    harness.run_steps(60);
    let words = option.documentation.trim();
    let tooltip = harness.query_by_label(words).expect("a tooltip").rect();
    assert!(tooltip.left() >= entry.right(), "{tooltip} beside {entry}");
}

#[test]
fn a_greyed_row_says_why() {
    let mut harness = harness([1280.0, 1000.0], snapshot_of(&SCENE.replace("spatial_hash", "brute_force")));
    let slider = super::panels::slider(&harness, "Cell spacing").center();
    for (place, reason) in [
        (slider, "Brute force has no cells."),
        (harness.get_by_label("Reset grid to scene").rect().center(), "The grid already matches the scene."),
        (harness.get_by_label("Reset fluid parameters to scene").rect().center(), "All values are the scene's."),
    ] {
        harness.hover_at(place);
        for _ in 0..60 {
            harness.step();
        }
        assert!(shows(&harness, reason), "{reason}");
    }
}

#[test]
fn the_capacity_suits_the_structure_that_is_chosen() {
    let mut harness = harness([1280.0, 1000.0], snapshot_of(SCENE));
    let grid = |harness: &Harness<'_, Panels>| harness.state().state.edited.parameters.expect("a scene").grid;
    let discretization = harness.state().snapshot.scene.as_ref().expect("a scene").setup.discretization;
    assert_eq!(grid(&harness).bucket_capacity, grid(&harness).usual_bucket_capacity(&discretization));
    harness.get_by_role_and_label(Role::ComboBox, "Structure").click();
    harness.run_ok();
    harness.get_by_label("Block map").click();
    harness.run_ok();
    let chosen = grid(&harness);
    assert!(matches!(chosen.structure, Structure::BlockMap(..)), "{chosen:?}");
    assert_eq!(chosen.bucket_capacity, chosen.usual_bucket_capacity(&discretization));
    assert!(harness.query_by_label_contains("Made for particles of different sizes").is_some());
    // Nobody has touched the capacity: only the structure is marked as changed.
    let changed = |harness: &Harness<'_, Panels>| {
        let Panels { state, snapshot, .. } = harness.state();
        let marks = harness.query_all_by_label("Reset to the scene's value").count();
        (state.edited.unsaved(snapshot.scene.as_ref().expect("a scene")), marks)
    };
    assert_eq!(changed(&harness), (vec!["Structure".to_owned()], 1));
    type_in(&mut harness, "Bucket capacity", "20");
    assert_eq!(changed(&harness), (vec!["Structure".to_owned(), "Bucket capacity".to_owned()], 2));
    harness.query_all_by_label("Reset to the scene's value").last().expect("one of the capacity").click();
    harness.run_ok();
    assert_eq!(grid(&harness), chosen);
}

#[test]
fn the_choice_of_the_structure_stays_where_it_is() {
    let mut harness = harness([1280.0, 1000.0], snapshot_of(SCENE));
    let place = |harness: &Harness<'_, Panels>| harness.get_by_role_and_label(Role::ComboBox, "Structure").rect();
    let before = place(&harness);
    for structure in Structure::USUAL {
        let Panels { state, actions, .. } = harness.state_mut();
        let grid = state.edited_grid().expect("a scene");
        state.edit_grid(GridParameters { structure, ..grid }, None, actions);
        harness.run_ok();
        assert_eq!(place(&harness), before, "{structure:?}");
    }
}
