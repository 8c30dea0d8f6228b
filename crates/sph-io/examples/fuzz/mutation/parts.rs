//! Changes of files of text and numbers: PLY behind its header, GLB with its chunks.

use super::{bytes, text};
use crate::random::Random;

/// PLY: its header as text, or what follows it.
pub fn changed_ply(file: &[u8], other: &[u8], words: &[String], random: &mut Random) -> Vec<u8> {
    const END: &[u8] = b"end_header\n";
    let end = file.windows(END.len()).position(|window| window == END).map_or(0, |at| at + END.len());
    let (header, body) = file.split_at(end);
    if random.once_in(2) {
        let header = text::changed(&String::from_utf8_lossy(header), &String::from_utf8_lossy(other), words, random);
        return [header.as_bytes(), body].concat();
    }
    let body = match std::str::from_utf8(body) {
        Ok(body) => text::changed(body, "", words, random).into_bytes(),
        Err(_) => bytes::changed(body.to_vec(), other, random),
    };
    [header, &body].concat()
}

/// GLB: its JSON as text, or its binary chunk; the lengths are right again in most cases.
pub fn changed_glb(file: &[u8], words: &[String], random: &mut Random) -> Vec<u8> {
    let length = |at: usize| Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?) as usize);
    let parts = length(12).and_then(|json| Some((file.get(20..20 + json)?, file.get(28 + json..)?)));
    let Some((json, blob)) = parts.filter(|_| !random.once_in(8)) else {
        return bytes::changed(file.to_vec(), &[], random);
    };
    let (mut json, mut blob) = (json.to_vec(), blob.to_vec());
    if random.once_in(3) {
        blob = bytes::changed(blob, &[], random);
    } else {
        json = text::changed(&String::from_utf8_lossy(&json), "", words, random).into_bytes();
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
