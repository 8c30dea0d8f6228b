//! What a scene's probes read, as a table: one row a sampling instant.

use crate::{AtomicFile, NamedProbe, make_folder};
use sph_core::Dimensions;
use sph_core::probes::Fluid;
use std::io::{self, Write};
use std::path::Path;

/// Readings on their way to a file of comma-separated values. Under its final name the file is complete: see [`AtomicFile`].
#[derive(Debug)]
pub struct ProbesFile {
    file: AtomicFile,
    probes: Vec<NamedProbe>,
    rows: u64,
}

impl ProbesFile {
    /// Opens `path`, making the folders above it, and writes the names of the columns: `time`, then those of each probe.
    ///
    /// # Errors
    /// It cannot be opened for writing.
    pub fn create(path: &Path, probes: &[NamedProbe], dimensions: Dimensions) -> io::Result<Self> {
        path.parent().map_or(Ok(()), make_folder)?;
        let mut file = AtomicFile::create(path)?;
        let columns: Vec<String> = probes.iter().flat_map(|probe| probe.columns(dimensions)).collect();
        writeln!(file, "time,{}", columns.join(","))?;
        Ok(Self { file, probes: probes.to_vec(), rows: 0 })
    }

    /// Appends what the probes read at `time` (s), in SI units and the fewest digits that read back the same; nothing stands between the
    /// commas where a probe finds no fluid.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&mut self, time: f64, fluid: &Fluid<'_>) -> io::Result<()> {
        write!(self.file, "{time}")?;
        for reading in self.probes.iter().flat_map(|probe| probe.probe.read(fluid)) {
            match reading {
                // The particles' own precision: further digits say nothing.
                Some(value) => write!(self.file, ",{}", value as f32)?,
                None => write!(self.file, ",")?,
            }
        }
        self.rows += 1;
        writeln!(self.file)
    }

    /// Completes the file; returns the number of its rows, the names of the columns apart.
    ///
    /// # Errors
    /// It cannot be completed; then nothing is under its name that was not there before.
    pub fn finish(self) -> io::Result<u64> {
        self.file.finish()?;
        Ok(self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::Simulation;

    #[test]
    fn a_table_has_a_row_an_instant_and_gaps_where_there_is_no_fluid() {
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
        let mut file = ProbesFile::create(&path, &scene.probes, Dimensions::Two).unwrap();
        for time in [0.0, 0.25] {
            file.write(time, &Fluid::of(&simulation)).unwrap();
        }
        assert!(!path.exists(), "not before it is complete");
        assert_eq!(file.finish().unwrap(), 2);
        let expected = "time,dry,edge,line.0.x,line.0.y,line.1.x,line.1.y\n0,,1,2,0,,\n0.25,,1,2,0,,\n";
        assert_eq!(std::fs::read_to_string(path).unwrap(), expected);
    }
}
