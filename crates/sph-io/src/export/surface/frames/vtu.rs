//! VTK frames of particles: XML with raw appended data.

use super::frame::{ParticleFrame, vectors};

pub(super) fn parse(bytes: &[u8]) -> Result<ParticleFrame, String> {
    const START: &[u8] = b"<AppendedData encoding=\"raw\">\n_";
    const LONGEST_HEADER: usize = 1 << 16;
    let start = bytes.windows(START.len()).take(LONGEST_HEADER).position(|window| window == START);
    let (header, data) = bytes.split_at(start.ok_or("it has no raw data")?);
    let data = &data[START.len()..];
    let header = std::str::from_utf8(header).map_err(|_| "its header is not text")?;
    if !header.contains("byte_order=\"LittleEndian\" header_type=\"UInt64\"") {
        return Err("it is not a frame that this program has written".to_owned());
    }
    let tag = |name: &str| header.lines().find(|line| line.contains(&format!(" Name=\"{name}\"")));
    let array = |name: &str, kind: &str| {
        let tag = tag(name).filter(|tag| tag.contains(&format!("type=\"{kind}\"")))?;
        let offset = tag.split_once("offset=\"")?.1.split_once('"')?.0.parse().ok()?;
        let (length, rest) = data.get(offset..)?.split_first_chunk()?;
        rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)
    };
    let time = || tag("TimeValue")?.split_once('>')?.1.split_once('<')?.0.parse().ok();
    Ok(ParticleFrame {
        time: time().unwrap_or(0.0),
        positions: vectors(array("position", "Float32").ok_or("it has no positions")?),
        velocities: array("velocity", "Float32").map_or_else(Vec::new, vectors),
        fluids: array("fluid", "UInt8").map_or_else(Vec::new, <[u8]>::to_vec),
    })
}
