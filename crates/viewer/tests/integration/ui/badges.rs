//! Badges over the 3D view.

use super::panels::{Panels, SCENE, harness, snapshot, snapshot_of};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;
use sph_core::{DroppedBody, DroppedShape};
use viewer::session::SpeedLimit;

fn shown(harness: &Harness<'_, Panels>, text: &str) -> bool {
    harness.query_by_label_contains(text).is_some()
}

#[test]
fn soft_fluid_has_a_badge_that_leads_to_its_speed_of_sound() {
    let mut harness = harness([800.0, 600.0], snapshot());
    assert!(!shown(&harness, "Fluid too soft"));
    let stats = harness.state_mut().snapshot.stats.as_mut().expect("there was a step");
    let sound = 28.0;
    (stats.max_speed, stats.density_error) = (sound / 3.0, 0.05);
    harness.run_ok();
    let badge = harness.get_by_label_contains("Fluid too soft: sound is 3.0 ×").rect();
    assert!(harness.state().area.contains_rect(badge), "{badge}");
    harness.get_by_label_contains("Fluid too soft").click();
    harness.run_ok();
    let row = super::slider(&harness, "Speed of sound");
    assert!(harness.ctx.content_rect().contains_rect(row), "{row}");
}

#[test]
fn a_machine_that_cannot_keep_up_is_said_to_be_slow() {
    let mut harness = harness([800.0, 600.0], snapshot());
    let snapshot = &mut harness.state_mut().snapshot;
    snapshot.paused = false;
    snapshot.speed_limit = SpeedLimit::Times(1.0);
    (snapshot.rates.steps_per_second, snapshot.rates.speed) = (20.0, 0.02);
    harness.run_ok();
    assert!(shown(&harness, "Cannot keep up with real time: × 0.020"));
    harness.state_mut().snapshot.speed_limit = SpeedLimit::Unlimited;
    harness.run_ok();
    assert!(!shown(&harness, "Cannot keep up"));
}

/// The status line is whole in every window, with the bodies of the scene and those that were dropped.
#[test]
fn the_status_line_counts_bodies_and_is_never_cut() {
    let body = "[[bodies]]\nmin = [0.6, 0.1, 0.1]\nmax = [0.8, 0.3, 0.3]\n";
    let mut snapshot = snapshot_of(&format!("{SCENE}{body}"));
    let dropped = DroppedBody { center: Vec3::ZERO, size: 0.2, shape: DroppedShape::Box, density: 1.0, velocity: Vec3::ZERO };
    snapshot.dropped = vec![dropped; 2];
    for (size, whole) in [([1280.0, 800.0], true), ([1024.0, 640.0], false), ([640.0, 604.0], false)] {
        let harness = harness(size, snapshot.clone());
        let line = harness.get_by_label_contains("Paused   512 particles");
        let (rect, area) = (line.rect(), harness.state().area);
        let text = line.accesskit_node().value().expect("it has a text");
        assert!(size[0] < 1000.0 || text.contains("   3 bodies   t "), "{size:?}: {text}");
        assert!(!whole || text.contains("(speed of sound)"), "{text}");
        // Monospaced letters of 12 points, between margins.
        let width = 7.0 * text.chars().count() as f32;
        assert!(rect.width() > width && area.contains_rect(rect), "{size:?}: {text} in {rect}");
        let looks = harness.query_by_label("Water").or(harness.query_by_label("Look…")).expect("the looks").rect();
        assert!(rect.right() <= looks.left(), "{size:?}: {rect} {looks}");
    }
}
