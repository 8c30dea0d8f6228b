//! Animated PNG (PNG specification, third edition, section 4.9). The number of pictures stands before the first of them, and is known after
//! the last: the pictures go to a temporary file, which is copied in the end behind a head with the right number. One picture is in memory.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::PictureSink;
use crate::Picture;
use sph_io::AtomicFile;

/// Writes an animated PNG.
pub struct Apng {
    path: PathBuf,
    size: [u32; 2],
    /// The animation, as if it had more pictures than ever come.
    animation: png::Writer<BufWriter<File>>,
    /// The file that it is written to.
    written: File,
    pictures: u32,
}

impl Apng {
    /// Starts the animation `path`.
    pub fn create(path: &Path, size: [u32; 2], fps: f64) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(Ok(()), sph_io::make_folder)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let written = tempfile::tempfile_in(folder)?;
        let mut animation = animation(BufWriter::new(written.try_clone()?), size, u32::MAX)?;
        let [numerator, denominator] = delay(fps);
        animation.set_frame_delay(numerator, denominator)?;
        Ok(Self { path: path.to_owned(), size, animation, written, pictures: 0 })
    }
}

impl PictureSink for Apng {
    fn add(&mut self, picture: &Picture) -> io::Result<()> {
        if [picture.width, picture.height] != self.size {
            return Err(io::Error::other("a picture has a different size from the first"));
        }
        // The kind of an error of the file, such as that of a full disk, is kept.
        self.animation.write_image_data(&picture.rgba).map_err(|error| match error {
            png::EncodingError::IoError(error) => error,
            other => other.into(),
        })?;
        self.pictures += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<PathBuf> {
        let Self { path, size, animation, mut written, pictures } = *self;
        if pictures == 0 {
            return Err(io::Error::other("there is no picture"));
        }
        animation.finish()?;
        let head = head(size, pictures)?;
        written.seek(SeekFrom::Start(head.len() as u64))?;
        let mut file = AtomicFile::create(&path)?;
        file.write_all(&head)?;
        io::copy(&mut written, &mut file)?;
        file.finish()?;
        Ok(path)
    }
}

/// An animation with as many pictures, played for ever.
fn animation<W: Write>(out: W, size: [u32; 2], pictures: u32) -> io::Result<png::Writer<W>> {
    let mut encoder = png::Encoder::new(out, size[0], size[1]);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_animated(pictures, 0)?;
    Ok(encoder.write_header()?)
}

/// The bytes of an animation before its first picture: as many for any number of pictures.
fn head(size: [u32; 2], pictures: u32) -> io::Result<Vec<u8>> {
    /// Bytes of the chunk that ends a file.
    const END: usize = 12;

    let mut bytes = Vec::new();
    animation(&mut bytes, size, pictures)?.finish()?;
    bytes.truncate(bytes.len() - END);
    Ok(bytes)
}

/// Time of a picture as a fraction of 16-bit numbers, s: the one with the smallest numerator that is exact, such as 100/2997 for 29.97 a
/// second, or else the nearest.
fn delay(fps: f64) -> [u16; 2] {
    const EXACT: f64 = 1e-9;
    let denominator = |numerator: u16| (f64::from(numerator) * fps).round().clamp(1.0, f64::from(u16::MAX)) as u16;
    let error = |numerator: u16| (f64::from(numerator) * fps / f64::from(denominator(numerator)) - 1.0).abs();
    let mut all = 1..=u16::MAX;
    let nearest = || (1..=u16::MAX).min_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap_or(1);
    let numerator = all.find(|&numerator| error(numerator) < EXACT).unwrap_or_else(nearest);
    [numerator, denominator(numerator)]
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
        let mut reader = png::Decoder::new(io::BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
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
