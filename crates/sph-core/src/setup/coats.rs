//! Points of a setup that the fluid meets: their boundary particles, where they are at the start, and remarks on those that it does not meet.

use std::sync::Arc;

use super::sampling::is_inside;
use super::{Remark, Setup};
use crate::boundary::{BallShells, count_on_triangle};
use crate::point_sets::{Coating, PointSet, is_met};
use glam::Vec3;

impl Setup {
    /// True if there is fluid at the start, or an emitter of fluid. Costs nothing.
    pub fn has_fluid(&self) -> bool {
        !(self.blocks.is_empty() && self.particle_sets.is_empty() && self.openings.emitters.is_empty())
    }

    /// What the fluid meets of each set.
    pub(crate) fn coatings(&self) -> impl Iterator<Item = Coating> {
        let source = self.points.as_ref().map(|points| points.source());
        source.into_iter().flat_map(|source| (0..source.grids().len()).map(|set| source.coating(set)))
    }

    /// Radii (m) of the balls of each set, with those that come later; none of other sets.
    fn radii_of_sets(&self) -> impl Iterator<Item = Arc<[f32]>> {
        self.coatings().map(|coating| match coating {
            Coating::Balls(radii) => radii,
            Coating::None | Coating::Sheet(_) => [].into(),
        })
    }

    /// True if the fluid meets balls of this radius, m.
    fn is_met(&self, radius: f32) -> bool {
        is_met(radius, self.discretization.particle_spacing)
    }

    /// Number of boundary particles that points get where there is fluid, with those that come later; an upper bound, which saturates.
    pub(crate) fn coat_count(&self) -> u64 {
        let of_balls =
            |radii: Arc<[f32]>| radii.iter().map(|&radius| self.coat_count_of_ball(radius)).fold(0, u64::saturating_add);
        self.radii_of_sets().map(of_balls).chain([self.count_on_sheets()]).fold(0, u64::saturating_add)
    }

    /// Number of boundary particles that the balls of `sets`, which are those of this setup, get where there is fluid; an upper bound, which
    /// saturates.
    pub(crate) fn coat_count_of_balls(&self, sets: &[PointSet]) -> u64 {
        let balls = sets.iter().zip(self.coatings()).filter(|(_, coating)| matches!(coating, Coating::Balls(_)));
        balls.flat_map(|(set, _)| set.radii.iter()).map(|&radius| self.coat_count_of_ball(radius)).fold(0, u64::saturating_add)
    }

    /// Number of boundary particles of a ball of this radius (m), at most; 0 if the fluid does not meet it.
    pub(crate) fn coat_count_of_ball(&self, radius: f32) -> u64 {
        if self.is_met(radius) { BallShells::count(radius, &self.discretization) } else { 0 }
    }

    /// Number of boundary particles of sheets, none of which is torn; it saturates.
    fn count_on_sheets(&self) -> u64 {
        let Some(source) = self.points.as_ref().map(|points| points.source()) else { return 0 };
        let of_set = |(set, coating)| match coating {
            Coating::Sheet(rest) => Some((set, rest)),
            Coating::None | Coating::Balls(_) => None,
        };
        let sheets: Vec<(usize, Arc<[Vec3]>)> = self.coatings().enumerate().filter_map(of_set).collect();
        if sheets.is_empty() {
            return 0;
        }
        let (sets, dynamics) = (source.sets(), source.dynamics());
        let of_sheet = |(set, rest): (usize, Arc<[Vec3]>)| {
            let triangles = dynamics.triangles(set, &sets[set]).into_iter();
            let counts = triangles.map(|corners| {
                count_on_triangle(corners.map(|corner| rest[corner as usize]), self.discretization.particle_spacing)
            });
            counts.fold(0, u64::saturating_add)
        };
        sheets.into_iter().map(of_sheet).fold(0, u64::saturating_add)
    }

    /// Sets of balls at the start, with their radii; none without fluid.
    fn sets_of_balls(&self) -> Vec<PointSet> {
        if !self.has_fluid() {
            return Vec::new();
        }
        let has_balls: Vec<bool> = self.radii_of_sets().map(|radii| !radii.is_empty()).collect();
        if !has_balls.contains(&true) {
            return Vec::new();
        }
        let sets = self.points.iter().flat_map(|points| points.source().sets());
        sets.zip(has_balls).filter(|(_, has_balls)| *has_balls).map(|(set, _)| set).collect()
    }

    /// Centres (m) and radii (m) of the balls at the start that the fluid meets.
    pub(super) fn coated_balls(&self) -> Vec<(Vec3, f32)> {
        let sets = self.sets_of_balls();
        let balls = sets.iter().flat_map(|set| set.positions.iter().copied().zip(set.radii.iter().copied()));
        balls.filter(|&(_, radius)| self.is_met(radius)).collect()
    }

    /// Remarks on balls that the fluid does not meet, and on those with fluid inside.
    pub(super) fn unmet_balls(&self) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if !self.has_fluid() {
            return remarks;
        }
        let names = self.points.iter().flat_map(|points| points.source().sets()).map(|set| set.name);
        for (name, radii) in names.zip(self.radii_of_sets()) {
            let (count, all) = (radii.iter().filter(|radius| !self.is_met(**radius)).count(), radii.len());
            if count > 0 {
                remarks.push(Remark::SmallBalls { set: name, count, all, spacing: self.discretization.particle_spacing });
            }
        }
        for set in self.sets_of_balls() {
            let balls = || set.positions.iter().zip(&set.radii).filter(|(_, radius)| self.is_met(**radius));
            for (block, of) in self.blocks.iter().enumerate().filter(|(_, block)| !block.around_bodies) {
                let holds = |&(center, _): &(&Vec3, &f32)| is_inside(&of.shape, *center, of.min, of.max);
                let in_box = |&(center, _): &(&Vec3, &f32)| center.cmpge(of.min).all() && center.cmple(of.max).all();
                let count = balls().filter(in_box).filter(holds).count();
                if count > 0 {
                    remarks.push(Remark::BallsInFluid { set: set.name.clone(), block, count });
                }
            }
        }
        remarks
    }
}
