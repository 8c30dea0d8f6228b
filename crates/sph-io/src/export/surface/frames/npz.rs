//! NPZ frames of particles: uncompressed archives of arrays.

use super::frame::{ParticleFrame, vectors};

pub(super) fn parse(bytes: &[u8]) -> Result<ParticleFrame, String> {
    let mut frame = ParticleFrame::default();
    let (mut rest, mut has_positions) = (bytes, false);
    while let Some(Entry { name, data }) = next_entry(&mut rest)? {
        let unexpected = || format!("its array `{}` is of another kind", name.escape_debug());
        let of = |kind: &str| array(data, kind).ok_or_else(unexpected);
        match name {
            "time.npy" => {
                let bytes = of("<f8")?.first_chunk().ok_or_else(unexpected)?;
                frame.time = f64::from_le_bytes(*bytes);
            }
            "position.npy" => (frame.positions, has_positions) = (vectors(of("<f4")?), true),
            "velocity.npy" => frame.velocities = vectors(of("<f4")?),
            "fluid.npy" => frame.fluids = of("|u1")?.to_vec(),
            _ => {}
        }
    }
    if has_positions { Ok(frame) } else { Err("it has no array `position`".to_owned()) }
}

/// A file of an archive.
struct Entry<'a> {
    name: &'a str,
    data: &'a [u8],
}

/// Takes the next file from the front of `archive`; `None` at the directory, which follows them.
fn next_entry<'a>(archive: &mut &'a [u8]) -> Result<Option<Entry<'a>>, String> {
    let bytes = *archive;
    if bytes.starts_with(b"PK\x01\x02") {
        return Ok(None);
    }
    let u16_at = |at: usize| bytes.get(at..)?.first_chunk().map(|bytes| usize::from(u16::from_le_bytes(*bytes)));
    let u32_at = |at: usize| bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes) as usize);
    let parts = || {
        let (size, name, extra) = (u32_at(22)?, u16_at(26)?, u16_at(28)?);
        let (header, rest) = bytes.split_at_checked(30)?;
        let (name, rest) = rest.split_at_checked(name)?;
        let (data, rest) = rest.get(extra..)?.split_at_checked(size)?;
        Some((header, Entry { name: std::str::from_utf8(name).ok()?, data }, rest))
    };
    let (header, entry, rest) = parts().ok_or("it is no complete archive")?;
    *archive = rest;
    // Neither flags (such as sizes that follow the data) nor compression.
    let is_plain = header.starts_with(b"PK\x03\x04") && header[6..10] == [0; 4];
    if is_plain { Ok(Some(entry)) } else { Err("it is not an archive that this program has written".to_owned()) }
}

/// Data of an array of version 1.0, if its numbers are of this kind, in rows.
fn array<'a>(file: &'a [u8], kind: &str) -> Option<&'a [u8]> {
    let rest = file.strip_prefix(b"\x93NUMPY\x01\x00")?;
    let (length, rest) = rest.split_first_chunk()?;
    let (header, data) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    let header = std::str::from_utf8(header).ok()?;
    header.starts_with(&format!("{{'descr': '{kind}', 'fortran_order': False,")).then_some(data)
}
