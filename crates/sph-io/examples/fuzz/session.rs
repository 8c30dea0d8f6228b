//! A session: child processes that read inputs, started again after one that has died, and what they have found.

use crate::corpus::{self, Input};
use crate::{Arguments, shrink, worker};
use std::io::{self, BufRead, BufReader};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::Instant;

/// Sums over the child processes of a session.
#[derive(Default)]
struct Sums {
    inputs: u64,
    outcomes: u64,
    slowest_ms: u64,
    largest_kib: u64,
}

/// Runs a session; status 1 if something was found.
pub fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let Arguments { reader, minutes, seed, .. } = *arguments;
    let (findings, folder) = (corpus::findings(reader), worker::folder(arguments));
    std::fs::create_dir_all(findings.join("corpus"))?;
    std::fs::create_dir_all(&folder)?;
    corpus::lay_out_files(&folder)?;
    let (start, mut sums, mut round) = (Instant::now(), Sums::default(), 0);
    let left = |start: Instant| minutes - start.elapsed().as_secs_f64() / 60.0;
    while left(start) > 0.0 {
        let status = child(arguments, left(start), seed.wrapping_add(round << 32), &mut sums)?;
        round += 1;
        if !status.success() {
            let kind = if status.code() == Some(worker::TOO_LONG.into()) { "slow" } else { "abort" };
            let input = last_input(&folder)?;
            let path = findings.join(format!("{kind}-{seed}-{round}.{}", input.extension));
            eprintln!("{}: {status}", path.display());
            std::fs::write(path, input.bytes)?;
        }
    }
    let found = corpus::inputs_in(&findings)?.len() - usize::from(findings.join("slowest").exists());
    shrink::all(reader, &findings)?;
    let Sums { inputs, outcomes, slowest_ms, largest_kib } = sums;
    println!(
        "{}: {inputs} inputs in {:.0} min, {outcomes} outcomes, longest {:.2} s, most memory {} MiB, {found} findings in {}",
        reader.name(),
        start.elapsed().as_secs_f64() / 60.0,
        slowest_ms as f64 / 1000.0,
        largest_kib >> 10,
        findings.display()
    );
    Ok(if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs a child process and adds what it says to `sums`.
fn child(arguments: &Arguments, minutes: f64, seed: u64, sums: &mut Sums) -> io::Result<ExitStatus> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([arguments.reader.name(), "--worker", "--minutes", &minutes.to_string(), "--seed", &seed.to_string()]);
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let before = sums.inputs;
    for line in child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines()) {
        let numbers: Vec<u64> = line?.split(' ').filter_map(|number| number.parse().ok()).collect();
        if let [inputs, outcomes, slowest, largest] = numbers[..] {
            sums.inputs = before + inputs;
            sums.outcomes = sums.outcomes.max(outcomes);
            sums.slowest_ms = sums.slowest_ms.max(slowest);
            sums.largest_kib = sums.largest_kib.max(largest);
        }
    }
    child.wait()
}

/// The input that was written last.
fn last_input(folder: &std::path::Path) -> io::Result<Input> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|path| path.file_stem().is_some_and(|stem| stem == "input"));
    let newest = files.into_iter().max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok());
    newest.map_or_else(|| Err(io::Error::other("a child process has died before its first input")), |path| Input::read(&path))
}
