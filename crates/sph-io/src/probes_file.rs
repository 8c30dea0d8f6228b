//! Readings of the probes as a table: one row per sampling instant.

use crate::resumed_lines::{EarlierLines, LineCounter, LinesSoFar};
use crate::{AtomicFile, NamedProbe};
use sph_core::probes::{Instruments, Reading};
use sph_core::{CancelFlag, Dimensions, View};
use std::io::{self, Write};
use std::path::Path;

/// Writer of readings to a file of comma-separated values. A file under its final name is complete: see [`AtomicFile`].
#[derive(Debug)]
pub struct ProbesFile {
    file: AtomicFile,
    instruments: Instruments,
    rows: LineCounter,
}

impl ProbesFile {
    /// Opens `path`, creating its folders, and writes the names of the columns with their units: `time (s)`, then the columns of each probe. `cancel` ends the wait
    /// for the reader of a pipe.
    ///
    /// # Errors
    /// The file cannot be opened for writing.
    pub fn create(path: &Path, probes: &[NamedProbe], dimensions: Dimensions, cancel: &CancelFlag) -> io::Result<Self> {
        Self::resume(path, (probes, dimensions), cancel, LinesSoFar::default())
    }

    /// Opens `path` as [`ProbesFile::create`], and goes on after the rows `earlier` of the run that is resumed: they are copied from the file of
    /// that name or from what a killed run has left of it. If there is neither, the file begins here.
    ///
    /// # Errors
    /// Those of [`ProbesFile::create`], or the file of that name begins with other rows.
    pub fn resume(
        path: &Path,
        (probes, dimensions): (&[NamedProbe], Dimensions),
        cancel: &CancelFlag,
        earlier: LinesSoFar,
    ) -> io::Result<Self> {
        let (files, mut rows) = (EarlierLines::of(path), LineCounter::default());
        let file = AtomicFile::create_output_after(path, cancel, |file| {
            write!(file, "time (s)")?;
            for Reading { label, unit } in probes.iter().flat_map(|probe| probe.readings(dimensions)) {
                write!(file, ",{label} ({unit})")?;
            }
            writeln!(file)?;
            files.copy(1, earlier, &mut rows, file)
        })?;
        Ok(Self { file, instruments: Instruments::new(probes.iter().map(|probe| probe.probe.clone())), rows })
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
        // The precision of the particles: further digits would be noise.
        let cell = |reading: Option<f64>| reading.map_or_else(String::new, |value| (value as f32).to_string());
        let cells = self.instruments.read(fluid).into_iter().map(|reading| format!(",{}", cell(reading)));
        let row = format!("{}{}", fluid.time, cells.collect::<String>());
        self.rows.add(row.as_bytes());
        writeln!(self.file, "{row}")
    }

    /// Flushes the buffered rows.
    ///
    /// # Errors
    /// The rows cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
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

    /// The rows so far.
    pub fn rows(&self) -> LinesSoFar {
        self.rows.so_far()
    }

    /// Leaves what has been written, under its temporary name, if an error ends the file: a run that is resumed goes on with it.
    pub fn keep_incomplete(&mut self) {
        self.file.keep_incomplete();
    }

    /// Completes the file. Returns the number of its rows, without the line of names.
    ///
    /// # Errors
    /// The file cannot be completed; an older file of the same name is then still there.
    pub fn finish(self) -> io::Result<u64> {
        self.file.finish()?;
        Ok(self.rows.so_far().count)
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
        let expected = "time (s),dry (Pa),edge (m),line.0.x (m/s),line.0.y (m/s),line.1.x (m/s),line.1.y (m/s)\n0,,1,2,0,,\n0.25,,1,2,0,,\n";
        assert_eq!(std::fs::read_to_string(path).unwrap(), expected);
    }
}
