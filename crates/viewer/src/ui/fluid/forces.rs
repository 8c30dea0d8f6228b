//! Viscosity, and the forces and motions that are off unless one asks for them.

use crate::ui::widgets::{Number, choice_ui, format, hint_ui, number_ui};
use egui::Ui;
use sph_core::{FluidParameters, ForceParameters, Parameters, ViscosityModel};

/// Viscosity: its model and how strong it is.
pub fn viscosity_ui(ui: &mut Ui, fluid: &mut FluidParameters, scene: &FluidParameters) {
    let models =
        [(ViscosityModel::Morris, "Morris"), (ViscosityModel::Central, "Central"), (ViscosityModel::Implicit, "Implicit")];
    let tooltip = "Form of the laminar viscosity. Morris: along the difference of two velocities, for flows between walls. Central: along \
                   the line between two particles; conserves angular momentum, and is right at free surfaces. Implicit: as central, \
                   solved for the end of the step, so that no viscosity makes steps shorter.";
    choice_ui(ui, "Viscosity model", tooltip, &mut fluid.viscosity_model, &models);
    ui.add_space(4.0);
    let kinematic = Number {
        label: "Kinematic viscosity",
        tooltip: "Water has 1e-6 m²/s, olive oil 1e-4, honey about 7e-3. Above about 0.01 it shortens the time step, unless it is \
                  implicit. 0 switches it off.",
        unit: " m²/s",
        slider: 0.0..=0.1,
        allowed: 0.0..=100.0,
        logarithmic: true,
        finest: 1e-7,
        scene: f64::from(scene.kinematic_viscosity),
        format: format::significant,
    };
    number_ui(ui, &kinematic, &mut fluid.kinematic_viscosity);
    let artificial = Number {
        label: "Artificial viscosity α",
        tooltip: "Damps particles that run into each other, for stability; usually 0.01 to 0.1, no unit. 0 switches it off.",
        unit: "",
        slider: 0.0..=0.5,
        allowed: 0.0..=10.0,
        logarithmic: false,
        finest: 1e-3,
        scene: f64::from(scene.artificial_viscosity),
        format: |value| format!("{value:.3}"),
    };
    number_ui(ui, &artificial, &mut fluid.artificial_viscosity);
}

/// What is off by default: surface tension, adhesion, spin, XSPH, shifting. Folded away unless the scene has something of it on.
pub fn extras_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) {
    let ForceParameters { surface_tension, adhesion, vorticity_transfer, xsph, .. } = scene.forces;
    let on = [surface_tension, adhesion, vorticity_transfer, xsph, scene.solver.shifting].iter().any(|&value| value > 0.0);
    let (shifting, usual) = (&mut parameters.solver.shifting, scene.solver.shifting);
    let (forces, scene) = (&mut parameters.forces, &scene.forces);
    egui::CollapsingHeader::new("More forces and motions").default_open(on).show(ui, |ui| {
        tensions_ui(ui, forces, scene);
        spin_ui(ui, forces, scene);
        let xsph = Number {
            label: "XSPH ε",
            tooltip: "Share of its neighbours' mean velocity with which a particle moves; usually 0.5, no unit. Keeps particles in order; \
                      velocities themselves stay as they are. 0 switches it off.",
            unit: "",
            slider: 0.0..=1.0,
            allowed: 0.0..=1.0,
            logarithmic: false,
            finest: 1e-2,
            scene: f64::from(scene.xsph),
            format: |value| format!("{value:.2}"),
        };
        number_ui(ui, &xsph, &mut forces.xsph);
        let shift = Number {
            label: "Shifting A",
            tooltip: "Moves particles a little from where they are dense to where they are sparse; usually 2, no unit. For vortices and \
                      closed flows, not for impacts. 0 switches it off.",
            unit: "",
            slider: 0.0..=4.0,
            allowed: 0.0..=10.0,
            logarithmic: false,
            finest: 1e-2,
            scene: f64::from(usual),
            format: |value| format!("{value:.2}"),
        };
        number_ui(ui, &shift, shifting);
    });
}

fn tensions_ui(ui: &mut Ui, forces: &mut ForceParameters, scene: &ForceParameters) {
    let number = |label, tooltip, scene: f32| Number {
        label,
        tooltip,
        unit: " N/m",
        slider: 0.0..=10.0,
        allowed: 0.0..=1000.0,
        logarithmic: true,
        finest: 1e-3,
        scene: f64::from(scene),
        format: format::significant,
    };
    let tooltip = "Surface tension pulls the surface together: drops become round. Water has 0.073 N/m, which shows in scenes of \
                   centimetres; in larger ones take more. 0 switches it off.";
    number_ui(ui, &number("Surface tension", tooltip, scene.surface_tension), &mut forces.surface_tension);
    let tooltip = "Work of pulling the fluid off a wall. As much as the surface tension: it meets walls at a right angle; twice as much: it \
                   wets them. 0 switches it off.";
    number_ui(ui, &number("Adhesion to walls", tooltip, scene.adhesion), &mut forces.adhesion);
}

fn spin_ui(ui: &mut Ui, forces: &mut ForceParameters, scene: &ForceParameters) {
    let transfer = Number {
        label: "Vorticity transfer",
        tooltip: "Lets particles spin and hand their spin to the flow (micropolar fluid): eddies that viscosity of the method would damp \
                  live longer. 0 switches it off.",
        unit: " m²/s",
        slider: 0.0..=1.0,
        allowed: 0.0..=100.0,
        logarithmic: true,
        finest: 1e-4,
        scene: f64::from(scene.vorticity_transfer),
        format: format::significant,
    };
    number_ui(ui, &transfer, &mut forces.vorticity_transfer);
    if forces.vorticity_transfer == 0.0 {
        return;
    }
    let smoothing = Number {
        label: "Vorticity smoothing",
        tooltip: "Share of its neighbours' mean spin that a particle takes over in a step, no unit.",
        unit: "",
        slider: 0.0..=1.0,
        allowed: 0.0..=1.0,
        logarithmic: false,
        finest: 1e-2,
        scene: f64::from(scene.vorticity_smoothing),
        format: |value| format!("{value:.2}"),
    };
    number_ui(ui, &smoothing, &mut forces.vorticity_smoothing);
    hint_ui(ui, "Spin begins at zero and grows with the flow.");
}
