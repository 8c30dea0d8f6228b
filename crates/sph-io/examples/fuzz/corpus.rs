//! Sound files from which mutations begin.

use crate::random::Random;
use crate::readers::Reader;
use sph_core::{Engine, Method, Simulation};
use sph_io::{Checkpoint, LinesSoFar};
use std::io;
use std::path::{Path, PathBuf};

/// Longest input, bytes.
pub const MAX_BYTES: usize = 1 << 17;

/// A file: its extension and its contents.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Extension, without a dot.
    pub extension: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

impl Input {
    /// Reads a file.
    pub fn read(path: &Path) -> io::Result<Self> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { extension, bytes: std::fs::read(path)? })
    }
}

/// Root of the repository.
fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates.and_then(Path::parent).map_or_else(PathBuf::new, Path::to_owned)
}

/// Inputs that are kept as tests of a reader.
fn kept(reader: Reader) -> PathBuf {
    root().join("crates/sph-io/tests/fuzzing").join(reader.name())
}

/// Folder of what sessions have found.
pub fn findings(reader: Reader) -> PathBuf {
    root().join("target/fuzz").join(reader.name())
}

/// Files that scenes name, small ones in place of the shipped meshes, so that they are sampled quickly.
pub fn lay_out_files(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder.join("meshes"))?;
    for name in ["bear", "star", "terrain", "torus"] {
        std::fs::copy(root().join("scenes/meshes/star.obj"), folder.join(format!("meshes/{name}.obj")))?;
    }
    std::fs::write(folder.join("path.csv"), "0, 0, 0\n1, 0.1, 0\n")?;
    std::fs::write(folder.join("part.toml"), "[[probes]]\nname = \"p\"\nkind = \"front\"\n")
}

/// The inputs of `folder`; none if it is not there.
pub fn inputs_in(folder: &Path) -> io::Result<Vec<Input>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|path| path.is_file());
    files.sort();
    let inputs = files.iter().map(|path| Input::read(path)).collect::<io::Result<Vec<_>>>()?;
    Ok(inputs.into_iter().filter(|input| input.bytes.len() <= MAX_BYTES).collect())
}

/// Inputs to begin with.
pub fn inputs(reader: Reader, folder: &Path) -> io::Result<Vec<Input>> {
    let mut inputs = inputs_in(&kept(reader))?;
    let of = |extension: &str, bytes: Vec<u8>| Input { extension: extension.to_owned(), bytes };
    match reader {
        Reader::Scene => {
            let folders = ["scenes", "scenes/bench", "scenes/validation", "crates/viewer/src/headless/authoring/new/templates"];
            for name in folders {
                let scenes = inputs_in(&root().join(name))?.into_iter().filter(|input| input.extension == "toml");
                for scene in scenes {
                    let coarser = coarser(&String::from_utf8_lossy(&scene.bytes), folder);
                    inputs.extend([scene, of("toml", coarser.into_bytes())]);
                }
            }
        }
        Reader::Import => {
            let scenes = inputs_in(&root().join("crates/sph-io/tests/splishsplash"))?;
            inputs.extend(scenes.into_iter().filter(|input| input.extension == "json"));
        }
        Reader::Mesh => inputs.push(Input::read(&root().join("scenes/meshes/star.obj"))?),
        Reader::Checkpoint => {
            for method in Method::ALL {
                inputs.push(of("checkpoint", checkpoint(method, folder)?));
            }
        }
    }
    Ok(inputs)
}

/// A scene with so large a spacing that it has about a thousand particles, so that a step of it takes milliseconds.
fn coarser(text: &str, folder: &Path) -> String {
    let file = folder.join("coarser.toml");
    let setup = std::fs::write(&file, text).ok().and_then(|()| Some(sph_io::load(&file, &[]).ok()?.setup));
    let Some(setup) = setup else { return text.to_owned() };
    let exponent = 1.0 / setup.discretization.dimensions.count() as f64;
    let factor = (setup.particle_counts().total() as f64 / 1000.0).max(1.0).powf(exponent);
    let line = |line: &str| match line.split_once('=') {
        Some((key, value)) if key.trim() == "spacing" => {
            let number = value.split('#').next().and_then(|value| value.trim().parse::<f64>().ok());
            number.map_or_else(|| line.to_owned(), |spacing| format!("spacing = {:.4}", spacing * factor))
        }
        _ => line.to_owned(),
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

/// A checkpoint of a small scene with most kinds of things in it, after a few steps.
fn checkpoint(method: Method, folder: &Path) -> io::Result<Vec<u8>> {
    const SCENE: &str = include_str!("every_kind.toml");
    let (scene, file) = (folder.join("every_kind.toml"), folder.join("a.checkpoint"));
    std::fs::write(&scene, SCENE)?;
    let change = format!("solver.method={}", method.name()).parse().map_err(io::Error::other)?;
    let scene = sph_io::load(&scene, &[change]).map_err(|error| io::Error::other(error.summary()))?;
    let mut simulation = Simulation::new(&scene.setup).map_err(io::Error::other)?;
    for _ in 0..3 {
        simulation.step();
    }
    let averages = sph_core::probes::Instruments::new(scene.probes.iter().map(|probe| probe.probe.clone())).memory();
    let lines = LinesSoFar { count: 3, hash: 1 };
    let checkpoint = Checkpoint { scene, state: simulation.snapshot(), averages, stats: lines, probes: lines };
    checkpoint.save(&file)?;
    std::fs::read(&file)
}

/// Words that mean something to a reader: keys and choices.
pub fn words(reader: Reader, inputs: &[Input]) -> io::Result<Vec<String>> {
    let mut words = Vec::new();
    match reader {
        Reader::Scene | Reader::Checkpoint => collect(&serde_json::from_str(&sph_io::json_schema())?, &mut words),
        Reader::Import => {
            let guide = std::fs::read_to_string(root().join("docs/guide/import.md"))?;
            words.extend(guide.split('`').skip(1).step_by(2).map(str::to_owned));
            inputs.iter().for_each(|input| {
                let text = String::from_utf8_lossy(&input.bytes);
                words.extend(text.split('"').skip(1).step_by(2).map(str::to_owned));
            });
        }
        Reader::Mesh => {
            let formats = "v vn vt f l p o g s usemtl mtllib solid facet vertex endloop ply format ascii binary_little_endian \
                           binary_big_endian element face vertex_indices vertex_index property list uchar int uint short float double \
                           end_header accessors bufferViews buffers byteOffset byteLength byteStride componentType count type VEC3 SCALAR \
                           POSITION indices mode nodes children mesh scene matrix scale rotation translation sparse uri";
            words.extend(formats.split_whitespace().map(str::to_owned));
        }
    }
    words.sort();
    words.dedup();
    Ok(words)
}

/// Keys and choices of a JSON Schema.
fn collect(schema: &serde_json::Value, words: &mut Vec<String>) {
    match schema {
        serde_json::Value::Object(entries) => {
            for (key, value) in entries {
                match (key.as_str(), value) {
                    ("properties", serde_json::Value::Object(properties)) => words.extend(properties.keys().cloned()),
                    ("const" | "enum", _) => texts(value, words),
                    _ => {}
                }
                collect(value, words);
            }
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| collect(value, words)),
        _ => {}
    }
}

fn texts(value: &serde_json::Value, words: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => words.push(format!("\"{text}\"")),
        serde_json::Value::Array(values) => values.iter().for_each(|value| texts(value, words)),
        _ => {}
    }
}

/// Input to mutate: a recent one in half of the cases, as these have had new outcomes.
pub fn choose<'a>(inputs: &'a [Input], random: &mut Random) -> &'a Input {
    let recent = &inputs[inputs.len() - inputs.len().min(50)..];
    if random.once_in(2) { random.pick(recent) } else { random.pick(inputs) }
}
