//! Choice of the fluid's look: over the lower right corner of the 3D view, and in the View menu.

use crate::color::{self, ColorField, Scale};
use crate::render::{DrawnLook, NO_WATER};
use crate::session::Snapshot;
use crate::ui::widgets::legend;
use crate::ui::{Model, theme};
use egui::{Align, FontId, Frame, Layout, Margin, Rect, RichText, Sense, Ui, UiBuilder, pos2, vec2};
use sph_core::Dimensions;
use sph_core::parameters::Choice;
use sph_io::{Look, Scene};

/// Looks of the window; [`Look::Surface`] is for pictures without one.
pub const LOOKS: [Look; 3] = [Look::Water, Look::Spheres, Look::Points];

/// Size of the choice, points, and the width of a view that has room for it beside the status line.
const SIZE: egui::Vec2 = vec2(208.0, 34.0);
const LEAST_WIDTH: f32 = 620.0;

/// Width of the button that a narrow view has instead, and least height of a view with either, points.
const BUTTON_WIDTH: f32 = 64.0;
const LEAST_HEIGHT: f32 = 80.0;

/// Look in which `scene` opens, where `usual` is that of scenes that name none.
pub fn first_look(scene: &Scene, usual: Look) -> Look {
    match (scene.view.look.unwrap_or(usual), scene.setup.discretization.dimensions) {
        (Look::Water | Look::Surface, Dimensions::Two) => Look::Spheres,
        (Look::Surface, Dimensions::Three) => Look::Water,
        (look, _) => look,
    }
}

/// Field that colours the particles, and its map with its ends.
type Coloring<'a> = (&'a mut ColorField, &'a mut Scale);

/// Width of the choice in the 3D view at `area`, points.
pub(super) fn width(area: Rect) -> f32 {
    match area.width() {
        _ if area.height() < LEAST_HEIGHT => 0.0,
        width if width >= LEAST_WIDTH => SIZE.x,
        width if width >= 2.0 * BUTTON_WIDTH => BUTTON_WIDTH,
        _ => 0.0,
    }
}

/// Lays out the choice in the lower right corner of `area`: in a narrow view as a menu, which has the colours too.
///
/// Above it stands why spheres are drawn, where `drawn` has a reason.
pub(super) fn looks_ui(
    ui: &mut Ui,
    area: Rect,
    (chosen, drawn): (&mut Look, DrawnLook),
    coloring: Coloring<'_>,
    model: &Model<'_>,
) {
    let size = vec2(width(area), SIZE.y);
    if size.x == 0.0 {
        return;
    }
    let rect = Rect::from_min_size(area.right_bottom() - size - vec2(theme::SPACE, theme::SPACE), size);
    // A click on the plate, or on a look that is not possible, is none on the fluid behind it.
    ui.interact(rect, ui.scope_id().with("looks"), Sense::CLICK | Sense::DRAG);
    ui.scope_builder(UiBuilder::new().max_rect(rect).layout(Layout::right_to_left(Align::Max)), |ui| {
        let frame =
            Frame::new().fill(theme::of(ui).background.gamma_multiply(0.85)).corner_radius(6).inner_margin(Margin::same(4));
        frame.show(ui, |ui| {
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                if size == SIZE {
                    choices_ui(ui, chosen, model);
                } else {
                    ui.menu_button("Look…", |ui| menu_ui(ui, chosen, coloring, model));
                }
            });
        });
    });
    if let Some(reason) = drawn.reason {
        let text = format!("Drawn as {}. {reason}", drawn.look.label().to_lowercase());
        let colors = theme::of(ui);
        let galley = ui.painter().layout_no_wrap(text, FontId::proportional(12.0), colors.text);
        let plate = galley.size() + vec2(2.0 * theme::SPACE, theme::SPACE);
        let plate = Rect::from_min_size(pos2(rect.right() - plate.x, rect.top() - plate.y - 4.0), plate);
        ui.painter().rect_filled(plate, 6.0, colors.background.gamma_multiply(0.85));
        ui.painter().galley(plate.center() - 0.5 * galley.size(), galley, colors.text);
    }
}

fn menu_ui(ui: &mut Ui, chosen: &mut Look, (color, scale): Coloring<'_>, model: &Model<'_>) {
    choices_ui(ui, chosen, model);
    ui.separator();
    ui.menu_button("Colour", |ui| {
        for field in legend::offered(model) {
            if ui.selectable_label(*color == field, color::label(field)).clicked() {
                scale.choose(color, field);
            }
        }
    });
}

/// True if the fluid of `snapshot` can have this look.
pub fn is_possible(look: Look, snapshot: &Snapshot) -> bool {
    let dimensions = snapshot.scene.as_ref().map(|scene| scene.setup.discretization.dimensions);
    !(look == Look::Water && dimensions == Some(Dimensions::Two))
}

/// Lays out the looks one beside or below the other, as the layout of `ui` goes.
pub fn choices_ui(ui: &mut Ui, chosen: &mut Look, model: &Model<'_>) {
    for look in LOOKS {
        let button = ui.add_enabled_ui(is_possible(look, model.snapshot), |ui| {
            ui.selectable_label(*chosen == look, RichText::new(look.label()))
        });
        let button = button.inner.on_hover_text(look.option().documentation);
        if button.on_disabled_hover_text(NO_WATER).clicked() {
            *chosen = look;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(dimensions: u32, look: &str) -> Scene {
        let text = format!(
            "format = 1\ndimensions = {dimensions}\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\n\
             max = [1, 1, 1]\n[view]\n{look}\n"
        );
        sph_io::parse(&text, "look", &[]).expect("the scene is valid")
    }

    #[test]
    fn a_scene_opens_in_its_own_look_or_the_usual_one() {
        for usual in LOOKS {
            assert_eq!(first_look(&scene(3, ""), usual), usual);
            assert_eq!(first_look(&scene(3, "look = 'points'"), usual), Look::Points);
            assert_eq!(first_look(&scene(3, "look = 'surface'"), usual), Look::Water);
            assert_eq!(first_look(&scene(2, "look = 'water'"), usual), Look::Spheres);
        }
        assert_eq!(first_look(&scene(2, ""), Look::Water), Look::Spheres);
    }
}
