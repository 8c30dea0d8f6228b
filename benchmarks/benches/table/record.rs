//! Results: printed as a table, appended to a file of one machine.

use anyhow::Context;
use std::fmt::{self, Display, Formatter};
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// A named value.
struct Row {
    name: String,
    threads: usize,
    value: f64,
    unit: &'static str,
}

/// All values of a run.
pub struct Record(Vec<Row>);

impl Record {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a value and prints it at once, because a run takes minutes.
    pub fn add(&mut self, name: impl Into<String>, threads: usize, value: f64, unit: &'static str) {
        let row = Row { name: name.into(), threads, value, unit };
        println!("{row}");
        self.0.push(row);
    }

    /// Adds the speed-up of every time that was measured on one thread and on more.
    pub fn add_scaling(&mut self) {
        let one = self.0.iter().filter(|row| row.threads == 1 && row.unit.starts_with("ns/") && !row.name.contains("floor"));
        let more = |row: &Row| self.0.iter().rfind(|other| other.name == row.name && other.threads > 1 && other.value > 0.0);
        let pairs: Vec<_> = one.filter_map(|row| more(row).map(|more| (row, more))).collect();
        let scaling =
            |(row, more): (&Row, &Row)| (format!("{}: faster than on 1", row.name), more.threads, row.value / more.value);
        let all: Vec<_> = pairs.into_iter().map(scaling).collect();
        all.into_iter().for_each(|(name, threads, value)| self.add(name, threads, value, "x"));
    }

    /// The value of row `name` for this number of threads.
    pub fn value(&self, name: &str, threads: usize) -> Option<f64> {
        self.0.iter().rfind(|row| row.name == name && row.threads == threads).map(|row| row.value)
    }

    /// Appends the rows to a CSV file, each with the date, the commit and the processor; writes the header if the file is new.
    pub fn append_to(&self, path: &Path) -> anyhow::Result<()> {
        let head = if path.exists() { "" } else { "date,commit,processor,threads,row,value,unit\n" };
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        let mut file = file.with_context(|| path.display().to_string())?;
        write!(file, "{head}")?;
        let date = output_of("date", &["--utc", "+%Y-%m-%dT%H:%MZ"]);
        let commit = output_of("git", &["describe", "--always", "--dirty", "--abbrev=10"]);
        let processor = processor();
        for Row { name, threads, value, unit } in &self.0 {
            // Names of rows contain commas.
            writeln!(file, "{date},{commit},{processor},{threads},\"{name}\",{value:.4},{unit}")?;
        }
        Ok(())
    }
}

impl Display for Row {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, threads, value, unit } = self;
        write!(formatter, "{name:<58}{threads:>3}{value:>12.2}  {unit}")
    }
}

impl Display for Record {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|row| writeln!(formatter, "{row}"))
    }
}

/// Median (the upper one of two); `values` must not be empty.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn output_of(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map_or_else(|_| "unknown".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Name, family, model and vector instructions, without commas; "unknown" for missing values.
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
