//! Places of controls and particles in the real window, found by laying out the same panels without one.

use super::display::SIZE;
use super::panels::{self, Panels};
use egui::accesskit::Role;
use egui::{Pos2, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

/// Points that kittest leaves free around the panels.
const MARGIN: f32 = 8.0;

/// The panels as they lie in the real window.
pub struct Layout(pub Harness<'static, Panels>);

/// A choice: the box that opens its menu, and the items of the open menu.
pub struct Choice {
    pub button: Rect,
    pub items: Vec<Rect>,
}

impl Layout {
    /// The panels of a window that fills the screen.
    pub fn new() -> Self {
        Self::of_size(SIZE)
    }

    /// The panels of a window of this size, pixels.
    pub fn of_size(size: [u32; 2]) -> Self {
        Self(panels::harness(size.map(|length| length as f32 + 2.0 * MARGIN), panels::snapshot()))
    }

    /// The slider with this label.
    pub fn slider(&self, label: &str) -> Rect {
        in_window(panels::slider(&self.0, label))
    }

    /// The choice with this label, and the items that are called so.
    pub fn choice(mut self, label: &str, items: &[&str]) -> Choice {
        let button = self.0.get_by_role_and_label(Role::ComboBox, label).rect();
        self.0.get_by_role_and_label(Role::ComboBox, label).click();
        self.0.run_ok();
        let place = |name: &&str| {
            // The box itself may show the item's name too.
            let mut items = self.0.query_all_by_label(name).map(|node| node.rect());
            in_window(items.rfind(|rect| !button.contains_rect(*rect)).expect("the choice has this item"))
        };
        Choice { button: in_window(button), items: items.iter().map(place).collect() }
    }

    /// Two controls of the bar below the view, which nothing lies over.
    pub fn landmarks(&self) -> [Rect; 2] {
        let step = self.0.get_by_role_and_label(Role::Button, "Step once").rect();
        let limit = self.0.get_by_role_and_label(Role::ComboBox, "Speed limit").rect();
        [step, limit].map(in_window)
    }

    /// A particle in the middle of the fluid, at the start.
    pub fn particle(&self) -> Pos2 {
        let Panels { snapshot, area, .. } = self.0.state();
        let scene = snapshot.scene.as_ref().expect("there is a scene");
        let camera = viewer::render::first_camera(&scene.setup, None, None, area.aspect_ratio());
        let particles = &snapshot.particles.positions;
        let middle = particles.iter().sum::<glam::Vec3>() / particles.len() as f32;
        let place = camera.project(middle, area.aspect_ratio()).expect("the fluid is in view");
        in_window(*area).center() + 0.5 * vec2(place.x * area.width(), -place.y * area.height())
    }

    /// A part of the panel for auto-tuning.
    pub fn part_of_tuning(&self, label: &str) -> Rect {
        in_window(self.0.get_by_label(label).rect())
    }
}

fn in_window(rect: Rect) -> Rect {
    rect.translate(-vec2(MARGIN, MARGIN))
}

/// A place near the left end of a control, where its fill shows and no text.
pub fn fill(control: Rect) -> Pos2 {
    control.left_center() + vec2(3.0, 0.0)
}
