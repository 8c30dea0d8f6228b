//! The schema beside the scenes, and the reference and the errors in the guide, are those of the program.

use std::path::{Path, PathBuf};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Compares a file with `expected`, made from its present text; rewrites it first if `UPDATE_REFERENCE` is set.
fn check(name: &str, expected: impl Fn(&str) -> String) {
    let current = std::fs::read_to_string(path(name)).unwrap_or_default();
    let expected = expected(&current);
    if std::env::var_os("UPDATE_REFERENCE").is_some() {
        std::fs::write(path(name), &expected).unwrap();
    } else {
        assert!(
            current == expected,
            "{name} is out of date: UPDATE_REFERENCE=1 cargo test -p sph-io --test integration reference rewrites it"
        );
    }
}

#[test]
fn the_schema_beside_the_scenes() {
    check("scenes/scene.schema.json", |_| sph_io::json_schema());
}

#[test]
fn the_keys_in_the_guide() {
    check("docs/guide/scene-files.md", |guide| {
        let tables = sph_io::reference();
        assert_eq!(guide.matches("<!-- keys: ").count(), tables.len(), "a table of keys too many or too few");
        tables.into_iter().fold(guide.to_owned(), |guide, (table, keys)| {
            let name = if table.is_empty() { "top level" } else { &table };
            let marker = format!("<!-- keys: {name} (generated) -->\n");
            let (before, rest) = guide.split_once(&marker).unwrap_or_else(|| panic!("the guide lacks {marker}"));
            let (_, after) = rest.split_once("<!-- end -->").expect("an end of the table");
            format!("{before}{marker}\n{keys}\n<!-- end -->{after}")
        })
    });
}

#[test]
fn the_errors_in_the_guide() {
    let guide = std::fs::read_to_string(path("docs/guide/scene-files.md")).unwrap();
    let cube = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(sph_io::parse(cube, "cube.toml", &[]).unwrap().setup.particle_counts().fluid, 1000);
    let misspelt = sph_io::parse(&cube.replace("spacing", "spaceing"), "cube.toml", &[]).unwrap_err();
    let zero = sph_io::parse(cube, "cube.toml", &["grid.table_size=0".parse().unwrap()]).unwrap_err();
    for error in [misspelt, zero] {
        assert!(guide.contains(&format!("```text\n{error}\n```")), "the guide should show:\n{error}");
    }
}
