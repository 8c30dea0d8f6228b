//! Animated PNG (PNG specification, third edition, section 4.9). The number of pictures stands before the first of them, and is known after
//! the last: compressed pictures go to a temporary file, which is copied behind the head in the end. One picture is in memory.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::PictureSink;
use crate::Picture;
use sph_io::AtomicFile;

/// Writes an animated PNG.
#[derive(Debug)]
pub struct Apng {
    path: PathBuf,
    size: [u32; 2],
    /// Time of a picture: numerator and denominator, s.
    delay: [u16; 2],
    /// The compressed pictures as chunks.
    body: BufWriter<File>,
    /// Chunks before the pictures, of the first one.
    head: Vec<u8>,
    pictures: u32,
    /// Number of the next chunk of the animation.
    sequence: u32,
}

impl Apng {
    /// Starts the animation `path`.
    pub fn create(path: &Path, size: [u32; 2], fps: f64) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(Ok(()), sph_io::make_folder)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let body = BufWriter::new(tempfile::tempfile_in(folder)?);
        Ok(Self { path: path.to_owned(), size, delay: delay(fps), body, head: Vec::new(), pictures: 0, sequence: 0 })
    }

    fn next_number(&mut self) -> [u8; 4] {
        let number = self.sequence;
        self.sequence += 1;
        number.to_be_bytes()
    }
}

impl PictureSink for Apng {
    fn add(&mut self, picture: &Picture) -> io::Result<()> {
        if [picture.width, picture.height] != self.size {
            return Err(io::Error::other("a picture has a different size from the first"));
        }
        let mut png = Vec::new();
        picture.write_png(&mut png)?;
        let [width, height] = self.size.map(u32::to_be_bytes);
        let [numerator, denominator] = self.delay.map(u16::to_be_bytes);
        let number = self.next_number();
        // At the origin, replacing the picture before.
        let control: [&[u8]; 7] = [&number, &width, &height, &[0; 8], &numerator, &denominator, &[0, 0]];
        write(&mut self.body, *b"fcTL", &control)?;
        for (kind, data) in read(&png) {
            match &kind {
                b"IDAT" if self.pictures == 0 => write(&mut self.body, kind, &[data])?,
                b"IDAT" => {
                    let number = self.next_number();
                    write(&mut self.body, *b"fdAT", &[&number, data])?;
                }
                b"IEND" | b"IHDR" => {}
                _ if self.pictures == 0 => write(&mut self.head, kind, &[data])?,
                _ => {}
            }
        }
        self.pictures += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<PathBuf> {
        if self.pictures == 0 {
            return Err(io::Error::other("there is no picture"));
        }
        let mut file = AtomicFile::create(&self.path)?;
        file.write_all(&SIGNATURE)?;
        let [width, height] = self.size.map(u32::to_be_bytes);
        // Eight bits, with alpha; no other method of compression, filter or interlace.
        write(&mut file, *b"IHDR", &[&width, &height, &[8, 6, 0, 0, 0]])?;
        // Played for ever.
        write(&mut file, *b"acTL", &[&self.pictures.to_be_bytes(), &[0; 4]])?;
        file.write_all(&self.head)?;
        self.body.flush()?;
        let body = self.body.get_mut();
        body.seek(SeekFrom::Start(0))?;
        io::copy(&mut BufReader::new(body).by_ref(), &mut file)?;
        write(&mut file, *b"IEND", &[])?;
        file.finish()?;
        Ok(self.path)
    }
}

/// Time of a picture as a fraction of 16-bit numbers, s: the last convergent of the continued fraction of 1/fps that they hold, so that
/// 29.97 is 100/2997.
fn delay(fps: f64) -> [u16; 2] {
    const MOST: f64 = u16::MAX as f64;
    let mut rest = 1.0 / fps;
    let (mut before, mut last) = ([0.0, 1.0], [1.0, 0.0]);
    while rest.is_finite() {
        let whole = rest.floor();
        let next = [0, 1].map(|part| whole * last[part] + before[part]);
        if next.iter().any(|&part| part > MOST) {
            break;
        }
        (before, last) = (last, next);
        rest = 1.0 / (rest - whole);
    }
    // Zero stands for a quotient beyond the numbers.
    if last[0] == 0.0 {
        last = [1.0, MOST];
    } else if last[1] == 0.0 {
        last = [MOST, 1.0];
    }
    last.map(|part| part as u16)
}

// Chunks of PNG files (PNG specification, third edition, section 5.3): length, type, data, checksum.

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

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(level: u8) -> Picture {
        let rgba = (0..6 * 4).flat_map(|pixel| [level, pixel * 10, 7, 255 - level]).collect();
        Picture { width: 6, height: 4, rgba }
    }

    #[test]
    fn another_decoder_reads_every_picture_with_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/film.png");
        let mut sink = Box::new(Apng::create(&path, [6, 4], 25.0).unwrap());
        let pictures = [picture(0), picture(90), picture(200)];
        pictures.iter().for_each(|picture| sink.add(picture).unwrap());
        assert!(sink.add(&Picture { width: 4, height: 6, ..picture(0) }).is_err());
        assert!(!path.exists());
        assert_eq!(sink.finish().unwrap(), path);
        let mut reader = png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
        assert_eq!(reader.info().animation_control().map(|control| (control.num_frames, control.num_plays)), Some((3, 0)));
        for expected in &pictures {
            let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut rgba).unwrap();
            assert_eq!(rgba, expected.rgba);
            let control = reader.info().frame_control().unwrap();
            assert_eq!((control.delay_num, control.delay_den), (1, 25));
        }
        let names: Vec<_> = std::fs::read_dir(folder.path().join("new")).unwrap().collect();
        assert_eq!(names.len(), 1, "{names:?}");
    }

    #[test]
    fn an_animation_without_pictures_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.png");
        assert!(Box::new(Apng::create(&path, [6, 4], 25.0).unwrap()).finish().is_err());
        assert!(!path.exists());
    }

    #[test]
    fn times_of_pictures() {
        let exact = [(30.0, [1, 30]), (29.97, [100, 2997]), (30_000.0 / 1001.0, [1001, 30_000]), (12.5, [2, 25])];
        let slow = [(0.5, [2, 1]), (0.3, [10, 3]), (1.0, [1, 1])];
        let beyond = [(65_535.0, [1, 65_535]), (1e9, [1, 65_535]), (1e-9, [65_535, 1])];
        for (fps, expected) in exact.into_iter().chain(slow).chain(beyond) {
            assert_eq!(delay(fps), expected, "{fps} a second");
        }
    }

    #[test]
    fn an_hour_of_pictures_lasts_an_hour() {
        for fps in (100..=10_000).map(|hundredths| f64::from(hundredths) / 100.0) {
            let [numerator, denominator] = delay(fps).map(f64::from);
            let hour = 3600.0 * fps * numerator / denominator;
            assert!((hour - 3600.0).abs() < 1e-3, "{hour} s at {fps} a second");
        }
    }
}
