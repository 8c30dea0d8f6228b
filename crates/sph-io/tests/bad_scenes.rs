//! Bad input: each error shows the place and the value that was expected there.

mod bad;
#[path = "bad/check.rs"]
mod check;

use bad::{GOOD, error};
use check::check;
use std::fs;
use std::path::Path;

#[test]
fn the_good_scene_loads() {
    assert!(sph_io::parse(GOOD, "a", &[]).is_ok());
    // Also with a byte order mark, Windows' line ends, and tables written in line.
    assert!(sph_io::parse(&format!("\u{feff}{GOOD}"), "a", &[]).is_ok());
    assert!(sph_io::parse(&GOOD.replace('\n', "\r\n"), "a", &[]).is_ok());
    let inline = GOOD.replace("[particles]\nspacing = 0.02", "particles = { spacing = 0.02 }");
    assert!(sph_io::parse(&inline, "a", &[]).is_ok());
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
fn a_report_has_place_caret_and_expectation() {
    let text = GOOD.replace("hash =", "tabel_size = 100\nhash =");
    let expected = "\
error: unknown key `tabel_size` in `grid`
  --> a.toml:17:1
   |
17 | tabel_size = 100
   | ^^^^^^^^^^ did you mean `table_size`?";
    let error = error(&text, &[]);
    assert_eq!(error.report(false), expected);
    assert_eq!(error.to_string(), expected);
    assert_eq!(error.line_and_column(), Some((17, 1)));
    assert!(error.report(true).contains("\u{1b}["));
}

#[test]
fn several_problems_are_shown_in_order() {
    let text = GOOD.replace("spacing = 0.02", "spacing = true").replace("\"muller\"", "\"mueller\"");
    let error = error(&text, &[]);
    assert_eq!(
        error.summary(),
        "a.toml:4:11: `particles.spacing` must be a number, but is true or false: expected a number above 0 (and 1 more)"
    );
    let report = error.report(false);
    let (first, second) = report.split_once("\n\n").unwrap();
    assert!(first.contains("4 | spacing = true") && second.contains("did you mean `muller`?"), "{report}");
    let many = (0..1000).fold(GOOD.to_owned(), |text, index| format!("{text}key_{index} = 1\n"));
    let report = self::error(&many, &[]).report(false);
    assert_eq!(report.matches("error:").count(), 10);
    assert!(report.ends_with("and 990 more"));
}

#[test]
fn keys() {
    check("spacing", "Spacing", "a.toml:4:1: unknown key `Spacing` in `particles`: did you mean `spacing`?");
    check("spacing = 0.02", "", "a.toml:3:1: missing key `spacing` in `particles`");
    check("[grid]", "[gird]", "a.toml:16:2: unknown key `gird`: did you mean `grid`?");
    check(
        "[grid]",
        "[grid]\nspacing = 1",
        "a.toml:17:1: unknown key `spacing` in `grid`: expected `bucket_capacity`, `cell_size`, `hash`, `registration`, `storage`, `structure`, `table_size`, `update` or `walk`",
    );
    let text = GOOD.replace("[grid]", "[grid]\nspacing = 1");
    assert!(error(&text, &[]).report(false).contains("there is a key `particles.spacing`: does this belong there?"));
    let text = GOOD.replace("[grid]", "[grid]\ngravity = 1");
    assert!(error(&text, &[]).report(false).contains("`gravity` is a key of the top level"));
}

#[test]
fn types() {
    check("0.02", "\"fine\"", "a.toml:4:11: `particles.spacing` must be a number, but is a string: expected a number above 0");
    check(
        "[0.0, 0.0]",
        "0.0",
        "a.toml:8:7: `fluid.blocks.0.min` must be an array, but is a number with a fraction: expected 2 or 3 numbers",
    );
    check("[0.0, 0.0]", "[0.0, '0']", "a.toml:8:13: `fluid.blocks.0.min.1` must be a number, but is a string");
    check(
        "dimensions = 2",
        "dimensions = 2.0",
        "a.toml:2:14: `dimensions` must be a whole number, but is a number with a fraction: expected `2` or `3`",
    );
    check(
        "\"muller\"",
        "1979-05-27",
        "a.toml:17:8: `grid.hash` must be a string, but is a date: expected `muller`, `teschner`, `morton` or `mix`",
    );
    check("[grid]", "[view]\neye = [1.0, 2.0]\n[grid]", "a.toml:17:7: `view.eye` has 2 items: expected 3 numbers");
}

#[test]
fn numbers() {
    check("0.02", "-0.02", "a.toml:4:11: `particles.spacing` must be a number above 0, but is -0.02");
    check("0.02", "0", "a.toml:4:11: `particles.spacing` must be a number above 0, but is 0");
    check("0.02", "nan", "a.toml:4:11: `particles.spacing` must be a finite number, but is nan: expected a number above 0");
    check("0.02", "1e300", "a.toml:4:11: `particles.spacing` is beyond ±3.4e38: 1e300: expected a number above 0");
    check("0.02", "1e-60", "a.toml:4:11: particles.spacing must be above 0 (m), but is 0");
    check("0.4]", "inf]", "a.toml:9:13: `fluid.blocks.0.max.1` must be a finite number, but is inf: expected a number");
    check("dimensions = 2", "dimensions = 4", "a.toml:2:14: `dimensions` must be `2` or `3`, but is 4");
    let huge = "99999999999999999999999999";
    check(
        "= 2\n",
        &format!("= {huge}\n"),
        &format!("a.toml:2:14: `dimensions` does not fit into 64 bits: {huge}: expected `2` or `3`"),
    );
    check(
        "[grid]",
        "[time_step]\ncfl_factor = 1.5\n[grid]",
        "a.toml:17:14: `time_step.cfl_factor` must be a number above 0 and at most 1, but is 1.5",
    );
    check(
        "[grid]",
        "[grid]\ncell_size = 1",
        "a.toml:17:13: grid.cell_size must be 0.25 to 4 support radii (m), but is 1: expected 0.01 to 0.16 m",
    );
}

#[test]
fn names() {
    check(
        "muller",
        "tschner",
        "a.toml:17:8: `grid.hash` must be `muller`, `teschner`, `morton` or `mix`, but is `tschner`: did you mean `teschner`?",
    );
    check("muller", "md5", "a.toml:17:8: `grid.hash` must be `muller`, `teschner`, `morton` or `mix`, but is `md5`");
    check(
        "[grid]",
        "open = ['y_max', 'top']\n[grid]",
        "a.toml:16:18: `containers.0.open.1` must be `x_min`, `x_max`, `y_min`, `y_max`, `z_min` or `z_max`, but is `top`",
    );
}

#[test]
fn fluid() {
    let without_blocks = GOOD.lines().take(6).collect::<Vec<_>>().join("\n");
    let error = error(&without_blocks, &[]);
    assert_eq!(error.summary(), "a.toml:5:1: missing key `blocks` in `fluid`");
    assert!(error.report(false).contains("each under `[[fluid.blocks]]`; at least one"));
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
        "20:8: `probes.0.kind` must be `pressure`, `water_height`, `front`, `velocity`, `energy` or `force`, but is `presure`: did you mean `pressure`?",
    );
    check(r#"name = "p"; kind = "energy"; att = [0, 0]"#, "21:1: unknown key `att` in `probes.0`: did you mean `at`?");
    check(r#"name = "p"; kind = "pressure""#, "18:1: missing key `at` in `probes.0`");
    check(
        r#"name = "p"; kind = "energy"; at = [0, 0]"#,
        "21:6: a probe of the kind `energy` has no `at`: expected no such key",
    );
    check(
        r#"name = "p"; kind = "front"; toward = "x_max"; points = 5"#,
        "22:10: a probe of the kind `front` has no `points`: it has `toward`",
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
    check(r#"center = [0, 0]"#, "29: a velocity field of the kind `none` has no `center`: expected a `kind` beside it");
    check(
        r#"kind = "standing_wave", amplitude = 0.1, wavelength = 0"#,
        "74: `fluid.blocks.0.velocity_field.wavelength` must be a number above 0, but is 0",
    );
}

#[test]
fn a_billion_particles_are_refused_before_they_are_made() {
    let text = "format = 1\nparticles.spacing = 0.001\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
    let report = error(text, &[]).report(false);
    assert!(report.starts_with("error: 1,000,000,000 particles are too many: at most 20,000,000 are possible"), "{report}");
    assert!(
        report.contains(
            "particles.spacing = 0.001\n  |                     ^^^^^ needs about 1.5 TB of memory, this machine has "
        ),
        "{report}"
    );
    assert!(report.contains("help: a spacing of about 0.00"), "{report}");
    let countless = text.replace("0.001", "1e-30");
    assert!(error(&countless, &[]).summary().contains("more particles than can be counted"));
    // Wall particles count too: one drop in a large container.
    let hall = text.replace("max = [1, 1, 1]", "max = [0.01, 0.01, 0.01]\n[[containers]]\nmin = [0, 0, 0]\nmax = [50, 50, 50]");
    assert!(error(&hall, &[]).summary().contains("particles are too many"));
}

#[test]
fn formats() {
    check(
        "format = 1",
        "format = 2\nnew_key = 1",
        "a.toml:1:10: format 2 is not supported: this program reads format 1: expected `format = 1`",
    );
    check(
        "format = 1",
        "format = '1'",
        "a.toml:1:10: format `1` is not supported: this program reads format 1: expected `format = 1`",
    );
    check("format = 1", "", "a.toml:1:1: missing key `format`: this may not be a scene file: expected `format = 1`");
    assert_eq!(error("", &[]).line_and_column(), Some((1, 1)));
    assert_eq!(error("\n\n\n", &[]).line_and_column(), Some((1, 1)));
}

#[test]
fn text_that_is_not_toml() {
    check("[grid]", "[grid", "a.toml:16:6: not valid TOML: unclosed table, expected `]`");
    check("[grid]", "[grid]\nhash = 'muller'", "a.toml:18:1: not valid TOML: duplicate key");
    check("\"muller\"", "\"mul", "a.toml:17:12: not valid TOML: invalid basic string, expected `\"`");
    // Truncated at every byte: a smaller scene, or an error with a place in the file.
    for end in 0..GOOD.len() {
        if let Err(error) = sph_io::parse(&GOOD[..end], "a.toml", &[]) {
            assert!(error.line_and_column().is_some_and(|(line, column)| line <= 17 && column <= 23), "{error}");
        }
    }
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(error(&deep, &[]).summary().contains("not valid TOML"));
    assert!(error(&"a.".repeat(100_000), &[]).summary().contains("not valid TOML"));
}

#[test]
fn files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let summary = |path: &Path| {
        let error = sph_io::load(path, &[]).unwrap_err();
        let summary = error.summary();
        assert!(summary.starts_with(&path.display().to_string()), "{summary}");
        summary[path.display().to_string().len()..].to_owned()
    };
    fs::write(path("dam_break.toml"), GOOD).unwrap();
    assert_eq!(sph_io::load(&path("dam_break.toml"), &[]).unwrap().name, "dam_break");

    assert_eq!(summary(&path("dam_brake.toml")), ": there is no such file");
    let report = sph_io::load(&path("dam_brake.toml"), &[]).unwrap_err().report(false);
    assert!(report.contains("help: did you mean ") && report.contains("dam_break.toml?"), "{report}");
    assert_eq!(summary(&path("no/such/folder.toml")), ": there is no such file");
    assert_eq!(summary(folder.path()), ": is a directory: a scene is a file");
    assert_eq!(summary(&path("dam_break.toml/x")).split(':').count(), 3);

    fs::write(path("binary.toml"), b"format = 1\n\x89PNG\r\n\x1a\n").unwrap();
    assert_eq!(summary(&path("binary.toml")), ": is not text: the byte at offset 11 (0x89) is not UTF-8");
    fs::write(path("zeros.toml"), [0; 5000]).unwrap();
    assert_eq!(summary(&path("zeros.toml")), ": is not text: the byte at offset 0 is zero");
    fs::write(path("large.toml"), "#".repeat((1 << 20) + 1)).unwrap();
    assert_eq!(summary(&path("large.toml")), ": is larger than 1 MiB, too large for a scene file");
    fs::write(path("nearly.toml"), format!("{GOOD}#{}", "x".repeat((1 << 20) - GOOD.len() - 1))).unwrap();
    assert!(sph_io::load(&path("nearly.toml"), &[]).is_ok());
    fs::write(path("empty.toml"), "").unwrap();
    assert!(summary(&path("empty.toml")).starts_with(":1:1: missing key `format`"));
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
