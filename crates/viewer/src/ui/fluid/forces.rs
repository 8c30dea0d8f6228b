//! Viscosity, and the optional forces and corrections.

use crate::ui::widgets::{ParameterRow, hint_ui};
use egui::Ui;
use sph_core::parameters::{Parameter, Parameters};
use sph_core::{ForceParameters, ViscosityModel};

/// Lays out the model of viscosity and its coefficients.
pub fn viscosity_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) {
    ParameterRow::of("fluid.viscosity_model").ui(ui, parameters, scene);
    ui.add_space(4.0);
    for key in ["fluid.kinematic_viscosity", "fluid.artificial_viscosity"] {
        ParameterRow::of(key).ui(ui, parameters, scene);
    }
}

/// Lays out the forces and corrections that are off by default: all of [`ForceParameters`], and particle shifting. Collapsed
/// unless the scene uses one of them.
pub fn extras_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) {
    let ForceParameters { surface_tension, adhesion, vorticity_transfer, xsph, .. } = scene.forces;
    let on = [surface_tension, adhesion, vorticity_transfer, xsph, scene.solver.shifting].iter().any(|&value| value > 0.0);
    egui::CollapsingHeader::new("Optional forces").default_open(on).show(ui, |ui| {
        let extra = |parameter: &&Parameter<Parameters>| {
            parameter.group() == ForceParameters::GROUP || parameter.key == "solver.shifting"
        };
        for parameter in Parameters::table().iter().filter(extra) {
            if is_effective(parameter.key, parameters) {
                ParameterRow::new(parameter).ui(ui, parameters, scene);
            }
        }
        if parameters.forces.vorticity_transfer > 0.0 {
            hint_ui(ui, "The spin starts at zero and grows with the vorticity of the flow.");
        }
    });
}

/// True if the parameter has an effect with the values of the others.
fn is_effective(key: &str, parameters: &Parameters) -> bool {
    match key {
        "fluid.viscosity_tolerance" | "fluid.max_viscosity_iterations" => {
            parameters.fluid.viscosity_model == ViscosityModel::Implicit
        }
        "fluid.vorticity_smoothing" | "fluid.micro_inertia" => parameters.forces.vorticity_transfer > 0.0,
        _ => true,
    }
}
