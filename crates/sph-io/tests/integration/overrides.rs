//! Overrides of a scene: bad ones with the place of each error, and good ones.

use crate::bad::{GOOD, error};

/// Checks the summary of the good scene with an override, which it begins with.
#[track_caller]
fn check_set(set: &str, summary: &str) {
    assert_eq!(error(GOOD, &[set]).summary(), format!("--set {set}: {summary}"));
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
