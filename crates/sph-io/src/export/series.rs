//! Series of frames: the particles of one part in one format, a file for each instant; the points of a frame.

use std::io;
use std::path::{Path, PathBuf};

use super::vtk::{self, Collection};
use super::{Attributes, Part, ParticleFormat, npz, row_formats};
use crate::atomic_file::write_atomically;
use crate::folder::{FrameFiles, make_folder};
use glam::Vec3;
use sph_core::point_sets::ColumnValues;
use sph_core::{Attribute, Fluid, Particles, Presence, Values, View};

/// An export that is written frame by frame into a folder.
pub trait FrameExport: Send {
    /// Folder of its files.
    fn folder(&self) -> &Path;

    /// Files of the frames, if each has its own.
    fn frames(&self) -> Option<FrameFiles>;

    /// File about all frames so far that is replaced after each, if there is one.
    fn summary(&self) -> Option<PathBuf>;

    /// Writes the state of `view` as frame `number`, on the threads of the current pool. The folder is created if it is missing.
    ///
    /// # Errors
    /// The folder cannot be created or written to, the disk is full, or the state cannot be shown. The frame's file is then absent.
    fn write(&mut self, number: u64, view: &View<'_>) -> io::Result<()>;
}

/// Frames of one part of a scene in one format, in a folder of their own: `frame_000123.ply` and so on.
///
/// A series of [`ParticleFormat::Vtk`] has a collection beside its frames, such as `fluid.pvd`, which is replaced after each frame, so that it
/// names complete frames only, whenever the program ends.
#[derive(Debug)]
pub struct Series {
    format: ParticleFormat,
    part: Part,
    folder: PathBuf,
    attributes: Attributes,
    /// Frames so far; `None` before the first.
    collection: Option<Collection>,
}

impl Series {
    /// Series of `part` in an export to `dir`: in that folder for the fluid, in `dir/walls` and so on for the others.
    pub fn new(format: ParticleFormat, part: Part, dir: &Path, attributes: Attributes) -> Self {
        Self { format, part, folder: part.folder(dir), attributes, collection: None }
    }

    fn write_points(&mut self, number: u64, points: &Points<'_>) -> io::Result<PathBuf> {
        make_folder(&self.folder)?;
        let name = format!("frame_{number:06}.{}", self.format.extension());
        let path = self.folder.join(&name);
        write_atomically(&path, |out| match self.format {
            ParticleFormat::Ply => row_formats::write_ply(out, points),
            ParticleFormat::Csv => row_formats::write_csv(out, points),
            ParticleFormat::Vtk => vtk::write(out, points),
            ParticleFormat::Npz => npz::write(out, points),
            ParticleFormat::Bgeo => row_formats::write_bgeo(out, points),
        })?;
        if let Some(list) = self.summary() {
            let collection = self.collection.get_or_insert_with(|| Collection::before(number, &list));
            collection.add(&list, number, points.time, name)?;
        }
        Ok(path)
    }
}

impl FrameExport for Series {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn frames(&self) -> Option<FrameFiles> {
        Some(FrameFiles::new(&self.folder, self.format.extension()))
    }

    fn summary(&self) -> Option<PathBuf> {
        (self.format == ParticleFormat::Vtk).then(|| self.folder.join(format!("{}.pvd", self.part.name())))
    }

    fn write(&mut self, number: u64, view: &View<'_>) -> io::Result<()> {
        let (arrays, point_arrays);
        let points = match self.part {
            Part::Fluid => Points::of_fluid(view.time, view.particles, &self.attributes).with_fluids(view.fluids),
            Part::Walls | Part::Bodies => {
                arrays = BoundaryArrays::gather(view, self.part);
                Points::of_fields(view.time, arrays.fields(), &self.attributes)
            }
            Part::Points => {
                point_arrays = PointArrays::gather(view);
                Points::of_fields(view.time, point_arrays.fields(), &self.attributes)
            }
        };
        self.write_points(number, &points).map(|_| ())
    }
}

/// Particles of one part at one instant, in ascending order of their ids: a line of a file is the same particle in every frame,
/// unless particles come or go.
pub(super) struct Points<'a> {
    /// Simulated time, s.
    pub time: f64,
    /// Attributes; the first is the position.
    pub fields: Vec<Field<'a>>,
    /// Index in the arrays of each point.
    pub order: Vec<u32>,
    /// Names of the fluids that the attribute `fluid` counts; empty for one fluid.
    pub fluids: Vec<&'a str>,
}

/// An attribute with its values.
pub(super) struct Field<'a> {
    /// Name of one value: `velocity`.
    pub name: &'a str,
    /// Names of its components in tables: `vx`, `vy`, `vz`.
    pub columns: Vec<String>,
    /// Values in the order of memory.
    pub values: Values<'a>,
}

impl<'a> Points<'a> {
    /// Fluid particles at `time` (s).
    pub fn of_fluid(time: f64, particles: &'a Particles, chosen: &Attributes) -> Self {
        let is_wanted = |attribute: &Attribute, values: Values<'_>| {
            let is_usual = !attribute.columns.is_empty();
            values.len() == particles.len()
                && (attribute.name == "positions" || chosen.contain(attribute.singular, is_usual))
                && (!values.is_empty() || attribute.presence == Presence::Always)
        };
        let attributes = particles.attributes().filter(|&(attribute, values)| is_wanted(attribute, values));
        let fields = attributes.map(|(attribute, values)| Field::new(attribute.singular, attribute.columns, values));
        Self { time, fields: fields.collect(), order: particles.order_by_id(), fluids: Vec::new() }
    }

    /// Points at `time` (s) with these attributes, of which the first is the position, in the order of memory.
    pub fn of_fields(time: f64, fields: Vec<(&'a str, Values<'a>)>, chosen: &Attributes) -> Self {
        let columns = |name: &str| {
            let known = Particles::ATTRIBUTES.iter().find(|attribute| attribute.singular == name);
            known.map_or(&[][..], |attribute| attribute.columns)
        };
        let count = fields.first().map_or(0, |(_, positions)| positions.len());
        let fields = fields.into_iter().filter(|(name, _)| *name == "position" || chosen.contain(name, true));
        let fields = fields.map(|(name, values)| Field::new(name, columns(name), values));
        Self { time, fields: fields.collect(), order: (0..count as u32).collect(), fluids: Vec::new() }
    }

    /// The same points with the names of their fluids.
    pub fn with_fluids(self, fluids: &'a [Fluid]) -> Self {
        Self { fluids: fluids.iter().map(|fluid| fluid.name.as_str()).collect(), ..self }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.order.len()
    }
}

impl<'a> Field<'a> {
    fn new(name: &'a str, columns: &[&str], values: Values<'a>) -> Self {
        let columns = match (columns, values) {
            ([], Values::Vectors(_)) => ["x", "y", "z"].map(|axis| format!("{name}_{axis}")).to_vec(),
            ([], _) => vec![name.to_owned()],
            _ => columns.iter().map(|&column| column.to_owned()).collect(),
        };
        Self { name, columns, values }
    }

    /// Components of a value.
    pub fn components(&self) -> usize {
        self.columns.len()
    }

    /// Bytes of all values, little-endian, in the order of the file.
    pub fn little_endian(&self, order: &[u32]) -> Vec<u8> {
        let order = order.iter().map(|&index| index as usize);
        match self.values {
            Values::Vectors(values) => order.flat_map(|i| values[i].to_array()).flat_map(f32::to_le_bytes).collect(),
            Values::Scalars(values) => order.flat_map(|i| values[i].to_le_bytes()).collect(),
            Values::Integers(values) => order.flat_map(|i| values[i].to_le_bytes()).collect(),
            Values::Bytes(values) => order.map(|i| values[i]).collect(),
        }
    }
}

/// Two particles in memory, in descending order of their ids.
#[cfg(test)]
pub(super) fn pair() -> Particles {
    Particles {
        positions: vec![glam::Vec3::new(1.0, 2.0, 3.0), glam::Vec3::new(0.1, -0.5, 0.0)],
        velocities: vec![glam::Vec3::X, glam::Vec3::ZERO],
        densities: vec![1000.0, 998.5],
        pressures: vec![25.0, 0.0],
        ids: vec![1, 0],
        ..Particles::default()
    }
}

/// The bytes that `write` writes of `particles` at 0.25 s, with the usual attributes.
#[cfg(test)]
pub(super) fn bytes_of(
    write: impl FnOnce(&mut dyn std::io::Write, &Points<'_>) -> std::io::Result<()>,
    particles: &Particles,
) -> Vec<u8> {
    let mut out = Vec::new();
    let fluids =
        if particles.fluids.is_empty() { vec![] } else { ["oil", "öl", "water"].map(|name| Fluid::new(name, 1e3)).to_vec() };
    write(&mut out, &Points::of_fluid(0.25, particles, &Attributes::default()).with_fluids(&fluids)).unwrap();
    out
}

// Boundary particles of walls or bodies, gathered for a frame.

/// Boundary particles of one part. The id of a particle is its index among all boundary particles.
#[derive(Default)]
pub(super) struct BoundaryArrays {
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    pressures: Vec<f32>,
    volumes: Vec<f32>,
    ids: Vec<u32>,
    /// Index of the body of each particle; empty for walls.
    bodies: Vec<u32>,
}

impl BoundaryArrays {
    /// Particles of `part`: those of the bodies, body by body, or all others.
    pub fn gather(view: &View<'_>, part: Part) -> Self {
        let mut body_of = vec![None; view.walls.len()];
        for (body, placed) in (0u32..).zip(view.bodies) {
            body_of[placed.boundary_particles()].fill(Some(body));
        }
        let mut arrays = Self::default();
        // Boundary particles of points are none of walls.
        body_of.truncate(view.walls.len() - view.boundary_of_points);
        for (b, body) in body_of.into_iter().enumerate().filter(|(_, body)| body.is_some() == (part == Part::Bodies)) {
            arrays.positions.push(view.walls.positions[b]);
            arrays.velocities.push(view.walls.velocity(b));
            arrays.pressures.push(view.walls.pressures[b]);
            arrays.volumes.push(view.walls.volumes[b]);
            arrays.ids.push(b as u32);
            arrays.bodies.extend(body);
        }
        arrays
    }

    /// Attributes by name with their values.
    pub fn fields(&self) -> Vec<(&'static str, Values<'_>)> {
        let mut fields = vec![
            ("position", Values::Vectors(&self.positions)),
            ("velocity", Values::Vectors(&self.velocities)),
            ("pressure", Values::Scalars(&self.pressures)),
            ("volume", Values::Scalars(&self.volumes)),
            ("id", Values::Integers(&self.ids)),
        ];
        if !self.bodies.is_empty() {
            fields.push(("body", Values::Integers(&self.bodies)));
        }
        fields
    }
}

// Points of cloths, balls and other sets, gathered for a frame.

/// Points of all sets, one set after the other, each in the order of its ids.
#[derive(Default)]
struct PointArrays {
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    radii: Vec<f32>,
    /// Index of the set of each point.
    sets: Vec<u32>,
    ids: Vec<u32>,
    /// Columns with one value for each point, 0 for points of sets that have no such column.
    columns: Vec<(&'static str, ColumnValues)>,
}

impl PointArrays {
    fn gather(view: &View<'_>) -> Self {
        let mut arrays = Self::default();
        for (number, set) in (0..).zip(view.sets) {
            arrays.positions.extend_from_slice(&set.positions);
            arrays.velocities.extend_from_slice(&set.velocities);
            arrays.radii.extend_from_slice(&set.radii);
            arrays.ids.extend_from_slice(&set.ids);
            arrays.sets.resize(arrays.positions.len(), number);
            let of_points = view.dynamics.map_or(&[][..], |dynamics| dynamics.columns_of_points(number as usize));
            for &name in of_points {
                if let Some(values) = set.column(name).filter(|values| values.len() == set.len()) {
                    arrays.add_column(name, arrays.positions.len() - set.len(), values);
                }
            }
        }
        let count = arrays.positions.len();
        arrays.columns.iter_mut().for_each(|(_, values)| fill_up(values, count));
        arrays
    }

    /// Adds the `values` of the points from index `first` on to the column `name`.
    fn add_column(&mut self, name: &'static str, first: usize, values: &ColumnValues) {
        let empty = match values {
            ColumnValues::Vectors(_) => ColumnValues::Vectors(Vec::new()),
            ColumnValues::Scalars(_) => ColumnValues::Scalars(Vec::new()),
            ColumnValues::Integers(_) => ColumnValues::Integers(Vec::new()),
        };
        let known = self.columns.iter().position(|(other, _)| *other == name);
        let known = known.unwrap_or_else(|| {
            self.columns.push((name, empty));
            self.columns.len() - 1
        });
        let column = &mut self.columns[known].1;
        fill_up(column, first);
        match (column, values) {
            (ColumnValues::Vectors(all), ColumnValues::Vectors(own)) => all.extend_from_slice(own),
            (ColumnValues::Scalars(all), ColumnValues::Scalars(own)) => all.extend_from_slice(own),
            (ColumnValues::Integers(all), ColumnValues::Integers(own)) => all.extend_from_slice(own),
            // Of another kind than in a set before: left out.
            _ => {}
        }
    }

    /// Attributes by name with their values.
    fn fields(&self) -> Vec<(&str, Values<'_>)> {
        let mut fields = vec![
            ("position", Values::Vectors(&self.positions)),
            ("velocity", Values::Vectors(&self.velocities)),
            ("radius", Values::Scalars(&self.radii)),
            ("set", Values::Integers(&self.sets)),
            ("id", Values::Integers(&self.ids)),
        ];
        fields.extend(self.columns.iter().map(|(name, values)| {
            let values = match values {
                ColumnValues::Vectors(values) => Values::Vectors(values),
                ColumnValues::Scalars(values) => Values::Scalars(values),
                ColumnValues::Integers(values) => Values::Integers(values),
            };
            (*name, values)
        }));
        fields
    }
}

/// Gives `values` this length, with zeros.
fn fill_up(values: &mut ColumnValues, length: usize) {
    match values {
        ColumnValues::Vectors(values) => values.resize(length, Vec3::ZERO),
        ColumnValues::Scalars(values) => values.resize(length, 0.0),
        ColumnValues::Integers(values) => values.resize(length, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_numbered_files_in_a_new_folder() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("out/frames");
        let (particles, attributes) = (pair(), Attributes::default());
        let points = Points::of_fluid(0.5, &particles, &attributes);
        for format in ParticleFormat::ALL {
            let mut series = Series::new(format, Part::Walls, &dir, attributes.clone());
            let path = series.write_points(7, &points).unwrap();
            assert_eq!(path, dir.join(format!("walls/frame_000007.{}", format.extension())));
        }
        let collection = std::fs::read_to_string(dir.join("walls/walls.pvd")).unwrap();
        assert!(collection.contains("timestep=\"0.5\" group=\"\" part=\"0\" file=\"frame_000007.vtu\""), "{collection}");
        assert_eq!(std::fs::read_dir(dir.join("walls")).unwrap().count(), ParticleFormat::ALL.len() + 1);
        let file_in_the_way = dir.join("walls/frame_000007.csv");
        assert!(Series::new(ParticleFormat::Csv, Part::Fluid, &file_in_the_way, attributes).write_points(1, &points).is_err());
    }

    #[test]
    fn the_position_is_first_and_the_ids_give_the_order() {
        let particles = Particles { spins: vec![glam::Vec3::Y, glam::Vec3::Z], ..pair() };
        let names = |chosen: &Attributes| -> Vec<_> {
            Points::of_fluid(0.0, &particles, chosen).fields.iter().map(|field| field.name).collect()
        };
        assert_eq!(names(&Attributes::default()), ["position", "velocity", "density", "pressure", "id"]);
        let chosen = "spin,fluid,id".parse().unwrap();
        assert_eq!(names(&chosen), ["position", "id", "spin"]);
        let points = Points::of_fluid(0.0, &particles, &chosen);
        assert_eq!((points.len(), &points.order[..]), (2, &[1, 0][..]));
        assert_eq!(points.fields[2].columns, ["spin_x", "spin_y", "spin_z"]);
        let spins: Vec<u8> = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0f32].into_iter().flat_map(f32::to_le_bytes).collect();
        assert_eq!(points.fields[2].little_endian(&points.order), spins);
    }
}
