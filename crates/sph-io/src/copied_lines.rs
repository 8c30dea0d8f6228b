//! Lines of an earlier output that a resumed run goes on with.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// Copies lines of the file at `path` to `out`: `count` of them, after the first `skipped`. Returns how many were copied: none
/// if there are fewer, or no regular file.
pub(crate) fn copy_lines(path: &Path, skipped: u64, count: u64, out: &mut dyn Write) -> io::Result<u64> {
    if !path.is_file() || lines(path)?.count() as u64 <= skipped.saturating_add(count).saturating_sub(1) {
        return Ok(0);
    }
    for line in lines(path)?.skip(skipped as usize).take(count as usize) {
        out.write_all(&line?)?;
        out.write_all(b"\n")?;
    }
    Ok(count)
}

fn lines(path: &Path) -> io::Result<io::Split<BufReader<File>>> {
    Ok(BufReader::new(File::open(path)?).split(b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_copied_if_all_are_there() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "names\n1\n2\n3\n").unwrap();
        let copied = |skipped, count| {
            let mut out = Vec::new();
            let copied = copy_lines(file.path(), skipped, count, &mut out).unwrap();
            (copied, String::from_utf8(out).unwrap())
        };
        assert_eq!(copied(1, 2), (2, "1\n2\n".to_owned()));
        assert_eq!(copied(1, 3), (3, "1\n2\n3\n".to_owned()));
        assert_eq!(copied(1, 4), (0, String::new()));
        assert_eq!(copied(0, 0), (0, String::new()));
    }
}
