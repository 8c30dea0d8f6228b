//! Files of a motion: comma-separated rows of a time and numbers, as measured or computed elsewhere.

use std::path::Path;

use super::shapes::in_folder;
use crate::SourceFiles;
use crate::words::list;

/// Maximum size of a motion file, bytes.
pub(super) const MAX_FILE_BYTES: u64 = 4 << 20;

/// The rows of a file, of which there is at least one. The first number of each is a time that is later than the one before.
#[derive(Debug, PartialEq)]
pub(super) struct MotionFile {
    /// Names of the columns; none without a line of them.
    names: Vec<String>,
    pub rows: Vec<Vec<f64>>,
    /// Lines of the rows, from 1.
    lines: Vec<usize>,
}

impl MotionFile {
    /// Reads the file `name` of a scene in `folder`. Empty lines, those that begin with `#`, and one of names before the rows are no rows.
    ///
    /// # Errors
    /// The file and its fault, with its line.
    pub fn read(name: &str, folder: Option<&Path>, files: &mut SourceFiles) -> Result<Self, String> {
        let file = in_folder(folder, name);
        let fail = |fault: String| format!("{} {fault}", file.display());
        let bytes = files.read(&file, MAX_FILE_BYTES).map_err(|error| fail(format!("cannot be read: {error}")))?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(fail(format!("is larger than {} MiB", MAX_FILE_BYTES >> 20)));
        }
        Self::parse(str::from_utf8(&bytes).map_err(|_| fail("is not text".to_owned()))?).map_err(fail)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut file = Self { names: Vec::new(), rows: Vec::new(), lines: Vec::new() };
        let text = text.trim_start_matches('\u{feff}');
        for (line, text) in (1..).zip(text.lines()) {
            if text.trim().is_empty() || text.trim_start().starts_with('#') {
                continue;
            }
            let cells = || text.split(',').map(str::trim);
            let row: Result<Vec<f64>, _> = cells().map(str::parse).collect();
            match row {
                Ok(row) => file.push(row, line)?,
                Err(_) if file.rows.is_empty() && file.names.is_empty() => {
                    file.names = cells().map(|name| name.trim_matches('"').to_owned()).collect();
                }
                Err(_) => return Err(format!("has no row of numbers on line {line}")),
            }
        }
        if file.rows.is_empty() { Err("has no row of numbers, separated by commas".to_owned()) } else { Ok(file) }
    }

    fn push(&mut self, row: Vec<f64>, line: usize) -> Result<(), String> {
        if row.iter().any(|number| !number.is_finite()) {
            return Err(format!("has a number on line {line} that is not finite"));
        }
        if self.rows.last().is_some_and(|last| row[0] <= last[0]) {
            return Err(format!("has the time {} s on line {line}, not later than the one before", row[0]));
        }
        self.rows.push(row);
        self.lines.push(line);
        Ok(())
    }

    /// Times and the numbers of the column called `name`; without a name those of the second column.
    ///
    /// # Errors
    /// The fault: there is no such column, or a row is too short.
    pub fn column(&self, name: Option<&str>) -> Result<Vec<(f64, f64)>, String> {
        let column = match name {
            None => 1,
            Some(name) => self.names.iter().position(|other| other == name).ok_or_else(|| match self.names.as_slice() {
                [] => format!("has no line with the names of its columns, such as `{name}`"),
                names => format!("has no column `{name}`, but {}", list(names.iter().map(String::as_str))),
            })?,
        };
        let number = |(row, line): (&Vec<f64>, &usize)| {
            let count = row.len();
            let number =
                row.get(column).ok_or_else(|| format!("has {count} numbers on line {line}, none in column {}", column + 1));
            Ok((row[0], *number?))
        };
        self.rows.iter().zip(&self.lines).map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\u{feff}# measured\n\"time\", angle_deg, level\n\n0, 0, 0.5\n0.1, 2.5, 0.4\r\n0.3,-1e1,0.3\n";

    #[test]
    fn columns_are_found_by_name() {
        let file = MotionFile::parse(TABLE).unwrap();
        let angles = vec![(0.0, 0.0), (0.1, 2.5), (0.3, -10.0)];
        assert_eq!((file.column(None), file.column(Some("angle_deg"))), (Ok(angles.clone()), Ok(angles)));
        assert_eq!(file.column(Some("level")).unwrap()[1], (0.1, 0.4));
        assert_eq!(file.column(Some("angle")).unwrap_err(), "has no column `angle`, but `time`, `angle_deg` or `level`");
        let unnamed = MotionFile::parse("0, 1\n1\n").unwrap();
        assert_eq!(unnamed.column(None).unwrap_err(), "has 1 numbers on line 2, none in column 2");
        assert!(unnamed.column(Some("a")).unwrap_err().starts_with("has no line with the names"));
    }

    #[test]
    fn faults_have_their_line() {
        let fault = |text: &str| MotionFile::parse(text).unwrap_err();
        assert_eq!(fault("t, a\n0, 0\n1, x\n"), "has no row of numbers on line 3");
        assert_eq!(fault("# c\n0, 0\n0.5, 1\n\n0.5, 2\n"), "has the time 0.5 s on line 5, not later than the one before");
        assert_eq!(fault("0, nan\n"), "has a number on line 1 that is not finite");
        assert_eq!(fault("t, a\n"), "has no row of numbers, separated by commas");
    }
}
