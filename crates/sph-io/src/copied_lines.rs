//! Lines of an output so far, and those of an earlier run that a resumed one goes on with.

use crate::atomic_file::abandoned_files;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::Path;
use twox_hash::XxHash64;

/// The lines that an output has had: a resumed run goes on after them, and after no others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Copies nothing if there is no file.
    ///
    /// # Errors
    /// The published file begins with other lines, and no other file with these; or they cannot be copied.
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
        let found = files.find_map(|file| match starts_with(file, skipped, wanted) {
            Ok(true) => Some(Ok(file)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        });
        let Some(file) = found.transpose()? else {
            let message =
                format!("it does not begin with the {} lines of the run that is resumed: choose another name", wanted.count);
            let error = io::Error::new(io::ErrorKind::InvalidData, message);
            return if self.published.is_some() { Err(error) } else { Ok(()) };
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

fn lines(file: &mut File) -> io::Result<io::Split<BufReader<&File>>> {
    file.rewind()?;
    Ok(BufReader::new(&*file).split(b'\n'))
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
    }
}
