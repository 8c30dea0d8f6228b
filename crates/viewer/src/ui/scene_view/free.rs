//! Parts of the 3D view that no control covers, in which the camera frames a scene.
//!
//! They do not depend on what comes and goes (settings of a tool, the legend with the look, badges), so that the picture stays.

use super::compare;
use crate::ui::widgets::legend;
use crate::ui::{Views, theme};
use egui::{Rect, pos2};
use glam::Vec2;
use sph_render::camera::Pane;

/// Height of the status line and the looks at the lower edge, with a badge above, points.
const LOWER_CONTROLS: f32 = 68.0;

/// Space between a framed scene and the controls, points.
const SPACE: f32 = 1.5 * theme::SPACE;

/// Parts of the picture of a simulation that its controls leave free, where the row or column of `tools` is over its upper left corner;
/// none if they leave next to nothing.
pub(super) fn panes(views: Views, tools: Rect) -> Vec<Pane> {
    let picture = views.a();
    let mut free = picture;
    free.max.y -= LOWER_CONTROLS;
    let places = if views.divided {
        // The summaries, and the legend beside the verdict.
        free.min.y += compare::summary_height(views);
        free.max.y = free.max.y.min(compare::legends_top(views));
        vec![beside(free, tools), below(free, tools)]
    } else if legend::fits(picture) {
        let legend = legend::place(picture);
        let left = Rect { max: pos2(legend.left(), free.bottom()), ..free };
        vec![below(below(free, legend), tools), beside(below(free, legend), tools), below(left, tools), beside(left, tools)]
    } else {
        free.max.y -= legend::LINE_HEIGHT;
        vec![beside(free, tools), below(free, tools)]
    };
    let places = places.into_iter().map(|place| place.shrink(SPACE));
    places.filter(|place| place.is_positive()).map(|place| pane(place, picture)).collect()
}

fn below(area: Rect, control: Rect) -> Rect {
    Rect { min: pos2(area.left(), area.top().max(control.bottom())), ..area }
}

fn beside(area: Rect, control: Rect) -> Rect {
    Rect { min: pos2(area.left().max(control.right()), area.top()), ..area }
}

/// `place` in the coordinates of the picture.
fn pane(place: Rect, picture: Rect) -> Pane {
    let coordinates = |x: f32, y: f32| {
        let offset = pos2(x, y) - picture.center();
        Vec2::new(2.0 * offset.x / picture.width(), -2.0 * offset.y / picture.height())
    };
    Pane { low: coordinates(place.left(), place.bottom()), high: coordinates(place.right(), place.top()) }
}
