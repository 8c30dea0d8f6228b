//! Cloths of a scene as point sets of a setup; balls are not in scenes yet.

use std::any::Any;

use crate::cloth::{ClothError, ClothSettings, ClothSetup, Cloths, Sheet, usual_grid};
use sph_core::neighbors::GridParameters;
use sph_core::point_sets::{PointDynamics, PointSet, PointSource};

/// All cloths of a scene, checked.
#[derive(Clone, Debug)]
pub struct PbdSetup {
    sheets: Vec<Sheet>,
    settings: ClothSettings,
}

/// An error in the description of a cloth.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct PbdError {
    /// Index of the cloth.
    pub cloth: usize,
    /// The error.
    pub error: ClothError,
}

impl PbdSetup {
    /// The cloths that are described, which move with these settings.
    ///
    /// # Errors
    /// The first description that makes no sense.
    pub fn new(cloths: &[ClothSetup], settings: ClothSettings) -> Result<Self, PbdError> {
        let sheet = |(cloth, setup): (usize, &ClothSetup)| setup.sheet().map_err(|error| PbdError { cloth, error });
        let sheets = cloths.iter().enumerate().map(sheet).collect::<Result<_, _>>()?;
        Ok(Self { sheets, settings })
    }

    /// The sheets.
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }
}

impl PointSource for PbdSetup {
    fn sets(&self) -> Vec<PointSet> {
        self.sheets.iter().map(Sheet::point_set).collect()
    }

    fn count(&self) -> u64 {
        self.sheets.iter().map(|sheet| sheet.len() as u64).sum()
    }

    fn dynamics(&self) -> Box<dyn PointDynamics> {
        Box::new(Cloths::new(self.sheets.clone(), self.settings))
    }

    fn grids(&self) -> Vec<GridParameters> {
        // One search finds the vertices of all sheets; the first grid counts, and each set is given the same.
        let vertices = self.sheets.iter().map(Sheet::len).sum();
        let thickness = self.sheets.iter().map(|sheet| sheet.setup().thickness).fold(0.0, f32::max);
        vec![usual_grid(thickness, vertices); self.sheets.len()]
    }

    fn fits(&self, sets: &[PointSet]) -> bool {
        let fits = |(set, sheet): (&PointSet, &Sheet)| {
            let start = sheet.point_set();
            let columns = set.columns.iter().map(|of| (&of.name, of.values.len()));
            let fitting = start.columns.iter().map(|of| (&of.name, of.values.len()));
            set.name == start.name && set.masses == start.masses && set.radii == start.radii && columns.eq(fitting)
        };
        sets.len() == self.sheets.len() && sets.iter().zip(&self.sheets).all(fits)
    }

    fn is_same(&self, other: &dyn PointSource) -> bool {
        let Some(other) = other.as_any().downcast_ref::<Self>() else { return false };
        self.settings == other.settings && self.sheets.iter().map(Sheet::setup).eq(other.sheets.iter().map(Sheet::setup))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
