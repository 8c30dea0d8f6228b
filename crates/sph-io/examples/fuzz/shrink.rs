//! Inputs made shorter, as long as what is wrong with them stays.

use crate::corpus::Input;
use crate::readers::Reader;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time for one input.
const MOST_TIME: Duration = Duration::from_secs(30);

/// Makes every finding in `folder` shorter.
pub fn all(reader: Reader, folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() && path.extension().is_some() {
            let mut input = Input::read(&path)?;
            let trial = folder.join(format!("work/input.{}", input.extension));
            let Some(status) = status(reader, &trial, &input.bytes)?.filter(|&status| status != 0) else { continue };
            shrink(&mut input.bytes, |bytes| Ok(self::status(reader, &trial, bytes)? == Some(status)))?;
            std::fs::write(path, input.bytes)?;
        }
    }
    Ok(())
}

/// Exit status of reading `bytes` as the file `trial`; −1 for a signal.
fn status(reader: Reader, trial: &Path, bytes: &[u8]) -> io::Result<Option<i32>> {
    std::fs::write(trial, bytes)?;
    let mut command = Command::new(std::env::current_exe()?);
    let status = command.arg(reader.name()).arg(trial).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(Some(status.code().unwrap_or(-1)))
}

/// Removes parts, first halves and then smaller ones, as long as `is_same` says that the rest has the same fault.
fn shrink(bytes: &mut Vec<u8>, is_same: impl Fn(&[u8]) -> io::Result<bool>) -> io::Result<()> {
    let end = Instant::now() + MOST_TIME;
    let mut part = bytes.len().div_ceil(2);
    while part > 0 {
        let mut at = 0;
        while at < bytes.len() && Instant::now() < end {
            let rest = [&bytes[..at], &bytes[(at + part).min(bytes.len())..]].concat();
            if is_same(&rest)? {
                *bytes = rest;
            } else {
                at += part;
            }
        }
        part /= 2;
    }
    Ok(())
}
