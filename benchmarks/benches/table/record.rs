//! Results: printed as a table, appended to a file of one machine.

use anyhow::Context;
use std::fmt::{self, Display, Formatter};
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// One number, and what it is.
struct Row {
    what: String,
    threads: usize,
    value: f64,
    unit: &'static str,
}

/// All numbers of a run.
pub struct Record(Vec<Row>);

impl Record {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a number and says so at once: a run takes minutes.
    pub fn add(&mut self, what: impl Into<String>, threads: usize, value: f64, unit: &'static str) {
        let row = Row { what: what.into(), threads, value, unit };
        println!("{row}");
        self.0.push(row);
    }

    /// Adds, for whatever was measured on one thread and on more, in time, how many times faster more are.
    pub fn add_scaling(&mut self) {
        let one = self.0.iter().filter(|row| row.threads == 1 && row.unit.starts_with("ns/") && !row.what.contains("floor"));
        let more = |row: &Row| self.0.iter().rfind(|other| other.what == row.what && other.threads > 1 && other.value > 0.0);
        let pairs: Vec<_> = one.filter_map(|row| more(row).map(|more| (row, more))).collect();
        let scaling =
            |(row, more): (&Row, &Row)| (format!("{}: faster than on 1", row.what), more.threads, row.value / more.value);
        let all: Vec<_> = pairs.into_iter().map(scaling).collect();
        all.into_iter().for_each(|(what, threads, value)| self.add(what, threads, value, "x"));
    }

    /// The value of a row, on so many threads.
    pub fn value(&self, what: &str, threads: usize) -> Option<f64> {
        self.0.iter().rfind(|row| row.what == what && row.threads == threads).map(|row| row.value)
    }

    /// Appends the rows to a CSV file, each with the date, the commit and the processor; writes the head if the file is new.
    pub fn append_to(&self, path: &Path) -> anyhow::Result<()> {
        let head = if path.exists() { "" } else { "date,commit,processor,threads,row,value,unit\n" };
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        let mut file = file.with_context(|| path.display().to_string())?;
        write!(file, "{head}")?;
        let date = said_by("date", &["--utc", "+%Y-%m-%dT%H:%MZ"]);
        let commit = said_by("git", &["describe", "--always", "--dirty", "--abbrev=10"]);
        let processor = processor();
        for Row { what, threads, value, unit } in &self.0 {
            // Names of rows have commas.
            writeln!(file, "{date},{commit},{processor},{threads},\"{what}\",{value:.4},{unit}")?;
        }
        Ok(())
    }
}

impl Display for Row {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { what, threads, value, unit } = self;
        write!(formatter, "{what:<58}{threads:>3}{value:>12.2}  {unit}")
    }
}

impl Display for Record {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|row| writeln!(formatter, "{row}"))
    }
}

/// The middle of some numbers, which are not none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map_or_else(|_| "unknown".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Name, family, model and vectors, without commas; where the system does not say it is "unknown".
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split_once(':')).map_or("unknown", |(_, value)| value.trim())
    };
    let (name, family, model, vectors) =
        (field("model name"), field("cpu family"), field("model"), sph_core::Simd::best().name());
    format!("{name} family {family} model {model} {vectors}").replace(',', " ")
}
