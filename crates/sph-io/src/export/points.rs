//! Points of a frame: the particles of one part at one instant, in the order in which files list them.

use super::attributes::Attributes;
use super::boundary::BoundaryArrays;
use sph_core::{Attribute, Fluid, Particles, Presence, Values};

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
    pub name: &'static str,
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

    /// Boundary particles at `time` (s).
    pub fn of_boundary(time: f64, arrays: &'a BoundaryArrays, chosen: &Attributes) -> Self {
        let columns = |name: &str| {
            let known = Particles::ATTRIBUTES.iter().find(|attribute| attribute.singular == name);
            known.map_or(&[][..], |attribute| attribute.columns)
        };
        let fields = arrays.fields().into_iter().filter(|(name, _)| *name == "position" || chosen.contain(name, true));
        let fields = fields.map(|(name, values)| Field::new(name, columns(name), values));
        Self { time, fields: fields.collect(), order: (0..arrays.len() as u32).collect(), fluids: Vec::new() }
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
    fn new(name: &'static str, columns: &[&str], values: Values<'a>) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

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
