//! The search that the next step will make, over the particles as they are now.

use sph_core::Simulation;
use sph_core::neighbors::{GridParameters, Search, TooManyCells};

/// A structure of its own: the simulation's holds the places from before the latest step. It is kept while the simulation's is of the
/// same kind, for its memory.
#[derive(Debug, Default)]
pub struct PresentSearch {
    kept: Option<(Kind, Search)>,
}

/// What a structure is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kind {
    grid: GridParameters,
    /// m. It depends on the scene, and on the solver.
    radius: f32,
}

impl PresentSearch {
    /// Registers the particles of `simulation`.
    ///
    /// # Errors
    /// The structure cannot cover the particles.
    pub fn update(&mut self, simulation: &Simulation) -> Result<&Search, TooManyCells> {
        let kind = Kind { grid: simulation.parameters().grid, radius: simulation.search_radius() };
        let kept = self.kept.take().filter(|(made_for, _)| *made_for == kind);
        let (_, search) = self.kept.insert(kept.unwrap_or_else(|| (kind, Search::new(&kind.grid, kind.radius))));
        let particles = simulation.particles();
        search.update(&particles.positions, &particles.ids)?;
        Ok(search)
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
            let trace = search.update(&simulation).expect("unbounded").trace(positions[44], Some(44));
            assert_eq!(trace.count(Verdict::Neighbor), expected);
        }
    }
}
