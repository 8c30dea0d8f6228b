//! Place, rotation and velocity of a body.

use crate::parameters::Dimensions;
use crate::simulation::View;
use glam::{DQuat, DVec3};
use std::ops::Range;

/// Position, rotation and velocity of the body with this index, as [`Probe::Motion`](super::Probe::Motion) lists them.
pub(super) fn motion(fluid: &View<'_>, body: usize) -> Vec<Option<f64>> {
    let (axes, turns) = match fluid.discretization.dimensions {
        Dimensions::Two => (0..2, 2..3),
        Dimensions::Three => (0..3, 0..3),
    };
    let [place, turn, velocity] = fluid.bodies.get(body).map_or([None; 3], |body| {
        let rotation = DQuat::from_mat3(&body.pose.rotation).to_scaled_axis();
        let [place, velocity] = body.motion();
        [Some(place), Some(rotation), Some(velocity)]
    });
    let of = |vector: Option<DVec3>, axes: Range<usize>| axes.map(move |axis| vector.map(|vector| vector[axis]));
    of(place, axes.clone()).chain(of(turn, turns)).chain(of(velocity, axes)).collect()
}
