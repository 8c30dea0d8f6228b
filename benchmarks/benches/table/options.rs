//! The command line of the table.

use anyhow::{Context, bail};
use std::path::PathBuf;

/// The parts that can be measured alone.
const PARTS: [&str; 7] = ["ceilings", "search", "wcsph", "dfsph", "large", "native", "earlier"];

/// Parts to measure, and settings of the measurements.
pub struct Options {
    parts: Vec<String>,
    pub threads: Vec<usize>,
    /// Number of turns of each library.
    pub rounds: usize,
    /// Simulated end time of the tank, s.
    pub until: f64,
    /// Wall-clock time for a peer and ours together, s.
    pub seconds: f64,
    /// The portable program and one built for this processor.
    pub programs: Option<[PathBuf; 2]>,
    /// Commit whose program is compared with this one.
    pub compare: Option<String>,
    /// Fluid particles along an edge of the tank's column.
    pub edges: Vec<usize>,
    /// Table to append the results to.
    pub record: Option<PathBuf>,
}

impl Options {
    /// Parses the arguments. `cargo bench` adds `--bench`, which is ignored.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let mut options = Self {
            parts: Vec::new(),
            threads: vec![1, 2],
            rounds: 5,
            until: 0.35,
            seconds: 25.0,
            programs: None,
            compare: None,
            edges: vec![31, 46, 67],
            record: None,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--bench" => {}
                "--threads" => options.threads = list(&value()?)?,
                "--edges" => options.edges = list(&value()?)?,
                "--rounds" => options.rounds = value()?.parse::<usize>()?.max(1),
                "--until" => options.until = value()?.parse()?,
                "--seconds" => options.seconds = value()?.parse()?,
                "--programs" => {
                    let value = value()?;
                    let (default, native) = value.split_once(',').context("--programs needs DEFAULT,NATIVE")?;
                    options.programs = Some([default.into(), native.into()]);
                }
                "--compare" => options.compare = Some(value()?),
                "--record" => options.record = Some(value()?.into()),
                part if PARTS.contains(&part) => options.parts.push(argument),
                _ => bail!("`{argument}`: expected some of {}", PARTS.join(", ")),
            }
        }
        Ok(options)
    }

    /// True if a part is to be measured: all of them if none was named.
    pub fn has(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }
}

fn list(text: &str) -> anyhow::Result<Vec<usize>> {
    text.split(',').map(|item| Ok(item.trim().parse::<usize>()?.max(1))).collect()
}
