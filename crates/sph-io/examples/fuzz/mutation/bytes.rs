//! Changes of bytes, whatever they mean.

use crate::random::Random;

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
pub fn changed(mut bytes: Vec<u8>, other: &[u8], random: &mut Random) -> Vec<u8> {
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
pub fn overwrite(bytes: &mut [u8], random: &mut Random) {
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
