//! Comma-separated values.

use super::order::by_id;
use sph_core::{Particles, Values};
use std::io::{self, Write};

/// Writes the particles at `time` (s) in SI units; numbers have the fewest digits that read back the same.
///
/// The columns are the time, the id, and then those of every other attribute. The time is in every row, so that frames can be
/// joined into one table and no reader has to skip comments.
pub(super) fn write(out: &mut dyn Write, time: f64, particles: &Particles) -> io::Result<()> {
    let mut attributes: Vec<_> = particles.shown().collect();
    attributes.sort_by_key(|(attribute, _)| attribute.name != "ids");
    write!(out, "time")?;
    for column in attributes.iter().flat_map(|(attribute, _)| attribute.columns) {
        write!(out, ",{column}")?;
    }
    writeln!(out)?;
    for index in by_id(particles) {
        write!(out, "{time}")?;
        for (_, values) in &attributes {
            match values {
                Values::Vectors(vectors) => {
                    let [x, y, z] = vectors[index].to_array();
                    write!(out, ",{x},{y},{z}")?;
                }
                Values::Scalars(scalars) => write!(out, ",{}", scalars[index])?,
                Values::Integers(integers) => write!(out, ",{}", integers[index])?,
                Values::Bytes(bytes) => write!(out, ",{}", bytes[index])?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use sph_core::Particles;

    fn text(particles: &Particles) -> String {
        let mut out = Vec::new();
        super::write(&mut out, 0.25, particles).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn rows_follow_the_ids() {
        let expected = "time,id,x,y,z,vx,vy,vz,density,pressure\n0.25,0,0.1,-0.5,0,0,0,0,998.5,0\n0.25,1,1,2,3,1,0,0,1000,25\n";
        assert_eq!(text(&crate::export::order::pair()), expected);
    }

    #[test]
    fn several_fluids_have_a_column() {
        let particles = Particles { fluids: vec![2, 0], ..crate::export::order::pair() };
        let text = text(&particles);
        let ends: Vec<_> = text.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
        assert_eq!(ends, ["fluid", "0", "2"]);
    }

    #[test]
    fn columns_do_not_depend_on_the_number_of_particles() {
        assert_eq!(text(&Particles::default()), "time,id,x,y,z,vx,vy,vz,density,pressure\n");
    }
}
