//! Inputs of a reader: sound files, and mutations of them by what their format is made of.

use crate::readers::Reader;
use lz4_flex::frame::{FrameDecoder, FrameEncoder};
use sph_core::{Engine, Method, Simulation};
use sph_io::{Checkpoint, LinesSoFar};
use std::hash::Hasher as _;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use twox_hash::XxHash64;

/// Generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Generator whose numbers `seed` determines.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number of 64 bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if `end` is 0.
    fn below(&mut self, end: usize) -> usize {
        self.next().checked_rem(end as u64).unwrap_or(0) as usize
    }

    /// One of `items`, which are not empty.
    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// True once in `count` times.
    fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// A range within `length`, mostly short.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let longest = if self.once_in(4) { length } else { 16 };
        start..(start + self.below(longest + 1)).min(length)
    }
}

/// Longest input, bytes.
const MAX_BYTES: usize = 1 << 17;

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
pub fn sound(reader: Reader, folder: &Path) -> io::Result<Vec<Input>> {
    let mut inputs = inputs_in(&kept(reader))?;
    let of = |extension: &str, bytes: Vec<u8>| Input { extension: extension.to_owned(), bytes };
    match reader {
        Reader::Scene => {
            let folders = ["scenes", "scenes/bench", "scenes/validation", "crates/sph-commands/src/templates"];
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
        // The kept ones are of every format.
        Reader::Particles => {}
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
        Reader::Particles => {
            let formats = "BgeoV velocity v id position ply format ascii binary_little_endian binary_big_endian element vertex property list \
                           uchar int uint float double x y z vx vy vz end_header";
            words.extend(formats.split_whitespace().map(str::to_owned));
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

/// Most changes of one input.
const MOST_CHANGES: usize = 6;

/// An input made of `input`, with parts of `other` and some of `words`.
pub fn mutated(input: &Input, other: &Input, words: &[String], random: &mut Random) -> Input {
    let mut bytes = input.bytes.clone();
    // One change is accepted more often than many, and comes further.
    let changes = 1 + (0..MOST_CHANGES).take_while(|_| random.once_in(2)).count();
    for _ in 0..changes {
        bytes = match input.extension.as_str() {
            _ if random.once_in(16) => changed_bytes(bytes, &other.bytes, random),
            "checkpoint" => changed_checkpoint(&bytes, &other.bytes, words, random),
            "glb" => changed_glb(&bytes, words, random),
            "ply" => changed_ply(&bytes, &other.bytes, words, random),
            _ => match std::str::from_utf8(&bytes) {
                Ok(text) => changed_text(text, &String::from_utf8_lossy(&other.bytes), words, random).into_bytes(),
                Err(_) => changed_bytes(bytes, &other.bytes, random),
            },
        };
    }
    bytes.truncate(MAX_BYTES);
    Input { extension: input.extension.clone(), bytes }
}

/// Numbers at the ends of what fits into 32 and 64 bits, and where arithmetic overflows.
const WORDS: [u64; 12] = [
    0,
    1,
    2,
    0x7f,
    0xffff,
    0x7fff_ffff,
    0xffff_fffe,
    0xffff_ffff,
    0x1_0000_0000,
    0x5555_5555_5555_5556,
    0x7fff_ffff_ffff_ffff,
    0xffff_ffff_ffff_ffff,
];

/// Numbers that are unusual in a file of coordinates.
const SCALARS: [f64; 12] =
    [0.0, -0.0, -1.0, 1e-40, 1e-30, 1e6, 1e20, 3e38, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

/// `bytes` after one change, perhaps with some of `other`.
fn changed_bytes(mut bytes: Vec<u8>, other: &[u8], random: &mut Random) -> Vec<u8> {
    let at = random.below(bytes.len());
    let range = random.range(bytes.len());
    match random.below(9) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
        1 if !bytes.is_empty() => bytes[at] = *random.pick(&[0, 1, 0x7f, 0x80, 0xff, b' ', b'\n', b'"']),
        2 => overwrite(&mut bytes, random),
        3 => drop(bytes.drain(range)),
        4 => {
            let copy = bytes[range].to_vec();
            bytes.splice(at..at, copy);
        }
        5 => bytes.truncate(at),
        6 => bytes.insert(at.min(bytes.len()), random.next() as u8),
        7 => {
            let part = other[random.range(other.len())].to_vec();
            bytes.splice(range, part);
        }
        _ => (0..4).for_each(|_| overwrite(&mut bytes, random)),
    }
    bytes
}

/// Overwrites a number by an extreme one, in either order of bytes.
fn overwrite(bytes: &mut [u8], random: &mut Random) {
    let word = *random.pick(&WORDS);
    let scalar = *random.pick(&SCALARS);
    let mut number = match random.below(4) {
        0 => (word as u32).to_le_bytes().to_vec(),
        1 => word.to_le_bytes().to_vec(),
        2 => (scalar as f32).to_le_bytes().to_vec(),
        _ => scalar.to_le_bytes().to_vec(),
    };
    if random.once_in(4) {
        number.reverse();
    }
    let Some(places) = bytes.len().checked_sub(number.len()) else { return };
    let mut at = random.below(places + 1);
    if random.once_in(2) {
        at -= at % 4;
    }
    bytes[at..at + number.len()].copy_from_slice(&number);
}

/// Values that are of the wrong kind or out of range at most places.
const ODD: &str = r#"0|-0.0|1|-1|2|3|0.5|1e-9|1e-40|1e-300|1e6|1e9|-1e9|1e20|1e38|-1e38|1e300|1e999|nan|inf|-inf|255|256|65536|4294967295|
4294967296|9223372036854775807|-9223372036854775808|0x10|true|false|null|""|"a"|"é\u0000"|"../x"|[]|{}|[0]|[0, 0]|[0, 0, 0]|[1, 1, 1, 1]|
[[0, 0]]|[nan, 0]|[1e38, -1e38, 1e38]|{ a = 1 }|[{}]|{ "a": 1 }|1979-05-27|🌊|'''|"|[[|]]|=|.|,|#"#;

/// Characters that most texts do not have.
const ODD_CHARACTERS: [&str; 3] = ["\u{feff}", "\0", "\r"];

/// `text` after one change.
fn changed_text(text: &str, other: &str, words: &[String], random: &mut Random) -> String {
    let tokens = tokens_in(text);
    let numbers = || tokens.iter().filter(|token| text[(*token).clone()].parse::<f64>().is_ok()).cloned().collect::<Vec<_>>();
    match random.below(16) {
        0..=3 => match numbers() {
            numbers if numbers.is_empty() => inserted(text, odd(random), random),
            numbers => {
                let place = random.pick(&numbers).clone();
                let value = number(&text[place.clone()], random);
                replaced(text, place, &value)
            }
        },
        4..=6 => match values_in(text) {
            values if values.is_empty() => inserted(text, odd(random), random),
            values => {
                let place = random.pick(&values).clone();
                let from = if random.once_in(3) { values_in(other) } else { Vec::new() };
                let value = match (from.is_empty(), random.below(3)) {
                    (false, _) => other[random.pick(&from).clone()].to_owned(),
                    (true, 0) if !words.is_empty() => random.pick(words).clone(),
                    _ => odd(random).to_owned(),
                };
                replaced(text, place, &value)
            }
        },
        7 if !tokens.is_empty() => replaced(text, random.pick(&tokens).clone(), ""),
        8 if !tokens.is_empty() && !words.is_empty() => {
            replaced(text, random.pick(&tokens).clone(), random.pick(words).as_str())
        }
        9 if !tokens.is_empty() => {
            let others = tokens_in(other);
            let token = if others.is_empty() { "" } else { &other[random.pick::<Range<usize>>(&others).clone()] };
            replaced(text, random.pick(&tokens).clone(), token)
        }
        10 if !words.is_empty() => {
            let value = if random.once_in(3) { random.pick(words).as_str() } else { odd(random) };
            let line = format!("{} = {value}\n", random.pick(words));
            replaced(text, line_start(text, random), &line)
        }
        11 => nested(text, random),
        12 => inserted(text, odd(random), random),
        _ => lines(text, other, random),
    }
}

fn odd(random: &mut Random) -> &'static str {
    let values: Vec<&str> = ODD.split(['|', '\n']).filter(|value| !value.is_empty()).chain(ODD_CHARACTERS).collect();
    random.pick::<&str>(&values)
}

/// A number like another: larger, smaller, negative, or extreme.
fn number(text: &str, random: &mut Random) -> String {
    let value: f64 = text.parse().unwrap_or(0.0);
    match random.below(8) {
        0 => format!("{}", -value),
        1 => format!("{}", value * 10.0),
        2 => format!("{}", value / 10.0),
        3 => format!("{}", value + 1.0),
        4 => format!("{:e}", value * 10f64.powi(random.below(80) as i32 - 40)),
        5 => format!("{}", value * (0.5 + random.below(1000) as f64 / 1000.0)),
        _ => odd(random).to_owned(),
    }
}

/// Changes of whole lines: removed, doubled, moved, exchanged, taken from `other`.
fn lines(text: &str, other: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let range = random.range(lines.len());
    let at = random.below(lines.len() + 1);
    match random.below(6) {
        0 => drop(lines.drain(range)),
        1 => {
            let copy = lines[range].to_vec();
            lines.splice(at..at, copy);
        }
        2 if !lines.is_empty() => {
            let (first, second) = (random.below(lines.len()), random.below(lines.len()));
            lines.swap(first, second);
        }
        3 => {
            let others: Vec<&str> = other.split_inclusive('\n').collect();
            lines.splice(range, others[random.range(others.len())].iter().copied());
        }
        4 => lines.truncate(at),
        _ if !lines.is_empty() => drop(lines.remove(random.below(lines.len()))),
        _ => {}
    }
    lines.concat()
}

/// Many brackets, one within the other.
fn nested(text: &str, random: &mut Random) -> String {
    let (open, close) = *random.pick(&[("[", "]"), ("{\"a\":", "}"), ("{ a = ", "}"), ("a.", "")]);
    let depth = 10usize.pow(random.below(5) as u32);
    let value = format!("{}0{}", open.repeat(depth), close.repeat(if random.once_in(4) { 0 } else { depth }));
    match values_in(text) {
        values if values.is_empty() => inserted(text, &value, random),
        values => replaced(text, random.pick(&values).clone(), &value),
    }
}

fn inserted(text: &str, part: &str, random: &mut Random) -> String {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    replaced(text, at..at, part)
}

fn replaced(text: &str, place: Range<usize>, part: &str) -> String {
    format!("{}{part}{}", &text[..place.start], &text[place.end..])
}

/// The start of a line.
fn line_start(text: &str, random: &mut Random) -> Range<usize> {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let at = *random.pick(&starts);
    at..at
}

/// Values: what follows `=` or `:`, to the end of the line or to a comma or bracket that is not its own.
fn values_in(text: &str) -> Vec<Range<usize>> {
    let starts = text.match_indices(['=', ':']).map(|(at, _)| at + 1);
    starts.map(|start| start..start + value_length(&text[start..])).collect()
}

fn value_length(text: &str) -> usize {
    let (mut depth, mut quoted) = (0u32, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '\n' if depth == 0 => return at,
            _ if quoted => {}
            '[' | '{' => depth += 1,
            ']' | '}' if depth == 0 => return at,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// Words and numbers, quoted text, and single other characters.
fn tokens_in(text: &str) -> Vec<Range<usize>> {
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let is_word = |letter: char| letter.is_alphanumeric() || "_.+-".contains(letter);
    let mut letters = text.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        let mut end = start + letter.len_utf8();
        if is_word(letter) {
            while let Some((at, next)) = letters.next_if(|&(_, next)| is_word(next)) {
                end = at + next.len_utf8();
            }
        } else if letter == '"' {
            for (at, next) in letters.by_ref() {
                end = at + next.len_utf8();
                if next == '"' || next == '\n' {
                    break;
                }
            }
        }
        if !letter.is_whitespace() {
            tokens.push(start..end);
        }
    }
    tokens
}

/// PLY: its header as text, or what follows it.
fn changed_ply(file: &[u8], other: &[u8], words: &[String], random: &mut Random) -> Vec<u8> {
    const END: &[u8] = b"end_header\n";
    let end = file.windows(END.len()).position(|window| window == END).map_or(0, |at| at + END.len());
    let (header, body) = file.split_at(end);
    if random.once_in(2) {
        let header = changed_text(&String::from_utf8_lossy(header), &String::from_utf8_lossy(other), words, random);
        return [header.as_bytes(), body].concat();
    }
    let body = match std::str::from_utf8(body) {
        Ok(body) => changed_text(body, "", words, random).into_bytes(),
        Err(_) => changed_bytes(body.to_vec(), other, random),
    };
    [header, &body].concat()
}

/// GLB: its JSON as text, or its binary chunk; the lengths are right again in most cases.
fn changed_glb(file: &[u8], words: &[String], random: &mut Random) -> Vec<u8> {
    let length = |at: usize| Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?) as usize);
    let parts = length(12).and_then(|json| Some((file.get(20..20 + json)?, file.get(28 + json..)?)));
    let Some((json, blob)) = parts.filter(|_| !random.once_in(8)) else {
        return changed_bytes(file.to_vec(), &[], random);
    };
    let (mut json, mut blob) = (json.to_vec(), blob.to_vec());
    if random.once_in(3) {
        blob = changed_bytes(blob, &[], random);
    } else {
        json = changed_text(&String::from_utf8_lossy(&json), "", words, random).into_bytes();
    }
    json.resize(json.len().next_multiple_of(4), b' ');
    blob.resize(blob.len().next_multiple_of(4), 0);
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((12 + 16 + json.len() as u32 + blob.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", blob)] {
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(chunk);
    }
    glb
}

/// Bytes of magic and version.
const HEADER: usize = 12;
/// Bytes of the checksum.
const CHECKSUM: usize = 8;
/// Largest frame that is taken apart, bytes.
const MOST_CONTENT: u64 = 1 << 22;

/// A column of a checkpoint, which may state another length than it has, bytes.
#[derive(Clone)]
struct Entry {
    length: u64,
    values: Vec<u8>,
}

/// `file` after one change.
fn changed_checkpoint(file: &[u8], other: &[u8], words: &[String], random: &mut Random) -> Vec<u8> {
    let (Some(mut entries), Some(others)) = (entries(file), entries(other)) else {
        return changed_bytes(file.to_vec(), other, random);
    };
    match random.below(24) {
        0 => return changed_bytes(file.to_vec(), other, random),
        1 => {
            let content = changed_bytes(file[HEADER..file.len() - CHECKSUM].to_vec(), other, random);
            return sealed(&[&file[..HEADER], &content].concat());
        }
        2 => {
            let content = changed_bytes(content(&entries), &[], random);
            return compressed(file, &content);
        }
        _ if entries.is_empty() => {}
        _ => change(&mut entries, &others, words, random),
    }
    compressed(file, &content(&entries))
}

fn change(entries: &mut Vec<Entry>, others: &[Entry], words: &[String], random: &mut Random) {
    let at = random.below(entries.len());
    let second = random.below(entries.len());
    let entry = &mut entries[at];
    match random.below(12) {
        0 => drop(entries.remove(at)),
        1 => entries.push(entries[at].clone()),
        2 => entries.swap(at, second),
        3 => {
            entry.length =
                *random.pick(&[0, 1, entry.length + 1, u64::from(u32::MAX), 1 << 28, 1 << 40, u64::MAX / 8, u64::MAX]);
        }
        4 | 5 => {
            // Longer or shorter, and stated so; half of the time by whole values.
            let step = *random.pick(&[1, 12]);
            let length = *random.pick(&[0, step, entry.values.len() / 2, entry.values.len() + step, 2 * entry.values.len()]);
            entry.values.resize(length.min(1 << 20), 0);
            entry.length = entry.values.len() as u64;
        }
        6 => {
            let taken = entries[second].clone();
            entries[at] = taken;
        }
        7 if !others.is_empty() => {
            let taken = random.pick(others).clone();
            entries[at] = taken;
        }
        8 | 9 if !entry.values.is_empty() && entry.values.iter().all(u8::is_ascii) => {
            let changed = changed_text(&String::from_utf8_lossy(&entry.values), "", words, random);
            entry.values = changed.into_bytes();
            entry.length = entry.values.len() as u64;
        }
        _ => overwrite(&mut entry.values, random),
    }
}

/// The columns of a checkpoint; `None` if it is damaged.
fn entries(file: &[u8]) -> Option<Vec<Entry>> {
    let frame = file.get(HEADER..file.len().checked_sub(CHECKSUM)?)?;
    let mut content = Vec::new();
    FrameDecoder::new(frame).take(MOST_CONTENT).read_to_end(&mut content).ok()?;
    let (mut rest, mut entries) = (content.as_slice(), Vec::new());
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = u64::from_le_bytes(*length);
        let (values, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
        entries.push(Entry { length, values: values.to_vec() });
        rest = after;
    }
    Some(entries)
}

fn content(entries: &[Entry]) -> Vec<u8> {
    let bytes = |Entry { length, values }: &Entry| [&length.to_le_bytes()[..], values].concat();
    entries.iter().flat_map(bytes).collect()
}

fn compressed(file: &[u8], content: &[u8]) -> Vec<u8> {
    let mut frame = FrameEncoder::new(file[..HEADER].to_vec());
    // Writing to memory does not fail.
    let _ = frame.write_all(content);
    frame.finish().map_or_else(|_| Vec::new(), |bytes| sealed(&bytes))
}

fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut hash = XxHash64::with_seed(0);
    hash.write(bytes);
    [bytes, &hash.finish().to_le_bytes()].concat()
}
