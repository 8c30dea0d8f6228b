//! `cargo xtask kill-test`: runs of `sph` that are killed at random moments and resumed leave what a run leaves that was not stopped.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use super::Random;
use crate::arguments::KillArguments;
use crate::workspace::{Failure, Workspace};

/// Outputs of the runs, beside the scene, for a run of a few seconds.
const OUTPUTS: &str = "--until 1.5 --threads 1 --checkpoint a.checkpoint --checkpoint-every 0.004 --export csv=frames --every 0.02 \
                       --probes probes.csv --stats stats.jsonl";

/// Runs the test; the error says which file differs from that of the run that was not stopped.
pub fn run(workspace: &Workspace, arguments: &KillArguments) -> Result<ExitCode, Failure> {
    super::build(workspace)?;
    let test = KillTest::new(workspace).map_err(|error| Failure::unready(format!("cannot prepare the test: {error}")))?;
    test.run(arguments).map_err(Failure::unready)
}

struct KillTest {
    program: PathBuf,
    /// Folder of the run that is not stopped, and of the runs that are.
    whole: PathBuf,
    killed: PathBuf,
}

/// What has happened so far.
#[derive(Default)]
struct Counts {
    kills: u32,
    terms: u32,
    /// Moments before the first checkpoint.
    early: u32,
    resumed: u32,
    completed: u32,
    files: usize,
}

impl KillTest {
    fn new(workspace: &Workspace) -> std::io::Result<Self> {
        let folder = workspace.path("target/kill-test");
        let [whole, killed] = ["whole", "killed"].map(|name| folder.join(name));
        for place in [&whole, &killed] {
            let _ = fs::remove_dir_all(place);
            fs::create_dir_all(place)?;
            // Two fluids, an emitter, a drain, bodies that move, and a probe with memory.
            fs::copy(workspace.path("crates/sph-io/examples/fuzz/every_kind.toml"), place.join("scene.toml"))?;
            fs::write(place.join("path.csv"), "0, 0, 0\n1, 0.1, 0\n")?;
        }
        // Whole, as the runs have folders of their own.
        Ok(Self { program: fs::canonicalize(workspace.path("target/release/sph"))?, whole, killed })
    }

    fn run(&self, arguments: &KillArguments) -> Result<ExitCode, String> {
        let begin = Instant::now();
        if !self.wait(self.start(&self.whole, &["scene.toml"])?)? {
            return Err("the run that is not stopped fails".to_owned());
        }
        // A run lasts two to three kills.
        let length = begin.elapsed();
        let expected = results(&self.whole)?;
        let mut random = Random(arguments.seed);
        let mut counts = Counts::default();
        let mut is_new = true;
        while counts.kills + counts.terms < arguments.moments || !is_new {
            let resumes = self.killed.join("a.checkpoint").exists();
            let from: &[&str] = if resumes { &["--resume", "a.checkpoint"] } else { &["scene.toml"] };
            counts.resumed += u32::from(resumes);
            counts.early += u32::from(!resumes && !is_new);
            let child = self.start(&self.killed, from)?;
            let is_last = counts.kills + counts.terms >= arguments.moments;
            let ended = if is_last { self.wait(child)? } else { self.stop(child, length, &mut random, &mut counts)? };
            counts.files += compare(&results(&self.killed)?, &expected, ended)?;
            is_new = ended;
            if ended {
                counts.completed += 1;
                for name in ["a.checkpoint", "probes.csv", "stats.jsonl"] {
                    let _ = fs::remove_file(self.killed.join(name));
                }
                fs::remove_dir_all(self.killed.join("frames")).map_err(|error| error.to_string())?;
            }
        }
        let Counts { kills, terms, early, resumed, completed, files } = counts;
        println!(
            "{kills} kills and {terms} TERMs at random moments ({early} before the first checkpoint), {resumed} resumed, {completed} runs \
             completed: {files} files compared, all whole and equal to those of a run that was not stopped"
        );
        Ok(ExitCode::SUCCESS)
    }

    fn start(&self, folder: &Path, from: &[&str]) -> Result<Child, String> {
        let mut command = Command::new(&self.program);
        command.arg("run").args(from).args(OUTPUTS.split_whitespace()).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().map_err(|error| format!("cannot start {}: {error}", self.program.display()))
    }

    /// Waits for the end; true if it was a success, an error for any other status than that of a signal.
    fn wait(&self, child: Child) -> Result<bool, String> {
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        match output.status.code() {
            Some(0) => Ok(true),
            None | Some(143) => Ok(false),
            Some(_) => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// Stops a run after a random time; true if it was complete before.
    fn stop(&self, mut child: Child, length: Duration, random: &mut Random, counts: &mut Counts) -> Result<bool, String> {
        std::thread::sleep(length.mul_f64(0.6 * random.part()));
        if child.try_wait().map_err(|error| error.to_string())?.is_none() {
            if random.part() < 0.2 {
                counts.terms += 1;
                let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
                kill.map_err(|error| format!("cannot run kill: {error}"))?;
            } else {
                counts.kills += 1;
                child.kill().map_err(|error| error.to_string())?;
            }
        }
        self.wait(child)
    }
}

/// The contents of the results under their final names; of the statistics what does not depend on the clock.
fn results(folder: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut results = BTreeMap::new();
    let mut add = |name: String| -> Result<(), String> {
        let text = fs::read_to_string(folder.join(&name)).map_err(|error| format!("{name}: {error}"))?;
        let text = if name == "stats.jsonl" { text.lines().map(without_times).collect::<Result<_, _>>()? } else { text };
        results.insert(name, text);
        Ok(())
    };
    for name in ["probes.csv", "stats.jsonl"] {
        if folder.join(name).exists() {
            add(name.to_owned())?;
        }
    }
    for entry in fs::read_dir(folder.join("frames")).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            add(format!("frames/{name}"))?;
        }
    }
    Ok(results)
}

/// A line of the statistics up to its times; an error if it is cut off.
fn without_times(line: &str) -> Result<String, String> {
    let is_whole = line.starts_with("{\"step\":") && line.ends_with('}');
    let times = line.find("\"ms\":");
    times
        .filter(|_| is_whole)
        .map(|at| line[..at].to_owned() + "\n")
        .ok_or_else(|| format!("no whole line of statistics: {line}"))
}

/// Compares results with the `expected` ones, of which they are a part until the run has `ended`; the number of files.
fn compare(results: &BTreeMap<String, String>, expected: &BTreeMap<String, String>, ended: bool) -> Result<usize, String> {
    for (name, text) in results {
        let whole = expected.get(name).ok_or_else(|| format!("{name} is not among the files of a whole run"))?;
        let is_part = whole.starts_with(text) && (text.is_empty() || text.ends_with('\n'));
        let is_right = if ended || name.starts_with("frames") { text == whole } else { is_part };
        if !is_right {
            return Err(format!("{name} differs from that of a run that was not stopped"));
        }
    }
    match expected.keys().find(|name| ended && !results.contains_key(*name)) {
        Some(name) => Err(format!("{name} is missing")),
        None => Ok(results.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_cut_off_or_differ_are_found() {
        let files = |all: &[(&str, &str)]| all.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        let whole: BTreeMap<String, String> = files(&[("frames/1.csv", "x\n1\n"), ("probes.csv", "time\n0\n1\n")]);
        assert_eq!(compare(&whole, &whole, true), Ok(2));
        assert_eq!(compare(&files(&[("probes.csv", "time\n0\n")]), &whole, false), Ok(1));
        assert!(compare(&files(&[("probes.csv", "time\n0\n")]), &whole, true).is_err());
        assert!(compare(&files(&[("probes.csv", "time\n0")]), &whole, false).is_err());
        assert!(compare(&files(&[("frames/1.csv", "x\n")]), &whole, false).is_err());
        assert!(compare(&files(&[("frames/2.csv", "x\n1\n")]), &whole, false).is_err());
        assert!(without_times("{\"step\":1,\"ms\":{\"a\":1}}").is_ok() && without_times("{\"step\":1,\"m").is_err());
    }
}
