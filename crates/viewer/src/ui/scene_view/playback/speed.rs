//! Bound on the speed of the simulation.

use crate::session::SpeedLimit;
use crate::ui::Action;
use egui::{ComboBox, Ui};

/// Lays out the choice of the largest speed.
pub(super) fn speed_limit_ui(ui: &mut Ui, current: SpeedLimit, actions: &mut Vec<Action>) {
    let name = |limit: SpeedLimit| match limit {
        SpeedLimit::Times(1.0) => "Real time".to_owned(),
        SpeedLimit::Times(times) => format!("× {times}"),
        SpeedLimit::Unlimited => "Unlimited".to_owned(),
    };
    let mut chosen = current;
    let combo =
        ComboBox::from_id_salt("speed limit").selected_text(name(current)).width(92.0).height(280.0).show_ui(ui, |ui| {
            for limit in SpeedLimit::ALL {
                ui.selectable_value(&mut chosen, limit, name(limit));
            }
        });
    let name = || egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Speed limit");
    combo.response.widget_info(name);
    combo.response.on_hover_text("Upper limit of the simulation speed; large scenes may run slower.");
    if chosen != current {
        actions.push(Action::SetSpeedLimit(chosen));
    }
}
