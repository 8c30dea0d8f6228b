//! Probes of the scene that runs.

use super::*;
use sph_core::probes::Instruments;

/// The small block, with a flow that is added up and a mean over time.
const PROBES: &str = r#"
[[probes]]
name = "edge"
kind = "front"
toward = "x_max"
[[probes]]
name = "wall"
kind = "pressure"
at = [0.0, 0.05]
[[probes]]
name = "all"
kind = "energy"
[[probes]]
name = "mean"
kind = "pressure"
at = [0.0, 0.05]
averaging = 0.02
"#;

#[test]
fn curves_hold_what_the_probes_read_and_begin_anew() {
    let text: &'static str = format!("{SCENE}{PROBES}").leak();
    let mut session = running_scene(&Options::default(), "probed", text);
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > 40);
    session.send(Request::Pause);
    let snapshot = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    let readings = &snapshot.readings;
    let names: Vec<String> =
        readings.curves().iter().map(|curve| format!("{} {}", curve.reading.label, curve.reading.unit)).collect();
    assert_eq!(names, ["edge m", "wall Pa", "all.kinetic J/m", "all.potential J/m", "mean.mean_20ms Pa"]);

    // The same steps, read after each.
    let scene = sph_io::parse(text, "probed", &[]).expect("the scene is well-formed");
    let mut simulation = crate::engine::start(&scene.setup).expect("the scene can be simulated");
    let mut instruments = Instruments::new(scene.probes.iter().map(|probe| probe.probe.clone()));
    instruments.record(&simulation.view());
    let mut samples = (0..readings.samples(0).count()).map(|index| {
        let row = (0..5).map(|curve| readings.samples(curve).nth(index).expect("curves are of equal length"));
        row.collect::<Vec<_>>()
    });
    let (mut expected, mut compared) = (samples.next(), 0);
    while let Some(row) = &expected {
        if simulation.time() == row[0][0] {
            let values: Vec<Option<f64>> = row.iter().map(|[_, value]| Some(*value).filter(|value| !value.is_nan())).collect();
            assert_eq!(values, instruments.read(&simulation.view()), "at {} s", simulation.time());
            (expected, compared) = (samples.next(), compared + 1);
        }
        assert!(simulation.steps() <= snapshot.steps, "a sample is of no step");
        assert_eq!(simulation.step().error, None);
        instruments.record(&simulation.view());
    }
    assert!(compared >= 2, "{compared} samples");

    session.send(Request::Reset);
    let reset = wait_for(&mut session, "a reset", |snapshot| snapshot.steps == 0);
    assert_eq!(reset.readings.span(), Some((0.0, 0.0)));
    session.send(Request::Load(SceneSource::Text("small", SCENE, Vec::new())));
    let other = wait_for(&mut session, "another scene", |snapshot| snapshot.generation == 2);
    assert!(other.readings.curves().is_empty() && other.readings.span().is_none());
}
