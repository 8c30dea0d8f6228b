//! Changes of an input, by what its format is made of.

mod bytes;
mod checkpoint;
mod parts;
mod text;

use crate::corpus::{Input, MAX_BYTES};
use crate::random::Random;

/// Most changes of one input.
const MOST_CHANGES: usize = 6;

/// An input made of `input`, with parts of `other` and some of `words`.
pub fn mutated(input: &Input, other: &Input, words: &[String], random: &mut Random) -> Input {
    let mut bytes = input.bytes.clone();
    // One change is accepted more often than many, and comes further.
    let changes = 1 + (0..MOST_CHANGES).take_while(|_| random.once_in(2)).count();
    for _ in 0..changes {
        bytes = match input.extension.as_str() {
            _ if random.once_in(16) => bytes::changed(bytes, &other.bytes, random),
            "checkpoint" => checkpoint::changed(&bytes, &other.bytes, words, random),
            "glb" => parts::changed_glb(&bytes, words, random),
            "ply" => parts::changed_ply(&bytes, &other.bytes, words, random),
            _ => match std::str::from_utf8(&bytes) {
                Ok(text) => text::changed(text, &String::from_utf8_lossy(&other.bytes), words, random).into_bytes(),
                Err(_) => bytes::changed(bytes, &other.bytes, random),
            },
        };
    }
    bytes.truncate(MAX_BYTES);
    Input { extension: input.extension.clone(), bytes }
}
