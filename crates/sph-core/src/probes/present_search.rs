//! Neighbour search over the present positions: the one that the next step will make.

use std::ops::Range;

use crate::neighbors::{Contents, GridParameters, Occupancy, Search, TooManyCells, Trace};
use crate::point_sets::PointSet;
use crate::{Images, View};
use glam::Vec3;

/// Search radius of points before their first step, in radii of the largest: about that of the first step.
const RADII_BEFORE_A_STEP: f32 = 3.0;

/// A search structure over the present positions; the engine's own holds the positions before the latest step. Its memory
/// is reused while grid and radius stay the same.
#[derive(Debug, Default)]
pub struct PresentSearch {
    kept: Option<(BuiltFor, Search)>,
    images: Images,
    points: SearchedPoints,
}

/// Points of the sets that are searched together, one set after the other.
#[derive(Debug, Default)]
pub(crate) struct SearchedPoints {
    /// Positions, m.
    pub positions: Vec<Vec3>,
    /// Radii of the spheres as which they are searched, m.
    pub reaches: Vec<f32>,
    /// Their numbers.
    pub ids: Vec<u32>,
}

/// A search that has been updated.
#[derive(Clone, Copy, Debug)]
pub struct Registered<'a> {
    search: &'a Search,
    positions: &'a [Vec3],
    /// Radii of points that are searched as spheres, m; none of others.
    reaches: &'a [f32],
    images: &'a Images,
}

/// Parameters that a structure is built for.
#[derive(Clone, Debug, PartialEq)]
struct BuiltFor {
    grid: GridParameters,
    /// Search radius, m; depends on the scene and on the solver.
    radius: f32,
    /// Point sets whose points it registers; none for those of the fluid.
    sets: Range<usize>,
}

impl PresentSearch {
    /// Registers the particles of `fluid`, and their images beyond periodic faces.
    ///
    /// # Errors
    /// If the structure cannot cover the particles.
    pub fn update<'a>(&'a mut self, fluid: &View<'a>) -> Result<Registered<'a>, TooManyCells> {
        let radius = fluid.search_radius();
        let built_for = BuiltFor { grid: fluid.parameters.grid, radius, sets: 0..0 };
        let Self { kept, images, .. } = self;
        let search = structure_for(kept, built_for, Search::new);
        let particles = fluid.particles;
        let (points, ids) = images.behind(fluid.domain, radius, &particles.positions, &particles.ids);
        search.update(points, ids)?;
        Ok(Registered { search, positions: &particles.positions, reaches: &[], images })
    }

    /// Registers the points of `sets`, which one search finds together; `None` if there are no such sets. Points have no images.
    ///
    /// # Errors
    /// If the structure cannot cover the points.
    pub fn update_sets<'a>(&'a mut self, view: &View<'a>, sets: Range<usize>) -> Result<Option<Registered<'a>>, TooManyCells> {
        let (Some(found), Some(&grid)) = (view.sets.get(sets.clone()), view.set_grids.get(sets.start)) else { return Ok(None) };
        let Self { kept, images, points } = self;
        let are_spheres = points.read(view, sets.clone(), found);
        let radius = points.search_radius(view, sets.start, are_spheres);
        let make = if are_spheres { Search::of_spheres } else { Search::new };
        let search = structure_for(kept, BuiltFor { grid, radius, sets }, make);
        let SearchedPoints { positions, reaches, ids } = points;
        if are_spheres { search.register_spheres(positions, reaches, ids) } else { search.update(positions, ids) }?;
        Ok(Some(Registered { search, positions, reaches: if are_spheres { reaches } else { &[] }, images }))
    }
}

/// The kept structure if it is built for the same, else one that `make` makes.
fn structure_for(
    kept: &mut Option<(BuiltFor, Search)>,
    built_for: BuiltFor,
    make: impl Fn(&GridParameters, f32) -> Search,
) -> &mut Search {
    let same = kept.take().filter(|(existing, _)| *existing == built_for);
    let (_, search) = kept.insert(same.unwrap_or_else(|| {
        let search = make(&built_for.grid, built_for.radius);
        (built_for, search)
    }));
    search
}

impl SearchedPoints {
    /// Reads the points of the sets with the indices `sets`, which are `found` in `view`; true if they are searched as spheres. Those that have not
    /// been searched yet have their own radii.
    pub fn read(&mut self, view: &View<'_>, sets: Range<usize>, found: &[PointSet]) -> bool {
        let Self { positions, reaches, ids } = self;
        positions.clear();
        reaches.clear();
        let mut are_spheres = false;
        for (index, set) in sets.zip(found) {
            positions.extend_from_slice(&set.positions);
            let of_step = view.dynamics.and_then(|dynamics| dynamics.reaches(index));
            are_spheres |= of_step.is_some();
            let of_step = of_step.unwrap_or(&[]);
            let of_step = &of_step[..of_step.len().min(set.len())];
            reaches.extend_from_slice(of_step);
            reaches.extend_from_slice(&set.radii[of_step.len()..]);
        }
        ids.clear();
        ids.extend(0..positions.len() as u32);
        are_spheres
    }

    /// Search radius, m, of a search whose first set is `first`.
    pub fn search_radius(&self, view: &View<'_>, first: usize, are_spheres: bool) -> f32 {
        let largest = self.reaches.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        match view.set_searches.get(first) {
            _ if are_spheres => 2.0 * largest,
            Some(search) => search.radius,
            None => RADII_BEFORE_A_STEP * largest,
        }
    }
}

impl Registered<'_> {
    /// Contents of the structure; periodic images are counted at their own positions.
    pub fn contents(self) -> Contents {
        self.search.contents()
    }

    /// Occupancy of cells and buckets.
    pub fn occupancy(self) -> Occupancy {
        self.search.occupancy()
    }

    /// The query of the particle at `index`, or of the point: those of several sets are counted one set after the other. A periodic image in its
    /// results has the index of its particle, and the cell of the image.
    pub fn trace(self, index: usize) -> Trace {
        if !self.reaches.is_empty() {
            return self.search.trace_sphere(index as u32, self.positions, self.reaches);
        }
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
