//! Badges over the 3D view: what is wrong with the run at present, and what would help.

use crate::session::{Snapshot, SpeedLimit};
use crate::ui::fluid::{Stiffness, limit_text, stiffness};
use crate::ui::theme::Colors;
use crate::ui::widgets::format;
use crate::ui::{State, theme};
use egui::{Align, Button, Color32, Layout, Rect, RichText, Ui, UiBuilder, vec2};
use sph_core::parameters::{Parameter, Parameters};

/// Height of a badge, points.
const HEIGHT: f32 = 24.0;

/// Height of the status line with the space around it, points.
const STATUS: f32 = 40.0;

/// Share of the speed asked for below which the machine is said not to keep up.
const BEHIND: f64 = 0.8;

/// A badge.
struct Badge {
    text: String,
    tooltip: String,
    color: Color32,
    /// Parameter to show at a click.
    parameter: &'static Parameter<Parameters>,
}

/// Lays out the badges over the lower left corner of `area`, above the status line. A click shows the parameter that would help.
pub fn badges_ui(ui: &mut Ui, area: Rect, state: &mut State, snapshot: &Snapshot) {
    let badges = [softness(state, snapshot, theme::of(ui)), slowness(snapshot, theme::of(ui))];
    let corner = area.left_bottom() + vec2(theme::SPACE, -STATUS - 2.0 * (HEIGHT + 4.0));
    let size = vec2((area.width() - 2.0 * theme::SPACE).max(0.0), 2.0 * (HEIGHT + 4.0));
    let place = Rect::from_min_size(corner, size);
    if !area.contains_rect(place) {
        return;
    }
    ui.scope_builder(UiBuilder::new().max_rect(place).layout(Layout::bottom_up(Align::Min)), |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        for badge in badges.into_iter().flatten() {
            let text = RichText::new(badge.text).color(badge.color);
            let button = Button::new(text).fill(theme::of(ui).background).stroke((1.0, badge.color)).truncate();
            if ui.add(button.min_size(vec2(0.0, HEIGHT))).on_hover_text(badge.tooltip).clicked() {
                state.show_parameter(badge.parameter);
            }
        }
    });
}

fn softness(state: &State, snapshot: &Snapshot, colors: &Colors) -> Option<Badge> {
    let (found, ratio) = stiffness(state.parameters.as_ref()?, snapshot.stats.as_ref())?;
    let parameter = Parameters::entry("fluid.sound_speed");
    let (text, tooltip, color) = match found {
        Stiffness::Unstable => (
            "The fluid is faster than its sound".to_owned(),
            "Unstable: reset the fluid, then increase the speed of sound or the artificial viscosity.",
            colors.error,
        ),
        Stiffness::TooLow => (
            format!("Fluid too soft: sound is {ratio:.1} × its maximum speed"),
            "It is compressed by more than 1 %. A speed of sound of 10 × the maximum speed keeps it stiff; click to change it.",
            colors.warning,
        ),
        _ => return None,
    };
    Some(Badge { text, tooltip: tooltip.to_owned(), color, parameter })
}

fn slowness(snapshot: &Snapshot, colors: &Colors) -> Option<Badge> {
    let (rates, stats) = (&snapshot.rates, snapshot.stats.as_ref()?);
    let SpeedLimit::Times(asked) = snapshot.speed_limit else { return None };
    let runs = !snapshot.paused && !snapshot.loading && snapshot.failure.is_none() && rates.steps_per_second > 0.0;
    let speed = rates.speed;
    if !runs || speed >= BEHIND * f64::from(asked) {
        return None;
    }
    let name = if f64::from(asked) == 1.0 { "real time".to_owned() } else { format!("× {asked}") };
    let tooltip = format!(
        "This machine makes {:.0} steps of {} a second, and {name} needs {:.0}.\n\
         Fewer particles help most: a larger spacing in the scene. So do longer steps, bound now by: {}.\n\
         Auto-tune (A) finds the fastest grid. Click for the time step.",
        rates.steps_per_second,
        format::seconds(f64::from(stats.dt)),
        f64::from(asked) / f64::from(stats.dt).max(1e-12),
        limit_text(stats.dt_limit),
    );
    let speed = if speed < 0.001 { "under 0.001".to_owned() } else { format!("{speed:.3}") };
    let text = format!("Cannot keep up with {name}: × {speed}");
    Some(Badge { text, tooltip, color: colors.warning, parameter: Parameters::entry("time_step.cfl_factor") })
}
