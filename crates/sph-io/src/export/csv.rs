//! Comma-separated values.

use super::order::by_id;
use sph_core::Particles;
use std::io::{self, Write};

/// Names of the columns. The time is in every row, so that frames can be joined into one table and no reader has to skip comments.
const HEADER: &str = "time,id,x,y,z,vx,vy,vz,density,pressure";

/// Writes the particles at `time` (s) in SI units; numbers have the fewest digits that read back the same.
pub(super) fn write(out: &mut dyn Write, time: f64, particles: &Particles) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    for index in by_id(particles) {
        let [x, y, z] = particles.positions[index].to_array();
        let [vx, vy, vz] = particles.velocities[index].to_array();
        let (id, density, pressure) = (particles.ids[index], particles.densities[index], particles.pressures[index]);
        writeln!(out, "{time},{id},{x},{y},{z},{vx},{vy},{vz},{density},{pressure}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn rows_follow_the_ids() {
        let mut out = Vec::new();
        super::write(&mut out, 0.25, &crate::export::order::pair()).unwrap();
        let expected = "time,id,x,y,z,vx,vy,vz,density,pressure\n0.25,0,0.1,-0.5,0,0,0,0,998.5,0\n0.25,1,1,2,3,1,0,0,1000,25\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
