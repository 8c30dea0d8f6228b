//! The search for the best grid, from the key that opens its window to the grid that it finds in force.

use super::layout::{Layout, fill};
use super::window::Window;
use super::{panels, trials};
use egui::{Pos2, Rect, vec2};
use viewer::session::Stage;
use viewer::ui::theme;

/// Parts of the window for auto-tuning.
struct Parts {
    /// The choice of one structure.
    only: Rect,
    start: Rect,
    /// There while trials are made.
    cancel: Rect,
    /// There once trials have been made, in place of `start`, and wider.
    again: Rect,
    apply: Rect,
}

impl Parts {
    fn find() -> Self {
        let mut layout = Layout::new();
        layout.0.state_mut().state.tuning.open = true;
        layout.0.run_ok();
        let (only, start) = (layout.part_of_tuning("Spatial hash only"), layout.part_of_tuning("Start"));
        let mut at = |stage, share, label| {
            let panels = layout.0.state_mut();
            let parameters = panels.snapshot.parameters.expect("there are parameters");
            panels.snapshot.tuning = Some(trials::tuning(&parameters, &[parameters.grid.structure], stage, share));
            layout.0.run_ok();
            layout.part_of_tuning(label)
        };
        let cancel = at(Stage::Running, 0.5, "Cancel");
        let (again, apply) = (at(Stage::Done, 1.0, "Start again"), at(Stage::Done, 1.0, "Apply best"));
        Self { only, start, cancel, again, apply }
    }

    /// The middle of the circle that is filled when one structure is chosen.
    fn dot(&self) -> Pos2 {
        self.only.left_center() + vec2(0.5 * egui::Spacing::default().icon_width, 0.0)
    }
}

#[test]
fn auto_tune_finds_a_grid_and_a_click_applies_it() {
    let parts = Parts::find();
    let mut window = Window::open(&panels::SCENE.replace("table_size = 1000", "table_size = 2"));
    let is_running = |window: &Window| window.shows(fill(parts.cancel), theme::DARK.control);
    let has_ended = |window: &Window| window.shows(parts.again.right_center() - vec2(3.0, 0.0), theme::DARK.accent_dim);
    window.until("the window", |window| window.press("a"), |window| window.shows(fill(parts.start), theme::DARK.accent_dim));
    window.until(
        "the choice of one structure",
        |window| window.click(parts.only.center()),
        |window| window.display.pixel(parts.dot()).intensity() > 0.8,
    );
    // Over before it was seen to have begun, perhaps.
    window.until("a search", |window| window.click(parts.start.center()), |window| is_running(window) || has_ended(window));
    window.wait("its end", has_ended);
    window.display.photograph("auto_tune.png");

    let before = window.latest().expect("there are steps");
    assert_eq!(before["search"]["table_size"], 2);
    let apply = |window: &mut Window| window.click(parts.apply.center());
    window.until("another grid", apply, |window| window.number("/search/table_size") > 2.0);
    let after = window.latest().expect("there are steps");
    assert!(after["search"]["table_size"].as_u64().is_some_and(u64::is_power_of_two), "{after}");
    assert_eq!((&after["search"]["structure"], &after["audit"]["missed"]), (&"spatial_hash".into(), &0.into()));
    assert!(after["time"].as_f64() > before["time"].as_f64());
}
