//! Values of the particles that are computed only while they are shown: from neighbourhoods, from the grid, and from attributes that
//! otherwise only the next steps read.

use crate::categories::CATEGORIES;
use crate::field;
use glam::IVec3;
use sph_core::View;
use sph_core::probes::PresentSearch;
use sph_core::probes::Vicinity;
use sph_io::ColorField;
use std::collections::HashMap;

/// Reads any field of a fluid. Its memory is reused, and held only for the fields that are read.
#[derive(Debug, Default)]
pub struct FieldReader {
    vicinity: Vicinity,
    search: PresentSearch,
}

impl FieldReader {
    /// Replaces `out` by the value of `field` for each particle of `fluid`, in its [unit](super::unit), or by none if the fluid has no such
    /// values. Uses the rayon pool that it is called from. Buckets are numbered modulo [`CATEGORIES`].
    pub fn read(&mut self, field: ColorField, fluid: &View<'_>, out: &mut Vec<f32>) {
        let particles = fluid.particles;
        out.clear();
        match field {
            ColorField::Vorticity if self.vicinity.update(fluid).is_ok() => self.vicinity.vorticity(fluid, out),
            ColorField::Neighbors if self.vicinity.update(fluid).is_ok() => self.vicinity.counts(fluid, out),
            ColorField::Bucket => self.read_buckets(fluid, out),
            ColorField::Spin => out.extend(particles.spins.iter().map(|spin| spin.length())),
            ColorField::Age => {
                let birth = |i: usize| f64::from(particles.births.get(i).copied().unwrap_or(0.0));
                out.extend((0..particles.len()).map(|i| (fluid.time - birth(i)) as f32));
            }
            _ => field::values(field, particles, fluid.fluids, fluid.discretization.rest_density, out),
        }
    }

    fn read_buckets(&mut self, fluid: &View<'_>, out: &mut Vec<f32>) {
        let Ok(search) = self.search.update(fluid) else { return };
        let contents = search.contents();
        let buckets: HashMap<IVec3, u32> = contents.cells.iter().map(|cell| (cell.cell, cell.bucket)).collect();
        let bucket =
            |&position| buckets.get(&contents.cell_of(position)).map_or(f32::NAN, |&bucket| (bucket % CATEGORIES) as f32);
        out.extend(fluid.particles.positions.iter().map(bucket));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::{Engine, Simulation};

    fn jet() -> Box<dyn Engine> {
        let text = "format = 1\ndimensions = 2\ngravity = [0, 0]\n[particles]\nspacing = 0.05\n[fluid]\nsound_speed = 20\n\
                    [[emitters]]\ncenter = [0, 0]\ndirection = [1, 0]\nsize = [0.2]\nspeed = 1.0\n\
                    [[fluid.blocks]]\nmin = [-2, -2]\nmax = [-1.5, -1.5]\n";
        let scene = sph_io::parse(text, "jet", &[]).unwrap_or_else(|error| panic!("{error}"));
        Box::new(Simulation::new(&scene.setup).expect("the scene can be simulated"))
    }

    fn read(field: ColorField, engine: &dyn Engine) -> Vec<f32> {
        let mut values = Vec::new();
        FieldReader::default().read(field, &engine.view(), &mut values);
        values
    }

    #[test]
    fn emitted_fluid_is_as_old_as_its_way_is_long() {
        let mut engine = jet();
        let first = engine.view().particles.len();
        while engine.time() < 0.5 {
            assert_eq!(engine.step().error, None);
        }
        let ages = read(ColorField::Age, &*engine);
        let fluid = engine.view();
        assert!(fluid.particles.len() > first + 10);
        for (i, age) in ages.into_iter().enumerate() {
            if (fluid.particles.ids[i] as usize) < first {
                assert_eq!(age, fluid.time as f32);
            } else {
                // It comes out at 1 m/s, behind the opening by half a spacing at most, and in whole steps.
                let way = fluid.particles.positions[i].x;
                assert!((age - way).abs() < 0.05, "{age} s after {way} m");
            }
        }
    }

    #[test]
    fn particles_of_a_cell_share_a_bucket() {
        let engine = jet();
        let buckets = read(ColorField::Bucket, &*engine);
        let (fluid, mut search) = (engine.view(), PresentSearch::default());
        let contents = search.update(&fluid).expect("unbounded").contents();
        assert!(buckets.iter().all(|bucket| *bucket >= 0.0 && *bucket < CATEGORIES as f32));
        for (bucket, &position) in buckets.iter().zip(&fluid.particles.positions) {
            let cell = contents.cells.iter().find(|cell| cell.cell == contents.cell_of(position)).expect("a cell for each");
            assert_eq!(*bucket, (cell.bucket % CATEGORIES) as f32);
        }
    }

    #[test]
    fn a_fluid_without_spin_has_no_values_of_it() {
        assert!(read(ColorField::Spin, &*jet()).is_empty());
    }
}
