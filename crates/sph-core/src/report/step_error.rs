//! Errors of a step, the accelerations that led to them, and the numbers in their messages.

use std::fmt;

use crate::forces::Force;
use crate::neighbors::TooManyCells;
use glam::Vec3;

/// Error of a step, which then is refused: an invalid state, with the first particle that has it, a failed neighbour search, or a request.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A position, velocity or density would not be finite.
    #[error("particle {particle_id} at {} m would have a state that is not finite", Place(*position))]
    NonFinite {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last valid position, m.
        position: Vec3,
    },
    /// A density would not be positive.
    #[error("particle {particle_id} at {} m would have a density of {} kg/m³", Place(*position), Rounded(*density))]
    Density {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last valid position, m.
        position: Vec3,
        /// Density that it would have, kg/m³.
        density: f32,
    },
    /// A particle would cross more than half a support radius in one step.
    #[error(
        "particle {particle_id} at {} m would reach {} m/s and cross more than half a support radius in one step",
        Place(*position),
        Rounded(*speed)
    )]
    Runaway {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last valid position, m.
        position: Vec3,
        /// Speed that it would reach, m/s.
        speed: f32,
    },
    /// The time step that the limits on dt allow is too small.
    #[error("the time step would be {} s: accelerations or speeds have grown without bound", Rounded(*dt))]
    Stalled {
        /// Time step that the limits allow, s.
        dt: f32,
    },
    /// The state of a body would not be finite.
    #[error("body {body} would have a state that is not finite")]
    Body {
        /// Index of the body.
        body: usize,
    },
    /// The state of a point of a set would not be finite.
    #[error("point {id} of set {set} at {} m would have a state that is not finite", Place(*position))]
    Point {
        /// Index of the set.
        set: usize,
        /// Stable id of the first such point.
        id: u32,
        /// Its last valid position, m.
        position: Vec3,
    },
    /// The neighbour search cannot cover the fluid or its walls.
    #[error(transparent)]
    Search(#[from] TooManyCells),
    /// The step was cancelled by its [`CancelFlag`](crate::CancelFlag).
    #[error("the step was cancelled")]
    Cancelled,
}

impl StepError {
    /// Stable id and last valid position (m) of the particle with the invalid state; `None` for errors that are not of a
    /// particle.
    pub fn particle(&self) -> Option<(u32, Vec3)> {
        match *self {
            Self::NonFinite { particle_id, position }
            | Self::Density { particle_id, position, .. }
            | Self::Runaway { particle_id, position, .. } => Some((particle_id, position)),
            Self::Stalled { .. } | Self::Body { .. } | Self::Point { .. } | Self::Search(_) | Self::Cancelled => None,
        }
    }
}

// Accelerations of a particle by their causes.

/// Cause of an acceleration of the fluid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccelerationTerm {
    /// Viscosity, explicit or implicit, with the drag of walls.
    Viscosity,
    /// Another force between particles.
    Force(Force),
    /// Gravity and other external forces.
    External,
    /// Pressure, of fluid and walls.
    Pressure,
}

impl AccelerationTerm {
    /// Number of terms.
    const COUNT: usize = 3 + Force::COUNT;

    /// All of them, pressure last: it is what the others leave of the whole.
    pub fn all() -> impl Iterator<Item = Self> {
        let forces = Force::ALL.iter().map(|&force| Self::Force(force));
        [Self::Viscosity].into_iter().chain(forces).chain([Self::External, Self::Pressure])
    }

    /// Place among all.
    fn index(self) -> usize {
        match self {
            Self::Viscosity => 0,
            Self::Force(force) => 1 + force as usize,
            Self::External => 1 + Force::COUNT,
            Self::Pressure => 2 + Force::COUNT,
        }
    }

    /// Name within a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viscosity => "viscosity",
            Self::Force(force) => force.name(),
            Self::External => "gravity and external forces",
            Self::Pressure => "pressure",
        }
    }
}

/// Accelerations of one particle in a step, on average over the step, m/s².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accelerations {
    terms: [Vec3; AccelerationTerm::COUNT],
}

impl Accelerations {
    /// Splits the acceleration `total` (m/s²) into `known(term)` for every term but pressure, and the rest, pressure.
    pub(crate) fn new(total: Vec3, known: impl Fn(AccelerationTerm) -> Vec3) -> Self {
        let mut terms = [total; AccelerationTerm::COUNT];
        let mut sum = Vec3::ZERO;
        for term in AccelerationTerm::all().filter(|&term| term != AccelerationTerm::Pressure) {
            terms[term.index()] = known(term);
            sum += known(term);
        }
        terms[AccelerationTerm::Pressure.index()] -= sum;
        Self { terms }
    }

    /// Acceleration by `term`, m/s².
    pub fn of(&self, term: AccelerationTerm) -> Vec3 {
        self.terms[term.index()]
    }

    /// Term with the largest magnitude, and this magnitude, m/s²; the first that is not finite, if there is one.
    pub fn dominant(&self) -> (AccelerationTerm, f32) {
        let magnitude = |term: &AccelerationTerm| {
            let length = self.of(*term).length();
            if length.is_nan() { f32::INFINITY } else { length }
        };
        let first = AccelerationTerm::Viscosity;
        AccelerationTerm::all().fold((first, magnitude(&first)), |largest, term| {
            let length = magnitude(&term);
            if length > largest.1 { (term, length) } else { largest }
        })
    }
}

/// A number with three significant digits, for messages: `5.59`, `0.000332`, `1.45e8`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounded(pub f32);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.2e}", self.0);
        let Some((digits, exponent)) = text.split_once('e') else { return f.write_str(&text) };
        match text.parse::<f64>() {
            Ok(rounded) if rounded == 0.0 || (1e-4..1e5).contains(&rounded.abs()) => write!(f, "{rounded}"),
            _ => write!(f, "{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.')),
        }
    }
}

/// A place in metres, for messages: `(0.529, 0.037, 0)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place(pub Vec3);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0.to_array().map(Rounded);
        write!(f, "({x}, {y}, {z})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressure_is_the_rest_and_what_is_not_finite_dominates() {
        let only = |term, by: Vec3| move |other: AccelerationTerm| if other == term { by } else { Vec3::ZERO };
        let accelerations = Accelerations::new(Vec3::new(3.0, 3.0, 0.0), only(AccelerationTerm::External, Vec3::NEG_Y));
        assert_eq!(accelerations.dominant(), (AccelerationTerm::Pressure, 5.0));
        let adhesion = AccelerationTerm::Force(Force::Adhesion);
        let broken = Accelerations::new(Vec3::NAN, only(adhesion, Vec3::NAN));
        assert_eq!(broken.dominant(), (adhesion, f32::INFINITY));
        assert_eq!(Accelerations::default().dominant().1, 0.0);
    }

    #[test]
    fn three_digits_stay() {
        let numbers = [5.589, 0.000_332_4, 1.448e8, -12.3456, 99_999.0, 1e5, 0.0, 2.0, 1e-12];
        let texts = numbers.map(|number| Rounded(number).to_string());
        assert_eq!(texts, ["5.59", "0.000332", "1.45e8", "-12.3", "1e5", "1e5", "0", "2", "1e-12"]);
    }

    #[test]
    fn what_is_no_number_is_named() {
        assert_eq!([f32::NAN, f32::INFINITY].map(|number| Rounded(number).to_string()), ["NaN", "inf"]);
    }

    #[test]
    fn places_have_three_coordinates() {
        assert_eq!(Place(Vec3::new(0.5289, -0.0374, 0.0)).to_string(), "(0.529, -0.0374, 0)");
    }
}
