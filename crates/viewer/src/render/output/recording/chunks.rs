//! Chunks of PNG files (PNG specification, third edition, section 5.3): length, type, data, checksum.

use std::io::{self, Write};

/// First bytes of every PNG file.
pub const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];

/// Writes a chunk of this type whose data are `parts` in turn.
pub fn write(out: &mut impl Write, kind: [u8; 4], parts: &[&[u8]]) -> io::Result<()> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let length = u32::try_from(length).ok().filter(|&length| length < 1 << 31);
    let length = length.ok_or_else(|| io::Error::other("a picture is too large for a PNG chunk"))?;
    let mut checksum = crc32fast::Hasher::new();
    out.write_all(&length.to_be_bytes())?;
    for part in std::iter::once(&kind[..]).chain(parts.iter().copied()) {
        checksum.update(part);
        out.write_all(part)?;
    }
    out.write_all(&checksum.finalize().to_be_bytes())
}

/// Types and data of the chunks of a file; stops at the first that is incomplete.
pub fn read(file: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    let mut rest = file.strip_prefix(&SIGNATURE[..]).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk()?;
        let (kind, after) = after.split_first_chunk()?;
        let (data, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        rest = after.get(4..)?;
        Some((*kind, data))
    })
}
