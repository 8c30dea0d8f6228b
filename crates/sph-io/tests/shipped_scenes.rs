//! Every scene that ships can be loaded, and says what it needs to.

use std::path::{Path, PathBuf};

fn scenes() -> Vec<PathBuf> {
    let scenes = sph_io::list_scenes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes"));
    assert!(scenes.len() >= 5, "{scenes:?}");
    scenes
}

#[test]
fn every_scene_loads_and_has_fluid() {
    for path in scenes() {
        let scene = sph_io::load(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        let counts = scene.setup.particle_counts();
        assert!((1000..50_000).contains(&counts.fluid), "{}: {counts:?}", scene.name);
        assert_eq!(scene.name, path.file_stem().unwrap().to_str().unwrap());
        assert_eq!(scene.path.as_deref(), Some(path.as_path()));
        assert!(!scene.description.is_empty() && scene.title != scene.name, "{} has no title or description", scene.name);
    }
}

#[test]
fn every_scene_can_be_made_coarser_by_one_value() {
    for path in scenes() {
        let spacing = sph_io::load(&path, &[]).unwrap().setup.discretization.particle_spacing;
        let coarser = format!("particles.spacing={}", 2.0 * spacing).parse().unwrap();
        sph_io::load(&path, &[coarser]).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn every_scene_names_its_schema_and_teaches() {
    for path in scenes() {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("#:schema ./scene.schema.json\n"), "{}", path.display());
        assert!(text.lines().filter(|line| line.starts_with('#')).count() >= 3, "{}", path.display());
    }
}

#[test]
fn the_schema_beside_the_scenes_is_the_program_s() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/scene.schema.json");
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, sph_io::json_schema()).unwrap();
    }
    let shipped = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(shipped == sph_io::json_schema(), "scenes/scene.schema.json is out of date: run this test with UPDATE_SCHEMA=1");
}

#[test]
fn the_scenes_are_what_their_comments_say() {
    let scene = |name: &str| {
        let path = scenes().into_iter().find(|path| path.file_stem().unwrap() == name).unwrap();
        sph_io::load(&path, &[]).unwrap()
    };
    let in_the_plane = scene("dam_break_2d").setup;
    assert_eq!(in_the_plane.particle_counts().fluid, 3200);
    let sound_speed = in_the_plane.parameters.fluid.sound_speed;
    assert!((sound_speed - 10.0 * (2.0 * 9.81 * 0.5f32).sqrt()).abs() < 1e-3, "{sound_speed}");
    assert_eq!(scene("double_dam_break").setup.particle_counts().fluid, 20_000);
    assert_eq!(scene("falling_block_2d").setup.particle_counts().fluid, 2400);
}

/// The guide's reference and its examples of errors are the program's.
#[test]
fn the_guide_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = std::fs::read_to_string(root.join("docs/guide/scene-files.md")).unwrap();
    let schema = serde_json::from_str(&sph_io::json_schema()).unwrap();
    // What stands under a heading; keys of other tables may be called the same.
    let section =
        |heading: &str| guide.split_once(&format!("\n### {heading}")).and_then(|(_, rest)| rest.split("\n### ").next());
    let mut count = 0;
    every_key(&schema, "", &mut |table, key| {
        let heading = match table {
            "" => "Top level".to_owned(),
            "fluid.blocks" | "bodies" | "forces" | "containers" | "containers.moving" | "probes" => format!("`[[{table}]]`"),
            table => format!("`[{table}]`"),
        };
        let text = section(&heading).unwrap_or_else(|| panic!("the guide lacks a section {heading}"));
        assert!(text.contains(&format!("\n| `{key}` |")), "the guide's {heading} lacks `{key}`");
        count += 1;
    });
    assert!(count >= 30, "{count} keys in the schema");

    let cube = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(sph_io::parse(cube, "cube.toml", &[]).unwrap().setup.particle_counts().fluid, 1000);
    let misspelt = sph_io::parse(&cube.replace("spacing", "spaceing"), "cube.toml", &[]).unwrap_err();
    let zero = sph_io::parse(cube, "cube.toml", &["grid.table_size=0".parse().unwrap()]).unwrap_err();
    for error in [misspelt, zero] {
        assert!(guide.contains(&format!("```text\n{error}\n```")), "the guide should show:\n{error}");
    }
}

/// Calls `visit` with the table and the name of every key that has a value of its own.
fn every_key(schema: &serde_json::Value, table: &str, visit: &mut impl FnMut(&str, &str)) {
    for (key, inner) in schema["properties"].as_object().unwrap() {
        let inner = if inner["items"]["properties"].is_object() { &inner["items"] } else { inner };
        if inner["properties"].is_object() {
            let path = if table.is_empty() { key.clone() } else { format!("{table}.{key}") };
            every_key(inner, &path, visit);
        } else {
            visit(table, key);
        }
    }
}
