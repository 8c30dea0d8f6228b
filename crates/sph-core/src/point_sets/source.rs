//! Descriptions of point sets in a setup; the crates that move the points implement them.

use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use super::{Coating, PointDynamics, PointSet};
use crate::parameters::GridParameters;
use glam::Vec3;

/// Size and speed of point sets at the start, for the scales of pictures and the framing of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointOutline {
    /// Lowest and highest corner of all points with their radii, and of openings through which others come, m.
    pub bounds: [Vec3; 2],
    /// Highest speed, m/s.
    pub speed: f32,
    /// Smallest and largest radius of points that are drawn as balls, m; `None` without any.
    pub radii: Option<[f32; 2]>,
}

/// Description of point sets: cloths, balls. A valid one; its crate checks it.
pub trait PointSource: Debug + Send + Sync {
    /// The sets at time 0.
    fn sets(&self) -> Vec<PointSet>;

    /// Number of points of all sets, with those that come later.
    fn count(&self) -> u64;

    /// Numbers of points by kind, with the name of the kind in the plural: `(441, "cloth vertices")`.
    fn counts_by_kind(&self) -> Vec<(u64, &'static str)> {
        vec![(self.count(), "points")]
    }

    /// Computing time of a step of length `dt` (s) on a current core, s: an order of magnitude.
    fn seconds_per_step(&self, dt: f64) -> f64 {
        let _ = dt;
        0.0
    }

    /// Size and speed at the start; `None` if they are not known.
    fn outline(&self) -> Option<PointOutline> {
        None
    }

    /// What the fluid meets of set `index`.
    fn coating(&self, index: usize) -> Coating {
        let _ = index;
        Coating::None
    }

    /// True if the points of set `index` span a sheet.
    fn is_sheet(&self, index: usize) -> bool {
        matches!(self.coating(index), Coating::Sheet(_))
    }

    /// Radii (m) of the balls of set `index`, of which a hand may pour others; `None` if it has no balls, or there is no such set.
    fn balls(&self, index: usize) -> Option<Arc<[f32]>> {
        match (index < self.grids().len()).then(|| self.coating(index)) {
            Some(Coating::Balls(radii)) => Some(radii),
            _ => None,
        }
    }

    /// The rules that move them.
    fn dynamics(&self) -> Box<dyn PointDynamics>;

    /// Parameters of the search of each set at the start.
    fn grids(&self) -> Vec<GridParameters>;

    /// Smallest and largest cell size that the search of set `index` may have, m. Beyond them a step would take far too long.
    fn cell_sizes(&self, index: usize) -> [f32; 2] {
        self.grids().get(index).map_or([0.0; 2], |grid| [0.125, 4.0].map(|factor| factor * grid.cell_size))
    }

    /// Sets that one search finds together with set `index`, itself included: they have one grid.
    fn searched_with(&self, index: usize) -> Range<usize> {
        index..index + 1
    }

    /// sRGB-encoded colour of set `index` in pictures, if the scene gives one.
    fn color(&self, index: usize) -> Option<[u8; 3]> {
        let _ = index;
        None
    }

    /// True if `sets` may be states of the sets described: of the same names, with numbers of points and columns that fit.
    fn fits(&self, sets: &[PointSet]) -> bool;

    /// True if `other` describes the same motion: the grids of the searches may differ.
    fn is_same(&self, other: &dyn PointSource) -> bool;

    /// The description, for a downcast.
    fn as_any(&self) -> &dyn Any;
}

/// Point sets of a [`Setup`](crate::Setup). Clones share the description.
#[derive(Clone, Debug)]
pub struct PointSetup(Arc<dyn PointSource>);

impl PointSetup {
    /// The sets that `source` describes.
    pub fn new(source: impl PointSource + 'static) -> Self {
        Self(Arc::new(source))
    }

    /// The description.
    pub fn source(&self) -> &dyn PointSource {
        &*self.0
    }

    /// Sets of each search, in their order: those that one search finds together.
    pub fn searches(&self) -> impl Iterator<Item = Range<usize>> {
        let (source, count) = (self.source(), self.source().grids().len());
        let together = move |first: usize| (first < count).then(|| first..source.searched_with(first).end.max(first + 1));
        std::iter::successors(together(0), move |sets| together(sets.end))
    }
}

impl PartialEq for PointSetup {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.is_same(other.source())
    }
}
