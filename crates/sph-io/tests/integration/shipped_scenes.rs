//! Every shipped scene loads, has the text that scenes need, and is in the gallery.

use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn scenes() -> Vec<PathBuf> {
    let scenes = sph_io::list_scenes(&repository().join("scenes"));
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

/// Scenes that are too large to run in a test.
#[test]
fn the_scenes_of_benchmarks_load() {
    let scenes = sph_io::list_scenes(&repository().join("scenes/bench"));
    let load = |path: &PathBuf| sph_io::load(path, &[]).unwrap_or_else(|error| panic!("{error}"));
    let largest = scenes.iter().map(|path| load(path).setup.particle_counts().fluid).max();
    assert_eq!(largest, Some(1_000_000), "{scenes:?}");
}

#[test]
fn the_gallery_shows_every_scene_and_its_command() {
    let docs = repository().join("docs");
    let gallery = std::fs::read_to_string(docs.join("gallery.md")).unwrap();
    for path in scenes() {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let scene = sph_io::load(&path, &[]).unwrap();
        let text = format!("### {}\n{}\n", scene.title, scene.description);
        let command = format!("sph render scenes/{name}.toml ");
        for part in [text, command, picture(name)] {
            assert!(gallery.contains(&part), "docs/gallery.md does not have {part:?}");
        }
        assert!(docs.join(picture(name)).is_file(), "there is no docs/{}", picture(name));
    }
}

fn picture(name: &str) -> String {
    format!("pictures/gallery/{name}.png")
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
    assert_eq!(scene("oil_on_water_2d").setup.particle_counts().fluid, 2320);
    let unstable = scene("rayleigh_taylor_2d").setup;
    assert_eq!(unstable.particle_counts().fluid, 5000);
    // Re = √(gL³)/ν.
    assert!((1.0 / unstable.parameters.fluid.kinematic_viscosity / 420.0 - 1.0).abs() < 1e-3);
}
