//! Added mass: the fluid that an accelerated body takes with it, which makes light bodies unstable unless their load is relaxed.
//!
//! Fluid that is kept incompressible answers the acceleration a of a body within a step by the force −m_a a, with the added mass m_a.
//! The body feels it in the next step, so that accelerations change by the factor −m_a/m from step to step: without bound for a body
//! that is lighter than its added mass (Causin2005). With the relaxed load F' ← F' + θ (F − F') the factor is 1 − θ (1 + m_a/m), and
//! 0 for θ = m / (m + m_a): the load at rest is the same, and impulses are late by steps, not lost.

use super::Load;
use crate::boundary::Body;
use crate::parameters::Dimensions;

/// Relaxation factor θ of the load on a body in incompressible fluid of rest density `rest_density`, kg/m³.
///
/// The added mass is that of an ellipsoid with the extents of the body, along its thinnest axis, in terms of the fluid that it
/// displaces: exactly the ratio of half extents in two dimensions (Lamb1932, art. 71), and about that of the mean of the two longer
/// ones to the shortest in three. An estimate that is too large makes the load late by more steps; half of it is still stable.
pub(super) fn relaxation(body: &Body, dimensions: Dimensions, rest_density: f32) -> f64 {
    let half = body.half_extent().as_dvec3();
    let slenderness = match dimensions {
        Dimensions::Two => half.truncate().max_element() / half.truncate().min_element(),
        Dimensions::Three => {
            let least = half.min_element();
            (half.element_product() / least).sqrt() / least
        }
    };
    1.0 / (1.0 + slenderness * f64::from(rest_density / body.density))
}

impl Load {
    /// The load that acts in this step, from the relaxed one of the last step and that of the fluid now.
    pub(super) fn relaxed(now: Self, last: Option<Self>, factor: f64) -> Self {
        let Some(last) = last else { return now };
        Self {
            force: last.force + factor * (now.force - last.force),
            torque: last.torque + factor * (now.torque - last.torque),
        }
    }
}
