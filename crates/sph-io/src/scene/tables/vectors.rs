//! Vectors of 2 or 3 numbers in scene files.

use crate::SourceFiles;
use crate::scene::error::Fault;
use glam::Vec3;
use sph_core::Dimensions;

/// Reader of vectors of 2 or 3 numbers and of files, which collects faults and remarks.
pub(crate) struct Vectors {
    pub dimensions: Dimensions,
    /// Faults of the vectors read so far, and of other values of the tables.
    pub faults: Vec<Fault>,
    /// Remarks on what has been read, and what is done about it.
    pub remarks: Vec<String>,
    /// Files read so far.
    pub files: SourceFiles,
}

impl Vectors {
    /// Reader without faults.
    pub fn new(dimensions: Dimensions) -> Self {
        Self { dimensions, faults: Vec::new(), remarks: Vec::new(), files: SourceFiles::default() }
    }

    /// The vector at `path`, with zeros for missing numbers. Adds a fault if it is too short.
    pub fn read(&mut self, numbers: &[f64], path: impl Into<String>) -> Vec3 {
        let [x, y, z] = [0, 1, 2].map(|axis| numbers.get(axis).map_or(0.0, |&number| number as f32));
        match self.dimensions {
            Dimensions::Two => Vec3::new(x, y, 0.0),
            Dimensions::Three => {
                if numbers.len() < 3 {
                    let path = path.into();
                    let message = format!("`{path}` has {} numbers in a scene of 3 dimensions", numbers.len());
                    self.faults.push(Fault::at_path(path, message, "expected 3 numbers"));
                }
                Vec3::new(x, y, z)
            }
        }
    }
}
