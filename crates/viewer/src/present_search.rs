//! The search that the next step will make, over the particles as they are now.

use sph_core::neighbors::{Contents, GridParameters, Search, TooManyCells, Trace};
use sph_core::{Images, Simulation};

/// A structure of its own: the simulation's holds the places from before the latest step. It is kept while the simulation's is of the
/// same kind, for its memory.
#[derive(Debug, Default)]
pub struct PresentSearch {
    kept: Option<(Kind, Search)>,
    images: Images,
}

/// A search that has been brought up to date.
#[derive(Clone, Copy, Debug)]
pub struct Registered<'a> {
    search: &'a Search,
    simulation: &'a Simulation,
    images: &'a Images,
}

/// What a structure is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kind {
    grid: GridParameters,
    /// m. It depends on the scene, and on the solver.
    radius: f32,
}

impl PresentSearch {
    /// Registers the particles of `simulation`, and their images beyond periodic faces.
    ///
    /// # Errors
    /// The structure cannot cover the particles.
    pub fn update<'a>(&'a mut self, simulation: &'a Simulation) -> Result<Registered<'a>, TooManyCells> {
        let kind = Kind { grid: simulation.parameters().grid, radius: simulation.search_radius() };
        let kept = self.kept.take().filter(|(made_for, _)| *made_for == kind);
        let (_, search) = self.kept.insert(kept.unwrap_or_else(|| (kind, Search::new(&kind.grid, kind.radius))));
        let particles = simulation.particles();
        let images = &mut self.images;
        let (points, names) = images.behind(simulation.domain(), kind.radius, &particles.positions, &particles.ids);
        search.update(points, names)?;
        Ok(Registered { search, simulation, images })
    }
}

impl Registered<'_> {
    /// What the structure holds: images are counted where they are.
    pub fn contents(self) -> Contents {
        self.search.contents()
    }

    /// The query of the particle at `index`. An image that it meets has the index of its particle, and the cell that the image lies in.
    pub fn trace(self, index: usize) -> Trace {
        let positions = &self.simulation.particles().positions;
        let mut trace = self.search.trace(positions[index], Some(index as u32));
        for met in &mut trace.visited {
            met.index = self.images.source(met.index, positions.len());
        }
        trace
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::Method;
    use sph_core::neighbors::Verdict;

    #[test]
    fn a_query_reaches_as_far_as_the_solver_looks() {
        let text =
            "format = 1\ndimensions = 2\n[particles]\nspacing = 0.1\n[[fluid.blocks]]\nmin = [0.0, 0.0]\nmax = [1.0, 1.0]\n";
        let scene = sph_io::parse(text, "drop", &[]).expect("the scene is well-formed");
        let mut simulation = Simulation::new(&scene.setup).expect("the scene can be simulated");
        let mut search = PresentSearch::default();
        let support = scene.setup.discretization.support_radius;
        // Positions that PBF predicts are looked for farther away than the support radius.
        for method in [Method::Wcsph, Method::Pbf, Method::Wcsph] {
            let mut parameters = *simulation.parameters();
            parameters.solver.method = method;
            simulation.set_parameters(parameters).expect("valid");
            let radius = simulation.search_radius();
            assert_eq!(radius > support, method == Method::Pbf);
            let positions = &simulation.particles().positions;
            let near = |place: &&glam::Vec3| place.distance_squared(positions[44]) < radius * radius;
            let expected = positions.iter().filter(near).count() - 1;
            let trace = search.update(&simulation).expect("unbounded").trace(44);
            assert_eq!(trace.count(Verdict::Neighbor), expected);
        }
    }
}
