//! Bad input: each error shows the place and the value that was expected there.

use sph_io::{Override, SceneError};
use std::fs;
use std::path::Path;

const GOOD: &str = r#"format = 1
dimensions = 2
[particles]
spacing = 0.02
[fluid]
rest_density = 1000.0
[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.5, 0.4]
[[fluid.blocks]]
min = [0.6, 0.0]
max = [0.8, 0.4]
[[containers]]
min = [0.0, 0.0]
max = [1.0, 1.0]
[grid]
hash = "muller"
"#;

fn error(text: &str, sets: &[&str]) -> SceneError {
    let overrides: Vec<Override> = sets.iter().map(|set| set.parse().unwrap()).collect();
    match sph_io::parse(text, "a.toml", &overrides) {
        Ok(_) => panic!("accepted:\n{text}\n{sets:?}"),
        Err(error) => error,
    }
}

/// Checks the summary of the good scene with `old` replaced by `new`.
#[track_caller]
fn check(old: &str, new: &str, summary: &str) {
    assert!(GOOD.contains(old), "{old}");
    assert_eq!(error(&GOOD.replacen(old, new, 1), &[]).summary(), summary);
}

/// Checks the summary of the good scene with an override, which it begins with.
#[track_caller]
fn check_set(set: &str, summary: &str) {
    assert_eq!(error(GOOD, &[set]).summary(), format!("--set {set}: {summary}"));
}

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
fn overrides() {
    check_set("grid.tabel_size=3", "unknown key `grid.tabel_size`: did you mean `grid.table_size`?");
    check_set("gird.table_size=3", "unknown key `gird.table_size`: did you mean `grid`?");
    check_set("table_size=3", "unknown key `table_size`: did you mean `grid.table_size`?");
    check_set("a.b.c=3", "unknown key `a.b.c`: no scene has this key");
    check_set("grid..hash=3", "unknown key `grid..hash`: did you mean `grid.hash`?");
    check_set("grid.hash.x=3", "unknown key `grid.hash.x`: did you mean `grid.hash`?");
    check_set("grid.table_size=0", "`grid.table_size` must be a whole number from 1 to 16777216, but is 0");
    check_set(
        "grid.table_size=ten",
        "`grid.table_size` must be a whole number, but is a string: expected a whole number from 1 to 16777216",
    );
    check_set(
        "grid.hash=teschnr",
        "`grid.hash` must be `muller`, `teschner`, `morton` or `mix`, but is `teschnr`: did you mean `teschner`?",
    );
    check_set("particles.spacing=-1", "`particles.spacing` must be a number above 0, but is -1");
    let many = error(GOOD, &["particles.spacing=1e-9"]).summary();
    assert!(many.contains("particles are too many: at most 20,000,000 are possible: needs more than 18 EB"), "{many}");
    check_set("gravity=[0, -9", "not valid TOML: unclosed array, expected `]`");
    check_set("fluid.blocks.2.max=[1, 1]", "there is no item 2: the array has 2, counted from 0: the scene has no such value");
    check_set("fluid.blocks.max=[1, 1]", "`fluid.blocks` is an array: expected the number of an item, from 0");
    check_set("fluid.blocks.1.max.1=2.5", "fluid block 1 is not inside any container: the container ends at y = 1 m");
    check_set("grid={ hsh = 3 }", "unknown key `hsh` in `grid`: did you mean `hash`?");
    let report = error(GOOD, &["grid.hash=teschner", "grid.tabel_size=3"]).report(false);
    let expected = "\
error: unknown key `grid.tabel_size`
 --> command line:1:12
  |
1 | --set grid.tabel_size=3
  |            ^^^^^^^^^^ did you mean `grid.table_size`?";
    assert_eq!(report, expected);
    // An override may cause an error at another place.
    let elsewhere = error(GOOD, &["containers.0.max=[0.7, 0.9]", "grid.hash=teschner"]);
    let note = "= note: with --set containers.0.max=[0.7, 0.9] --set grid.hash=teschner";
    assert!(elsewhere.line_and_column().is_some() && elsewhere.report(false).contains(note), "{elsewhere}");
    assert!(!error(GOOD, &["fluid.blocks.1.max.1=2.5"]).report(false).contains("note"));
    // Arrays and tables on the path of an override must be there and have the right type.
    let no_containers = GOOD.replace("[[containers]]", "[run]").replace("min = [0.0, 0.0]\nmax = [1.0, 1.0]", "");
    let missing = error(&no_containers, &["containers.0.max=[2, 2]"]).summary();
    assert_eq!(missing, "--set containers.0.max=[2, 2]: there is no item 0 to change: the scene has no such value");
    let not_a_table = GOOD.replace("[grid]\nhash = \"muller\"\n", "").replace("format = 1", "format = 1\ngrid = 3");
    assert!(error(&not_a_table, &["grid.hash=teschner"]).summary().contains("neither a table nor an array"));
}

#[test]
fn valid_overrides() {
    let overrides = [
        "grid.hash=teschner",
        "grid.table_size=97",
        "run.duration=0.5",
        "view.color=pressure",
        "title=A drop",
        "fluid.blocks.1.max.1=0.3",
        "gravity=[0, -1.62]",
    ];
    let overrides = overrides.map(|text| text.parse().unwrap());
    let scene = sph_io::parse(GOOD, "a", &overrides).unwrap();
    assert_eq!(scene.setup.parameters.grid.hash.name(), "teschner");
    assert_eq!(scene.setup.parameters.grid.table_size, 97);
    assert_eq!((scene.duration, scene.view.color), (0.5, sph_io::ColorField::Pressure));
    assert_eq!(scene.title, "A drop");
    assert_eq!(scene.setup.blocks[1].max.y, 0.3);
    assert_eq!(scene.setup.parameters.gravity.y, -1.62);
    // The last override counts, and an override can replace a wrong or missing value.
    let twice = ["run.duration=1", "run.duration=3"].map(|text| text.parse().unwrap());
    assert_eq!(sph_io::parse(GOOD, "a", &twice).unwrap().duration, 3.0);
    let mended = ["particles.spacing=0.04".parse().unwrap()];
    assert!(sph_io::parse(&GOOD.replace("spacing = 0.02", ""), "a", &mended).is_ok());
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
