//! Particles from files: BGEO of Partio and Houdini, and the vertices of PLY, with their velocities if the file has them.

mod bgeo;

use std::io::Read;
use std::path::Path;

use super::SourceFiles;
use crate::mesh::{bytes_of, ply};
use flate2::read::MultiGzDecoder;
use glam::Vec3;

/// Particles as they are in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Points {
    /// Positions, in the units of the file.
    pub positions: Vec<Vec3>,
    /// Velocities, as many as positions, or none.
    pub velocities: Vec<Vec3>,
}

/// Most bytes of a compressed file that are decompressed.
const MOST_DECOMPRESSED: u64 = 1 << 30;

/// First bytes of a file that gzip has compressed.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The particles of a file, whose format its extension tells. It is added to `files`.
///
/// # Errors
/// The file and its fault, with its byte or vertex: it cannot be read, is too large, or is damaged.
pub(crate) fn read(path: &Path, files: &mut SourceFiles) -> Result<Points, String> {
    let fail = |fault: String| format!("{} {fault}", path.display());
    let bytes = bytes_of(path, files).map_err(fail)?;
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("bgeo" | "bhclassic" | "gz") => parse_bgeo(&bytes),
        Some("ply") => ply::parse_points(&bytes),
        _ => Err("has an unknown format: expected .bgeo, .bhclassic or .ply".to_owned()),
    }
    .map_err(fail)
}

/// Partio compresses files whether or not their names say so.
fn parse_bgeo(bytes: &[u8]) -> Result<Points, String> {
    if !bytes.starts_with(&GZIP) {
        return bgeo::parse(bytes);
    }
    bgeo::parse(MultiGzDecoder::new(bytes).take(MOST_DECOMPRESSED))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;

    /// Two particles as Partio writes them, with an id, a text and a velocity.
    fn bgeo() -> Vec<u8> {
        let mut bytes = b"BgeoV".to_vec();
        for number in [5u32, 2, 0, 0, 0, 3, 0, 0, 0] {
            bytes.extend(number.to_be_bytes());
        }
        let mut define = |name: &str, size: u16, kind: u32, rest: &[u8]| {
            bytes.extend((name.len() as u16).to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.extend(size.to_be_bytes());
            bytes.extend(kind.to_be_bytes());
            bytes.extend(rest);
        };
        define("id", 1, 1, &[0; 4]);
        define("material", 1, 4, &[0, 0, 0, 1, 0, 5, b'w', b'a', b't', b'e', b'r']);
        define("velocity", 3, 5, &[0; 12]);
        for (id, [position, velocity]) in (0u32..).zip(PARTICLES) {
            bytes.extend(position.iter().chain(&[1.0]).flat_map(|number| number.to_be_bytes()));
            bytes.extend(id.to_be_bytes());
            bytes.extend([0; 4]);
            bytes.extend(velocity.iter().flat_map(|number| number.to_be_bytes()));
        }
        bytes.extend([0x00, 0xff]);
        bytes
    }

    fn compressed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn ply() -> Vec<u8> {
        let header = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n\
                      property float vx\nproperty float vy\nproperty float vz\nend_header\n";
        let row = |[[x, y, z], [u, v, w]]: [[f32; 3]; 2]| format!("{x} {y} {z} 255 {u} {v} {w}\n");
        (header.to_owned() + &PARTICLES.map(row).concat()).into_bytes()
    }

    /// Positions and velocities, which single precision has exactly.
    const PARTICLES: [[[f32; 3]; 2]; 2] = [[[0.5, -1.25, 2.0], [1.0, 0.0, -3.5]], [[0.25, 0.0, 0.125], [0.0, 8.0, 0.75]]];

    fn expected() -> Points {
        let vectors = |which: usize| PARTICLES.iter().map(|particle| Vec3::from_array(particle[which])).collect();
        Points { positions: vectors(0), velocities: vectors(1) }
    }

    #[test]
    fn the_particles_are_the_same_from_every_format() {
        assert_eq!(parse_bgeo(&bgeo()), Ok(expected()));
        assert_eq!(parse_bgeo(&compressed(&bgeo())), Ok(expected()));
        assert_eq!(ply::parse_points(&ply()), Ok(expected()));
        let at_rest = String::from_utf8(ply()).unwrap().replace("property float vx", "property float n");
        assert_eq!(ply::parse_points(at_rest.as_bytes()).unwrap().velocities, []);
    }

    #[test]
    fn faults_have_their_place() {
        let fault = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = bgeo();
            change(&mut bytes);
            parse_bgeo(&bytes).unwrap_err()
        };
        assert_eq!(fault(&|bytes| bytes[0] = b'b'), "is not a BGEO file: it does not begin with `BgeoV`");
        assert_eq!(fault(&|bytes| bytes[8] = 6), "is BGEO of version 6 (byte 5): expected version 5");
        assert_eq!(fault(&|bytes| bytes[9] = 127), "has 2130706434 points (byte 9): at most 20000000 are possible");
        assert_eq!(fault(&|bytes| bytes.truncate(30)), "ends within its header, which begins at byte 29");
        let last = fault(&|bytes| bytes.truncate(bytes.len() - 5));
        assert!(last.starts_with("ends within point 1 of 2, which begins at byte 1"), "{last}");
        assert_eq!(fault(&|bytes| bytes[50] = 9), "has an attribute 0 of the unknown kind 9 (byte 41)");
        assert!(parse_bgeo(b"\x7fNSJb").unwrap_err().starts_with("is Houdini's newer geometry"));
        let cut = compressed(&bgeo());
        assert!(parse_bgeo(&cut[..cut.len() - 20]).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        /// Bytes replaced and cut off.
        #[test]
        fn damaged_files_do_not_panic(which in 0usize..3, edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8), cut in 0usize..20) {
            let mut bytes = vec![bgeo(), compressed(&bgeo()), ply()].swap_remove(which);
            for (at, byte) in edits {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            bytes.truncate(bytes.len() - cut);
            let _ = if which == 2 { ply::parse_points(&bytes) } else { parse_bgeo(&bytes) };
        }
    }
}
