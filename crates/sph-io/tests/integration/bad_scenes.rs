//! Bad files, text, keys and types: each error shows the place and the value that was expected there. The good scene to spoil, which
//! other tests use too.

use sph_io::{Override, SceneError};
use std::fs;
use std::path::Path;

/// A scene that loads.
pub const GOOD: &str = r#"format = 1
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

/// Error of a scene with overrides.
///
/// # Panics
/// If the scene loads.
pub fn error(text: &str, sets: &[&str]) -> SceneError {
    let overrides: Vec<Override> = sets.iter().map(|set| set.parse().unwrap()).collect();
    match sph_io::parse(text, "a.toml", &overrides) {
        Ok(_) => panic!("accepted:\n{text}\n{sets:?}"),
        Err(error) => error,
    }
}

/// Checks the summary of the good scene with `old` replaced by `new`.
#[track_caller]
pub fn check(old: &str, new: &str, summary: &str) {
    assert!(GOOD.contains(old), "{old}");
    assert_eq!(error(&GOOD.replacen(old, new, 1), &[]).summary(), summary);
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

/// One letter decides between what all balls have in common and a set of them.
#[test]
fn a_list_in_place_of_the_table_of_settings() {
    for key in ["ball", "cloth"] {
        let text = format!("format = 1\nparticles.spacing = 0.1\n[[{key}]]\nradius = 0.1\n");
        let expected = format!("a.toml:3:1: `{key}` is one table, but is given as a list: did you mean `[[{key}s]]`?");
        assert_eq!(error(&text, &[]).summary(), expected);
    }
}

#[test]
fn types() {
    check("0.02", "\"fine\"", "a.toml:4:11: `particles.spacing` must be a number, but is a string: expected a number above 0");
    check(
        "[0.0, 0.0]",
        "0.0",
        "a.toml:8:7: `fluid.blocks.0.min` must be an array, but is a floating-point number: expected 2 or 3 numbers",
    );
    check("[0.0, 0.0]", "[0.0, '0']", "a.toml:8:13: `fluid.blocks.0.min.1` must be a number, but is a string");
    check(
        "dimensions = 2",
        "dimensions = 2.0",
        "a.toml:2:14: `dimensions` must be a whole number, but is a floating-point number: expected `2` or `3`",
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
        "[time_step]\ncfl_factor = 2.5\n[grid]",
        "a.toml:17:14: `time_step.cfl_factor` must be a number above 0 and at most 1.5, but is 2.5",
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
fn a_billion_particles_are_refused_before_they_are_made() {
    let text = "format = 1\nparticles.spacing = 0.001\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
    let report = error(text, &[]).report(false);
    assert!(report.starts_with("error: 1,000,000,000 particles are too many: at most 20,000,000 are possible"), "{report}");
    assert!(report.contains("particles.spacing = 0.001\n  |                     ^^^^^ needs about "), "{report}");
    assert!(report.contains("help: a spacing of about 0.00"), "{report}");
    let countless = text.replace("0.001", "1e-30");
    assert!(error(&countless, &[]).summary().contains("too many particles to count"));
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
    assert_eq!(
        summary(&path("binary.toml")),
        ":2:1: the file is not text: byte 11 is 0x89, which is not UTF-8 text: expected a scene as text"
    );
    fs::write(path("zeros.toml"), [0; 5000]).unwrap();
    assert_eq!(
        summary(&path("zeros.toml")),
        ":1:1: the file is not text: byte 0 is 0x00, which is not UTF-8 text: expected a scene as text"
    );
    fs::write(path("latin.toml"), b"format = 1\ntitle = \"caf\xe9\"\n").unwrap();
    assert!(summary(&path("latin.toml")).starts_with(":2:13: the file is not text"), "{}", summary(&path("latin.toml")));
    fs::write(path("large.toml"), "#".repeat((1 << 20) + 1)).unwrap();
    assert_eq!(summary(&path("large.toml")), ": is larger than 1 MiB, too large for a scene file");
    fs::write(path("nearly.toml"), format!("{GOOD}#{}", "x".repeat((1 << 20) - GOOD.len() - 1))).unwrap();
    assert!(sph_io::load(&path("nearly.toml"), &[]).is_ok());
    fs::write(path("empty.toml"), "").unwrap();
    assert!(summary(&path("empty.toml")).starts_with(":1:1: missing key `format`"));
}
