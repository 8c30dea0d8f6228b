//! Comma-separated values.

use super::points::Points;
use sph_core::Values;
use std::io::{self, Write};

/// Writes the points in SI units; numbers have the fewest digits that read back the same.
///
/// The columns are the time, the id, and then those of every other attribute. The time is in every row, so that frames can be
/// joined into one table and no reader has to skip comments.
pub(super) fn write(out: &mut dyn Write, points: &Points<'_>) -> io::Result<()> {
    let mut fields: Vec<_> = points.fields.iter().collect();
    fields.sort_by_key(|field| field.name != "id");
    write!(out, "time")?;
    for column in fields.iter().flat_map(|field| &field.columns) {
        write!(out, ",{column}")?;
    }
    writeln!(out)?;
    for &index in &points.order {
        let index = index as usize;
        write!(out, "{}", points.time)?;
        for field in &fields {
            match field.values {
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
    use crate::export::points::{bytes_of, pair};
    use sph_core::Particles;

    fn text(particles: &Particles) -> String {
        String::from_utf8(bytes_of(super::write, particles)).unwrap()
    }

    #[test]
    fn rows_follow_the_ids() {
        let expected = "time,id,x,y,z,vx,vy,vz,density,pressure\n0.25,0,0.1,-0.5,0,0,0,0,998.5,0\n0.25,1,1,2,3,1,0,0,1000,25\n";
        assert_eq!(text(&pair()), expected);
    }

    #[test]
    fn several_fluids_have_a_column() {
        let particles = Particles { fluids: vec![2, 0], ..pair() };
        let text = text(&particles);
        let ends: Vec<_> = text.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
        assert_eq!(ends, ["fluid", "0", "2"]);
    }

    #[test]
    fn columns_do_not_depend_on_the_number_of_particles() {
        assert_eq!(text(&Particles::default()), "time,id,x,y,z,vx,vy,vz,density,pressure\n");
    }
}
