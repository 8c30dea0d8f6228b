//! Bad bodies, walls, motions and rotations: each error shows the place and the value that was expected there.

use crate::bad::check::check;
use crate::bad::{GOOD, error};
use std::fs;

#[test]
fn invalid_bodies() {
    let old = "[grid]\n";
    let body = |keys: &str| format!("[[bodies]]\nmin = [0.85, 0.1]\nmax = [0.95, 0.2]\n{keys}\n[grid]\n");
    let good = |keys: &str| sph_io::parse(&GOOD.replacen(old, &body(keys), 1), "a", &[]).unwrap().setup.bodies[0].clone();
    assert!(good("velocity = [1.0, 0.0]").motion.moves() && !good("slip = \"no_slip\"").motion.moves());
    assert_eq!(good("motion = [[0.0, 0.0, 0.0], [2.0, 1.0, 0.0]]").motion.displacement(2.0).x, 1.0);
    assert_eq!((good("").density, good("density = 700").density), (1000.0, 700.0));
    check(old, &body("density = 0"), "a.toml:19:11: `bodies.0.density` must be a number above 0, but is 0");
    check(
        old,
        &body("").replace("0.85", "0.7"),
        "a.toml:10:1: fluid block 1 and body 0 overlap: expected a box clear of body 0, or `around_bodies = true`",
    );
    check(
        old,
        &body("").replace("0.95", "0.855"),
        "a.toml:18:8: body 0 is empty along x: 0.004999995 m, where a particle takes 0.02 m: expected at least 0.02 m above `min`",
    );
    check(
        old,
        &body("motion = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]"),
        "a.toml:19:10: point 1 of a motion is not later than the one before: expected times that ascend",
    );
    check(old, &body("motion = []"), "a.toml:19:10: `bodies.0.motion` has no rows: expected a time and a velocity in each row");
    check(
        old,
        &body("motion = [[0.0, 0.0]]"),
        "a.toml:19:10: row 0 of `bodies.0.motion` has 2 numbers: \
         expected a time and as many components of the velocity as there are dimensions",
    );
    check(
        old,
        &body("velocity = [1, 0]\nmotion_file = \"a.csv\""),
        "a.toml:16:1: `bodies.0` has more than one motion: expected one of `velocity`, `motion` and `motion_file`",
    );
    let probe =
        |name: &str| format!("{}[[probes]]\nname = \"f\"\nkind = \"force\"\nbody = \"{name}\"\n", body("name = \"rock\""));
    let probe = |name: &str| probe(name).replace("[grid]\n", "") + "[grid]\n";
    assert!(sph_io::parse(&GOOD.replacen(old, &probe("rock"), 1), "a", &[]).is_ok());
    check(old, &probe("rocks"), "a.toml:23:8: no body is called `rocks`: expected `rock`");
}

#[test]
fn motions_are_read_from_files_beside_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("a.toml");
    let keys = "[[bodies]]\nmin = [0.85, 0.1]\nmax = [0.95, 0.2]\nmotion_file = \"b.csv\"\n[grid]\n";
    fs::write(&scene, GOOD.replacen("[grid]\n", keys, 1)).unwrap();
    let summary = || sph_io::load(&scene, &[]).unwrap_err().summary();
    assert!(summary().contains("b.csv cannot be read"), "{}", summary());
    for without_rows in ["", "# nothing\n", "time,vx,vy\n", "0;1;0\n"] {
        fs::write(folder.path().join("b.csv"), without_rows).unwrap();
        assert!(summary().contains("b.csv has no row of numbers, separated by commas"), "{}", summary());
    }
    fs::write(folder.path().join("b.csv"), "# a motion\ntime,x,y\n0, 0, 0\n1, 2, 0\n").unwrap();
    let loaded = sph_io::load(&scene, &[]).unwrap();
    assert_eq!(loaded.setup.bodies[0].motion.displacement(1.0).x, 1.0);
    fs::write(folder.path().join("b.csv"), "0, 0, 0\n1, x, 0\n").unwrap();
    assert!(summary().contains("b.csv has no row of numbers on line 2"), "{}", summary());
}

#[test]
fn invalid_rotations() {
    let old = "[grid]\n";
    let body =
        |rotation: &str| format!("[[bodies]]\nmin = [0.85, 0.1]\nmax = [0.95, 0.2]\nrotation = {{ {rotation} }}\n[grid]\n");
    let good = |keys: &str| {
        let setup = sph_io::parse(&GOOD.replacen(old, &body(keys), 1), "a", &[]).unwrap().setup;
        setup.bodies[0].motion.rotation().unwrap().clone()
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    let is_quarter = |angle: f64| assert!((angle - quarter).abs() < 1e-12, "{angle}");
    is_quarter(good("angular_velocity = 45").angle(2.0));
    is_quarter(good("angular_velocities = [[0, 0], [2, 90]]").angle(2.0));
    is_quarter(good("angles = [[0, 0], [2, 90]], pivot = [0.9, 0.1]").angle(3.0));
    is_quarter(good("axis = [0, 0, 2], oscillation = { amplitude = 90, period = 4.0 }").angle(1.0));
    // The normalisation of this axis rounds.
    is_quarter(good("axis = [0, 0, 49], angular_velocity = 45").angle(2.0));
    is_quarter(good("oscillation = { amplitude = 45, period = 4.0, phase = -90 }").angle(2.0));
    let check = |rotation: &str, summary: &str| check(old, &body(rotation), summary);
    check(
        "pivot = [0.9, 0.1]",
        "a.toml:19:12: `bodies.0.rotation` has no angle: \
         expected one of `angular_velocity`, `angular_velocities`, `angles` and `oscillation`",
    );
    check(
        "angular_velocity = 1, angles = [[0, 0]]",
        "a.toml:19:12: `bodies.0.rotation` has more than one angle: \
         expected one of `angular_velocity`, `angular_velocities`, `angles` and `oscillation`",
    );
    check(
        "angles = [[0, 0], [0, 1]]",
        "a.toml:19:23: point 1 of a motion is not later than the one before: expected times that ascend",
    );
    check("angles = [[0, 0], [1e-310, 1]]", "a.toml:19:23: point 1 of a motion is not finite: expected finite numbers");
    check(
        "angles = [[0, 0], [1]]",
        "a.toml:19:32: row 1 of `bodies.0.rotation.angles` has 1 numbers: expected a time and a number",
    );
    check("angles = []", "a.toml:19:23: `bodies.0.rotation.angles` has 0 items: expected at least 1");
    check(
        "axis = [0, 0, 0], angular_velocity = 1",
        "a.toml:19:21: the axis of a rotation has no direction: expected a direction",
    );
    check(
        "axis = [1, 0, 0], angular_velocity = 1",
        "a.toml:19:21: in two dimensions body 0 can turn about z only: expected no `axis`, or one along z",
    );
    check(
        "oscillation = { amplitude = 1, period = 0 }",
        "a.toml:19:54: `bodies.0.rotation.oscillation.period` must be a number above 0, but is 0",
    );
    check("oscillation = { amplitude = 1 }", "a.toml:19:28: missing key `period` in `bodies.0.rotation.oscillation`");
    check("angle = 1", "a.toml:19:14: unknown key `angle` in `bodies.0.rotation`: did you mean `angles`?");
    let cube = "format = 1\n[particles]\nspacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
                [[bodies]]\nmin = [2, 0, 0]\nmax = [3, 1, 1]\nrotation = { angular_velocity = 1 }\n";
    assert_eq!(error(cube, &[]).summary(), "a.toml:10:12: missing key `axis` in `bodies.0.rotation`");
}

#[test]
fn invalid_motions_of_containers() {
    let old = "max = [1.0, 1.0]\n";
    let moving = |keys: &str| GOOD.replacen(old, &format!("{old}{keys}\n"), 1);
    let good = |keys: &str| sph_io::parse(&moving(keys), "a", &[]).unwrap().setup.containers[0].motion.clone();
    assert_eq!(good("velocity = [1, 0]").displacement(2.0).x, 2.0);
    assert_eq!(good("motion = [[0, 0, 0], [2, 1, 0]]").displacement(2.0).x, 1.0);
    // About its centre.
    let turned = good("rotation = { angular_velocity = 180 }").pose(1.0).point([1.0, 0.5, 0.0].into());
    assert!(turned.x.abs() + (turned.y - 0.5).abs() < 1e-12, "{turned}");
    let summary = |keys: &str, sets: &[&str]| error(&moving(keys), sets).summary();
    assert_eq!(
        summary("velocity = [1, 0]\nmotion = [[0, 0, 0]]", &[]),
        "a.toml:13:1: `containers.0` has more than one motion: expected one of `velocity`, `motion` and `motion_file`"
    );
    assert_eq!(
        summary("rotation = { angular_velocity = 1 }", &["particles.walls=analytic"]),
        "a.toml:16:12: container 0 cannot move: its walls are analytic, which are at rest: \
         expected a container at rest, or `particles.walls = \"layers\"`"
    );
    assert_eq!(
        summary("velocity = [0, 1]\n[domain]\nperiodic = [\"x\"]\nmin = [0, 0]\nmax = [1, 1]", &[]),
        "a.toml:16:12: container 0 cannot move: the domain is periodic, and the box would leave its faces: \
         expected a container at rest, or no periodic axes"
    );
    assert_eq!(
        summary("slip = \"no_slip\"\nvelocity = [0, 1]\nmoving = [{ face = \"y_max\", velocity = [1, 0] }]", &[]),
        "a.toml:17:12: container 0 cannot move: some of its faces move within their planes already: \
         expected a container at rest, or one without `moving`"
    );
    assert_eq!(
        summary("rotation = { angles = [[0, 10]] }", &[]),
        "a.toml:16:12: container 0 cannot move: its angle at time 0 is not 0, where its corners say where it begins: \
         expected the angle 0 at time 0"
    );
}

#[test]
fn walls_without_particles_do_not_drag() {
    let old = "max = [1.0, 1.0]\n";
    let planes = GOOD.replacen("[particles]\n", "[particles]\nwalls = \"analytic\"\n", 1);
    assert!(planes != GOOD && sph_io::parse(&planes, "a", &[]).is_ok());
    let error = sph_io::parse(&planes.replacen(old, "max = [1.0, 1.0]\nslip = \"no_slip\"\n", 1), "a.toml", &[]).unwrap_err();
    let report = error.report(false);
    assert!(report.contains("analytic walls are free-slip") && report.contains("expected \"free\""), "{report}");
}

#[test]
fn invalid_moving_walls() {
    let old = "max = [1.0, 1.0]\n";
    let moving = |keys: &str| format!("max = [1.0, 1.0]\n{keys}\n");
    let with = |face: &str, velocity: &str| {
        moving(&format!("slip = \"no_slip\"\nopen = [\"x_min\"]\nmoving = [{{ face = \"{face}\", velocity = [{velocity}] }}]"))
    };
    assert!(sph_io::parse(&GOOD.replacen(old, &with("y_max", "1.0, 0.0"), 1), "a", &[]).is_ok());
    check(
        old,
        &with("y_max", "1.0, 0.5"),
        "a.toml:18:40: walls move within their planes only, but this one moves along y: expected 0 along y",
    );
    check(old, &with("x_min", "0.0, 1.0"), "a.toml:18:20: an open face cannot move: expected a face that is a wall");
    check(
        old,
        &with("z_max", "1.0, 0.0"),
        "a.toml:18:20: a scene of 2 dimensions has no faces along z: expected a face along x or y",
    );
    let lid = "{ face = \"y_max\", velocity = [1.0, 0.0] }";
    check(
        old,
        &moving(&format!("slip = \"no_slip\"\nmoving = [{lid}, {lid}]")),
        "a.toml:17:63: the face has a velocity already: expected another face",
    );
    check(
        old,
        &moving(&format!("moving = [{lid}]")),
        "a.toml:16:11: a wall that moves within its plane moves no fluid that slips along it: expected `slip = \"no_slip\"` in its container",
    );
}
