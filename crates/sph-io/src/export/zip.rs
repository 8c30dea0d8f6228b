//! ZIP archive of uncompressed files, which is all that NPZ needs.
//!
//! Floats of a moving fluid hardly compress, and NumPy itself stores them plainly by default, so that no compressor is linked.

use std::io::{self, Write};

/// Version of the format that a reader must know, times ten: files, uncompressed.
const VERSION: u16 = 20;
/// Date of all files, as MS-DOS has it: 1 January 1980, so that equal frames are equal files.
const DATE: u16 = (1 << 5) | 1;

/// An archive that is being written.
pub(super) struct Archive<'a> {
    out: &'a mut dyn Write,
    /// Bytes written so far.
    length: u32,
    /// Number of files.
    files: u16,
    /// The directory, which follows the files.
    directory: Vec<u8>,
}

impl<'a> Archive<'a> {
    /// An empty archive.
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, length: 0, files: 0, directory: Vec::new() }
    }

    /// Adds a file.
    ///
    /// # Errors
    /// It cannot be written, or the archive would be longer than 4 GiB, where the format ends.
    pub fn add(&mut self, name: &str, data: &[u8]) -> io::Result<()> {
        let size = u32::try_from(data.len()).map_err(|_| too_large())?;
        let mut about = Vec::new();
        // Version, flags, method "stored", time and date.
        for number in [VERSION, 0, 0, 0, DATE] {
            about.extend(number.to_le_bytes());
        }
        for number in [crc32fast::hash(data), size, size] {
            about.extend(number.to_le_bytes());
        }
        about.extend((name.len() as u16).to_le_bytes());
        about.extend(0u16.to_le_bytes());

        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&about);
        // No comment, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(self.length.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.files += 1;
        for bytes in [b"PK\x03\x04", &about[..], name.as_bytes(), data] {
            self.write(bytes)?;
        }
        Ok(())
    }

    /// Writes the directory.
    ///
    /// # Errors
    /// Those of [`Archive::add`].
    pub fn finish(mut self) -> io::Result<()> {
        let (start, directory) = (self.length, std::mem::take(&mut self.directory));
        self.write(&directory)?;
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        end.extend([self.files, self.files].map(u16::to_le_bytes).concat());
        end.extend([directory.len() as u32, start].map(u32::to_le_bytes).concat());
        end.extend([0; 2]);
        self.write(&end)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = u32::try_from(bytes.len()).ok().and_then(|more| self.length.checked_add(more)).ok_or_else(too_large)?;
        self.out.write_all(bytes)?;
        self.length = length;
        Ok(())
    }
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "a ZIP archive has at most 4 GiB: choose fewer attributes")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Names and contents of the files, found from the end as readers find them.
    pub fn entries(archive: &[u8]) -> Vec<(String, &[u8])> {
        let u16_at = |at: usize| usize::from(u16::from_le_bytes(archive[at..at + 2].try_into().unwrap()));
        let u32_at = |at: usize| u32::from_le_bytes(archive[at..at + 4].try_into().unwrap()) as usize;
        let end = archive.len() - 22;
        assert_eq!(&archive[end..end + 4], b"PK\x05\x06");
        let mut at = u32_at(end + 16);
        assert_eq!(at + u32_at(end + 12), end);
        let mut entries = Vec::new();
        for _ in 0..u16_at(end + 10) {
            assert_eq!(&archive[at..at + 4], b"PK\x01\x02");
            let (crc, size, name_length, local) = (u32_at(at + 16), u32_at(at + 24), u16_at(at + 28), u32_at(at + 42));
            let name = &archive[at + 46..at + 46 + name_length];
            assert_eq!(&archive[local..local + 4], b"PK\x03\x04");
            assert_eq!(archive[local + 4..local + 30], archive[at + 6..at + 32]);
            let data = &archive[local + 30 + name_length..][..size];
            assert_eq!(crc32fast::hash(data) as usize, crc);
            entries.push((String::from_utf8(name.to_vec()).unwrap(), data));
            at += 46 + name_length;
        }
        assert_eq!(at, end);
        entries
    }

    #[test]
    fn files_come_back_by_the_directory() {
        let mut out = Vec::new();
        let mut archive = Archive::new(&mut out);
        archive.add("a", b"").unwrap();
        archive.add("longer.npy", b"content").unwrap();
        archive.finish().unwrap();
        assert_eq!(entries(&out), [("a".to_owned(), &b""[..]), ("longer.npy".to_owned(), b"content")]);
        // Check value of CRC-32 in its specifications.
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn an_archive_ends_at_four_gibibytes() {
        let mut out = io::sink();
        let mut archive = Archive::new(&mut out);
        archive.length = u32::MAX - 40;
        assert_eq!(archive.add("a", b"0123456789").unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
