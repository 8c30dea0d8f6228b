//! Bodies that move by forces, and joints, that pull harder than is likely meant.

use super::Remark;
use crate::boundary::{Joint, JointKind};
use crate::setup::Setup;
use std::ops::RangeInclusive;

/// Densities of bodies over the fluid's for which the coupling is tested (`tests/rigid_bodies.rs`), with room for rounding.
const TESTED_RATIOS: RangeInclusive<f32> = 0.099..=10.1;

/// Part of the length of a rope by which its ends may be farther apart at the start.
const SLACK: f32 = 1e-3;

impl Setup {
    /// Bodies that move by forces with densities beyond those that are tested.
    pub(super) fn unusual_densities(&self) -> impl Iterator<Item = Remark> {
        let rest = self.discretization.rest_density;
        let densities = || self.fluids.iter().map(|fluid| fluid.rest_density);
        let [lightest, heaviest] = [densities().fold(f32::INFINITY, f32::min), densities().fold(0.0, f32::max)];
        let [lightest, heaviest] = if self.fluids.is_empty() { [rest; 2] } else { [lightest, heaviest] };
        let free = self.bodies.iter().enumerate().filter(|(_, body)| body.dynamics.is_some());
        free.filter_map(move |(body, of)| {
            let ratio = if of.density < lightest { of.density / lightest } else { (of.density / heaviest).max(1.0) };
            (!TESTED_RATIOS.contains(&ratio)).then_some(Remark::UnusualDensity { body, ratio })
        })
    }

    /// Ropes shorter than the distance of their ends, and limits that exclude the start.
    pub(super) fn strained_joints(&self) -> impl Iterator<Item = Remark> {
        self.joints.iter().enumerate().filter_map(|(joint, of)| {
            let Joint { kind, anchor, to_anchor, length, limits, .. } = *of;
            let distance = anchor.distance(to_anchor);
            if kind == JointKind::Rope && distance > (1.0 + SLACK) * length {
                return Some(Remark::StrainedJoint { joint, distance: Some(distance) });
            }
            let excluded = limits.is_some_and(|[least, greatest]| !(least..=greatest).contains(&0.0));
            excluded.then_some(Remark::StrainedJoint { joint, distance: None })
        })
    }
}
