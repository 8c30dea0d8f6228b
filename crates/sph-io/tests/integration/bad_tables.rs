//! Bad values in the tables of a scene, fluid, probes, velocity fields, domain and forces: each error shows the place and the
//! value that was expected there.

use crate::bad::check::check;
use crate::bad::{GOOD, error};

#[test]
fn fluid() {
    let without_blocks = GOOD.lines().take(6).collect::<Vec<_>>().join("\n");
    let error = error(&without_blocks, &[]);
    let expected =
        "there is no fluid: a scene needs at least one block or emitter: expected `[[fluid.blocks]]` or `[[emitters]]`";
    assert_eq!(error.summary(), format!("a.toml:5:1: {expected}"));
    check(
        "max = [0.5, 0.4]",
        "max = [0.5, 0.0]",
        "a.toml:9:13: fluid block 0 is empty along y: 0 m, where a particle takes 0.02 m: expected at least 0.02 m above `min`",
    );
    check(
        "max = [0.8, 0.4]",
        "max = [0.5, 0.4]",
        "a.toml:12:8: fluid block 1 is empty along x: -0.100000024 m, where a particle takes 0.02 m: `max` is below `min` along x: are they swapped?",
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
        "20:8: `probes.0.kind` must be `pressure`, `density`, `water_height`, `front`, `velocity`, `region`, `flux`, `energy`, `force`, `motion` or `wall_force`, but is `presure`: did you mean `pressure`?",
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
        check(half, "18:1: a gauge with a `diameter` above 0 lies in a `face` of the tank: expected both keys or neither");
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
        "a.toml:19:8: the domain repeats after 0.1 m along x, less than three support radii (0.12 m): expected at least 0.12 m above `min`"
    );
    assert_eq!(
        summary("min = [0, 0]\nmax = [0.99, 0]"),
        "a.toml:19:8: the domain repeats after 0.99 m along x, which is not a whole number of particles of 0.02 m: expected 0.98 or 1 m above `min`"
    );
    assert_eq!(
        summary("min = [0.1, 0]\nmax = [1, 0]"),
        "a.toml:13:1: container 0 does not go from one periodic face to the other along x: expected a box from 0.1 to 1 m along x"
    );
    let open = domain("min = [0, 0]\nmax = [0.7, 0]").replace("[[containers]]\nmin = [0.0, 0.0]\nmax = [1.0, 1.0]\n", "");
    assert_eq!(
        error(&open, &[]).summary(),
        "a.toml:10:1: fluid block 1 reaches out of the periodic domain along x: expected a box from 0 to 0.7 m along x"
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
