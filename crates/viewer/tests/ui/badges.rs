//! Badges over the 3D view.

use crate::panels::{Panels, harness, snapshot};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
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
    let row = crate::slider(&harness, "Speed of sound");
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
