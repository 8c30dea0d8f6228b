//! Cloths in scene files: what they become, their faults with a place, and remarks.

use sph_core::{Engine as _, Simulation};
use sph_io::{Override, parse};

/// A sheet without fluid, and more lines of its table.
fn scene(more: &str) -> String {
    let sheet = "name = \"sheet\"\ncorner = [0, 1, 0]\nalong = [0.4, 0, 0]\nacross = [0, 0, 0.2]\nspacing = 0.1\n";
    format!("format = 1\nparticles.spacing = 0.1\n[[cloths]]\n{sheet}{more}")
}

fn error(text: &str) -> String {
    parse(text, "cloth", &[]).expect_err("a fault").summary()
}

#[test]
fn a_sheet_is_a_set_of_vertices_that_falls_without_any_fluid() {
    let scene = parse(&scene("velocity = [1, 0, 0]\nareal_density = 0.5\n"), "cloth", &[]).expect("a scene");
    let mut simulation = Simulation::new(&scene.setup).expect("a valid setup");
    let set = &simulation.view().sets[0];
    assert_eq!((set.name.as_str(), set.len()), ("sheet", 5 * 3));
    let mass: f32 = set.masses.iter().sum();
    assert!((mass - 0.5 * 0.4 * 0.2).abs() < 1e-6, "{mass}");
    assert!(set.radii.iter().all(|radius| (radius - 0.05).abs() < 1e-6));
    let triangles = simulation.view().dynamics.expect("a cloth").triangles(0, set);
    assert_eq!(triangles.len(), 2 * 4 * 2);
    while simulation.time() < 0.2 {
        assert_eq!(simulation.step().error, None);
    }
    let (set, time) = (&simulation.view().sets[0], simulation.time() as f32);
    let fallen = 1.0 - set.positions[0].y;
    assert!((fallen / (0.5 * 9.81 * time * time) - 1.0).abs() < 0.01, "{fallen} m");
    assert!((set.positions[0].x - time).abs() < 1e-3);
}

#[test]
fn pinned_vertices_stay_or_move_as_the_scene_says() {
    let pins = "[[cloths.pins]]\nmin = [-0.01, 0, -1]\nmax = [0.01, 2, 1]\n[[cloths.pins]]\nmin = [0.39, 0, -1]\nmax = [0.41, 2, 1]\nvelocity = [0, 0.5, 0]\n";
    let scene = parse(&scene(pins), "cloth", &[]).expect("a scene");
    let mut simulation = Simulation::new(&scene.setup).expect("a valid setup");
    while simulation.time() < 0.1 {
        assert_eq!(simulation.step().error, None);
    }
    let (set, time) = (&simulation.view().sets[0], simulation.time() as f32);
    let place = |vertex: usize| set.positions[vertex];
    assert_eq!((place(0).x, place(0).y), (0.0, 1.0));
    assert!((place(4).y - (1.0 + 0.5 * time)).abs() < 1e-5, "{}", place(4));
}

#[test]
fn faults_have_a_place_and_say_what_is_expected() {
    let found = [
        (scene("thickness = 0.5\n"), "is above the longest edge"),
        (scene("file = \"flag.obj\"\n"), "a cloth from a file has no `corner`"),
        (scene("translation = [0, 1, 0]\n"), "a cloth without `file` has no `translation`"),
        (scene("").replace("along = [0.4, 0, 0]\n", ""), "`cloths.0` has neither a grid nor a mesh"),
        (
            scene("").replace("spacing = 0.1\n[[cloths]]", "spacing = 0.1\ndimensions = 2\n[[cloths]]"),
            "cloths need three dimensions",
        ),
        (scene("[[cloths.pins]]\nmin = [5, 5, 5]\nmax = [6, 6, 6]\n"), "no vertex of the cloth is in the box"),
        (scene("thicknes = 0.1\n"), "did you mean `thickness`?"),
        (scene("drag = -1.0\n"), "cloths.0.drag"),
        (scene("across = [0, 0]\n").replacen("across = [0, 0, 0.2]\n", "", 1), "across"),
        (scene("") + &scene("").replace("format = 1\nparticles.spacing = 0.1\n", ""), "two cloths are called `sheet`"),
    ];
    for (text, part) in found {
        let message = error(&text);
        assert!(message.contains(part), "{message}\nshould contain {part}, of\n{text}");
    }
}

#[test]
fn vertices_without_bound_are_refused_before_they_are_made() {
    let huge = scene("").replace("along = [0.4, 0, 0]", "along = [1e9, 0, 0]");
    assert!(error(&huge).contains("vertices"), "{}", error(&huge));
}

#[test]
fn all_cloths_are_counted_before_one_is_made() {
    let sheet =
        scene("").replace("format = 1\nparticles.spacing = 0.1\n", "").replace("along = [0.4, 0, 0]", "along = [2e4, 0, 0]");
    let sheet = |number: usize| sheet.replace("name = \"sheet\"", &format!("name = \"sheet {number}\""));
    let sheets: String = (0..200).map(sheet).collect();
    let message = error(&format!("format = 1\nparticles.spacing = 0.1\n{sheets}"));
    assert_eq!(
        message,
        "cloth:44:11: the cloths would have 4200021 vertices or more together, but at most 4194304 are possible: expected a larger distance"
    );
}

/// Boxes of pins that overlap pin each of their vertices once.
#[test]
fn pins_may_overlap() {
    let pin = |high: f32| format!("[[cloths.pins]]\nmin = [-1, 0, -1]\nmax = [{high}, 2, 9]\n");
    let scene = parse(&scene(&(pin(0.05) + &pin(0.15))), "cloth", &[]).unwrap_or_else(|error| panic!("{error}"));
    let simulation = Simulation::new(&scene.setup).expect("a valid setup");
    let (sheet, is_pinned) = (&simulation.view().sets[0], |mass: &&f32| mass.is_infinite());
    assert_eq!((sheet.masses.iter().filter(is_pinned).count(), sheet.len()), (6, 15));
}

/// The line of the report that `marks` something.
fn marked(report: &sph_io::SceneError, marks: &str) -> bool {
    let report = report.to_string();
    let lines: Vec<&str> = report.lines().collect();
    lines.windows(2).any(|pair| pair[0].contains(marks) && pair[1].contains('^'))
}

#[test]
fn faults_of_a_sheet_are_at_the_key_that_they_are_about() {
    let found = [
        (scene("thickness = 0.5\n"), "thickness = 0.5", "expected at most 0.14142136 m, the longest edge"),
        (scene("").replace("across = [0, 0, 0.2]", "across = [-0.2, 0, 0]"), "across = ", "is parallel to `along`"),
        (scene("").replace("along = [0.4, 0, 0]", "along = [0, 0, 0]"), "along = ", "`cloths.0.along` has no length"),
        (scene("areal_density = 1.0\ntear_strain = 1e-50\n"), "tear_strain", "the strain at which the cloth tears is 0"),
    ];
    for (text, marks, part) in found {
        let report = parse(&text, "cloth", &[]).expect_err("a fault");
        assert!(report.to_string().contains(part) && marked(&report, marks), "{report}\nshould contain {part}, at {marks}");
    }
}

#[test]
fn a_mesh_that_is_no_cloth_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "format = 1\nparticles.spacing = 0.1\n[[cloths]]\nfile = \"flag.obj\"\n";
    std::fs::write(folder.path().join("a.toml"), text).expect("a scene");
    let meshes = [
        ("", "flag.obj: the cloth has 0 vertices"),
        ("v 0 0 0\nv 1 0 0\nv 0 0 1\n", "flag.obj: the cloth has 0 vertices"),
        ("v 0 nan 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", "flag.obj: vertex 0 is at [NaN, NaN, NaN], which is not finite"),
        ("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "flag.obj: triangle 0 has no area at rest"),
    ];
    for (mesh, part) in meshes {
        std::fs::write(folder.path().join("flag.obj"), mesh).expect("a mesh");
        let report = sph_io::load(&folder.path().join("a.toml"), &[]).expect_err("a fault");
        assert!(report.to_string().contains(part) && marked(&report, "file = "), "{report}\nshould contain {part}");
    }
}

#[test]
fn likely_mistakes_are_remarked() {
    let text = scene("thickness = 0.02\n");
    let scene = parse(&text, "cloth", &[]).expect("a scene");
    assert!(scene.remarks.iter().any(|remark| remark.contains("a fold can slip through")), "{:?}", scene.remarks);
    let still: Override = "gravity=[0, 0, 0]".parse().expect("an override");
    let scene = parse(&text, "cloth", &[still]).expect("a scene");
    assert!(scene.remarks.iter().any(|remark| remark.contains("does not move")), "{:?}", scene.remarks);
}

/// The sheet of the shipped scene, with fewer vertices, comes to rest over the sphere and does not slide down beside it.
#[test]
fn the_sheet_on_the_sphere_stays_there() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/cloth_on_sphere.toml");
    let coarse: Override = "cloths.0.spacing=0.025".parse().expect("an override");
    let scene = sph_io::load(path.as_ref(), &[coarse]).unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = Simulation::new(&scene.setup).expect("a valid setup");
    while simulation.time() < 3.0 {
        assert_eq!(simulation.step().error, None);
    }
    let heights = || simulation.view().sets[0].positions.iter().map(|vertex| vertex.y);
    let (highest, mean) = (heights().fold(0.0, f32::max), heights().sum::<f32>() / heights().count() as f32);
    assert!((1.1..1.13).contains(&highest) && mean > 0.8, "the highest vertex is at {highest} m, the mean at {mean} m");
}
