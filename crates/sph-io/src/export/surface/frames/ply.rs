//! PLY frames of particles, binary little-endian.

use super::frame::{ParticleFrame, vector};
use std::ops::Range;

pub(super) fn parse(bytes: &[u8]) -> Result<ParticleFrame, String> {
    const END: &[u8] = b"end_header\n";
    const LONGEST_HEADER: usize = 1 << 16;
    let end = bytes.windows(END.len()).take(LONGEST_HEADER).position(|window| window == END);
    let (header, body) = bytes.split_at(end.ok_or("it has no complete header")?);
    let body = &body[END.len()..];
    let header = std::str::from_utf8(header).map_err(|_| "its header is not text")?;
    if !header.starts_with("ply\nformat binary_little_endian 1.0\n") {
        return Err("it is not binary, little-endian PLY".to_owned());
    }
    let (mut time, mut count, mut columns) = (0.0, None, Vec::<(&str, &str, Range<usize>)>::new());
    for line in header.lines().skip(2) {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["comment", "time", value] => time = value.parse().map_err(|_| "its time is not a number")?,
            ["element", "vertex", value] if count.is_none() => count = value.parse::<usize>().ok(),
            ["element", ..] => return Err("it is a mesh, and not particles".to_owned()),
            ["property", kind @ ("float" | "uint" | "uchar"), name] => {
                let start = columns.last().map_or(0, |(_, _, before)| before.end);
                columns.push((name, kind, start..start + if kind == "uchar" { 1 } else { 4 }));
            }
            ["comment", ..] => {}
            _ => return Err(format!("its header has the unknown line `{}`", line.escape_debug())),
        }
    }
    let row = columns.last().map_or(0, |(_, _, last)| last.end);
    let count = count.ok_or("it has no particles")?;
    let rows = count.checked_mul(row).and_then(|length| body.get(..length)).ok_or("it ends before its last particle")?;
    let rows = || rows.chunks_exact(row.max(1));
    // Three columns side by side, as exports have them.
    let vectors = |names: [&str; 3]| {
        let first =
            columns.windows(3).find(|three| (0..3).all(|axis| three[axis].0 == names[axis] && three[axis].1 == "float"))?;
        let start = first[0].2.start;
        Some(rows().filter_map(|row| row[start..].first_chunk().map(vector)).collect::<Vec<_>>())
    };
    let fluid = columns.iter().find(|(name, kind, _)| (*name, *kind) == ("fluid", "uchar"));
    Ok(ParticleFrame {
        time,
        positions: vectors(["x", "y", "z"]).ok_or("it has no positions")?,
        velocities: vectors(["vx", "vy", "vz"]).unwrap_or_default(),
        fluids: fluid.map_or_else(Vec::new, |(_, _, place)| rows().map(|row| row[place.start]).collect()),
    })
}
