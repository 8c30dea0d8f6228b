//! Bodies and their motion as one animated scene of glTF.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Part;
use super::series::FrameExport;
use crate::atomic_file::write_atomically;
use crate::folder::{FrameFiles, make_folder};
use crate::input_files::read_at_most;
use glam::{DQuat, Quat, Vec3};
use serde_json::{Value, json};
use sph_core::{Body, Pose, Triangulation, View};

/// Most bytes of a file that is read again: those of ten bodies over a million frames.
const MOST: u64 = 400_000_000;

/// The bodies of a scene with their shapes, each turned and moved over the frames so far: `bodies.glb`, which is replaced after each frame.
/// Bodies that are dropped after the first frame are left out.
#[derive(Debug)]
pub struct BodiesFile {
    folder: PathBuf,
    /// Name of each body.
    names: Vec<String>,
    /// Shapes and frames so far; `None` before the first.
    scene: Option<(Vec<Model>, Animation)>,
}

impl BodiesFile {
    /// File in the folder `dir`. `names` are those of the bodies; one without is called by its number, from 0.
    pub fn new(dir: &Path, names: &[Option<String>]) -> Self {
        let name = |(index, name): (usize, &Option<String>)| name.clone().unwrap_or_else(|| format!("body {index}"));
        Self { folder: dir.to_owned(), names: names.iter().enumerate().map(name).collect(), scene: None }
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.glb", Part::Bodies.name()))
    }

    /// Shapes of the bodies, and the frames before `time` (s) of the run that is being continued if `is_continued`. Without an
    /// earlier file the frames begin here.
    ///
    /// # Errors
    /// The earlier file cannot be read, or is of other bodies.
    fn start(&self, view: &View<'_>, is_continued: bool) -> io::Result<(Vec<Model>, Animation)> {
        let models = view.bodies.iter().enumerate().map(|(index, placed)| {
            let name = self.names.get(index).cloned().unwrap_or_else(|| format!("body {index}"));
            Model { name, mesh: triangles(&placed.body) }
        });
        let models: Vec<Model> = models.collect();
        let path = self.path();
        if !is_continued || !path.try_exists()? {
            return Ok((models, Animation::default()));
        }
        let animation = read_animation(&read_at_most(&path, MOST)?, models.len()).ok_or_else(|| {
            let message = "it is not the animation of the run that is resumed: choose another folder";
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {message}", path.display()))
        })?;
        Ok((models, animation.before(view.time)))
    }
}

/// The surface of a body before any motion, relative to its centre, m.
fn triangles(body: &Body) -> Triangulation {
    let mut mesh = body.triangulation();
    let middle = body.middle();
    mesh.vertices.iter_mut().for_each(|vertex: &mut Vec3| *vertex -= middle);
    mesh
}

impl FrameExport for BodiesFile {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn frames(&self) -> Option<FrameFiles> {
        None
    }

    fn summary(&self) -> Option<PathBuf> {
        Some(self.path())
    }

    fn write(&mut self, number: u64, view: &View<'_>) -> io::Result<()> {
        let (models, mut animation) = match self.scene.take() {
            Some(scene) => scene,
            None => self.start(view, number > 0)?,
        };
        // Bodies that are dropped later have no model: the scene is fixed at its first frame.
        let placements = view.bodies.iter().take(models.len()).map(|placed| Placement::new(&placed.pose, placed.body.middle()));
        animation.push(view.time, placements);
        make_folder(&self.folder)?;
        let written = write_atomically(&self.path(), |out| write_glb(out, &models, &animation));
        self.scene = Some((models, animation));
        written
    }
}

// Places and orientations of bodies over time.

/// Place and orientation of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Placement {
    /// Position of its centre, m.
    pub translation: Vec3,
    /// Rotation from its described orientation.
    pub rotation: Quat,
}

impl Placement {
    /// Placement of a body whose centre is described at `center`, m.
    pub fn new(pose: &Pose, center: Vec3) -> Self {
        let translation = pose.point(center.as_dvec3()).as_vec3();
        Self { translation, rotation: DQuat::from_mat3(&pose.rotation).normalize().as_quat() }
    }
}

/// Placements of all bodies, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
struct Animation {
    /// Simulated times, s, ascending.
    pub times: Vec<f32>,
    /// Placements of each body, one for each time.
    pub bodies: Vec<Vec<Placement>>,
}

impl Animation {
    /// The frames before `time`, s.
    pub fn before(mut self, time: f64) -> Self {
        let count = self.times.partition_point(|&other| other < time as f32);
        self.times.truncate(count);
        self.bodies.iter_mut().for_each(|placements| placements.truncate(count));
        self
    }

    /// Adds a frame at `time`, s. A time that single precision cannot tell from the last one replaces it.
    pub fn push(&mut self, time: f64, placements: impl ExactSizeIterator<Item = Placement>) {
        *self = std::mem::take(self).before(time);
        self.times.push(time as f32);
        self.bodies.resize(placements.len(), Vec::new());
        for (body, mut placement) in self.bodies.iter_mut().zip(placements) {
            // q and −q are the same rotation: the one nearer to the last turns the short way.
            if body.last().is_some_and(|last| last.rotation.dot(placement.rotation) < 0.0) {
                placement.rotation = -placement.rotation;
            }
            body.push(placement);
        }
    }
}

// Binary glTF 2.0: a chunk of JSON and a chunk of numbers.
//
// The JSON is a dozen objects, so that it is written as such, without a crate of their types.

/// Type of a number in an accessor.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
/// Use of a part of the numbers.
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;
/// Colour of the bodies, linear RGBA.
const COLOR: [f32; 4] = [0.55, 0.42, 0.25, 1.0];
/// Key of the number of frames, with which a run is continued.
const FRAMES: &str = "frames";

/// Shape of a body.
#[derive(Debug)]
struct Model {
    pub name: String,
    /// Surface, relative to the centre of the body, m.
    pub mesh: Triangulation,
}

/// Numbers of a file, and where they are.
#[derive(Default)]
struct Numbers {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Numbers {
    /// Adds an array whose items have `N` numbers of 4 bytes each; returns the index of its accessor.
    fn add<const N: usize>(&mut self, kind: u32, target: Option<u32>, items: impl Iterator<Item = [[u8; 4]; N]>) -> usize {
        let start = self.bytes.len();
        items.for_each(|item| self.bytes.extend(item.as_flattened()));
        let length = self.bytes.len() - start;
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": length });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        let shape = ["", "SCALAR", "VEC2", "VEC3", "VEC4"][N];
        let accessor =
            json!({ "bufferView": self.views.len(), "componentType": kind, "count": length / (4 * N), "type": shape });
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// States the range of an accessor.
    fn bound(&mut self, accessor: usize, min: Value, max: Value) {
        self.accessors[accessor]["min"] = min;
        self.accessors[accessor]["max"] = max;
    }
}

/// Writes `models`, of which there is at least one, and their `animation`, which has at least one frame. Both have y upwards and metres.
fn write_glb(out: &mut dyn Write, models: &[Model], animation: &Animation) -> io::Result<()> {
    let mut numbers = Numbers::default();
    let float = |number: f32| number.to_le_bytes();
    // First the animation, where `read_animation` finds it.
    let times = numbers.add(FLOAT, None, animation.times.iter().map(|&time| [float(time)]));
    let [first, last] = [animation.times.first(), animation.times.last()].map(|time| json!([time]));
    numbers.bound(times, first, last);
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for (node, placements) in animation.bodies.iter().enumerate() {
        let translations = placements.iter().map(|placement| placement.translation.to_array().map(float));
        let translations = numbers.add(FLOAT, None, translations);
        let rotations = numbers.add(FLOAT, None, placements.iter().map(|placement| placement.rotation.to_array().map(float)));
        for (path, output) in [("translation", translations), ("rotation", rotations)] {
            channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
            samplers.push(json!({ "input": times, "output": output, "interpolation": "LINEAR" }));
        }
    }
    let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
    for (index, Model { name, mesh }) in models.iter().enumerate() {
        let vector = |vector: &Vec3| vector.to_array().map(float);
        let positions = numbers.add(FLOAT, Some(VERTICES), mesh.vertices.iter().map(vector));
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (min, max) = mesh.vertices.iter().fold(start, |(min, max), &vertex| (min.min(vertex), max.max(vertex)));
        numbers.bound(positions, json!(min.to_array()), json!(max.to_array()));
        let normals = numbers.add(FLOAT, Some(VERTICES), mesh.normals.iter().map(vector));
        let indices = mesh.triangles.iter().flatten().map(|index| [index.to_le_bytes()]);
        let indices = numbers.add(UNSIGNED_INT, Some(INDICES), indices);
        let attributes = json!({ "POSITION": positions, "NORMAL": normals });
        meshes.push(json!({ "name": name, "primitives": [{ "attributes": attributes, "indices": indices, "material": 0 }] }));
        let mut node = json!({ "name": name, "mesh": index });
        if let Some(placement) = animation.bodies.get(index).and_then(|placements| placements.first()) {
            node["translation"] = json!(placement.translation.to_array());
            node["rotation"] = json!(placement.rotation.to_array());
        }
        nodes.push(node);
    }
    let material = json!({
        "name": "body",
        "pbrMetallicRoughness": { "baseColorFactor": COLOR, "metallicFactor": 0.0, "roughnessFactor": 0.6 },
    });
    let scene = json!({
        "asset": { "version": "2.0", "generator": "sph" },
        "extras": { FRAMES: animation.times.len() },
        "scene": 0,
        "scenes": [{ "nodes": (0..nodes.len()).collect::<Vec<_>>() }],
        "nodes": nodes,
        "meshes": meshes,
        "materials": [material],
        "animations": [{ "name": "motion", "channels": channels, "samplers": samplers }],
        "accessors": numbers.accessors,
        "bufferViews": numbers.views,
        "buffers": [{ "byteLength": numbers.bytes.len() }],
    });
    let mut text = serde_json::to_vec(&scene)?;
    text.resize(text.len().next_multiple_of(4), b' ');
    // All numbers have four bytes, so that their chunk needs no padding.
    let too_large = |_| io::Error::new(io::ErrorKind::FileTooLarge, "a glTF file can have at most 4 GiB");
    let total = u32::try_from(12 + 8 + text.len() + 8 + numbers.bytes.len()).map_err(too_large)?;
    out.write_all(b"glTF")?;
    [2, total].iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
    for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &numbers.bytes)] {
        out.write_all(&(chunk.len() as u32).to_le_bytes())?;
        out.write_all(kind)?;
        out.write_all(chunk)?;
    }
    Ok(())
}

/// The animation of a file that [`write`] has written with as many `bodies`; `None` for any other.
fn read_animation(file: &[u8], bodies: usize) -> Option<Animation> {
    let rest = file.strip_prefix(b"glTF")?.get(8..)?;
    let (text, rest) = chunk(rest, *b"JSON")?;
    let (numbers, _) = chunk(rest, *b"BIN\0")?;
    let scene: Value = serde_json::from_slice(text).ok()?;
    let frames = usize::try_from(scene["extras"][FRAMES].as_u64()?).ok()?;
    if scene["nodes"].as_array()?.len() != bodies {
        return None;
    }
    let (numbers, _) = numbers.as_chunks::<4>();
    let mut numbers = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes));
    // All that is there is asked for before anything is reserved.
    let needed = bodies.checked_mul(7)?.checked_add(1)?.checked_mul(frames)?;
    if needed > numbers.len() {
        return None;
    }
    let mut take = |count: usize| numbers.by_ref().take(count).collect::<Vec<f32>>();
    let times = take(frames);
    let placements = (0..bodies).map(|_| {
        let (translations, rotations) = (take(3 * frames), take(4 * frames));
        let pairs = translations.as_chunks::<3>().0.iter().zip(rotations.as_chunks::<4>().0);
        let placement = |(&translation, &rotation): (&[f32; 3], &[f32; 4])| Placement {
            translation: Vec3::from_array(translation),
            rotation: Quat::from_array(rotation),
        };
        pairs.map(placement).collect()
    });
    Some(Animation { bodies: placements.collect(), times })
}

/// Takes a chunk of this kind from the front; returns it and what follows.
fn chunk(bytes: &[u8], kind: [u8; 4]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.strip_prefix(&kind)?.split_at_checked(u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DVec3};
    use gltf::Gltf;
    use gltf::animation::Property;

    #[test]
    fn quaternions_turn_the_short_way_and_frames_replace_later_ones() {
        let mut animation = Animation::default();
        let placement = |time: f64| {
            let rotation = DMat3::from_rotation_z(3.0 * time);
            let pose = Pose { displacement: DVec3::new(time, 0.0, 0.0), pivot: DVec3::ONE, rotation };
            Placement::new(&pose, Vec3::new(2.0, 1.0, 1.0))
        };
        for frame in 0..10 {
            let time = 0.25 * f64::from(frame);
            animation.push(time, [placement(time)].into_iter());
        }
        let turned = animation.bodies[0].windows(2).map(|pair| pair[0].rotation.dot(pair[1].rotation));
        assert!(turned.fold(1.0, f32::min) > 0.9);
        // The centre is 1 m from the pivot along x.
        let expected = Vec3::new(1.0 + 0.25 + 0.75f32.cos(), 1.0 + 0.75f32.sin(), 1.0);
        assert!((animation.bodies[0][1].translation - expected).length() < 1e-6);
        animation.push(1.0, [placement(1.0)].into_iter());
        assert_eq!((animation.times.len(), animation.bodies[0].len()), (5, 5));
        assert_eq!(animation.before(0.5).times, [0.0, 0.25]);
    }

    fn models() -> [Model; 2] {
        let model = |name: &str, size: f32| {
            let (name, mesh) = (name.to_owned(), Triangulation::of_box(Vec3::splat(-size), Vec3::splat(size)));
            Model { name, mesh }
        };
        [model("paddle", 0.5), model("body 1", 0.25)]
    }

    fn animation() -> Animation {
        let mut animation = Animation::default();
        for frame in 0..3 {
            let time = 0.1 * f64::from(frame);
            let moved =
                Placement { translation: Vec3::new(time as f32, 1.0, -2.0), rotation: Quat::from_rotation_y(time as f32) };
            let fixed = Placement { translation: Vec3::ZERO, rotation: Quat::IDENTITY };
            animation.push(time, [moved, fixed].into_iter());
        }
        animation
    }

    #[test]
    fn the_file_is_valid_and_read_again() {
        let (models, animation) = (models(), animation());
        let mut file = Vec::new();
        write_glb(&mut file, &models, &animation).unwrap();
        // Validated as the specification asks: indices, types, the ranges of positions.
        let Gltf { document, blob } = Gltf::from_slice(&file).unwrap();
        let blob = blob.unwrap();
        assert_eq!(document.nodes().len(), 2);
        let channels: Vec<_> = document.animations().flat_map(|motion| motion.channels().collect::<Vec<_>>()).collect();
        let targets: Vec<_> =
            channels.iter().map(|channel| (channel.target().node().index(), channel.target().property())).collect();
        let of = |node| [(node, Property::Translation), (node, Property::Rotation)];
        assert_eq!(targets, [of(0), of(1)].concat());
        let output = channels[0].sampler().output();
        let bytes = &blob[output.view().unwrap().offset()..][..12 * 3];
        let floats: Vec<f32> = bytes.chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
        assert_eq!(floats, [0.0, 1.0, -2.0, 0.1, 1.0, -2.0, 0.2, 1.0, -2.0]);

        assert_eq!(read_animation(&file, 2), Some(animation));
        assert_eq!(read_animation(&file, 3), None);
        for length in 0..file.len() {
            assert_eq!(read_animation(&file[..length], 2), None);
        }
    }
}
