//! Fuzzing of everything that reads a file: `cargo xtask fuzz READER [--minutes N] [--seed S]`.
//!
//! Inputs are mutations of sound files that know the structure of the format: values out of range or of another kind, keys and blocks
//! doubled, removed and joined from several files, checkpoints sealed again with a checksum that is right. An input with an outcome that none has
//! had before, such as a new error, is mutated further. Each input is read by a child process that counts time and memory; one that
//! panics, or takes too much of either, is made shorter and kept as a file.

mod allocations;
mod corpus;
mod mutation;
mod random;
mod readers;
mod session;
mod shrink;
mod worker;

use readers::Reader;
use std::path::PathBuf;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;

const USAGE: &str = "\
Usage: fuzz READER [--minutes N] [--seed S]    mutate and read files
       fuzz READER FILE                        read one file, such as one that was found

READER is scene, import, mesh or checkpoint.
";

/// Arguments of a session, and of its child processes.
#[derive(Clone, Debug)]
pub struct Arguments {
    reader: Reader,
    minutes: f64,
    seed: u64,
    /// A file to read, and nothing else.
    file: Option<PathBuf>,
    /// True in a child process.
    is_worker: bool,
}

impl Arguments {
    /// Reads the command line; `None` if it is not understood.
    fn parse(mut words: impl Iterator<Item = String>) -> Option<Self> {
        let name = words.next()?;
        let reader = Reader::ALL.into_iter().find(|reader| reader.name() == name)?;
        let mut arguments = Self { reader, minutes: 1.0, seed: 1, file: None, is_worker: false };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--minutes" => arguments.minutes = words.next()?.parse().ok()?,
                "--seed" => arguments.seed = words.next()?.parse().ok()?,
                "--worker" => arguments.is_worker = true,
                _ if word.starts_with('-') => return None,
                _ => arguments.file = Some(PathBuf::from(word)),
            }
        }
        Some(arguments)
    }
}

fn main() -> ExitCode {
    let Some(arguments) = Arguments::parse(std::env::args().skip(1)) else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    let result = match &arguments.file {
        Some(file) => worker::read_one(arguments.reader, file),
        None if arguments.is_worker => worker::work(&arguments),
        None => session::run(&arguments),
    };
    match result {
        Ok(status) => status,
        Err(error) => {
            eprintln!("fuzz: {error}");
            ExitCode::from(2)
        }
    }
}
