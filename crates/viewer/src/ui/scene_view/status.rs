//! Status line at the lower edge of the 3D view: particles, bodies, time, time step.

use super::looks;
use crate::session::Snapshot;
use crate::ui::widgets::format;
use crate::ui::{fluid, theme};
use egui::text::{LayoutJob, TextWrapping};
use egui::{Color32, FontId, Rect, Role, Sense, TextFormat, Ui, WidgetInfo, vec2};

/// Paints the status line at the lower edge of the 3D view at `rect`: as much of it as there is room for beside the looks.
pub(super) fn status_ui(ui: &Ui, rect: Rect, snapshot: &Snapshot) {
    let (state, color) = match snapshot {
        snapshot if snapshot.loading => ("Loading…   ", theme::of(ui).accent),
        snapshot if snapshot.failure.is_some() => ("Stopped   ", theme::of(ui).error),
        snapshot if snapshot.paused => ("Paused   ", theme::of(ui).warning),
        _ => ("", theme::of(ui).text),
    };
    let room = (rect.width() - looks::width(rect) - 4.0 * theme::SPACE).max(0.0);
    let lay_out = |text: &str, wrap: TextWrapping| {
        let format = |color: Color32| TextFormat { font_id: FontId::monospace(12.0), color, ..TextFormat::default() };
        let mut job = LayoutJob::single_section(state.to_owned(), format(color));
        job.append(text, 0.0, format(theme::of(ui).text));
        job.wrap = wrap;
        ui.painter().layout_job(job)
    };
    let texts = texts(snapshot);
    let fits = |text: &&String| lay_out(text, TextWrapping::no_max_width()).size().x <= room;
    let text = texts.iter().find(fits).unwrap_or(&texts[texts.len() - 1]);
    let galley = lay_out(text, TextWrapping::truncate_at_width(room));
    let margin = vec2(theme::SPACE, 0.5 * theme::SPACE);
    let corner = rect.left_bottom() + vec2(theme::SPACE, -theme::SPACE - galley.size().y - 2.0 * margin.y);
    let frame = Rect::from_min_size(corner, galley.size() + 2.0 * margin);
    // A click on it is none on the fluid behind it.
    let plate = ui.interact(frame, ui.scope_id().with("status"), Sense::CLICK | Sense::DRAG);
    plate.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{state}{text}")));
    ui.painter().rect_filled(frame, 6.0, theme::of(ui).background.gamma_multiply(0.85));
    ui.painter().galley(corner + margin, galley, theme::of(ui).text);
}

/// Text of the status line after the state, and shorter ones: the limit of the time step goes first, then the step, the time, the bodies.
fn texts(snapshot: &Snapshot) -> Vec<String> {
    let bodies = snapshot.scene.as_ref().map_or(0, |scene| scene.setup.bodies.len()) + snapshot.dropped.len();
    let particles = format!("{} particles", format::count(snapshot.particles.len() as u64));
    let mut texts = vec![particles];
    if bodies > 0 {
        texts.push(format!("{}   {bodies} {}", texts[0], if bodies == 1 { "body" } else { "bodies" }));
    }
    texts.push(format!("{}   t {:.3} s", texts[texts.len() - 1], snapshot.time));
    if let Some(stats) = &snapshot.stats {
        let with_step = format!("{}   dt {}", texts[texts.len() - 1], format::seconds(f64::from(stats.dt)));
        let with_limit = format!("{with_step} ({})", fluid::limit_text(stats.dt_limit));
        texts.extend([with_step, with_limit]);
    }
    texts.reverse();
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::{DroppedBody, DroppedShape, Setup};
    use std::sync::Arc;

    #[test]
    fn bodies_are_counted_where_there_are_any() {
        let body = "[[bodies]]\nmin = [1.2, 0, 0]\nmax = [1.4, 0.2, 0.2]\n";
        let scene = |bodies: usize| {
            let text = format!(
                "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n{}",
                body.repeat(bodies)
            );
            Some(Arc::new(sph_io::parse(&text, "bodies", &[]).expect("the scene is valid")))
        };
        let dropped = |scene: &Setup| DroppedBody {
            center: scene.bodies[0].min,
            size: 0.2,
            shape: DroppedShape::Box,
            density: 1.0,
            velocity: glam::Vec3::ZERO,
        };
        let mut snapshot = Snapshot { scene: scene(0), time: 1.5, ..Snapshot::default() };
        assert_eq!(texts(&snapshot)[0], "0 particles   t 1.500 s");
        snapshot.scene = scene(1);
        assert_eq!(texts(&snapshot)[0], "0 particles   1 body   t 1.500 s");
        let setup = &snapshot.scene.as_ref().expect("a scene").setup;
        snapshot.dropped = vec![dropped(setup), dropped(setup)];
        assert_eq!(texts(&snapshot), ["0 particles   3 bodies   t 1.500 s", "0 particles   3 bodies", "0 particles"]);
    }
}
