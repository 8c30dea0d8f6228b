//! Changes of checkpoints. Nearly all are sealed again with a checksum that is right, as no other would be read.

use super::{bytes, text};
use crate::random::Random;
use lz4_flex::frame::{FrameDecoder, FrameEncoder};
use std::hash::Hasher as _;
use std::io::{Read, Write};
use twox_hash::XxHash64;

/// Bytes of magic and version.
const HEADER: usize = 12;
/// Bytes of the checksum.
const CHECKSUM: usize = 8;
/// Bytes of a value by the kind of an array.
const SIZES: [usize; 7] = [1, 1, 4, 8, 4, 8, 12];
/// Largest frame that is taken apart, bytes.
const MAX_BYTES: u64 = 1 << 22;

/// An array of a checkpoint, which may state another count than it has.
#[derive(Clone)]
struct Entry {
    kind: u8,
    count: u64,
    name: Vec<u8>,
    values: Vec<u8>,
}

/// `file` after one change.
pub fn changed(file: &[u8], other: &[u8], words: &[String], random: &mut Random) -> Vec<u8> {
    let (Some(mut entries), Some(others)) = (entries(file), entries(other)) else {
        return bytes::changed(file.to_vec(), other, random);
    };
    match random.below(24) {
        0 => return bytes::changed(file.to_vec(), other, random),
        1 => {
            let content = bytes::changed(file[HEADER..file.len() - CHECKSUM].to_vec(), other, random);
            return sealed(&[&file[..HEADER], &content].concat());
        }
        2 => {
            let content = bytes::changed(content(&entries), &[], random);
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
    let size = SIZES.get(usize::from(entry.kind)).copied().unwrap_or(1);
    match random.below(12) {
        0 => drop(entries.remove(at)),
        1 => entries.push(entries[at].clone()),
        2 => {
            let name = entries[second].name.clone();
            entries[at].name = name;
        }
        3 => entry.kind = random.below(8) as u8,
        4 => {
            entry.count = *random.pick(&[0, 1, entry.count + 1, u64::from(u32::MAX), 1 << 28, 1 << 40, u64::MAX / 8, u64::MAX]);
        }
        5 => {
            // Longer or shorter, and stated so.
            let count = *random.pick(&[0, 1, 2, entry.count / 2, entry.count + 1, 2 * entry.count]);
            entry.values.resize(count.min(1 << 20) as usize * size, 0);
            entry.count = (entry.values.len() / size) as u64;
        }
        6 => {
            let values = entries[second].values.clone();
            entries[at].values = values;
        }
        7 if !others.is_empty() => {
            let taken = random.pick(others).clone();
            entries[at] = taken;
        }
        8 | 9 if entry.kind == 1 && entry.values.iter().all(u8::is_ascii) => {
            let changed = text::changed(&String::from_utf8_lossy(&entry.values), "", words, random);
            entry.values = changed.into_bytes();
            entry.count = entry.values.len() as u64;
        }
        _ => bytes::overwrite(&mut entry.values, random),
    }
}

/// The arrays of a checkpoint; `None` if it is damaged.
fn entries(file: &[u8]) -> Option<Vec<Entry>> {
    let frame = file.get(HEADER..file.len().checked_sub(CHECKSUM)?)?;
    let mut content = Vec::new();
    FrameDecoder::new(frame).take(MAX_BYTES).read_to_end(&mut content).ok()?;
    let (mut rest, mut entries) = (content.as_slice(), Vec::new());
    while let Some((&[kind, low, high], after)) = rest.split_first_chunk::<3>() {
        if kind == 0 {
            break;
        }
        let (count, after) = after.split_first_chunk::<8>()?;
        let count = u64::from_le_bytes(*count);
        let (name, after) = after.split_at_checked(usize::from(u16::from_le_bytes([low, high])))?;
        let bytes = usize::try_from(count).ok()?.checked_mul(*SIZES.get(usize::from(kind))?)?;
        let (values, after) = after.split_at_checked(bytes)?;
        entries.push(Entry { kind, count, name: name.to_vec(), values: values.to_vec() });
        rest = after;
    }
    Some(entries)
}

fn content(entries: &[Entry]) -> Vec<u8> {
    let mut content = Vec::new();
    let end = Entry { kind: 0, count: 0, name: Vec::new(), values: Vec::new() };
    for Entry { kind, count, name, values } in entries.iter().chain([&end]) {
        content.push(*kind);
        content.extend((name.len() as u16).to_le_bytes());
        content.extend(count.to_le_bytes());
        content.extend([name.as_slice(), values].concat());
    }
    content
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
