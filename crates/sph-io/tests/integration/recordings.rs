//! Recordings: what is written reads back the same, and mistakes are refused with their line.

use glam::Vec3;
use sph_core::point_sets::PointId;
use sph_core::{BallPour, DroppedBody, DroppedShape, Grab, Hand, Input, Parameters, PointGrab, Pour, Push};
use sph_io::{Fingerprints, Recording, RecordingError, Row, Scene};

const SCENE: &str = r#"
format = 1
[particles]
spacing = 0.05
[[fluid.blocks]]
min = [0.0, 0.0, 0.0]
max = [0.2, 0.2, 0.2]
[[bodies]]
min = [0.4, 0.0, 0.0]
max = [0.6, 0.2, 0.2]
[[balls]]
radius = 0.05
centers = [[0.8, 0.1, 0.1]]
"#;

/// Bodies that were dropped before the recording began.
const DROPPED: usize = 3;

fn scene() -> Scene {
    sph_io::parse(SCENE, "cube", &[]).unwrap()
}

fn recording(start: Parameters) -> Recording {
    let mut changed = start;
    changed.gravity = Vec3::new(0.1, -9.7, 1.0 / 3.0);
    changed.fluid.kinematic_viscosity = 1.1e-6;
    let push = Push { center: Vec3::splat(0.1), radius: 0.3, strength: -12.5, drag: 0.7, velocity: Vec3::X };
    let pour = Pour { center: Vec3::new(0.1, 1.0, 0.1), radius: 0.1, velocity: Vec3::NEG_Y, fluid: 0, rate: None };
    let grab = Grab { body: 3, point: Vec3::ONE, time: 0.02, top_speed: 1.0 };
    let held = PointGrab { point: PointId { set: 0, id: 12 }, target: Vec3::Y, time: 0.05, top_speed: 3.0 };
    let balls = BallPour { set: 0, center: Vec3::Y, radius: 0.4, velocity: Vec3::NEG_Z, rate: 12.5 };
    let (center, velocity) = (Vec3::new(0.1, 0.5, 0.1), Vec3::new(0.0, -1.5, 0.25));
    let ball = DroppedBody { center, size: 0.2, shape: DroppedShape::Ball, density: 700.0, velocity };
    let inputs = [
        Input::Hand(Some(Hand::Push(push))),
        Input::Parameters(Box::new(changed)),
        Input::Hand(Some(Hand::Pour(pour))),
        Input::OffCurve(vec!["gravity"]),
        Input::Hand(Some(Hand::Grab(grab))),
        Input::Hand(None),
        Input::Parameters(Box::new(start)),
        Input::Drop(ball),
        Input::Drop(DroppedBody { shape: DroppedShape::Box, ..ball }),
        Input::Hand(Some(Hand::GrabPoint(held))),
        Input::Hand(Some(Hand::PourBalls(balls))),
    ];
    let rows = inputs.into_iter().zip(7..).map(|(input, step)| Row { step, time: 0.125 * step as f64, input });
    Recording {
        scene: "cube".into(),
        start: 5,
        fluid: 77,
        parameters: start,
        rows: rows.collect(),
        end: Some((90, Some(Fingerprints { fluid: u64::MAX, bodies: Some(1), points: Some(2) }))),
    }
}

#[test]
fn a_file_reads_back_the_same() {
    let scene = scene();
    let mut written = recording(scene.setup.parameters);
    // A pour without a rate is written as it was before there were rates.
    assert!(!written.text().contains("\"fluid\":0,\"rate\""), "{}", written.text());
    let (center, velocity) = (Vec3::new(0.1, 1.0, 0.1), Vec3::NEG_Y);
    let pour = Pour { center, radius: 0.1, velocity, fluid: 0, rate: Some(62.5) };
    written.rows.push(Row { step: 80, time: 10.0, input: Input::Hand(Some(Hand::Pour(pour))) });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    written.save(&path).unwrap();
    // Every parameter is in the file: those of the scene do not matter.
    let mut other = scene;
    other.setup.parameters.fluid.sound_speed = 99.0;
    assert_eq!(Recording::load(&path, &other, DROPPED).unwrap(), written);
}

#[test]
fn the_end_has_no_time_and_ends_of_older_files_are_read() {
    let scene = scene();
    let mut written = recording(scene.setup.parameters);
    let text = written.text();
    let end = r#"{"step":90,"end":"ffffffffffffffff","bodies":"0000000000000001","points":"0000000000000002"}"#;
    assert_eq!(text.lines().last(), Some(end));
    let without_bodies = |time: &str| text.replace(end, &format!(r#"{{"step":90,{time}"end":"ffffffffffffffff"}}"#));
    let oldest = without_bodies(r#""time":0.0,"#);
    written.end = Some((90, Some(Fingerprints { fluid: u64::MAX, bodies: None, points: None })));
    assert_eq!(written.text(), without_bodies(""));
    for text in [oldest, without_bodies("")] {
        assert_eq!(Recording::parse(&text, &scene, DROPPED).unwrap(), written);
    }
    written.end = Some((90, None));
    assert!(written.text().ends_with("{\"step\":90,\"end\":\"refused\"}\n"));
    assert_eq!(Recording::parse(&written.text(), &scene, DROPPED).unwrap(), written);
}

#[test]
fn a_recording_of_another_scene_is_refused_with_both_names_first() {
    let scene = scene();
    let text = recording(scene.setup.parameters).text();
    let other = Scene { name: "column".to_owned(), ..scene };
    assert!(Recording::parse(&text, &other, DROPPED).is_ok(), "the name alone does not matter");
    for (from, to, difference) in [
        ("\"fluid\":0}", "\"fluid\":1}", "line 4: hand.pour.fluid: there is no fluid 1"),
        ("\"body\":3", "\"body\":4", "line 6: hand.grab.body: there is no body 4"),
        ("\"size\":0.2", "\"size\":0.01", "line 9: drop.size: expected"),
        ("\"fluid.kinematic_viscosity\":1.1e-6", "\"fluid.kinematic_viscosity\":-1", "line 3: fluid.kinematic_viscosity"),
    ] {
        let error = Recording::parse(&text.replacen(from, to, 1), &other, DROPPED).unwrap_err().to_string();
        let expected = format!("it was recorded with “cube”, but this scene is “column”; {difference}");
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn a_recording_that_has_been_cut_off_anywhere_says_so() {
    let scene = scene();
    let text = recording(scene.setup.parameters).text();
    let head = text.find("sph_recording\"").unwrap() + "sph_recording\"".len();
    for length in head..text.len() - 1 {
        let error = Recording::parse(&text[..length], &scene, DROPPED).unwrap_err().to_string();
        let line = text[..length].lines().count();
        let expected = match ends_with_an_object(&text[..length]) {
            true => format!("line {line}: the end is missing: the file is truncated"),
            false => format!("it ends in the middle of line {line}: it is truncated"),
        };
        assert_eq!(error, expected, "{}", &text[..length]);
    }
    // In the middle of a character.
    let named = text.replacen("\"cube\"", "\"würfel\"", 1);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &named.as_bytes()[..named.find('ü').unwrap() + 1]).unwrap();
    let error = Recording::load(file.path(), &scene, DROPPED).unwrap_err();
    assert!(matches!(error, RecordingError::CutOff { line: 1 }), "{error}");
    // Behind a whole recording.
    std::fs::write(file.path(), [text.as_bytes(), &[0xc3]].concat()).unwrap();
    let error = Recording::load(file.path(), &scene, DROPPED).unwrap_err();
    assert!(matches!(error, RecordingError::CutOff { line } if line == text.lines().count() + 1), "{error}");
}

/// True if the last line of `text` is a whole object.
fn ends_with_an_object(text: &str) -> bool {
    text.lines().last().is_some_and(|line| serde_json::from_str::<serde_json::Value>(line).is_ok())
}

#[test]
fn another_kind_of_file_is_no_recording() {
    let scene = scene();
    let file = tempfile::NamedTempFile::new().unwrap();
    for other in [SCENE.as_bytes(), b"{", b"[]", b"\0", b"{\"a\": 1}\n", b"{\"step\": 1}", &[0, 159, 146, 150, 10, 255]] {
        std::fs::write(file.path(), other).unwrap();
        let error = Recording::load(file.path(), &scene, DROPPED).unwrap_err();
        assert!(matches!(error, RecordingError::NoRecording), "{error}");
        assert!(error.to_string().contains("first line must be a JSON object with the key sph_recording"), "{error}");
    }
    let text = recording(scene.setup.parameters).text();
    std::fs::write(file.path(), [text.lines().next().unwrap().as_bytes(), b"\n\xff\n"].concat()).unwrap();
    assert_eq!(Recording::load(file.path(), &scene, DROPPED).unwrap_err().to_string(), "line 2: it is not text");
}

#[test]
fn mistakes_are_refused_with_their_line_and_key() {
    let scene = scene();
    let text = recording(scene.setup.parameters).text();
    let cases = [
        ("\"sph_recording\":1", "\"sph_recording\":2", "line 1: sph_recording"),
        ("\"scene\":", "\"scenery\":", "line 1: scenery: unknown field `scenery`"),
        ("\"fluid\":\"", "\"fluid\":\"x", "line 1: fluid: expected the hash of the initial particles"),
        ("\"radius\":0.3", "\"radius\":-1.0", "line 2: hand.push.radius: expected"),
        ("\"radius\":0.3", "\"radius\":\"a\"", "line 2: hand.push.radius: invalid type"),
        ("\"radius\":0.3,", "", "line 2: hand.push: missing field `radius`"),
        ("\"radius\":0.3", "\"radius\":", "line 2: expected value at column "),
        (
            "\"velocity\":[1.0,0.0,0.0]",
            "\"velocity\":[1.0,0.0]",
            "line 2: hand.push.velocity: invalid length 2, expected 3 numbers",
        ),
        ("\"center\":[0.1,1.0,", "\"center\":[0.1,1.0,0.5,", "line 4: hand.pour.center: invalid length 4, expected 3 numbers"),
        ("\"point\":[1.0,1.0,1.0]", "\"point\":[1.0,null,1.0]", "line 6: hand.grab.point: invalid type: null"),
        ("\"velocity\":[0.0,-1.5,0.25]", "\"velocity\":[]", "line 9: drop.velocity: invalid length 0"),
        ("\"push\"", "\"shove\"", "line 2: hand.shove: unknown variant `shove`"),
        ("\"step\":8", "\"step\":6", "line 3: step: 6 comes after 7"),
        ("\"fluid.kinematic_viscosity\":1.1e-6", "\"fluid.kinematic_viscosity\":-1", "line 3: fluid.kinematic_viscosity"),
        ("\"fluid.kinematic_viscosity\":1.1e-6", "\"fluid.kinematics\":1", "line 3: parameters: fluid.kinematics"),
        ("\"gravity\":[0.1", "\"gravity\":[\"x\"", "line 3: parameters.gravity"),
        ("[\"gravity\"]", "[\"levity\"]", "line 5: off_curve"),
        ("\"release\":true", "\"release\":false", "line 7: expected one of"),
        ("\"fluid\":0}", "\"fluid\":1}", "line 4: hand.pour.fluid: there is no fluid 1 of 1, counted from 0"),
        ("\"body\":3", "\"body\":4", "line 6: hand.grab.body: there is no body 4 at this step"),
        ("\"size\":0.2", "\"size\":0.01", "line 9: drop.size: expected"),
        ("\"size\":0.2", "\"size\":1e99", "line 9: "),
        ("\"density\":700.0", "\"density\":-700.0", "line 9: drop.density: expected"),
        ("\"ball\"", "\"bowl\"", "line 9: drop.shape: expected `box`, `ball`"),
        ("{\"center\":[0.1,0.5", "{\"centre\":[0.1,0.5", "line 9: drop.centre: unknown field `centre`"),
        ("\"set\":0", "\"set\":1", "line 11: hand.grab_point.set: there is no set 1 of 1, counted from 0"),
        ("\"target\":[0.0,", "\"target\":[", "line 11: hand.grab_point.target: invalid length 2"),
        ("\"top_speed\":3.0", "\"top_speed\":-3.0", "line 11: hand.grab_point.top_speed: expected"),
        ("\"pour_balls\":{\"set\":0", "\"pour_balls\":{\"set\":1", "line 12: hand.pour_balls.set: set 1 has no balls to pour"),
        ("\"rate\":12.5", "\"rate\":0", "line 12: hand.pour_balls.rate: expected above 0"),
        ("\"end\":\"f", "\"end\":\"g", "line 13: end"),
        ("\"bodies\":\"0", "\"bodies\":\"", "line 13: bodies: expected the hash of the final bodies"),
        ("\"end\":\"ffffffffffffffff\"", "\"end\":\"refused\"", "line 13: bodies: expected none"),
        (
            "\"end\":\"ffffffffffffffff\",\"bodies\":\"0000000000000001\"",
            "\"end\":\"refused\"",
            "line 13: points: expected none",
        ),
        ("\"points\":\"0", "\"points\":\"", "line 13: points: expected the hash of the final cloths and balls"),
        ("\"release\":true", "\"release\":true,\"points\":\"0\"", "line 7: points: expected only with end"),
        ("\"release\":true", "\"release\":true,\"bodies\":\"0\"", "line 7: bodies: expected only with end"),
    ];
    for (from, to, expected) in cases {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from} is not in\n{text}");
        let error = Recording::parse(&changed, &scene, DROPPED).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{to}: {error}");
    }
    let fewer = Recording::parse(&text, &scene, DROPPED - 1).unwrap_err().to_string();
    assert!(fewer.starts_with("line 6: hand.grab.body: there is no body 3"), "{fewer}");
    let more = Recording::parse(&text, &scene, DroppedBody::MAX - 1).unwrap_err().to_string();
    assert!(more.starts_with("line 10: drop: 64 bodies have been dropped"), "{more}");
    for empty in ["", "\n"] {
        assert_eq!(Recording::parse(empty, &scene, DROPPED).unwrap_err().to_string(), "line 1: the file is empty");
    }
    let unfinished = text.replacen("\"release\":true}", "\"release\":true", 1);
    let error = Recording::parse(&unfinished, &scene, DROPPED).unwrap_err();
    assert_eq!(error.to_string(), "line 7: it ends before its object does");
    let (cut, _) = text.trim_end().rsplit_once('\n').unwrap();
    let error = Recording::parse(cut, &scene, DROPPED).unwrap_err();
    assert_eq!(error.to_string(), "line 12: the end is missing: the file is truncated");
    let late = format!("{text}{}\n", r#"{"step":95,"release":true}"#);
    let error = Recording::parse(&late, &scene, DROPPED).unwrap_err();
    assert_eq!(error.to_string(), "line 14: there is a row after the end");
}
