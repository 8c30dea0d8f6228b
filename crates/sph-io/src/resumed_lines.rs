//! Lines of an output so far, and those of an earlier run that a resumed one goes on with.

use crate::atomic_file::abandoned_files;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufRead, BufReader, Read as _, Seek, Write};
use std::path::Path;
use twox_hash::XxHash64;

/// Most bytes of a line: those of a row of a million readings.
const LONGEST_LINE: u64 = 1 << 24;

/// The lines that an output has had: a resumed run goes on after them, and after no others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LinesSoFar {
    /// Their number.
    pub count: u64,
    /// Hash of their bytes.
    pub hash: u64,
}

/// Counts and hashes lines.
#[derive(Clone, Debug)]
pub(crate) struct LineCounter {
    count: u64,
    hash: XxHash64,
}

impl Default for LineCounter {
    fn default() -> Self {
        Self { count: 0, hash: XxHash64::with_seed(0) }
    }
}

impl LineCounter {
    /// Adds a line, without its end.
    pub fn add(&mut self, line: &[u8]) {
        self.count += 1;
        self.hash.write(line);
        self.hash.write_u8(b'\n');
    }

    /// The lines so far.
    pub fn so_far(&self) -> LinesSoFar {
        LinesSoFar { count: self.count, hash: self.hash.finish() }
    }
}

/// Earlier contents of an output: the file of its name, and what killed runs have left of it.
#[derive(Debug)]
pub(crate) struct EarlierLines {
    published: Option<File>,
    abandoned: Vec<File>,
}

impl EarlierLines {
    /// Opens the earlier contents of the output at `path`. To be called before the output is begun, which removes the rest of killed runs.
    pub fn of(path: &Path) -> Self {
        let published = if path.is_file() { File::open(path).ok() } else { None };
        // A link is followed, as the output does.
        let place = path.canonicalize();
        Self { published, abandoned: abandoned_files(place.as_deref().unwrap_or(path)) }
    }

    /// Copies the lines of `wanted` after the first `skipped` to `out`, and counts them with `counter`, from whichever file begins with them.
    /// Copies nothing if there is no file. A file that cannot be read is passed over.
    ///
    /// # Errors
    /// There are files, and none of them begins with these lines; or they cannot be copied.
    pub fn copy(
        mut self,
        skipped: usize,
        wanted: LinesSoFar,
        counter: &mut LineCounter,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if wanted.count == 0 {
            return Ok(());
        }
        let mut files = self.published.iter_mut().chain(&mut self.abandoned);
        let found = files.find_map(|file| matches!(starts_with(file, skipped, wanted), Ok(true)).then_some(file));
        let Some(file) = found else {
            let message = match (&self.published, self.abandoned.len()) {
                (Some(_), _) => "it does not begin with",
                (None, 0) => return Ok(()),
                (None, _) => "its leftover from a killed run (.NAME.….partial) does not begin with",
            };
            let message = format!("{message} the {} lines of the run that is resumed: choose another name", wanted.count);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        };
        for line in lines(file)?.skip(skipped).take(wanted.count as usize) {
            let line = line?;
            counter.add(&line);
            out.write_all(&line)?;
            out.write_all(b"\n")?;
        }
        out.flush()
    }
}

/// True if the lines of `file` after the first `skipped` begin with those of `wanted`.
fn starts_with(file: &mut File, skipped: usize, wanted: LinesSoFar) -> io::Result<bool> {
    let mut counter = LineCounter::default();
    for line in lines(file)?.skip(skipped).take(wanted.count as usize) {
        counter.add(&line?);
    }
    Ok(counter.so_far() == wanted)
}

/// The lines of `file` without their ends. A line that is longer than any of an output is an error.
fn lines(file: &mut File) -> io::Result<impl Iterator<Item = io::Result<Vec<u8>>>> {
    file.rewind()?;
    let mut file = BufReader::new(&*file);
    Ok(std::iter::from_fn(move || next_line(&mut file, LONGEST_LINE).transpose()))
}

/// The next line, at most `longest` bytes with its end; `None` at the end of the file.
fn next_line(file: &mut impl BufRead, longest: u64) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let length = file.take(longest).read_until(b'\n', &mut line)?;
    match line.last() {
        None => Ok(None),
        Some(b'\n') => {
            line.pop();
            Ok(Some(line))
        }
        Some(_) if length as u64 == longest => Err(io::Error::new(io::ErrorKind::InvalidData, "a line of it is too long")),
        Some(_) => Ok(Some(line)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_so_far(lines: &[&str]) -> LinesSoFar {
        let mut counter = LineCounter::default();
        lines.iter().for_each(|line| counter.add(line.as_bytes()));
        counter.so_far()
    }

    fn copied(path: &Path, wanted: LinesSoFar) -> io::Result<(LinesSoFar, String)> {
        let (mut out, mut counter) = (Vec::new(), LineCounter::default());
        EarlierLines::of(path).copy(1, wanted, &mut counter, &mut out)?;
        Ok((counter.so_far(), String::from_utf8(out).unwrap()))
    }

    #[test]
    fn the_lines_of_the_same_run_are_copied_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let nothing = (lines_so_far(&[]), String::new());
        assert_eq!(copied(&path, lines_so_far(&["1"])).unwrap(), nothing, "there is no file");
        std::fs::write(&path, "names\n1\n2\n3\n").unwrap();
        let wanted = lines_so_far(&["1", "2"]);
        assert_eq!(copied(&path, wanted).unwrap(), (wanted, "1\n2\n".to_owned()));
        assert_eq!(copied(&path, lines_so_far(&[])).unwrap(), nothing);
        for other in [&["1", "4"][..], &["1", "2", "3", "4"], &["1\n2"]] {
            let error = copied(&path, lines_so_far(other)).unwrap_err();
            assert!(error.to_string().contains("does not begin with the"), "{error}");
        }
    }

    #[test]
    fn the_lines_of_a_killed_run_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, "names\nof another run\n").unwrap();
        // The last line was cut off.
        std::fs::write(folder.path().join(".a.csv.Ab1Cd2.partial"), "names\n1\n2\n3").unwrap();
        let wanted = lines_so_far(&["1", "2"]);
        assert_eq!(copied(&path, wanted).unwrap(), (wanted, "1\n2\n".to_owned()));

        std::fs::remove_file(&path).unwrap();
        let error = copied(&path, lines_so_far(&["1", "4"])).unwrap_err();
        assert!(error.to_string().contains("a killed run") && error.to_string().contains("the 2 lines"), "{error}");
    }

    #[test]
    fn a_file_without_lines_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        // Without a byte on the disk.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        std::fs::write(folder.path().join(".a.csv.Ab1Cd2.partial"), "names\n1\n").unwrap();
        let wanted = lines_so_far(&["1"]);
        assert_eq!(copied(&path, wanted).unwrap(), (wanted, "1\n".to_owned()));
        assert!(next_line(&mut &b"12345\n"[..], 5).is_err());
        assert_eq!(next_line(&mut &b"12345\n"[..], 6).unwrap(), Some(b"12345".to_vec()));
        assert_eq!(next_line(&mut &b"1234"[..], 6).unwrap(), Some(b"1234".to_vec()));
    }
}
