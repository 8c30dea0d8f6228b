//! Cloths and balls of a scene as point sets of a setup: sheets first, then sets of balls.

use std::any::Any;

use crate::balls::{
    BallDynamics, BallSet, BallsSetup, MAX_BALLS, NewBalls, SPIN, USUAL_SUBSTEP, by_hand, cell_sizes,
    usual_grid as usual_grid_of_balls,
};
use crate::cloth::{ClothError, ClothSettings, ClothSetup, Cloths, Sheet, usual_grid};
use crate::substep::{MAX_SUBSTEPS, Substep};
use crate::together::ClothsAndBalls;
use glam::Vec3;
use sph_core::neighbors::GridParameters;
use sph_core::point_sets::{Coating, PENDING_IMPULSE, PointDynamics, PointOutline, PointSet, PointSource};

/// All cloths and balls of a scene, checked.
#[derive(Clone, Debug)]
pub struct PbdSetup {
    sheets: Vec<Sheet>,
    settings: ClothSettings,
    balls: Vec<NewBalls>,
    ball_settings: BallSettings,
    // What follows from these, asked for in every picture.
    outline: Option<PointOutline>,
    /// Parameters of the search of the sheets, and of that of the balls, at the start; `None` for the usual ones.
    grids: [Option<GridParameters>; 2],
    /// The usual ones.
    usual_grids: [GridParameters; 2],
}

/// What all balls of a scene have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallSettings {
    /// Longest substep, s.
    pub longest_substep: f64,
}

impl Default for BallSettings {
    fn default() -> Self {
        Self { longest_substep: USUAL_SUBSTEP }
    }
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
    /// The cloths that are described, which move with these settings, and no balls.
    ///
    /// # Errors
    /// The first description that makes no sense.
    pub fn new(cloths: &[ClothSetup], settings: ClothSettings) -> Result<Self, PbdError> {
        let sheet = |(cloth, setup): (usize, &ClothSetup)| setup.sheet().map_err(|error| PbdError { cloth, error });
        let sheets = cloths.iter().enumerate().map(sheet).collect::<Result<_, _>>()?;
        let (balls, ball_settings) = (Vec::new(), BallSettings::default());
        let usual_grids = [GridParameters::default(); 2];
        Ok(Self { sheets, settings, balls, ball_settings, outline: None, grids: [None; 2], usual_grids }.completed())
    }

    /// The same with these balls, which have names of their own.
    #[must_use]
    pub fn with_balls(self, balls: Vec<NewBalls>, ball_settings: BallSettings) -> Self {
        Self { balls, ball_settings, ..self }.completed()
    }

    /// The same with these parameters of the search of the sheets, and of that of the balls, at the start; `None` for the usual ones.
    #[must_use]
    pub fn with_grids(self, grids: [Option<GridParameters>; 2]) -> Self {
        Self { grids, ..self }
    }

    /// Usual parameters of the search of the sheets, and of that of the balls.
    pub fn usual_grids(&self) -> [GridParameters; 2] {
        self.usual_grids
    }

    /// The same with its outline and the usual parameters of its searches.
    fn completed(self) -> Self {
        let (mut low, mut high, mut speed) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0.0_f32);
        for set in self.sets() {
            for ((&position, &radius), velocity) in set.positions.iter().zip(&set.radii).zip(&set.velocities) {
                (low, high) = (low.min(position - radius), high.max(position + radius));
                speed = speed.max(velocity.length());
            }
        }
        for pour in self.balls.iter().filter_map(|balls| balls.set.pour.as_ref()) {
            (low, high, speed) = (low.min(pour.min), high.max(pour.max), speed.max(pour.velocity.length()));
        }
        let all: Vec<f32> = self.balls.iter().flat_map(|balls| balls.set.radii.iter().copied()).collect();
        let [least, most] = [all.iter().copied().reduce(f32::min), all.iter().copied().reduce(f32::max)];
        let radii = least.zip(most).map(<[f32; 2]>::from);
        let outline = low.is_finite().then_some(PointOutline { bounds: [low, high], speed, radii });
        let thickness = self.sheets.iter().map(|sheet| sheet.setup().thickness).fold(0.0, f32::max);
        let usual_grids = [usual_grid(thickness, self.vertices()), usual_grid_of_balls(&all)];
        Self { outline, usual_grids, ..self }
    }

    /// The sheets.
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// The sets of balls.
    pub fn balls(&self) -> &[NewBalls] {
        &self.balls
    }

    /// Tables of the scene whose substeps are longer than they are set in a step of `dt` (s), which is cut into [`MAX_SUBSTEPS`] at most, and the length
    /// that they have, s.
    pub fn longer_substeps(&self, dt: f64) -> Vec<(&'static str, f64)> {
        let shortest = dt / f64::from(MAX_SUBSTEPS);
        let cloth = (!self.sheets.is_empty()).then_some(("cloth", self.settings.longest_substep));
        let balls = (!self.balls.is_empty()).then_some(("ball", self.ball_settings.longest_substep));
        // Rounded lengths do not divide exactly.
        let are_longer = |&(_, longest): &(&str, f64)| longest < 0.999 * shortest;
        cloth.into_iter().chain(balls).filter(are_longer).map(|(table, _)| (table, shortest)).collect()
    }

    /// Number of vertices of all sheets.
    fn vertices(&self) -> usize {
        self.sheets.iter().map(Sheet::len).sum()
    }

    /// Number of balls of all sets, with those that are poured later.
    fn ball_count(&self) -> usize {
        self.balls.iter().map(|balls| balls.set.radii.len()).sum()
    }
}

/// Seconds of a core for a vertex and a substep, in folds or under balls and without wind: an estimate for forecasts. Measured as the processor time of
/// `cloth_on_sphere`, `stack_of_sheets` and `balls_on_a_sheet` over their first 1.5 s; `examples/cloth_speed` times a strip.
const SECONDS_PER_VERTEX: f64 = 0.35e-6;

/// Seconds of a core for a ball and a substep, in a pile: an estimate for forecasts. Measured as the processor time of `ten_thousand_balls`;
/// `examples/ball_speed.rs` times larger piles.
const SECONDS_PER_BALL: f64 = 1.5e-6;

impl PointSource for PbdSetup {
    fn sets(&self) -> Vec<PointSet> {
        self.sheets.iter().map(Sheet::point_set).chain(self.balls.iter().map(|balls| balls.points.clone())).collect()
    }

    fn count(&self) -> u64 {
        (self.vertices() + self.ball_count()) as u64
    }

    fn counts_by_kind(&self) -> Vec<(u64, &'static str)> {
        let kinds = [(self.vertices() as u64, "cloth vertices"), (self.ball_count() as u64, "balls")];
        kinds.into_iter().filter(|(count, _)| *count > 0).collect()
    }

    fn seconds_per_step(&self, dt: f64) -> f64 {
        let part = |count: usize, seconds: f64, longest: f64| {
            if count == 0 { 0.0 } else { count as f64 * seconds * f64::from(Substep::count_of(dt, longest)) }
        };
        part(self.vertices(), SECONDS_PER_VERTEX, self.settings.longest_substep)
            + part(self.ball_count(), SECONDS_PER_BALL, self.ball_settings.longest_substep)
    }

    fn outline(&self) -> Option<PointOutline> {
        self.outline
    }

    fn dynamics(&self) -> Box<dyn PointDynamics> {
        let sets: Vec<BallSet> = self.balls.iter().map(|balls| balls.set.clone()).collect();
        let cloths = Cloths::new(self.sheets.clone(), self.settings);
        let balls = BallDynamics::new(sets).with_substep(self.ball_settings.longest_substep);
        match (self.sheets.len(), self.balls.len()) {
            (_, 0) => Box::new(cloths),
            (0, _) => Box::new(balls),
            (sheets, _) => Box::new(ClothsAndBalls { sheets, cloths, balls }),
        }
    }

    fn grids(&self) -> Vec<GridParameters> {
        // One search finds the vertices of all sheets, and one all balls; of each the first grid counts, and all sets are given the same.
        let [cloth, balls] = [0, 1].map(|kind| self.grids[kind].unwrap_or(self.usual_grids[kind]));
        let mut grids = vec![cloth; self.sheets.len()];
        grids.resize(self.sheets.len() + self.balls.len(), balls);
        grids
    }

    fn cell_sizes(&self, index: usize) -> [f32; 2] {
        let [cloth, balls] = self.usual_grids;
        cell_sizes(if index < self.sheets.len() { &cloth } else { &balls })
    }

    fn searched_with(&self, index: usize) -> std::ops::Range<usize> {
        let (sheets, all) = (self.sheets.len(), self.sheets.len() + self.balls.len());
        if index < sheets { 0..sheets } else { sheets..all }
    }

    fn color(&self, index: usize) -> Option<[u8; 3]> {
        self.balls.get(index.checked_sub(self.sheets.len())?)?.setup.color
    }

    fn coating(&self, index: usize) -> Coating {
        if let Some(sheet) = self.sheets.get(index) {
            return Coating::Sheet(sheet.rest_positions().clone());
        }
        self.balls.get(index - self.sheets.len()).map_or(Coating::None, |balls| Coating::Balls(balls.set.radii.clone()))
    }

    fn is_sheet(&self, index: usize) -> bool {
        index < self.sheets.len()
    }

    fn fits(&self, sets: &[PointSet]) -> bool {
        let fits = |(set, sheet): (&PointSet, &Sheet)| {
            let start = sheet.point_set();
            let own = set.columns.iter().filter(|column| column.name != PENDING_IMPULSE);
            let columns = own.map(|of| (&of.name, of.values.len()));
            let fitting = start.columns.iter().map(|of| (&of.name, of.values.len()));
            set.name == start.name && set.masses == start.masses && set.radii == start.radii && columns.eq(fitting)
        };
        let Some((of_sheets, of_balls)) = sets.split_at_checked(self.sheets.len()) else { return false };
        of_sheets.iter().zip(&self.sheets).all(fits)
            && of_balls.len() == self.balls.len()
            && of_balls.iter().zip(&self.balls).all(|(set, balls)| fits_balls(set, balls))
    }

    fn is_same(&self, other: &dyn PointSource) -> bool {
        let Some(other) = other.as_any().downcast_ref::<Self>() else { return false };
        let setups = |of: &Self| of.balls.iter().map(|balls| balls.setup.clone()).collect::<Vec<BallsSetup>>();
        self.settings == other.settings
            && self.ball_settings == other.ball_settings
            && self.sheets.iter().map(Sheet::setup).eq(other.sheets.iter().map(Sheet::setup))
            && setups(self) == setups(other)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// True if `set` may be a state of `balls`: those of the start, or the first of those that are poured, and between them those that a hand has poured.
fn fits_balls(set: &PointSet, balls: &NewBalls) -> bool {
    let (count, poured, radii) = (set.len(), by_hand(set), &balls.set.radii[..]);
    let is_poured = |ball: u32| poured.binary_search(&ball).is_ok();
    let are_ids = poured.is_sorted_by(|a, b| a < b) && poured.last().is_none_or(|&last| (last as usize) < count);
    let of_scene = count.saturating_sub(poured.len());
    let is_full = balls.set.pour.is_some() || of_scene == radii.len();
    let spins = set.column(SPIN).map_or(count, |spins| spins.len());
    let has_arrays = set.radii.len() == count && set.masses.len() == count && set.rounding_errors.len() == count;
    let (mut expected, sizes) =
        (radii.iter(), [f32::min, f32::max].map(|of| radii.iter().copied().reduce(of).unwrap_or_default()));
    let has_radius = |(ball, radius): (u32, &f32)| match is_poured(ball) {
        true => (sizes[0]..=sizes[1]).contains(radius),
        false => expected.next() == Some(radius),
    };
    let start = set.name == balls.setup.name && has_arrays && spins == count;
    start && are_ids && is_full && count <= MAX_BALLS + radii.len()
        // Balls are numbered in their order, and none is ever removed.
        && set.ids.iter().copied().eq(0..count as u32)
        && (0..).zip(&set.radii).all(has_radius)
}
