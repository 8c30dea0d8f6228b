//! The command line of the table.

use anyhow::{Context, bail};
use std::path::PathBuf;

/// The parts that can be measured alone.
const PARTS: [&str; 5] = ["ceilings", "search", "wcsph", "dfsph", "large"];

/// What to measure, and how often.
pub struct Options {
    parts: Vec<String>,
    pub threads: Vec<usize>,
    /// Turns of each rival.
    pub rounds: usize,
    /// Simulated time to which the tank is run, s.
    pub until: f64,
    /// Fluid particles along an edge of the tank's column.
    pub edges: Vec<usize>,
    /// Table to append the results to.
    pub record: Option<PathBuf>,
}

impl Options {
    /// Reads the arguments. `cargo bench` adds `--bench`, which says nothing.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let mut options =
            Self { parts: Vec::new(), threads: vec![1, 2], rounds: 7, until: 0.35, edges: vec![46], record: None };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--bench" => {}
                "--threads" => options.threads = list(&value()?)?,
                "--edges" => options.edges = list(&value()?)?,
                "--rounds" => options.rounds = value()?.parse::<usize>()?.max(1),
                "--until" => options.until = value()?.parse()?,
                "--record" => options.record = Some(value()?.into()),
                part if PARTS.contains(&part) => options.parts.push(argument),
                _ => bail!("`{argument}`: expected some of {}", PARTS.join(", ")),
            }
        }
        Ok(options)
    }

    /// Whether a part was asked for. The largest takes minutes and is measured by name only.
    pub fn has(&self, part: &str) -> bool {
        if self.parts.is_empty() { part != "large" } else { self.parts.iter().any(|wanted| wanted == part) }
    }
}

fn list(text: &str) -> anyhow::Result<Vec<usize>> {
    text.split(',').map(|item| Ok(item.trim().parse::<usize>()?.max(1))).collect()
}
