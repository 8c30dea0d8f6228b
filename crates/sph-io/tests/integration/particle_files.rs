//! Fluid from particle files: an export is the start of another run, files are placed as the scene says, and faults name file and place.

use glam::Vec3;
use sph_core::{Engine, Simulation};
use sph_io::export::{Attributes, FrameExport, Part, ParticleFormat, Series};
use std::path::Path;

/// A column of water that falls, in a tank that the test may take away.
const COLUMN: &str = "format = 1\nparticles.spacing = 0.1\n[[containers]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
const BLOCK: &str = "[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.4, 0.6, 0.4]\n";

/// Writes `scene` into `folder`, and reads it.
fn load(folder: &Path, scene: &str) -> Result<sph_io::Scene, sph_io::SceneError> {
    let file = folder.join("scene.toml");
    std::fs::write(&file, scene).unwrap();
    sph_io::load(&file, &[])
}

/// A simulation of the column after ten steps, exported into `folder` as `frame_000000` in both formats.
fn exported(folder: &Path) -> Simulation {
    let mut simulation = Simulation::new(&load(folder, &format!("{COLUMN}{BLOCK}")).unwrap().setup).unwrap();
    for _ in 0..10 {
        Engine::step(&mut simulation);
    }
    for format in [ParticleFormat::Ply, ParticleFormat::Bgeo] {
        Series::new(format, Part::Fluid, folder, Attributes::default()).write(0, &simulation.view()).unwrap();
    }
    simulation
}

#[test]
fn an_export_is_the_start_of_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let simulation = exported(folder.path());
    let order = simulation.particles().order_by_id();
    let of = |vectors: &[Vec3]| order.iter().map(|&index| vectors[index as usize]).collect::<Vec<_>>();
    for name in ["frame_000000.ply", "frame_000000.bgeo"] {
        let scene = load(folder.path(), &format!("{COLUMN}[[fluid.particles]]\nfile = \"{name}\"\n")).unwrap();
        let set = &scene.setup.particle_sets[0];
        assert_eq!(set.positions(), of(&simulation.particles().positions), "{name}");
        assert_eq!(set.velocities(), of(&simulation.particles().velocities), "{name}");
        assert_eq!(scene.setup.review(), []);
        // What checkpoints hold, and no output may replace.
        assert!(scene.files.paths().any(|path| path.ends_with(name)));
        let again = Simulation::new(&scene.setup).unwrap();
        assert_eq!(again.particles().len(), order.len());
    }
}

#[test]
fn particles_are_scaled_turned_and_moved() {
    let folder = tempfile::tempdir().unwrap();
    let header = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nproperty float vx\n\
                  property float vy\nproperty float vz\nend_header\n";
    std::fs::write(folder.path().join("one.ply"), format!("{header}0.1 0.2 0.3 1 2 3\n")).unwrap();
    let placed =
        "scale = [2, 1, 1]\norientation = { axis = [0, 0, 1], angle = 90 }\ntranslation = [1, 0, 0]\nvelocity = [0, 0, 10]\n";
    let text = format!("format = 1\nparticles.spacing = 0.1\n[[fluid.particles]]\nfile = \"one.ply\"\n{placed}");
    let set = &load(folder.path(), &text).unwrap().setup.particle_sets[0];
    // (0.2, 0.2, 0.3) turned by a quarter about z is (−0.2, 0.2, 0.3).
    assert!(set.positions()[0].abs_diff_eq(Vec3::new(0.8, 0.2, 0.3), 1e-6), "{:?}", set.positions());
    assert!(set.velocities()[0].abs_diff_eq(Vec3::new(-2.0, 1.0, 13.0), 1e-5), "{:?}", set.velocities());
}

#[test]
fn faults_name_the_file_and_the_place() {
    let folder = tempfile::tempdir().unwrap();
    exported(folder.path());
    let error = |table: &str| {
        let error = load(folder.path(), &format!("{COLUMN}[[fluid.particles]]\n{table}")).unwrap_err();
        error.summary().replace(&format!("{}/", folder.path().display()), "")
    };
    assert!(
        error("file = \"none.bgeo\"").starts_with("scene.toml:7:8: none.bgeo cannot be read"),
        "{}",
        error("file = \"none.bgeo\"")
    );
    let format =
        "scene.toml:7:8: scene.toml has an unknown format: expected .bgeo, .bhclassic or .ply: expected a file of particles";
    assert_eq!(error("file = \"scene.toml\""), format);
    let bytes = std::fs::read(folder.path().join("frame_000000.bgeo")).unwrap();
    std::fs::write(folder.path().join("cut.bgeo"), &bytes[..bytes.len() / 2]).unwrap();
    assert!(error("file = \"cut.bgeo\"").contains("cut.bgeo ends within point 4"), "{}", error("file = \"cut.bgeo\""));
    let outside = error("file = \"frame_000000.ply\"\ntranslation = [0.9, 0, 0]");
    assert!(outside.contains("particle file 0: particle ") && outside.contains("is outside every container"), "{outside}");
}
