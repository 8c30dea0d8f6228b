//! Framing of a scene: no control covers it, whatever its shape and that of the window.

use super::panels::{Panels, harness, snapshot_of};
use egui::accesskit::Role;
use egui::{Rect, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use viewer::session::Snapshot;
use viewer::ui::Framing;

const SIZES: [[f32; 2]; 4] = [[800.0, 600.0], [1280.0, 800.0], [1920.0, 1200.0], [700.0, 1100.0]];

fn scene(dimensions: u32, size: [f32; 3], view: &str) -> Snapshot {
    let [x, y, z] = size;
    snapshot_of(&format!(
        "format = 1\ndimensions = {dimensions}\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\n\
         max = [0.5, 0.5, 0.5]\n[[containers]]\nmin = [0, 0, 0]\nmax = [{x}, {y}, {z}]\n[view]\n{view}\n"
    ))
}

/// The container on the screen, after the camera has been positioned.
fn container(harness: &mut Harness<'_, Panels>) -> Rect {
    let Panels { state, snapshot, area, .. } = harness.state_mut();
    let scene = snapshot.scene.as_ref().expect("there is a scene");
    // As in the window, where a comparison halves the picture.
    let mut picture = *area;
    if state.is_comparing() {
        picture.set_right(picture.left() + 0.5 * picture.width());
    }
    state.display.frame(scene, picture.aspect_ratio());
    let (low, high) = sph_render::scene_bounds(&scene.setup);
    let mut seen = Rect::NOTHING;
    for corner in 0..8 {
        let pick = |bit: usize, axis: usize| if corner & bit == 0 { low[axis] } else { high[axis] };
        let corner = Vec3::new(pick(1, 0), pick(2, 1), pick(4, 2));
        let place = state.display.camera.project(corner, picture.aspect_ratio()).expect("it is in front of the eye");
        seen.extend_with(picture.center() + 0.5 * vec2(place.x * picture.width(), -place.y * picture.height()));
    }
    seen
}

/// Rectangles of the tools, the legend and the status line.
fn controls(harness: &Harness<'_, Panels>) -> [Rect; 3] {
    let area = harness.state().area;
    let button = |label: &str| harness.get_by_role_and_label(Role::Button, label).rect();
    let tools = ["Rotate", "Pull", "Tilt gravity", "Drop"].map(button);
    let tools = tools.into_iter().fold(Rect::NOTHING, Rect::union);
    // A line, in a narrow view.
    let legend = harness.query_by_label("Lock range").map(|lock| lock.rect()).map_or_else(
        || harness.get_by_label_contains("Speed: from").rect(),
        |lock| {
            let field = harness.get_by_role_and_label(Role::ComboBox, "Colour").rect();
            Rect::from_min_max(pos2(lock.left() - 50.0, field.top()), pos2(field.right(), lock.bottom()))
        },
    );
    [tools, legend, Rect::from_min_max(pos2(area.left(), area.bottom() - 30.0), area.max)]
}

#[test]
fn no_control_covers_a_framed_container() {
    let shapes = [(2, [8.0, 1.5, 1.0]), (2, [1.0, 4.0, 1.0]), (3, [3.0, 1.0, 0.5]), (3, [1.0, 1.0, 1.0])];
    // An eye from which a wide view sees all, and one that is too near in each.
    let views = ["", "eye = [4.0, 3.0, 9.0]\ntarget = [1.5, 0.5, 0.2]", "eye = [2.0, 1.2, 3.0]\ntarget = [1.0, 0.5, 0.2]"];
    for (dimensions, shape) in shapes {
        for view in if dimensions == 2 { &views[..1] } else { &views } {
            let mut harness = harness(SIZES[0], scene(dimensions, shape, view));
            for size in SIZES {
                harness.set_size(size.into());
                harness.run_ok();
                let seen = container(&mut harness);
                let area = harness.state().area;
                let case = format!("{shape:?} in {size:?} with {view:?}: {seen} in {area}");
                assert!(area.contains_rect(seen), "{case}");
                for control in controls(&harness) {
                    assert!(!control.intersects(seen), "{case}: under {control}");
                }
                let is_large = seen.width() > 0.35 * area.width() || seen.height() > 0.35 * area.height();
                // A far eye may show the container as small as it likes.
                assert!(is_large || *view == views[1], "{case}: it is small");
            }
        }
    }
}

#[test]
fn a_close_view_of_a_part_and_a_user_s_camera_stay() {
    let (eye, target) = (Vec3::new(0.2, 0.4, 1.2), Vec3::new(0.2, 0.2, 0.2));
    let view = "eye = [0.2, 0.4, 1.2]\ntarget = [0.2, 0.2, 0.2]";
    let mut harness = harness(SIZES[0], scene(3, [3.0, 1.0, 0.5], view));
    container(&mut harness);
    let camera = harness.state().state.display.camera;
    assert!(camera.eye().abs_diff_eq(eye, 1e-5) && camera.target.abs_diff_eq(target, 1e-6), "{camera:?}");
    let display = &mut harness.state_mut().state.display;
    display.framing = Framing::Free;
    display.camera.target = Vec3::ONE;
    let moved = display.camera;
    container(&mut harness);
    assert_eq!(harness.state().state.display.camera, moved);
}

/// What comes and goes moves no picture.
#[test]
fn the_settings_of_a_tool_do_not_move_the_scene() {
    let mut harness = harness(SIZES[0], scene(3, [3.0, 1.0, 0.5], ""));
    for size in SIZES {
        harness.set_size(size.into());
        harness.state_mut().state.tools.tool = viewer::ui::Tool::Look;
        harness.run_ok();
        let before = container(&mut harness);
        harness.state_mut().state.tools.tool = viewer::ui::Tool::Drop;
        harness.run_ok();
        assert_eq!(container(&mut harness), before, "{size:?}");
    }
}
