//! Accelerations of a particle by their causes.

use glam::Vec3;

/// Cause of an acceleration of the fluid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccelerationTerm {
    /// Viscosity, explicit or implicit, with the drag of walls.
    Viscosity,
    /// Surface tension.
    SurfaceTension,
    /// Adhesion to walls and bodies.
    Adhesion,
    /// Transfer of spin, by micropolar vorticity.
    Spin,
    /// Gravity and other external forces.
    External,
    /// Pressure, of fluid and walls.
    Pressure,
}

impl AccelerationTerm {
    /// All of them, pressure last: it is what the others leave of the whole.
    pub const ALL: [Self; 6] =
        [Self::Viscosity, Self::SurfaceTension, Self::Adhesion, Self::Spin, Self::External, Self::Pressure];

    /// Name within a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viscosity => "viscosity",
            Self::SurfaceTension => "surface tension",
            Self::Adhesion => "adhesion to walls",
            Self::Spin => "transfer of spin",
            Self::External => "gravity and external forces",
            Self::Pressure => "pressure",
        }
    }
}

/// Accelerations of one particle in a step, on average over the step, m/s².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accelerations {
    terms: [Vec3; AccelerationTerm::ALL.len()],
}

impl Accelerations {
    /// Splits the acceleration `total` (m/s²), of which all terms but pressure are known.
    pub(crate) fn new(total: Vec3, known: [Vec3; AccelerationTerm::ALL.len() - 1]) -> Self {
        let mut terms = [total; AccelerationTerm::ALL.len()];
        terms[..known.len()].copy_from_slice(&known);
        terms[known.len()] -= known.into_iter().sum::<Vec3>();
        Self { terms }
    }

    /// Acceleration by `term`, m/s².
    pub fn of(&self, term: AccelerationTerm) -> Vec3 {
        self.terms[term as usize]
    }

    /// Term with the largest magnitude, and this magnitude, m/s²; the first that is not finite, if there is one.
    pub fn dominant(&self) -> (AccelerationTerm, f32) {
        let magnitude = |term: &AccelerationTerm| {
            let length = self.of(*term).length();
            if length.is_nan() { f32::INFINITY } else { length }
        };
        let first = AccelerationTerm::ALL[0];
        AccelerationTerm::ALL.into_iter().fold((first, magnitude(&first)), |largest, term| {
            let length = magnitude(&term);
            if length > largest.1 { (term, length) } else { largest }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressure_is_the_rest_and_what_is_not_finite_dominates() {
        let mut known = [Vec3::ZERO; 5];
        known[AccelerationTerm::External as usize] = Vec3::NEG_Y;
        let accelerations = Accelerations::new(Vec3::new(3.0, 3.0, 0.0), known);
        assert_eq!(accelerations.dominant(), (AccelerationTerm::Pressure, 5.0));
        known[AccelerationTerm::Adhesion as usize] = Vec3::splat(f32::NAN);
        assert_eq!(Accelerations::new(Vec3::NAN, known).dominant(), (AccelerationTerm::Adhesion, f32::INFINITY));
        assert_eq!(Accelerations::default().dominant().1, 0.0);
    }
}
