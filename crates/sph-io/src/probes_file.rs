//! Readings of the probes as a table: one row per sampling instant.

use crate::copied_lines::copy_lines;
use crate::{AtomicFile, NamedProbe};
use sph_core::probes::Instruments;
use sph_core::{CancelFlag, Dimensions, View};
use std::io::{self, Write};
use std::path::Path;

/// Writer of readings to a file of comma-separated values. A file under its final name is complete: see [`AtomicFile`].
#[derive(Debug)]
pub struct ProbesFile {
    file: AtomicFile,
    instruments: Instruments,
    rows: u64,
}

impl ProbesFile {
    /// Opens `path`, creating its folders, and writes the names of the columns: `time`, then the columns of each probe. `cancel` ends the wait
    /// for the reader of a pipe.
    ///
    /// # Errors
    /// The file cannot be opened for writing.
    pub fn create(path: &Path, probes: &[NamedProbe], dimensions: Dimensions, cancel: &CancelFlag) -> io::Result<Self> {
        let mut file = AtomicFile::create_output(path, cancel)?;
        let columns: Vec<String> = probes.iter().flat_map(|probe| probe.columns(dimensions)).collect();
        writeln!(file, "time,{}", columns.join(","))?;
        Ok(Self { file, instruments: Instruments::new(probes.iter().map(|probe| probe.probe)), rows: 0 })
    }

    /// Records the state of `fluid` for averages over time: to be called with the initial state and after every step, before
    /// [`ProbesFile::write`].
    pub fn record(&mut self, fluid: &View<'_>) {
        self.instruments.record(fluid);
    }

    /// Appends the readings of `fluid` at its time, in SI units and the fewest digits that read back the same; a reading without fluid is left empty.
    ///
    /// # Errors
    /// The row cannot be written.
    pub fn write(&mut self, fluid: &View<'_>) -> io::Result<()> {
        write!(self.file, "{}", fluid.time)?;
        for reading in self.instruments.read(fluid) {
            match reading {
                // The precision of the particles: further digits would be noise.
                Some(value) => write!(self.file, ",{}", value as f32)?,
                None => write!(self.file, ",")?,
            }
        }
        self.rows += 1;
        writeln!(self.file)
    }

    /// Copies the first `count` rows of the file at `path`, of the run that this one resumes; none if it has fewer.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn copy_rows(&mut self, path: &Path, count: u64) -> io::Result<()> {
        self.rows += copy_lines(path, 1, count, &mut self.file)?;
        Ok(())
    }

    /// Memory of the averages; see [`Instruments::memory`].
    pub fn averages(&self) -> Vec<f64> {
        self.instruments.memory()
    }

    /// Restores the memory of the averages; false if it is of other probes.
    #[must_use]
    pub fn restore(&mut self, averages: &[f64]) -> bool {
        self.instruments.restore(averages)
    }

    /// Number of the rows so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Completes the file. Returns the number of its rows, without the line of names.
    ///
    /// # Errors
    /// The file cannot be completed; an older file of the same name is then still there.
    pub fn finish(self) -> io::Result<u64> {
        self.file.finish()?;
        Ok(self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::{Engine as _, Simulation};

    #[test]
    fn a_row_per_instant_with_gaps_without_fluid() {
        let text = r#"
            format = 1
            dimensions = 2
            gravity = [0, 0]
            probes = [
                { name = "dry", kind = "pressure", at = [5, 5] },
                { name = "edge", kind = "front", toward = "x_max" },
                { name = "line", kind = "velocity", from = [0.5, 0.5], to = [9, 0.5], points = 2 },
            ]
            [particles]
            spacing = 0.25
            [[fluid.blocks]]
            min = [0, 0]
            max = [1, 1]
            velocity = [2, 0]"#;
        let scene = crate::parse(text, "moving", &[]).unwrap();
        let simulation = Simulation::new(&scene.setup).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/probes.csv");
        let mut file = ProbesFile::create(&path, &scene.probes, Dimensions::Two, &CancelFlag::default()).unwrap();
        for time in [0.0, 0.25] {
            file.write(&View { time, ..simulation.view() }).unwrap();
        }
        assert!(!path.exists(), "not before it is complete");
        assert_eq!(file.finish().unwrap(), 2);
        let expected = "time,dry,edge,line.0.x,line.0.y,line.1.x,line.1.y\n0,,1,2,0,,\n0.25,,1,2,0,,\n";
        assert_eq!(std::fs::read_to_string(path).unwrap(), expected);
    }
}
