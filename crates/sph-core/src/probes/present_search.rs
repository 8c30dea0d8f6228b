//! Neighbour search over the present positions: the one that the next step will make.

use crate::neighbors::{Contents, GridParameters, Search, TooManyCells, Trace};
use crate::{Images, View};
use glam::Vec3;

/// A search structure over the present positions; the engine's own holds the positions before the latest step. Its memory
/// is reused while grid and radius stay the same.
#[derive(Debug, Default)]
pub struct PresentSearch {
    kept: Option<(BuiltFor, Search)>,
    images: Images,
}

/// A search that has been updated.
#[derive(Clone, Copy, Debug)]
pub struct Registered<'a> {
    search: &'a Search,
    positions: &'a [Vec3],
    images: &'a Images,
}

/// Parameters that a structure is built for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BuiltFor {
    grid: GridParameters,
    /// Search radius, m; depends on the scene and on the solver.
    radius: f32,
}

impl PresentSearch {
    /// Registers the particles of `fluid`, and their images beyond periodic faces.
    ///
    /// # Errors
    /// If the structure cannot cover the particles.
    pub fn update<'a>(&'a mut self, fluid: &View<'a>) -> Result<Registered<'a>, TooManyCells> {
        let built_for = BuiltFor { grid: fluid.parameters.grid, radius: fluid.search_radius() };
        let kept = self.kept.take().filter(|(existing, _)| *existing == built_for);
        let (_, search) = self.kept.insert(kept.unwrap_or_else(|| (built_for, Search::new(&built_for.grid, built_for.radius))));
        let particles = fluid.particles;
        let images = &mut self.images;
        let (points, ids) = images.behind(fluid.domain, built_for.radius, &particles.positions, &particles.ids);
        search.update(points, ids)?;
        Ok(Registered { search, positions: &particles.positions, images })
    }
}

impl Registered<'_> {
    /// Contents of the structure; periodic images are counted at their own positions.
    pub fn contents(self) -> Contents {
        self.search.contents()
    }

    /// The query of the particle at `index`. A periodic image in its results has the index of its particle, and the cell of the
    /// image.
    pub fn trace(self, index: usize) -> Trace {
        let mut trace = self.search.trace(self.positions[index], Some(index as u32));
        for met in &mut trace.visited {
            met.index = self.images.source(met.index, self.positions.len());
        }
        trace
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::Verdict;
    use crate::{Dimensions, Discretization, Engine as _, FluidBlock, Method, Setup, Simulation};

    #[test]
    fn a_query_has_the_search_radius_of_the_solver() {
        let block = FluidBlock::new(Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0));
        let setup = Setup::new(Discretization::new(Dimensions::Two, 0.1), vec![block], vec![]);
        let mut engine = Simulation::new(&setup).expect("a valid setup");
        let mut search = PresentSearch::default();
        let support = setup.discretization.support_radius;
        // PBF predicts positions and searches farther than the support radius.
        for method in [Method::Wcsph, Method::Pbf, Method::Wcsph] {
            let mut parameters = *engine.parameters();
            parameters.solver.method = method;
            engine.set_parameters(parameters).expect("valid");
            let fluid = engine.view();
            let radius = fluid.search_radius();
            assert_eq!(radius > support, method == Method::Pbf);
            let positions = &fluid.particles.positions;
            let near = |position: &&Vec3| position.distance_squared(positions[44]) < radius * radius;
            let expected = positions.iter().filter(near).count() - 1;
            let trace = search.update(&fluid).expect("unbounded").trace(44);
            assert_eq!(trace.count(Verdict::Neighbor), expected);
        }
    }
}
