//! Readings of the probes in the plots.

use super::panels::{Panels, SCENE, harness, snapshot, snapshot_of};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_core::Dimensions;
use viewer::session::{Readings, Snapshot};
use viewer::ui::Plotted;

const WINDOW: [f32; 2] = [1280.0, 900.0];

/// The small scene with these probes; reading `r` at time t is `(r + 1) t`, s, from 0 to 2 s, but for a gap.
fn probed(probes: &str) -> Snapshot {
    let mut snapshot = snapshot_of(&SCENE.replacen("[particles]", &format!("probes = [{probes}]\n[particles]"), 1));
    let scene = snapshot.scene.as_ref().expect("there is a scene");
    let mut readings = Readings::of(&scene.probes, Dimensions::Three);
    for step in 0..=200_u32 {
        let time = 0.01 * f64::from(step);
        let value = |reading: u32| (!(80..100).contains(&step)).then(|| f64::from(reading + 1) * time);
        readings.add(time, &(0..100).map(value).collect::<Vec<_>>());
    }
    snapshot.readings = readings;
    snapshot
}

fn open(snapshot: Snapshot) -> Harness<'static, Panels> {
    let mut harness = harness(WINDOW, snapshot);
    harness.get_by_label("Probes").click();
    harness.run_ok();
    assert_eq!(harness.state().state.plotted, Plotted::Probes);
    harness
}

#[test]
fn curves_are_grouped_by_unit_with_their_latest_values() {
    let probes = "{ name = 'edge', kind = 'front', toward = 'x_max' }, { name = 'wall', kind = 'pressure', at = [0, 0.1, 0.2] }, \
                  { name = 'level', kind = 'water_height', at = [0.2, 0, 0.2] }";
    let mut harness = open(probed(probes));
    for text in ["edge", "wall", "level", "2.00 m", "4.00 Pa", "6.00 m"] {
        assert_eq!(harness.query_all_by_label(text).count(), 1, "{text}");
    }
    assert!(harness.query_by_label_contains("more").is_none());
    if let Some(path) = std::env::var_os("PROBES_PICTURE") {
        harness.render().expect("an adapter").save(path).expect("a writable file");
    }
    harness.get_by_label("Cost").click();
    harness.run_ok();
    assert!(harness.query_by_label("4.00 Pa").is_none());
}

#[test]
fn readings_beyond_the_plot_are_counted() {
    let harness = open(probed("{ name = 'line', kind = 'pressure', from = [0, 0, 0], to = [1, 0, 0], points = 40 }"));
    assert_eq!(harness.query_all_by_label("and 28 more: sph run --probes").count(), 1);
    assert!(harness.query_by_label("line.11").is_some() && harness.query_by_label("line.12").is_none());
}

#[test]
fn a_scene_without_probes_says_so() {
    let harness = open(snapshot());
    assert!(harness.query_by_label_contains("This scene has no [[probes]]").is_some());
}
