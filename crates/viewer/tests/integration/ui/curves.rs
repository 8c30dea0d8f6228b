//! Parameters that follow curves: a slider takes its own off, the reset and the check box put it back.

use super::drag;
use super::panels::{Panels, SCENE, harness, snapshot_of};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use viewer::ui::Action;

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
