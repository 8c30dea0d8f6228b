//! Whose search a command measures: `--search-of`.

use crate::Failure;
use sph_core::Engine;
use sph_core::neighbors::GridParameters;
use sph_core::point_sets::PointSetup;
use std::ops::Range;

/// What is searched.
#[derive(Clone, Debug, PartialEq)]
pub enum Searched {
    /// Fluid.
    Fluid,
    /// Point set with this index and name, and the sets that are searched together with it.
    Set(usize, String, Range<usize>),
}

impl Searched {
    /// What `name` names; without a name the fluid, or the first point set if there is no fluid.
    ///
    /// # Errors
    /// If nothing in the scene has this name.
    pub fn find(engine: &dyn Engine, points: Option<&PointSetup>, name: Option<&str>) -> Result<Self, Failure> {
        let sets = engine.view().sets;
        let together = |index: usize| points.map_or(index..index + 1, |points| points.source().searched_with(index));
        let set = |index: usize| Self::Set(index, sets[index].name.clone(), together(index));
        match name {
            None if engine.view().particles.is_empty() && !sets.is_empty() => Ok(set(0)),
            None | Some("fluid") => Ok(Self::Fluid),
            Some(name) => sets.iter().position(|set| set.name == name).map(set).ok_or_else(|| {
                let names: Vec<&str> = ["fluid"].into_iter().chain(sets.iter().map(|set| set.name.as_str())).collect();
                Failure::Input(format!("nothing in the scene is called `{name}`: expected one of {}", names.join(", ")))
            }),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Fluid => "fluid",
            Self::Set(_, name, _) => name,
        }
    }

    /// Index of its first point set; `None` for the fluid.
    pub fn set(&self) -> Option<usize> {
        match self {
            Self::Fluid => None,
            Self::Set(index, ..) => Some(*index),
        }
    }

    /// What a candidate may turn out to be.
    pub fn found(&self) -> &'static str {
        match self {
            Self::Fluid => "neighbour",
            Self::Set(..) => "pair",
        }
    }

    /// Parameters of its search.
    pub fn grid(&self, engine: &dyn Engine) -> GridParameters {
        match self {
            Self::Fluid => engine.parameters().grid,
            Self::Set(index, ..) => engine.view().set_grids[*index],
        }
    }
}
