//! `sph import`, and scenes of SPlisHSPlasH that are opened directly.

use super::support::Sandbox;

const SCENE: &str = r#"{
    "Configuration": { "sim2D": true, "particleRadius": 0.025, "pause": true, "swirl": 3, "stopAt": 0.02 },
    "RigidBodies": [{ "geometryFile": "UnitBox.obj", "translation": [0.5, 0.5, 0], "mapInvert": true }],
    "FluidBlocks": [{ "start": [0, 0, 0], "end": [0.5, 0.5, 0.5] }]
}"#;

#[test]
fn import_writes_a_scene_and_lists_what_it_lacks() {
    let sandbox = Sandbox::new();
    sandbox.write("box.json", SCENE);
    let printed = sandbox.sph(&["import", "box.json"]).expect(0);
    let printed = printed.says(&["Configuration: display only: pause", "Configuration: unknown: swirl"]);
    sandbox.sph(&["import", "box.json", "--out", "new/box.toml"]).expect(0).says(&["unknown: swirl", "wrote new/box.toml"]);
    assert_eq!(sandbox.read("new/box.toml").trim_end(), printed.stdout.trim_end());
    sandbox.write("new/mine.toml", "mine");
    let again = ["import", "box.json", "--out", "new/mine.toml"];
    sandbox.sph(&again).expect(2).says(&["new/mine.toml exists already", "--overwrite"]);
    assert_eq!(sandbox.read("new/mine.toml"), "mine");
    sandbox.sph(&[&again[..], &["--overwrite"]].concat()).expect(0);
    let checked = sandbox.sph(&["check", "new/box.toml"]).expect(0);
    assert!(checked.stdout.contains("ok: 2D, 100 fluid"), "{}", checked.stdout);
}

#[test]
fn commands_open_a_scene_directly() {
    let sandbox = Sandbox::new();
    sandbox.write("box.json", SCENE);
    sandbox.sph(&["run", "box.json"]).expect(0).says(&["remark: Configuration: unknown: swirl", "box: 100 fluid", "done:"]);
    sandbox.sph(&["run", "box.json", "--steps", "2", "--set", "particles.spacing=0.1"]).expect(0).says(&["25 fluid"]);
    sandbox.sph(&["check", "box.json"]).expect(0);
}

#[test]
fn import_refuses_what_it_cannot_use() {
    let sandbox = Sandbox::new();
    sandbox.write("box.json", SCENE);
    sandbox.sph(&["import", "box.json", "--out", "box.json"]).expect(2).says(&["--out", "the file to import"]);
    assert_eq!(sandbox.read("box.json"), SCENE);
    sandbox.write("mesh.json", SCENE.replace("UnitBox.obj", "dragon.obj"));
    sandbox.sph(&["import", "mesh.json"]).expect(2).says(&["there is no mesh dragon.obj", "mesh.json:3:39"]);
    // Fluid outside of the walls: written, to be mended.
    sandbox.write("out.json", SCENE.replace("[0, 0, 0]", "[3, 0, 0]").replace("[0.5, 0.5, 0.5]", "[3.5, 0.5, 0.5]"));
    sandbox.sph(&["import", "out.json", "--out", "out.toml"]).expect(2).says(&["wrote out.toml", "mending", "out.toml:27:8"]);
    assert!(sandbox.read("out.toml").contains("[[fluid.blocks]]"));
}
