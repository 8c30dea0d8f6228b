//! Descriptions of point sets in a setup; the crates that move the points implement them.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use super::{PointDynamics, PointSet};
use crate::parameters::GridParameters;

/// Description of point sets: cloths, balls. A valid one; its crate checks it.
pub trait PointSource: Debug + Send + Sync {
    /// The sets at time 0.
    fn sets(&self) -> Vec<PointSet>;

    /// Number of points of all sets at time 0.
    fn count(&self) -> u64;

    /// The rules that move them.
    fn dynamics(&self) -> Box<dyn PointDynamics>;

    /// Parameters of the search of each set at the start.
    fn grids(&self) -> Vec<GridParameters>;

    /// True if `sets` may be states of the sets described: of the same names, with numbers of points and columns that fit.
    fn fits(&self, sets: &[PointSet]) -> bool;

    /// True if `other` describes the same.
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
}

impl PartialEq for PointSetup {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.is_same(other.source())
    }
}
