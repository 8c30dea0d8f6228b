//! Bad values in the tables of a scene: fluid, probes, velocity fields, domain, forces, bodies, joints, walls, motions and rotations.
//! Each error shows the place and the value that was expected there.

use crate::bad_scenes::{GOOD, check, error};
use std::fs;

#[test]
fn fluid() {
    let without_blocks = GOOD.lines().take(6).collect::<Vec<_>>().join("\n");
    let error = error(&without_blocks, &[]);
    let expected = "there is nothing to simulate: a scene needs a block of fluid, a particle file, an emitter, a cloth or balls: expected `[[fluid.blocks]]`, `[[fluid.particles]]`, `[[emitters]]`, `[[cloths]]` or `[[balls]]`";
    assert_eq!(error.summary(), format!("a.toml:5:1: {expected}"));
    check(
        "max = [0.5, 0.4]",
        "max = [0.5, 0.0]",
        "a.toml:9:13: fluid block 0 is empty along y: 0 m, but a particle needs 0.02 m: expected at least 0.02 m above `min`",
    );
    check(
        "max = [0.8, 0.4]",
        "max = [0.5, 0.4]",
        "a.toml:12:8: fluid block 1 is empty along x: -0.100000024 m, but a particle needs 0.02 m: `max` is below `min` along x: are they swapped?",
    );
    check(
        "max = [0.5, 0.4]",
        "max = [0.7, 0.4]",
        "a.toml:10:1: fluid blocks 0 and 1 overlap: expected a box that at most touches block 0",
    );
    check(
        "max = [0.8, 0.4]",
        "max = [1.2, 0.4]",
        "a.toml:12:8: fluid block 1 is not inside any container: the container ends at x = 1 m",
    );
    check(
        "min = [0.0, 0.0]",
        "min = [0.0, -1.0]",
        "a.toml:8:13: fluid block 0 is not inside any container: the container begins at y = 0 m",
    );
    check(
        "max = [1.0, 1.0]",
        "max = [1.0, 0.05]",
        "a.toml:15:13: container 0 is too small along y: 0.05 m, less than two support radii (0.08 m): expected at least 0.08 m above `min`",
    );
    check(
        "dimensions = 2\n",
        "",
        "a.toml:7:7: `fluid.blocks.0.min` has 2 numbers in a scene of 3 dimensions: expected 3 numbers (and 5 more)",
    );
    check(
        "[grid]",
        "[view]\neye = [1, 1, 1]\ntarget = [1, 1, 1]\n[grid]",
        "a.toml:17:7: the camera is at the point that it looks at: expected another point than `view.target`",
    );
}

#[test]
fn probes() {
    let check = |probe: &str, summary: &str| {
        let probe = probe.replace("; ", "\n");
        assert_eq!(error(&format!("{GOOD}[[probes]]\n{probe}"), &[]).summary(), format!("a.toml:{summary}"));
    };
    check(
        r#"name = "p"; kind = "presure"; at = [0, 0]"#,
        "20:8: `probes.0.kind` must be `pressure`, `density`, `water_height`, `front`, `velocity`, `region`, `flux`, `energy`, `force`, `motion`, `point`, `point_set` or `wall_force`, but is `presure`: did you mean `pressure`?",
    );
    check(r#"name = "p"; kind = "energy"; att = [0, 0]"#, "21:1: unknown key `att` in `probes.0`: did you mean `at`?");
    check(
        r#"name = "p"; kind = "pressure""#,
        "18:1: `probes.0` has neither of `at` and `from`: expected `at` for a point, or `from`, `to` and `points`",
    );
    check(
        r#"name = "p"; kind = "energy"; at = [0, 0]"#,
        "21:6: a probe of the kind `energy` has no `at`: expected no such key",
    );
    check(
        r#"name = "p"; kind = "front"; toward = "x_max"; points = 5"#,
        "22:10: a probe of the kind `front` has no `points`: it has `toward` or `fluid`",
    );
    check(
        r#"name = "p"; kind = "front"; toward = "z_max""#,
        "21:10: a scene of 2 dimensions has no faces along z: expected a face along x or y",
    );
    check(
        r#"name = "a,b"; kind = "energy""#,
        "19:8: `probes.0.name` cannot be a column's name: expected letters, digits, `_` and `-`",
    );
    check(
        r#"name = "e"; kind = "energy"; [[probes]]; name = "e"; kind = "energy""#,
        "22:8: there are two probes called `e`: expected another name",
    );
    check(
        r#"name = "v"; kind = "velocity"; from = [0, 0]; to = [1, 0]; points = 1"#,
        "23:10: `probes.0.points` must be a whole number from 2 to 10000, but is 1",
    );
}

#[test]
fn gauges() {
    let check = |keys: &str, summary: &str| {
        let probe = format!("name = 'p'\nkind = 'pressure'\nat = [1, 0.1]\n{keys}");
        assert_eq!(error(&format!("{GOOD}[[probes]]\n{probe}"), &[]).summary(), format!("a.toml:{summary}"));
    };
    for half in ["diameter = 0.01", "face = 'x_max'"] {
        check(half, "18:1: a gauge with a `diameter` above 0 needs a `face` of the tank: expected both keys or neither");
    }
    check(
        "container = 1",
        "22:13: there is no container number 1: expected a number below 1, from 0 in the order of `[[containers]]`",
    );
    check("container = -1", "22:13: `probes.0.container` must be a whole number of at least 0, but is -1");
    check("averaging = 11", "22:13: `probes.0.averaging` must be a number from 0 to 10, but is 11");
    check(
        "diameter = 0.01\nface = 'z_max'",
        "23:8: a scene of 2 dimensions has no faces along z: expected a face along x or y",
    );
}

#[test]
fn velocity_fields() {
    let check = |field: &str, summary: &str| {
        let block = "max = [0.5, 0.4]";
        check(block, &format!("{block}\nvelocity_field = {{ {field} }}"), &format!("a.toml:10:{summary}"));
    };
    check(r#"kind = "linear""#, "18: missing key `gradient` in `fluid.blocks.0.velocity_field`");
    check(
        r#"kind = "linear", gradient = [[1, 0]]"#,
        "48: `fluid.blocks.0.velocity_field.gradient` has 1 item: expected 2 or 3 rows of numbers",
    );
    check(
        r#"kind = "linear", gradient = [[1, 0], [0]]"#,
        "48: `fluid.blocks.0.velocity_field.gradient` must have 2 rows of 2 numbers: expected as many rows and columns as there are dimensions",
    );
    check(r#"center = [0, 0]"#, "29: a velocity field of the kind `none` has no `center`: expected another `kind`");
    check(
        r#"kind = "standing_wave", amplitude = 0.1, wavelength = 0"#,
        "74: `fluid.blocks.0.velocity_field.wavelength` must be a number above 0, but is 0",
    );
}

#[test]
fn invalid_domains() {
    let domain = |rest: &str| GOOD.replace("[grid]", &format!("[domain]\nperiodic = ['x']\n{rest}\n[grid]"));
    let summary = |rest: &str| error(&domain(rest), &[]).summary();
    assert!(sph_io::parse(&domain("min = [0, 0]\nmax = [1, 0]"), "a", &[]).is_ok());
    assert_eq!(
        summary("min = [0, 0]"),
        "a.toml:16:1: missing key `max` in `domain`: expected `max`, as there are periodic axes"
    );
    assert_eq!(
        summary("min = [0, 0]\nmax = [0.1, 0]"),
        "a.toml:19:8: the period of the domain is 0.1 m along x, less than three support radii (0.12 m): expected at least 0.12 m above `min`"
    );
    assert_eq!(
        summary("min = [0, 0]\nmax = [0.99, 0]"),
        "a.toml:19:8: the period of the domain is 0.99 m along x, which is not a whole number of particles of 0.02 m: expected 0.98 or 1 m above `min`"
    );
    assert_eq!(
        summary("min = [0.1, 0]\nmax = [1, 0]"),
        "a.toml:13:1: container 0 does not extend from one periodic face to the other along x: expected a box from 0.1 to 1 m along x"
    );
    let open = domain("min = [0, 0]\nmax = [0.7, 0]").replace("[[containers]]\nmin = [0.0, 0.0]\nmax = [1.0, 1.0]\n", "");
    assert_eq!(
        error(&open, &[]).summary(),
        "a.toml:10:1: fluid block 1 extends beyond the periodic domain along x: expected a box from 0 to 0.7 m along x"
    );
    let unknown = domain("min = [0, 0]\nmax = [1, 0]").replace("['x']", "['w']");
    assert_eq!(error(&unknown, &[]).summary(), "a.toml:17:13: `domain.periodic.0` must be `x`, `y` or `z`, but is `w`");
}

/// Numbers that f32 holds, but not the squares and products of a simulation.
#[test]
fn numbers_beyond_the_reach_of_f32() {
    for density in ["1e38", "1e-30", "1e-20"] {
        let summary = error(GOOD, &[&format!("fluid.rest_density={density}")]).summary();
        assert!(summary.contains("`fluid.rest_density` must be a number") && summary.contains(" to "), "{summary}");
    }
    for density in ["1e-6", "1e6"] {
        assert!(sph_io::parse(&GOOD.replace("rest_density = 1000.0", &format!("rest_density = {density}")), "a", &[]).is_ok());
    }
    for key in ["fluid.blocks.0.velocity=[1e38, 0]", "containers.0.velocity=[0, 1e38]"] {
        let summary = error(GOOD, &[key]).summary();
        assert!(summary.contains(".velocity.") && summary.contains(" must be a number "), "{summary}");
    }
    let turning = "rotation = { angular_velocity = 1e12 }\n[grid]";
    check(
        "[grid]",
        turning,
        "a.toml:13:1: container 0 moves at up to 1.234e10 m/s, faster than 1e6 m/s: expected at most 1e6 m/s",
    );
}

#[test]
fn external_forces() {
    let check = |force: &str, summary: &str| {
        let text = GOOD.replace("[grid]", &format!("[[forces]]\n{force}\n[grid]"));
        let actual = error(&text, &[]).summary();
        assert!(actual.starts_with(&format!("a.toml:{summary}")), "{actual}");
    };
    check("kind = \"constant\"", "16:1: missing key `acceleration` in `forces.0`");
    check(
        "kind = \"constant\"\nacceleration = [1, 0]\nstrength = 2",
        "19:12: a force of the kind `constant` has no `strength`",
    );
    check(
        "kind = \"scheduled\"\ntimes = [0, 1, 1]\naccelerations = [[0, 0], [1, 0], [0, 0]]",
        "18:16: the time 1 s comes after 1 s: expected a later time",
    );
    check(
        "kind = \"scheduled\"\ntimes = [0, 1]\naccelerations = [[0, 0]]",
        "19:17: `forces.0` has 2 times and 1 accelerations: expected one for each time",
    );
    check(
        "kind = \"scheduled\"\ntimes = [0, 1]\naccelerations = [[0, 0], [1]]",
        "19:26: `forces.0.accelerations.1` has 1 numbers in a scene of 2 dimensions: expected 2 numbers",
    );
    check(
        "kind = \"constant\"\nacceleration = [1e9, 0]",
        "18:17: `forces.0.acceleration.0` must be a number from -100000 to 100000, but is 1e9",
    );
    check(
        "kind = \"scheduled\"\ntimes = []\naccelerations = []",
        "18:9: `forces.0.times` has 0 items: expected 1 to 36000 numbers",
    );
    for (set, name) in [
        ("fluid.surface_tension=-1", "0 to 1000"),
        ("time_step.fixed_dt=0", "0.000000001 to 1"),
        ("time_step.min_dt=0.01", "time_step.max_dt"),
    ] {
        let summary = error(GOOD, &[set]).summary();
        assert!(summary.contains(set.split('=').next().unwrap()) && summary.contains(name), "{summary}");
    }
}

#[test]
fn emitters_and_drains() {
    let check = |table: &str, summary: &str| {
        assert_eq!(error(&format!("{GOOD}{table}"), &[]).summary(), format!("a.toml:{summary}"));
    };
    let emitter = |keys: &str| format!("[[emitters]]\ncenter = [0, 1]\ndirection = [1, 0]\n{keys}");
    check(
        &emitter("radius = 0.1"),
        "18:1: `emitters.0` has none of `speed`, `speeds`, `flow_rate` or `flow_rates`: expected one of them",
    );
    check(&emitter("speed = 1"), "18:1: `emitters.0` has none of `radius` or `size`: expected one of them");
    check(
        &emitter("radius = 0.1\nspeed = 1\nflow_rate = 1"),
        "18:1: `emitters.0` has more than one of `speed`, `speeds`, `flow_rate` or `flow_rates`: expected one of them",
    );
    check(
        &emitter("radius = 0.1\nspeeds = [[1, 1], [0, 1]]"),
        "22:10: point 1 of a motion is not later than the one before: expected times that ascend",
    );
    check(
        &emitter("radius = 1e9\nspeed = 1"),
        "18:1: emitter 0: its opening is wider than 1000000 particles: expected another value",
    );
    check("[[drains]]\nmin = [0, 0]\nmax = [0, 1]", "20:7: drain 0: its box has no volume: expected another value");
    check("[[drains]]\nmin = [0, 0]", "18:1: missing key `max` in `drains.0`");
    check(
        "[[drains]]\nshape = \"sphere\"\nmin = [0, 0]\nmax = [1, 2]",
        "21:7: a sphere is round, but its box is 1 m by 2 m: expected a box, with `min` below `max`, that the shape fits into",
    );
}

/// Checks the summary of the good scene with a body and these keys of it.
#[track_caller]
fn check_body(keys: &str, summary: &str) {
    let body = "[[bodies]]\nname = 'crate'\nmin = [0.84, 0.5]\nmax = [0.94, 0.6]";
    assert_eq!(error(&format!("{GOOD}{body}\n{}", keys.replace("; ", "\n")), &[]).summary(), format!("a.toml:{summary}"));
}

/// Checks the summary of the same with a joint of these keys, whose `kind` is on line 28, beside a second body, which stands still.
#[track_caller]
fn check_joint(keys: &str, summary: &str) {
    let pillar = "[[bodies]]; name = 'pillar'; min = [0.84, 0.1]; max = [0.94, 0.2]";
    check_body(&format!("dynamics = {{}}; {pillar}; [[joints]]; {keys}"), summary);
}

#[test]
fn motion_by_forces() {
    for key in ["velocity = [1, 0]", "motion = [[0, 0, 0]]", "rotation = { angular_velocity = 90 }"] {
        let name = key.split(' ').next().unwrap();
        let at = 1 + name.len() + 3;
        check_body(
            &format!("{key}; dynamics = {{}}"),
            &format!("22:{at}: `bodies.0` has both `dynamics` and a prescribed motion: expected no such key with `dynamics`"),
        );
    }
    check_body("dynamics = { velocity = [1] }", "22:25: `bodies.0.dynamics.velocity` has 1 item: expected 2 or 3 numbers");
    check_body(
        "dynamics = { restitution = 1.5 }",
        "22:28: `bodies.0.dynamics.restitution` must be a number from 0 to 1, but is 1.5",
    );
    check_body("dynamics = { mass = 0 }", "22:21: `bodies.0.dynamics.mass` must be a number above 0, but is 0");
    check_body(
        "dynamics = { locked = ['w'] }",
        "22:24: `bodies.0.dynamics.locked.0` must be `x`, `y`, `z`, `rotation_x`, `rotation_y` or `rotation_z`, but is `w`",
    );
    check_body("dynamics = { fricton = 1 }", "22:14: unknown key `fricton` in `bodies.0.dynamics`: did you mean `friction`?");
}

#[test]
fn angular_velocities_have_a_number_for_each_axis() {
    let text = "format = 1\n[particles]\nspacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n[[containers]]
min = [0, 0, 0]\nmax = [2, 2, 2]\n[[bodies]]\nmin = [1.2, 1.2, 1.2]\nmax = [1.6, 1.6, 1.6]\ndynamics = { angular_velocity = [90] }";
    let expected = "`bodies.0.dynamics.angular_velocity` has 1 numbers in a scene of 3 dimensions: expected 3 numbers";
    assert_eq!(error(text, &[]).summary(), format!("a.toml:13:33: {expected}"));
}

#[test]
fn ends_of_joints() {
    check_joint(
        "kind = 'hinge'; body = 'crat'; anchor = [0.9, 0.5]",
        "29:8: no body is called `crat`: expected `crate` or `pillar`",
    );
    check_joint(
        "kind = 'ball'; body = 'crate'; to = 'wall'; anchor = [0.9, 0.5]",
        "30:6: no body is called `wall`: expected `crate` or `pillar`",
    );
    check_joint(
        "kind = 'ball'; body = 'crate'; to = 'crate'; anchor = [0.9, 0.5]",
        "30:6: joint 0: both ends are the same body: expected another value",
    );
    check_joint(
        "kind = 'ball'; body = 'pillar'; anchor = [0.9, 0.5]",
        "29:8: joint 0: neither end is a body that moves by forces: expected a body with `dynamics` at one end",
    );
}

#[test]
fn keys_of_joints() {
    check_joint("kind = 'ball'; body = 'crate'", "27:1: missing key `anchor` in `joints.0`");
    check_joint(
        "kind = 'hinge'; body = 'crate'; anchor = [0.9, 0.5]; stiffness = 5",
        "31:13: a joint of the kind `hinge` has no `stiffness`: it has `axis`, `limits` or `motor`",
    );
    check_joint(
        "kind = 'ball'; body = 'crate'; anchor = [0.9, 0.5]; axis = [1, 0]",
        "31:8: a joint of the kind `ball` has no `axis`: expected another `kind`",
    );
    check_joint("kind = 'slider'; body = 'crate'; anchor = [0.9, 0.5]", "27:1: missing key `axis` in `joints.0`");
    check_joint(
        "kind = 'slider'; body = 'crate'; anchor = [0.9, 0.5]; axis = [0, 0]",
        "31:8: joint 0: the axis has no direction: expected another value",
    );
    check_joint(
        "kind = 'slider'; body = 'crate'; anchor = [0.9, 0.5]; axis = [0, 1]; limits = [0.2, 0.1]",
        "32:10: joint 0: the lower limit is above the upper one: expected another value",
    );
    check_joint(
        "kind = 'rope'; body = 'crate'; anchor = [0.9]; to_anchor = [0.9, 0.9]",
        "30:10: `joints.0.anchor` has 1 item: expected 2 or 3 numbers",
    );
    check_joint(
        "kind = 'hing'; body = 'crate'; anchor = [0.9, 0.5]",
        "28:8: `joints.0.kind` must be `hinge`, `ball`, `slider`, `fixed`, `rope` or `spring`, but is `hing`: did you mean `hinge`?",
    );
}

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
        "a.toml:18:8: body 0 is empty along x: 0.004999995 m, but a particle needs 0.02 m: expected at least 0.02 m above `min`",
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
fn angles_are_read_from_a_column_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("a.toml");
    let with = |keys: &str| {
        let body = format!("[[bodies]]\nmin = [0.85, 0.1]\nmax = [0.95, 0.2]\nrotation = {{ {keys} }}\n[grid]\n");
        fs::write(&scene, GOOD.replacen("[grid]\n", &body, 1)).unwrap();
        sph_io::load(&scene, &[]).map_err(|error| error.summary().replace(&format!("{}/", folder.path().display()), ""))
    };
    fs::write(folder.path().join("pitch.csv"), "time,level,angle_deg\n0,0.2,0\n1,0.3,45\n2,0.1,90\n").unwrap();
    let from_file = with("angles_file = \"pitch.csv\", column = \"angle_deg\"").unwrap().setup;
    let inline = with("angles = [[0, 0], [1, 45], [2, 90]]").unwrap().setup;
    assert_eq!(from_file, inline);
    let summary = |keys: &str| with(keys).unwrap_err();
    let pitch = "angles_file = \"pitch.csv\"";
    assert_eq!(
        summary(&format!("{pitch}, column = \"pitch\"")),
        "a.toml:19:28: pitch.csv has no column `pitch`, but `time`, `level` or `angle_deg`: expected rows of a time and an angle"
    );
    assert!(summary(&format!("{pitch}, angular_velocity = 1")).contains("has more than one angle"));
    assert!(
        summary("angular_velocity = 1, column = \"a\"").contains("has a `column`, but no file: expected `angles_file` as well")
    );
    assert!(summary("angles_file = \"none.csv\"").contains("none.csv cannot be read"));
    fs::write(folder.path().join("pitch.csv"), "0,0\n1,45\n1,90\n").unwrap();
    assert!(summary(pitch).contains("pitch.csv has the time 1 s on line 3, not later"), "{}", summary(pitch));
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
         expected one of `angular_velocity`, `angular_velocities`, `angles`, `angles_file` and `oscillation`",
    );
    check(
        "angular_velocity = 1, angles = [[0, 0]]",
        "a.toml:19:12: `bodies.0.rotation` has more than one angle: \
         expected one of `angular_velocity`, `angular_velocities`, `angles`, `angles_file` and `oscillation`",
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
        "a.toml:19:21: in two dimensions body 0 can rotate only about z: expected no `axis`, or one along z",
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
        "a.toml:16:12: container 0 cannot move: analytic walls cannot move: \
         expected a container at rest, or `particles.walls = \"layers\"`"
    );
    assert_eq!(
        summary("velocity = [0, 1]\n[domain]\nperiodic = [\"x\"]\nmin = [0, 0]\nmax = [1, 1]", &[]),
        "a.toml:16:12: container 0 cannot move: the domain is periodic, and the box would leave its faces: \
         expected a container at rest, or no periodic axes"
    );
    assert_eq!(
        summary("slip = \"no_slip\"\nvelocity = [0, 1]\nmoving = [{ face = \"y_max\", velocity = [1, 0] }]", &[]),
        "a.toml:17:12: container 0 cannot move: some of its faces already move within their planes: \
         expected a container at rest, or one without `moving`"
    );
    assert_eq!(
        summary("rotation = { angles = [[0, 10]] }", &[]),
        "a.toml:16:12: container 0 cannot move: its angle at time 0 is not 0: \
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
        "a.toml:18:40: walls can only move within their planes, but this one moves along y: expected 0 along y",
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
        "a.toml:17:63: the face already has a velocity: expected another face",
    );
    check(
        old,
        &moving(&format!("moving = [{lid}]")),
        "a.toml:16:11: a moving wall does not drag fluid that slips along it: expected `slip = \"no_slip\"` in its container",
    );
}
