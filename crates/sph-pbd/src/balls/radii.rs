//! Radii of balls: given one by one, or drawn from a distribution.

use super::pour::mass;
use super::random::Random;
use super::setup::{BallsError, MAX_BALLS};

/// Largest ratio of two radii in a set.
pub const MAX_RADIUS_RATIO: f32 = 20.0;

/// Radii of the balls of a set, m.
#[derive(Clone, Debug, PartialEq)]
pub enum Radii {
    /// One radius for each ball.
    List(Vec<f32>),
    /// The same radius for all.
    Equal(f32),
    /// Uniform distribution between two radii.
    Uniform {
        /// Smallest radius.
        min: f32,
        /// Largest radius.
        max: f32,
    },
    /// Uniform distribution of the logarithm: as many balls between 1 and 2 as between 5 and 10.
    LogUniform {
        /// Smallest radius.
        min: f32,
        /// Largest radius.
        max: f32,
    },
    /// A few sizes.
    Sizes {
        /// The radii.
        radii: Vec<f32>,
        /// Shares of the balls that have them, in any unit; one for each radius.
        shares: Vec<f32>,
    },
}

impl Radii {
    /// Number of balls, at most [`MAX_BALLS`], whose volume reaches `volume` (m³); at least 1. Those of a list are all.
    ///
    /// # Errors
    /// As for [`Self::draw`], and more balls would be needed.
    pub fn count_of(&self, volume: f32, seed: u64) -> Result<usize, BallsError> {
        if let Self::List(radii) = self {
            return Ok(radii.len());
        }
        // A share of the balls tells how many are needed, so that not all of them are drawn.
        let volume_of = |radii: &[f32]| radii.iter().map(|&radius| f64::from(mass(radius, 1.0))).sum::<f64>();
        let mut count = 1000;
        loop {
            let radii = self.draw(count, seed)?;
            if volume_of(&radii) >= f64::from(volume) {
                let mut sum = 0.0;
                let needed = radii.iter().position(|&radius| {
                    sum += f64::from(mass(radius, 1.0));
                    sum >= f64::from(volume)
                });
                return Ok(needed.map_or(count, |last| last + 1));
            }
            if count == MAX_BALLS {
                let many = f64::from(volume) / volume_of(&radii) * count as f64;
                return Err(BallsError::Count(many.min(1e18) as usize));
            }
            count = (4 * count).min(MAX_BALLS);
        }
    }

    /// Radii of `count` balls, the same for the same `seed`.
    ///
    /// # Errors
    /// A radius is not a positive number, the ratio of two is above [`MAX_RADIUS_RATIO`], or a list has another length.
    pub fn draw(&self, count: usize, seed: u64) -> Result<Vec<f32>, BallsError> {
        let each = |radius: &dyn Fn(f32) -> f32| (0..count).map(|k| radius(Random::new(seed, k as u64, 0).unit())).collect();
        let ends = |limits: &[f32]| {
            check(limits)?;
            let ordered = limits.is_sorted();
            ordered.then_some(()).ok_or(BallsError::RadiiOutOfOrder { min: limits[0], max: limits[1] })
        };
        let radii = match *self {
            Self::List(ref radii) if radii.len() == count => radii.clone(),
            Self::List(ref radii) => {
                return Err(BallsError::Length { what: "radii", found: radii.len(), needed: count, of: "balls" });
            }
            Self::Equal(radius) => vec![radius; count],
            Self::Uniform { min, max } => {
                ends(&[min, max])?;
                each(&|part| min + part * (max - min))
            }
            Self::LogUniform { min, max } => {
                ends(&[min, max])?;
                each(&|part| (min * (max / min).powf(part)).clamp(min, max))
            }
            Self::Sizes { ref radii, ref shares } => {
                check(radii)?;
                if shares.len() != radii.len() {
                    return Err(BallsError::Length { what: "shares", found: shares.len(), needed: radii.len(), of: "radii" });
                }
                if let Some(&found) = shares.iter().find(|share| !(0.0..=1e9).contains(*share)) {
                    return Err(BallsError::Number { what: "share of a radius", found, expected: "0 to 1000000000" });
                }
                let sum: f32 = shares.iter().sum();
                if sum <= 0.0 {
                    return Err(BallsError::Number { what: "sum of the shares", found: sum, expected: "above 0" });
                }
                each(&|part| {
                    let mut rest = part * sum;
                    let size = shares.iter().position(|share| {
                        rest -= share;
                        rest < 0.0
                    });
                    // Rounding may leave a rest.
                    radii[size.unwrap_or_else(|| shares.iter().rposition(|share| *share > 0.0).unwrap_or(0))]
                })
            }
        };
        check(&radii)?;
        Ok(radii)
    }
}

/// Checks that all radii are positive, and within the ratio.
fn check(radii: &[f32]) -> Result<(), BallsError> {
    if let Some(index) = radii.iter().position(|radius| !(radius.is_finite() && *radius >= f32::MIN_POSITIVE)) {
        return Err(BallsError::Radius { index, radius: radii[index] });
    }
    let (min, max) = radii.iter().fold((f32::INFINITY, 0.0f32), |(min, max), radius| (min.min(*radius), max.max(*radius)));
    // Tolerance for radii that were computed.
    if max > MAX_RADIUS_RATIO * 1.0001 * min { Err(BallsError::Ratio { min, max }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean of a function of the radii against that of the distribution.
    fn check_mean(radii: &Radii, of: impl Fn(f32) -> f32, expected: f32) {
        let count = 20_000;
        let drawn = radii.draw(count, 7).expect("valid radii");
        let mean = drawn.iter().map(|&radius| of(radius)).sum::<f32>() / count as f32;
        assert!((mean - expected).abs() < 0.01 * expected, "{mean} is not {expected}");
        assert_eq!(drawn[..50], radii.draw(50, 7).expect("valid radii"), "a radius depends on its ball alone");
        assert_ne!(drawn, radii.draw(count, 8).expect("valid radii"));
    }

    #[test]
    fn distributions_have_their_means() {
        check_mean(&Radii::Uniform { min: 1.0, max: 10.0 }, |radius| radius, 5.5);
        check_mean(&Radii::LogUniform { min: 1.0, max: 10.0 }, |radius| radius, 9.0 / 10f32.ln());
        check_mean(&Radii::LogUniform { min: 2.0, max: 40.0 }, |radius| (radius / 2.0).ln(), 20f32.ln() / 2.0);
        let sizes = Radii::Sizes { radii: vec![1.0, 20.0, 5.0], shares: vec![7.0, 1.0, 2.0] };
        check_mean(&sizes, |radius| radius, 0.7 + 2.0 + 1.0);
        let drawn = sizes.draw(20_000, 7).expect("valid radii");
        let part = drawn.iter().filter(|radius| **radius == 20.0).count() as f32 / drawn.len() as f32;
        assert!((part - 0.1).abs() < 0.01, "{part}");
    }

    #[test]
    fn as_many_balls_as_a_volume_needs() {
        for (radii, most) in [
            (Radii::Equal(0.1), 0.1),
            (Radii::LogUniform { min: 0.01, max: 0.2 }, 0.2),
            (Radii::Sizes { radii: vec![0.02, 0.1], shares: vec![5.0, 1.0] }, 0.1),
        ] {
            let count = radii.count_of(3.0, 4).expect("not too many");
            let volume: f32 = radii.draw(count, 4).expect("valid radii").iter().map(|&radius| mass(radius, 1.0)).sum();
            assert!((3.0 * 0.9999..3.0 + mass(most, 1.0)).contains(&volume), "{radii:?}: {volume}");
        }
        assert_eq!(Radii::Equal(2.0).count_of(0.1, 0), Ok(1));
        assert_eq!(Radii::List(vec![1.0; 7]).count_of(0.1, 0), Ok(7));
        let Err(BallsError::Count(many)) = Radii::Equal(1e-3).count_of(10.0, 0) else { panic!("too many balls") };
        assert!((many as f64 / 2.387e9 - 1.0).abs() < 0.01, "{many}");
        assert!(Radii::Equal(1e-30).count_of(f32::MAX, 0).is_err());
        assert!(Radii::Equal(0.0).count_of(1.0, 0).is_err());
    }

    #[test]
    fn bad_radii_are_errors() {
        for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-40] {
            for radii in [
                Radii::List(vec![1.0, bad]),
                Radii::Equal(bad),
                Radii::Uniform { min: bad, max: 1.0 },
                Radii::LogUniform { min: 1.0, max: bad },
                Radii::Sizes { radii: vec![1.0, bad], shares: vec![1.0, 1.0] },
            ] {
                assert!(matches!(radii.draw(2, 0), Err(BallsError::Radius { .. })), "{radii:?}");
            }
        }
        assert_eq!(Radii::List(vec![1.0, 20.1]).draw(2, 0), Err(BallsError::Ratio { min: 1.0, max: 20.1 }));
        assert!(Radii::LogUniform { min: 0.005, max: 0.1 }.draw(2, 0).is_ok());
        assert!(matches!(Radii::LogUniform { min: 0.1, max: 0.09 }.draw(2, 0), Err(BallsError::RadiiOutOfOrder { .. })));
        assert!(matches!(Radii::List(vec![1.0]).draw(2, 0), Err(BallsError::Length { found: 1, needed: 2, .. })));
        let sizes = |shares: &[f32]| Radii::Sizes { radii: vec![1.0, 2.0], shares: shares.to_vec() }.draw(2, 0);
        for shares in [[f32::NAN, 1.0], [1.0, -1.0], [0.0, 0.0]] {
            assert!(matches!(sizes(&shares), Err(BallsError::Number { .. })), "{shares:?}");
        }
        assert!(matches!(sizes(&[1.0]), Err(BallsError::Length { found: 1, needed: 2, .. })));
        let none = Radii::Sizes { radii: Vec::new(), shares: Vec::new() };
        assert!(none.draw(2, 0).is_err() && none.count_of(1.0, 0).is_err());
    }
}
