//! Fluids of a scene with several: a row for each.

use crate::color;
use crate::ui::theme;
use crate::ui::widgets::{format, hint_ui};
use egui::{Color32, Label, RichText, Sense, Sides, Ui, vec2};
use sph_core::{Fluid, Setup};

/// Lays out the fluids with their densities and viscosities, if there are several.
pub fn fluids_ui(ui: &mut Ui, setup: &Setup) {
    if setup.fluids.is_empty() {
        return;
    }
    for (fluid, (_, color)) in setup.fluids.iter().zip(color::named_fluids(setup)) {
        fluid_ui(ui, fluid, color);
    }
    hint_ui(ui, "Change a fluid in the scene's file, under [[fluids]]. Values below are for those without their own.");
    ui.add_space(4.0);
}

fn fluid_ui(ui: &mut Ui, fluid: &Fluid, [r, g, b]: [u8; 3]) {
    let density = format!("{} kg/m³", format::significant(f64::from(fluid.rest_density)));
    let own = |label: &str, value: Option<f32>, unit: &str| {
        value.map(|value| format!("\n{label}: {} {unit}", format::significant(f64::from(value))))
    };
    let viscosity = own("Kinematic viscosity", fluid.kinematic_viscosity, "m²/s");
    let tension = own("Surface tension", fluid.surface_tension, "N/m");
    let own_values: String = [viscosity, tension].into_iter().flatten().collect();
    let tooltip = if own_values.is_empty() { "\nViscosity and surface tension: as below" } else { &own_values };
    let (heading, ()) = Sides::new().shrink_left().truncate().show(
        ui,
        |ui| {
            let (dot, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().circle_filled(dot.center(), 5.0, Color32::from_rgb(r, g, b));
            ui.add(Label::new(&fluid.name).truncate())
        },
        |ui| {
            ui.monospace(&density);
        },
    );
    heading.on_hover_text(format!("{}: rest density {density}{tooltip}", fluid.name));
    if let Some(viscosity) = fluid.kinematic_viscosity {
        let text = format!("own viscosity {} m²/s", format::significant(f64::from(viscosity)));
        ui.label(RichText::new(text).small().color(theme::of(ui).text_quiet));
    }
}
