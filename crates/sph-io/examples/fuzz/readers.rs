//! The readers of files, each as a function from a file to its outcome in words.
//!
//! An accepted input is pushed further: its forecast and its remarks, and with few particles a step of the simulation and its probes.

use sph_core::probes::Instruments;
use sph_core::{Engine, Simulation, State};
use sph_io::{Checkpoint, Scene, SceneError};
use std::path::Path;

/// Largest number of particles of a simulation that takes a step.
const MOST_PARTICLES: u64 = 4000;

/// A reader of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Scene files.
    Scene,
    /// Scenes of SPlisHSPlasH.
    Import,
    /// Meshes, as a scene names them.
    Mesh,
    /// Files of particles, as a scene names them.
    Particles,
    /// Checkpoints.
    Checkpoint,
}

impl Reader {
    /// All readers.
    pub const ALL: [Self; 5] = [Self::Scene, Self::Import, Self::Mesh, Self::Particles, Self::Checkpoint];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scene => "scene",
            Self::Import => "import",
            Self::Mesh => "mesh",
            Self::Particles => "particles",
            Self::Checkpoint => "checkpoint",
        }
    }

    /// Reads `file`. The outcome is the same for files that are alike: names and numbers are left out of it.
    ///
    /// # Panics
    /// If there is a fault in the reader.
    pub fn read(self, file: &Path) -> String {
        without_particulars(&match self {
            Self::Scene => loaded(sph_io::load(file, &[])),
            Self::Import => match sph_io::import(file, None) {
                Ok(imported) => {
                    assert!(imported.text.parse::<toml::Table>().is_ok(), "an import is no TOML:\n{}", imported.text);
                    format!("{}; {}", imported.remarks.join(" "), loaded(sph_io::load(file, &[])))
                }
                Err(error) => shown(&error),
            },
            Self::Mesh => MESH_SCENES.map(|scene| naming(scene, file)).join("; "),
            Self::Particles => naming(PARTICLES_SCENE, file),
            Self::Checkpoint => checkpoint(file),
        })
    }
}

/// A scene with the mesh as an obstacle, and one with its section as fluid.
const MESH_SCENES: [&str; 2] = [
    "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [-0.2, 1.5, -0.2]\nmax = [0.2, 1.8, 0.2]\n\
     [[bodies]]\nshape = \"mesh\"\nfile = FILE\n",
    "format = 1\ndimensions = 2\nparticles.spacing = 0.05\n[[fluid.blocks]]\nfilling = \"relaxed\"\nshape = \"mesh\"\nfile = FILE\n",
];

/// A scene with particles from the file, turned and moved.
const PARTICLES_SCENE: &str = "format = 1\nparticles.spacing = 0.1\n[[fluid.particles]]\nfile = FILE\nscale = [1, 2, 1]\n\
     orientation = { axis = [1, 1, 0], angle = 30 }\ntranslation = [0, 1, 0]\nvelocity = [1, 0, 0]\n";

/// What comes of a scene that names the file.
fn naming(scene: &str, file: &Path) -> String {
    let name = serde_json::Value::from(file.to_string_lossy()).to_string();
    loaded(sph_io::parse(&scene.replace("FILE", &name), "naming", &[]))
}

fn checkpoint(file: &Path) -> String {
    match Checkpoint::load(file) {
        Ok(Checkpoint { scene, state, averages, .. }) => {
            let restored = instruments(&scene).restore(&averages);
            format!("{restored}; {}", further(&scene, Some(state)))
        }
        Err(error) => error.to_string(),
    }
}

fn loaded(result: Result<Scene, SceneError>) -> String {
    match result {
        Ok(scene) => further(&scene, None),
        Err(error) => shown(&error),
    }
}

/// An error can be shown, and its summary is a line.
fn shown(error: &SceneError) -> String {
    assert!(error.report(false).starts_with("error: ") && !error.report(true).is_empty());
    let summary = error.summary();
    assert!(!summary.is_empty() && !summary.contains('\n'), "{summary}");
    // Without the place.
    summary.split_once(": ").map_or(summary.clone(), |(_, message)| message.to_owned())
}

fn instruments(scene: &Scene) -> Instruments {
    Instruments::new(scene.probes.iter().map(|probe| probe.probe.clone()))
}

/// All that is said of a scene before it runs, and a step if it is small.
fn further(scene: &Scene, state: Option<State>) -> String {
    let setup = &scene.setup;
    assert_eq!(setup.validate(), Ok(()));
    let dimensions = setup.discretization.dimensions;
    let forecast = setup.forecast();
    let remarks: String = setup.review().iter().map(|remark| format!("{remark}; ")).collect();
    setup.counts_by_kind();
    setup.bodies.iter().for_each(|body| assert!(body.mass(dimensions) >= 0.0 && !body.inertia(dimensions).col(2).z.is_nan()));
    let said = format!("{dimensions:?} {:?} {:?} {remarks}", setup.parameters.solver.method, forecast.step.limit);
    if setup.particle_counts().total() > MOST_PARTICLES {
        return format!("{said} large");
    }
    let simulation = match state {
        Some(state) if state.particles.len() as u64 > MOST_PARTICLES => return format!("{said} large"),
        Some(state) => Simulation::from_state(setup, state).map_err(|error| error.to_string()),
        None => Simulation::new(setup).map_err(|error| error.to_string()),
    };
    let mut simulation = match simulation {
        Ok(simulation) => simulation,
        Err(error) => return format!("{said} {error}"),
    };
    let error = simulation.step().error.map(|error| error.to_string());
    let mut instruments = instruments(scene);
    instruments.record(&simulation.view());
    assert!(error.is_some() || simulation.particles().positions.iter().all(|position| position.is_finite()));
    let readings = instruments.read(&simulation.view());
    format!("{said} {error:?} {} readings", readings.iter().flatten().count())
}

/// `text` without its numbers and without what it quotes.
fn without_particulars(text: &str) -> String {
    let mut short = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '`' | '"' => {
                letters.by_ref().find(|&other| other == letter);
                short.push('_');
            }
            '0'..='9' if short.ends_with('0') => {}
            '0'..='9' => short.push('0'),
            _ => short.push(letter),
        }
    }
    short
}
