//! Panels of the window, each in one line.

use super::place::{Place, Tab};
use crate::ui::fluid::Group;
use crate::ui::{Action, Model, State, fluid, grid, inside, lessons, menus, pictures, plots, scene, scene_view};
use egui::Ui;
use sph_core::Parameters;

/// A panel that is docked around the 3D view.
pub struct Panel {
    /// Its tab.
    pub tab: Tab,
    /// Switch that shows it.
    pub shown: fn(&mut State) -> &mut bool,
    /// True if the contents scroll; others fit themselves into the room.
    pub scrolls: bool,
    /// Lays out the contents.
    pub ui: fn(&mut Ui, &mut State, &Model<'_>, &mut Vec<Action>),
}

const fn panel(
    key: &'static str,
    title: &'static str,
    place: Place,
    shown: fn(&mut State) -> &mut bool,
    scrolls: bool,
    ui: fn(&mut Ui, &mut State, &Model<'_>, &mut Vec<Action>),
) -> Panel {
    Panel { tab: Tab { key, title, place }, shown, scrolls, ui }
}

/// Every panel. A new one needs a line here, and the switch that shows it.
#[rustfmt::skip]
pub static PANELS: [Panel; 13] = [
    panel("grid", "Grid", Place::LeftTop, |state| &mut state.show_side_panel, true, grid::grid_panel_ui),
    panel("inspector", "Inspector", Place::LeftTop, |state| &mut state.show_side_panel, true, inside::grid_view_ui),
    panel("rendering", "Rendering", Place::LeftTop, |state| &mut state.show_side_panel, true,
        |ui, state, model, _| scene_view::aids_ui(ui, &mut state.aids, model)),
    panel("scene", "Scene", Place::LeftTop, |state| &mut state.show_side_panel, true, scene::scene_panel_ui),
    panel("fluid", "Fluid", Place::LeftBottom, |state| &mut state.show_side_panel, true, fluid::fluid_panel_ui),
    panel("solver", "Solver", Place::LeftBottom, |state| &mut state.show_side_panel, true, fluid::solver_panel_ui),
    panel("time_step", "Time step", Place::LeftBottom, |state| &mut state.show_side_panel, true, fluid::time_step_panel_ui),
    panel("lesson", "Lesson", Place::LeftBottom, |state| &mut state.show_lesson, false, lessons::lesson_ui),
    panel("performance", "Performance", Place::Bottom, |state| &mut state.show_plots, false, plots::plots_ui),
    panel("bucket_map", "Bucket map", Place::Right, |state| &mut state.view.map, false, inside::bucket_map_ui),
    panel("tuning", "Auto-tune", Place::Right, |state| &mut state.tuning.open, true, grid::tuning_ui),
    panel("pictures", "Pictures and video", Place::Right, |state| &mut state.pictures.open, true, pictures::pictures_ui),
    panel("help", "Keys and mouse", Place::Right, |state| &mut state.show_help, true, menus::help_ui),
];

/// The panel with this key; `None` for the 3D view.
pub fn find(key: &str) -> Option<&'static Panel> {
    PANELS.iter().find(|panel| panel.tab.key == key)
}

/// Key of the panel that has the row of the parameter with `key`.
pub fn panel_of_parameter(key: &str) -> &'static str {
    match Group::of(Parameters::entry(key)) {
        None => "grid",
        Some(Group::Solver) => "solver",
        Some(Group::TimeStep) => "time_step",
        Some(_) => "fluid",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// `UPDATE_PANELS=1 cargo test -p viewer --test ui every_panel_is_drawn` draws those of its list.
    #[test]
    fn the_gallery_shows_every_panel_and_no_other() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let gallery = std::fs::read_to_string(docs.join("gallery.md")).expect("the gallery");
        for Panel { tab, .. } in &PANELS {
            let picture = format!("pictures/panels/{}.png", tab.key);
            assert!(gallery.contains(&format!("![{}]({picture})", tab.title)), "{} has no picture in the gallery", tab.key);
            assert!(docs.join(&picture).is_file(), "there is no {picture}");
        }
        let shown = gallery.matches("](pictures/panels/").count();
        let drawn = std::fs::read_dir(docs.join("pictures/panels")).expect("the folder").count();
        assert_eq!((shown, drawn), (PANELS.len(), PANELS.len()));
    }
}
