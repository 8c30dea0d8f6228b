//! Several fluids: their names in the legend, in the panel and beside a particle.

use super::inside::inspect;
use super::panels::{Panels, SCENE, harness, snapshot_of};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use viewer::color::ColorField;
use viewer::session::Inspect;

const WINDOW: [f32; 2] = [1280.0, 1000.0];

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
    let mut harness = harness(WINDOW, snapshot_of(&text));
    assert_eq!(harness.state().state.color, ColorField::Fluid);
    // Once in the legend, once in the panel.
    for name in ["brine", "oil"] {
        assert_eq!(harness.query_all_by_label(name).count(), 2, "{name}");
    }
    for text in ["1100 kg/m³", "800 kg/m³", "own viscosity 0.250 m²/s"] {
        assert!(shows(&harness, text), "{text}");
    }
    harness.state_mut().state.color = ColorField::Speed;
    harness.run_ok();
    assert_eq!(harness.query_all_by_label("oil").count(), 1);
    assert!(shows(&harness, "m/s"));
}

#[test]
fn a_particle_says_its_fluid() {
    let text = scene(&[("brine", "rest_density = 1100"), ("oil", "rest_density = 800")]);
    let snapshot = inspect(snapshot_of(&text), Inspect { contents: false, particle: Some(99), ..Inspect::default() });
    let mut harness = harness(WINDOW, snapshot);
    harness.state_mut().state.view.selected = Some(99);
    harness.run_ok();
    assert!(shows(&harness, "Fluid: oil"));
}

#[test]
fn one_fluid_is_not_named() {
    let mut harness = harness(WINDOW, snapshot_of(SCENE));
    assert!(!shows(&harness, "kg/m³"));
    harness.state_mut().state.view.selected = Some(99);
    harness.run_ok();
    assert!(!shows(&harness, "Fluid: "));
}

/// Sixteen fluids fit into the legend, whose list is as high as that of two.
#[test]
fn many_fluids_share_the_legend() {
    let names: Vec<String> = (0..16).map(|number| format!("fluid number {number}")).collect();
    let fluids: Vec<_> = names.iter().map(|name| (name.as_str(), "rest_density = 1000")).collect();
    let mut harness = harness(WINDOW, snapshot_of(&scene(&fluids)));
    harness.run_ok();
    let legend = harness
        .get_all_by_label("fluid number 3")
        .map(|label| label.rect())
        .fold(egui::Rect::NOTHING, |a, b| if a.is_negative() || b.top() < a.top() { b } else { a });
    assert!(legend.bottom() < 160.0 && harness.state().area.contains_rect(legend), "{legend:?}");
}
