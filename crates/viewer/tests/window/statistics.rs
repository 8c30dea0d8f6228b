//! The file of statistics, which the program writes while it runs.

use serde_json::Value;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// More bytes than any line has.
const TAIL: u64 = 1 << 16;

/// The latest complete line of the file in `folder` that is being written, under its temporary name. Only the file's end is read: it grows
/// by hundreds of lines a second.
pub fn latest(folder: &Path) -> Option<Value> {
    let mut file = File::open(partial(folder)?).ok()?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let (complete, _) = text.rsplit_once('\n')?;
    let line = complete.rsplit('\n').next()?;
    Some(serde_json::from_str(line).expect("a line is JSON"))
}

/// All lines of a complete file.
pub fn read(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(text.ends_with('\n'), "{} ends in the middle of a line", path.display());
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// The file in `folder` that is being written.
pub fn partial(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be listed").filter_map(Result::ok);
    entries.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|extension| extension == "partial"))
}

pub fn number(line: &Value, pointer: &str) -> f64 {
    line.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("no {pointer} in {line}"))
}
