//! Stanford PLY, binary little-endian.

use super::order::by_id;
use sph_core::Particles;
use std::io::{self, Write};

/// Writes the particles at `time` (s) as vertices, in SI units.
pub(super) fn write(out: &mut dyn Write, time: f64, particles: &Particles) -> io::Result<()> {
    write!(out, "ply\nformat binary_little_endian 1.0\ncomment SPH particles, SI units\ncomment time {time}\n")?;
    writeln!(out, "element vertex {}", particles.len())?;
    for name in ["x", "y", "z", "vx", "vy", "vz", "density", "pressure"] {
        writeln!(out, "property float {name}")?;
    }
    write!(out, "property uint id\nend_header\n")?;
    for index in by_id(particles) {
        let [x, y, z] = particles.positions[index].to_array();
        let [vx, vy, vz] = particles.velocities[index].to_array();
        for value in [x, y, z, vx, vy, vz, particles.densities[index], particles.pressures[index]] {
            out.write_all(&value.to_le_bytes())?;
        }
        out.write_all(&particles.ids[index].to_le_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn header_and_rows_agree() {
        let mut out = Vec::new();
        super::write(&mut out, 0.25, &crate::export::order::pair()).unwrap();
        let header_end = out.windows(11).position(|bytes| bytes == b"end_header\n").unwrap() + 11;
        let (header, body) = out.split_at(header_end);
        let header = std::str::from_utf8(header).unwrap();
        assert!(header.starts_with("ply\nformat binary_little_endian 1.0\n"));
        assert!(header.contains("element vertex 2\n") && header.contains("comment time 0.25\n"));
        assert_eq!(body.len(), 2 * 9 * 4);
        // Ids order the rows: the second row is the first particle.
        let float = |offset: usize| f32::from_le_bytes(body[offset..offset + 4].try_into().unwrap());
        assert_eq!([float(36), float(40), float(44), float(48)], [1.0, 2.0, 3.0, 1.0]);
        assert_eq!(body[68..72], 1u32.to_le_bytes());
    }
}
