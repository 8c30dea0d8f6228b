//! Shapes in scene files: what they make, and what is refused.

use sph_io::{Scene, SceneError, load, parse};
use std::fs;

fn scene(block: &str) -> String {
    format!("format = 1\nparticles.spacing = 0.05\n[[fluid.blocks]]\n{block}\n")
}

fn summary(block: &str) -> String {
    parse(&scene(block), "a", &[]).expect_err("the scene is wrong").summary()
}

#[test]
fn a_filled_shape_has_its_volume_within_a_hundredth() {
    let ball = "min = [0, 0, 0]\nmax = [1, 1, 1]\nshape = \"sphere\"";
    let volume = |block: &str| {
        let setup = parse(&scene(block), "a", &[]).expect("the scene is valid").setup;
        let simulation = sph_core::Simulation::new(&setup).expect("a valid setup");
        assert_eq!(setup.particle_counts().fluid.abs_diff(simulation.particles().len() as u64), 0);
        simulation.particles().len() as f64 * 0.05f64.powi(3)
    };
    let exact = std::f64::consts::PI / 6.0;
    assert!((volume(ball) / exact - 1.0).abs() < 0.01, "{}", volume(ball));
    let smaller = volume(&format!("{ball}\nscale = [0.5, 0.5, 0.5]\ntranslation = [3, 0, 0]"));
    assert!((smaller / exact * 8.0 - 1.0).abs() < 0.01, "{smaller}");
    // Without the lower half, and with a cube beside it.
    let half = volume(&format!("{ball}\nsubtract = [{{ min = [0, 0, 0], max = [1, 0.5, 1] }}]"));
    assert!((half / exact * 2.0 - 1.0).abs() < 0.01, "{half}");
    let both = volume(&format!("{ball}\nunite = [{{ min = [2, 0, 0], max = [2.5, 0.5, 0.5] }}]"));
    assert!((both / (exact + 0.125) - 1.0).abs() < 0.01, "{both}");
}

#[test]
fn faults_of_shapes_have_their_place() {
    let ball = "min = [0, 0, 0]\nmax = [1, 1, 0.8]\nshape = \"sphere\"";
    assert_eq!(
        summary(ball),
        "a:5:7: a sphere is round, but its box is 1 m by 0.8 m: \
         expected a box, with `min` below `max`, that the shape fits into"
    );
    assert_eq!(summary("min = [0, 0, 0]"), "a:3:1: missing key `max` in `fluid.blocks.0`");
    assert_eq!(summary("shape = \"mesh\""), "a:3:1: missing key `file` in `fluid.blocks.0`");
    let tube = "min = [0, 0, 0]\nmax = [1, 1, 1]\nshape = \"box\"\naxis = \"x\"";
    assert_eq!(
        summary(tube),
        "a:7:8: a shape of the kind `box` has no `axis`: it has `min`, `max`, `scale`, `orientation` or `translation`"
    );
    let turned = "min = [0, 0, 0]\nmax = [1, 1, 1]\norientation = { angle = 30 }";
    assert_eq!(summary(turned), "a:6:15: missing key `axis` in `fluid.blocks.0.orientation`");
    let grain = "min = [0, 0, 0]\nmax = [0.04, 0.04, 0.04]\nshape = \"sphere\"";
    assert!(summary(grain).contains("the solid of fluid block 0 is smaller than a single particle"), "{}", summary(grain));
}

#[test]
fn meshes_are_beside_the_scene_and_diagnosed() {
    const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.toml");
    fs::write(&path, scene("shape = \"mesh\"\nfile = \"b.obj\"")).expect("written");
    let with = |mesh: &str| -> Result<Scene, SceneError> {
        fs::write(folder.path().join("b.obj"), mesh).expect("written");
        load(&path, &[])
    };
    let missing = load(&path, &[]).expect_err("no mesh").summary();
    assert!(missing.contains(":5:8: ") && missing.contains("b.obj cannot be read"), "{missing}");
    let sound = with(TETRAHEDRON).expect("a closed mesh");
    assert_eq!((sound.setup.particle_counts().fluid, sound.remarks.len()), (1333, 0));
    let inward = with(
        &TETRAHEDRON
            .replace("f 1 3 2", "f 1 2 3")
            .replace("f 1 2 4", "f 1 4 2")
            .replace("f 1 4 3", "f 1 3 4")
            .replace("f 2 3 4", "f 2 4 3"),
    );
    let inward = inward.expect("a closed mesh");
    assert_eq!(inward.setup.particle_counts(), sound.setup.particle_counts());
    assert!(inward.remarks[0].ends_with("b.obj faces inwards: it has been turned round"), "{:?}", inward.remarks);
    let open = with(&TETRAHEDRON.replace("f 2 3 4\n", "")).expect_err("an open mesh").summary();
    assert!(open.contains("b.obj: the mesh is open: 3 edges have a triangle on one side only"), "{open}");
}

/// Water in a round tub stays in it, above a floor that is a wall only where the tub is.
#[test]
fn containers_of_other_shapes_hold_their_fluid() {
    let tub = "dimensions = 2\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [-0.4, -0.4]\nmax = [0.4, 0.2]\nshape = \"ellipsoid\"\n\
        [[containers]]\nshape = \"sphere\"\nmin = [-0.7, -0.7]\nmax = [0.7, 0.7]\n";
    let setup = parse(&format!("format = 1\n{tub}"), "a", &[]).expect("the scene is valid").setup;
    let mut simulation = sph_core::Simulation::new(&setup).expect("a valid setup");
    assert!(simulation.boundary().len() as u64 <= setup.particle_counts().boundary);
    while simulation.time() < 0.6 {
        let stats = simulation.step();
        assert!(stats.error.is_none(), "{:?}", stats.error);
    }
    let lowest = simulation.particles().positions.iter().map(|at| at.y).fold(f32::INFINITY, f32::min);
    let farthest = simulation.particles().positions.iter().map(|at| at.length()).fold(0.0, f32::max);
    assert!(farthest < 0.7 && lowest < -0.6, "{farthest} m from the middle, {lowest} m high");
    // A block in the wall, and one outside.
    let error = |min: &str, max: &str| {
        let text = format!("format = 1\n{tub}").replace("min = [-0.4, -0.4]", min).replace("max = [0.4, 0.2]", max);
        parse(&text, "a", &[]).expect_err("the block is not inside").summary()
    };
    let outside = error("min = [0.3, 0.0]", "max = [0.9, 0.6]");
    assert!(outside.contains("fluid block 0 is not inside any container"), "{outside}");
}
