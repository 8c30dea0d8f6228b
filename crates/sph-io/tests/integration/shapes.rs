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
fn a_heightfield_is_solid_below_its_heights() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.toml");
    let with = |keys: &str, table: &str| {
        fs::write(&path, scene(&format!("shape = \"heightfield\"\nfile = \"b.csv\"\n{keys}"))).expect("written");
        fs::write(folder.path().join("b.csv"), table).expect("written");
        load(&path, &[])
    };
    let solid = |scene: Scene| match &scene.setup.blocks[0].shape {
        sph_core::BlockShape::Solid(solid) => solid.clone(),
        shape => panic!("{shape:?}"),
    };
    // A ramp from 0.25 m to 0.75 m above y = 1 m, from x = 2 m to x = 3 m; the wedge and its volume are known.
    let keys = "min = [2, 1, 0]\nmax = [3, 2, 1]";
    let ramp = solid(with(keys, "0.25, 0.5, 0.75\n0.25, 0.5, 0.75").expect("a ramp"));
    let normal = glam::Vec3::new(-0.5, 1.0, 0.0).normalize();
    for offset in [-0.1, 0.0, 0.1] {
        let at = glam::Vec3::new(2.5, 1.5, 0.5) + offset * normal;
        assert!((ramp.signed_distance(at) - offset).abs() < 1e-6, "{offset}");
    }
    assert!((ramp.volume(sph_core::Dimensions::Three) - 0.5).abs() < 2e-3);
    // Twice as large about the centre of its box, as every shape; of two rows, the first is that of the lowest z.
    let grown = solid(with(&format!("{keys}\nscale = [2, 2, 2]"), "0.25, 0.25\n0.75, 0.75").expect("a ramp"));
    assert!((grown.volume(sph_core::Dimensions::Three) - 4.0).abs() < 1e-2);
    let [low, high] = grown.bounds();
    assert!((low - glam::DVec3::new(1.5, 0.5, -0.5)).length() < 1e-6 && (high.y - 2.0).abs() < 1e-6, "{low} {high}");
    assert!(grown.contains(glam::Vec3::new(2.5, 1.9, 1.49)) && !grown.contains(glam::Vec3::new(2.5, 1.9, 0.0)));

    let fault = |keys: &str, table: &str| with(keys, table).expect_err("a fault").summary();
    let high = fault(keys, "0, 0\n0, 1.5");
    assert!(high.contains(":5:8: ") && high.contains("b.csv has a height of 1.5 m in column 2 of line 2"), "{high}");
    assert!(fault(keys, "0, 1").contains("b.csv has one row in a scene of 3 dimensions"));
    assert!(fault(keys, "0\n1").contains("b.csv has one column"));
    assert!(fault("min = [2, 1, 0]", "0, 0\n0, 0").ends_with("missing key `max` in `fluid.blocks.0`"));
    assert!(fault("min = [2, 1, 0]\nmax = [3, 1, 1]", "0, 0\n0, 0").contains("its extent along y is 0 m"));

    // In two dimensions the first row is the ground.
    fs::write(folder.path().join("b.csv"), "0.25, 0.75\n9e-1, 9e-1").expect("written");
    let flat = "format = 1\ndimensions = 2\nparticles.spacing = 0.02\n[[fluid.blocks]]\nshape = \"heightfield\"\n\
                file = \"b.csv\"\nmin = [0, 0]\nmax = [1, 1]\n";
    fs::write(&path, flat).expect("written");
    let flat = solid(load(&path, &[]).expect("a ramp"));
    assert!((flat.volume(sph_core::Dimensions::Two) - 0.5).abs() < 2e-3);
    assert!((flat.signed_distance(glam::Vec3::new(0.5, 0.5, 0.0) + 0.1 * normal) - 0.1).abs() < 1e-6);
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
