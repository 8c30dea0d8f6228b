//! Files that cannot be imported: an error with its place, whatever they hold.

use proptest::prelude::*;
use std::path::Path;

const SCENES: [&str; 3] = [
    include_str!("../splishsplash/CompressibleSPH_WCSPH.json"),
    include_str!("../splishsplash/DoubleDamBreakMultiPhase.json"),
    include_str!("../splishsplash/AnimationFields_2D.json"),
];

/// The error of importing `text`, on one line, after the file's name.
fn summary(text: &str) -> String {
    let (folder, file) = file_of(text);
    let error = sph_io::import(&file, None).expect_err("a bad scene");
    error.summary().replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn errors_have_their_place() {
    let cases = [
        ("{\n  \"Configuration\": {\n    \"sim2D\": yes\n  }\n}", "scene.json:3:14: not valid JSON: expected value"),
        (
            "{}",
            "scene.json:1:1: there is no fluid that can be imported: expected `FluidBlocks` or `Emitters`; particle files are not read",
        ),
        ("[]", "scene.json:1:1: `the file` must be an object: expected an object: `{ … }`"),
        (
            "{ \"FluidBlocks\": [\n{ \"start\": [0, 0], \"end\": [1, \"a\", 1] }] }",
            "scene.json:2:27: `FluidBlocks[0].end` must be a vector: expected three numbers from -1e30 to 1e30",
        ),
        (
            "{ \"Configuration\": { \"particleRadius\": -1 }, \"Emitters\": [{}] }",
            "scene.json:1:40: `particleRadius` must be above 0: expected a length above 0 (m)",
        ),
        (
            "{ \"Emitters\": [{}],\n \"RigidBodies\": [{ \"geometryFile\": \"models\\\\dragon.obj\" }] }",
            "scene.json:2:36: there is no mesh models/dragon.obj: expected the file of a mesh",
        ),
    ];
    for (text, expected) in cases {
        assert!(summary(text).starts_with(expected), "{text}\n{}", summary(text));
    }
}

#[test]
fn a_file_has_at_most_a_mebibyte() {
    assert!(summary(&" ".repeat((1 << 20) + 1)).contains("is larger than 1 MiB"));
}

#[test]
fn meshes_are_named_from_the_folder_of_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["in/scenes", "in/models", "out"] {
        std::fs::create_dir_all(at(name)).unwrap();
    }
    let mesh = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/meshes/torus.obj");
    std::fs::copy(mesh, at("in/models/torus.obj")).unwrap();
    let body = r#"{ "geometryFile": "../models/torus.obj", "scale": [0.2, 0.2, 0.2], "density": 700 }"#;
    let block = r#"{ "start": [1, 0, 0], "end": [1.5, 0.5, 0.5] }"#;
    let file = at("in/scenes/scene.json");
    std::fs::write(&file, format!("{{ \"RigidBodies\": [{body}], \"FluidBlocks\": [{block}] }}")).unwrap();
    let direct = sph_io::load(&file, &[]).unwrap_or_else(|error| panic!("{error}")).setup;
    assert_eq!(direct.bodies[0].density, 700.0);
    for (folder, named) in [("in/scenes", "../models/torus.obj"), ("out", "../in/models/torus.obj")] {
        let imported = sph_io::import(&file, Some(&at(folder))).unwrap();
        assert!(imported.text.contains(&format!("file = \"{named}\"")), "{}", imported.text);
        let scene = at(folder).join("scene.toml");
        std::fs::write(&scene, &imported.text).unwrap();
        assert_eq!(sph_io::load(&scene, &[]).unwrap().setup, direct);
    }
}

#[test]
fn what_is_imported_is_not_saved_to() {
    let folder = tempfile::tempdir().unwrap();
    let (file, copy) = (folder.path().join("scene.json"), folder.path().join("copy.toml"));
    std::fs::write(&file, SCENES[0]).unwrap();
    let scene = sph_io::load(&file, &[]).unwrap();
    let mut parameters = scene.setup.parameters;
    parameters.fluid.kinematic_viscosity = 0.5;
    let error = sph_io::save_parameters(&file, &parameters, &[], &scene).unwrap_err();
    assert!(error.to_string().contains("only read"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), SCENES[0]);
    sph_io::save_parameters(&copy, &parameters, &[], &scene).unwrap();
    assert_eq!(sph_io::load(&copy, &[]).unwrap().setup.parameters, parameters);
}

/// Values that are of the wrong kind or out of range at most places.
const ODD: &[&str] = &[
    "null",
    "true",
    "-1",
    "0",
    "1e300",
    "-1e-300",
    "1e38",
    "3.5",
    "\"\"",
    "\"\\u0000\\n\\\"'\"",
    "[]",
    "[1]",
    "[0, 0, 0]",
    "[[[]]]",
    "{}",
    "{",
    "]",
    "\"",
    ",",
    "\u{feff}",
    "ρ",
    "NaN",
];

/// A scene with some of its values or characters replaced.
fn mutated() -> impl Strategy<Value = String> {
    let odd = prop_oneof![proptest::sample::select(ODD).prop_map(str::to_owned), any::<String>()];
    let change = (any::<prop::sample::Index>(), any::<bool>(), 0..8usize, odd);
    (proptest::sample::select(&SCENES[..]), prop::collection::vec(change, 1..5)).prop_map(|(scene, changes)| {
        let mut letters: Vec<char> = scene.chars().collect();
        for (place, whole, length, text) in changes {
            // A whole value, or any characters.
            let values: Vec<usize> = (0..letters.len()).filter(|&at| letters[at] == ':').collect();
            let (start, end) = if whole && !values.is_empty() {
                let start = values[place.index(values.len())] + 1;
                let end = (start..letters.len()).find(|&at| ",}\n".contains(letters[at])).unwrap_or(letters.len());
                (start, end)
            } else {
                let start = place.index(letters.len() + 1);
                (start, (start + length).min(letters.len()))
            };
            letters.splice(start..end, text.chars());
        }
        letters.into_iter().collect()
    })
}

/// The file of a text, in a folder of its own.
fn file_of(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.json");
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// An import ends in TOML or in an error on one line.
    #[test]
    fn no_text_causes_a_panic(text in mutated()) {
        let (_folder, file) = file_of(&text);
        match sph_io::import(&file, None) {
            Ok(imported) => prop_assert!(imported.text.parse::<toml::Table>().is_ok(), "{}", imported.text),
            Err(error) => prop_assert!(!error.summary().contains('\n')),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// An import gives a scene, or an error that can be shown.
    #[test]
    fn no_import_causes_a_panic(text in mutated()) {
        let (_folder, file) = file_of(&text);
        match sph_io::load(&file, &[]) {
            Ok(scene) => prop_assert!(scene.setup.validate().is_ok()),
            Err(error) => prop_assert!(error.report(false).starts_with("error: ")),
        }
    }
}
